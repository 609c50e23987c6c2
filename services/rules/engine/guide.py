"""Making a character step by step: what is still to spend, what is wrong so far, what can be afforded.

A guide looks at choices that are not finished and may break rules; it never refuses, and it keeps nothing.
What it offers, taken into the choices, breaks no rule that the choices do not break already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from services.rules.engine.problem import RuleProblem

ChoicesT = TypeVar("ChoicesT")
ContentT = TypeVar("ContentT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Points to spend.

    Attributes:
        id: Stable within the system: `skills`.
        name: The game's word for it: "Skills".
        allowed: How many there are.
        spent: How many are spent; below 0 where liabilities return points.
        rule: Book section or ruling id.
    """

    id: str
    name: str
    allowed: int
    spent: int
    rule: str

    @property
    def remaining(self) -> int:
        """Points that are left; below 0 when too many are spent."""
        return self.allowed - self.spent


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something that could be taken next.

    Attributes:
        kind: What it is, in the game's terms: `trait`, `attribute`, `skill`.
        id: Content id, or the game's name for what stands outside the content: `strength`.
        name: The word for people.
        cost: Points it takes; below 0 for what returns some.
        budget: Id of the budget that pays.
        rating: What its rating becomes; None for what has none.
        note: What to know about it, in plain words; may be empty.
    """

    kind: str
    id: str
    name: str
    cost: int
    budget: str
    rating: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreationStep:
    """One step of making a character.

    Attributes:
        id: Stable within the system: `traits`.
        name: "Traits".
        text: What is decided here, in plain words.
        budgets: The points of this step.
        problems: Every rule that the choices of this step break; paths lead through the choices.
        offers: What is still affordable here.
    """

    id: str
    name: str
    text: str
    budgets: tuple[Budget, ...] = ()
    problems: tuple[RuleProblem, ...] = ()
    offers: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide(Generic[ChoicesT, ContentT]):
    """How a system leads through the making of a character.

    Attributes:
        steps: The steps in the order of the book, for choices as they are. Pure; total: it takes any choices
            that could be read. The problems of all steps together are those `build` would name.
    """

    steps: Callable[[ChoicesT, ContentT], tuple[CreationStep, ...]]
