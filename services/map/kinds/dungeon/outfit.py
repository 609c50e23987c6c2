"""What stands, shines, lurks and leads on in the rooms of a planned dungeon, as parts of the grid model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from services.map.generation.grid.model import Cell, Light, Prop, RoomRole, Stairs, Trap
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.dungeon.chance import start
from services.map.kinds.dungeon.dressing import FLOODED, PILLARED, POOLED, RUINED, dress_rooms
from services.map.kinds.dungeon.furnishing import GOAL, IN_MIDDLE, LIGHT, ON_WALL, STAIRS, find_spots
from services.map.kinds.dungeon.naming import Words, trap_note
from services.map.kinds.dungeon.parameters import DungeonParameters
from services.map.kinds.dungeon.plan import Plan
from services.map.kinds.dungeon.roster import Roster
from services.map.kinds.dungeon.themes.model import LightKind, Theme

_IN_THE_WAY = frozenset(
    [
        "table",
        "bookshelf",
        "barrel",
        "crate",
        "altar",
        "statue",
        "sarcophagus",
        "anvil",
        "hearth",
        "cauldron",
        "cart",
        "rock",
        "crystal",
        "well",
        "bed",
        "fire",
        "boat",
        "hay",
        "column-broken",
        "brazier",
        "log",
        "chest",
    ]
)
"""Furniture that is climbed rather than walked over, and gives cover."""

_LONG = frozenset(("table", "altar"))
_WIDE = 9
_FACES = "swne"  # away from the wall behind: north, east, south, west
_TURNS = (0, 90, 180, 270)
_BESIDE = ((0.5, 0.125), (0.875, 0.5), (0.5, 0.875), (0.125, 0.5))
_POOL_TAGS = {Terrain.WATER: "water", Terrain.CHASM: "chasm", Terrain.LAVA: "lava"}


@dataclass(frozen=True, slots=True)
class Outfit:
    """What is in the rooms and corridors.

    Attributes:
        features: Tags of each room, in the plan's order: `pillars`, `flooded`, ...
        props: What stands there.
        lights: What shines.
        traps: What lurks.
        stairs: Where it goes on.
        entrance: The cell one comes in at, if there was space for stairs.
        goal: The cell it is all about.
    """

    features: list[tuple[str, ...]]
    props: tuple[Prop, ...]
    lights: tuple[Light, ...]
    traps: tuple[Trap, ...]
    stairs: tuple[Stairs, ...]
    entrance: Cell | None
    goal: Cell | None


def make_outfit(
    parameters: DungeonParameters, theme: Theme, plan: Plan, roster: Roster, seed: int, attempt: int
) -> Outfit:
    """Furnishes a dungeon; the plan's cells are changed."""
    count = len(plan.boxes)
    choices = Words(seed, "dungeon outfit", attempt)
    odds = np.array([theme.pillars, theme.pools, theme.rubble, theme.pool, theme.shore], np.int64)
    flooded = _flooded(parameters, plan, choices)
    dress_state = start(seed, "dungeon dressing", attempt)
    done = dress_rooms(
        plan.cells, plan.label, plan.doors, plan.boxes, plan.shapes, flooded, odds, dress_state
    )
    levels = _levels(parameters, plan, roster, choices)
    spots = find_spots(
        plan.cells,
        plan.label,
        plan.doors,
        plan.boxes,
        _orders(parameters, plan, roster, levels, choices),
        plan.goal,
        round(0.55 * parameters.traps * count),
        round(0.3 * parameters.lights * count),
        start(seed, "dungeon spots", attempt),
    )
    # What is in hidden rooms comes last, so that no id is missing on a player's map.
    spots = spots[np.argsort(np.append(plan.hidden, 0)[spots[:, 0]], kind="stable")]
    features = [_features(bits, theme) for bits in done.tolist()]
    return _assemble(plan, theme, roster, levels, spots.tolist(), features, choices)


def _features(bits: int, theme: Theme) -> tuple[str, ...]:
    tags = []
    if bits & PILLARED:
        tags.append("pillars")
    if bits & FLOODED:
        tags.append("flooded")
    if bits & POOLED:
        tags.append(_POOL_TAGS[theme.pool])
    if bits & RUINED:
        tags.append("rubble")
    return tuple(tags)


def _drawn(rooms: list[int], count: int, choices: Words) -> list[int]:
    """Some of the rooms, each at most once."""
    left = list(rooms)
    return [left.pop(choices.below(len(left))) for _ in range(min(count, len(left)))]


def _flooded(
    parameters: DungeonParameters, plan: Plan, choices: Words
) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    flooded = np.zeros(len(plan.boxes), np.int32)
    dry = [room for room in range(len(flooded)) if room != plan.entrance]
    for room in _drawn(dry, round(parameters.flooded * len(flooded)), choices):
        flooded[room] = 1
    return flooded


