"""Characters in the making: what is left to spend, what is wrong so far, what is affordable. None is kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.character.building.builds import MAX_ISSUES, Build, build, issue
from services.rules.engine.guide import Budget, CreationStep, Offer
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput, Issue
from services.shared.wording import camel, clipped

UNREADABLE = frozenset({"SYSTEM_UNKNOWN", "BAD_CHARACTER", "TOO_LARGE"})
"""Choices that go no further than the door."""


@dataclass(frozen=True, slots=True)
class DraftStep:
    """One step of making a character.

    Attributes:
        id: stable within the system.
        name: what a heading says.
        text: what is decided here, in plain words.
        budgets: the points of this step.
        issues: every rule that the choices of this step break.
        offers: what is still affordable here.
    """

    id: str
    name: str
    text: str
    budgets: tuple[Budget, ...]
    issues: list[Issue]
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What the rules say of choices as they are.

    Attributes:
        system: slug of the game system.
        steps: the steps of its guide, or the one that was asked for; none where it has no guide.
        issues: every rule that the choices break, as making the character would name them.
        document: the sheet as it is published; None while a rule is broken.
    """

    system: str
    steps: tuple[DraftStep, ...]
    issues: list[Issue]
    document: dict[str, Any] | None


def draft(systems: Mapping[str, AnySystem], wanted: Build, step: str | None = None) -> Draft:
    """Look at choices that are not finished.

    Args:
        systems: the games that can be played, by slug.
        wanted: the choices.
        step: id of the step to look at; all of them when None.

    Raises:
        InvalidInput: the choices cannot be read, or there is no such step.
    """
    document, issues = _built(systems, wanted)
    system = systems[wanted.system]
    steps = () if system.guide is None else system.guide.steps(wanted.choices, system.content)
    chosen = tuple(found for found in steps if step in (None, found.id))
    if step is not None and not chosen:
        raise InvalidInput.single(
            "STEP_UNKNOWN",
            "The making of a character has no such step here.",
            "step",
            found=clipped(step),
            allowed=", ".join(found.id for found in steps),
        )
    base = ["build", camel(system.slug)]
    return Draft(system.slug, tuple(_step(found, base) for found in chosen), issues, document)


def _built(systems: Mapping[str, AnySystem], wanted: Build) -> tuple[dict[str, Any] | None, list[Issue]]:
    """Return the sheet that the choices make, or the rules that they break."""
    try:
        return build(systems, wanted).sheet, []
    except InvalidInput as refused:
        if any(found.code in UNREADABLE for found in refused.issues):
            raise
        return None, refused.issues


def _step(step: CreationStep, base: list[str]) -> DraftStep:
    return DraftStep(
        id=step.id,
        name=step.name,
        text=step.text,
        budgets=step.budgets,
        issues=[issue(problem, base) for problem in step.problems[:MAX_ISSUES]],
        offers=step.offers,
    )
