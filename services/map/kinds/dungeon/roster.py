"""The rooms of a planned dungeon as a keyed legend: roles, numbers, purposes, names."""

from __future__ import annotations

from dataclasses import dataclass

from services.map.generation.grid.model import RoomRole
from services.map.kinds.dungeon.naming import PurposeBag, Words, room_name
from services.map.kinds.dungeon.plan import Plan
from services.map.kinds.dungeon.themes.model import Purpose, Theme

_HUB_WAYS = 4


@dataclass(frozen=True, slots=True)
class Roster:
    """What each room is, in the order the plan counts them.

    Attributes:
        order: The rooms in the order of their numbers: as one comes to them, the hidden ones last, so that no
            number is missing on a player's map.
        numbers: Of each room, from 1.
        roles: Of each room.
        purposes: Of each room.
        names: Of each room.
        neighbours: Of each room over plain ways.
    """

    order: list[int]
    numbers: list[int]
    roles: list[RoomRole]
    purposes: list[Purpose]
    names: list[str]
    neighbours: list[list[int]]


def make_roster(plan: Plan, theme: Theme, choices: Words) -> Roster:
    """Gives every room its role, number, purpose and name."""
    count = len(plan.boxes)
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for a, b, _, _, _, _, secret in plan.ways.tolist():
        if not secret:
            neighbours[a].append(b)
            neighbours[b].append(a)
    hops, hidden = plan.hops.tolist(), plan.hidden.tolist()
    roles = _roles(plan, neighbours, hops, hidden, choices)
    order = sorted(range(count), key=lambda room: (hidden[room], hops[room], room))
    numbers = [0] * count
    for number, room in enumerate(order, 1):
        numbers[room] = number
    purposes, names = _purposes(plan, order, roles, theme, choices)
    return Roster(order, numbers, roles, purposes, names, neighbours)


def _roles(
    plan: Plan, neighbours: list[list[int]], hops: list[int], hidden: list[int], choices: Words
) -> list[RoomRole]:
    count, degree = len(hops), plan.degree.tolist()
    roles = [RoomRole.HUB if degree[room] >= _HUB_WAYS else RoomRole.ORDINARY for room in range(count)]
    treasured = False
    for room in range(count):
        if hidden[room]:
            roles[room] = RoomRole.SECRET
        elif degree[room] == 1 and room not in (plan.entrance, plan.goal):
            # The first of them holds treasure in any case.
            rich = not treasured or choices.chance(0.45)
            roles[room] = RoomRole.TREASURE if rich else RoomRole.DEAD_END
            treasured = treasured or rich
    # Who guards stands where one must pass: before the goal, and before the treasure.
    guarded = [room for room in range(count) if roles[room] is RoomRole.TREASURE][: 1 + count // 16]
    for room in (plan.goal, *guarded):
        before = [
            other
            for other in neighbours[room]
            if hops[other] < hops[room] and roles[other] is RoomRole.ORDINARY
        ]
        if before:
            roles[before[0]] = RoomRole.GUARD
    roles[plan.entrance] = RoomRole.ENTRANCE
    roles[plan.goal] = RoomRole.GOAL
    return roles


def _purposes(
    plan: Plan, order: list[int], roles: list[RoomRole], theme: Theme, choices: Words
) -> tuple[list[Purpose], list[str]]:
    ordinary = PurposeBag(theme.ordinary)
    bags = {
        RoomRole.ENTRANCE: PurposeBag(theme.entrance),
        RoomRole.GOAL: PurposeBag(theme.goal),
        RoomRole.GUARD: PurposeBag(theme.guard),
        RoomRole.TREASURE: PurposeBag(theme.treasure),
        RoomRole.SECRET: PurposeBag(theme.hidden),
    }
    purposes: list[Purpose] = [theme.entrance[0]] * len(order)
    names = [""] * len(order)
    taken: dict[str, int] = {}
    boxes = plan.boxes.tolist()
    for room in order:
        _, _, width, height = boxes[room]
        purpose = bags.get(roles[room], ordinary).draw(width * height, choices)
        names[room] = room_name(purpose, theme, taken, choices)
        taken[names[room]] = room
        purposes[room] = purpose
    return purposes, names
