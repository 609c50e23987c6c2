"""A stored map as a scene may be set on it, whatever the game."""

from services.map.board import Board
from services.map.generation.grid.model import DoorState, GridMap
from services.map.ground.building import ground_of
from services.map.ground.scene import scene_ground
from services.map.ground.walking import reach
from services.rules.engine.grid import Square
from services.rules.engine.site import Site, SiteDoor

START_PACES = 4
"""How far around the entrance or the goal people start, where a map has no zones for it."""


def site_of(board: Board) -> Site | None:
    """Give a map as a scene may be set on it, doors as they stand now; None for a map without cells."""
    model = board.model
    if not isinstance(model, GridMap):
        return None
    scene = scene_ground(model, board.doors)
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
