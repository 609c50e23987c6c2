"""Whether dice can fall so that an expression comes to nothing, told before they fall.

Found from the bounds of its parts, so that it errs to one side only: a divisor from -5 to 5 may never be 0,
but an expression that cannot fail by this never does, unless chains of rerolls and explosions run on for
100,000 draws. Exact odds tell the chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.rules.dice.bounds import CEILING, LARGEST_EXPONENT, Bounds
from services.rules.dice.lexicon import Limits
from services.rules.dice.measure import Survey
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.pool import Binary, Dice, Node, Operator, Sides
from services.rules.dice.walk import nodes

_UNLIMITED = Limits(*[CEILING] * 8)
_DIVISIONS = (Operator.DIVIDE, Operator.FLOOR_DIVIDE, Operator.MODULO)


def can_fail(node: Node, mechanics: Mapping[str, Mechanic] | None = None) -> bool:
    """Whether dice can fall so that a node comes to nothing.

    Args:
        node: The topmost node, checked against the limits, without variables.
        mechanics: The games' own rolls by name.
    """

    def bounds(part: Node) -> Bounds:
        return Survey(_UNLIMITED, mechanics or {}).bounds(part)

    return any(_fails(part, bounds) for part in nodes(node))


def _fails(node: Node, bounds: Callable[[Node], Bounds]) -> bool:
    match node:
        case Binary(operator, _, right) if operator in _DIVISIONS:
            low, high, _ = bounds(right)
            return low <= 0 <= high or _long(bounds(node))
        case Binary(Operator.POWER, _, right):
            low, high, grain = bounds(right)
            return grain > 1 or low < 0 or high > LARGEST_EXPONENT or _long(bounds(node))
        case Binary():
            return _long(bounds(node))
        case Dice(count, kind):
            sides = kind.count if isinstance(kind, Sides) else 1
            return (not isinstance(count, int) and _unwhole(bounds(count), 0)) or (
                not isinstance(sides, int) and _unwhole(bounds(sides), 1)
            )
        case _:
            return False


def _long(found: Bounds) -> bool:
    """Whether a fraction may have more digits than can be reckoned with."""
    return found[2] >= CEILING


def _unwhole(found: Bounds, least: int) -> bool:
    """Whether a number may be no whole one, or less than it has to be."""
    low, _, grain = found
    return low < least or grain > 1
