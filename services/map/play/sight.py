"""What tokens see, and how that lifts the fog for those who own them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from services.map.generation.grid.model import ADDED, CARRIED, Cell, Light
from services.map.play.apply import with_explored
from services.map.play.cells import Cells, as_cells, known, no_cells
from services.map.play.changes import Applied, changes_between
from services.map.play.rights import Editor
from services.map.play.state import PARTY, Extent, FogMode, Layer, MapState, Token

See = Callable[[int, int, float], npt.NDArray[np.generic] | bytes]
"""The cells that can be seen from a cell (column, row) within so many cells, as if all were lit: an array of
one row a row of the map, or a byte a cell."""


def owned_by(state: MapState, token: Token, viewer: Editor) -> bool:
    """Whether a viewer looks through a token's eyes: their own, or of the party when it shares its fog."""
    if token.layer is not Layer.PLAYERS:
        return False
    return bool(token.owners) if state.fog.shared else viewer.account in token.owners


def seen_from(token: Token, at: Cell, extent: Extent, see: See, lit: Cells | None = None) -> Cells:
    """The cells that a token sees when it stands somewhere.

    A large token looks out of its corners and its middle.

    Args:
        token: The token.
        at: Its top left cell there.
        extent: Of the map.
        see: What can be seen from a cell.
        lit: The cells with light in them; everything without.
    """
    cells = no_cells(extent)
    if token.sight is None:
        return cells
    light, dark = token.sight.range, token.sight.dark
    if lit is None:
        light = dark = max(light, dark)
    for x, y in _eyes(at, token.size):
        if light > dark and lit is not None:
            cells |= as_cells(see(x, y, float(light)), extent) & lit
        if dark > 0:
            cells |= as_cells(see(x, y, float(dark)), extent)
    return cells


def _eyes(at: Cell, size: int) -> set[Cell]:
    x, y = at
    last, middle = size - 1, size // 2
    corners = {(x + dx, y + dy) for dx in (0, last) for dy in (0, last)}
    return corners | {(x + middle, y + middle)}


def seen_along(
    token: Token, way: Iterable[Cell], extent: Extent, see: See, lit: Cells | None = None
) -> Cells:
    """The cells that a token sees from each step of a way."""
    cells = no_cells(extent)
    for at in way:
        cells |= seen_from(token, at, extent, see, lit)
    return cells


def seen_now(state: MapState, viewer: Editor, see: See, lit: Cells | None = None) -> Cells:
    """The cells that a viewer sees now, through the tokens they look through."""
    cells = no_cells(state.extent)
    for token in state.tokens:
        if owned_by(state, token, viewer):
            cells |= seen_from(token, _cell(token), state.extent, see, lit)
    return cells


def explore(state: MapState, token: Token, cells: Cells) -> Applied:
    """Lifts the fog where a token has seen, for the party or for each of its owners.

    Only under fog: what tokens do while the map is open or hidden is nobody's memory. It is apart from the
    move that led there, so that a move can be undone without making anyone forget what they saw.

    Args:
        state: After the move.
        token: Whoever has seen.
        cells: What it has seen.
    """
    after = state
    if state.fog.mode is FogMode.FOGGED and token.layer is Layer.PLAYERS and token.owners:
        for viewer in (PARTY,) if state.fog.shared else token.owners:
            after = with_explored(after, viewer, known(after, viewer) | cells)
    return Applied(after, changes_between(state, after), token.id)


def look_around(state: MapState, see: See, lit: Cells | None = None) -> Applied:
    """Lifts the fog where tokens see from where they stand: when a door, a light or the fog has changed."""
    after = state
    for token in state.tokens:
        if token.sight is not None and token.owners:
            cells = seen_from(token, _cell(token), state.extent, see, lit)
            after = explore(after, token, cells).state
    return Applied(after, changes_between(state, after))


def shining(state: MapState) -> tuple[Light, ...]:
    """The lights that play has brought: those added, and those carried."""
    carried = (carried_by(one, state.extent) for one in state.tokens if one.layer is Layer.PLAYERS)
    return (*added(state), *(light for light in carried if light is not None))


def added(state: MapState) -> tuple[Light, ...]:
    """The lights that play has added and that shine."""
    return tuple(
        Light(one.id, (one.at.x, one.at.y), one.bright, one.dim, one.color, ADDED)
        for one in state.lights
        if one.layer is Layer.PLAYERS
    )


def carried_by(token: Token, extent: Extent) -> Light | None:
    """The light that a token carries, from its middle; None where it carries none."""
    light = token.light
    if light is None:
        return None
    return Light(token.id, _middle(token, extent), light.bright, light.dim, light.color, CARRIED)


def _cell(token: Token) -> Cell:
    return int(token.at.x), int(token.at.y)


def _middle(token: Token, extent: Extent) -> tuple[float, float]:
    half = token.size / 2 if extent.cells else 0.0
    return token.at.x + half, token.at.y + half
