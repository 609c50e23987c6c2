"""Skills: which there are, what caps them, and what is wrong with those that were bought (Skills; Step 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum

from services.rules.engine.content import slug_of
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.attributes import LOWEST, Attribute
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.characters.permission import absence_problems
from services.rules.systems.forge_engine.characters.person import (
    Learned,
    Person,
    SkillKey,
    best_of,
    skill_key,
)
from services.rules.systems.forge_engine.characters.trait_rules import HIGHEST
from services.rules.systems.forge_engine.choices import CharacterChoices, SkillRating
from services.rules.systems.forge_engine.skills import GeneralSkill, MartialKind, MartialSkill, Spell

AnySkill = GeneralSkill | MartialSkill | Spell

STEP = "Character Creation / Step 4"
FIELD_LENGTH = 60

LANGUAGE, KNOWLEDGE = f"{SLUG}:skill/language", f"{SLUG}:skill/knowledge"
NATIVE, COMMON = "Native", "Common"

FREE_SKILLS = ((LANGUAGE, NATIVE), (KNOWLEDGE, COMMON))
"""What everybody knows for nothing, as well as their Intelligence allows (R5)."""

_FREE_KEYS = frozenset(skill_key(*free) for free in FREE_SKILLS)


class SkillKind(Enum):
    """The kinds of skills, as the budgets tell them apart.

    Attributes:
        GENERAL: General skills, for attribute tests.
        BASIC: Basic martial skills.
        SPECIALIZED: Specialized martial skills.
        MAGIC: Spells.
    """

    GENERAL = "general"
    BASIC = "basic"
    SPECIALIZED = "specialized"
    MAGIC = "magic"


def skill_of(skill_id: str, catalog: Catalog) -> AnySkill | None:
    """The skill or spell of this id."""
    return catalog.skills.get(skill_id) or catalog.martial.get(skill_id) or catalog.spells.get(skill_id)


def kind_of(skill: AnySkill) -> SkillKind:
    """Which kind a skill is of."""
    match skill:
        case GeneralSkill():
            return SkillKind.GENERAL
        case Spell():
            return SkillKind.MAGIC
        case MartialSkill():
            basic = skill.kind is MartialKind.BASIC
            return SkillKind.BASIC if basic else SkillKind.SPECIALIZED


def linked(skill: AnySkill) -> tuple[Attribute, ...]:
    """The attributes whose best caps the rating; empty for specialized martial skills (R3)."""
    match skill:
        case MartialSkill():
            capped = skill.kind is MartialKind.BASIC and skill.attribute is not None
            return (skill.attribute,) if capped and skill.attribute is not None else ()
        case _:
            return skill.attributes


def takes_field(skill: AnySkill) -> bool:
    """Whether it is learned for one field at a time."""
    return isinstance(skill, GeneralSkill) and skill.by_field


def skill_name(skill: AnySkill, field: str = "") -> str:
    """Its name with its field: "Language (Latin)"."""
    words = " ".join(field.split())
    return f"{skill.name} ({words})" if words else skill.name


def skills_at_creation(choices: CharacterChoices, catalog: Catalog) -> dict[SkillKey, Learned]:
    """The skills that were bought at creation, each once; what is unknown is left out."""
    found: dict[SkillKey, Learned] = {}
    for bought in choices.skills:
        skill = skill_of(bought.skill, catalog)
        if skill is not None:
            field = " ".join(bought.field.split()) if takes_field(skill) else ""
            key = skill_key(bought.skill, field)
            rating = rating_cp(bought.rating)
            found.setdefault(key, Learned(skill=bought.skill, rating=rating, field=field))
    return found


def skill_cp(choices: CharacterChoices, catalog: Catalog) -> Counter[SkillKind]:
    """CP spent on skills of each kind."""
    spent: Counter[SkillKind] = Counter()
    for bought in choices.skills:
        skill = skill_of(bought.skill, catalog)
        if skill is not None:
            spent[kind_of(skill)] += rating_cp(bought.rating)
    return spent


def rating_cp(rating: int) -> int:
    """What a rating costs; what is beyond every bound, and refused, is not counted further."""
    return max(0, min(rating, HIGHEST + 1))


def skill_problems(choices: CharacterChoices, person: Person, catalog: Catalog) -> Iterator[RuleProblem]:
    """Every rule that the skills of creation break, but for their cost.

    Args:
        choices: What was chosen.
        person: The character at creation.
        catalog: The content.
    """
    seen: set[SkillKey] = set()
    for index, bought in enumerate(choices.skills):
        path: KeyPath = ("skills", index)
        skill = skill_of(bought.skill, catalog)
        if skill is None:
            yield unknown_skill((*path, "skill"), bought.skill)
            continue
        key = skill_key(bought.skill, bought.field)
        if key in seen:
            yield RuleProblem(
                "duplicate_skill",
                f"{skill_name(skill, bought.field)} stands there already; say its whole rating once.",
                STEP,
                path,
                bought.skill,
            )
        seen.add(key)
        yield from bought_problems(skill, bought, person, catalog, path)
    yield from _native_problems(choices, person)


def bought_problems(
    skill: AnySkill, bought: SkillRating, person: Person, catalog: Catalog, path: KeyPath
) -> Iterator[RuleProblem]:
    """Why a skill cannot be bought at creation as it is, whatever else is bought.

    Args:
        skill: The skill.
        bought: Its rating and field.
        person: Whose attributes and traits count.
        catalog: The content.
        path: Where it stands.
    """
    if bought.rating < LOWEST:
        yield RuleProblem(
            "skill_rating_below_1",
            "A skill that is bought has a rating of 1 at least.",
            STEP,
            (*path, "rating"),
            bought.rating,
            LOWEST,
        )
    yield from learning_problems(skill, bought.field, bought.rating, person, catalog, path, "rating")


def learning_problems(
    skill: AnySkill, field: str, rating: int, person: Person, catalog: Catalog, path: KeyPath, rated: str
) -> Iterator[RuleProblem]:
    """Why a character cannot have a skill at a rating.

    Args:
        skill: The skill.
        field: For which field.
        rating: What it would be rated.
        person: Whose attributes and traits count.
        catalog: The content.
        path: Where the skill is chosen.
        rated: The key below it that says how high.
    """
    yield from _field_problems(skill, field, path)
    optional = not isinstance(skill, Spell) and skill.optional
    yield from absence_problems(skill.id, skill.name, catalog, (*path, "skill"), optional=optional)
    if rating > HIGHEST:
        yield RuleProblem(
            "rating_too_high", f"Ratings end at {HIGHEST} here.", "Skills", (*path, rated), rating, HIGHEST
        )
    attribute = best_of(linked(skill), person.attributes)
    if attribute is not None and rating > person.attributes.of(attribute):
        most = person.attributes.of(attribute)
        yield RuleProblem(
            "skill_above_attribute",
            f"{skill_name(skill, field)} cannot be higher than {attribute.label}, which is {most}.",
            STEP,
            (*path, rated),
            rating,
            most,
        )
    limit = catalog.settings.skill_most
    if limit is not None and rating > limit:
        yield RuleProblem(
            "skill_above_limit",
            f"At this table no skill is higher than {limit}.",
            STEP,
            (*path, rated),
            rating,
            limit,
        )
    if isinstance(skill, Spell):
        yield from _casting_problems(skill, person, catalog, path)


def _field_problems(skill: AnySkill, field: str, path: KeyPath) -> Iterator[RuleProblem]:
    where = (*path, "field")
    words = " ".join(field.split())
    if not takes_field(skill):
        if words:
            yield RuleProblem(
                "field_not_taken",
                f"{skill.name} is one skill, without fields.",
                "General Skills",
                where,
                field,
            )
        return
    if not words:
        fields = skill.fields if isinstance(skill, GeneralSkill) else ()
        yield RuleProblem(
            "field_missing",
            f"{skill.name} is learned for one field at a time: say which.",
            "General Skills",
            where,
            field,
            fields,
        )
    elif len(words) > FIELD_LENGTH:
        yield RuleProblem(
            "field_too_long",
            f"At most {FIELD_LENGTH} signs fit.",
            "General Skills",
            where,
            len(words),
            FIELD_LENGTH,
        )
    elif skill_key(skill.id, field) in _FREE_KEYS:
        yield RuleProblem(
            "skill_is_free",
            f"Everybody has {skill_name(skill, field)} for nothing, as high as Intelligence.",
            STEP,
            where,
            field,
        )


def _casting_problems(spell: Spell, person: Person, catalog: Catalog, path: KeyPath) -> Iterator[RuleProblem]:
    rule = "Skills / Pre-Requisite Traits"
    if spell.school is None:
        if not person.schools:
            casting = tuple(trait.id for trait in catalog.traits if trait.school is not None)
            yield RuleProblem(
                "missing_casting_trait",
                f"{spell.name} is a cantrip: it asks for any casting trait.",
                rule,
                (*path, "skill"),
                spell.id,
                casting,
            )
    elif spell.school not in person.schools:
        opening = tuple(trait.id for trait in catalog.traits if trait.school == spell.school)
        school = catalog.schools.get(spell.school)
        name = slug_of(spell.school) if school is None else school.name
        yield RuleProblem(
            "missing_casting_trait",
            f"{spell.name} asks for the casting trait of its school, {name}.",
            rule,
            (*path, "skill"),
            spell.id,
            opening,
        )


def _native_problems(choices: CharacterChoices, person: Person) -> Iterator[RuleProblem]:
    rating, most = choices.native_language, person.attributes.intelligence
    if rating is not None and not LOWEST <= rating <= max(LOWEST, most):
        yield RuleProblem(
            "native_language_out_of_range",
            "The native language is rated from 1 to Intelligence.",
            f"{STEP} [R-66]",
            ("native_language",),
            rating,
            most,
        )


def unknown_skill(path: KeyPath, found: str | None) -> RuleProblem:
    """There is no such skill."""
    return RuleProblem("unknown_skill", "There is no such skill or spell.", "Skills", path, found)
