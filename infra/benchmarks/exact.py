"""The sampler of simulations tested by exact answers: how often its 99 % intervals hold them.

A thousand questions by chance, each of which a game answers exactly: duels of DungeonTeller, combats of Dwarf
Dice. Of each the sampler plays a few hundred runs, and a figure is picked; its interval is to hold the exact
value in 98 to 100 of a hundred questions.
"""

from collections.abc import Iterator

from infra.benchmarks.harness.cases import Case
from infra.benchmarks.harness.exact_setups import held, questions
from infra.benchmarks.harness.rounds import say

SECONDS = 300.0
"""For all questions; a tenth of the time asks a tenth of them."""

QUESTIONS = 1_000
RUNS = 200
LEAST = 0.98


def run(seconds: float) -> Iterator[Case]:
    """Ask as many questions as ``seconds`` are worth."""
    number = max(1, round(QUESTIONS * min(1.0, seconds / SECONDS)))
    say(f"asking {number:,} questions that have exact answers")
    answers = [held(question, RUNS) for question in questions("exact", number)]
    told = [answer for answer in answers if answer is not None]
    yield Case(
        "99 % intervals that hold the exact value",
        sum(told) / max(1, len(told)),
        "share of questions",
        against=1.0,
        against_name="all of them",
        target=LEAST,
        more={"questions": len(told), "runs_each": RUNS},
    )
