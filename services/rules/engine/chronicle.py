"""What a game tells of its campaigns' events, so that a chronicle of all that happened can be made of them.

A chronicle is the sentences that were told when things happened (`GamePlay.tell`), of those events which the
game names here, under the game's own headings. Nothing more is stored for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True, kw_only=True)
class ChronicleNote:
    """How an event stands in a chronicle.

    Attributes:
        heading: What it belongs to, in a word or two that the game always uses: `Quests`.
        about: Ids of the actors, and of other things of the game, that it is about.
        opens: Whether a chapter of the story begins with it.
    """

    heading: str
    about: tuple[str, ...] = ()
    opens: bool = False


@runtime_checkable
class Chronicled(Protocol):
    """Campaigns that can be told from their first day."""

    def chronicle(self, event: Any) -> ChronicleNote | None:
        """How an event stands in the chronicle; None where it is not of the story.

        Args:
            event: The event, already as its reader may know it.
        """
