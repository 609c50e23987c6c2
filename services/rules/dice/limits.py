"""Every limit, and everything that can be seen to mean nothing, before anything is rolled."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.dice.fault import NotationError, NotationLimitError
from services.rules.dice.impossible import Impossible
from services.rules.dice.lexicon import LIMITS, Limits
from services.rules.dice.measure import Excess, Survey
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.pool import Expression
from services.rules.dice.render import render, render_node


def check(
    expression: Expression,
    limits: Limits = LIMITS,
    text: str = "",
    mechanics: Mapping[str, Mechanic] | None = None,
) -> None:
    """Checks an expression against the limits; `parse` has done so, after `bind` it is to be done again.

    Args:
        expression: What is to be rolled. Variables that are left are taken to be harmless.
        limits: How much it may ask for.
        text: What was typed; an error points into it where the part to blame stands in it word for word, and
            into the rendered expression otherwise.
        mechanics: The games' own rolls by name; of others only the arguments are known.

    Raises:
        NotationLimitError: It asks for too much.
        NotationError: It means nothing however the dice fall.
    """
    try:
        Survey(limits, mechanics or {}).bounds(expression.node)
    except (Excess, Impossible) as trouble:
        part = render_node(trouble.node)
        if part not in text:
            text = render(expression)
        raise refused(trouble, limits, text, max(0, text.find(part))) from None
    check_rendered(expression, limits)


def check_rendered(expression: Expression, limits: Limits) -> None:
    """Checks that the expression can be read again from what it is rendered as.

    Raises:
        NotationLimitError: It is too long.
    """
    text = render(expression)
    if len(text) > limits.text:
        raise NotationLimitError(
            text[: limits.text], limits.text, f"{len(text)} signs in full form", "text", limits.text
        )


def refused(trouble: Excess | Impossible, limits: Limits, text: str, position: int) -> NotationError:
    """The error that says what is too much, or cannot be, and where."""
    if isinstance(trouble, Excess):
        allowed: int = getattr(limits, trouble.limit)
        return NotationLimitError(text, position, trouble.found, trouble.limit, allowed)
    return NotationError(text, position, trouble.found, (trouble.expected,))
