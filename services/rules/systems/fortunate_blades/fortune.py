"""What Fortune costs and where it comes from (Fortune; checklist E)."""

from __future__ import annotations

from services.rules.engine.problem import RuleProblem

AT_QUEST_START = 9
AID = 1
LUCKY = 2
EFFECT_LEVEL = 2
LIFT = 1
HEROIC_HARM = 1
SAVE_DIE = 4
"""Sides of the die that a player's own Save costs, and a natural 20 of any Save brings."""
FACT_DIE = 3
"""Sides of the die of Fortune that a natural 20 brings in place of a Fact."""
STORY_DIE = 4
"""Sides of the die of Fortune that a story brings, and one more (Telling Stories)."""
BREAK_COSTS = (1, 4)
"""The least and the most that a Lucky Break costs."""
RULE = "Fortune"


def short_of(fortune: int, cost: int, path: str = "fortune") -> RuleProblem | None:
    """What is wrong with spending more Fortune than there is; None where there is enough."""
    if cost <= fortune:
        return None
    text = f"That takes {cost} Fortune, and there is {fortune}."
    return RuleProblem("not_enough_fortune", text, RULE, (path,), cost, fortune)


def break_problem(cost: int) -> RuleProblem | None:
    """What is wrong with the price of a Lucky Break."""
    least, most = BREAK_COSTS
    if least <= cost <= most:
        return None
    text = f"A Lucky Break costs from {least} to {most} Fortune."
    return RuleProblem("lucky_break_cost", text, "Lucky Break", ("cost",), cost, BREAK_COSTS)


def save_cost(*, own: bool, saved: bool, natural_20: bool) -> bool:
    """Whether a Save costs a die of Fortune: a player's own that is Close or Clear, but no natural 20 (P5)."""
    return own and saved and not natural_20
