"""How long texts and lists of a pack may be, and between what its figures lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.bestiary import AdversaryAttack, AdversarySkill
from services.rules.systems.forge_engine.costing import AREA_STEPS, RANGE_STEPS
from services.rules.systems.forge_engine.equipment import (
    ArmingWay,
    FireOption,
    Reload,
    Support,
    TriggeredDice,
    WeaponParts,
)
from services.rules.systems.forge_engine.packs.condition_entry import ConditionEntry
from services.rules.systems.forge_engine.packs.entries import (
    AdversaryEntry,
    ArmorEntry,
    ContentPack,
    MagicWeaponEntry,
    MartialEntry,
    SchoolEntry,
    ShieldEntry,
    SkillEntry,
    SpellEntry,
    TableEntry,
    TraitEntry,
    WeaponEntry,
)
from services.rules.systems.forge_engine.settings import HouseRules
from services.rules.systems.forge_engine.skills import SpellArea, SpellComponents
from services.rules.systems.forge_engine.traits import (
    AttributeCap,
    AttributeTrend,
    BonusDice,
    Movement,
    NaturalArmor,
    NaturalWeapon,
    Size,
    TraitChoice,
)

RULE = "Custom Content / content packs"

MOST_ENTRIES = 200
"""Entries in one list of a pack."""

MOST_IN_LIST = 60
"""Items in a list within an entry, or in the house rules."""

LONGEST_NAME, LONGEST_TEXT, LONGEST_WORDS = 80, 1000, 200
"""Characters of a name or key; of a summary; of any other text."""

_DICE, _ENERGY, _MANY = (1, 30), (0, 30), (0, 1000)
_RATING, _RATINGS = (0, 50), (1, 100)
_FAR = (0, 100_000)

BOUNDS: Mapping[type[Any], Mapping[str, tuple[int, int]]] = {
    ConditionEntry: {
        **dict.fromkeys(
            ("action_energy", "segment_energy", "expend", "stand_energy", "fewer_successes"), (0, 10)
        ),
        **dict.fromkeys(
            ("pd", "pd_melee", "pd_ranged", "pd_martial", "defense_non_area", "defense"), (-10, 10)
        ),
        **dict.fromkeys(("attack", "attack_melee", "stealth", "sight_tests", "hearing_tests"), (-10, 10)),
        "regained": (0, 3),
    },
    TraitEntry: {
        "cp": (-20, 100),
        "evasion": (0, 10),
        "health_stamina": (-10, 10),
        "range": (1, 100_000),
        "linked_intelligence": (0, 10),
        "hands": (0, 20),
    },
    TraitChoice: {"take": (1, 20)},
    Size: {
        "rank": (0, 20),
        "speed": (5, 1000),
        "reach": (0, 200),
        "space": (1, 500),
        "health": _MANY,
        "health_per_stamina": (0, 100),
        "evasion": (0, 10),
        "stealth": (-10, 10),
        "strength_dice": (0, 20),
        "attribute_cap": _RATINGS,
        "armor_most": (0, 20),
        "rest": _MANY,
        "rest_per_stamina": (0, 100),
    },
    AttributeTrend: {"step_cp": (-1, 10)},
    AttributeCap: {"most": _RATINGS},
    BonusDice: {"dice": _DICE},
    NaturalWeapon: {"cost": (1, 20), "rating": _RATING},
    NaturalArmor: {"pd": (1, 20), "light_armor": (0, 20), "heavy_armor": (0, 20)},
    Movement: {
        "energy_per_segment": _ENERGY,
        "rise_energy": _ENERGY,
        "hold_energy": _ENERGY,
        "feet_per_strength": (1, 100),
        "speed_share": (1, 100),
    },
    SkillEntry: {"most_rating": _RATINGS},
    MartialEntry: {"range": (0, 1000), "most_rating": _RATINGS},
    SchoolEntry: {"trait_cp": (0, 100)},
    SpellEntry: {
        "expend": _ENERGY,
        "range": _FAR,
        "difficulty": (2, 10),
        "grams": (1, 1_000_000_000),
        "most_rating": _RATINGS,
    },
    SpellArea: {"feet": (1, 1000), "degrees": (1, 360)},
    SpellComponents: {"range": (0, RANGE_STEPS[-1][0]), "area": (0, AREA_STEPS[-1][0])},
    TableEntry: {
        "range_multiple": _RATINGS,
        "equipped_multiple": _RATINGS,
        "blast_feet": (1, 100),
        "handheld_cost": (1, 10),
    },
    ArmingWay: {"energy": _ENERGY},
    FireOption: {"energy": _ENERGY, "dice": _RATING, "uses": (0, 1000)},
    Support: {"dice": _DICE},
    Reload: {"energy": _ENERGY, "one_handed": _ENERGY},
    WeaponEntry: {
        "cost": (1, 20),
        "rating": _RATING,
        "hands": (0, 8),
        "min_range": _FAR,
        "max_range": (1, 100_000),
        "reach": (0, 100),
        "holds": (1, 10_000),
    },
    WeaponParts: {"held_energy": (0, 30)},
    TriggeredDice: {"dice": _DICE},
    MagicWeaponEntry: {"rating": _RATING},
    ArmorEntry: {"rating": (1, 20), "agility_cap": (1, 20)},
    ShieldEntry: {"cost": (1, 20), "rating": (1, 50)},
    AdversaryEntry: {
        "energy": (1, 1000),
        "health": (1, 10_000),
        "pd": _RATINGS,
        "md": _RATINGS,
        "armor": (0, 20),
    },
    Attributes: dict.fromkeys(
        ("strength", "agility", "stamina", "influence", "intelligence", "acuity"), _RATINGS
    ),
    AdversarySkill: {"rating": _RATINGS},
    AdversaryAttack: {
        "cost": (0, 50),
        "rating": (0, 100),
        "max_cost": (0, 200),
        "max_dice": (0, 300),
        "min_range": _FAR,
        "max_range": (1, 100_000),
        "hands": (0, 8),
    },
    HouseRules: {
        "trait_cp": _MANY,
        "skill_cp": _MANY,
        "general_cp": _MANY,
        "martial_most": _MANY,
        "specialized_most": _MANY,
        "magic_most": _MANY,
        "attribute_most": _RATINGS,
        "skill_most": _RATINGS,
        "magic_trait_cp": (0, 100),
        "encumbrance_kg": _MANY,
        "session_cp": (0, 100),
        "minor_quest_cp": (0, 100),
        "major_quest_cp": (0, 100),
        "campaign_cp": (0, 100),
        "role_play_cp": (0, 100),
        "bonus_combat_cp": (0, 100),
        "bonus_targets": (2, 10),
        "low_energy": _MANY,
        "strong_adversary": (1, 1000),
        "travel_hours": (1, 24),
        "encounter_easy": (1, 1000),
        "encounter_hard": (1, 1000),
        "ratio_dollars": (0, 1_000_000),
        "healing_single_halves": (0, 20),
        "healing_multiple_halves": (0, 20),
        "soft_gloves_rating": (0, 10),
        "unseated_difficulty": (0, 10),
    },
}
"""The least and the most of every figure in a pack."""


def too_many(pack: ContentPack) -> Iterator[RuleProblem]:
    """Lists of a pack that are longer than a pack may be."""
    for item in fields(pack):
        entries = getattr(pack, item.name)
        if isinstance(entries, tuple) and len(entries) > MOST_ENTRIES:
            yield RuleProblem(
                "too_many_entries",
                f"A list of a pack has at most {MOST_ENTRIES} entries.",
                RULE,
                (item.name,),
                len(entries),
                MOST_ENTRIES,
            )


def out_of_bounds(value: object, path: KeyPath = ()) -> Iterator[RuleProblem]:
    """Texts that are empty or too long, lists that are too long and figures out of bounds, wherever."""
    if isinstance(value, tuple):
        if len(value) > MOST_IN_LIST and len(path) > 1:
            yield RuleProblem(
                "list_too_long",
                f"A list within an entry has at most {MOST_IN_LIST} items.",
                RULE,
                path,
                len(value),
                MOST_IN_LIST,
            )
            return
        for place, item in enumerate(value):
            yield from out_of_bounds(item, (*path, place))
    elif is_dataclass(value) and not isinstance(value, type):
        bounds = BOUNDS.get(type(value), {})
        for item in fields(value):
            found = getattr(value, item.name)
            where = (*path, item.name)
            if isinstance(found, str):
                yield from _text_problems(item, found, where)
            elif isinstance(found, int) and not isinstance(found, bool):
                yield from _figure_problems(found, bounds.get(item.name), where)
            elif isinstance(found, tuple) and item.name in bounds:
                for place, figure in enumerate(found):
                    yield from _figure_problems(figure, bounds[item.name], (*where, place))
            else:
                yield from out_of_bounds(found, where)
    elif isinstance(value, str) and len(value) > LONGEST_WORDS:
        yield _too_long(value, LONGEST_WORDS, path)


def _text_problems(item: Field[Any], text: str, path: KeyPath) -> Iterator[RuleProblem]:
    most = {"name": LONGEST_NAME, "key": LONGEST_NAME, "title": LONGEST_NAME, "summary": LONGEST_TEXT}.get(
        item.name, LONGEST_WORDS
    )
    if len(text) > most:
        yield _too_long(text, most, path)
    if item.default is MISSING and item.name in ("name", "summary") and not text.strip():
        yield RuleProblem("text_empty", f"It has no {item.name}.", RULE, path, text, "some words")


def _too_long(text: str, most: int, path: KeyPath) -> RuleProblem:
    return RuleProblem(
        "text_too_long", f"This text has at most {most} characters.", RULE, path, len(text), most
    )


def _figure_problems(figure: int, bounds: tuple[int, int] | None, path: KeyPath) -> Iterator[RuleProblem]:
    if bounds is not None and not bounds[0] <= figure <= bounds[1]:
        yield RuleProblem(
            "number_out_of_range",
            f"This figure is from {bounds[0]} to {bounds[1]}.",
            RULE,
            path,
            figure,
            f"{bounds[0]} to {bounds[1]}",
        )
