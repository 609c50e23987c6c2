"""Where a power is put: the squares a being wishes for, checked against the grid and what they can see."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from services.rules.engine.content import slug_of
from services.rules.engine.grid import Square, block, distance, joined
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused
from services.rules.systems.dungeonteller.play.conditions import in_sight, solid_grid
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.power import Use
from services.rules.systems.dungeonteller.play.state import Area, Being
from services.rules.systems.dungeonteller.play.targeting import touch_problem
from services.rules.systems.dungeonteller.powers import Target


def wished_squares(use: Use) -> tuple[Square, ...]:
    """The squares a power is laid on, most wanted first: open, in sight, each once.

    Where the squares have to join, each next one is the most wanted of those that touch one before it, so
    that the power makes one shape however many successes there are (Chilling Mist; Poison Cloud).
    """
    squares = use.move.squares
    if not squares:
        raise no_square(use)
    found = tuple(
        problem for index in range(len(squares)) if (problem := _wish_problem(use, index)) is not None
    )
    refuse_if(Problems(found) if found else None)
    if use.power.zone is None or not use.power.zone.must_join:
        return squares
    if not joined(squares):
        wanted = tuple((square.x, square.y) for square in squares)
        raise use.refused("shape_has_gaps", "The squares have to touch, side by side.", ("squares",), wanted)
    return _joined_order(squares)


def chosen_square(use: Use) -> Square:
    """The one square a power is put on: open and in sight."""
    if not use.move.squares:
        raise no_square(use)
    refuse_if(_wish_problem(use, 0))
    return use.move.squares[0]


def no_square(use: Use) -> Refused:
    """The refusal of a power that needs to be told where."""
    return use.refused("squares_missing", "Choose where it goes.", ("squares",), 0, 1)


def touched_square(use: Use) -> Square:
    """The square a being draws on: within reach, and stone where it has to be; their own when none is said.

    The side of a solid square is stone that can be touched too.
    """
    square = use.move.squares[0] if use.move.squares else use.being.at
    if not use.scene.field.grid.holds(square):
        raise use.refused("square_not_free", "That is off the map.", ("squares", 0), (square.x, square.y))
    refuse_if(touch_problem(use.being, square, "That place", ("squares", 0)))
    if use.power.target is Target.STONE_SURFACE and not _is_stone(use, square):
        raise use.refused("needs_stone", "It has to be stone.", ("squares", 0), (square.x, square.y))
    return square


def open_block(use: Use, corner: Square) -> tuple[Square, ...]:
    """The open squares of a block as wide as the power says, from its top left corner."""
    grid = solid_grid(use.scene)
    across = use.power.figures.across or 1
    return tuple(sorted(square for square in block(corner, across) if grid.open(square)))


def limit_problem(use: Use) -> Problems | None:
    """That a being has as many of these as they may (ruling P33)."""
    standing = tuple(area.id for area in _of_same_limit(use))
    limit = use.power.figures.limit
    if limit is None or len(standing) < limit:
        return None
    text = f"{use.being.name} has one already. End that one first."
    return use.problem("limit_in_play", text, ("power",), len(standing), limit)


def standing_on(use: Use, squares: Collection[Square]) -> Iterator[Being]:
    """Everybody on these squares."""
    return (being for being in use.scene.beings if being.at in squares)


def _of_same_limit(use: Use) -> Iterator[Area]:
    group = use.power.limit_group
    for area in use.scene.areas:
        power = use.catalog.powers.get(area.cause)
        if area.source == use.being.id and power is not None and power.limit_group == group:
            yield area


def _wish_problem(use: Use, index: int) -> RuleProblem | None:
    square = use.move.squares[index]
    path = ("squares", index)
    found = (square.x, square.y)
    if square in use.move.squares[:index]:
        return RuleProblem("square_twice", "Each square only once.", use.power.source, path, found)
    if not solid_grid(use.scene).open(square):
        return RuleProblem("square_not_free", "Nothing can be laid there.", use.power.source, path, found)
    if square != use.being.at and not in_sight(use.scene, use.being.at, square):
        return RuleProblem(
            "square_out_of_sight", f"{use.being.name} cannot see that place.", use.power.source, path, found
        )
    return None


def _joined_order(squares: tuple[Square, ...]) -> tuple[Square, ...]:
    found = [squares[0]]
    left = list(squares[1:])
    while left:
        following = next(square for square in left if any(_side_by_side(square, other) for other in found))
        found.append(following)
        left.remove(following)
    return tuple(found)


def _side_by_side(one_square: Square, other: Square) -> bool:
    return distance(one_square, other) == 1 and (one_square.x == other.x or one_square.y == other.y)


def _is_stone(use: Use, square: Square) -> bool:
    return use.scene.field.stone or any(
        thing.at == square and "stone" in thing.tags and thing.hidden is None for thing in use.scene.things
    )


def slug(use: Use) -> str:
    """The name the rules use for the power."""
    return slug_of(use.power.id)
