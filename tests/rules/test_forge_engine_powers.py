"""Forge Engine: skills, magic, conditions and concepts, checked against figures typed a second time."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

import pytest

from services.rules.engine.content import Shelf, slug_of, unresolved_references
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.skills import (
    Against,
    Benefit,
    MartialKind,
    Spell,
    SpellComponents,
    SpellDamage,
    SpellScope,
    Use,
)
from services.rules.systems.forge_engine.traits import SpeciesSetting, Trait
from services.rules.systems.forge_engine.world import Condition, DamageGroup

CATALOG = own_catalog()

# Rulings section 4; Summon Creature is at will.
EXPEND = {
    0: "Light, Cleanse, Strengthened Hide, Arcane Retribution, Arcane Spark, Arcane Touch, "
    "Divine Guidance, Divine Protection, Retributive Strike, Baneful Word, Deflecting Word, Compel Undead, "
    "Draining Touch, Fiery Bolt, Flame Armor, Flaming Touch, Armor Summoned Creature, Life Bind, Bind, "
    "Finesse, Force",
    1: "Detect Magic, Healing Touch, Arcane Bolts, Arcane Burst, Divine Blessing, Divine Word, "
    "Dazzling Word, Miring Word, Necrotic Touch, Revitalizing Touch, Flame Spray, Flame Wave, "
    "Pillar of Flame, Heal Summoned Creature, Crush, Fly, Move, Repulse",
    2: "Armored Army, Body Hammer, Healing Wave, Arcane Vortex, Divine Armor, Divine Might, "
    "Exhausting Word, Word of Command, Devouring Touch, Dominate Undead, Hasten Death, Enflame, Fireball",
    3: "Arcane Maelstrom",
}

# Specialized martial skills by their tag; the rest are reactions (O3).
TAGS = {
    Use.BONUS: "Aggravated Strike, Charging Attack, Disengaging Step, Engaged Attack, First Strike, "
    "Initiative, Mounted Combat, Nimble Defense, Phalanx, Quick Load, Retaliation, Reaping Blow, "
    "Shadow Lurker, Shrouding Strike, Strikeback Attack, Surprise Attack, Trip, Unarmored Defense, "
    "Weakpoint Strike",
    Use.ACTION: "Bodyguard's Stance, Defensive Stance, Disarming Attack, Distracting Taunt, "
    "Enraged Attacker, Last Gasp, Leader's Pledge, Offensive Stance, Pinning Attack, Precision Attack, "
    "Shield Bash, Split-Tongue Shot, Take The Initiative, Whirlwind Attack",
}
BENEFITS = {
    Benefit.DIE_PER_ENERGY: "Cleaving Attack, Distracting Taunt, Engaged Attack, Enraged Attacker, "
    "Nimble Defense, Offensive Stance, Shadow Lurker, Surprise Attack, Take The Initiative, Trip, "
    "Unarmored Defense",
    Benefit.USES_PER_ROUND: "Bodyguard's Stance, Defensive Stance, Passing Attack, Pressing Attack, "
    "Quick Load",
    Benefit.TARGETS: "Split-Tongue Shot, Whirlwind Attack",
    Benefit.EQUIPMENT_UP_TO_RATING: "Mounted Combat",
    Benefit.BUILDS_UP: "Aggravated Strike, Shrouding Strike, Strikeback Attack, Weakpoint Strike",
}

# Conditions and all of their figures (rulings section 2).
CONDITIONS: dict[str, dict[str, int | bool]] = {
    "dazed": {"action_energy": 1, "pd": -1},
    "stunned": {"action_energy": 2, "pd": -2},
    "enervated": {"regained": 2},
    "exhausted": {"regained": 1},
    "empowered": {"bonus_energy": True},
    "slowed": {"segment_energy": 1},
    "immobilized": {"immobile": True},
    "grappled": {"immobile": True, "attack": -2, "pd": -1},
    "restrained": {"immobile": True, "barred": True, "pd": -2},
    "prone": {
        "segment_energy": 1,
        "no_running": True,
        "stand_energy": 2,
        "attack_melee": -2,
        "pd_melee": -2,
        "pd_ranged": 2,
    },
    "poisoned": {"expend": 1},
    "incorporeal": {"pd_martial": 2, "attack_melee": -2},
    "weakened": {"fewer_successes": 1},
    "enfeebled": {"halved": True},
    "blinded": {"sight_tests": -4, "defense": -2},
    "deafened": {"hearing_tests": -2},
    "obscured": {"stealth": 1, "defense_non_area": 1},
    "faint": {"stealth": 2, "defense_non_area": 2},
    "invisible": {"stealth": 3, "defense_non_area": 3},
}
NO_FIGURE = {"id", "name", "group", "kinds", "summary"}


def spell(name: str) -> Spell:
    return next(entry for entry in CATALOG.spells if entry.name == name)


def slugs(ids: tuple[str, ...]) -> list[str]:
    return [slug_of(each) for each in ids]


def test_every_kind_has_as_many_entries_as_the_book() -> None:
    assert [
        (kind.value, count) for kind, count in Counter(each.category for each in CATALOG.traits).items()
    ] == [
        ("species", 20),
        ("size", 10),
        ("attribute", 12),
        ("damage", 16),
        ("magic", 8),
        ("mental", 4),
        ("movement", 6),
        ("physical", 12),
        ("sensory", 9),
    ]
    settings = Counter(each.species.setting for each in CATALOG.traits if each.species)
    assert settings == {SpeciesSetting.DEFAULT: 1, SpeciesSetting.FANTASY: 8, SpeciesSetting.SCI_FI: 11}
    general = Counter(each.attributes[0] for each in CATALOG.skills if not each.optional)
    assert tuple(general[attribute] for attribute in Attribute) == (2, 6, 2, 5, 7, 5)
    basic = [each for each in CATALOG.martial if each.kind is MartialKind.BASIC and not each.optional]
    assert Counter(each.modern for each in basic) == {False: 9, True: 3}
    special = Counter(each.use for each in CATALOG.martial if each.kind is MartialKind.SPECIALIZED)
    assert special == {Use.BONUS: 19, Use.ACTION: 14, Use.REACTION: 24}
    schools = Counter(each.school and slug_of(each.school) for each in CATALOG.spells)
    assert list(schools.values()) == [2, 6, 7, 7, 6, 7, 8, 4, 7]
    assert schools[None] == 2 and list(schools)[1:] == slugs(CATALOG.schools.ids)
    groups = Counter(each.group for each in CATALOG.damage)
    assert tuple(groups[group] for group in DamageGroup) == (3, 6, 6, 5, 2)
    assert len(CATALOG.conditions) == 19


def test_general_skills_are_resisted_as_the_book_says() -> None:
    found = [
        (
            each.name,
            *(
                " ".join(slug_of(pair.skill) for pair in pairs)
                for pairs in (each.opposed_by, each.subverted_by)
            ),
        )
        for each in CATALOG.skills
        if each.opposed_by or each.subverted_by
    ]
    assert found == [
        ("Intimidation", "intimidation", "deception"),
        ("Stealth", "perception", ""),
        ("Thievery", "perception", ""),
        ("Deception", "insight", ""),
        ("Leadership", "persuasion intimidation", "insight"),
        ("Persuasion", "persuasion intimidation", ""),
        ("Seduction", "perform persuasion", "insight"),
        ("Insight", "deception", ""),
        ("Perception", "stealth", ""),
    ]
    pairs = [pair for each in CATALOG.skills for pair in (*each.opposed_by, *each.subverted_by)]
    assert all(pair.attribute in CATALOG.skills[pair.skill].attributes for pair in pairs)
    assert [each.name for each in CATALOG.skills if each.by_field] == ["Knowledge", "Language"]


def test_basic_martial_skills_go_by_the_attribute_of_their_weapons() -> None:
    basic = [each for each in CATALOG.martial if each.kind is MartialKind.BASIC]
    assert " ".join(each.attribute.short for each in basic if each.attribute) == (
        "STR STR AGI AGI STR AGI STR STR STR AGI AGI AGI AGI AGI"
    )
    assert [each.name for each in basic if each.use is not Use.BONUS] == ["Shield Training"]
    assert [each.name for each in basic if each.optional] == ["Firearms", "Energy Weapons"]
    assert not any(each.attribute for each in CATALOG.martial if each.kind is MartialKind.SPECIALIZED)


def test_martial_skills_work_when_the_book_says() -> None:
    special = [each for each in CATALOG.martial if each.kind is MartialKind.SPECIALIZED]
    for use, names in TAGS.items():
        assert ", ".join(each.name for each in special if each.use is use) == names
    assert [each.name for each in special if each.stance] == [
        "Bodyguard's Stance",
        "Defensive Stance",
        "Enraged Attacker",
        "Offensive Stance",
    ]
    for benefit, names in BENEFITS.items():
        assert ", ".join(each.name for each in special if each.benefit is benefit) == names


def test_spells_are_expended_for_as_the_rulings_say() -> None:
    found = {each.name: each.expend for each in CATALOG.spells if not each.expend_more}
    assert found == {name: cost for cost, names in EXPEND.items() for name in names.split(", ")}
    assert [each.name for each in CATALOG.spells if each.expend_more] == ["Summon Creature"]


def test_schools_and_casting_traits_name_each_other() -> None:
    opened = {each.school: each.id for each in CATALOG.traits if each.school}
    assert opened == {each.id: each.trait for each in CATALOG.schools}
    for each in CATALOG.spells:
        school = each.school and CATALOG.schools[each.school]
        expected = (
            (school.attribute,) if school else (Attribute.INFLUENCE, Attribute.INTELLIGENCE, Attribute.ACUITY)
        )
        assert each.attributes == expected, each.name


def test_spells_carry_all_that_their_kind_needs() -> None:
    for each in CATALOG.spells:
        assert bool(each.damage) == bool(each.damage_type), each.name
        assert not each.damage or each.against is Against.PD, each.name
        assert len(each.conditions) in (0, 2) and bool(each.conditions) <= each.shaken_off, each.name
        assert not each.shaken_off or each.duration, each.name
        assert not each.area or each.area.at_point == (each.range > 0), each.name
        assert (each.difficulty is not None) <= (each.against is Against.DIFFICULTY), each.name
        assert len(each.grams) in (0, 4) and list(each.grams) == sorted(set(each.grams)), each.name
    assert [each.name for each in CATALOG.spells if each.use is Use.REACTION] == [
        "Retributive Strike",
        "Deflecting Word",
    ]
    assert {each.name for each in CATALOG.spells if each.damage is SpellDamage.HALF} == {
        "Arcane Spark",
        "Fiery Bolt",
    }
    arcs = {each.name: each.area.degrees for each in CATALOG.spells if each.area and each.area.degrees}
    assert arcs == {"Flame Spray": 90}
    assert spell("Finesse").grams == (500, 1000, 5000, 15000)
    assert spell("Force").grams == spell("Move").grams == (5000, 15000, 50000, 150000)


def halves(parts: SpellComponents) -> int:
    """Half CP by the costing table (R-20)."""
    ranges = {0: 0, 5: 0, 25: 1, 100: 2}
    areas = {0: 0, 15: 1, 25: 2}
    damages = {None: 0, SpellDamage.HALF: -1, SpellDamage.PER_SUCCESS: 1, SpellDamage.PER_DIE: 2}
    scopes = {SpellScope.ALL: 0, SpellScope.SIDE: 1, SpellScope.SELECTED: 2}
    healing = 2 if parts.healing else 0
    return ranges[parts.range] + areas[parts.area] + damages[parts.damage] + healing + scopes[parts.targets]


def test_the_costing_table_gives_the_printed_costs_but_two() -> None:
    costed = {each.name: each for each in CATALOG.spells if each.components}
    counted = {
        name: max(0, int(Fraction(halves(each.components), 2)))
        for name, each in costed.items()
        if each.components
    }
    differ = {name: cost for name, cost in counted.items() if cost != costed[name].expend}
    assert (len(costed), differ) == (24, {"Arcane Bolts": 2, "Dazzling Word": 0})
    # The parts are the spell's own, but that damage which lasts is costed as damage for each die.
    for name, each in costed.items():
        parts = each.components
        assert parts and (parts.range, parts.healing) == (each.range, each.healing), name
        assert parts.area == (each.area.feet if each.area else 0), name
        lasting = name in ("Arcane Maelstrom", "Enflame")
        assert parts.damage == (SpellDamage.PER_DIE if lasting else each.damage), name


def figures(condition: Condition) -> dict[str, int | bool]:
    plain = Condition(id="", name="", group=condition.group, kinds=(), summary="")
    names = set(Condition.__dataclass_fields__) - NO_FIGURE
    return {
        name: getattr(condition, name) for name in names if getattr(condition, name) != getattr(plain, name)
    }


def test_conditions_have_the_figures_of_the_rulings() -> None:
    assert {slug_of(each.id): figures(each) for each in CATALOG.conditions} == CONDITIONS
    assert all(each.kinds for each in CATALOG.conditions)


@pytest.mark.parametrize(
    "shelf",
    [CATALOG.traits, CATALOG.skills, CATALOG.martial, CATALOG.schools, CATALOG.spells, CATALOG.conditions],
    ids=lambda shelf: shelf.kind,
)
def test_every_entry_says_shortly_what_it_does(shelf: Shelf[Trait]) -> None:
    lengths = {each.id: len(each.summary) for each in shelf}
    assert {entry: length for entry, length in lengths.items() if not 15 <= length <= 400} == {}
    assert all(each.summary.endswith((".", "!", "?")) for each in shelf)
    assert len({each.name for each in shelf}) == len(shelf)


def figures_in(text: str) -> list[int]:
    return [int(figure) for figure in re.findall(r"(?<![\d.])\d+(?![\d.]*\d)", text)]


@pytest.mark.parametrize("spell_", CATALOG.spells, ids=lambda each: each.name)
def test_what_a_spell_says_is_what_its_fields_say(spell_: Spell) -> None:
    named, text = figures_in(spell_.summary), spell_.summary
    if spell_.range > 5:
        assert spell_.range in named
    if spell_.area is not None:
        assert spell_.area.feet in named
    if spell_.difficulty is not None:
        assert spell_.difficulty in named
    assert ("PD" in text and "against" in text.lower()) or spell_.against is not Against.PD
    assert "MD" in text or spell_.against is not Against.MD
    if spell_.conditions:
        weaker, stronger = (CATALOG.conditions[each].name for each in spell_.conditions)
        assert f"1 or 2 successes leave it {weaker}, 3 or more {stronger}" in text
    if spell_.duration.startswith("1"):
        assert spell_.duration in text or "each turn with one die fewer" in text, spell_.duration


# Figures and words without which the skill would do something else (Specialized Martial Skills).
LIMITS = {
    "Bodyguard's Stance": "1 die, as often a round as the rating; other specialized skills rest; cannot act",
    "Charging Attack": "no enemy beside you; 5 feet; at most the rating",
    "Cleaving Attack": "same weapon; somebody else in reach; none for the weapon",
    "Debilitating Blow": "every 2 energy; expend 1; the damage or the rating, whichever is lower",
    "Defensive Stance": "1 die more, as often a round as the rating; specialized skills rest; cannot act",
    "Disarming Attack": "melee attack; 5 feet a success; both hands your pool has 2 dice less",
    "Distracting Taunt": "MD; 50 feet; Influence; Enervated, 3 or more Exhausted; shaken off",
    "Dual Wield Attack": "costs no more; whichever is lower; at least 1; no penalty",
    "Enraged Attacker": "by Strength; reactions; you expend 2",
    "First Strike": "no more than the rating",
    "Following Attack": "same target; dice already on the table; no more than the rating",
    "Hard To Kill": "first hit of an encounter; 0 or less; Stamina or the rating",
    "Killing Blow": "expend 1; Strength or the rating",
    "Last Gasp": "Expend 1; Stamina or the rating",
    "Leader's Pledge": "Influence or the rating; 25 feet; notices you; until its next turn ends",
    "Nimble Defense": "PD of 1 or 2",
    "Offensive Stance": "for each energy you add, at most the rating; specialized skills rest; cannot act",
    "Opportunity Attack": "leaves your reach; less by the rating",
    "Passing Attack": "5 feet; as often a round as the rating",
    "Pinning Attack": "no harm; 1 or 2; Slowed, 3 or more Immobilized; beyond the rating; shaken off",
    "Precision Attack": "up to the rating; next martial attack; spoils it",
    "Pressing Attack": "5 feet; one size larger at most; as often a round as the rating",
    "Reflex Strike": "not you; less by the rating",
    "Repel": "up to the rating; pay 2 for each",
    "Shield Bash": "spend 1; off hand; pushes 5 feet; Prone",
    "Sidestep": "spend 1; up to the rating",
    "Stunning Attack": "no harm; 1 or 2; Dazed, 3 or more Stunned; beyond the rating; shaken off",
    "Twist The Blade": "melee; spend 1; up to the rating",
    "Unarmored Defense": "PD of 1; at most the rating; until your next turn",
    "Weakening Attack": "no harm; 1 or 2; Weakened, 3 or more Enfeebled; beyond the rating; shaken off",
}


def test_martial_skills_say_where_they_end() -> None:
    texts = {each.name: each.summary for each in CATALOG.martial}
    missing = {
        name: [limit for limit in limits.split("; ") if limit.lower() not in texts[name].lower()]
        for name, limits in LIMITS.items()
    }
    assert {name: limits for name, limits in missing.items() if limits} == {}
    assert {each.name: each.once for each in CATALOG.martial if each.once} == {
        "First Strike": "once an encounter",
        "Hard To Kill": "once an encounter",
        "Last Gasp": "once an encounter",
        "Leader's Pledge": "once a round on each ally",
        "Surprise Attack": "once an encounter",
        "Take The Initiative": "once until energy is regained",
    }


def test_every_reference_names_an_entry() -> None:
    assert unresolved_references(CATALOG.shelves()) == ()


def test_a_character_of_any_concept_can_spend_its_skill_points() -> None:
    for concept in CATALOG.concepts:
        ratings = dict.fromkeys(Attribute, 1) | dict(zip(concept.attributes, (3, 3, 2), strict=False))
        rooms = [max(ratings[each] for each in CATALOG.skills[skill].attributes) for skill in concept.general]
        assert sum(rooms) >= CATALOG.settings.general_cp, concept.name
        assert len(concept.martial) + len(concept.spells) >= 6, concept.name
        bought = sum(CATALOG.traits[each].cp for each in concept.traits)
        assert bought + 12 <= CATALOG.settings.trait_cp, concept.name
        assert all(CATALOG.traits[each].species for each in concept.species), concept.name


def test_a_concept_has_the_skills_for_what_it_carries_and_casts() -> None:
    for concept in CATALOG.concepts:
        for thing in concept.equipment:
            table = CATALOG.tables[CATALOG.equipment[thing].table]
            assert set(table.skills) & set(concept.martial), (concept.name, thing)
        schools = {CATALOG.traits[each].school for each in concept.traits}
        for each in concept.spells:
            assert CATALOG.spells[each].school in schools | {None}, (concept.name, each)
        optional = {each.id for shelf in (CATALOG.skills, CATALOG.martial) for each in shelf if each.optional}
        by_field = {each.id for each in CATALOG.skills if each.by_field}
        assert not (optional | by_field) & {*concept.general, *concept.martial}, concept.name


def test_there_are_words_enough_to_draw_from() -> None:
    words = CATALOG.words
    for found, least in (
        (words.names, 60),
        (words.traits, 30),
        (words.origins, 30),
        (words.codes, 25),
        (words.goals, 25),
    ):
        assert len(set(found)) == len(found) >= least
