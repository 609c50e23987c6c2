"""What a game knows of a table between its scenes: party, forces, reputation, quests, clocks.

A campaign's state is a state machine of the same kind as a scene's (`engine.play`): begun, moved in steps,
folded from facts, shown to each viewer as they may know it. A table has one of a game. Beside that it begins
scenes and hears of them, and of the characters who come to the table and leave it:

    scenes(state)                   the scenes that may be begun from it now, each with its setup
    began(state, name)              facts: that one of them is begun
    hears(state, name, event)       facts: what an event of such a scene does to the campaign, when it happens
    parted(state, name)             facts: that it is over
    due(state)                      the scene that a simple game master begins now, and who takes part
    joined(state, member)           facts: that a character has come to the table since the campaign began
    left(state, character)          facts: that one has left it
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

from services.rules.engine.play import CastMember, EventT, GamePlay, MoveT, SetupT, StateT
from services.rules.engine.steps import Turn

SUFFIX = "_campaign"
"""What the slug of a campaign's state ends with: `duel_campaign`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneOrder:
    """A scene that may be begun from a campaign.

    Attributes:
        setup: Its setup, of the game's own type.
        text: What it is, in plain words, for whoever may begin it.
    """

    setup: Any
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DueScene:
    """A scene that a simple game master begins now.

    Attributes:
        name: Its name, among `CampaignPlay.scenes`.
        cast: Ids of the characters who take part.
    """

    name: str
    cast: tuple[str, ...]


@runtime_checkable
class CampaignPlay(GamePlay[SetupT, StateT, MoveT, EventT], Protocol):
    """One game's campaigns. Every function is pure."""

    def scenes(self, state: StateT) -> Mapping[str, SceneOrder]:
        """The scenes that may be begun now, by name; names stay the same while a scene is on offer."""

    def began(self, state: StateT, name: str) -> tuple[EventT, ...]:
        """What beginning a scene does."""

    def hears(self, state: StateT, name: str, event: Any) -> tuple[EventT, ...]:
        """What an event of a scene does; nothing for most. It never fails.

        Args:
            state: Where the campaign stands.
            name: The scene's, among those that were begun from the campaign.
            event: Of the game's scenes.
        """

    def parted(self, state: StateT, name: str) -> tuple[EventT, ...]:
        """What the end of a scene does, behind its last event."""

    def due(self, state: StateT) -> DueScene | None:
        """The scene that a simple game master begins now; None where a move comes first, or nothing at all.

        Where nobody can begin it, `bot` has a move for the game master that goes on without it.
        """

    def joined(self, state: StateT, member: CastMember) -> tuple[EventT, ...]:
        """What a character's coming to the table does; without a fact it takes no part. It never fails.

        Args:
            state: Where the campaign stands.
            member: The character with its sheet of now; it may have been here before.
        """

    def left(self, state: StateT, character: str) -> tuple[EventT, ...]:
        """What a character's leaving the table does; without a fact it stays part of the campaign.

        Args:
            state: Where the campaign stands.
            character: Its id, of one that takes part.
        """


AnyCampaign = CampaignPlay[Any, Any, Any, Any]
"""A campaign whose types the caller does not know."""

SystemT = TypeVar("SystemT")


def with_campaigns(systems: Mapping[str, SystemT]) -> dict[str, SystemT]:
    """Games by slug, and beside each that has campaigns these, as a game of their own: `duel`,
    `duel_campaign`.
    """
    found = dict(systems)
    for slug, system in systems.items():
        campaign = cast(Any, system).campaign
        if campaign is not None:
            name = f"{cast(Any, system).name}: campaign"
            found[slug + SUFFIX] = cast(
                SystemT,
                replace(
                    cast(Any, system),
                    slug=slug + SUFFIX,
                    name=name,
                    play=campaign,
                    campaign=None,
                    scene_play=cast(Any, system).play,
                ),
            )
    return found


def began(play: AnyCampaign, state: Any, name: str) -> Turn[Any, Any]:
    """A turn in which a scene of the campaign is begun."""
    return _told(play, state, play.began(state, name))


def joined(play: AnyCampaign, state: Any, member: CastMember) -> Turn[Any, Any]:
    """A turn in which a character comes to the table."""
    return _told(play, state, play.joined(state, member))


def left(play: AnyCampaign, state: Any, character: str) -> Turn[Any, Any]:
    """A turn in which a character leaves the table."""
    return _told(play, state, play.left(state, character))


def _told(play: AnyCampaign, state: Any, facts: Iterable[Any]) -> Turn[Any, Any]:
    turn: Turn[Any, Any] = Turn(play, state)
    turn.happen(*facts)
    return turn


def heard(
    play: AnyCampaign, state: Any, name: str, events: Iterable[Any], *, over: bool = False
) -> Turn[Any, Any]:
    """A turn in which a campaign hears what happened in a scene of it.

    Args:
        play: The game's campaigns.
        state: Where the campaign stands.
        name: The scene's.
        events: What happened there, in its order.
        over: Whether the scene is over behind them.
    """
    turn: Turn[Any, Any] = Turn(play, state)
    for event in events:
        turn.happen(*play.hears(turn.state, name, event))
    if over:
        turn.happen(*play.parted(turn.state, name))
    return turn
