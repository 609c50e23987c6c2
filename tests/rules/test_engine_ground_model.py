"""The ground as a value: its JSON form, its key, its doors, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from services.rules.engine.codec import Codec
from services.rules.engine.ground.kinds import (
    BARRIERS,
    COVER,
    COVER_AT,
    NOTHING,
    WALL,
    WINDOW,
    Barrier,
    Door,
    DoorState,
    Lamp,
    Terrain,
    barrier_of,
)
from services.rules.engine.ground.model import MAX_GROUND_SIDE, Ground
from services.rules.engine.ground.squares import Square, edge
from tests.rules.ground_values import grounds

CODEC = Codec(Ground, "ground")
A, B = Square(0, 0), Square(1, 0)


@given(grounds())
def test_a_ground_comes_back_from_its_json_form(ground: Ground) -> None:
    back = CODEC.load(json.loads(json.dumps(CODEC.dump(ground))))
    assert back == ground
    assert hash(back) == hash(ground)


@given(grounds())
def test_grounds_that_are_equal_share_what_was_computed(ground: Ground) -> None:
    assert CODEC.load(CODEC.dump(ground)).index is ground.index


def test_doors_are_part_of_the_ground_and_open_by_id() -> None:
    shut = Ground.drawn("..", doors=(Door("door-1", edges=(edge(A, B),)), Door("door-2", squares=(B,))))
    opened = shut.with_door("door-2", DoorState.OPEN)
    assert [door.state for door in opened.doors] == [DoorState.CLOSED, DoorState.OPEN]
    assert (shut.index.costs, opened.index.costs) == (b"\1\0", b"\1\1")
    assert shut.with_door("door-3", DoorState.OPEN) == shut


def test_a_barrier_is_known_by_its_flags() -> None:
    for barrier in BARRIERS:
        assert barrier_of(barrier.sign, barrier.flags) == barrier
    assert (WINDOW.flags & COVER) >> COVER_AT == WINDOW.cover == 2


def test_an_edge_is_between_two_neighbours_and_has_one_name() -> None:
    assert edge(B, A) == edge(A, B) == (A, B)
    for other in (A, Square(1, 1), Square(2, 0)):
        with pytest.raises(ValueError, match="share no side"):
            edge(A, other)


def test_a_barrier_may_be_set_and_taken_away() -> None:
    plain = Ground.drawn("..", "..")
    walled = plain.with_barrier(edge(A, B), WALL)
    assert walled.index.east == bytes([WALL.flags, 0, 0, 0])
    assert walled.with_barrier(edge(A, B), NOTHING).index.east == bytes(4)
    below = plain.with_barrier(edge(A, Square(0, 1)), WINDOW)
    assert below.index.south == bytes([WINDOW.flags, 0, 0, 0])
    with pytest.raises(ValueError, match="not on the ground"):
        plain.with_barrier(edge(B, Square(2, 0)), WALL)
    with pytest.raises(ValueError, match="another barrier has the sign"):
        plain.with_barrier(edge(A, B), Barrier(WALL.sign))


@pytest.mark.parametrize("side", [0, MAX_GROUND_SIDE + 1])
def test_a_ground_has_squares_and_not_too_many(side: int) -> None:
    for width, height in ((side, 1), (1, side)):
        with pytest.raises(ValueError, match="squares a side"):
            Ground(width, height, "." * side)


def test_a_ground_is_refused_that_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="one sign a cell"):
        Ground(2, 2, "...")
    with pytest.raises(ValueError, match="one sign a cell"):
        Ground(2, 1, "..", east=".")
    with pytest.raises(ValueError, match="has the sign '§'"):
        Ground(2, 1, ".§")
    with pytest.raises(ValueError, match="one height a cell"):
        Ground(2, 1, "..", heights=(0,))
    with pytest.raises(ValueError, match="smaller square first"):
        Ground(2, 1, "..", doors=(Door("door-1", edges=((B, A),)),))
    for more in (
        {"doors": (Door("door-1", (Square(2, 0),)),)},
        {"lamps": (Lamp("lamp-1", Square(0, 1), 1, 1),)},
    ):
        with pytest.raises(ValueError, match="are on the ground"):
            Ground(2, 1, "..", **more)


def test_kinds_are_refused_that_make_no_sense() -> None:
    for wrong in ("", "ab"):
        with pytest.raises(ValueError, match="one sign"):
            Terrain(wrong)
        with pytest.raises(ValueError, match="one sign"):
            Barrier(wrong)
    for cost, cover in ((-1, 0), (10, 0), (1, 4)):
        with pytest.raises(ValueError, match="costs 0 to 9"):
            Terrain("x", cost=cost, cover=cover)
    with pytest.raises(ValueError, match="quarters"):
        Barrier("x", cover=4)