def _levels(
    parameters: DungeonParameters, plan: Plan, roster: Roster, choices: Words
) -> dict[int, list[bool]]:
    """Which stairs are in which room, True for up: the way in is the first, the first down is at the goal."""
    levels: dict[int, list[bool]] = {plan.entrance: [True]}
    ups, downs = parameters.stairs_up - 1, parameters.stairs_down
    if downs:
        levels[plan.goal] = [False]
    others = [
        room
        for room, role in enumerate(roster.roles)
        if role not in (RoomRole.ENTRANCE, RoomRole.GOAL, RoomRole.SECRET)
    ]
    for index, room in enumerate(_drawn(others, ups + max(0, downs - 1), choices)):
        levels.setdefault(room, []).append(index < ups)
    return levels


def _orders(
    parameters: DungeonParameters, plan: Plan, roster: Roster, levels: dict[int, list[bool]], choices: Words
) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    """What each room is to be furnished with, as `furnishing.find_spots` reads it."""
    count = len(plan.boxes)
    sizes = plan.boxes[:, 2:].tolist()
    orders = []
    for room in range(count):
        width, height = sizes[room]
        purpose, role = roster.purposes[room], roster.roles[room]
        pieces = int(parameters.furniture * (width + height) * (1.1 if purpose.rows else 0.55) + 0.5)
        middle = 0
        if purpose.middle and parameters.furniture > 0 and min(width, height) > 4:
            middle = 3 if purpose.middle in _LONG and width >= _WIDE else 1
        lit = role is RoomRole.GOAL or choices.chance(parameters.lights)
        lit = lit and parameters.lights > 0 and role is not RoomRole.SECRET
        lights = min(4, 1 + width * height // 36) if lit else 0
        orders.append(
            (pieces if purpose.props else 0, int(purpose.rows), middle, lights, len(levels.get(room, ())), 0)
        )
    made = np.array(orders, np.int32)
    likely = [
        room
        for room, role in enumerate(roster.roles)
        for _ in range(3 if role in (RoomRole.TREASURE, RoomRole.GUARD, RoomRole.GOAL) else 1)
        if role is not RoomRole.ENTRANCE
    ]
    for room in _drawn(likely, round(0.45 * parameters.traps * count), choices):
        made[room, 5] = 1
    return made


def _assemble(
    plan: Plan,
    theme: Theme,
    roster: Roster,
    levels: dict[int, list[bool]],
    spots: list[list[int]],
    features: list[tuple[str, ...]],
    choices: Words,
) -> Outfit:
    width = plan.cells.shape[1]
    flat = plan.cells.reshape(-1)
    sizes = plan.boxes[:, 2].tolist()
    props: list[Prop] = []
    lights: list[Light] = []
    traps: list[Trap] = []
    stairs: list[Stairs] = []
    entrance: Cell | None = None
    goal: Cell | None = None
    blocked: list[int] = []
    piece = climbed = 0
    last = -2
    purposes = roster.purposes[0]
    put = props.append
    for room, purpose, x, y, side in spots:
        if room != last:
            piece = climbed = 0
            last = room
            purposes = roster.purposes[room]
        if purpose == ON_WALL:
            kind = purposes.props[piece % len(purposes.props)]
            piece += 1
            put(Prop(f"prop-{len(props) + 1}", kind, float(x), float(y), 1.0, 1.0, _TURNS[side]))
            if kind in _IN_THE_WAY:
                blocked.append(y * width + x)
        elif purpose == IN_MIDDLE:
            kind = purposes.middle
            wide = kind in _LONG and sizes[room] >= _WIDE
            left = x - 1 if wide else x
            size = 3.0 if wide else 1.0
            put(Prop(f"prop-{len(props) + 1}", kind, float(left), float(y), size, 1.0))
            if kind in _IN_THE_WAY:
                blocked.extend(range(y * width + left, y * width + left + int(size)))
        elif purpose == LIGHT:
            lights.append(_light(len(lights) + 1, choices.choice(theme.lights), x, y, side))
        elif purpose == STAIRS:
            up = levels[room][climbed]
            climbed += 1
            stairs.append(Stairs(f"stairs-{len(stairs) + 1}", (x, y), up, _FACES[side]))
            if entrance is None and room == plan.entrance:
                entrance = (x, y)
        elif purpose == GOAL:
            goal = (x, y)
        else:
            kind = choices.choice(theme.traps)
            traps.append(Trap(f"trap-{len(traps) + 1}", (x, y), kind, note=trap_note(kind, choices)))
    flat[blocked] = int(Terrain.OBSTACLE)
    return Outfit(features, tuple(props), tuple(lights), tuple(traps), tuple(stairs), entrance, goal)


def _light(number: int, source: LightKind, x: int, y: int, side: int) -> Light:
    dx, dy = (0.5, 0.5) if source.standing else _BESIDE[side]
    return Light(f"light-{number}", (x + dx, y + dy), source.bright, source.dim, source.color, source.kind)
