"""Rolling dice, ours and other people's, and reading the whole result: the total, and all that a die says.

Ours goes the way the dice service goes, from the text through its kept plans to faces drawn from bytes: of
the operating system, or of a verifiable chain. Peers draw from their own default generators, which are quick
to ask and can be foretold (Mersenne Twister, `Math.random`).
"""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice
from statistics import fmean, variance

import d20  # type: ignore[import-untyped]
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from infra.benchmarks.harness.batches import in_batches
from infra.benchmarks.harness.cases import BenchFailure
from infra.benchmarks.harness.peers import Peer
from infra.benchmarks.harness.rounds import Measure
from services.dice.rolls.replay import KEPT_PLANS, Desk
from services.rules.dice.notation import Lexicon, parse
from services.rules.dice.result import RollResult
from services.rules.dice.roll import plan
from services.rules.dice.stream import ByteStream
from services.rules.dice.vr1 import Entropy, Receipt, Seeds, Vr1Bytes, make_statement

BATCH = 120
"""Rolls that are timed together: a multiple of every number of texts up to six."""

LEXICON = Lexicon()
MOST_DICE = 12
TRIALS = 1_000
STRAY = 6.0
"""Standard errors by which means of the same dice do not differ."""


@dataclass(frozen=True, slots=True)
class Text:
    """The same dice in three notations.

    Attributes:
        ours: in the notation of this project; also the name it is told by.
        d20: in d20's; None where it has no such dice.
        node: in rpg-dice-roller's.
    """

    ours: str
    d20: str | None
    node: str


KNOWN = (
    Text("1d20+5", "1d20+5", "1d20+5"),
    Text("2d20kh1+5", "2d20kh1+5", "2d20kh1+5"),
    Text("4d6kh3+2", "4d6kh3+2", "4d6kh3+2"),
    Text("10d10", "10d10", "10d10"),
    Text("10d6!", "10d6e6", "10d6!"),
    Text("8d6ro<2", "8d6ro<2", "8d6ro<2"),
)
"""What all three understand."""

COUNTING = Text("6d10>=8", None, "6d10>=8")

NEW = ("~d20+#", "~d20kh1+#", "~d6+#", "~d6kh1+#", "~d10+#", "~d8+2d4+#")
"""Texts alike in all three notations: ~ stands for 1 to 12 dice, # for a number that no text had before."""


# Ours


def look(result: RollResult) -> int:
    """Read all that a roll says; gives a number made of it."""
    seen = result.total
    for die in result.dice():
        if die.kept:
            seen += die.value
        seen += len(die.marks)
    return seen


def roll(desk: Desk, text: str) -> RollResult:
    """Roll a text with bytes of the operating system."""
    return desk.ready(text, LEXICON, {}).plan.roll(ByteStream(os.urandom))


def rolling(texts: Sequence[str]) -> Measure:
    """Measure rolling texts in turns, whose plans are kept."""
    desk = Desk()
    return _in_turns(texts, lambda text: look(roll(desk, text)))


def rolling_new(templates: Sequence[str]) -> Measure:
    """Measure reading and rolling texts that were never seen before."""
    return _new(templates, lambda text: look(plan(parse(text, LEXICON)).roll(ByteStream(os.urandom))))


def readying_new(templates: Sequence[str]) -> Measure:
    """Measure the same on the service's way, which also writes texts down anew, and keeps what it read.

    It keeps as much as it can from the beginning: while that grows, Python looks through all of it for
    garbage again and again.
    """
    desk = Desk()
    for number in range(KEPT_PLANS):
        desk.ready(f"1d6+{number}", LEXICON, {})
    return _new(templates, lambda text: look(roll(desk, text)))


