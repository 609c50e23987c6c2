"""Which runs belong together, and when enough of them were played.

Runs are played in blocks, whose sizes follow from the number of cases alone. Blocks may be played in any
order and anywhere; what is told is decided on the blocks from the first one on: the answer is made of the
shortest row of them, without a gap, that is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from services.rules.engine.simulation.cases import Plan
from services.rules.engine.simulation.estimates import estimate
from services.rules.engine.simulation.exact import exact_answer
from services.rules.engine.simulation.figures import figures_of, is_share
from services.rules.engine.simulation.run import Runner
from services.rules.engine.simulation.tally import Tally

SIZES = (8, 8, 16, 32)
"""Runs of the first blocks of a request with one case, so that something can be told soon."""

SIZE = 64
"""Runs of every later block of a request with one case."""

LEAST_RUNS = 100
"""Runs without which no interval is believed to be narrow enough."""


def size_of(block: int, cases: int) -> int:
    """Return how many runs of each case a block has.

    Args:
        block: Its number, from 0.
        cases: How many cases the request has.
    """
    return max(1, (SIZES[block] if block < len(SIZES) else SIZE) // cases)


@cache
def _first_runs(cases: int) -> tuple[int, ...]:
    starts = [0]
    for block in range(len(SIZES)):
        starts.append(starts[-1] + size_of(block, cases))
    return tuple(starts)


def runs_of(block: int, cases: int) -> range:
    """Return the numbers of the runs that a block has of each case."""
    starts = _first_runs(cases)
    later = max(0, block - len(SIZES))
    first = starts[min(block, len(SIZES))] + later * size_of(len(SIZES), cases)
    return range(first, first + size_of(block, cases))


def blocks_of(runs: int, cases: int) -> int:
    """Return how many blocks it takes to play at least so many runs of each case."""
    starts = _first_runs(cases)
    for block, start in enumerate(starts):
        if start >= runs:
            return block
    size = size_of(len(SIZES), cases)
    return len(SIZES) + -(-(runs - starts[-1]) // size)


class BlockPlayer:
    """Plays blocks of a request.

    Args:
        plan: The request.
    """

    def __init__(self, plan: Plan) -> None:
        self._runners = [Runner(plan, case) for case in plan.cases]

    @property
    def runners(self) -> list[Runner]:
        """A player of runs for each case, in their order."""
        return self._runners

    def steps(self, block: int, begun: Tally | None = None) -> Iterator[Tally]:
        """Play a block run by run: of each run all cases, on the same dice.

        Args:
            block: Its number, from 0.
            begun: What its first runs came to, where some were played before; they are not played again.

        Yields:
            The runs of the block so far, after each of them; the last one is the whole block.

        Raises:
            MatchError: A bot's move is refused.
        """
        tally = Tally.empty(len(self._runners)) if begun is None else begun
        for number in runs_of(block, len(self._runners))[tally.cases[0].runs :]:
            base = self._runners[0].run(number)
            tally.cases[0].add(base, None)
            for case, runner in zip(tally.cases[1:], self._runners[1:], strict=True):
                case.add(runner.run(number), base)
            yield tally

    def play(self, block: int) -> Tally:
        """Play a whole block, and return what it came to."""
        *_, whole = self.steps(block)
        return whole


@dataclass(slots=True)
class Progress:
    """What is known of a request: the blocks from the first one on, without a gap, added up.

    Attributes:
        tally: What they came to.
        blocks: How many they are.
        waiting: Later blocks, behind a gap.
    """

    tally: Tally
    blocks: int = 0
    waiting: dict[int, Tally] = field(default_factory=dict)

    @classmethod
    def begun(cls, plan: Plan) -> Progress:
        """Return what is known of a request before its first block."""
        return cls(Tally.empty(len(plan.cases)))

    def take(self, block: int, tally: Tally, plan: Plan) -> bool:
        """Take in a block; each block counts once, and none once there is enough.

        Returns:
            Whether there is enough.
        """
        if block >= self.blocks:
            self.waiting.setdefault(block, tally)
        while not self.enough(plan) and self.blocks in self.waiting:
            self.tally.merge(self.waiting.pop(self.blocks))
            self.blocks += 1
        return self.enough(plan)

    def enough(self, plan: Plan) -> bool:
        """Whether the request is answered."""
        return enough(self.tally, self.blocks, plan)


def enough(tally: Tally, blocks: int, plan: Plan) -> bool:
    """Whether so many blocks, which came to this, answer a request."""
    request = plan.request
    if blocks >= blocks_of(request.runs, len(plan.cases)):
        return True
    if blocks and exact_answer(plan) is not None:
        return True  # they are there to be read
    if request.precision is None or tally.cases[0].runs < min(LEAST_RUNS, request.runs):
        return False
    known = tally.cases[0].values.get(request.precision.figure)
    if known is None:
        return False
    share = is_share(request.precision.figure, figures_of(plan.play))
    return estimate(known, share=share).half_width <= request.precision.half_width
