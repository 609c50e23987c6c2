"""What people are told of the setups of a game before they choose one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from services.rules.engine.play import AnyPlay

MOST_CAST = 50
"""The most characters that take part in one scene, in a game that has no bound of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """Which characters a setup can be begun with.

    Attributes:
        fewest: The fewest characters.
        most: The most.
        different: What no two of them may have in common, by the names of the choices: `champion`; empty
            where anything may be.
    """

    fewest: int = 1
    most: int = MOST_CAST
    different: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSetup:
    """One of a game's own setups.

    Attributes:
        key: Its name, for `setupName`.
        title: What the scene is called.
        text: What waits there, in a sentence; empty where the game says nothing.
        party: Which characters it can be begun with.
    """

    key: str
    title: str
    text: str
    party: Party


@runtime_checkable
class TellsSetups(Protocol):
    """Play that says what its setups are about, and for how many they are."""

    setup_texts: Mapping[str, str]
    """A sentence for each of its setups, by name."""

    def party(self, setup: Any) -> Party:
        """Which characters a setup can be begun with."""


def named_setups(play: AnyPlay) -> tuple[NamedSetup, ...]:
    """The setups of a game, in its order."""
    tells = play if isinstance(play, TellsSetups) else None
    return tuple(
        NamedSetup(
            key=key,
            title=setup.title,
            text="" if tells is None else tells.setup_texts[key],
            party=Party() if tells is None else tells.party(setup),
        )
        for key, setup in play.setups.items()
    )
