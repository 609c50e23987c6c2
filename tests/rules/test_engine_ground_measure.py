"""Measures and footprints: distances as the games count them."""

from __future__ import annotations

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.ground.footprint import Footprint, distance, reaches, within
from services.rules.engine.ground.measure import FEET, PACES, Diagonal, Measure, Rough
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from tests.rules.ground_values import footprints, grounds, measures

legs = st.integers(-12, 12)
spots = st.tuples(legs, legs, legs)


def apart(measure: Measure, one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    return measure.distance(*(there - here for here, there in zip(one, other, strict=True)))


@given(measures, spots, spots, spots)
def test_a_distance_is_a_metric(
    measure: Measure, one: tuple[int, int, int], other: tuple[int, int, int], third: tuple[int, int, int]
) -> None:
    assert apart(measure, one, other) == apart(measure, other, one)
    assert (apart(measure, one, other) == 0) == (one == other)
    round_about = apart(measure, one, third) + apart(measure, third, other)
    # Each of two ways begins its alternating anew, and may save one square by it.
    saved = measure.units if measure.diagonal is Diagonal.ALTERNATING else 0
    assert apart(measure, one, other) <= round_about + saved


@pytest.mark.parametrize(
    ("diagonal", "expected"),
    [
        (Diagonal.EQUAL, 20),
        (Diagonal.ALTERNATING, 25),
        (Diagonal.ORTHOGONAL, 35),
        (Diagonal.EUCLIDEAN, 25),
    ],
)
def test_three_and_four_squares_of_five_feet(diagonal: Diagonal, expected: int) -> None:
    assert Measure(5, "foot", diagonal).distance(3, 4) == expected


@given(measures, legs, legs)
def test_a_straight_distance_is_the_same_by_every_measure(measure: Measure, far: int, up: int) -> None:
    assert measure.distance(far, 0) == measure.distance(0, far) == abs(far) * measure.units
    assert measure.distance(0, 0, up) == abs(up) * measure.units


@given(legs, legs)
def test_a_euclidean_distance_is_the_root_rounded_up(across: int, down: int) -> None:
    found = Measure(5, "foot", Diagonal.EUCLIDEAN).distance(across, down)
    assert found - 1 < hypot(5 * across, 5 * down) <= found


@given(measures, st.integers(0, 200))
def test_what_is_spent_is_no_more_than_what_was_there(measure: Measure, units: int) -> None:
    spent = measure.spent(measure.points(units))
    assert spent <= units
    assert measure.spent(measure.points(units) + measure.square) > units - measure.units


def test_rough_ground_adds_a_square_or_doubles_the_step() -> None:
    adds, doubles = (Measure(5, "foot", Diagonal.ORTHOGONAL, rough) for rough in Rough)
    assert [adds.spent(adds.step(slanting, False, 1)) for slanting in (False, True)] == [10, 15]
    assert [doubles.spent(doubles.step(slanting, False, 1)) for slanting in (False, True)] == [10, 20]


def test_a_square_measures_something() -> None:
    with pytest.raises(ValueError, match="at least one unit"):
        Measure(0)


# Footprints


def plain(measure: Measure = PACES, heights: tuple[int, ...] = ()) -> Ground:
    return Ground.drawn(*["." * 12] * 12, measure=measure, heights=heights)


@given(grounds(), footprints(), footprints())
def test_footprints_are_as_far_apart_as_their_nearest_squares_on_flat_ground(
    ground: Ground, one: Footprint, other: Footprint
) -> None:
    flat = plain(ground.measure)
    between = [
        distance(flat, Footprint(here), Footprint(there))
        for here in one.squares()
        for there in other.squares()
    ]
    assert distance(flat, one, other) == min(between) == distance(flat, other, one)
    assert distance(ground, one, other) >= min(between)


def test_sizes_and_reaches_of_forge_engine() -> None:
    # Size Traits: Medium reaches 5 feet, Huge fills 10 by 10 feet and reaches 10, Titanic fills 20 by 20.
    ground = plain(FEET)
    human, huge, titan = (
        Footprint(Square(0, 0)),
        Footprint(Square(2, 0), 2),
        Footprint(Square(4, 0), 4),
    )
    assert distance(ground, human, huge) == 10
    assert reaches(ground, huge, human, 10)
    assert not reaches(ground, human, huge, 5)
    assert reaches(ground, Footprint(Square(1, 1)), huge, 5)
    assert distance(ground, huge, titan) == 5
    assert len(list(titan.squares())) == 16
    assert len(within(ground, Footprint(Square(4, 4), 2), 10)) == 36


def test_altitude_and_floor_count_as_distance() -> None:
    ground = plain(FEET, heights=(0,) * 6 + (3,) * 6 + (0,) * 132)
    assert distance(ground, Footprint(Square(0, 1)), Footprint(Square(0, 2), altitude=6)) == 30
    assert distance(ground, Footprint(Square(5, 0)), Footprint(Square(6, 0))) == 15
    # A creature ten feet tall is met at its feet and at its head.
    assert distance(ground, Footprint(Square(5, 3), 2), Footprint(Square(5, 2), altitude=2)) == 5


@given(measures, footprints(), st.integers(0, 30))
def test_what_is_within_some_units_is_no_further_away(
    measure: Measure, footprint: Footprint, units: int
) -> None:
    ground = plain(measure)
    found = within(ground, footprint, units)
    every = (Square(x, y) for x in range(12) for y in range(12))
    assert found == {at for at in every if distance(ground, footprint, Footprint(at)) <= units}


def test_a_footprint_has_a_size() -> None:
    for size in (0, 21):
        with pytest.raises(ValueError, match="1 to 20 squares"):
            Footprint(Square(0, 0), size)
