"""What every game repeats: the answers of a game without secrets, and the classes of its moves and facts.

A game's play extends `PlainPlay`, its campaign `PlainCampaign`, and overrides what is otherwise in that game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from services.rules.engine.bots import plain_answer
from services.rules.engine.campaign import SceneOrder
from services.rules.engine.codec import Codec, Json
from services.rules.engine.play import (
    EVERYONE,
    GM,
    Audience,
    CastMember,
    Change,
    EventT,
    MoveT,
    SceneCard,
    SetupT,
    StateT,
    Viewer,
)
from services.rules.engine.steps import Ask

BeingT = TypeVar("BeingT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A move.

    Attributes:
        actor: The id of the actor who makes it, or `gm`.
    """

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact.

    Attributes:
        audience: Who may know of it; the engine narrows it to those who may know of every actor it names.
    """

    audience: Audience = EVERYONE


def union_codec(union: Any, name: str, version: int = 1) -> Codec[Any]:
    """The codec of a union of moves or of facts, each with its `kind`.

    Args:
        union: The union: `Strike | Brace`.
        name: The name of the form: `duel/move`.
        version: Its version.
    """
    return Codec(cast("type[Any]", union), name, version=version)


def with_one(beings: Iterable[BeingT], being: str, **changes: Any) -> tuple[BeingT, ...]:
    """Several beings, the one of an id with other values.

    Args:
        beings: Frozen dataclasses with an `id`.
        being: The id of the one that changes.
        changes: Its new values, by field.
    """
    return tuple(
        cast(BeingT, replace(cast(Any, each), **changes)) if cast(Any, each).id == being else each
        for each in beings
    )


class PlainPlay(Generic[SetupT, StateT, MoveT, EventT]):
    """The answers of a game without secrets, whose scenes change nothing about characters.

    The rest of `engine.play.GamePlay` is each game's own.
    """

    __slots__ = ()

    move_codec: Codec[MoveT]

    def view(self, state: StateT, viewer: Viewer) -> StateT:
        """Returns the whole state."""
        return state

    def sees(self, event: EventT, viewer: Viewer) -> EventT | None:
        """Returns the event to viewers in its audience, and None to all others."""
        return event if viewer.may_know(event.audience) else None

    def known_to(self, state: StateT, actor: str) -> Audience | None:
        """Returns everyone."""
        return EVERYONE

    def changes(self, state: StateT) -> tuple[Change, ...]:
        """Returns no changes."""
        return ()

    def absorb(self, choices: Any, data: Mapping[str, Json]) -> Any:
        """Returns the choices as they are."""
        return choices

    def led_by(self, state: StateT, actor: str) -> str:
        """Returns a player's character itself, and `gm` for every other actor."""
        return actor if any(one.id == actor and one.character for one in self.card(state).actors) else GM

    def card(self, state: StateT) -> SceneCard:
        """Returns the card of a state; every game has its own."""
        raise NotImplementedError

    def reply(self, state: StateT, ask: Ask) -> MoveT:
        """Returns the answer that stands for silence, or else the first that is offered."""
        return cast(MoveT, plain_answer(cast(Any, self), ask))


class PlainCampaign(PlainPlay[SetupT, StateT, MoveT, EventT]):
    """The answers of a campaign from which no scenes are begun, which hears of none, and whose characters are
    those with whom it began.
    """

    __slots__ = ()

    def scenes(self, state: StateT) -> Mapping[str, SceneOrder]:
        """Returns no scenes."""
        return {}

    def began(self, state: StateT, name: str) -> tuple[EventT, ...]:
        """Returns no facts."""
        return ()

    def hears(self, state: StateT, name: str, event: Any) -> tuple[EventT, ...]:
        """Returns no facts."""
        return ()

    def parted(self, state: StateT, name: str) -> tuple[EventT, ...]:
        """Returns no facts."""
        return ()

    def joined(self, state: StateT, member: CastMember) -> tuple[EventT, ...]:
        """Returns no facts."""
        return ()

    def left(self, state: StateT, character: str) -> tuple[EventT, ...]:
        """Returns no facts."""
        return ()
