"""What a running scene tells of the stored map that it leads: doors, tokens, lights and what is known.

The map is told whole each time, so that a move that is taken back takes along what it changed. Games say only
where beings stand and how the place is now (`OnGround`); all else follows from what every scene has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from services.rules.engine.codec import Codec
from services.rules.engine.ground.explored import Explored
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import DoorState, Lamp
from services.rules.engine.ground.model import Ground
from services.rules.engine.play import ActorCard, AnyPlay
from services.rules.engine.site import SiteToken


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundNow:
    """The place of a scene as it is now.

    Attributes:
        ground: Cells, edges and doors as they stand.
        lights: What shines beside the ground's own lamps, in any order; what a being carries has its id.
        explored: What the players know of it, under fog; None without.
    """

    ground: Ground
    lights: tuple[Lamp, ...] = ()
    explored: Explored | None = None


@runtime_checkable
class OnGround(Protocol):
    """Play whose scenes have a tactical ground."""

    def ground_now(self, state: Any) -> GroundNow | None:
        """The place of a state (or of a view of it); None where it has no ground."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorNow:
    """How a door stands.

    Attributes:
        id: Its id on the map.
        state: How it stands.
    """

    id: str
    state: DoorState


@dataclass(frozen=True, slots=True, kw_only=True)
class MapNow:
    """A stored map as the scene on it has it.

    Attributes:
        width: Columns.
        height: Rows.
        doors: The doors that the scene knows of.
        tokens: Who stands there, in the order of the scene.
        lights: What shines that no token carries.
        carried: What tokens carry that shines, by the token's id.
        explored: What the players know, under fog; None without.
    """

    width: int
    height: int
    doors: tuple[DoorNow, ...] = ()
    tokens: tuple[SiteToken, ...] = ()
    lights: tuple[Lamp, ...] = ()
    carried: Mapping[str, Lamp] = field(default_factory=dict)
    explored: Explored | None = None


MAP_NOW_CODEC: Codec[MapNow] = Codec(MapNow, "engine/map-now")


def map_now(play: AnyPlay, state: Any) -> MapNow | None:
    """The map of a scene as it is now; None for a game, or a state, without a ground."""
    now = play.ground_now(state) if isinstance(play, OnGround) else None
    if now is None:
        return None
    card = play.card(state)
    tokens = tuple(
        _token(play, state, actor, card.turn == actor.id) for actor in card.actors if actor.at is not None
    )
    standing = {token.id for token in tokens}
    return MapNow(
        width=now.ground.width,
        height=now.ground.height,
        doors=tuple(DoorNow(id=door.id, state=door.state) for door in now.ground.doors),
        tokens=tokens,
        lights=tuple(lamp for lamp in now.lights if lamp.id not in standing),
        carried={lamp.id: lamp for lamp in now.lights if lamp.id in standing},
        explored=now.explored,
    )


def _token(play: AnyPlay, state: Any, actor: ActorCard, on_turn: bool) -> SiteToken:
    assert actor.at is not None
    known = play.known_to(state, actor.id)
    return SiteToken(
        id=actor.id,
        name=actor.name,
        at=Footprint(actor.at, actor.size),
        character=actor.id if actor.character else "",
        # Players' own characters stand on their map even while they hide from others.
        hidden=not actor.character and (known is None or not known.everyone),
        side=actor.side,
        on_turn=on_turn,
        conditions=actor.conditions,
    )
