"""Choices read as a whole: the character at creation and now, and every broken rule by the book's steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.belongings import belonging_problems
from services.rules.systems.forge_engine.characters.budgets import (
    Spending,
    attributes_cp,
    kept_cp,
    shared_budget_problems,
    skill_budget_problems,
    trait_cp,
)
from services.rules.systems.forge_engine.characters.development import Growth, grow
from services.rules.systems.forge_engine.characters.permission import leave_problems, unwaived
from services.rules.systems.forge_engine.characters.person import Person, TraitSource
from services.rules.systems.forge_engine.characters.skill_rules import (
    SkillKind,
    skill_cp,
    skill_problems,
    skills_at_creation,
)
from services.rules.systems.forge_engine.characters.trait_rules import (
    countable,
    rating_problems,
    species_of,
    trait_problems,
    traits_at_creation,
)
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.conditions import CONDITIONS
from services.rules.systems.forge_engine.traits import Trait
from services.rules.systems.forge_engine.world import ConditionKind

NAME_LENGTH = 80
TEXT_LENGTH = 1000


class Step(Enum):
    """The ten steps of the book, and what comes after them."""

    CONCEPT = "concept"
    TRAITS = "traits"
    ATTRIBUTES = "attributes"
    SKILLS = "skills"
    ENERGY = "energy"
    DEFENSES = "defenses"
    HEALTH = "health"
    MOVEMENT = "movement"
    EQUIPMENT = "equipment"
    DETAILS = "details"
    DEVELOPMENT = "development"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Choices, legal or not, read beside the content.

    Attributes:
        species: The species trait; None when there is none.
        created: The character at creation.
        spent: CP spent at creation.
        growth: What became of it since.
    """

    choices: CharacterChoices
    catalog: Catalog
    species: Trait | None
    created: Person
    spent: Spending
    growth: Growth

    @property
    def person(self) -> Person:
        """The character now."""
        return self.growth.person


def read(choices: CharacterChoices, catalog: Catalog) -> Draft:
    """Reads choices, however unfinished or wrong they are."""
    traits = traits_at_creation(choices, catalog)
    attributes = countable(choices.attributes)
    created = Person(attributes=attributes, traits=traits, skills=skills_at_creation(choices, catalog))
    cp = skill_cp(choices, catalog)
    species = species_of(choices, catalog)
    # The species has a price of its own; what it bundles costs nothing.
    species_cp = 0 if species is None else trait_cp(species, catalog.settings)
    spent = Spending(
        attributes=attributes_cp(attributes, (owned.trait for owned in traits)),
        traits=species_cp + sum(owned.cp for owned in traits if owned.source is TraitSource.BOUGHT),
        general=cp[SkillKind.GENERAL],
        basic=cp[SkillKind.BASIC],
        specialized=cp[SkillKind.SPECIALIZED],
        magic=cp[SkillKind.MAGIC],
    )
    kept = kept_cp(spent, catalog.settings)
    return Draft(
        choices=choices,
        catalog=catalog,
        species=species,
        created=created,
        spent=spent,
        growth=grow(created, kept, choices.development, catalog),
    )


def problems_by_step(
    draft: Draft, steps: Iterable[Step] = tuple(Step)
) -> Mapping[Step, tuple[RuleProblem, ...]]:
    """Every rule the choices break that nobody waives, under the step it belongs to."""
    leave = draft.choices.leave
    return {step: tuple(unwaived(_problems(step, draft), leave)) for step in steps}


def waived_problems(draft: Draft) -> tuple[RuleProblem, ...]:
    """What the game master lets pass for this character."""
    kept = {problem for problems in problems_by_step(draft).values() for problem in problems}
    return tuple(problem for step in Step for problem in _problems(step, draft) if problem not in kept)


def _problems(step: Step, draft: Draft) -> Iterator[RuleProblem]:
    choices, catalog = draft.choices, draft.catalog
    match step:
        case Step.CONCEPT:
            yield from _concept_problems(choices)
            yield from leave_problems(choices.leave)
        case Step.TRAITS:
            yield from trait_problems(choices, catalog)
        case Step.ATTRIBUTES:
            yield from rating_problems(choices.attributes, draft.created.traits, catalog.settings)
            yield from shared_budget_problems(draft.spent, catalog.settings)
        case Step.SKILLS:
            yield from skill_problems(choices, draft.created, catalog)
            yield from skill_budget_problems(draft.spent, catalog.settings)
        case Step.ENERGY:
            if choices.expended < 0:
                yield RuleProblem(
                    "expended_below_0",
                    "Nobody expends less than nothing.",
                    "Energy / Expending Energy",
                    ("expended",),
                    choices.expended,
                    0,
                )
        case Step.EQUIPMENT:
            yield from belonging_problems(choices, draft.person, catalog)
        case Step.DETAILS:
            for field in ("personality", "background", "moral_code", "goals"):
                yield from _length_problems(field, getattr(choices, field), TEXT_LENGTH)
        case Step.DEVELOPMENT:
            yield from draft.growth.problems
            for index, entry in enumerate(choices.development):
                for problem in _length_problems("note", entry.note, TEXT_LENGTH):
                    yield RuleProblem(
                        problem.code,
                        problem.message,
                        problem.rule,
                        ("development", index, "note"),
                        problem.found,
                        problem.allowed,
                    )
        case Step.HEALTH:
            yield from _condition_problems(choices, catalog)
        case Step.DEFENSES | Step.MOVEMENT:
            return


def _concept_problems(choices: CharacterChoices) -> Iterator[RuleProblem]:
    if not choices.name.strip():
        yield RuleProblem(
            "name_missing", "A character needs a name.", "Character Sheets", ("name",), choices.name
        )
    yield from _length_problems("name", choices.name, NAME_LENGTH)
    yield from _length_problems("concept", choices.concept, TEXT_LENGTH)


def _condition_problems(choices: CharacterChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    for index, condition in enumerate(choices.conditions):
        path: KeyPath = ("conditions", index)
        known = catalog.conditions.get(condition)
        if known is None:
            yield RuleProblem("id_unknown", "There is no such condition.", CONDITIONS, path, condition)
        elif ConditionKind.ONGOING not in known.kinds:
            text = f"{known.name} ends with what brought it about."
            yield RuleProblem("condition_not_ongoing", text, CONDITIONS, path, condition)
        elif condition in choices.conditions[:index]:
            yield RuleProblem("condition_twice", "A condition is borne once.", CONDITIONS, path, condition)


def _length_problems(field: str, text: str, most: int) -> Iterator[RuleProblem]:
    if len(text) > most:
        yield RuleProblem(
            "text_too_long", f"At most {most} signs fit.", "Character Sheets", (field,), len(text), most
        )
