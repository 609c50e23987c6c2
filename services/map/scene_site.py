"""A stored map as a scene may be set on it: squares for any game that has them, a realm for its own."""

from collections.abc import Mapping

from services.map.board import Board
from services.map.generation.grid.model import DoorState, GridMap
from services.map.generation.realm.model import RealmMap
from services.map.ground.building import ground_of
from services.map.ground.scene import scene_ground
from services.map.ground.walking import reach
from services.rules.engine.codec import Json
from services.rules.engine.grid import Square
from services.rules.engine.site import SITE_CODEC, Site, SiteDoor
from services.rules.systems.forgeborn.site import REALM_SITE_CODEC, RealmSite

START_PACES = 4
"""How far around the entrance or the goal people start, where a map has no zones for it."""


def site_document(board: Board) -> dict[str, Json] | None:
    """Give a map as the document that a scene is set on; None for a map that no game is played on.

    A grid map gives squares, with its doors as they stand now; a realm gives itself as it is now, without
    pieces: those of a game that was played there before are not the next one's.
    """
    match board.model:
        case GridMap():
            return SITE_CODEC.dump(site_of(board.model, board.doors))
        case RealmMap(title=title, realm=realm):
            return REALM_SITE_CODEC.dump(RealmSite(title=title, realm=realm))
        case _:
            return None


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
