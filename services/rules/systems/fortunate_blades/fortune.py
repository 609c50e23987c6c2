"""What is wrong with what Fortune is to buy (Fortune; checklist E); what it costs stands in the settings."""

from __future__ import annotations

from services.rules.engine.problem import RuleProblem
from services.rules.systems.fortunate_blades.settings import FortuneCosts


def short_of(fortune: int, cost: int, path: str = "fortune") -> RuleProblem | None:
    """What is wrong with spending more Fortune than there is; None where there is enough."""
    if cost <= fortune:
        return None
    text = f"That takes {cost} Fortune, and there is {fortune}."
    return RuleProblem("not_enough_fortune", text, "Fortune", (path,), cost, fortune)


def break_problem(cost: int, costs: FortuneCosts) -> RuleProblem | None:
    """What is wrong with the price of a Lucky Break (E10)."""
    if costs.break_least <= cost <= costs.break_most:
        return None
    text = f"A Lucky Break costs from {costs.break_least} to {costs.break_most} Fortune."
    return RuleProblem(
        "lucky_break_cost", text, "Lucky Break", ("cost",), cost, (costs.break_least, costs.break_most)
    )
