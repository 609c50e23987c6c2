"""What every game repeats: the answers of a game without secrets, and the classes of its moves and facts.

A game's play extends `PlainPlay`, its campaign `PlainCampaign`, and overrides what is otherwise in that game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any, Generic, TypeVar, cast, get_args

from services.rules.engine.bots import PlayedByBots, plain_answer
from services.rules.engine.campaign import AnyCampaign, CampaignPlay, DueScene, SceneOrder
from services.rules.engine.chronicle import Chronicled
from services.rules.engine.codec import Codec, Json
from services.rules.engine.dispositions import TellsDispositions
from services.rules.engine.frozen import replace
from services.rules.engine.move_groups import EVEN_WEIGHT
from services.rules.engine.offers import kinds_of_moves
from services.rules.engine.play import (
    EVERYONE,
    GM,
    AdmitsPlayers,
    Audience,
    CastMember,
    Change,
    EventT,
    GamePlay,
    MoveGroup,
    MoveT,
    Pictured,
    SceneCard,
    SetupT,
    StateT,
    Viewer,
)
from services.rules.engine.simulation.figures import Simulated
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


Upgrades = Mapping[int, Callable[[dict[str, Json]], dict[str, Json]]]
"""From each older version of a form to the next one."""


def union_codec(union: Any, name: str, version: int = 1, upgrades: Upgrades | None = None) -> Codec[Any]:
    """The codec of a union of moves or of facts, each with its `kind`.

    Args:
        union: The union: `Strike | Brace`.
        name: The name of the form: `duel/move`.
        version: Its version.
        upgrades: From each older version to the next one, on the JSON form with its `kind`.
    """
    return Codec(cast("type[Any]", union), name, version=version, upgrades=upgrades or {})


def with_one(beings: Iterable[BeingT], being: str, **changes: Any) -> tuple[BeingT, ...]:
    """Several beings, the one of an id with other values.

    Args:
        beings: Frozen dataclasses with an `id`.
        being: The id of the one that changes.
        changes: Its new values, by field.
    """
    known: Iterable[Any] = beings
    return tuple([replace(each, **changes) if each.id == being else each for each in known])


class PlainPlay(Generic[SetupT, StateT, MoveT, EventT]):
    """The answers of a game without secrets, whose scenes change nothing about characters.

    The rest of `engine.play.GamePlay` is each game's own.
    """

    __slots__ = ()

    move_codec: Codec[MoveT]

    @property
    def move_groups(self) -> tuple[MoveGroup, ...]:
        """Returns one group of all moves, none of them ahead of another."""
        kinds = kinds_of_moves(self.move_codec.type).values()
        return (MoveGroup("move", "Moves", dict.fromkeys(kinds, EVEN_WEIGHT)),)

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

    def due(self, state: StateT) -> DueScene | None:
        """Returns no scene."""
        return None

    def joined(self, state: StateT, member: CastMember) -> tuple[EventT, ...]:
        """Returns no facts."""
        return ()

    def left(self, state: StateT, character: str) -> tuple[EventT, ...]:
        """Returns no facts."""
        return ()


WANTED = frozenset(name for name in vars(GamePlay) if not name.startswith("_"))
"""What every game's play has."""
OPTIONAL = frozenset(
    name
    for protocol in (
        AdmitsPlayers,
        CampaignPlay,
        Chronicled,
        PlayedByBots,
        Pictured,
        Simulated,
        TellsDispositions,
    )
    for name in vars(protocol)
    if not name.startswith("_")
)
"""What campaigns have beside that, and what a game may offer."""


def assembled(kind: type[PlainPlay[Any, Any, Any, Any]], name: str, *parts: ModuleType) -> AnyCampaign:
    """The play of a game, put together from its files, for a game that takes no content of its own along.

    Each function (and `setups` and `bots`) that stands in a file under the name that the frame has for it is
    taken. The codecs are those of the four types that the class names, in their first version:
    `name/setup`, `name/state`, `name/move`, `name/event`.

    Args:
        kind: The class of the play, `PlainPlay[Setup, State, Move, Fact]` or `PlainCampaign[...]`.
        name: What the names of the stored forms begin with.
        parts: The files.

    Raises:
        TypeError: Something is missing, or stands in two files.
    """
    types = get_args(cast(Any, kind).__orig_bases__[0])
    for form, type_ in zip(("setup", "state", "move", "event"), types, strict=True):
        setattr(kind, f"{form}_codec", union_codec(type_, f"{name}/{form}"))
    found: dict[str, Any] = {}
    for part in parts:
        own = {key: value for key, value in vars(part).items() if _of(part, key, value)}
        if twice := found.keys() & own.keys():
            raise TypeError(f"{name}: {', '.join(sorted(twice))} in two files")
        found |= own
    for key, value in found.items():
        setattr(kind, key, staticmethod(value) if isinstance(value, FunctionType) else value)
    if missing := sorted(key for key in WANTED if not hasattr(kind, key)):
        raise TypeError(f"{name}: {', '.join(missing)} missing")
    return cast(AnyCampaign, kind())


def _of(part: ModuleType, name: str, value: Any) -> bool:
    """Whether a value is for the frame, and a file's own: not a module, nor a function imported there."""
    if name not in WANTED | OPTIONAL or isinstance(value, ModuleType):
        return False
    return not isinstance(value, FunctionType) or value.__module__ == part.__name__
