"""Attribute tests on the sheet: one for each attribute and general skill (Attribute Tests; C1 to C5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.rules.engine.content import content_id, slug_of
from services.rules.engine.explain import Explained
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.characters.person import Learned, Person, best_of, skill_key
from services.rules.systems.forge_engine.characters.skill_rules import (
    COMMON,
    KNOWLEDGE,
    LANGUAGE,
    NATIVE,
    skill_name,
)
from services.rules.systems.forge_engine.characters.standing import Standing
from services.rules.systems.forge_engine.choices import CharacterChoices, Place
from services.rules.systems.forge_engine.derived import attribute_test
from services.rules.systems.forge_engine.pools.attack_pool import with_externalities
from services.rules.systems.forge_engine.pools.attribute_pool import body_parts
from services.rules.systems.forge_engine.sheet_lines import AttributeTest, BonusLine
from services.rules.systems.forge_engine.skills import GeneralSkill

INFECTION_RESISTANCE = content_id(SLUG, "skill", "infection-resistance")


def free_skills(person: Person, choices: CharacterChoices, catalog: Catalog) -> tuple[Learned, ...]:
    """Skills that everybody has for nothing (R5; R-66; Zombie Apocalypse for the last one)."""
    intelligence = person.attributes.intelligence
    native = intelligence if choices.native_language is None else min(choices.native_language, intelligence)
    found = [
        Learned(skill=LANGUAGE, rating=native, field=NATIVE),
        Learned(skill=KNOWLEDGE, rating=intelligence, field=COMMON),
    ]
    if INFECTION_RESISTANCE in catalog.settings.options and not person.rating(INFECTION_RESISTANCE):
        found.append(Learned(skill=INFECTION_RESISTANCE, rating=person.attributes.stamina))
    return tuple(found)


def attribute_tests(standing: Standing) -> tuple[AttributeTest, ...]:
    """Tests of the six attributes alone, then of every general skill that is in play or was learned."""
    return (
        *(_line(standing, attribute, None, 0, "") for attribute in Attribute),
        *_told_apart(_skill_lines(standing)),
    )


def _told_apart(lines: Iterable[AttributeTest]) -> Iterator[AttributeTest]:
    """The lines with ids of their own, even where fields differ in their marks alone."""
    seen: set[str] = set()
    for line in lines:
        line_id, count = line.id, 1
        while line_id in seen:
            count += 1
            line_id = f"{line.id}-{count}"
        seen.add(line_id)
        yield line if line_id == line.id else replace(line, id=line_id)


def _skill_lines(standing: Standing) -> Iterator[AttributeTest]:
    person, catalog = standing.person, standing.catalog
    known = {
        skill_key(one.skill, one.field): one for one in free_skills(person, standing.draft.choices, catalog)
    }
    known |= {key: one for key, one in person.skills.items() if one.skill in catalog.skills}
    for skill in catalog.skills:
        attribute = best_of(skill.attributes, standing.attributes)
        if attribute is None:
            continue
        learned = [one for one in known.values() if one.skill == skill.id]
        if (
            not learned
            and not skill.by_field
            and (not skill.optional or skill.id in standing.settings.options)
        ):
            learned = [Learned(skill=skill.id, rating=0)]
        for one in learned:
            yield _line(standing, attribute, skill, one.rating, one.field)


def _line(
    standing: Standing, attribute: Attribute, skill: GeneralSkill | None, rating: int, field: str
) -> AttributeTest:
    name = attribute.label if skill is None else f"{attribute.label} ({_inner(skill, field)})"
    return AttributeTest(
        id=_test_id(attribute, skill, field),
        name=name,
        attribute=attribute,
        skill=None if skill is None else skill.id,
        field=field,
        trained=rating > 0,
        dice=_dice(standing, attribute, skill, rating, field),
        bonuses=tuple(_bonuses(standing, attribute, skill, field)),
    )


def _inner(skill: GeneralSkill, field: str) -> str:
    return f"{skill.name}: {field}" if field else skill_name(skill)


def _test_id(attribute: Attribute, skill: GeneralSkill | None, field: str) -> str:
    if skill is None:
        return f"test-{attribute.value}"
    stem = f"test-{slug_of(skill.id)}"
    return f"{stem}-{'-'.join(field.casefold().split())}" if field else stem


def _dice(
    standing: Standing, attribute: Attribute, skill: GeneralSkill | None, rating: int, field: str
) -> Explained:
    words = "" if skill is None else skill_name(skill, field)
    dice = attribute_test(attribute.label, standing.attributes.of(attribute), words, rating)
    skill_id = "" if skill is None else skill.id
    size_name = standing.size_trait.name
    return with_externalities(
        dice, body_parts(standing.size, size_name, standing.traits, attribute, skill_id)
    )


def _helps(skills: tuple[str, ...], skill: GeneralSkill | None) -> bool:
    return not skills or (skill is not None and skill.id in skills)


def _bonuses(
    standing: Standing, attribute: Attribute, skill: GeneralSkill | None, field: str
) -> Iterator[BonusLine]:
    for trait in standing.traits:
        for bonus in trait.tests:
            if bonus.when and bonus.attribute is attribute and _helps(bonus.skills, skill):
                yield BonusLine(
                    dice=bonus.dice, when=bonus.when, source=trait.name, rule=f"Traits / {trait.name}"
                )
        if trait.linked_intelligence and attribute is Attribute.INTELLIGENCE:
            yield BonusLine(
                dice=trait.linked_intelligence,
                when="for each linked mind within range",
                source=trait.name,
                rule=f"Traits / {trait.name} [R-14]",
            )
    for thing in standing.draft.choices.things:
        if not thing.dice or not _tool_helps(thing.attribute, thing.skill, attribute, skill):
            continue
        if thing.field and skill_key("", thing.field) != skill_key("", field):
            continue
        lost = min(standing.off_hand_dice, thing.dice) if thing.place is Place.OFF_HAND else 0
        yield BonusLine(
            dice=thing.dice - lost,
            when=f"with {thing.name.strip()}" + (f", {lost} lost in the off-hand" if lost else ""),
            source=thing.name.strip(),
            rule="Equipment / Tools",
        )


def _tool_helps(
    tool_attribute: Attribute | None, tool_skill: str | None, attribute: Attribute, skill: GeneralSkill | None
) -> bool:
    if tool_skill is not None and (skill is None or skill.id != tool_skill):
        return False
    return tool_attribute is None or tool_attribute is attribute
