"""Packs of a table's own content: what they add, what is wrong with them, and what is worth knowing."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.engine.content import unresolved_references
from services.rules.engine.packs import FindingKind, PackReport
from services.rules.engine.problem import Problems, path_text
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.bestiary import Adversary
from services.rules.systems.forge_engine.build import build
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.choices import Carried, CharacterChoices, Place, SkillRating
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentTable
from services.rules.systems.forge_engine.packs import CODEC, check, examples, extend
from services.rules.systems.forge_engine.packs.bounds import BOUNDS, MOST_ENTRIES
from services.rules.systems.forge_engine.packs.entries import (
    AdversaryEntry,
    ContentPack,
    DamageEntry,
    MartialEntry,
    SchoolEntry,
    SkillEntry,
    SpellEntry,
    TableEntry,
    TraitEntry,
    WeaponEntry,
)
from services.rules.systems.forge_engine.sheet import CharacterSheet
from services.rules.systems.forge_engine.skills import GeneralSkill, MartialSkill, School, Spell
from services.rules.systems.forge_engine.traits import Trait
from services.rules.systems.forge_engine.world import DamageType
from tests.rules.forge_engine_values import drawn

CATALOG = own_catalog()
IDS = (
    *CATALOG.traits.ids[:40],
    *CATALOG.equipment.ids[:10],
    *CATALOG.tables.ids,
    *CATALOG.schools.ids,
    *CATALOG.damage.ids,
    *CATALOG.martial.ids[:20],
    *CATALOG.skills.ids[:5],
    *CATALOG.genres.ids,
    "forge_engine:trait/fire",
    "fire",
)


def trait(slug: str) -> str:
    return f"forge_engine:trait/{slug}"


def pack(**lists: Any) -> ContentPack:
    return CODEC.read(lists)


def codes(**lists: Any) -> dict[str, str]:
    """What is wrong with a pack: codes by path."""
    found = check(pack(**lists), CATALOG)
    assert isinstance(found, Problems), found
    return {path_text(problem.path): problem.code for problem in found}


def report(**lists: Any) -> PackReport:
    found = check(pack(**lists), CATALOG)
    assert isinstance(found, PackReport), str(found)
    return found


def found_in(lists: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """What there is to know about a pack: stated and computed by code."""
    return {finding.code: (finding.stated, finding.computed) for finding in report(**lists).findings}


TRAIT = {"key": "odd", "name": "Odd", "category": "mental", "cp": 1, "summary": "You are odd."}
SKILL = {"key": "odd-jobs", "name": "Odd Jobs", "attributes": ["agility"], "summary": "You lend a hand."}
SCHOOL = {"key": "song", "name": "Song", "attribute": "influence", "summary": "Magic that is sung."}
SPECIES = {**TRAIT, "category": "species", "cp": 0}
MARTIAL = {
    "key": "feint",
    "name": "Feint",
    "kind": "specialized",
    "use": "bonus",
    "benefit": "die-per-energy",
    "summary": "A die for each energy.",
}
SPELL = {
    "key": "frost-bolt",
    "name": "Frost Bolt",
    "use": "action",
    "targets": "one",
    "against": "pd",
    "school": "forge_engine:school/arcane",
    "summary": "Cold from afar.",
    "range": 25,
    "damage": "half",
    "damage_type": "forge_engine:damage/cold",
}
WEAPON = {
    "key": "cleaver",
    "name": "Cleaver",
    "table": "forge_engine:equipment_table/historical-melee-weapons",
    "parts": {"weight": "heavy"},
}
BLOCK = {
    "key": "wolf",
    "name": "Wolf",
    "setting": "fantasy",
    "role": "grunt",
    "energy": 7,
    "health": 7,
    "pd": 2,
    "md": 1,
    "attributes": {"strength": 3, "agility": 2, "stamina": 2},
    "traits": [trait("medium"), trait("hide"), trait("bite")],
}


# What packs add


def test_the_books_own_examples_are_a_pack_that_comes_with_the_house() -> None:
    example = examples()["book-examples"]
    found = check(example, CATALOG)
    assert isinstance(found, PackReport), str(found)
    assert {trait("pantherian"), trait("enchantment-caster"), "forge_engine:school/enchanter"} <= set(
        found.adds
    )
    assert [(finding.code, finding.stated, finding.computed) for finding in found.findings] == [
        # Its traits come to 27; printed prices of species hold all the same.
        ("species_price", 21, 24),
        ("liability", -1, None),
    ]
    extended = extend(CATALOG, example)
    assert unresolved_references(extended.shelves()) == ()
    slayer = extended.equipment["forge_engine:equipment/giant-slayer"]
    assert (slayer.cost, slayer.rating, slayer.hands) == (4, 7, 2)
    assert [(extra.dice, extra.smallest) for extra in slayer.triggered] == [(2, trait("large"))]
    burrowing = extended.traits[trait("burrower")].movement
    assert burrowing is not None
    assert burrowing.speed_share == 10
    assert extended.traits[trait("enchantment-caster")].cp == 2
    assert CODEC.load(CODEC.dump(example)) == example


def test_characters_are_made_of_what_a_pack_adds() -> None:
    extended = extend(CATALOG, examples()["book-examples"])
    athletic = ("athletics", "acrobatics", "stealth", "thievery", "drive")
    choices = CharacterChoices(
        name="Leona",
        species=trait("pantherian"),
        traits=(trait("enchantment-caster"), trait("quatro-mand")),
        attributes=Attributes(strength=3, agility=3),
        skills=(
            *(SkillRating(skill=f"forge_engine:skill/{skill}", rating=3) for skill in athletic),
            SkillRating(skill="forge_engine:martial/bludgeoning-weapons", rating=3),
        ),
        equipment=(Carried(item="forge_engine:equipment/maul", place=Place.WIELDED),),
    )
    assert isinstance(build(choices, CATALOG), Problems)
    sheet = build(choices, extended)
    assert isinstance(sheet, CharacterSheet), str(sheet)
    maul = next(attack for line in sheet.weapons for attack in line.attacks if attack.name == "Maul")
    # Rating 6, three energy added, three dice of the pack's own skill.
    assert maul.max_dice is not None
    assert maul.max_dice.value == 12


def test_a_table_switches_vulnerability_on_though_no_shelf_lists_it() -> None:
    rules = pack(rules={"options": [trait("acid-vulnerable")]})
    assert isinstance(check(rules, CATALOG), PackReport)
    assert "rules.options[0]" in codes(rules={"options": [trait("acid-friendly")]})
    weak = CharacterChoices(
        name="Orla",
        species_choices=(trait("lithe"),),
        traits=(trait("acid-vulnerable"),),
        leave=("general_skill_minimum",),
    )
    barred = build(weak, CATALOG)
    assert isinstance(barred, Problems)
    assert barred.codes == ("option_not_in_play",)
    sheet = build(weak, extend(CATALOG, rules))
    assert isinstance(sheet, CharacterSheet)
    assert [line.response.value for line in sheet.damage] == ["vulnerable"]


def test_a_size_that_is_easily_seen_leaves_one_die_of_stealth() -> None:
    size = {"rank": 9, "height": "a mile", "speed": 60, "reach": 20, "space": 50, "health": 50}
    size |= {"health_per_stamina": 5, "stealth": -10}
    huge = {**TRAIT, "category": "size", "key": "mountainous", "size": size}
    people = {**SPECIES, "species": {"setting": "fantasy", "includes": [trait("mountainous")]}}
    choices = CharacterChoices(
        name="Peak", species=trait("odd"), attributes=Attributes(agility=3), leave=("general_skill_minimum",)
    )
    sheet = build(choices, extend(CATALOG, pack(traits=[huge, people])))
    assert isinstance(sheet, CharacterSheet), str(sheet)
    assert (
        next(check for check in sheet.checks if check.id == "test-stealth").notation
        == "forge_engine:fixed(1)"
    )


def test_a_pack_is_added_to_what_an_earlier_one_has_added() -> None:
    first = extend(CATALOG, pack(damage=[{"key": "void", "name": "Void", "group": "magical"}]))
    second = pack(
        rules={"free": [trait("void-proof")]},
        spells=[{**SPELL, "damage_type": "forge_engine:damage/void"}],
    )
    assert isinstance(check(second, CATALOG), Problems)
    assert isinstance(check(second, first), PackReport)
    both = extend(first, second)
    assert both.traits[trait("void-resistant")].cp == 4
    assert both.settings.free == (trait("void-proof"),)
    assert both.spells["forge_engine:spell/frost-bolt"].expend == 0
    assert unresolved_references(both.shelves()) == ()


def test_a_genres_tweaks_hold_and_the_packs_own_rules_on_top_of_them() -> None:
    genre = CATALOG.genres["forge_engine:genre/renaissance"]
    given = pack(genre=genre.id, rules={"skill_cp": 40, "options": [trait("odd")]}, traits=[TRAIT])
    assert isinstance(check(given, CATALOG), PackReport)
    found = extend(CATALOG, given).settings
    assert found.skill_cp == 40
    assert found.options == (trait("odd"), *genre.adds)
    fantasy = extend(CATALOG, pack(genre="forge_engine:genre/high-fantasy", rules={"magic_trait_cp": 3}))
    assert fantasy.settings.magic_trait_cp == 3
    assert fantasy.settings.free == (trait("sturdy"),)


def test_a_weapon_is_costed_where_it_does_not_say_what_it_costs() -> None:
    rulings = {**WEAPON, "parts": {"weight": "heavy", "edge": "blunt", "grip": "two-handed"}}
    made = extend(CATALOG, pack(weapons=[rulings])).equipment["forge_engine:equipment/cleaver"]
    assert (made.cost, made.rating, made.hands) == (4, 6, 2)


@pytest.mark.parametrize(
    ("entry", "made", "own"),
    [
        (DamageEntry, DamageType, set()),
        (TraitEntry, Trait, set()),
        (SkillEntry, GeneralSkill, set()),
        (MartialEntry, MartialSkill, set()),
        (SchoolEntry, School, {"trait"}),
        (SpellEntry, Spell, {"attributes"}),
        (TableEntry, EquipmentTable, set()),
        (WeaponEntry, Equipment, {"printed", "era", "agility_cap"}),
        (AdversaryEntry, Adversary, {"confidence"}),
    ],
)
def test_whatever_the_catalogue_can_say_a_pack_can_say(entry: Any, made: Any, own: set[str]) -> None:
    said = {item.name for item in fields(entry)}
    assert {item.name for item in fields(made)} - said - own == {"id"}


def test_every_figure_of_a_pack_has_bounds() -> None:
    seen: set[Any] = set()

    def parts(hint: Any) -> Iterator[Any]:
        yield hint
        for inner in typing.get_args(hint):
            yield from parts(inner)

    def unbounded(cls: Any) -> Iterator[str]:
        seen.add(cls)
        hints = typing.get_type_hints(cls)
        for item in fields(cls):
            for part in parts(hints[item.name]):
                if part is int and item.name not in BOUNDS.get(cls, {}):
                    yield f"{cls.__name__}.{item.name}"
                if is_dataclass(part) and part not in seen:
                    yield from unbounded(part)

    assert list(unbounded(ContentPack)) == []


# What is wrong with them


def test_everything_that_is_wrong_is_said_at_once_and_where() -> None:
    found = codes(
        genre="forge_engine:genre/opera",
        rules={"general_cp": 99, "free": [trait("no-such")]},
        traits=[
            {**SPECIES, "species": {"setting": "fantasy", "includes": [trait("claws"), trait("elf")]}},
            {**TRAIT, "key": "Bad Key", "name": " ", "cp": 1000},
            {**TRAIT, "key": "sturdy", "requires": [trait("odd")], "recovers": ["expended-energy"]},
            {**TRAIT, "cp": 2},
        ],
        martial=[{**MARTIAL, "benefit": None, "most_rating": 3, "attribute": "agility"}],
        spells=[{**SPELL, "school": "forge_engine:school/frost", "difficulty": 1, "damage": None}],
        weapons=[{**WEAPON, "parts": None, "cost": 0, "table": "forge_engine:equipment_table/modern-armor"}],
        adversaries=[{**BLOCK, "skills": [{"skill": "forge_engine:skill/knowledge", "rating": 0}]}],
    )
    assert found == {
        "genre": "reference_unknown",
        "rules.general_cp": "general_above_all",
        "rules.free[0]": "reference_unknown",
        "traits[0].species.includes": "species_one_size",
        "traits[0].species.includes[1]": "reference_wrong_kind",
        "traits[1].key": "key_no_slug",
        "traits[1].name": "text_empty",
        "traits[1].cp": "number_out_of_range",
        "traits[2].key": "id_taken",
        "traits[2].requires": "prerequisite",
        "traits[2].recovers": "expended_energy_recovered",
        "traits[3].key": "key_doubled",
        "martial[0].benefit": "rating_meaningless",
        "martial[0].most_rating": "ratings_stop",
        "martial[0].attribute": "martial_attribute",
        "spells[0].school": "reference_unknown",
        "spells[0].difficulty": "spell_difficulty",
        "spells[0].damage": "spell_damage",
        "weapons[0].table": "table_wrong_kind",
        "weapons[0].cost": "number_out_of_range",
        "weapons[0].rating": "weapon_uncosted",
        "adversaries[0].skills[0].rating": "number_out_of_range",
        "adversaries[0].skills[0].field": "skill_field",
    }


def bundle(*includes: str, **more: Any) -> dict[str, Any]:
    return {**SPECIES, "species": {"setting": "fantasy", "includes": list(includes), **more}}


MEDIUM = trait("medium")


@pytest.mark.parametrize(
    ("lists", "path", "code"),
    [
        ({"traits": [bundle(MEDIUM, trait("large"))]}, "traits[0].species.includes", "species_one_size"),
        ({"traits": [bundle(MEDIUM, MEDIUM)]}, "traits[0].species.includes[1]", "named_twice"),
        ({"traits": [bundle(MEDIUM, trait("odd"))]}, "traits[0].species", "species_cycle"),
        (
            {
                "traits": [
                    bundle(MEDIUM, trait("kin")),
                    {**bundle(MEDIUM, trait("odd")), "key": "kin"},
                ]
            },
            "traits[1].species",
            "species_cycle",
        ),
        (
            {"traits": [bundle(MEDIUM, choices=[{"take": 2, "of": [trait("bite"), trait("bite")]}])]},
            "traits[0].species.choices[0].of",
            "choice_too_small",
        ),
        (
            {"traits": [bundle(MEDIUM, choices=[{"take": 1, "of": [trait("bite"), trait("large")]}])]},
            "traits[0].species.choices[0].of",
            "size_chosen",
        ),
        ({"traits": [{**TRAIT, "category": "damage"}]}, "traits[0].damage", "trait_category"),
        ({"traits": [{**TRAIT, "against": [trait("odd")]}]}, "traits[0].against[0]", "against_itself"),
        ({"skills": [{**SKILL, "attributes": []}]}, "skills[0].attributes", "skill_unlinked"),
        ({"spells": [{**SPELL, "range": 500}]}, "spells[0].expend", "expend_unstated"),
        (
            {"spells": [{**SPELL, "area": {"shape": "arc", "feet": 15}}]},
            "spells[0].area.degrees",
            "area_degrees",
        ),
        ({"weapons": [{**WEAPON, "max_range": 50}]}, "weapons[0].max_range", "weapon_range"),
        (
            {"adversaries": [{**BLOCK, "traits": [MEDIUM, trait("huge")]}]},
            "adversaries[0].traits",
            "multiple_sizes",
        ),
        ({"weapons": [{**WEAPON, "reach": 5}]}, "weapons[0].parts.reach", "parts_differ"),
        (
            {
                "magic_weapons": [
                    {
                        "key": "wall",
                        "name": "Wall",
                        "summary": "A shield.",
                        "base": "forge_engine:equipment/historical-kite-shield",
                    }
                ]
            },
            "magic_weapons[0].base",
            "table_wrong_kind",
        ),
        ({"rules": {"encounter_easy": 200}}, "rules.encounter_easy", "encounter_bands_crossed"),
        ({"rules": {"species": [trait("bite")]}}, "rules.species[0]", "reference_wrong_kind"),
        (
            {"schools": [{**SCHOOL, "trait_key": "bite"}]},
            "schools[0].trait_key",
            "id_taken",
        ),
        ({"traits": [{**TRAIT, "summary": "x" * 2000}]}, "traits[0].summary", "text_too_long"),
        ({"traits": [TRAIT] * (MOST_ENTRIES + 1)}, "traits", "too_many_entries"),
        ({"traits": [{**TRAIT, "against": [MEDIUM] * 61}]}, "traits[0].against", "list_too_long"),
    ],
)
def test_a_rule_that_is_broken_is_named_where_it_is(lists: dict[str, Any], path: str, code: str) -> None:
    assert codes(**lists).get(path) == code


def test_a_broken_reference_says_what_is_near() -> None:
    found = check(pack(traits=[{**TRAIT, "against": [trait("stirdy")]}]), CATALOG)
    assert isinstance(found, Problems)
    assert found.items[0].allowed is not None
    assert trait("sturdy") in typing.cast(tuple[str, ...], found.items[0].allowed)


# What is worth knowing


@pytest.mark.parametrize(
    ("lists", "code", "stated", "computed"),
    [
        ({"spells": [{**SPELL, "expend": 1}]}, "spell_expend_differs", 1, 0),
        ({"weapons": [{**WEAPON, "rating": 6}]}, "weapon_rating_differs", 6, 5),
        ({"weapons": [{**WEAPON, "rating": 9}]}, "power_creep", 9, 7),
        ({"weapons": [{**WEAPON, "cost": 3}]}, "weapon_cost_differs", 3, 4),
        ({"traits": [{**bundle(MEDIUM, trait("flyer")), "cp": 0}]}, "species_price", 0, 4),
        (
            {"schools": [{**SCHOOL, "trait_cp": 1}]},
            "casting_trait_price",
            1,
            2,
        ),
        (
            {
                "traits": [
                    {
                        **TRAIT,
                        "category": "damage",
                        "cp": 1,
                        "damage": {"damage": "forge_engine:damage/fire", "response": "immune"},
                    }
                ]
            },
            "trait_price",
            1,
            10,
        ),
        ({"adversaries": [{**BLOCK, "pd": 4}]}, "adversary_figure_differs", 4, 2),
    ],
)
def test_a_figure_off_the_books_formula_is_reported_with_its_working(
    lists: dict[str, Any], code: str, stated: int, computed: int
) -> None:
    finding = next(finding for finding in report(**lists).findings if finding.code == code)
    assert finding.kind is FindingKind.DIFFERENCE
    assert (finding.stated, finding.computed) == (stated, computed)
    assert finding.working


def test_sound_content_is_reported_without_a_finding() -> None:
    assert report(spells=[SPELL], weapons=[WEAPON], martial=[MARTIAL], adversaries=[BLOCK]).findings == ()


@pytest.mark.parametrize(
    ("summary", "warned"),
    [
        ("Once a day you get back 2 expended energy.", True),
        ("Regain energy that you have expended.", True),
        ("The energy that you expend comes back to you.", True),
        ("Expend 1 to heal 2 health. Your allies regain energy.", False),
        ("You regain one energy more each round.", False),
        ("Expend 1: the next attack has two dice more.", False),
    ],
)
def test_words_that_sound_like_expended_energy_coming_back_are_pointed_out(
    summary: str, warned: bool
) -> None:
    assert ("expended_energy_words" in found_in({"traits": [{**TRAIT, "summary": summary}]})) is warned


@settings(max_examples=60)
@given(random=st.randoms(use_true_random=False))
def test_any_pack_is_reported_or_has_problems_in_places_that_it_has(random: Random) -> None:
    odd = drawn(ContentPack, random, IDS)
    found = check(odd, CATALOG)
    if isinstance(found, PackReport):
        assert unresolved_references(extend(CATALOG, odd).shelves()) == ()
        return
    for problem in found:
        value: Any = odd
        for step in problem.path:
            value = value[step] if isinstance(step, int) else getattr(value, step)
