"""Named characters that build: the six samples of the book (rulings section 5), and two by the full budget.

The samples leave most of their CP unspent, as the book says of them; so the game master waives the minimum
of general skills. What they carry stands in the tables under the name nearest to theirs: the armour of the
Hospiter has rating 2, and so it is a brigandine here, though the book calls it chainmail (R-76).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.rules.engine.content import content_id
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.catalog import SLUG
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
    fields: Mapping[tuple[str, str], int] = MappingProxyType({}),
) -> tuple[SkillRating, ...]:
    """Ratings by slug; of skills that are learned by field, by slug and field."""
    return (
        *(
            SkillRating(skill=content_id(SLUG, "skill", slug), rating=rating, field=field)
            for (slug, field), rating in fields.items()
        ),
        *(
            SkillRating(skill=content_id(SLUG, kind, slug), rating=rating)
            for kind, ratings in (("skill", general), ("martial", martial), ("spell", spells))
            for slug, rating in ratings.items()
        ),
    )


def _carried(**places: tuple[str, ...]) -> tuple[Carried, ...]:
    return tuple(
        Carried(item=content_id(SLUG, "equipment", slug), place=Place(place.replace("_", "-")))
        for place, slugs in places.items()
        for slug in slugs
    )


SAMPLES: Mapping[str, CharacterChoices] = MappingProxyType(
    {
        "wasteland-scavenger": CharacterChoices(
            name="Wasteland Scavenger",
            concept="Picks over dead cities for food and scrap",
            species_choices=(_trait("lithe"),),
            traits=(_trait("radiation-resistant"),),
            attributes=Attributes(strength=2, agility=3, stamina=2, intelligence=2, acuity=2),
            skills=_skills(
                general={"perception": 2},
                martial={
                    "long-guns": 3,
                    "initiative": 3,
                    "melee-weapons": 2,
                    "armor-training": 2,
                    "precision-attack": 3,
                },
            ),
            equipment=_carried(
                worn=("modern-type-ii-body-armor",),
                wielded=("modern-remington-308",),
                slung=("modern-machete-truckers-friend",),
            ),
            things=(
                Thing(name=".308 bullets", count=8, place=Place.SLUNG),
                Thing(name="Dog food", count=4, note="Cans"),
                Thing(name="Water", note="3.8 liters", weight_kg=4),
            ),
            leave=_UNFINISHED,
        ),
        "gunslinger": CharacterChoices(
            name="Gunslinger",
            concept="Lives and dies by a fast draw",
            species_choices=(_trait("sensitive"),),
            attributes=Attributes(strength=2, agility=3, stamina=2, influence=3, intelligence=2),
            skills=_skills(
                general={"persuasion": 3, "survival": 1},
                martial={
                    "small-guns": 3,
                    "brawling": 2,
                    "initiative": 2,
                    "first-strike": 3,
                    "surprise-attack": 2,
                },
            ),
            equipment=_carried(slung=("modern-colt-agent-38",)),
            things=(
                Thing(name=".38 bullets", count=15, place=Place.SLUNG),
                Thing(name=".308 bullets", count=8, place=Place.STOWED),
            ),
            leave=_UNFINISHED,
        ),
        "skirmisher": CharacterChoices(
            name="Skirmisher",
            concept="Soldier in a body the company owns",
            species=_trait("cyborg"),
            species_choices=(_trait("lean"), _trait("insensitive")),
            traits=(_trait("claws"),),
            attributes=Attributes(strength=2, agility=3, stamina=2, intelligence=2),
            skills=_skills(
                fields={("language", "Trade"): 2, ("knowledge", "Hacking"): 1},
                general={"investigation": 2},
                martial={
                    "finesse-weapons": 3,
                    "initiative": 2,
                    "surprise-attack": 2,
                    "twist-the-blade": 2,
                },
            ),
            leave=_UNFINISHED,
        ),
        "firefly": CharacterChoices(
            name="Firefly",
            concept="Guards the high passes from the air",
            species=_trait("tengu"),
            traits=(_trait("pyromancy-caster"),),
            attributes=Attributes(agility=3, intelligence=2),
            skills=_skills(
                martial={
                    "ranged-weapons": 2,
                    "initiative": 2,
                    "armor-training": 1,
                    "pinning-attack": 2,
                },
                spells={"fiery-bolt": 2},
            ),
            equipment=_carried(worn=("historical-leather-armor",), wielded=("historical-longbow",)),
            things=(Thing(name="Arrows", count=20, place=Place.SLUNG),),
            leave=_UNFINISHED,
        ),
        "hospiter": CharacterChoices(
            name="Hospiter",
            concept="Knight of an order that protects the sick",
            species_choices=(_trait("muscular"),),
            traits=(_trait("anima-caster"),),
            attributes=Attributes(strength=3, stamina=2, intelligence=2, acuity=3),
            skills=_skills(
                martial={
                    "melee-weapons": 3,
                    "initiative": 1,
                    "armor-training": 2,
                    "engaged-attack": 3,
                },
                spells={"healing-touch": 3},
            ),
            equipment=_carried(
                worn=("historical-brigandine",), wielded=("historical-great-axe-warhammer-2h",)
            ),
            things=(Thing(name="Sign of the order", place=Place.WORN),),
            leave=_UNFINISHED,
        ),
        "field-agent": CharacterChoices(
            name="Field Agent",
            concept="New to the bureau, first case of her own",
            species_choices=(_trait("astute"),),
            attributes=Attributes(strength=2, agility=2, stamina=2, influence=3, intelligence=3),
            skills=_skills(
                martial={
                    "small-guns": 2,
                    "initiative": 1,
                    "armor-training": 1,
                    "leaders-pledge": 3,
                    "sidestep": 2,
                },
            ),
            equipment=_carried(worn=("modern-type-i-body-armor",), wielded=("modern-glock-17-20",)),
            things=(Thing(name="Sunglasses", place=Place.WORN),),
            leave=_UNFINISHED,
        ),
    }
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
