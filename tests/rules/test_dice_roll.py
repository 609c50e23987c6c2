"""Rolling: faces from a stream, and a result that explains itself."""

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
from services.rules.dice.pool import DiceTerm, dice
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


def test_every_face_is_equally_likely_over_all_bytes() -> None:
    for sides in (1, 2, 6, 10, 100, 255, 256):
        accepted = 256 - 256 % sides
        every_byte = iter(range(accepted))
        stream = ByteStream(lambda size, source=every_byte: next(source).to_bytes(size, "big"))
        tally = Counter(stream.draw(sides) for _ in range(accepted))
        assert set(tally) == set(range(1, sides + 1))
        assert set(tally.values()) == {accepted // sides}


def test_a_value_in_the_incomplete_last_run_is_drawn_anew() -> None:
    bytes_given = iter([252, 255, 251])
    stream = ByteStream(lambda size: next(bytes_given).to_bytes(size, "big"))
    assert stream.draw(6) == 251 % 6 + 1


def test_dice_above_256_sides_take_four_bytes() -> None:
    sizes: list[int] = []

    def read(size: int) -> bytes:
        sizes.append(size)
        return bytes(size)

    stream = ByteStream(read)
    assert [stream.draw(256), stream.draw(257), stream.draw(FOUR_BYTES)] == [1, 1, 1]
    assert sizes == [1, 4, 4]


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


def test_a_result_reads_as_a_sum_with_dropped_dice_struck_out() -> None:
    assert roll(parse("2d20kh1 + 3"), ListStream([4, 17])).text() == "2d20kh1 (~~4~~, 17) + 3 = 20"
    assert roll(parse("-d4 - 1"), ListStream([2])).text() == "-1d4 (2) - 1 = -3"


def test_lowest_dice_are_kept_and_the_earlier_of_equals_stays() -> None:
    result = roll(parse("4d6kl2"), ListStream([3, 1, 3, 6]))
    assert [die.kept for die in result.terms[0].dice] == [True, True, False, False]
    assert result.total == 4


@given(
    st.lists(
        st.tuples(st.integers(1, 6), st.integers(1, 12), st.sampled_from(["", "kh1", "kl1"])), min_size=1
    ),
    st.integers(0, 50),
    st.randoms(use_true_random=False),
)
def test_every_number_of_a_result_adds_up_and_replays(
    terms: list[tuple[int, int, str]], constant: int, chance: object
) -> None:
    text = " - ".join(f"{number}d{sides}{keep}" for number, sides, keep in terms[:20]) + f" + {constant}"
    pool = parse(text)
    faces = [
        chance.randint(1, item.term.sides)  # type: ignore[attr-defined]
        for item in pool.terms
        if isinstance(item.term, DiceTerm)
        for _ in range(item.term.count)
    ]
    stream = ListStream(faces)
    result = roll(pool, stream)
    assert stream.left == 0
    assert result.total == sum(term.subtotal for term in result.terms)
    for term in result.terms:
        if term.dice:
            kept = sum(die.face for die in term.dice if die.kept)
            assert term.subtotal == term.term.sign.value * kept
    assert roll(pool, ListStream(result.faces)) == result


def test_a_pool_of_one_term_needs_no_text() -> None:
    assert dice(7, 6) == parse("7d6")
