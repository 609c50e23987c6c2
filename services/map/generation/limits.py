"""What is wrong with what a map was asked to be: a number out of its range, a title that is not one line."""

from __future__ import annotations

from services.rules.engine.problem import Finding, RuleProblem


def range_problems(code: str, name: str, found: float, low: float, high: float) -> list[RuleProblem]:
    """What is wrong with a parameter that has to lie in a range, both ends included.

    Args:
        code: The code of the problem.
        name: The parameter.
        found: Its value.
        low: The least it may be.
        high: The most it may be.
    """
    if low <= found <= high:
        return []
    message = f"{name} is {low} to {high}."
    value: Finding = found if isinstance(found, int) else str(found)
    allowed: Finding = (low, high) if isinstance(low, int) and isinstance(high, int) else f"{low} to {high}"
    return [RuleProblem(code, message, "parameters", (name,), value, allowed)]


def title_problems(title: str, code: str, longest: int) -> list[RuleProblem]:
    """What is wrong with a given title; an empty one is none."""
    if len(title) <= longest and title.isprintable() and title == title.strip():
        return []
    message = f"A title is one line of up to {longest} printable characters, without spaces around it."
    return [RuleProblem(code, message, "parameters", ("title",), ascii(title[: longest + 1]), (0, longest))]
