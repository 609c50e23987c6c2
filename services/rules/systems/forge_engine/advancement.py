"""What a character could be awarded or buy next (Character Development; Rewards And Progression)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.system import Advancement
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.creation import Draft, read
from services.rules.systems.forge_engine.characters.development import development_line, further
from services.rules.systems.forge_engine.characters.permission import unwaived
from services.rules.systems.forge_engine.choices import (
    AwardKind,
    CharacterChoices,
    Development,
    DevelopmentKind,
)
from services.rules.systems.forge_engine.damage_traits import damage_traits

USUAL_AWARDS = tuple(kind for kind in AwardKind if kind is not AwardKind.OTHER)
"""Awards that have a figure; for others the game master says how many CP."""


def development_options(choices: CharacterChoices, catalog: Catalog) -> tuple[Development, ...]:
    """The usual awards, and every purchase of one step that what is left pays for.

    A purchase is tried as a waiting one behind everything that is there or waits; what the entries there are
    break is said when the choices are built.
    """
    draft = read(choices, catalog)
    awards = (Development(kind=DevelopmentKind.AWARD, award=kind) for kind in USUAL_AWARDS)
    problems = further(draft.created, draft.growth.kept, choices.development, catalog)
    fitting = (
        entry
        for entry in _purchases(draft)
        if not any(unwaived(problems(replace(entry, approved=False)), choices.leave))
    )
    return (*awards, *fitting)


def _purchases(draft: Draft) -> Iterator[Development]:
    """Every purchase there is: attributes, skills known and new, and traits."""
    catalog, person = draft.catalog, draft.person
    for attribute in Attribute:
        yield Development(kind=DevelopmentKind.ATTRIBUTE, attribute=attribute)
    for learned in person.skills.values():
        yield Development(kind=DevelopmentKind.SKILL, skill=learned.skill, field=learned.field)
    known = {learned.skill for learned in person.skills.values()}
    for skill in catalog.skills:
        fields = skill.fields if skill.by_field else () if skill.id in known else ("",)
        learned_fields = {one.field.casefold() for one in person.skills.values() if one.skill == skill.id}
        for field in fields:
            if not skill.by_field or field.casefold() not in learned_fields:
                yield Development(kind=DevelopmentKind.SKILL, skill=skill.id, field=field)
    for other in (*catalog.martial, *catalog.spells):
        if other.id not in known:
            yield Development(kind=DevelopmentKind.SKILL, skill=other.id)
    for trait in (*catalog.traits, *damage_traits(catalog)):
        yield Development(kind=DevelopmentKind.TRAIT, trait=trait.id)


ADVANCEMENT: Advancement[CharacterChoices, Development, Catalog] = Advancement(
    reward=Development, field="development", text=development_line, options=development_options
)
