"""Ways of tokens over the ground of a grid map, and what they can reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import Protocol

from services.map.generation.grid.model import Axis, Cell, Door
from services.map.play.cells import Cells, block, known
from services.map.play.edits import MoveToken
from services.map.play.limits import problem
from services.map.play.rights import Editor, own
from services.map.play.state import FogMode, MapState, Token
from services.rules.engine.problem import RuleProblem

_STEPS = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
_MOST_LOOKED_AT = 20_000


class Ground(Protocol):
    """The ground of a grid map with its doors as play has them."""

    def can_step(self, start: Cell, to: Cell, size: int) -> bool:
        """Whether a footprint can go to a neighbouring cell and fits there: nothing shut, no corner cut."""

    def way(self, start: Cell, goal: Cell, size: int) -> tuple[Cell, ...] | None:
        """A shortest way of a footprint without its start; None when there is none."""

    def door(self, id: str) -> Door | None:
        """The door of the map with this id, as it was on the new map."""


def walked(
    state: MapState, token: Token, edit: MoveToken, editor: Editor, ground: Ground
) -> tuple[Cell, ...] | RuleProblem:
    """The cells that a token walks through, as its top left one goes, without its start.

    The game master puts a token anywhere. That of a player goes where it can walk, with all of its cells.
    Under fog it enters what was not explored with its last step at most, so that no way tells of what lies
    behind.

    Args:
        state: Before the move.
        token: The token.
        edit: The move; its goal is a cell.
        editor: Who moves it.
        ground: The ground.
    """
    start, goal = (int(token.at.x), int(token.at.y)), (int(edit.to.x), int(edit.to.y))
    given = tuple((square.x, square.y) for square in edit.way)
    if editor.gm:
        return given or (goal,)
    if not given and start == goal:
        return ()
    seen = known(state, editor.account) if state.fog.mode is FogMode.FOGGED else None
    message = "The token cannot walk there, as far as you know the map."
    if given:
        wrong = _blocked_at(token, given, ground, seen)
        return given if wrong is None else problem("map_way_blocked", message, ("way", wrong))
    way = ground.way(start, goal, token.size)
    if way is not None and _blocked_at(token, way, ground, seen) is not None:
        # The shortest way leads where the player has not been: another one may not.
        way = _roundabout(token, goal, ground, seen)
    return problem("map_way_blocked", message, ("to",)) if way is None else way


def _blocked_at(token: Token, way: tuple[Cell, ...], ground: Ground, seen: Cells | None) -> int | None:
    """The first step of a way that cannot be made."""
    here = (int(token.at.x), int(token.at.y))
    for index, to in enumerate(way):
        if max(abs(to[0] - here[0]), abs(to[1] - here[1])) != 1:
            return index
        last = index == len(way) - 1
        if not _may_step(token, here, to, ground, None if last else seen):
            return index
        here = to
    return None


def _roundabout(token: Token, goal: Cell, ground: Ground, seen: Cells | None) -> tuple[Cell, ...] | None:
    """A way of fewest steps for a whole token through what was explored, without its start.

    Best-first by steps made and still to make at least (A*), given up after so many cells.
    """
    start = (int(token.at.x), int(token.at.y))
    before: dict[Cell, Cell] = {}
    steps = {start: 0}
    waiting = [(0, 0, start)]
    while waiting and len(steps) <= _MOST_LOOKED_AT:
        _, _, here = heappop(waiting)
        if here == goal:
            return _traced(before, start, goal)
        for step in _STEPS:
            to = (here[0] + step[0], here[1] + step[1])
            count = steps[here] + 1
            known = None if to == goal else seen
            if count < steps.get(to, _MOST_LOOKED_AT) and _may_step(token, here, to, ground, known):
                before[to], steps[to] = here, count
                left = max(abs(goal[0] - to[0]), abs(goal[1] - to[1]))
                heappush(waiting, (count + left, left, to))
    return None


def _traced(before: Mapping[Cell, Cell], start: Cell, goal: Cell) -> tuple[Cell, ...]:
    way = [goal]
    while before[way[-1]] != start:
        way.append(before[way[-1]])
    return tuple(reversed(way))


def _may_step(token: Token, here: Cell, to: Cell, ground: Ground, seen: Cells | None) -> bool:
    """Whether a token can make a step with all of its cells, into cells seen where these are given."""
    # What is not explored is refused before the ground is asked: the answer must not depend on it.
    if seen is not None and not _all_seen(seen, to, token.size):
        return False
    return ground.can_step(here, to, token.size)


def _all_seen(seen: Cells, at: Cell, size: int) -> bool:
    (x, y), (rows, columns) = at, seen.shape
    return 0 <= x <= columns - size and 0 <= y <= rows - size and bool(seen[y : y + size, x : x + size].all())


def door_cells(door: Door) -> tuple[Cell, ...]:
    """The cells a door is seen in: those it fills, or those on both sides of its edge."""
    if door.edge is None:
        return door.cells
    return tuple(before_door(door))


def before_door(door: Door) -> Iterator[Cell]:
    """The cells one opens a door from: in it, and right before it on either side."""
    east_west = door.axis is Axis.EAST_WEST
    for x, y in door.cells:
        match door.edge:
            case None:
                yield from (
                    ((x - 1, y), (x, y), (x + 1, y)) if east_west else ((x, y - 1), (x, y), (x, y + 1))
                )
            case "n":
                yield from ((x, y - 1), (x, y))
            case "s":
                yield from ((x, y), (x, y + 1))
            case "w":
                yield from ((x - 1, y), (x, y))
            case _:
                yield from ((x, y), (x + 1, y))


def stands_before(state: MapState, door: Door, account: str) -> bool:
    """Whether a token of a player's own stands right before a door, or in it."""
    cells = set(before_door(door))
    return any(own(token, account) and not cells.isdisjoint(block(token)) for token in state.tokens)
