"""Faces from streams: the rule of verifiable rolls, and lists."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.notation import parse
from services.rules.dice.roll import roll
from services.rules.dice.stream import FOUR_BYTES, ByteStream, ListStream, StreamError

EPOCH = bytes(range(16))
CLIENT = bytes.fromhex("00112233445566778899aabbccddeeff")


def vr1_bytes(roll_index: int) -> Callable[[int], bytes]:
    """The byte stream of the published VR1 example: a chain of four seeds below bytes 0 to 31."""
    seed = bytes(range(32))
    for _ in range(4 - roll_index):
        seed = hashlib.sha256(b"VR1-chain" + EPOCH + seed).digest()
    context = b"VR1-roll" + EPOCH + roll_index.to_bytes(8, "big") + len(CLIENT).to_bytes(2, "big") + CLIENT
    blocks = (hmac.digest(seed, context + block.to_bytes(4, "big"), "sha256") for block in count())
    pending = bytearray()

    def read(size: int) -> bytes:
        while len(pending) < size:
            pending.extend(next(blocks))
        taken = bytes(pending[:size])
        del pending[:size]
        return taken

    return read


@pytest.mark.parametrize(
    ("roll_index", "text", "faces"),
    [
        (1, "10d10", (7, 6, 3, 8, 4, 1, 6, 1, 3, 3)),
        (1, "4d6", (5, 2, 3, 4)),
        (2, "3d100", (100, 47, 27)),
        (2, "2d1000", (303, 134)),
        (1, "20d20", (17, 16, 18, 4, 11, 16, 1, 3, 13, 3, 18, 9, 20, 4, 1, 6, 17, 16, 6, 11)),
    ],
)
def test_bytes_become_the_faces_of_the_published_example(
    roll_index: int, text: str, faces: tuple[int, ...]
) -> None:
    assert roll(parse(text), ByteStream(vr1_bytes(roll_index))).faces == faces


def reader(given_bytes: bytes) -> Callable[[int], bytes]:
    """Read bytes from the front, and zeros behind them."""
    pending = bytearray(given_bytes)

    def read(size: int) -> bytes:
        taken = bytes(pending[:size])
        del pending[:size]
        return taken.ljust(size, b"\0")

    return read


def test_every_face_is_equally_likely_over_all_bytes() -> None:
    for sides in (1, 2, 6, 10, 100, 255, 256):
        accepted = 256 - 256 % sides
        # Behind every byte once come those that each die accepts, for what is fetched ahead.
        stream = ByteStream(reader(bytes(range(256)) + bytes(64)))
        tally = Counter(stream.draw(sides) for _ in range(accepted))
        assert set(tally) == set(range(1, sides + 1))
        assert set(tally.values()) == {accepted // sides}


def test_a_value_in_the_incomplete_last_run_is_drawn_anew() -> None:
    stream = ByteStream(reader(bytes([252, 255, 251]) + bytes(64)))
    assert stream.draw(6) == 251 % 6 + 1


def test_dice_above_256_sides_take_four_bytes() -> None:
    stream = ByteStream(reader(bytes([7, 0, 0, 1, 3, 0, 0, 0, 9]) + bytes(64)))
    assert [stream.draw(256), stream.draw(257), stream.draw(FOUR_BYTES)] == [8, 259 % 257 + 1, 10]


@given(
    st.binary(min_size=600, max_size=600),
    st.lists(st.tuples(st.integers(1, 300), st.integers(0, 8)), max_size=12),
)
def test_many_faces_at_once_are_the_faces_drawn_one_by_one(
    given_bytes: bytes, runs: list[tuple[int, int]]
) -> None:
    together, apart = ByteStream(reader(given_bytes * 20)), ByteStream(reader(given_bytes * 20))
    for sides, number in runs:
        assert together.draw_many(sides, number) == [apart.draw(sides) for _ in range(number)]


def test_a_stream_that_cannot_give_a_face_says_so() -> None:
    with pytest.raises(StreamError):
        ByteStream(lambda size: b"").draw(6)
    for sides in (0, -1, FOUR_BYTES + 1):
        with pytest.raises(StreamError):
            ByteStream(bytes).draw(sides)
    with pytest.raises(StreamError):
        ListStream([]).draw(6)
    with pytest.raises(StreamError):
        ListStream([7]).draw(6)
