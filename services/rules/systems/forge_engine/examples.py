"""Named characters that build: the six samples of the book (rulings section 5), and two by the full budget.

The samples leave most of their CP unspent, as the book says of them; so the game master waives the minimum
of general skills.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.rules.engine.content import content_id, slug_of
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.bestiary import Sample
from services.rules.systems.forge_engine.catalog import SLUG, own_catalog
from services.rules.systems.forge_engine.choices import (
    AwardKind,
    Carried,
    CharacterChoices,
    Development,
    DevelopmentKind,
    Place,
    SkillRating,
    Thing,
)

_UNFINISHED = ("general_skill_minimum",)


def _trait(slug: str) -> str:
    return content_id(SLUG, "trait", slug)


def _skills(
    *,
    general: Mapping[str, int] = MappingProxyType({}),
    martial: Mapping[str, int] = MappingProxyType({}),
    spells: Mapping[str, int] = MappingProxyType({}),
) -> tuple[SkillRating, ...]:
    """Ratings by slug."""
    return tuple(
        SkillRating(skill=content_id(SLUG, kind, slug), rating=rating)
        for kind, ratings in (("skill", general), ("martial", martial), ("spell", spells))
        for slug, rating in ratings.items()
    )


def _carried(**places: tuple[str, ...]) -> tuple[Carried, ...]:
    return tuple(
        Carried(item=content_id(SLUG, "equipment", slug), place=Place(place.replace("_", "-")))
        for place, slugs in places.items()
        for slug in slugs
    )


def _sample(sample: Sample) -> CharacterChoices:
    return CharacterChoices(
        name=sample.name,
        concept=sample.summary.removesuffix("."),
        species=sample.species,
        species_choices=sample.species_choices,
        traits=(*sample.traits, *(_trait(f"{slug_of(damage)}-resistant") for damage in sample.resistant)),
        attributes=sample.attributes,
        skills=sample.skills,
        equipment=sample.equipment,
        things=sample.things,
        leave=_UNFINISHED,
    )


SAMPLES: Mapping[str, CharacterChoices] = MappingProxyType(
    {slug_of(sample.id): _sample(sample) for sample in own_catalog().samples}
)
"""The sample characters of the book."""

EXAMPLES: Mapping[str, CharacterChoices] = MappingProxyType(
    {
        "pathfinder": CharacterChoices(
            name="Nerys Vale",
            concept="Finds the way that others lost",
            species=_trait("half-elf"),
            attributes=Attributes(agility=4, stamina=2, intelligence=2, acuity=3),
            skills=_skills(
                general={"stealth": 4, "survival": 3, "perception": 3, "acrobatics": 3, "endurance": 2},
                martial={
                    "ranged-weapons": 4,
                    "finesse-weapons": 2,
                    "armor-training": 1,
                    "initiative": 3,
                    "precision-attack": 3,
                    "quick-load": 2,
                },
            ),
            equipment=_carried(
                worn=("historical-leather-armor",),
                wielded=("historical-longbow",),
                slung=("historical-shiv-stiletto-dagger-knife",),
            ),
            things=(
                Thing(
                    name="Mottled cloak",
                    place=Place.WORN,
                    dice=2,
                    attribute=Attribute.AGILITY,
                    skill=content_id(SLUG, "skill", "stealth"),
                ),
                Thing(name="Arrows", count=20, place=Place.SLUNG),
                Thing(name="Rope", note="30 feet", weight_kg=3),
            ),
            personality="Speaks softly, even in anger",
            background="A farm at the edge of the wild",
            moral_code="Nobody is left behind",
            goals="To see the sea from the other side",
        ),
        "fire-caller": CharacterChoices(
            name="Idris Quill",
            concept="Learned from a book that should have burned",
            species_choices=(_trait("astute"),),
            traits=(_trait("pyromancy-caster"),),
            attributes=Attributes(stamina=2, intelligence=4, acuity=3),
            skills=_skills(
                general={"arcane": 4, "history": 3, "investigation": 3, "perception": 3, "first-aid": 2},
                martial={"iron-will": 1},
                spells={"detect-magic": 2, "light": 1, "fiery-bolt": 4, "flame-armor": 3, "fireball": 4},
            ),
            equipment=_carried(stowed=("historical-dagger-knife-hand-axe-shiv-stiletto",)),
            things=(Thing(name="Scorched book"), Thing(name="Spectacles", place=Place.WORN)),
            personality="Writes everything down",
            background="A library that burned",
            expended=1,
            health=6,
            development=(
                Development(kind=DevelopmentKind.AWARD, award=AwardKind.SESSION, count=2),
                Development(
                    kind=DevelopmentKind.AWARD, award=AwardKind.MINOR_QUEST, note="The well at Harrow"
                ),
                Development(kind=DevelopmentKind.ATTRIBUTE, attribute=Attribute.AGILITY),
                Development(kind=DevelopmentKind.TRAIT, trait=_trait("arcane-caster")),
                Development(
                    kind=DevelopmentKind.SKILL, skill=content_id(SLUG, "spell", "arcane-touch"), count=1
                ),
                Development(kind=DevelopmentKind.AWARD, award=AwardKind.SESSION, approved=False),
            ),
        ),
        **SAMPLES,
    }
)
"""Every named character."""
