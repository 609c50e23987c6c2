"""Odds estimated from rolls: the same faces tell the same."""

from random import Random

from services.rules.dice.notation import parse
from services.rules.dice.odds.monte_carlo import Samples, affordable, sample
from services.rules.dice.stream import ByteStream


def sampled(text: str, samples: int, seed: int) -> Samples:
    return sample(parse(text), {}, samples, ByteStream(Random(seed).randbytes))


def test_the_same_faces_give_the_same_samples_and_others_give_others() -> None:
    first, again, other = (sampled("4d6kh3", 500, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert sum(first.totals.values()) == 500


def test_rolls_that_come_to_nothing_are_counted_apart() -> None:
    found = sampled("6 / (d6 - 1)", 600, 3)
    assert found.refused + sum(found.totals.values()) == 600
    assert found.refused > 0


def test_of_costly_rolls_fewer_are_made() -> None:
    node = parse("1000d6!kh500").node
    made = affordable(node, {}, 1_000_000)
    assert 100 < made < 10_000
    assert sampled("1000d6!kh500", 200, 0) == sampled("1000d6!kh500", 200, 0)
    assert affordable(node, {}, 50) == 50
