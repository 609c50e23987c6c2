"""Areas: each shape against a picture, against its definition, turned and mirrored, and stopped by walls."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.ground.areas import arc, circle, cone, line, rectangle
from services.rules.engine.ground.kinds import CURTAIN
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.sight import clear, line_of_effect, sees
from services.rules.engine.ground.squares import Corner, Direction, Edge, Square, distance, edge

ORIGIN = Square(0, 0)
Shape = frozenset[Square]

offsets = st.tuples(st.integers(-7, 7), st.integers(-7, 7)).filter(any)
radii = st.integers(1, 6)
directions = st.sampled_from(Direction)
degrees = st.sampled_from((90, 180))


def picture(*rows: str) -> Shape:
    """The squares marked `o`, counted from `@`, or from a `+` that is no square of the shape."""
    marks = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    (at,) = [spot for spot, sign in marks.items() if sign in "@+"]
    return frozenset(Square(x - at[0], y - at[1]) for (x, y), sign in marks.items() if sign in "o@")


def turned(shape: Shape) -> Shape:
    return frozenset(Square(-square.y, square.x) for square in shape)


def mirrored(shape: Shape) -> Shape:
    return frozenset(Square(-square.x, square.y) for square in shape)


def moved(shape: Shape, by: Square) -> Shape:
    return frozenset(Square(square.x + by.x, square.y + by.y) for square in shape)


def facing(x: int, y: int) -> Direction:
    return Direction((x, y))


# Pictures


def test_a_circle_of_five_feet_is_fifteen_feet_across() -> None:
    assert circle(ORIGIN, 1) == picture("ooo", "o@o", "ooo")
    assert circle(ORIGIN, 2) == picture(".ooo.", "ooooo", "oo@oo", "ooooo", ".ooo.")
    assert circle(ORIGIN, 0) == {ORIGIN}


def test_a_circle_two_paces_across_lies_about_a_corner() -> None:
    squares = frozenset(Square(x, y) for x in (4, 5) for y in (2, 3))
    assert circle(Corner(5, 3), 1) == squares
    assert len(circle(Corner(0, 0), 2)) == 12


def test_a_quarter_arc_of_fifteen_feet() -> None:
    assert arc(ORIGIN, Direction.EAST, 90, 3) == picture("..o.", ".ooo", "+ooo", ".ooo", "..o.")
    assert arc(ORIGIN, Direction.SOUTH_EAST, 90, 3) == picture("+ooo", "oooo", "ooo.", "oo..")


def test_a_half_arc_of_five_feet() -> None:
    assert arc(ORIGIN, Direction.NORTH, 180, 1) == picture("ooo", "o+o")
    assert arc(ORIGIN, Direction.NORTH_EAST, 180, 1) == picture("ooo", ".+o", "..o")


def test_a_cone_is_as_wide_as_it_is_far() -> None:
    assert cone(ORIGIN, Square(9, 0), 4) == picture("....o", "..ooo", "+oooo", "..ooo", "....o")
    assert cone(ORIGIN, Square(1, 1), 2) == picture("+..", ".oo", ".o.")


def test_a_line_goes_straight_on_beyond_what_it_is_aimed_at() -> None:
    assert line(ORIGIN, Square(2, 0), 4) == picture("+oooo")
    assert line(ORIGIN, Square(1, 1), 3) == picture("+...", ".o..", "..o.", "...o")
    assert line(ORIGIN, Square(2, 1), 4) == picture("+o...", ".ooo.", "...oo")
    assert line(ORIGIN, Square(0, -1), 2, width=3) == picture("ooo", "ooo", ".+.")


# Definitions, with fractions in place of doubled integers


@given(offsets, radii)
def test_a_circle_holds_the_middles_inside_it(by: tuple[int, int], radius: int) -> None:
    square, reach = Square(*by), Fraction(2 * radius + 1, 2)
    assert (square in circle(ORIGIN, radius)) == (square.x**2 + square.y**2 <= reach**2)
    middle = Fraction(2 * square.x + 1, 2), Fraction(2 * square.y + 1, 2)
    assert (square in circle(Corner(0, 0), radius)) == (middle[0] ** 2 + middle[1] ** 2 <= radius**2)


@given(offsets, directions, degrees, radii)
def test_an_arc_holds_what_is_within_half_its_degrees_of_its_facing(
    by: tuple[int, int], direction: Direction, wide: int, radius: int
) -> None:
    square, (x, y) = Square(*by), direction.value
    dot, lengths = square.x * x + square.y * y, (square.x**2 + square.y**2) * (x * x + y * y)
    # The square of the cosine of 45 degrees is a half, the cosine of 90 is nothing.
    within = dot >= 0 and (wide == 180 or 2 * dot * dot >= lengths)
    assert (square in arc(ORIGIN, direction, wide, radius)) == (within and square in circle(ORIGIN, radius))


@given(radii, degrees)
def test_arcs_all_round_make_the_circle_without_its_middle(radius: int, wide: int) -> None:
    ring = circle(ORIGIN, radius) - {ORIGIN}
    four = [facing(0, -1), facing(1, 0), facing(0, 1), facing(-1, 0)]
    assert frozenset().union(*(arc(ORIGIN, direction, wide, radius) for direction in four)) == ring
    for direction in Direction:
        x, y = direction.value
        there, back = arc(ORIGIN, direction, wide, radius), arc(ORIGIN, facing(-x, -y), wide, radius)
        if wide == 180:
            assert there | back == ring
        else:
            assert not there & back
            assert there < arc(ORIGIN, direction, 180, radius)


@given(offsets, offsets, radii)
def test_a_cone_is_narrower_than_its_distance(by: tuple[int, int], at: tuple[int, int], length: int) -> None:
    (x, y), square = by, Square(*at)
    ahead = Fraction(square.x * x + square.y * y)
    aside = Fraction(square.x * y - square.y * x)
    inside = ahead > 0 and abs(aside) <= ahead / 2 and square in circle(ORIGIN, length)
    assert (square in cone(ORIGIN, Square(x, y), length)) == inside


@given(offsets, radii)
def test_a_line_has_a_square_at_each_pace_and_leaves_none_out(by: tuple[int, int], length: int) -> None:
    found = line(ORIGIN, Square(*by), length)
    assert {distance(ORIGIN, square) for square in found} == set(range(1, length + 1))
    for square in found:
        before = {near for near in found | {ORIGIN} if distance(near, square) == 1}
        assert distance(ORIGIN, square) - 1 in {distance(ORIGIN, near) for near in before}


@given(offsets, radii, st.sampled_from((1, 3, 5)))
def test_a_wider_line_holds_the_narrower_one(by: tuple[int, int], length: int, width: int) -> None:
    towards = Square(*by)
    assert line(ORIGIN, towards, length, width) < line(ORIGIN, towards, length, width + 2)


@given(offsets, radii, st.integers(2, 4))
def test_only_the_direction_counts_not_how_far_the_aim_is(
    by: tuple[int, int], reach: int, times: int
) -> None:
    near, far = Square(*by), Square(by[0] * times, by[1] * times)
    assert cone(ORIGIN, near, reach) == cone(ORIGIN, far, reach)
    assert line(ORIGIN, near, reach) == line(ORIGIN, far, reach)


# Turning, mirroring, moving


@given(offsets, radii, st.sampled_from((1, 3)))
def test_cones_and_lines_turn_and_mirror_with_their_aim(by: tuple[int, int], reach: int, width: int) -> None:
    x, y = by

    def shapes(towards: Square) -> list[Shape]:
        return [cone(ORIGIN, towards, reach), line(ORIGIN, towards, reach, width)]

    for change, aim in ((turned, Square(-y, x)), (mirrored, Square(-x, y))):
        assert [change(shape) for shape in shapes(Square(x, y))] == shapes(aim)


@given(directions, degrees, radii)
def test_arcs_turn_and_mirror_with_their_facing(direction: Direction, wide: int, radius: int) -> None:
    x, y = direction.value
    shape = arc(ORIGIN, direction, wide, radius)
    assert turned(shape) == arc(ORIGIN, facing(-y, x), wide, radius)
    assert mirrored(shape) == arc(ORIGIN, facing(-x, y), wide, radius)


@given(offsets, radii)
def test_shapes_move_with_their_origin(by: tuple[int, int], radius: int) -> None:
    at = Square(*by)
    aim = Square(at.x + 3, at.y - 1)
    pairs: list[tuple[Shape, Shape]] = [
        (circle(ORIGIN, radius), circle(at, radius)),
        (circle(Corner(0, 0), radius), circle(Corner(at.x, at.y), radius)),
        (arc(ORIGIN, Direction.SOUTH, 90, radius), arc(at, Direction.SOUTH, 90, radius)),
        (cone(ORIGIN, Square(3, -1), radius), cone(at, aim, radius)),
        (line(ORIGIN, Square(3, -1), radius), line(at, aim, radius)),
    ]
    for shape, there in pairs:
        assert moved(shape, at) == there
    circled = circle(ORIGIN, radius)
    assert circled == turned(circled) == mirrored(circled)


# Walls

SIDE = 9
MIDDLE = Square(4, 4)
squares = st.builds(Square, st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
eastward = st.builds(
    lambda one: edge(one, Square(one.x + 1, one.y)), squares.filter(lambda s: s.x < SIDE - 1)
)


def shut(opaque: Shape, edges: frozenset[Edge] = frozenset()) -> Ground:
    """A ground of walls and curtains."""
    rows = ["".join("#" if Square(x, y) in opaque else "." for x in range(SIDE)) for y in range(SIDE)]
    return Ground.drawn(*rows, walls=[(one, CURTAIN) for one in edges])


@given(st.frozensets(squares, max_size=12), st.frozensets(eastward, max_size=8), offsets)
def test_an_area_stops_at_what_the_origin_does_not_see_past(
    opaque: Shape, edges: frozenset[Edge], by: tuple[int, int]
) -> None:
    ground = shut(opaque - {MIDDLE}, edges)
    towards = Square(MIDDLE.x + by[0], MIDDLE.y + by[1])
    shapes: list[Callable[[Ground | None], Shape]] = [
        lambda walls: circle(MIDDLE, 3, walls),
        lambda walls: arc(MIDDLE, Direction.WEST, 180, 3, walls),
        lambda walls: cone(MIDDLE, towards, 6, walls),
        lambda walls: line(MIDDLE, towards, 6, 1, walls),
        lambda walls: rectangle(MIDDLE, towards, walls),
    ]
    for shape in shapes:
        free = {square for square in shape(None) if clear(ground, square) and sees(ground, MIDDLE, square)}
        assert shape(ground) == free


@given(squares, squares)
def test_a_rectangle_holds_what_lies_between_two_squares(one: Square, other: Square) -> None:
    found = rectangle(one, other)
    assert found == rectangle(other, one)
    assert len(found) == (abs(one.x - other.x) + 1) * (abs(one.y - other.y) + 1)
    assert {one, other, Square(one.x, other.y), Square(other.x, one.y)} <= found


def test_a_blast_does_not_pass_a_thin_wall() -> None:
    ground = shut(frozenset(), frozenset(edge(Square(4, y), Square(5, y)) for y in range(SIDE)))
    assert {square.x for square in circle(MIDDLE, 3, ground)} == {1, 2, 3, 4}
    assert line(MIDDLE, Square(8, 4), 4, ground=ground) == frozenset()
    assert circle(Square(0, 0), 1, ground) == {Square(x, y) for x in (0, 1) for y in (0, 1)}


def test_from_a_corner_an_area_goes_where_a_square_beside_the_corner_sees() -> None:
    ground = shut(frozenset(Square(4, y) for y in range(SIDE)))
    beside = circle(Corner(4, 4), 3, ground)
    assert beside == {square for square in circle(Corner(4, 4), 3) if square.x < 4}
    buried = shut(frozenset(Square(x, y) for x in (3, 4) for y in (3, 4)))
    assert line_of_effect(buried, Corner(4, 4), [Square(0, 0)]) == frozenset()


# What cannot be


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (lambda: circle(ORIGIN, -1), "radius is at least 0"),
        (lambda: circle(Corner(0, 0), 0), "radius is at least 1"),
        (lambda: arc(ORIGIN, Direction.EAST, 60, 3), "90 or 180"),
        (lambda: arc(ORIGIN, Direction.EAST, 90, 0), "radius is at least 1"),
        (lambda: cone(ORIGIN, ORIGIN, 3), "two squares"),
        (lambda: cone(ORIGIN, Square(1, 0), 0), "length is at least 1"),
        (lambda: line(ORIGIN, ORIGIN, 3), "two squares"),
        (lambda: line(ORIGIN, Square(1, 0), 0), "length is at least 1"),
        (lambda: line(ORIGIN, Square(1, 0), 3, 2), "is odd"),
        (lambda: line(ORIGIN, Square(1, 0), 3, 0), "width is at least 1"),
    ],
)
def test_shapes_that_cannot_be_are_refused(shape: Callable[[], Shape], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        shape()
