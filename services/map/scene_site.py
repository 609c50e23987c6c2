"""A stored map as a scene may be set on it: squares for any game, or the document of its own game."""

from collections.abc import Mapping

from services.map.board import Board
from services.map.generation.grid.model import DoorState, GridMap
from services.map.ground.building import ground_of
from services.map.ground.scene import scene_ground
from services.map.ground.walking import reach
from services.map.registry import KINDS
from services.rules.engine.codec import Json
from services.rules.engine.grid import Square
from services.rules.engine.site import SITE_CODEC, Site, SiteDoor

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
    return SITE_CODEC.dump(site_of(board.model, board.doors)) if kind.cells else None


def site_of(model: GridMap, doors: Mapping[str, DoorState]) -> Site:
    """Give a grid map as a scene may be set on it.

    Args:
        model: the map.
        doors: how doors stand that play has touched.
    """
    scene = scene_ground(model, doors)
    starts = {start.side: start.squares for start in scene.starts}
    return Site(
        title=model.title,
        width=scene.width,
        height=scene.height,
        solid=_squares(scene.solid),
        difficult=_squares(scene.difficult),
        doors=tuple(
            SiteDoor(
                id=door.id,
                name=f"a {door.kind.value} door",
                squares=_squares(door.squares) if door.edge is None else (),
                open=door.state is DoorState.OPEN,
                locked=door.state is DoorState.LOCKED,
                secret=door.secret,
            )
            for door in scene.doors
        ),
        light=scene.light,
        heroes=_squares(starts.get("heroes") or _around(model, model.entrance)),
        foes=_squares(starts.get("foes") or _around(model, model.goal)),
    )


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
