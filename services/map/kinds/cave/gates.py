"""What every cave must pass, measured on the finished map (see `survey`), whoever made it."""

from __future__ import annotations

import numpy as np

from services.map.generation.gate import Gate, GateReport
from services.map.generation.grid.model import GridMap
from services.map.generation.grid.terrain import PACES, Terrain
from services.map.kinds.cave.survey import depths, islands
from services.map.kinds.dungeon.survey import label_rooms

LEAST_JOURNEY = 0.4
FLOOR_SHARES = (0.15, 0.75)
LOOPED_FROM = 12
"""From this many chambers on a cave has a way round, unless it is a mere strip."""
_STRIP = 40
_LOOP_CELLS = 6
_SPECK_CELLS = 2
_CELLS_A_SPECK = 500
_SWEEPS = 4

_WALKS = np.array([1 if pace else 0 for pace in PACES], np.uint8)
_ROCKS = (int(Terrain.ROCK), int(Terrain.WALL))


def _frame(model: GridMap) -> tuple[str, ...]:
    faults = []
    cells = np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width)
    if cells[0].any() or cells[-1].any() or cells[:, 0].any() or cells[:, -1].any():
        faults.append("the rim is not solid rock")
    if not model.rooms:
        faults.append("no chamber")
    for name, at in (("entrance", model.entrance), ("goal", model.goal)):
        if at is None or not (0 < at[0] < model.width - 1 and 0 < at[1] < model.height - 1):
            faults.append(f"no {name}")
        elif not _WALKS[cells[at[1], at[0]]]:
            faults.append(f"nobody can stand at the {name}")
    spans = [span for room in model.rooms for span in room.rows]
    if not all(0 < y < model.height - 1 and 0 < first < last < model.width for y, first, last in spans):
        faults.append("a chamber is not inside")
    return tuple(faults)


def _places(model: GridMap, ground: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> tuple[str, ...]:
    """Everything stands where it can."""
    rocks = np.isin(np.frombuffer(model.cells, np.uint8), _ROCKS).reshape(ground.shape)

    def hollow(x: float, y: float) -> bool:
        inside = 0 <= x < model.width and 0 <= y < model.height
        return inside and not rocks[int(y), int(x)]

    faults = [
        f"{stairs.id} cannot be there"
        for stairs in model.stairs
        if not (hollow(*stairs.at) and ground[stairs.at[1], stairs.at[0]])
    ]
    faults += [
        f"{light.id} cannot shine there"
        for light in model.lights
        if not (hollow(*light.at) and 0 <= light.bright <= light.dim)
    ]
    faults += [f"{prop.id} is in rock" for prop in model.props if not hollow(prop.x, prop.y)]
    taken: set[tuple[float, float]] = {stairs.at for stairs in model.stairs}
    for prop in model.props:
        if (prop.x, prop.y) in taken:
            faults.append(f"{prop.id} stands in the way")
        taken.add((prop.x, prop.y))
    return tuple(faults)


def inspect_cave(model: GridMap) -> GateReport:
    """Runs every gate over a cave.

    The figures are the chambers, the ways round, the journey to the goal as a share of the longest that was
    found, the share of floor, and specks of rock.
    """
    frame = Gate("frame", _frame(model))
    if not frame.passed or model.entrance is None or model.goal is None:
        return GateReport((frame,))
    cells = np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width)
    ground = _WALKS[cells]
    far = np.empty(ground.size, np.int32)
    queue = np.empty(ground.size, np.int32)
    entrance = model.entrance[1] * model.width + model.entrance[0]
    goal = model.goal[1] * model.width + model.goal[0]
    reached = depths(ground, entrance, far, queue)
    journey, widest, last = int(far[goal]), int(far[queue[reached - 1]]), int(queue[reached - 1])
    standing = int(ground.sum())
    spans = [(index, y, first, end) for index, room in enumerate(model.rooms) for y, first, end in room.rows]
    label, areas, doubled = label_rooms(model.width, model.height, np.array(spans, np.int32))
    met = np.zeros(len(model.rooms), bool)
    met[label.reshape(-1)[(far >= 0) & (label.reshape(-1) >= 0)]] = True
    # From the farthest cell to the farthest from there, a few times over: the longest walk, or nearly.
    for _ in range(_SWEEPS):
        reached_again = depths(ground, last, far, queue)
        last = int(queue[reached_again - 1])
        widest = max(widest, int(far[last]))
    rock = np.isin(cells, _ROCKS).astype(np.uint8)
    specks, loops = islands(rock, _SPECK_CELLS, _LOOP_CELLS)
    hollow = 1 - float(rock.mean())
    share = journey / max(widest, 1)
    chambers = len(model.rooms)
    low, high = FLOOR_SHARES
    allowed = 2 + ground.size // _CELLS_A_SPECK
    whole = () if reached == standing else (f"{standing - reached} cells are out of reach",)
    lost = tuple(f"{model.rooms[index].id} is out of reach" for index in np.nonzero(~met)[0].tolist())
    numbers = [room.number for room in model.rooms]
    ids = {room.id for room in model.rooms}
    large = chambers >= LOOPED_FROM and min(model.width, model.height) > _STRIP
    legend = []
    if doubled or int(areas.min()) < 1 or (cells[label >= 0] == 0).any():
        legend.append("chambers overlap, or are rock")
    if numbers != list(range(1, chambers + 1)) or len(ids) < chambers:
        legend.append("the chambers are not numbered in order")
    if not all(way.start in ids and way.end in ids for way in model.passages):
        legend.append("a passage leads nowhere")
    if not all(room.name and room.notes for room in model.rooms):
        legend.append("a chamber has no name or note")
    gates = (
        frame,
        Gate("one cave", whole),
        Gate("chambers", lost),
        Gate("journey", () if share >= LEAST_JOURNEY else (f"{share:.2f} of the longest",)),
        Gate("floor share", () if low <= hollow <= high else (f"{hollow:.2f}",)),
        Gate("specks", () if specks <= allowed else (f"{specks} specks of rock",)),
        Gate("loops", ("no way round",) if large and loops < 1 else ()),
        Gate("features", _places(model, ground)),
        Gate("legend", tuple(legend)),
    )
    figures = (
        ("chambers", float(chambers)),
        ("loops", float(loops)),
        ("journey_share", round(share, 4)),
        ("floor_share", round(hollow, 4)),
        ("specks", float(specks)),
    )
    return GateReport(gates, figures)
