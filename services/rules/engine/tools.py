"""Questions that a game's own arithmetic answers: how hard is this encounter, what does this spell cost.

A tool takes a frozen dataclass and returns one, or every rule the question breaks. It is pure, rolls nothing
and keeps nothing. Where chances are asked for they are exact: fields of the type `Fraction`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from services.rules.engine.content import Content
from services.rules.engine.problem import Problems

GivenT = TypeVar("GivenT")
AnswerT = TypeVar("AnswerT")
ContentT = TypeVar("ContentT", bound=Content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[GivenT, AnswerT, ContentT]):
    """One kind of question.

    Attributes:
        name: Stable within the system, in snake case: `spell_cost`.
        title: What a heading says: "Cost of a spell".
        text: What it answers, in plain words.
        rule: Book section or ruling id.
        given: Frozen dataclass of the question.
        answer: Frozen dataclass of the answer.
        run: Answers, or names every rule that the question breaks with its path.
    """

    name: str
    title: str
    text: str
    rule: str
    given: type[GivenT]
    answer: type[AnswerT]
    run: Callable[[GivenT, ContentT], AnswerT | Problems]


AnyTool = Tool[Any, Any, Any]
"""A tool whose types the caller does not know."""
