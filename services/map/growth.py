"""How maps themselves grow in play: what is found, spent or drawn later, by the rules of their game."""

from typing import Any

from services.map.kind import Operation
from services.map.registry import KINDS
from services.rules.engine.problem import Problems, RuleProblem


def grown(slug: str, model: Any, operation: Operation) -> Any | Problems:
    """Let a map grow.

    Args:
        slug: its kind.
        model: the map so far.
        operation: what is wanted: one of `registry.OPERATIONS`.

    Returns:
        The map after it; or every broken rule, `map_cannot_grow_so` where the map is of another kind.
    """
    growth = KINDS[slug].growth
    if growth is None or not isinstance(operation, growth.operations):
        message = "A map of this kind does not grow so."
        return Problems((RuleProblem("map_cannot_grow_so", message, "play"),))
    return growth.grow(model, operation)
