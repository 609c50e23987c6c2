"""A stored map as a scene may be set on it: the ground of the rules, or the document of its own game."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from services.map.board import Board
from services.map.generation.grid.model import Cell, Door, DoorKind, DoorState, GridMap, Light
from services.map.ground.building import ground_of, lamps_of, rules_ground
from services.map.ground.walking import reach
from services.map.play.cells import Cells, known
from services.map.play.sight import added, carried_by
from services.map.play.state import PARTY, Extent, FogMode, Layer, MapState, Token
from services.map.registry import KINDS
from services.rules.engine.codec import Json
from services.rules.engine.ground import fog
from services.rules.engine.ground.footprint import MAX_SIZE, Footprint
from services.rules.engine.ground.measure import Measure
from services.rules.engine.ground.squares import Square
from services.rules.engine.site import SITE_CODEC, Site, SiteDoor, SiteToken

START_PACES = 4
"""How far around the entrance or the goal people start, where a map has no zones for it."""


def site_document(slug: str, board: Board) -> dict[str, Json] | None:
    """A map as the document that a scene is set on; None for a map that no game is played on.

    Args:
        slug: its kind. One of cells is squares for any game, unless it has documents of its own.
        board: the map, its doors as they stand now.
    """
    kind = KINDS[slug]
    if kind.site is not None:
        return kind.site(board.model, board.state)
    if not kind.cells:
        return None
    found = frozenset(door.id for door in board.state.doors if door.found)
    site = site_of(board.model, board.doors, board.state.tokens, added(board.state), found)
    return SITE_CODEC.dump(_under_fog(site, board.state))


def _under_fog(site: Site, state: MapState) -> Site:
    """The map with what players know of it: all of them, and where sight is not shared each beside that."""
    if state.fog.mode is not FogMode.FOGGED:
        return replace(site, fog=state.fog.mode is not FogMode.OPEN, shared=state.fog.shared)
    party, own = known(state, PARTY), {}
    if not state.fog.shared:
        owners = {token.character: token.owners for token in state.tokens if token.character}
        for character, accounts in owners.items():
            seen = [known(state, account) for account in accounts]
            own[character] = _text_of(np.logical_or.reduce([party, *seen]))
    return replace(site, fog=True, explored=_text_of(party), shared=state.fog.shared, explored_by=own)


def _text_of(cells: Cells) -> str:
    """A set of cells as the rules write it: the bit of a cell is its number, row by row."""
    return fog.written(int.from_bytes(np.packbits(cells, axis=None, bitorder="little").tobytes(), "little"))


def site_of(
    model: GridMap,
    doors: Mapping[str, DoorState],
    tokens: Sequence[Token] = (),
    lights: Sequence[Light] = (),
    found: Collection[str] = (),
) -> Site:
    """Return a grid map as a scene may be set on it.

    Args:
        model: the map.
        doors: how doors stand that play has touched.
        tokens: what stands on the map.
        lights: what shines that play has put on the map.
        found: ids of the secret doors that players have found.
    """
    lit = replace(model, lights=(*model.lights, *lights))
    ground = replace(rules_ground(lit, doors), measure=Measure(model.feet, "foot"))
    starts = _starts(model)
    return Site(
        title=model.title,
        ground=ground,
        doors=tuple(_told(door, found) for door in model.doors if door.kind is not DoorKind.ARCH),
        tokens=tuple(_figure(model, token) for token in tokens if _stands_on(model, token)),
        heroes=_squares(starts.get("heroes") or _around(model, model.entrance)),
        foes=_squares(starts.get("foes") or _around(model, model.goal)),
    )


DOOR_NAMES: Mapping[DoorKind, str] = {
    DoorKind.ARCH: "an open arch",
    DoorKind.WOODEN: "a wooden door",
    DoorKind.IRON: "an iron door",
    DoorKind.STONE: "a stone door",
    DoorKind.PORTCULLIS: "a portcullis",
    DoorKind.GATE: "a gate",
    DoorKind.SECRET: "a secret door",
    DoorKind.CURTAIN: "a curtain",
    DoorKind.BARRED: "a barred door",
}


def _told(door: Door, found: Collection[str]) -> SiteDoor:
    secret = door.secret and door.id not in found
    return SiteDoor(id=door.id, name=DOOR_NAMES[door.kind], secret=secret)


def _stands_on(model: GridMap, token: Token) -> bool:
    return 0 <= token.at.x < model.width and 0 <= token.at.y < model.height


def _figure(model: GridMap, token: Token) -> SiteToken:
    at = Square(int(token.at.x), int(token.at.y))
    light = carried_by(token, Extent(model.width, model.height, True))
    return SiteToken(
        id=token.id,
        name=token.name,
        at=Footprint(at, min(token.size, MAX_SIZE)),
        character=token.character or "",
        hidden=token.layer is Layer.GM,
        creature=token.creature,
        lamp=next(lamps_of(model, () if light is None else (light,)), None),
    )


def _starts(model: GridMap) -> dict[str, tuple[Cell, ...]]:
    """By side, the cells of its start zones that can be entered while every door is open, row by row."""
    free = ground_of(model, {door.id: DoorState.OPEN for door in model.doors}).paces > 0
    found: dict[str, set[Cell]] = {}
    for zone in model.zones:
        if zone.kind == "start":
            cells = ((x, y) for y, first, last in zone.spans for x in range(first, last) if free[y, x])
            found.setdefault(zone.side, set()).update(cells)
    return {side: tuple(sorted(cells, key=lambda cell: (cell[1], cell[0]))) for side, cells in found.items()}


def _around(model: GridMap, cell: tuple[int, int] | None) -> tuple[tuple[int, int], ...]:
    """The cells around another that one walks to through no shut door, the nearest first."""
    if cell is None:
        return ()
    ground = ground_of(model)
    if ground.paces[cell[1], cell[0]] == 0:
        return ()
    costs = reach(ground, cell, START_PACES)
    found = [(int(costs[y, x]), y, x) for y, x in zip(*(costs >= 0).nonzero(), strict=True)]
    return tuple((int(x), int(y)) for _, y, x in sorted(found))


def _squares(cells: tuple[tuple[int, int], ...]) -> tuple[Square, ...]:
    return tuple(Square(x, y) for x, y in cells)
