"""How much work a roll is, before it is rolled: its draws, and what goes through its dice afterwards.

Everything here is expected, not the worst: a die that is rolled again until it shows 10 of 1,000 faces is
drawn a hundred times. Numbers of dice that are rolled themselves count as the most they can be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.dice.die import PREPARED
from services.rules.dice.measure import measure
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.pool import Dice, Group, Node, Sides, Versus
from services.rules.dice.walk import nodes


@dataclass(frozen=True, slots=True)
class Effort:
    """The work of one roll.

    Attributes:
        nodes: Nodes of its tree.
        draws: How often dice are expected to be drawn.
        careful: How many of these are looked at one by one: rolled again, exploded, selected among, or of
            dice with many faces.
        passes: How often, in all, dice are gone through again for selections and groups.
    """

    nodes: int
    draws: float
    careful: float
    passes: float

    @property
    def microseconds(self) -> float:
        """Processor time of rolling it and of bringing the result into the form in which it is kept.

        Measured on the machine that the limits were set for (two shared cores, Python 3.11).
        """
        return 60 + 8 * self.nodes + 1.2 * self.draws + 3.0 * self.careful + 1.0 * self.passes


def effort(node: Node, mechanics: Mapping[str, Mechanic] | None = None) -> Effort:
    """How much work a roll is.

    Args:
        node: Its topmost node, checked against the limits, without variables.
        mechanics: The games' own rolls by name.
    """
    parts = list(nodes(node))
    draws = measure(node, mechanics).expected_draws
    dice = [part for part in parts if isinstance(part, Dice)]
    careful = draws if any(_careful(part) for part in dice) else 0.0
    selections = max((len(part.select) + len(part.counts) for part in dice), default=0)
    groups = sum(isinstance(part, Group | Versus) for part in parts)
    return Effort(len(parts), draws, careful, draws * (selections + groups))


def _careful(dice: Dice) -> bool:
    """Whether dice are looked at one by one as they are drawn."""
    many = isinstance(dice.kind, Sides) and not (
        isinstance(dice.kind.count, int) and dice.kind.count <= PREPARED
    )
    return many or dice.reroll is not None or dice.explode is not None or dice.unique
