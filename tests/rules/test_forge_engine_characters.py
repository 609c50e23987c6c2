"""Forge Engine: what characters cost, what breaks a rule, and what stands on their sheets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from services.rules.engine.content import slug_of
from services.rules.engine.sheet import variables
from services.rules.systems.forge_engine import derived
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.bestiary import Sample
from services.rules.systems.forge_engine.card import character_card, pips
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.permission import WAIVABLE
from services.rules.systems.forge_engine.choices import (
    Carried,
    CharacterChoices,
    Place,
    SkillRating,
    Thing,
)
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.derived import Hardened, WornArmor
from services.rules.systems.forge_engine.equipment import Era
from services.rules.systems.forge_engine.examples import EXAMPLES, SAMPLES
from services.rules.systems.forge_engine.settings import HouseRules, Unspent
from services.rules.systems.forge_engine.sheet import CharacterSheet
from services.rules.systems.forge_engine.sheet_lines import AttackLine, WeaponLine
from services.rules.systems.forge_engine.traits import Response, TraitChoice
from tests.conformance.forge_engine.characters import AREAS
from tests.rules.forge_engine_builds import CATALOG, broken, built

LEAVE = ("general_skill_minimum",)


def trait(slug: str) -> str:
    return f"forge_engine:trait/{slug}"


def skill(slug: str, rating: int = 1, kind: str = "skill", field: str = "") -> SkillRating:
    return SkillRating(skill=f"forge_engine:{kind}/{slug}", rating=rating, field=field)


def carried(slug: str, place: Place = Place.WIELDED, count: int = 1) -> Carried:
    return Carried(item=f"forge_engine:equipment/{slug}", place=place, count=count)


def person(**given: Any) -> CharacterChoices:
    """A human who is good at nothing, with leave to have no general skills."""
    return CharacterChoices(
        **{"name": "Somebody", "species_choices": (trait("muscular"),), "leave": LEAVE} | given
    )


def table(**rules: Any) -> Catalog:
    return replace(CATALOG, settings=CATALOG.settings.under(HouseRules(**rules)))


def weapon(sheet: CharacterSheet, name: str) -> WeaponLine:
    return next(line for line in sheet.weapons if line.name == name)


def greatest(attack: AttackLine) -> tuple[int, int]:
    assert attack.max_cost is not None
    assert attack.max_dice is not None
    return attack.max_cost.value, attack.max_dice.value


@pytest.mark.parametrize("sample", CATALOG.samples, ids=lambda sample: sample.name)
def test_the_samples_of_the_book_come_out_as_their_stat_blocks_say(sample: Sample) -> None:
    sheet = built(SAMPLES[slug_of(sample.id)])
    figures = (sheet.energy.value, sheet.health.value, sheet.pd.value, sheet.md.value)
    assert figures == (sample.energy, sample.health, sample.pd, sample.md)
    attacks = [greatest(attack) for line in sheet.weapons for attack in line.attacks]
    assert {(attack.max_cost, attack.max_dice) for attack in sample.attacks} <= set(attacks)


def test_the_samples_are_those_of_the_rulings() -> None:
    # Energy, health, MD, CP of attributes and traits; the greatest attacks (rulings section 5).
    figures = {
        "Wasteland Scavenger": (7, 7, 2, 15, (5, 7), (5, 9)),
        "Gunslinger": (8, 7, 2, 14, (4, 4), (4, 7)),
        "Skirmisher": (7, 7, 1, 14, (5, 8)),
        "Firefly": (6, 5, 1, 10, (6, 9)),
        "Hospiter": (8, 7, 2, 14, (7, 13)),
        "Field Agent": (8, 7, 3, 14, (3, 6)),
    }
    assert {
        sample.name: (
            sample.energy,
            sample.health,
            sample.md,
            built(SAMPLES[slug_of(sample.id)]).points.budgets[0].spent,
            *((attack.max_cost, attack.max_dice) for attack in sample.attacks),
        )
        for sample in CATALOG.samples
    } == figures


def test_other_examples_spend_every_point_without_anybodys_leave() -> None:
    for name, choices in EXAMPLES.items():
        if name not in SAMPLES:
            assert choices.leave == ()
            assert [budget.remaining for budget in built(choices).points.budgets] == [0, 0, 0]


# Creation


@pytest.mark.parametrize(
    ("rules", "given", "problem"),
    [
        (
            {"trait_cp": 1},
            {"attributes": Attributes(agility=2)},
            "attribute_and_trait_budget_exceeded at attributes",
        ),
        ({"skill_cp": 0}, {"skills": (skill("resist"),)}, "skill_budget_exceeded at skills"),
        (
            {"martial_most": 0},
            {"skills": (skill("brawling", kind="martial"),)},
            "martial_budget_exceeded at skills",
        ),
        (
            {"specialized_most": 2},
            {"skills": (skill("parry", 3, "martial"),)},
            "specialized_budget_exceeded at skills",
        ),
        (
            {"magic_most": 0},
            {"traits": (trait("arcane-caster"),), "skills": (skill("light", kind="spell"),)},
            "magic_budget_exceeded at skills",
        ),
        (
            {"attribute_most": 2},
            {"attributes": Attributes(acuity=3)},
            "attribute_above_limit at attributes.acuity",
        ),
        (
            {"skill_most": 2},
            {"skills": (skill("parry", 3, "martial"),)},
            "skill_above_limit at skills[0].rating",
        ),
        ({"species": (trait("elf"),)}, {}, "species_not_allowed at species"),
        ({"barred": (trait("muscular"),)}, {}, "barred at species_choices[0]"),
        (
            {"barred": ("forge_engine:skill/resist",)},
            {"skills": (skill("resist"),)},
            "barred at skills[0].skill",
        ),
        ({}, {"skills": (skill("scavenge"),)}, "option_not_in_play at skills[0].skill"),
        ({}, {"traits": (trait("cold-vulnerable"),)}, "option_not_in_play at traits[0]"),
        (
            {"eras": (Era.MODERN,)},
            {"equipment": (carried("historical-longsword"),)},
            "era_not_in_play at equipment[0].item",
        ),
        ({"equipment_by_leave": True}, {"things": (Thing(name="Rope"),)}, "equipment_by_leave at things"),
        ({}, {"traits": (trait("small"),)}, "multiple_sizes at traits[0]"),
    ],
)
def test_what_a_table_sets_is_kept_and_its_game_master_may_waive_it(
    rules: dict[str, Any], given: dict[str, Any], problem: str
) -> None:
    catalog = table(**rules)
    assert broken(person(**given), catalog) == [problem]
    code = problem.partition(" ")[0]
    sheet = built(person(leave=(*LEAVE, code), **given), catalog)
    line = next(line for line in sheet.leave if line.code == code)
    assert line.text == WAIVABLE[code]
    assert line.used


@pytest.mark.parametrize(
    ("rules", "given"),
    [
        ({"options": ("forge_engine:skill/scavenge",)}, {"skills": (skill("scavenge"),)}),
        ({"options": (trait("cold-vulnerable"),)}, {"traits": (trait("cold-vulnerable"),)}),
        (
            {"skill_cp": 31, "general_cp": 0},
            {"skills": (skill("parry", 25, "martial"), skill("brace", 6, "martial"))},
        ),
        ({"magic_trait_cp": 1, "trait_cp": 1}, {"traits": (trait("divine-caster"),)}),
        ({"unspent": Unspent.SKILLS, "skill_cp": 0}, {"skills": (skill("parry", 15, "martial"),)}),
    ],
)
def test_what_a_table_gives_can_be_had(rules: dict[str, Any], given: dict[str, Any]) -> None:
    assert broken(person(**given), table(**rules)) == []


def test_structural_rules_are_nobodys_to_waive() -> None:
    for code in ("skill_above_attribute", "missing_casting_trait", "duplicate_trait", "cannot_carry"):
        assert broken(person(leave=(*LEAVE, code))) == ["not_waivable at leave[1]"]


def test_traits_that_a_table_gives_to_all_cost_nothing_and_are_not_bought_again() -> None:
    catalog = table(free=(trait("sturdy"),))
    sheet = built(person(), catalog)
    assert sheet.health.value == 7
    assert sheet.points.budgets[0].spent == 0
    assert broken(person(traits=(trait("sturdy"),)), catalog) == ["duplicate_trait at traits[0]"]


def test_the_general_minimum_is_asked_of_everybody_who_has_no_leave() -> None:
    five = (skill("athletics", 1), skill("stealth", 1))
    assert broken(person(leave=())) == ["general_skill_minimum at skills"]
    assert broken(person(leave=(), skills=five)) == ["general_skill_minimum at skills"]
    # A case that is silent about skills does not ask for them.
    ones = dict.fromkeys(("STR", "AGI", "STA", "INF", "INT", "ACU"), 1)
    given = {"species": "Elf", "attributes": ones}
    assert AREAS["validation"](given) == {"valid": True, "errors_include": []}
    assert AREAS["validation"](given | {"general_skills": {"Stealth": 1}})["valid"] is False


def test_species_choices_are_told_apart_as_wrong_missing_or_too_many() -> None:
    kurgian = {"species": trait("kurgian")}
    assert broken(person(species_choices=())) == ["missing_species_choice at species_choices"]
    assert broken(person(species_choices=(trait("sturdy"),))) == [
        "invalid_species_choice at species_choices[0]"
    ]
    two = (trait("muscular"), trait("lithe"))
    assert broken(person(species_choices=two)) == ["invalid_species_choice at species_choices[1]"]
    assert broken(person(**kurgian, species_choices=(trait("dull"),))) == [
        "missing_species_choice at species_choices"
    ]
    assert broken(person(**kurgian, species_choices=(trait("dull"), trait("obtuse")))) == []


def test_choices_out_of_lists_that_overlap_find_their_places() -> None:
    human = CATALOG.traits[trait("human")]
    assert human.species is not None
    lists = (
        TraitChoice(take=1, of=(trait("lithe"), trait("muscular"))),
        TraitChoice(take=1, of=(trait("lithe"), trait("astute"))),
    )
    odd = replace(human, species=replace(human.species, choices=lists))
    shelf = replace(CATALOG.traits, entries={**CATALOG.traits.entries, human.id: odd})
    catalog = replace(CATALOG, traits=shelf)
    for two in ((trait("lithe"), trait("muscular")), (trait("astute"), trait("lithe"))):
        assert broken(person(species_choices=two), catalog) == []
    wrong = (trait("muscular"), trait("dull"))
    assert broken(person(species_choices=wrong), catalog) == ["invalid_species_choice at species_choices[1]"]


def test_a_species_costs_its_own_price_and_nothing_for_what_it_bundles() -> None:
    elf = CATALOG.traits[trait("elf")]
    shelf = replace(CATALOG.traits, entries={**CATALOG.traits.entries, elf.id: replace(elf, cp=4)})
    sheet = built(person(species=elf.id, species_choices=()), replace(CATALOG, traits=shelf))
    assert sheet.points.budgets[0].spent == 4
    assert {line.cp for line in sheet.traits} == {0}


def test_every_type_of_damage_has_its_traits_at_the_same_prices() -> None:
    radiation = trait_of(trait("radiation-resistant"), CATALOG)
    assert radiation is not None
    assert (radiation.cp, radiation.name, radiation.optional) == (4, "Radiation Resistant", False)
    vulnerable = trait_of(trait("acid-vulnerable"), CATALOG)
    assert vulnerable is not None
    assert (vulnerable.cp, vulnerable.optional) == (-1, True)
    # Against electricity the book has Shock Resistant; there is no second one.
    assert trait_of(trait("electricity-resistant"), CATALOG) is None
    both = person(traits=(trait("radiation-resistant"), trait("radiation-proof")))
    assert broken(both)[0] == "opposite_traits at traits[1]"
    sheet = built(person(traits=(trait("radiation-resistant"),)))
    assert [(line.name, line.response) for line in sheet.damage] == [("Radiation", Response.RESISTANT)]


def test_numbers_beyond_every_bound_are_refused_at_once() -> None:
    most = 2**31 - 1
    choices = person(
        attributes=Attributes(strength=most, agility=-most),
        skills=(skill("parry", most, "martial"), skill("resist", -most)),
        equipment=(carried("historical-rock", count=most),),
        things=(Thing(name="Anvil", count=most, weight_kg=most, dice=most),),
        load_kg=most,
        health=most,
        expended=most,
        native_language=most,
    )
    found = broken(choices)
    for problem in (
        "rating_too_high at attributes.strength",
        "attribute_below_1 at attributes.agility",
        "rating_too_high at skills[0].rating",
        "skill_rating_below_1 at skills[1].rating",
        "native_language_out_of_range at native_language",
        "count_out_of_range at equipment[0].count",
        "count_out_of_range at things[0].count",
        "load_out_of_range at load_kg",
        "bonus_out_of_range at things[0].dice",
    ):
        assert problem in found


# Figures


@pytest.mark.parametrize(
    ("slug", "worn", "pd"),
    [
        ("carapace", 0, 3),
        ("carapace", 1, 4),
        ("carapace", 2, 4),
        ("carapace", 3, 5),
        ("carapace", 5, 7),
        ("exoskeleton", 3, 5),
        ("exoskeleton", 4, 7),
        ("hide", 1, 3),
        ("hide", 2, 3),
        ("hide", 5, 6),
    ],
)
def test_armor_counts_less_over_a_hardened_body(slug: str, worn: int, pd: int) -> None:
    body = trait_of(trait(slug), CATALOG)
    assert body is not None
    assert body.armor is not None
    found = derived.physical_defense((Hardened(body.name, body.armor),), ("armor", worn), None)
    assert found.value == pd


@pytest.mark.parametrize(
    ("slug", "pd", "evasion"), [("fine", 2, 3), ("diminutive", 3, 2), ("tiny", 4, 1), ("small", 6, 0)]
)
def test_small_bodies_gain_less_of_armor_and_are_hard_to_hit(slug: str, pd: int, evasion: int) -> None:
    found = trait_of(trait(slug), CATALOG)
    assert found is not None
    assert found.size is not None
    assert derived.physical_defense((), ("armor", 5), found.size).value == pd
    assert found.size.evasion == evasion


def test_untrained_armor_takes_its_point_before_or_after_the_cap_and_never_the_last() -> None:
    chainmail = WornArmor(name="Chainmail", rating=3, cap=4, trained=False)
    before = table(armor_penalty_after_cap=False).settings
    assert derived.agility(5, chainmail, CATALOG.settings).value == 3
    assert derived.agility(5, chainmail, before).value == 4
    assert derived.agility(1, chainmail, before).value == 1
    assert derived.agility(1, chainmail, CATALOG.settings).value == 1
    assert derived.action_energy(chainmail).value == 1


def test_energy_counts_agility_as_armor_leaves_it() -> None:
    choices = person(
        attributes=Attributes(strength=3, agility=5),
        skills=(skill("armor-training", 3, "martial"),),
        equipment=(carried("historical-chainmail", Place.WORN),),
        leave=(*LEAVE, "attribute_and_trait_budget_exceeded"),
    )
    sheet = built(choices)
    assert sheet.energy.value == 4 + 3 + 1
    assert sheet.attributes[1].rating == 5
    assert "Chainmail caps it at 4" in sheet.attributes[1].effective.text()


def test_health_is_cut_to_its_maximum_and_names_its_state() -> None:
    states = {
        9: (5, "healthy"),
        3: (3, "healthy"),
        2: (2, "bloodied"),
        0: (0, "unconscious"),
        -1: (-1, "dying"),
    }
    for now, (counted, words) in {**states, -99: (-5, "dead")}.items():
        sheet = built(person(health=now))
        assert (sheet.health_now, sheet.condition) == (counted, words)
        assert sheet.tracks[1].current == max(counted, 0)


def test_whoever_has_expended_all_energy_is_unconscious() -> None:
    most = built(person()).energy.value
    assert built(person(expended=most - 1)).condition == "healthy"
    assert built(person(expended=most, health=-1)).condition == "dying"
    down = built(person(expended=most))
    assert down.condition == "unconscious"
    assert down.health_now == down.health.value
    assert "Is unconscious: all energy is expended." in character_card(down, CATALOG).body


def test_the_off_hand_loses_two_dice_but_for_those_who_have_two_right_hands() -> None:
    hands = (carried("historical-longsword"), carried("historical-blackjack", Place.OFF_HAND))
    clumsy = weapon(built(person(equipment=hands)), "Blackjack").attacks[0]
    both = built(person(equipment=hands, traits=(trait("ambidextrous"),)))
    assert greatest(clumsy) == (3, 1)
    assert greatest(weapon(both, "Blackjack").attacks[0]) == (3, 1)
    strong = Attributes(strength=4)
    clumsy_four = weapon(built(person(equipment=hands, attributes=strong)), "Blackjack").attacks[0]
    deft = built(person(equipment=hands, attributes=strong, traits=(trait("ambidextrous"),)))
    assert greatest(clumsy_four) == (6, 2)
    assert greatest(weapon(deft, "Blackjack").attacks[0]) == (6, 4)


def test_fire_modes_and_base_figures() -> None:
    sheet = built(person(equipment=(carried("modern-m2"), carried("modern-ak-47", Place.SLUNG))))
    machinegun, rifle = weapon(sheet, "M2 (.50 cal)"), weapon(sheet, "AK-47 (7.62mm)")
    # Full-auto must be added to 5*/8, which nobody with 3 energy can pay for.
    assert [(attack.cost.value, attack.dice.value) for attack in machinegun.attacks] == [(8, 12)]
    assert machinegun.attacks[0].max_cost is None
    assert machinegun.attacks[0].check is None
    assert [(attack.cost.value, attack.dice.value) for attack in rifle.attacks] == [(2, 3), (3, 6), (5, 7)]
    assert greatest(rifle.attacks[0]) == (3, 4)
    assert greatest(rifle.attacks[1]) == (3, 6)
    assert not rifle.ready


def test_fists_go_by_strength_until_martial_arts_are_learned() -> None:
    quick = Attributes(strength=2, agility=4)
    untaught = weapon(built(person(attributes=quick)), "Punch/Kick").attacks[0]
    taught = person(attributes=quick, skills=(skill("martial-arts", 3, "martial"),))
    art = weapon(built(taught), "Punch/Kick").attacks[0]
    assert (untaught.attribute, greatest(untaught)) == (Attribute.STRENGTH, (4, 2))
    assert (art.attribute, greatest(art)) == (Attribute.AGILITY, (6, 7))


def test_large_bodies_add_dice_to_what_goes_by_strength() -> None:
    sheet = built(person(species=trait("titanian"), species_choices=(), attributes=Attributes(strength=3)))
    tests = {line.id: line.dice.value for line in sheet.tests}
    assert greatest(weapon(sheet, "Punch/Kick").attacks[0]) == (5, 4)
    assert (tests["test-strength"], tests["test-athletics"], tests["test-agility"]) == (4, 4, 1)


def test_hands_are_counted_and_shields_belong_into_the_off_hand() -> None:
    bow, knife = carried("historical-longbow"), carried("historical-blackjack", Place.OFF_HAND)
    assert broken(person(equipment=(bow, knife))) == ["too_many_hands at equipment"]
    assert broken(person(equipment=(carried("historical-buckler"),))) == ["wrong_place at equipment[0].place"]
    twice = (carried("historical-chainmail", Place.WORN, 2),)
    assert broken(person(equipment=twice)) == ["armor_twice at equipment[0]"]
    held = built(person(equipment=(bow,)))
    assert held.free_hands == 0


def test_attacks_and_spells_say_how_likely_they_hit() -> None:
    # The row of seven dice in the book's table of opposed pools.
    (machete,) = weapon(built(SAMPLES["wasteland-scavenger"]), "Machete/Trucker's Friend").attacks
    assert [round(100 * chance.chance) for chance in machete.chances] == [92, 86, 81, 77, 73]
    assert [chance.defense for chance in machete.chances] == [1, 2, 3, 4, 5]
    assert round(float(machete.chances[1].mean), 2) == 2.69
    spells = {spell.name: spell for spell in built(EXAMPLES["fire-caller"]).spells}
    assert len(spells["Fireball"].chances) == 5
    assert spells["Light"].chances == ()


def test_tests_say_what_may_come_on_top_and_how_likely_they_are() -> None:
    choices = person(
        attributes=Attributes(acuity=3),
        skills=(skill("perception", 2), skill("language", 1, field="Latin")),
        traits=(trait("acute-hearing"), trait("empathic")),
        things=(Thing(name="Spyglass", dice=1, skill="forge_engine:skill/perception", place=Place.OFF_HAND),),
        native_language=1,
    )
    sheet = built(choices)
    lines = {line.id: line for line in sheet.tests}
    perception = lines["test-perception"]
    assert (perception.name, perception.dice.value) == ("Acuity (Perception)", 5)
    assert [(bonus.dice, bonus.source) for bonus in perception.bonuses] == [
        (2, "Acute Hearing"), (2, "Empathic"), (0, "Spyglass"),
    ]  # fmt: skip
    chances = {chance.name: chance.chance for chance in perception.chances}
    assert chances["Normal"] == 1 - Fraction(7, 10) ** 5
    assert chances["Severe"] == 1 - Fraction(4, 5) ** 5 - 5 * Fraction(1, 5) * Fraction(4, 5) ** 4
    assert perception.odds == "forge_engine:fixed(5)"
    assert lines["test-language-latin"].name == "Intelligence (Language: Latin)"
    assert "test-zero-g" not in lines
    assert variables(sheet)["perception"] == 2
    assert variables(sheet)["test_perception.dice"] == 5
    assert variables(sheet)["energy.max"] == 5


def test_loads_are_counted_where_the_table_does() -> None:
    choices = person(load_kg=8, things=(Thing(name="Anvil", weight_kg=3),))
    assert built(choices).load is None
    counted = built(choices, table(encumbrance_kg=10)).load
    assert counted is not None
    assert (counted.most_kg.value, counted.load_kg, counted.slowed) == (10, 11, True)


def test_the_infected_begin_as_resistant_as_their_stamina() -> None:
    catalog = table(options=("forge_engine:skill/infection-resistance",))
    sheet = built(person(attributes=Attributes(stamina=3)), catalog)
    line = next(line for line in sheet.skills if line.name == "Infection Resistance")
    assert (line.rating, line.free) == (3, True)


def test_a_card_says_what_the_sheet_does_in_diamonds() -> None:
    sheet = built(replace(EXAMPLES["fire-caller"], leave=()))
    card = character_card(sheet, CATALOG)
    assert pips(7, 1) == "◆◆◆◆◆ ◆◆◇"
    assert card.tracks[0].pips == "◆◆◆◆◆ ◆◆◆◇"
    assert card.waiting == ("1 session: +2 CP",)
    assert card.free_cp == 1
    assert {place.name for place in card.equipment} == {"Worn", "Stowed"}
    assert any(line.name == "Fireball" and "expend 2" in line.tag for line in card.magic)


def test_everything_that_can_be_rolled_has_an_id_of_its_own() -> None:
    fields = ("Law Enforcement", "law-enforcement", "law - enforcement")
    knives = tuple(
        carried("historical-blackjack", place) for place in (Place.WIELDED, Place.SLUNG, Place.STOWED)
    )
    known = tuple(skill("knowledge", field=field) for field in fields)
    checks = [check.id for check in built(person(skills=known, equipment=knives)).checks]
    assert len(checks) == len(set(checks))
    assert {"test-knowledge-law-enforcement", "test-knowledge-law-enforcement-2"} <= set(checks)
    assert {"attack-historical-blackjack", "attack-historical-blackjack-3"} <= set(checks)
