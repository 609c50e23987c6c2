"""Refusing a move: by one rule that it breaks, or by several."""

from __future__ import annotations

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused


def refused(problem: RuleProblem) -> Refused:
    """The refusal of a move that breaks one rule."""
    return Refused(Problems((problem,)))


def refuse_if(problem: RuleProblem | Problems | None) -> None:
    """Refuses a move where it breaks a rule.

    Raises:
        Refused: There is a broken rule.
    """
    if isinstance(problem, RuleProblem):
        raise refused(problem)
    if problem is not None:
        raise Refused(problem)
