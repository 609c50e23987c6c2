"""Making a character step by step, as the book does: points left, what is wrong, what can still be had.

An offer costs what it really takes from its budget: a trait that makes attributes cheaper costs less once
these are bought. Whatever is offered can be taken, and no rule is broken by it that was not broken before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.rules.engine.guide import Budget, CreationStep, Guide, Offer
from services.rules.engine.problem import KeyPath
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.budgets import (
    DEVELOPMENT,
    GENERAL,
    MAGIC,
    MARTIAL,
    SHARED,
    SKILLS,
    SPECIALIZED,
    budgets,
)
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.choices import CharacterChoices, SkillRating
from services.rules.systems.forge_engine.creation import Draft, Step, problems_by_step, read
from services.rules.systems.forge_engine.person import skill_key
from services.rules.systems.forge_engine.skill_rules import AnySkill, skill_name, skill_of, takes_field
from services.rules.systems.forge_engine.skills import GeneralSkill
from services.rules.systems.forge_engine.trait_rules import damage_traits, species_of, trait_of
from services.rules.systems.forge_engine.traits import TraitCategory

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

SPECIES, SPECIES_CHOICE, TRAIT, ATTRIBUTE, SKILL = "species", "species_choice", "trait", "attribute", "skill"


def creation_steps(choices: CharacterChoices, catalog: Catalog) -> tuple[CreationStep, ...]:
    """The ten steps of the book and what comes after them, for choices as they are."""
    draft = read(choices, catalog)
    problems = problems_by_step(draft)
    points = _budgets(draft)
    offers = _offers(draft)
    return tuple(
        CreationStep(
            id=step.value,
            name=WORDS[step][0],
            text=WORDS[step][1],
            budgets=tuple(budget for budget in points if budget.id in _SPENT_IN.get(step, ())),
            problems=problems[step],
            offers=offers.get(step, ()),
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


# What is offered


def _offers(draft: Draft) -> dict[Step, tuple[Offer, ...]]:
    broken = _broken(draft, Step)
    found: dict[Step, list[Offer]] = {Step.TRAITS: [], Step.ATTRIBUTES: [], Step.SKILLS: []}
    for step, offer in _imaginable(draft):
        after = read(take(draft.choices, offer), draft.catalog)
        shared = after.spent.shared - draft.spent.shared
        cost = offer.cost if step is Step.SKILLS else shared
        allowed = draft.catalog.settings.trait_cp - draft.spent.shared
        affordable = step is Step.SKILLS or cost <= 0 or cost <= allowed
        if affordable and _broken(after, _TOUCHED[step]) <= broken:
            found[step].append(replace(offer, cost=cost))
    return {step: tuple(offers) for step, offers in found.items()}


_TOUCHED = {
    Step.TRAITS: (Step.TRAITS, Step.ATTRIBUTES, Step.SKILLS, Step.EQUIPMENT, Step.DEVELOPMENT),
    Step.ATTRIBUTES: (Step.ATTRIBUTES, Step.SKILLS, Step.DEVELOPMENT),
    Step.SKILLS: (Step.SKILLS, Step.DEVELOPMENT),
}
"""Where an offer of a step can break something at all."""


def _broken(draft: Draft, steps: Iterable[Step]) -> set[tuple[str, KeyPath]]:
    return {(one.code, one.path) for problems in problems_by_step(draft, steps).values() for one in problems}


def _imaginable(draft: Draft) -> Iterator[tuple[Step, Offer]]:
    """Everything that could be taken next, by the rules or not."""
    yield from ((Step.TRAITS, offer) for offer in _species_offers(draft))
    yield from ((Step.TRAITS, offer) for offer in _trait_offers(draft))
    for attribute in Attribute:
        rating = draft.choices.attributes.of(attribute) + 1
        yield (
            Step.ATTRIBUTES,
            Offer(
                kind=ATTRIBUTE,
                id=attribute.value,
                name=attribute.label,
                cost=0,
                budget=SHARED,
                rating=rating,
            ),
        )
    yield from ((Step.SKILLS, offer) for offer in _skill_offers(draft))


def _species_offers(draft: Draft) -> Iterator[Offer]:
    catalog, choices = draft.catalog, draft.choices
    species = species_of(choices, catalog)
    if species is None:
        for trait in catalog.traits:
            if trait.species is not None:
                yield Offer(
                    kind=SPECIES, id=trait.id, name=trait.name, cost=0, budget=SHARED, note=trait.summary
                )
        return
    lists = () if species.species is None else species.species.choices
    if len(choices.species_choices) < sum(choice.take for choice in lists):
        for trait_id in dict.fromkeys(offer for choice in lists for offer in choice.of):
            chosen = trait_of(trait_id, catalog)
            if chosen is not None:
                yield Offer(
                    kind=SPECIES_CHOICE,
                    id=trait_id,
                    name=chosen.name,
                    cost=0,
                    budget=SHARED,
                    note=chosen.summary,
                )


def _trait_offers(draft: Draft) -> Iterator[Offer]:
    for trait in (*draft.catalog.traits, *damage_traits(draft.catalog)):
        if trait.category is not TraitCategory.SPECIES and not draft.created.has(trait.id):
            yield Offer(kind=TRAIT, id=trait.id, name=trait.name, cost=0, budget=SHARED, note=trait.summary)


def _skill_offers(draft: Draft) -> Iterator[Offer]:
    """Ratings to raise, and new skills; of skills learned by field those fields that the book names.

    What general skills still need is kept for them.
    """
    catalog, known = draft.catalog, draft.created.skills
    points = {budget.id: budget.remaining for budget in budgets(draft.spent, catalog.settings)}
    if points[SKILLS] <= 0:
        return
    waived = "general_skill_minimum" in draft.choices.leave
    any_kind = points[SKILLS] > (0 if waived else points[GENERAL])
    for learned in known.values():
        skill = skill_of(learned.skill, catalog)
        if skill is not None and (any_kind or isinstance(skill, GeneralSkill)):
            yield _skill_offer(skill, learned.field, learned.rating + 1)
    for skill in (
        *catalog.skills,
        *(catalog.martial if any_kind else ()),
        *(catalog.spells if any_kind else ()),
    ):
        fields = getattr(skill, "fields", ()) if takes_field(skill) else ("",)
        for field in fields:
            if skill_key(skill.id, field) not in known:
                yield _skill_offer(skill, field, 1)


def _skill_offer(skill: AnySkill, field: str, rating: int) -> Offer:
    return Offer(
        kind=SKILL,
        id=skill.id,
        name=skill_name(skill, field),
        cost=1,
        budget=SKILLS,
        rating=rating,
        note=field,
    )


def take(choices: CharacterChoices, offer: Offer) -> CharacterChoices:
    """The choices with an offer taken."""
    match offer.kind:
        case "species":
            return replace(choices, species=offer.id)
        case "species_choice":
            return replace(choices, species_choices=(*choices.species_choices, offer.id))
        case "trait":
            return replace(choices, traits=(*choices.traits, offer.id))
        case "attribute":
            attribute = Attribute(offer.id)
            rating = choices.attributes.of(attribute) + 1
            return replace(choices, attributes=choices.attributes.rated(attribute, rating))
        case "skill":
            return replace(choices, skills=_raised(choices.skills, offer))
        case kind:
            raise ValueError(f"no such kind of offer: {kind}")


def _raised(skills: tuple[SkillRating, ...], offer: Offer) -> tuple[SkillRating, ...]:
    key = skill_key(offer.id, offer.note)
    for index, bought in enumerate(skills):
        if skill_key(bought.skill, bought.field) == key:
            raised = replace(bought, rating=bought.rating + 1)
            return (*skills[:index], raised, *skills[index + 1 :])
    return (*skills, SkillRating(skill=offer.id, rating=1, field=offer.note))


GUIDE: Guide[CharacterChoices, Catalog] = Guide(steps=creation_steps)
