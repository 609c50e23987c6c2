"""The questions that the game's arithmetic answers: adversaries, encounters, costs, odds and the rest."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.engine.codec import encode
from services.rules.engine.problem import Problems, path_text
from services.rules.engine.tools import AnyTool
from services.rules.systems.forge_engine.adversaries import AdversaryChanges, ChangedAdversary, change
from services.rules.systems.forge_engine.bestiary import AdversarySkill
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.pools.attack_given import (
    AttackGiven,
    Cover,
    DefenseGiven,
    DefenseKind,
    DefenseReaction,
    PoolSkill,
)
from services.rules.systems.forge_engine.pools.attack_odds import (
    AttackOdds,
    AttackQuestion,
    AttributeTestOdds,
    AttributeTestQuestion,
    TieRule,
    attack_odds,
    attribute_test_odds,
)
from services.rules.systems.forge_engine.pools.greatest import greatest_attack
from services.rules.systems.forge_engine.stat_block import (
    attack_attribute,
    body,
    figures,
    size_of,
)
from services.rules.systems.forge_engine.tools import TOOLS
from services.rules.systems.forge_engine.tools.campaign import AdversaryCount, EncounterQuestion
from tests.rules.forge_engine_values import drawn

CATALOG = own_catalog()
BY_NAME = {tool.name: tool for tool in TOOLS}
IDS = (
    *CATALOG.adversaries.ids[:5],
    *CATALOG.traits.ids[:30],
    *CATALOG.equipment.ids[::9],
    *CATALOG.spells.ids[::7],
    *CATALOG.conditions.ids,
    *CATALOG.dispositions.ids,
    *CATALOG.magnitudes.ids,
    *CATALOG.odds.ids,
    *CATALOG.transports.ids[:3],
    *CATALOG.weather.ids[:2],
    "Burst fire",
    "walk",
)


def thing(kind: str, slug: str) -> str:
    return f"forge_engine:{kind}/{slug}"


def problems(found: object) -> dict[str, str]:
    """Codes by path."""
    assert isinstance(found, Problems), found
    return {path_text(problem.path): problem.code for problem in found}


def changed(**given: Any) -> ChangedAdversary:
    found = change(AdversaryChanges(**given), CATALOG)
    assert isinstance(found, ChangedAdversary), str(found)
    return found


# Adversaries


def test_an_adversary_resists_what_no_shelf_lists() -> None:
    found = changed(template=thing("adversary", "m8-grunt"), traits=(thing("trait", "radiation-resistant"),))
    assert found.adversary.traits[-1] == thing("trait", "radiation-resistant")
    assert found.health.value == CATALOG.adversaries[thing("adversary", "m8-grunt")].health


def test_the_rules_give_what_the_templates_print_but_where_the_rulings_say_they_do_not() -> None:
    stray = set()
    for block in CATALOG.adversaries:
        whole = body(block.traits, CATALOG)
        found = figures(block.attributes, whole, block.armor, CATALOG)
        made = (found.energy.value, found.health.value, found.pd.value, found.md.value)
        if made != (block.energy, block.health, block.pd, block.md):
            stray.add(block.name)
        for attack in block.attacks:
            trained = max((skill.rating for skill in block.skills if skill.skill == attack.skill), default=0)
            most = greatest_attack(
                attack.cost,
                attack.rating,
                attack_attribute(attack.skill, CATALOG),
                found,
                trained,
                size_of(whole, CATALOG),
            )
            if (most.cost.value, most.dice.value) != (attack.max_cost, attack.max_dice):
                stray.add(block.name)
    assert stray == {"F6 Striker", "M6 Striker", "F15 Striker", "M15 Striker"}


def test_the_books_vampire_is_a_commander_with_a_bite() -> None:
    vampire = changed(
        template=thing("adversary", "f10-commander"), name="Vampire", traits=(thing("trait", "bite"),)
    )
    block = vampire.adversary
    assert (block.name, block.energy, block.health, block.pd, block.md) == ("Vampire", 10, 9, 3, 2)
    assert [(attack.name, attack.cost, attack.rating) for attack in block.attacks] == [
        ("Melee weapon", 3, 3),
        ("Bite", 2, 1),
    ]
    assert (block.attacks[1].max_cost, block.attacks[1].max_dice) == (5, 4)


def test_traits_change_what_they_touch_and_printed_figures_stay() -> None:
    # Its Agility is above what its armour allows, and its energy with it; it stays so as printed.
    striker = thing("adversary", "f15-striker")
    sturdy = changed(template=striker, traits=(thing("trait", "sturdy"),))
    assert (sturdy.energy.value, sturdy.health.value) == (15, 13)
    assert sturdy.health.text() == "13 = 11 (F15 Striker, as printed) + 2 (Sturdy)"
    grunt = changed(
        template=thing("adversary", "f10-grunt"),
        traits=(thing("trait", "huge"), thing("trait", "carapace")),
    )
    assert (grunt.health.value, grunt.pd.value, grunt.speed, grunt.reach) == (18, 5, 35, 10)
    assert [attack.max_dice for attack in grunt.adversary.attacks] == [13, 4]
    dull = changed(template=thing("adversary", "f10-caster"), traits=(thing("trait", "hive-mind"),))
    assert (dull.energy.value, dull.md.value) == (8, 1)


def test_an_adversary_takes_up_weapons_skills_and_spells() -> None:
    found = changed(
        template=thing("adversary", "f8-commander"),
        traits=(thing("trait", "pyromancy-caster"),),
        skills=(
            AdversarySkill(skill=thing("spell", "fireball"), rating=2),
            AdversarySkill(skill=thing("martial", "melee-weapons"), rating=1),
        ),
        weapons=(thing("equipment", "historical-longsword"),),
    )
    melee, longsword = found.adversary.attacks
    assert (melee.max_cost, melee.max_dice) == (5, 6)
    assert (longsword.skill, longsword.max_cost, longsword.max_dice) == (
        thing("martial", "melee-weapons"),
        6,
        8,
    )
    assert found.adversary.skills[0].rating == 1
    other = changed(template=thing("adversary", "f6-grunt"), species=thing("trait", "dwarf"))
    assert other.adversary.traits == (thing("trait", "dwarf"),)
    assert other.health.value == 8


@pytest.mark.parametrize(
    ("gun", "cost", "rating", "mode_energy", "mode_dice"),
    [("modern-hk21", 3, 5, 3, 4), ("modern-sten", 2, 2, 2, 3), ("scifi-laser-machinegun", 2, 3, 3, 4)],
)
def test_an_adversary_pays_for_full_auto_where_its_gun_fires_nothing_else(
    gun: str, cost: int, rating: int, mode_energy: int, mode_dice: int
) -> None:
    weapon = CATALOG.equipment[thing("equipment", gun)]
    assert (weapon.cost, weapon.rating) == (cost, rating)
    block = changed(template=thing("adversary", "m10-grunt"), weapons=(weapon.id,)).adversary
    fired = block.attacks[-1]
    assert (fired.cost, fired.rating) == (cost + mode_energy, rating + mode_dice)
    trained = max((skill.rating for skill in block.skills if skill.skill == fired.skill), default=0)
    added = min(block.attributes.agility, block.energy - fired.cost)
    assert (fired.max_cost, fired.max_dice) == (
        fired.cost + added,
        fired.rating + added + min(trained, added),
    )
    # A gun with other modes is fired plainly, as the templates' own guns are.
    rifle = changed(template=thing("adversary", "m10-grunt"), weapons=(thing("equipment", "modern-hk-g3"),))
    assert (rifle.adversary.attacks[-1].cost, rifle.adversary.attacks[-1].rating) == (2, 3)


def test_an_adversary_cannot_fire_what_costs_more_energy_than_it_has() -> None:
    found = changed(template=thing("adversary", "m6-grunt"), weapons=(thing("equipment", "modern-m2"),))
    heavy = found.adversary.attacks[-1]
    assert (heavy.cost, heavy.max_dice) == (8, 0)
    assert [note for note in found.notes if "cannot attack" in note]


def test_everything_in_the_way_of_an_adversary_is_named() -> None:
    found = change(
        AdversaryChanges(
            template=thing("adversary", "f8-grunt"),
            traits=(
                *(thing("trait", slug) for slug in ("elf", "muscular", "lean", "huge", "tiny")),
                "bite",
            ),
            skills=(
                AdversarySkill(skill=thing("spell", "fireball"), rating=1),
                AdversarySkill(skill=thing("skill", "language"), rating=0),
            ),
            armor=99,
            weapons=(thing("equipment", "historical-kite-shield"),),
        ),
        CATALOG,
    )
    assert problems(found) == {
        "armor": "number_out_of_range",
        "traits[0]": "second_species",
        "traits[1]": "trait_doubled",
        "traits[2]": "traits_opposed",
        "traits[4]": "multiple_sizes",
        "traits[5]": "id_unknown",
        "skills[0].skill": "spell_needs_trait",
        "skills[1].rating": "number_out_of_range",
        "skills[1].field": "skill_field",
        "weapons[0]": "no_weapon",
    }


def test_an_encounter_counts_templates_and_others() -> None:
    found = BY_NAME["encounter"].run(
        EncounterQuestion(
            characters=(8, 8, 8, 8, 8),
            adversaries=(AdversaryCount(adversary=thing("adversary", "f10-grunt"), count=3),),
            others=(18,),
        ),
        CATALOG,
    )
    assert (found.characters, found.adversaries, found.difficulty.value) == (40, 48, "hard")
    wrong = EncounterQuestion(
        characters=(8,), adversaries=(AdversaryCount(adversary="f1-grunt", count=0),), others=(0,)
    )
    assert problems(BY_NAME["encounter"].run(wrong, CATALOG)) == {
        "adversaries[0].adversary": "id_unknown",
        "adversaries[0].count": "number_out_of_range",
    }


# Odds


def attack(**given: Any) -> AttackOdds:
    question = AttackQuestion(attack=given.pop("attack"), defense=given.pop("defense", DefenseGiven(dice=1)))
    found = attack_odds(question, CATALOG)
    assert isinstance(found, AttackOdds), str(found)
    return found


MACHETE = AttackGiven(
    attribute=3,
    added=2,
    weapon=thing("equipment", "modern-machete-truckers-friend"),
    skills=(PoolSkill(name="Melee Weapons", rating=3),),
)


def test_the_books_machete_is_built_step_by_step_and_its_odds_are_exact() -> None:
    found = attack(attack=MACHETE, defense=DefenseGiven(dice=2))
    assert found.pools.action.text() == (
        "7 = 3 (Machete/Trucker's Friend) + 2 (energy added) + 2 (Melee Weapons)"
    )
    assert found.pools.energy.value == 5
    assert round(float(found.chances.success), 2) == 0.86
    assert sum(row.chance for row in found.chances.successes) == 1
    assert found.chances.mean == sum(row.chance * row.successes for row in found.chances.successes)
    # on average 2.69 where the book's table, which holds medians, has 2.
    assert round(float(found.chances.mean), 2) == 2.69
    assert found.chances.median == 2


def test_a_table_says_what_each_further_energy_is_worth() -> None:
    rows = attack(attack=MACHETE, defense=DefenseGiven(dice=2)).table
    assert [(row.added, row.energy, row.pool) for row in rows] == [(0, 3, 3), (1, 4, 5), (2, 5, 7), (3, 6, 9)]
    assert [row.success for row in rows] == sorted(row.success for row in rows)
    assert sum(row.gain for row in rows) == rows[-1].success - rows[0].success


def test_fire_supports_and_externalities_come_after_energy_and_skills() -> None:
    rifle = AttackGiven(
        attribute=3,
        added=2,
        weapon=thing("equipment", "modern-ak-47"),
        fire="Burst fire",
        supports=("Braced",),
        skills=(PoolSkill(name="Long Guns", rating=3),),
        conditions=(thing("condition", "dazed"), thing("condition", "grappled")),
        unstable=True,
    )
    target = DefenseGiven(
        dice=2,
        cover=Cover.HALF,
        distance=130,
        into_melee=True,
        reactions=(DefenseReaction(name="Dodge", energy=5, attribute=3),),
        shield=thing("equipment", "modern-riot-shield"),
        traits=(thing("trait", "tiny"),),
        conditions=(thing("condition", "prone"), thing("condition", "stunned")),
    )
    pools = attack(attack=rifle, defense=target).pools
    assert [part.value for part in pools.action.parts] == [3, 3, 2, 2, 1, -2, -2]
    assert pools.energy.value == 2 + 1 + 2 + 1
    assert pools.defense.value == 2 + 3 + 3 + 1 + 2 + 1 + 2 + 2 - 2
    assert pools.defense_energy.value == 3 + 2 + 2 * 2


def test_penalties_leave_one_die_and_a_pool_of_none_is_not_rolled() -> None:
    punch = AttackGiven(attribute=2, weapon=thing("equipment", "historical-punch-kick"), off_hand=True)
    found = attack(attack=punch)
    assert (found.pools.action.value, found.chances.success, found.chances.critical) == (0, 0, 0)
    weak = AttackGiven(attribute=2, added=1, cost=1, rating=0, off_hand=True, obstructed=True)
    assert attack(attack=weak).pools.action.value == 1


def test_a_spell_is_expended_and_meets_its_own_defense() -> None:
    bolts = AttackGiven(
        attribute=4,
        added=4,
        spell=thing("spell", "arcane-bolts"),
        skills=(PoolSkill(name="Arcane Bolts", rating=2),),
    )
    found = attack(attack=bolts)
    assert (found.pools.action.value, found.pools.energy.value, found.pools.expended) == (6, 5, 1)
    word = AttackGiven(attribute=4, spell=thing("spell", "dazzling-word"))
    wrong = AttackQuestion(attack=word, defense=DefenseGiven(dice=1, cover=Cover.TOTAL, distance=50))
    assert problems(attack_odds(wrong, CATALOG)) == {
        "defense.cover": "covered",
        "defense.kind": "wrong_defense",
        "defense.distance": "out_of_range",
    }
    met = DefenseGiven(
        dice=2,
        kind=DefenseKind.MD,
        reactions=(DefenseReaction(name="Iron Will", energy=4, attribute=3, rating=4),),
    )
    assert attack(attack=word, defense=met).pools.defense.value == 5


def test_spells_of_touch_are_melee_attacks_and_others_strike_from_afar() -> None:
    prone = DefenseGiven(dice=3, conditions=(thing("condition", "prone"),), into_melee=True)
    caster = {"attribute": 4, "added": 4, "conditions": (thing("condition", "prone"),)}
    for slug in ("flaming-touch", "arcane-touch", "draining-touch", "retributive-strike", "flame-armor"):
        pools = attack(attack=AttackGiven(**caster, spell=thing("spell", slug)), defense=prone).pools
        assert (pools.action.value, pools.defense.value) == (2, 1), slug
    for slug in ("fiery-bolt", "divine-word", "fireball"):
        pools = attack(attack=AttackGiven(**caster, spell=thing("spell", slug)), defense=prone).pools
        assert (pools.action.value, pools.defense.value) == (4, 6), slug
    # No spell is a martial attack, not even by touch.
    cloud = DefenseGiven(dice=1, traits=(thing("trait", "particulate"),))
    touch = AttackGiven(attribute=2, added=2, spell=thing("spell", "arcane-touch"))
    assert attack(attack=touch, defense=cloud).pools.defense.value == 1


def test_what_explodes_attacks_an_area_and_cover_helps_against_that_too() -> None:
    grenade = AttackGiven(attribute=2, added=2, weapon=thing("equipment", "modern-f1-pineapple-frag-grenade"))
    javelin = AttackGiven(attribute=2, added=2, weapon=thing("equipment", "historical-javelin-hunting-spear"))
    hidden = DefenseGiven(
        dice=1,
        cover=Cover.HALF,
        traits=(thing("trait", "fine"), thing("trait", "particulate")),
        conditions=(thing("condition", "faint"),),
    )
    assert attack(attack=grenade, defense=hidden).pools.defense.value == 1 + 2
    assert attack(attack=javelin, defense=hidden).pools.defense.value == 1 + 2 + 3 + 2 + 2
    behind = DefenseGiven(dice=1, cover=Cover.TOTAL)
    assert attack(attack=grenade, defense=behind).pools.defense.value == 1
    refused = attack_odds(AttackQuestion(attack=javelin, defense=behind), CATALOG)
    assert problems(refused) == {"defense.cover": "covered"}


def test_what_only_fires_full_auto_is_not_sighted_and_a_tripod_steadies() -> None:
    refused = {"attack.supports[0]": "support_unknown"}
    for slug, fire in (("modern-thompson-m1921", ""), ("modern-ak-47", "Full-auto")):
        gun = {"attribute": 2, "weapon": thing("equipment", slug), "fire": fire}
        question = AttackQuestion(
            attack=AttackGiven(**gun, supports=("Scope",)), defense=DefenseGiven(dice=1)
        )
        assert problems(attack_odds(question, CATALOG)) == refused
        assert attack(attack=AttackGiven(**gun, supports=("Braced",))).pools.action.value > 4
    sniper = {"attribute": 2, "weapon": thing("equipment", "modern-barrett-m82-50"), "steady": False}
    assert attack(attack=AttackGiven(**sniper, supports=("Scope",))).pools.energy.value == 6
    assert attack(attack=AttackGiven(**sniper, supports=("Tripod",))).pools.energy.value == 3


def test_a_sword_reaches_as_far_as_the_body_that_swings_it() -> None:
    sword = {"attribute": 2, "weapon": thing("equipment", "historical-longsword")}
    for traits, distance, found in (
        ((), 5, {}),
        ((), 10, {"defense.distance": "out_of_range"}),
        ((thing("trait", "huge"),), 10, {}),
        ((thing("trait", "colossal"),), 20, {"defense.distance": "out_of_range"}),
    ):
        question = AttackQuestion(
            attack=AttackGiven(**sword, traits=traits), defense=DefenseGiven(dice=1, distance=distance)
        )
        answer = attack_odds(question, CATALOG)
        assert (problems(answer) if isinstance(answer, Problems) else {}) == found


def test_nobody_parries_with_a_bow() -> None:
    for slug, found in (
        ("historical-longbow", {"defense.parry_weapon": "no_melee_weapon"}),
        ("historical-kite-shield", {"defense.parry_weapon": "no_weapon"}),
    ):
        met = DefenseGiven(dice=1, parry=2, parry_weapon=thing("equipment", slug))
        assert problems(attack_odds(AttackQuestion(attack=MACHETE, defense=met), CATALOG)) == found
    met = DefenseGiven(dice=1, parry=2, parry_weapon=thing("equipment", "historical-longsword"))
    assert attack(attack=MACHETE, defense=met).pools.defense.value == 3


def asked(**given: Any) -> AttributeTestOdds:
    found = attribute_test_odds(AttributeTestQuestion(**given), CATALOG)
    assert isinstance(found, AttributeTestOdds), str(found)
    return found


def test_a_test_is_told_against_every_difficulty_or_one_or_a_pool_or_a_rival() -> None:
    found = asked(attribute=2, skill=4, helpers=(1,))
    assert found.pool.value == 5
    assert [round(float(line.chance), 2) for line in found.difficulties] == [
        0.92,
        0.83,
        0.67,
        0.41,
        0.26,
        0.08,
    ]
    assert asked(attribute=3, difficulty=10).chances.success == 1 - Fraction(9, 10) ** 3
    assert round(float(asked(attribute=3, against=2).chances.success), 2) == 0.67
    rivals = asked(attribute=3, against=3, same_goal=True).contest
    assert rivals is not None
    assert rivals.instigator == rivals.rival
    assert rivals.instigator + rivals.rival + rivals.tie == 1
    favoured = asked(attribute=3, against=3, same_goal=True, ties=TieRule.INSTIGATOR).contest
    assert favoured is not None
    assert favoured.tie == 0
    assert [row.pool for row in asked(attribute=3, skill=2, in_combat=True, energy=3).table] == [0, 2, 4, 5]


@pytest.mark.parametrize(
    ("name", "given", "shown"),
    [
        ("spell_cost", {"spell": thing("spell", "arcane-bolts")}, {"printed": 1, "agrees": False}),
        ("weapon_cost", {"weapon": thing("equipment", "historical-war-axe-2h")}, {"agrees": True}),
        ("price", {"item": thing("equipment", "modern-desert-eagle")}, {"dollars": 2500}),
        ("price", {"rating": 3}, {"cost": None, "dollars": None}),
        ("range", {"weapon": thing("equipment", "historical-shortbow"), "distance": 250}, {"pd_dice": 2}),
        ("odds_table", {"table": CATALOG.odds.ids[0]}, {"id": CATALOG.odds.ids[0]}),
    ],
)
def test_tools_answer(name: str, given: dict[str, Any], shown: dict[str, Any]) -> None:
    tool = BY_NAME[name]
    found = tool.run(tool.given(**given), CATALOG)
    assert not isinstance(found, Problems), str(found)
    assert {field: getattr(found, field) for field in shown} == shown


def test_influence_tells_the_chance_of_all_successes() -> None:
    tool = BY_NAME["influence"]
    question = tool.given(
        disposition=CATALOG.dispositions.ids[0], magnitude=CATALOG.magnitudes.ids[2], dice=3, against=2
    )
    found = tool.run(question, CATALOG)
    assert found.required.value == 1
    assert round(float(found.chance), 2) == 0.67


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@settings(max_examples=25)
@given(random=st.randoms(use_true_random=False))
def test_any_question_is_answered_or_has_problems_in_places_that_it_has(
    tool: AnyTool, random: Random
) -> None:
    question = drawn(tool.given, random, IDS)
    found = tool.run(question, CATALOG)
    if not isinstance(found, Problems):
        assert encode(tool.answer, found)
        return
    for problem in found:
        value: Any = question
        for step in problem.path:
            value = value[step] if isinstance(step, int) else getattr(value, step)
