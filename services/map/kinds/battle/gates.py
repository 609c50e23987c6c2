"""What every battle map must pass, worked out again from the finished model.

The gates share no code with the stages that draw: walls are read back from the model's segments, moves and
ways are worked out by `proofs`. Only the rule of steps itself is compared with the kernel that the
generator walks by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from services.map.generation.gate import Gate, GateReport
from services.map.generation.grid.model import Axis, GridKind, GridMap, WallKind, Zone
from services.map.generation.grid.terrain import COVER, OPAQUE, PACES, Terrain
from services.map.kinds.battle import kernels
from services.map.kinds.battle.proofs import I64, Bools, moves, reached, separate_ways, sight

LEAST_START = 8
LEAST_APART = 40
"""Percent of the longer side between the starts."""

LEAST_CONNECTED = 0.9
MOST_WAYS = 4
SIGHT_PAIRS = 192
HIGHEST, LOWEST = 9, -3
MOST_LEDGE = 4
"""Steps of five feet from one cell to the next."""

OPEN_SHARES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "dungeon-room": (0.15, 0.85),
        "road": (0.3, 0.95),
        "village": (0.35, 0.95),
        "ruin": (0.25, 0.92),
        "forest": (0.2, 0.92),
    }
)
"""Cells of pace 1 among all, least and most, by site."""

COVER_SHARES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "dungeon-room": (0.01, 0.3),
        "road": (0.02, 0.45),
        "village": (0.03, 0.4),
        "ruin": (0.02, 0.4),
        "forest": (0.05, 0.55),
    }
)
"""Cells that grant cover among all, least and most, by site."""

_PACE = np.frombuffer(PACES, np.uint8)
_OPAQUE = np.frombuffer(OPAQUE, np.uint8).astype(np.bool_)
_COVER = np.frombuffer(COVER, np.uint8).astype(np.bool_)
_STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))

Faults = tuple[str, ...]


@dataclass(slots=True)
class _Board:
    """The facts of a map that the gates ask for.

    Attributes:
        model: The map.
        cells: Its terrain codes, `[y, x]`.
        heights: Its elevation.
        pace: Of each cell.
        clear: Cells one can see through.
        lines: By kind of wall, pieces above cells (height + 1 rows) and left of cells (width + 1 columns).
        stray: Walls that are not on the lines of the grid.
        stepped: Whether one may step from a cell in a direction, doors open.
        main: The largest part that can be walked.
    """

    model: GridMap
    cells: kernels.U8
    heights: kernels.I8
    pace: kernels.U8
    clear: Bools
    lines: dict[WallKind, tuple[Bools, Bools]]
    stray: list[str]
    stepped: Bools
    main: Bools

    def zone(self, zone: Zone) -> Bools:
        """The cells of a zone."""
        mask = np.zeros(self.cells.shape, np.bool_)
        for y, first, last in zone.spans:
            mask[y, first:last] = True
        return mask


def inspect(model: GridMap) -> GateReport:
    """Runs every gate over a battle map.

    Args:
        model: The map.

    Returns:
        The gates, and `cover_share`, `open_share`, `connected_share`, `approaches` (ways between the starts
        that share no cell, at most 4), `los_mean` (pairs of open cells that see one another),
        `start_distance` (cells) and `ledges` (edges nobody climbs).
    """
    size = model.width * model.height
    if model.kind is not GridKind.BATTLE or len(model.cells) != size or max(model.cells) >= len(Terrain):
        return GateReport((Gate("frame", ("this is no battle map of its size",)),))
    board = _board(model)
    starts = {zone.side: board.zone(zone) for zone in model.zones if zone.kind == "start"}
    figures: dict[str, float] = {}
    gates = (
        Gate("walls and doors", (*board.stray, *_doors(board))),
        Gate("corners", _corners(board)),
        Gate("sight", _sight(board, figures)),
        Gate("connected", _connected(board, figures)),
        Gate("starts", _starts(board, starts, figures)),
        Gate("approaches", _approaches(board, starts, figures)),
        Gate("shares", _shares(board, figures)),
        Gate("elevation", _elevation(board, figures)),
        Gate("things", _things(board)),
        Gate("zones", _zones(board)),
    )
    return GateReport(gates, tuple(figures.items()))


def _board(model: GridMap) -> _Board:
    shape = (model.height, model.width)
    cells = np.frombuffer(model.cells, np.uint8).reshape(shape)
    flat = np.zeros(shape, np.int8)
    heights = np.frombuffer(model.heights, np.int8).reshape(shape) if model.heights else flat
    pace = _PACE[cells]
    lines = {
        kind: (np.zeros((shape[0] + 1, shape[1]), np.bool_), np.zeros((shape[0], shape[1] + 1), np.bool_))
        for kind in WallKind
    }
    stray: list[str] = []
    for wall in model.walls:
        across, down = lines[wall.kind]
        for (ax, ay), (bx, by) in pairwise(wall.points):
            x, y, right, bottom = int(min(ax, bx)), int(min(ay, by)), int(max(ax, bx)), int(max(ay, by))
            whole = x + y + right + bottom == ax + ay + bx + by
            if (
                not whole
                or (ax != bx and ay != by)
                or x < 0
                or y < 0
                or right > shape[1]
                or bottom > shape[0]
            ):
                stray.append(f"the wall from {ax},{ay} to {bx},{by} is off the lines of the grid")
            elif ay == by:
                across[y, x:right] = True
            else:
                down[y:bottom, x] = True
    stops_across = np.zeros_like(lines[WallKind.WALL][0])
    stops_down = np.zeros_like(lines[WallKind.WALL][1])
    for kind in (WallKind.WALL, WallKind.WINDOW, WallKind.FENCE):
        stops_across |= lines[kind][0]
        stops_down |= lines[kind][1]
    for door in model.doors:
        if door.edge is not None:
            (ax, ay), (bx, by) = door.bounds
            if ay == by:
                stops_across[int(ay), int(ax) : int(bx)] = False
            else:
                stops_down[int(ay) : int(by), int(ax)] = False
    tall = heights.astype(np.int32)
    east = ~stops_down[:, 1:-1] & (np.abs(np.diff(tall, axis=1)) < 2)
    south = ~stops_across[1:-1] & (np.abs(np.diff(tall, axis=0)) < 2)
    stepped = moves(pace > 0, east, south)
    return _Board(
        model, cells, heights, pace, ~_OPAQUE[cells], lines, stray, stepped, _largest(pace > 0, stepped)
    )


def _largest(stood: Bools, stepped: Bools) -> Bools:
    """The largest part, by taking one part after the other away."""
    left, best = stood.copy(), np.zeros_like(stood)
    while left.sum() > best.sum():
        first = int(np.argmax(left))
        part = reached(stepped, first // stood.shape[1], first % stood.shape[1])
        if part.sum() > best.sum():
            best = part
        left &= ~part
    return best


def _doors(board: _Board) -> Faults:
    model, faults = board.model, []
    across, down = board.lines[WallKind.WALL]
    for door in model.doors:
        (ax, ay), (bx, by) = door.bounds
        if door.edge is not None:
            pieces = across[int(ay), int(ax) : int(bx)] if ay == by else down[int(ay) : int(by), int(ax)]
            if len(pieces) != door.span or not pieces.all():
                faults.append(f"{door.id} hangs in no wall")
            dx, dy = {"n": (0, -1), "s": (0, 1), "e": (1, 0), "w": (-1, 0)}[door.edge]
            sides = [door.at, (door.at[0] + dx, door.at[1] + dy)]
        else:
            x, y = door.at
            walls, sides = ((x, y - 1), (x, y + 1)), [(x - 1, y), (x + 1, y)]
            if door.axis is Axis.NORTH_SOUTH:
                walls, sides = ((x - 1, y), (x + 1, y)), [(x, y - 1), (x, y + 1)]
            if any(
                board.clear[wy, wx] for wx, wy in walls if 0 <= wx < model.width and 0 <= wy < model.height
            ):
                faults.append(f"{door.id} has no wall beside it")
            sides.append(door.at)
        for x, y in sides:
            inside = 0 <= x < model.width and 0 <= y < model.height
            if not inside or board.pace[y, x] == 0:
                faults.append(f"{door.id} leads nowhere at {x},{y}")
    if len({door.id for door in model.doors}) != len(model.doors):
        faults.append("two doors have one id")
    return tuple(faults)


def _corners(board: _Board) -> Faults:
    """The rule of slanting steps, over every block of two by two cells, in the steps starts are found by."""
    stood = board.pace > 0
    across, down = (board.lines[WallKind.WALL][k].copy() for k in (0, 1))
    for kind in (WallKind.WINDOW, WallKind.FENCE):
        across |= board.lines[kind][0]
        down |= board.lines[kind][1]
    for door in board.model.doors:
        if door.edge in ("n", "s"):
            x, y = door.at
            across[y + (door.edge == "s"), x : x + door.span] = False
        elif door.edge is not None:
            x, y = door.at
            down[y : y + door.span, x + (door.edge == "e")] = False
    used = kernels.steps(board.pace, board.heights, across, down)
    faults = []
    for direction in range(8):
        taken = (used >> direction & 1).astype(np.bool_)
        wrong = np.argwhere(taken != board.stepped[direction])
        faults += [f"a step in direction {direction} from {x},{y} breaks the rule" for y, x in wrong.tolist()]
    slanting = board.stepped[3][:-1, :-1]
    four = stood[:-1, :-1] & stood[:-1, 1:] & stood[1:, :-1] & stood[1:, 1:]
    if (slanting & ~four).any():
        faults.append("a slanting step cuts a solid corner")
    return tuple(faults)


def _sight(board: _Board, figures: dict[str, float]) -> Faults:
    open_cells = np.flatnonzero(board.pace == 1)
    if len(open_cells) < 2:
        return ("nothing is open",)
    # A fixed scatter of pairs: a gate draws no random numbers.
    index = np.arange(SIGHT_PAIRS, dtype=np.int64)
    one = open_cells[index * 7919 % len(open_cells)]
    other = open_cells[(index * index * 31 + index * 104729 + 17) % len(open_cells)]
    wide = board.model.width
    pairs: I64 = np.stack((one % wide, one // wide, other % wide, other // wide), axis=1).astype(np.int64)
    across, down = board.lines[WallKind.WALL]
    seen = sight(board.clear, ~down[:, 1:-1], ~across[1:-1], pairs)
    figures["los_mean"] = round(float(seen[:, 0].mean()), 4)
    wrong = pairs[seen[:, 0] != seen[:, 1]]
    return tuple(f"{a},{b} and {c},{d} do not see alike" for a, b, c, d in wrong.tolist())


def _connected(board: _Board, figures: dict[str, float]) -> Faults:
    stood = board.pace > 0
    share = float(board.main.sum() / max(1, stood.sum()))
    figures["connected_share"] = round(share, 4)
    faults = []
    if share < LEAST_CONNECTED:
        faults.append(f"only {share:.2f} of the ground hangs together")
    for room in board.model.rooms:
        if "indoors" not in room.tags:
            continue
        for y, first, last in room.rows:
            if (stood[y, first:last] & ~board.main[y, first:last]).any():
                faults.append(f"{room.id} is not all reachable")
                break
    return tuple(faults)


def _starts(board: _Board, starts: Mapping[str, Bools], figures: dict[str, float]) -> Faults:
    if set(starts) != {"heroes", "foes"}:
        return ("there is not one start for each side",)
    model, faults = board.model, []
    for side, mask in starts.items():
        if mask.sum() < LEAST_START:
            faults.append(f"the {side} have room for {mask.sum()} only")
        if (board.pace[mask] != 1).any() or not board.main[mask].all():
            faults.append(f"the {side} start where nobody should")
        elif mask.any():
            y, x = np.argwhere(mask)[0].tolist()
            inner = board.stepped & mask & np.stack([_shifted(mask, dx, dy) for dx, dy in _STEPS])
            if (mask & ~reached(inner, y, x)).any():
                faults.append(f"the {side}' start is in pieces")
    if faults:
        return tuple(faults)
    boxes = [np.argwhere(starts[side]) for side in ("heroes", "foes")]
    gaps = np.abs(boxes[0][:, None, :] - boxes[1][None, :, :]).max(axis=2)
    figures["start_distance"] = float(gaps.min())
    longer = max(model.width, model.height)
    if gaps.min() * 100 < longer * LEAST_APART:
        faults.append(f"the starts are {gaps.min()} cells apart")
    cover = _COVER[board.cells]
    near, middle = [], []
    for cells in boxes:
        cy, cx = cells.mean(axis=0).tolist()
        top, left = max(0, int(cy) - 6), max(0, int(cx) - 6)
        near.append(int(cover[top : int(cy) + 7, left : int(cx) + 7].sum()))
        middle.append(max(abs(cx + 0.5 - model.width / 2), abs(cy + 0.5 - model.height / 2)))
    if abs(near[0] - near[1]) > max(10, 0.65 * max(near)):
        faults.append(f"one side has {near[0]} cells of cover near by, the other {near[1]}")
    if abs(middle[0] - middle[1]) > max(3.0, 0.2 * longer):
        faults.append(f"one side is {middle[0]:.0f} cells from the middle, the other {middle[1]:.0f}")
    return tuple(faults)


def _shifted(mask: Bools, dx: int, dy: int) -> Bools:
    """Whether the neighbour in a direction is in the mask."""
    padded = np.pad(mask, 1)
    return padded[1 + dy : 1 + dy + mask.shape[0], 1 + dx : 1 + dx + mask.shape[1]]


def _approaches(board: _Board, starts: Mapping[str, Bools], figures: dict[str, float]) -> Faults:
    if set(starts) != {"heroes", "foes"}:
        return ("there is nothing to approach",)
    ways = separate_ways(board.stepped, starts["heroes"], starts["foes"], MOST_WAYS)
    figures["approaches"] = float(ways)
    faults = [] if ways >= 2 else [f"{ways} ways lead from start to start"]
    both = starts["heroes"] | starts["foes"]
    marked = [board.zone(zone) for zone in board.model.zones if zone.kind == "approach"]
    if len(marked) < 2:
        faults.append("fewer than two approaches are marked")
    elif np.stack(marked).sum(axis=0).max() > 1:
        faults.append("two marked approaches share a cell")
    for mask in marked:
        part = mask | both
        inner = board.stepped & part & np.stack([_shifted(part, dx, dy) for dx, dy in _STEPS])
        y, x = np.argwhere(starts["heroes"])[0].tolist()
        if not (reached(inner, y, x) & starts["foes"]).any():
            faults.append("a marked approach does not lead from start to start")
    return tuple(faults)


def _shares(board: _Board, figures: dict[str, float]) -> Faults:
    cover = float(_COVER[board.cells].mean())
    free = float((board.pace == 1).mean())
    figures["cover_share"], figures["open_share"] = round(cover, 4), round(free, 4)
    site = max((name for name in OPEN_SHARES if board.model.theme.startswith(name)), default="", key=len)
    if not site:
        return (f"the theme {board.model.theme!r} is of no site",)
    faults = []
    for name, value, bounds in (("open", free, OPEN_SHARES), ("cover", cover, COVER_SHARES)):
        low, high = bounds[site]
        if not low <= value <= high:
            faults.append(f"the share of {name} cells is {value:.3f}, not {low} to {high}")
    return tuple(faults)


def _elevation(board: _Board, figures: dict[str, float]) -> Faults:
    tall = board.heights.astype(np.int32)
    faults = []
    if tall.max() > HIGHEST or tall.min() < LOWEST:
        faults.append(f"the ground lies {tall.min()} to {tall.max()} steps high")
    ledges = 0
    for axis in (0, 1):
        step = np.abs(np.diff(tall, axis=axis))
        ledges += int((step >= 2).sum())
        if step.max(initial=0) > MOST_LEDGE:
            faults.append(f"a ledge is {step.max()} steps high")
        wet = board.cells == Terrain.WATER
        pair = wet[1:] & wet[:-1] if axis == 0 else wet[:, 1:] & wet[:, :-1]
        if (step[pair] > 0).any():
            faults.append("water does not lie level")
    figures["ledges"] = float(ledges)
    return tuple(faults)


def _things(board: _Board) -> Faults:
    model, faults = board.model, []
    doors = {door.at for door in model.doors if door.edge is None}
    hung = {door.middle for door in model.doors if door.edge is not None}
    for prop in model.props:
        x, y = prop.x + prop.width / 2, prop.y + prop.height / 2
        if not (0 <= x < model.width and 0 <= y < model.height) or min(prop.width, prop.height) <= 0:
            faults.append(f"{prop.id} ({prop.kind}) is outside")
        elif (int(x), int(y)) in doors or (x, y) in hung:
            faults.append(f"{prop.id} ({prop.kind}) stands in a door")
    for light in model.lights:
        x, y = light.at
        if not (0 <= x < model.width and 0 <= y < model.height) or light.bright > light.dim:
            faults.append(f"{light.id} shines from outside")
    for room in model.rooms:
        inside = room.x >= 0 and room.y >= 0
        if not inside or room.x + room.width > model.width or room.y + room.height > model.height:
            faults.append(f"{room.id} is outside")
        if not room.name or not room.notes or room.area < 1:
            faults.append(f"{room.id} has no name, no note or no cells")
    for things in (model.props, model.lights, model.rooms, model.zones):
        faults += _doubled(one.id for one in things)
    return tuple(faults)


def _doubled(ids: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return [f"the id {name} stands twice" for name in ids if name in seen or seen.add(name)]  # type: ignore[func-returns-value]


def _zones(board: _Board) -> Faults:
    model, faults = board.model, []
    kinds = {zone.kind for zone in model.zones}
    faults += [f"there is no {kind}" for kind in ("exit", "hazard", "ambush") if kind not in kinds]
    for zone in model.zones:
        mask = board.zone(zone)
        if not mask.any():
            faults.append(f"{zone.id} has no cells")
        if zone.kind == "ambush" and not (zone.secret and board.main[mask].any()):
            faults.append(f"{zone.id} is known or out of reach")
        if zone.kind == "exit":
            rim = np.ones_like(mask)
            rim[1:-1, 1:-1] = False
            if (mask & ~rim).any() or not board.main[mask].all():
                faults.append(f"{zone.id} is not at the edge or out of reach")
    return tuple(faults)
