"""How long the words of a move may be."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from services.rules.engine.problem import RuleProblem

LONGEST = 500
"""Signs of what is told with a move."""


def words_problem(move: Any) -> RuleProblem | None:
    """What is wrong with a move whose words are too long; None where they are not."""
    for field in fields(move):
        value = getattr(move, field.name)
        if isinstance(value, str) and len(value) > LONGEST:
            text = f"At most {LONGEST} signs fit."
            return RuleProblem("text_too_long", text, "table", (field.name,), len(value), LONGEST)
    return None
