"""A character drawn by chance, ready to play: every CP is spent, on what the concept is about.

The same stream of faces draws the same character. Nothing is taken that breaks a rule of the table, so that
what comes out builds at any table where a character of the concept can be built at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from services.rules.dice.stream import FaceStream
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.forge_engine.attributes import LOWEST, Attribute, Attributes
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.attacks import UNARMED
from services.rules.systems.forge_engine.characters.budgets import (
    GENERAL,
    SHARED,
    SKILLS,
    attribute_cp,
    budgets,
)
from services.rules.systems.forge_engine.characters.creation import Draft, Step, problems_by_step, read
from services.rules.systems.forge_engine.characters.skill_rules import skill_of
from services.rules.systems.forge_engine.characters.standing import ARMOR_TRAINING, SHIELD_TRAINING
from services.rules.systems.forge_engine.characters.trait_rules import species_of
from services.rules.systems.forge_engine.choices import HUMAN, Carried, CharacterChoices, Place, SkillRating
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.skills import GeneralSkill
from services.rules.systems.forge_engine.traits import Trait
from services.rules.systems.forge_engine.world import Concept

T = TypeVar("T")

WORTH = (0, 0, 10, 20, 29, 34)
"""What a rating is worth: each step less than the one before, so that a concept has more than one trick."""
TOP = len(WORTH) - 1
FIRST, SECOND, THIRD, OTHER = 12, 9, 7, 2
CHANCE = 3


def drawn_character(
    stream: FaceStream, catalog: Catalog, name: str | None, concept: str | None
) -> CharacterChoices | Problems:
    """A character drawn by chance.

    Args:
        stream: Where chance comes from.
        catalog: The content, with the table's settings.
        name: The character's name; drawn when None.
        concept: Content id of a concept; drawn when None, out of those that fit the table's eras.

    Returns:
        Choices that build; or a problem, for a concept that does not exist, or that cannot be built here.
    """
    if concept is not None and concept not in catalog.concepts:
        unknown = RuleProblem(
            "concept_unknown",
            "There is no such concept.",
            "Character Creation / Step 1",
            ("concept",),
            concept,
            catalog.concepts.ids,
        )
        return Problems((unknown,))
    eras = set(catalog.settings.eras)
    fitting = tuple(one for one in catalog.concepts if eras & set(one.eras)) or tuple(catalog.concepts)
    chosen = catalog.concepts[concept] if concept is not None else _one_of(stream, fitting)
    words = catalog.words
    choices = CharacterChoices(
        name=_one_of(stream, words.names) if name is None else name,
        concept=chosen.name,
        personality=_one_of(stream, words.traits),
        background=_one_of(stream, words.origins),
        moral_code=_one_of(stream, words.codes),
        goals=_one_of(stream, words.goals),
    )
    choices = _with_species(stream, choices, chosen, catalog)
    choices = _with_traits(choices, chosen, catalog)
    choices = _with_attributes(stream, choices, chosen, catalog)
    choices = _with_skills(stream, choices, chosen, catalog)
    choices = _with_equipment(choices, chosen, catalog)
    problems = tuple(
        problem for found in problems_by_step(read(choices, catalog)).values() for problem in found
    )
    if not problems:
        return choices
    path = ("name",) if problems[0].path == ("name",) else ("concept",)
    return Problems(tuple(replace(problem, path=path) for problem in problems))


def _one_of(stream: FaceStream, items: Sequence[T]) -> T:
    return items[stream.draw(len(items)) - 1]


def _shuffled(stream: FaceStream, items: Iterable[T]) -> list[T]:
    left, mixed = list(items), []
    while left:
        mixed.append(left.pop(stream.draw(len(left)) - 1))
    return mixed


def _broken(draft: Draft, steps: Iterable[Step]) -> set[tuple[str, KeyPath]]:
    found = problems_by_step(draft, steps).values()
    return {(problem.code, problem.path) for problems in found for problem in problems}


def _first_whole(
    before: Draft, candidates: Iterable[CharacterChoices], steps: Collection[Step] = tuple(Step)
) -> Draft | None:
    """The first of several that breaks no rule which is not broken already.

    Args:
        before: What they differ from.
        candidates: The alternatives.
        steps: Where they differ, or may break something by it.
    """
    broken = _broken(before, steps)
    drafts = (read(one, before.catalog) for one in candidates)
    return next((draft for draft in drafts if _broken(draft, steps) <= broken), None)


# Species and traits


def _with_species(
    stream: FaceStream, choices: CharacterChoices, concept: Concept, catalog: Catalog
) -> CharacterChoices:
    """The species: likelier the earlier the concept names it; any that the table plays, where none fits."""
    fitting = [one for one in concept.species if one in catalog.traits]
    weighted = [one for place, one in enumerate(fitting) for _ in range(len(fitting) - place)]
    drawn = [_one_of(stream, weighted)] if weighted else []
    others = (trait.id for trait in catalog.traits if trait.species is not None)
    order = dict.fromkeys((*drawn, *fitting, *(catalog.settings.species or ()), HUMAN, *others))
    candidates = (_choosing(stream, replace(choices, species=one), concept, catalog) for one in order)
    none_yet = read(replace(choices, species=""), catalog)
    found = _first_whole(none_yet, candidates)
    return replace(choices, species=next(iter(order))) if found is None else found.choices


def _choosing(
    stream: FaceStream, choices: CharacterChoices, concept: Concept, catalog: Catalog
) -> CharacterChoices:
    """A species with what is taken from its lists: what helps the concept most, and hinders it least."""
    species = species_of(choices, catalog)
    taken: list[str] = []
    for choice in () if species is None or species.species is None else species.species.choices:
        mixed = _shuffled(stream, (one for one in choice.of if one not in taken))
        barred = catalog.settings.barred
        mixed.sort(key=lambda one: (one in barred, -_help(trait_of(one, catalog), concept)))
        taken += mixed[: choice.take]
    return replace(choices, species_choices=tuple(taken))


def _help(trait: Trait | None, concept: Concept) -> int:
    """How much an attribute trait helps a concept; below 0 where it hinders."""
    if trait is None or trait.trend is None:
        return 0
    return -trait.trend.step_cp * _weight(trait.trend.attribute, concept)


def _weight(attribute: Attribute, concept: Concept) -> int:
    weights = dict(zip(concept.attributes, (FIRST, SECOND, THIRD), strict=False))
    return weights.get(attribute, OTHER)


def _with_traits(choices: CharacterChoices, concept: Concept, catalog: Catalog) -> CharacterChoices:
    draft = read(choices, catalog)
    for trait_id in concept.traits:
        more = replace(draft.choices, traits=(*draft.choices.traits, trait_id))
        draft = _first_whole(draft, (more,)) or draft
    return draft.choices


# Attributes


def _with_attributes(
    stream: FaceStream, choices: CharacterChoices, concept: Concept, catalog: Catalog
) -> CharacterChoices:
    """The ratings that are worth most to the concept, out of those that leave the fewest CP."""
    draft = read(choices, catalog)
    traits = [owned.trait for owned in draft.created.traits]
    budget = next(one.remaining for one in budgets(draft.spent, catalog.settings) if one.id == SHARED)
    best: dict[int, tuple[int, Attributes]] = {0: (0, Attributes())}
    for attribute in Attribute:
        weight = CHANCE * _weight(attribute, concept) + stream.draw(CHANCE * OTHER)
        better: dict[int, tuple[int, Attributes]] = {}
        for rating in range(LOWEST, _most(attribute, draft, catalog) + 1):
            price = attribute_cp(attribute, LOWEST, rating, traits)
            for spent, (worth, ratings) in best.items():
                total, value = spent + price, worth + weight * WORTH[rating]
                if total <= max(budget, 0) and value >= better.get(total, (-1,))[0]:
                    better[total] = (value, ratings.rated(attribute, rating))
        best = better
    return replace(choices, attributes=best[max(best)][1])


def _most(attribute: Attribute, draft: Draft, catalog: Catalog) -> int:
    caps = [TOP if catalog.settings.attribute_most is None else catalog.settings.attribute_most]
    size = draft.created.size
    if (
        size is not None
        and size.attribute_cap is not None
        and attribute in (Attribute.STRENGTH, Attribute.STAMINA)
    ):
        caps.append(size.attribute_cap)
    own = (owned.trait.cap for owned in draft.created.traits)
    caps += [cap.most for cap in own if cap is not None and cap.attribute is attribute]
    return max(LOWEST, min(TOP, *caps))


# Skills


def _with_skills(
    stream: FaceStream, choices: CharacterChoices, concept: Concept, catalog: Catalog
) -> CharacterChoices:
    """General skills first, as far as they must be; then what the concept fights or works magic with.

    What is left goes to general skills again, and at last to whatever may be learned at all.
    """
    general = [one for one in concept.general if isinstance(skill_of(one, catalog), GeneralSkill)]
    others = _shuffled(
        stream, (one.id for one in catalog.skills if one.id not in general and not one.by_field)
    )
    least = next(
        one.allowed for one in budgets(read(choices, catalog).spent, catalog.settings) if one.id == GENERAL
    )
    choices = _learned(choices, (*general, *others), catalog, lambda draft: draft.spent.general < least)
    fighting = tuple(_mixed(concept.martial, concept.spells))
    rest = _shuffled(stream, (one.id for one in catalog.martial if one.attribute is None))
    for wanted in (fighting, general, rest, others):
        choices = _learned(choices, wanted, catalog, lambda draft: _skill_points(draft) > 0)
    return choices


def _skill_points(draft: Draft) -> int:
    return next(one.remaining for one in budgets(draft.spent, draft.catalog.settings) if one.id == SKILLS)


def _mixed(one: Sequence[str], other: Sequence[str]) -> Iterator[str]:
    """Both in turn, so that a battle mage learns to fight as well."""
    for place in range(max(len(one), len(other))):
        yield from (*one[place : place + 1], *other[place : place + 1])


def _learned(
    choices: CharacterChoices,
    wanted: Iterable[str],
    catalog: Catalog,
    more: Callable[[Draft], bool],
) -> CharacterChoices:
    """The choices with skills raised in rounds, what matters most first, as long as there is more to spend.

    The first half of what is wanted goes up to 3 before the rest is begun; so a concept has a few skills that
    it is good at.
    """
    order = tuple(wanted)
    ahead = order[: (len(order) + 1) // 2]
    draft = read(choices, catalog)
    for skills, most in ((ahead[:4], 3), (ahead, 2), (order, 2), (ahead, 4), (order, 4)):
        for skill in skills:
            while more(draft):
                raised = _raised(draft, skill, most)
                if raised is None:
                    break
                draft = raised
    return draft.choices


def _raised(draft: Draft, skill: str, most: int) -> Draft | None:
    """One rating more; None where it is as high as it should be, or a rule forbids it."""
    skills = draft.choices.skills
    place = next((index for index, bought in enumerate(skills) if bought.skill == skill), None)
    if place is None:
        raised = (*skills, SkillRating(skill=skill, rating=1))
    elif skills[place].rating >= most:
        return None
    else:
        higher = replace(skills[place], rating=skills[place].rating + 1)
        raised = (*skills[:place], higher, *skills[place + 1 :])
    return _first_whole(draft, (replace(draft.choices, skills=raised),), (Step.SKILLS,))


# Equipment


def _with_equipment(choices: CharacterChoices, concept: Concept, catalog: Catalog) -> CharacterChoices:
    """What the concept carries: armour and shield as far as they are no burden, one weapon in hand."""
    draft = read(choices, catalog)
    person = draft.person
    strength = person.attributes.strength
    limits = {
        EquipmentKind.ARMOR: min(strength, person.rating(ARMOR_TRAINING)),
        EquipmentKind.SHIELD: min(strength, person.rating(SHIELD_TRAINING)),
    }
    # Everybody has fists without carrying them.
    fists = catalog.equipment[UNARMED].name if UNARMED in catalog.equipment else ""
    for wanted in concept.equipment:
        item = catalog.equipment.get(wanted)
        table = None if item is None else catalog.tables.get(item.table)
        if item is None or table is None or item.name == fists:
            continue
        rows: tuple[str, ...] = (item.id,)
        if table.kind in limits:
            lighter = [
                one for one in catalog.equipment if one.table == table.id and one.rating <= item.rating
            ]
            lighter.sort(key=lambda one: -one.rating)
            rows = tuple(one.id for one in lighter if one.rating <= limits[table.kind])
        more = (
            replace(draft.choices, equipment=(*draft.choices.equipment, Carried(item=row, place=place)))
            for row in rows
            for place in _places(table.kind)
        )
        draft = _first_whole(draft, more, (Step.EQUIPMENT,)) or draft
    return draft.choices


def _places(kind: EquipmentKind) -> tuple[Place, ...]:
    match kind:
        case EquipmentKind.ARMOR:
            return (Place.WORN,)
        case EquipmentKind.SHIELD:
            return (Place.OFF_HAND, Place.SLUNG)
        case _:
            return (Place.WIELDED, Place.SLUNG)
