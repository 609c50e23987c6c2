"""Answers: Lucky Breaks, stories and conflicts."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward(plain.Move):
    """Add Fortune to a story that all agree was awesome.

    Attributes:
        points: How much; 0 for none.
    """

    points: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Price(plain.Move):
    """Name the Fortune that a Lucky Break costs.

    Attributes:
        cost: How much.
    """

    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse(plain.Move):
    """Refuse a Lucky Break, which then costs nothing, not even the action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateGoal(plain.Move):
    """Say what one wants in a conflict, and how far one will go.

    Attributes:
        goal: Both, in words.
    """

    goal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateOutcomes(plain.Move):
    """Say what becomes of a conflict if the one or the other succeeds.

    Attributes:
        attacker: The consequence for the defender if the attacker succeeds.
        defender: The consequence for the attacker if the defender succeeds.
    """

    attacker: str = ""
    defender: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(plain.Move):
    """Decide a conflict as its defender, without a roll.

    Attributes:
        words: What happens.
    """

    words: str = ""
