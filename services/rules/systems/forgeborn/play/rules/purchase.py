"""What a total buys: the dice of an Artifact or a Heroine (F7, F8, F11, P17)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import button
from services.rules.engine.play import LegalMove
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask, Step
from services.rules.systems.forgeborn.play.facts import Making
from services.rules.systems.forgeborn.play.moves import Bestow
from services.rules.systems.forgeborn.play.ranks import in_points
from services.rules.systems.forgeborn.play.rules.turns import GameTurn
from services.rules.systems.forgeborn.pools import DieSize, notation
from services.rules.systems.forgeborn.prices import maximal, most_power, of_power, purchase_problems

BOOK = "Create an Artifact of Wondrous Power"
MOST_LISTED = 64
"""Points up to which every maximal purchase is offered, about a hundred; beyond, one of each Power."""

WHOSE = {Making.ARTIFACT: "the Artifact", Making.HEROINE: "the Heroine"}


def bought(turn: GameTurn, smith: str, total: int, what: Making, name: str) -> Step[tuple[DieSize, ...]]:
    """A Smith spends her points; what is left over is lost.

    Returns:
        The dice.
    """

    def accepts(answer: Bestow) -> Problems | None:
        problems = purchase_problems(total, answer.dice, ("dice",))
        return Problems(tuple(problems)) if problems else None

    question = Ask(
        id="bestow",
        actor=smith,
        question=f"Spend {in_points(total)} on dice for {name}, {WHOSE[what]}.",
        offers=tuple(_purchases(smith, total, name)),
        closed=True,  # smaller dice than those offered may be bought as well
        accepts=accepts,
    )
    (answer,) = yield from turn.ask(question)
    dice: tuple[DieSize, ...] = answer.dice
    return dice


def _purchases(smith: str, total: int, name: str) -> Iterator[LegalMove]:
    if total <= MOST_LISTED:
        found = maximal(total)
    else:
        found = tuple(one for power in range(1, most_power(total) + 1) for one in of_power(total, power))
    for dice in found:
        words = notation(dice)
        text = f"Power {len(dice)}, for {name}; what is left over is lost."
        yield button(Bestow(actor=smith, dice=dice), f"buy:{words}", f"Buy {words}", text, BOOK)
