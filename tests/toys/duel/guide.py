"""How Duel leads through the making of a duellist."""

from __future__ import annotations

from services.rules.engine.guide import Budget, CreationStep, Guide, Offer
from services.rules.engine.problem import Problems

from .build import build
from .catalog import DuelContent
from .choices import DuelChoices, DuelStyle


def steps(choices: DuelChoices, content: DuelContent) -> tuple[CreationStep, ...]:
    """A name first, then a style, which is the one die that everybody may choose."""
    built = build(choices, content)
    wrong = built.items if isinstance(built, Problems) else ()
    other = next(style for style in DuelStyle if style is not choices.style)
    offer = Offer(kind="style", id=other.value, name=other.name.capitalize(), cost=0, budget="dice")
    dice = Budget(id="dice", name="Extra dice", allowed=1, spent=1, rule="Styles")
    return (
        CreationStep(
            id="name",
            name="Name",
            text="What the others shout.",
            problems=tuple(problem for problem in wrong if problem.path == ("name",)),
        ),
        CreationStep(
            id="style",
            name="Style",
            text="One die more to strike, or against a strike.",
            budgets=(dice,),
            problems=tuple(problem for problem in wrong if problem.path != ("name",)),
            offers=(offer,),
        ),
    )


GUIDE: Guide[DuelChoices, DuelContent] = Guide(steps=steps)
