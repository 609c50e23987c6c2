"""Making a character step by step, as the book does: points left, what is wrong, what can still be had."""

from __future__ import annotations

from services.rules.engine.guide import Budget, CreationStep, Guide
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.budgets import (
    DEVELOPMENT,
    GENERAL,
    MAGIC,
    MARTIAL,
    SHARED,
    SKILLS,
    SPECIALIZED,
    budgets,
)
from services.rules.systems.forge_engine.characters.creation import Draft, Step, problems_by_step, read
from services.rules.systems.forge_engine.characters.offers import offers
from services.rules.systems.forge_engine.choices import CharacterChoices

WORDS = {
    Step.CONCEPT: ("Concept", "Think of whom you want to play, and how they fit in."),
    Step.TRAITS: ("Traits", "Choose a species, what it lets you choose, and traits to buy."),
    Step.ATTRIBUTES: ("Attributes", "Raise attributes; each step costs the rating it leads to."),
    Step.SKILLS: ("Skills", "Each rating costs 1 CP; part of them goes to general skills."),
    Step.ENERGY: ("Energy", "Your three highest attributes together."),
    Step.DEFENSES: ("Defenses", "PD is 1 and armor; MD is the middle one of the mental attributes."),
    Step.HEALTH: ("Health", "By size and Stamina."),
    Step.MOVEMENT: ("Movement", "By size."),
    Step.EQUIPMENT: ("Equipment", "What you carry, and where; the game master has a say in it."),
    Step.DETAILS: ("Final details", "Personality, background, moral code and goals."),
    Step.DEVELOPMENT: ("Development", "What came later: CP awarded, and what they were spent on."),
}


def creation_steps(choices: CharacterChoices, catalog: Catalog) -> tuple[CreationStep, ...]:
    """The ten steps of the book and what comes after them, for choices as they are."""
    draft = read(choices, catalog)
    problems = problems_by_step(draft)
    points = _budgets(draft)
    offered = offers(draft, problems)
    return tuple(
        CreationStep(
            id=step.value,
            name=WORDS[step][0],
            text=WORDS[step][1],
            budgets=tuple(budget for budget in points if budget.id in _SPENT_IN.get(step, ())),
            problems=problems[step],
            offers=offered.get(step, ()),
        )
        for step in Step
    )


_SPENT_IN = {
    Step.TRAITS: (SHARED,),
    Step.ATTRIBUTES: (SHARED,),
    Step.SKILLS: (SKILLS, GENERAL, MARTIAL, SPECIALIZED, MAGIC),
    Step.DEVELOPMENT: (DEVELOPMENT,),
}


def _budgets(draft: Draft) -> tuple[Budget, ...]:
    growth = draft.growth
    return (
        *budgets(draft.spent, draft.catalog.settings),
        Budget(
            id=DEVELOPMENT,
            name="CP earned in play",
            allowed=growth.kept + growth.earned,
            spent=growth.spent,
            rule="Character Development",
        ),
    )


GUIDE: Guide[CharacterChoices, Catalog] = Guide(steps=creation_steps)
