"""The chambers of a cave as a keyed legend: roles, numbers, names, notes."""

from __future__ import annotations

from dataclasses import dataclass

from services.map.generation.grid.model import RoomRole
from services.map.kinds.cave.themes import CaveLook, Chamber, chambers_of
from services.map.kinds.dungeon.naming import Words, made_name

SQUEEZE = 2
"""A way of so many cells or fewer is a squeeze."""

_QUALITIES = ("Lower", "Upper", "Far", "Little", "Great", "Dry", "Wet", "Hidden", "Crooked", "Second")
_ROLE_HOOKS = {
    RoomRole.ENTRANCE: (
        "Daylight ends here, and so do most tracks.",
        "Whoever lives here watches this place first.",
    ),
    RoomRole.GOAL: (
        "All that was told of this cave was told of this place.",
        "What was lost lies here, and it has been found by something else.",
    ),
    RoomRole.GUARD: ("From here one hears everybody who comes.", "Someone has piled stones to throw."),
    RoomRole.TREASURE: (
        "A cache was left here, and marked for those who know the sign.",
        "Something glints at the back, where the wall is lowest.",
    ),
    RoomRole.DEAD_END: ("Nobody would look here twice.", "The only way out is the way in."),
    RoomRole.HUB: ("All the ways meet, and so do those who use them.", "Signs of soot tell the ways apart."),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A chamber of the legend.

    Attributes:
        chamber: Which one, as the kernels count.
        role: What it is for.
        name: For people.
        notes: For the game master.
    """

    chamber: int
    role: RoomRole
    name: str
    notes: tuple[str, ...]


def make_legend(
    ways: list[tuple[int, int, int]], far: list[int], goal: int, look: CaveLook, choices: Words
) -> list[Entry]:
    """Names the chambers in the order one comes to them.

    Args:
        ways: Chamber, chamber and width of each way.
        far: Steps of each chamber from the entrance.
        goal: The chamber it is all about.
        look: The theme.
        choices: Where to draw from.
    """
    count = len(far)
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for a, b, width in ways:
        neighbours[a].append((b, width))
        neighbours[b].append((a, width))
    order = sorted(range(count), key=lambda chamber: (far[chamber], chamber))
    numbers = {chamber: number for number, chamber in enumerate(order, 1)}
    left: list[Chamber] = []
    taken: set[str] = set()
    entries = []
    for chamber in order:
        if not left:
            left = list(chambers_of(look))
        kind = left.pop(choices.below(len(left)))
        name = kind[0]
        for _ in range(3):
            if name in taken:
                name = f"{choices.choice(_QUALITIES)} {kind[0]}"
        if name in taken:
            name = f"{made_name(choices)}'s {kind[0]}"
        taken.add(name)
        role = _role(chamber, order[0], goal, neighbours, choices)
        hooks = _ROLE_HOOKS.get(role, ())
        hook = choices.choice(hooks) if hooks and choices.below(3) else choices.choice(look.senses)
        ways_out = ", ".join(
            f"{numbers[other]} (a squeeze)" if width <= SQUEEZE else str(numbers[other])
            for other, width in sorted(neighbours[chamber], key=lambda way: numbers[way[0]])
        )
        told = kind[1 + choices.below(2)]
        notes = (told, hook, f"Ways: {ways_out}.") if ways_out else (told, hook)
        entries.append(Entry(chamber, role, name, notes))
    return entries


def _role(
    chamber: int, first: int, goal: int, neighbours: list[list[tuple[int, int]]], choices: Words
) -> RoomRole:
    if chamber == goal:
        return RoomRole.GOAL
    if chamber == first:
        return RoomRole.ENTRANCE
    if any(other == goal for other, _ in neighbours[chamber]):
        return RoomRole.GUARD
    if len(neighbours[chamber]) == 1:
        return RoomRole.TREASURE if choices.chance(0.5) else RoomRole.DEAD_END
    return RoomRole.HUB if len(neighbours[chamber]) > 4 else RoomRole.ORDINARY