def rolling_verified(text: str, *, receipts: bool) -> Measure:
    """Measure rolling a text with bytes of a verifiable chain; each roll has a number and entropy of its own.

    The client's entropy came with the request, so that it costs nothing here.

    Args:
        text: what is rolled.
        receipts: write and sign the receipt of each roll.
    """
    desk, length = Desk(), 4096
    epoch, key, moment = os.urandom(16), Ed25519PrivateKey.generate(), datetime.now(UTC)
    seeds = Seeds(os.urandom(32), epoch, length)
    numbers = cycle(range(1, length + 1))
    previous = bytes(32)

    def verified(number: int, client: bytes) -> None:
        nonlocal previous
        seed, ready = seeds[number], desk.ready(text, LEXICON, {})
        result = ready.plan.roll(ByteStream(Vr1Bytes(seed, epoch, number, client).read))
        look(result)
        if receipts:
            draws = result.draws
            receipt = Receipt(
                epoch=epoch,
                number=number,
                client=client,
                entropy=Entropy.CLIENT,
                roll="rol_01jd8x0000000000000000000",
                expression=ready.expression,
                dice=tuple([sides for sides, _ in draws]),
                faces=tuple([face for _, face in draws]),
                tables={},
                total=result.value,
                seed=seed,
                previous=previous,
                at=moment,
            )
            previous = bytes.fromhex(make_statement(receipt, "k", key.sign).hash)

    def prepare(size: int) -> Callable[[], None]:
        requests = [(number, os.urandom(16)) for number in islice(numbers, size)]

        def batch() -> None:
            for number, client in requests:
                verified(number, client)

        return batch

    return in_batches(prepare, BATCH)


# d20


def look_d20(result: d20.RollResult) -> int:
    """Read all that a roll of d20's says; gives a number made of it."""
    seen: int = result.total
    left = [result.expr]
    while left:
        node = left.pop()
        if not isinstance(node, d20.Dice):
            left += node.children
            continue
        for die in node.values:
            for face in die.values:
                if die.kept and face.kept:
                    seen += face.number
                seen += face.exploded
    return seen


def rolling_d20(texts: Sequence[str]) -> Measure:
    """Measure rolling texts in turns; d20 keeps their trees."""
    return _in_turns(texts, lambda text: look_d20(d20.roll(text)))


def rolling_new_d20(templates: Sequence[str]) -> Measure:
    """Measure rolling texts that were never seen before."""
    return _new(templates, lambda text: look_d20(d20.roll(text)))


# Whether all roll the same


def check_agreement(texts: Sequence[Text], peer: Peer | None, trials: int = TRIALS) -> None:
    """Roll every text often with each; the same dice come to the same total on the average.

    Raises:
        BenchFailure: they do not, so that there is nothing to be compared.
    """
    desk = Desk()
    theirs = peer.totals([text.node for text in texts], trials) if peer else [[] for _ in texts]
    for text, node in zip(texts, theirs, strict=True):
        ours = [roll(desk, text.ours).total for _ in range(trials)]
        others = {
            "d20": [d20.roll(text.d20).total for _ in range(trials)] if text.d20 else [],
            "rpg-dice-roller": node,
        }
        for name, totals in others.items():
            if totals and not alike(ours, totals):
                means = f"{fmean(ours):.2f} here, {fmean(totals):.2f} there on the average"
                raise BenchFailure(f"{text.ours} is not the same to {name}: {means}")


def alike(first: Sequence[float], second: Sequence[float]) -> bool:
    """Whether two samples may have the same mean: six standard errors are hardly ever seen by chance."""
    error = (variance(first) / len(first) + variance(second) / len(second)) ** 0.5
    return math.isclose(fmean(first), fmean(second), rel_tol=0, abs_tol=STRAY * error)


# Batches


def fresh_texts(templates: Sequence[str]) -> Iterator[str]:
    """Give texts without end of which no two are the same."""
    for number, template in enumerate(cycle(templates), 1):
        # Counts change from round to round, lest each template keep a few of its own.
        dice = (number + number // len(templates)) % MOST_DICE + 1
        yield template.replace("~", str(dice)).replace("#", str(number))


def _in_turns(texts: Sequence[str], one: Callable[[str], object]) -> Measure:
    return in_batches(lambda size: partial(_each, one, list(islice(cycle(texts), size))), BATCH)


def _new(templates: Sequence[str], one: Callable[[str], object]) -> Measure:
    texts = fresh_texts(templates)
    return in_batches(lambda size: partial(_each, one, list(islice(texts, size))), BATCH)


def _each(one: Callable[[str], object], texts: Sequence[str]) -> None:
    for text in texts:
        one(text)
