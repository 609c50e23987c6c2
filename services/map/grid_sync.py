"""How scenes lead maps in cells, in every game: tokens, doors, lights and fog are those of the scene."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from services.map.generation.grid.model import DoorState, GridMap
from services.map.kind import Leading, Piece
from services.map.play.cells import Cells, packed
from services.map.play.state import (
    PARTY,
    CarriedLight,
    DoorPlay,
    Explored,
    Extent,
    FogMode,
    Layer,
    LightSource,
    MapState,
    Spot,
    scene_thing_id,
    with_thing,
)
from services.rules.engine.ground import fog
from services.rules.engine.ground.kinds import Lamp
from services.rules.engine.map_now import MAP_NOW_CODEC, MapNow

SIDES: Mapping[str, str] = {"heroes": "#2a5ba8", "foes": "#8a2a20"}
OTHER_SIDE = "#4f7a3a"
"""Colours of the tokens of sides."""

GLOW = "#ffb35c"
"""The colour of lights that scenes make."""


def follow(model: GridMap, now: MapNow) -> GridMap:
    """The map, which stays as it is.

    Raises:
        ValueError: The scene's map is of another size.
    """
    if (now.width, now.height) != (model.width, model.height):
        raise ValueError("the scene is on a map of another size")
    return model


def pieces(model: GridMap, now: MapNow) -> tuple[Piece, ...]:
    """Those of a scene who stand on the map."""
    return tuple(
        Piece(
            id=token.id,
            name=token.name,
            color=SIDES.get(token.side, OTHER_SIDE),
            at=Spot(float(token.at.at.x), float(token.at.at.y)),
            size=token.at.size,
            hidden=token.hidden,
            side=token.side,
            on_turn=token.on_turn,
            conditions=token.conditions,
            light=_carried(now.carried.get(token.id)),
        )
        for token in now.tokens
        if 0 <= token.at.at.x < model.width and 0 <= token.at.at.y < model.height
    )


def state(before: MapState, model: GridMap, now: MapNow, scene: str) -> MapState:
    """The state of play with the doors, the lights and the fog of a scene."""
    return _fogged(_lit(_doors(before, model, now), now, scene), now)


def _doors(before: MapState, model: GridMap, now: MapNow) -> MapState:
    """The doors as the scene has them; a secret one is found while the scene knows of it, or it is open."""
    after = before
    played = {door.id: door for door in before.doors}
    told = {door.id: DoorState(door.state.value) for door in now.doors}
    for door in model.doors:
        play = played.get(door.id, DoorPlay(door.id))
        stands = told.get(door.id, play.state or door.state)
        found = door.secret and (door.id in told or stands is DoorState.OPEN)
        then = replace(
            play, state=play.state if stands is (play.state or door.state) else stands, found=found
        )
        if then != play:
            after = with_thing(after, "doors", then)
    return after


def _lit(before: MapState, now: MapNow, scene: str) -> MapState:
    """The lights that no token carries; those of the scene that shine no more are gone."""
    others = [light for light in before.lights if light.scene is None]
    made = (
        LightSource(
            scene_thing_id(scene, f"light {lamp.id}"),
            Spot(lamp.at.x + 0.5, lamp.at.y + 0.5),
            float(lamp.bright),
            float(lamp.dim),
            GLOW,
            Layer.PLAYERS,
            scene,
        )
        for lamp in now.lights
    )
    lights = {light.id: light for light in (*others, *made)}
    return replace(before, lights=tuple(lights[id] for id in sorted(lights)))


def _fogged(before: MapState, now: MapNow) -> MapState:
    """Under fog, what is known is what the scene tells: to all, and where sight is apart to each owner."""
    told = now.explored
    if told is None or before.fog.mode is not FogMode.FOGGED:
        return before
    party = _cells(told.cells, before.extent)
    found = {PARTY: party}
    if not before.fog.shared:
        for hero, text in told.own.items():
            for account in _owners(before, hero):
                found[account] = found.get(account, party) | _cells(text, before.extent)
    return replace(before, explored=tuple(Explored(who, packed(found[who])) for who in sorted(found)))


def _owners(before: MapState, hero: str) -> Iterable[str]:
    return (account for token in before.tokens if token.character == hero for account in token.owners)


def _cells(text: str, extent: Extent) -> Cells:
    """A set of cells as the rules write it, the bit of a cell being its number, row by row."""
    size = extent.columns * extent.rows
    octets = (fog.read(text) & ((1 << size) - 1)).to_bytes((size + 7) // 8, "little")
    bits = np.unpackbits(np.frombuffer(octets, np.uint8), count=size, bitorder="little")
    return bits.astype(np.bool_).reshape(extent.rows, extent.columns)


def _carried(lamp: Lamp | None) -> CarriedLight | None:
    return None if lamp is None else CarriedLight(float(lamp.bright), float(lamp.dim), GLOW)


GRID_LEADING: Leading[GridMap, MapNow] = Leading(
    codec=MAP_NOW_CODEC, follow=follow, pieces=pieces, state=state
)
"""How every game on squares leads a map in cells."""
