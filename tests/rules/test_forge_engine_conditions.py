"""Conditions at work: attacks and tests, energy when a turn starts, movement; each figure of the content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest

from services.rules.engine.problem import Problems, path_text
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.catalog import Catalog, own_catalog
from services.rules.systems.forge_engine.conditions import SenseUse, TurnStart
from services.rules.systems.forge_engine.pools.attack_given import (
    AttackGiven,
    AttackKind,
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
    attack_odds,
    attribute_test_odds,
)
from services.rules.systems.forge_engine.tools import TOOLS
from services.rules.systems.forge_engine.tools.turns import (
    MovementAnswer,
    MovementQuestion,
    TurnStartQuestion,
    run_movement,
    run_turn_start,
)
from services.rules.systems.forge_engine.world import Condition

CATALOG = own_catalog()
BY_NAME = {tool.name: tool for tool in TOOLS}
WORDS = {"id", "name", "group", "kinds", "summary"}
FIGURES = [one.name for one in fields(Condition) if one.name not in WORDS]


def thing(kind: str, slug: str) -> str:
    return f"forge_engine:{kind}/{slug}"


def conditions(*slugs: str) -> tuple[str, ...]:
    return tuple(thing("condition", slug) for slug in slugs)


MACHETE = AttackGiven(
    attribute=3,
    added=2,
    weapon=thing("equipment", "modern-machete-truckers-friend"),
    skills=(PoolSkill(name="Melee Weapons", rating=3),),
)


def problems(found: object) -> dict[str, str]:
    """Codes by path."""
    assert isinstance(found, Problems), found
    return {path_text(problem.path): problem.code for problem in found}


def attack(attack: AttackGiven, defense: DefenseGiven) -> AttackOdds:
    found = attack_odds(AttackQuestion(attack=attack, defense=defense), CATALOG)
    assert isinstance(found, AttackOdds), str(found)
    return found


def asked(**given: Any) -> AttributeTestOdds:
    found = attribute_test_odds(AttributeTestQuestion(**given), CATALOG)
    assert isinstance(found, AttributeTestOdds), str(found)
    return found


# Attacks


def test_who_is_bound_does_not_attack() -> None:
    bound = replace(MACHETE, conditions=conditions("prone", "restrained"))
    question = AttackQuestion(attack=bound, defense=DefenseGiven(dice=3))
    assert problems(attack_odds(question, CATALOG)) == {"attack.conditions[1]": "condition_bars"}


def test_who_is_bound_neither_dodges_nor_holds_up_shield_and_blade() -> None:
    met = DefenseGiven(
        dice=3,
        reactions=(DefenseReaction(name="Dodge", energy=3, attribute=3),),
        shield=thing("equipment", "historical-kite-shield"),
        parry_weapon=thing("equipment", "historical-longsword"),
        parry=2,
    )
    free = attack(MACHETE, met)
    assert (free.pools.defense.value, free.pools.defense_energy.value) == (3 + 3 + 3 + 2, 3 + 2 + 4)
    held = attack(MACHETE, replace(met, conditions=conditions("restrained")))
    assert (held.pools.defense.value, held.pools.defense_energy.value) == (3 - 2, 0)
    assert held.chances.success > free.chances.success


def damage(found: AttackOdds) -> dict[int, Fraction]:
    assert found.damage is not None
    return {line.damage: line.chance for line in found.damage.each}


@pytest.mark.parametrize(
    ("slugs", "left"),
    [
        ((), lambda hits: hits),
        (("weakened",), lambda hits: max(1, hits - 1)),
        (("enfeebled",), lambda hits: (hits + 1) // 2),
        (("weakened", "enfeebled"), lambda hits: (max(1, hits - 1) + 1) // 2),
    ],
)
def test_who_is_weak_hits_as_often_and_harms_less(slugs: tuple[str, ...], left: Callable[[int], int]) -> None:
    target = DefenseGiven(dice=1)
    hits = {line.successes: line.chance for line in attack(MACHETE, target).chances.successes}
    found = attack(replace(MACHETE, conditions=conditions(*slugs)), target)
    assert found.chances.success == 1 - hits[0]
    expected = {0: hits.pop(0)}
    for number, chance in hits.items():
        expected[left(number)] = expected.get(left(number), Fraction(0)) + chance
    assert damage(found) == expected
    assert found.damage is not None
    assert found.damage.mean == sum(number * chance for number, chance in expected.items())


def test_an_attack_that_is_enfeebled_keeps_its_successes() -> None:
    target = DefenseGiven(dice=1)
    feeble = attack(replace(MACHETE, conditions=conditions("enfeebled")), target)
    assert feeble.chances == attack(MACHETE, target).chances


def test_damage_is_told_where_it_goes_by_the_successes() -> None:
    target = DefenseGiven(dice=2)
    spark = AttackGiven(attribute=3, added=3, spell=thing("spell", "arcane-spark"))
    assert list(damage(attack(spark, target))) == [0, 1, 2]
    stun = AttackGiven(attribute=3, added=3, weapon=thing("equipment", "modern-stun-grenade"))
    stunned = attack(stun, target)
    assert stunned.damage is None
    hits = {line.successes: line.chance for line in stunned.chances.successes}
    assert {line.condition: line.chance for line in stunned.conditions} == {
        thing("condition", "dazed"): hits[1] + hits[2],
        thing("condition", "stunned"): sum(chance for number, chance in hits.items() if number >= 3),
    }
    assert attack(MACHETE, target).conditions == ()
    word = AttackGiven(attribute=3, added=3, spell=thing("spell", "dazzling-word"))
    assert attack(word, replace(target, kind=DefenseKind.MD)).damage is None


# Attribute tests


def test_a_test_has_fewer_dice_without_a_sense_and_fails_where_it_goes_by_that_alone() -> None:
    seeing = {"attribute": 5, "conditions": conditions("blinded", "deafened")}
    assert asked(**seeing).pool.value == 5
    assert asked(**seeing, sight=SenseUse.PARTLY).pool.value == 1
    assert asked(**seeing, hearing=SenseUse.PARTLY).pool.value == 3
    for gone in ({"sight": SenseUse.WHOLLY}, {"hearing": SenseUse.WHOLLY}):
        found = asked(**seeing, **gone)
        assert (found.pool.value, found.chances.success) == (0, 0)
    assert asked(attribute=2, hearing=SenseUse.WHOLLY, conditions=conditions("blinded")).pool.value == 2


def test_poor_sight_of_somebody_helps_stealth_and_no_other_test() -> None:
    for slug, dice in (("obscured", 1), ("faint", 2), ("invisible", 3)):
        assert asked(attribute=2, stealth=True, conditions=conditions(slug)).pool.value == 2 + dice
        assert asked(attribute=2, conditions=conditions(slug)).pool.value == 2


def test_who_is_bound_tests_only_to_get_free() -> None:
    bound = conditions("faint", "restrained")
    refused = attribute_test_odds(AttributeTestQuestion(attribute=2, conditions=bound), CATALOG)
    assert problems(refused) == {"conditions[1]": "condition_bars"}
    assert asked(attribute=2, conditions=bound, frees=True).pool.value == 2


def test_a_test_in_combat_costs_who_is_dazed_more() -> None:
    dazed = asked(attribute=2, in_combat=True, energy=2, conditions=conditions("dazed"))
    assert [row.energy for row in dazed.table] == [1, 2, 3]


def test_a_weakened_test_keeps_one_success_and_an_enfeebled_one_half() -> None:
    fresh, weak, feeble = (
        {
            line.successes: line.chance
            for line in asked(attribute=4, difficulty=5, conditions=conditions(*slugs)).chances.successes
        }
        for slugs in ((), ("weakened",), ("enfeebled",))
    )
    assert weak == {0: fresh[0], 1: fresh[1] + fresh[2], 2: fresh[3], 3: fresh[4]}
    assert feeble == {0: fresh[0], 1: fresh[1] + fresh[2], 2: fresh[3] + fresh[4]}


# Energy when a turn starts


def started(*slugs: str, **given: Any) -> TurnStart:
    attributes = Attributes(strength=4, agility=3, stamina=2)
    question = TurnStartQuestion(attributes=attributes, conditions=conditions(*slugs), **given)
    found = run_turn_start(question, CATALOG)
    assert isinstance(found, TurnStart), str(found)
    return found


def test_what_the_pool_cannot_hold_is_lost() -> None:
    assert (started().regained.value, started().pool, started().lost) == (9, 9, 0)
    assert (started(pool=7).pool, started(pool=7).lost) == (9, 7)
    assert (started(pool=4, expended=3).pool, started(expended=3).most) == (6, 6)


def test_less_energy_comes_back_to_who_is_tired() -> None:
    assert started("enervated").regained.value == 7
    assert started("exhausted").regained.value == 4
    assert started("enervated", "exhausted").regained.value == 4
    empowered = started("empowered")
    assert (empowered.regained.value, empowered.bonus.value, empowered.pool) == (9, 4, 9)


def test_poison_takes_energy_when_a_turn_starts() -> None:
    poisoned = started("poisoned", pool=9, expended=1)
    assert (poisoned.expended, poisoned.most, poisoned.pool, poisoned.unconscious) == (2, 7, 7, False)
    assert started("poisoned", expended=8).unconscious


def test_everything_wrong_with_a_turns_start_is_named() -> None:
    wrong = TurnStartQuestion(attributes=Attributes(acuity=0), pool=-1, conditions=("tired",))
    assert problems(run_turn_start(wrong, CATALOG)) == {
        "attributes.acuity": "number_out_of_range",
        "pool": "number_out_of_range",
        "conditions[0]": "id_unknown",
    }


# Movement


@pytest.mark.parametrize(
    ("given", "slugs", "energy"),
    [
        ({"distance": 15}, (), 3),
        ({"distance": 15}, ("slowed",), 6),
        ({"distance": 10}, ("prone",), 4),
        ({"distance": 10, "stand": True}, ("prone",), 4),
        ({"distance": 10, "rough": True}, ("prone", "slowed"), 8),
        ({"distance": 20, "running": True}, (), 2),
        ({"distance": 20, "running": True}, ("slowed",), 4),
        ({"distance": 0, "stand": True}, ("prone", "slowed"), 2),
        ({"distance": 5}, ("stunned",), 3),
        ({"distance": 60, "running": True}, (), 6),
    ],
)
def test_a_move_costs_what_conditions_make_of_it(
    given: dict[str, Any], slugs: tuple[str, ...], energy: int
) -> None:
    found = run_movement(MovementQuestion(**given, conditions=conditions(*slugs)), CATALOG)
    assert isinstance(found, MovementAnswer), str(found)
    assert found.energy.value == energy
    assert found.reactions is not given.get("running", False)


@pytest.mark.parametrize(
    ("given", "slugs", "refused"),
    [
        ({"distance": 5}, ("immobilized",), {"conditions[0]": "cannot_move"}),
        ({"distance": 5}, ("slowed", "grappled"), {"conditions[1]": "cannot_move"}),
        ({"distance": 5, "running": True}, ("prone",), {"running": "cannot_run"}),
        ({"distance": 5, "running": True, "rough": True}, (), {"running": "cannot_run"}),
        ({"distance": 5, "stand": True}, (), {"stand": "not_lying"}),
        ({"distance": 31}, (), {"distance": "too_far"}),
        ({"distance": 25, "stand": True}, ("prone",), {"distance": "too_far"}),
        ({"distance": 75, "running": True}, (), {"distance": "too_far"}),
    ],
)
def test_a_move_that_cannot_be_made_is_named(
    given: dict[str, Any], slugs: tuple[str, ...], refused: dict[str, str]
) -> None:
    question = MovementQuestion(**given, conditions=conditions(*slugs))
    assert problems(run_movement(question, CATALOG)) == refused


def test_who_is_bound_is_told_all_that_is_in_the_way() -> None:
    found = run_movement(MovementQuestion(distance=5, conditions=conditions("restrained")), CATALOG)
    assert isinstance(found, Problems)
    assert [problem.code for problem in found] == ["condition_bars", "cannot_move"]


# Every figure


def questions(condition: str) -> Iterator[tuple[str, Any]]:
    """Whatever may be asked of who is under a condition, by the tool that answers."""
    borne = (condition,)
    for kind in AttackKind:
        given = AttackGiven(attribute=5, added=5, rating=5, cost=1, kind=kind)
        target = DefenseGiven(dice=6, distance=40)
        yield "attack_odds", AttackQuestion(attack=replace(given, conditions=borne), defense=target)
        for defense in (
            target,
            replace(target, kind=DefenseKind.MD),
            replace(target, reactions=(DefenseReaction(name="Dodge", energy=2, attribute=2),)),
        ):
            yield "attack_odds", AttackQuestion(attack=given, defense=replace(defense, conditions=borne))
    test = AttributeTestQuestion(attribute=6, difficulty=6, conditions=borne)
    yield "test_odds", test
    yield "test_odds", replace(test, stealth=True)
    yield "test_odds", replace(test, sight=SenseUse.PARTLY)
    yield "test_odds", replace(test, hearing=SenseUse.PARTLY)
    attributes = Attributes(strength=4, agility=3, stamina=2)
    yield "turn_start", TurnStartQuestion(attributes=attributes, conditions=borne)
    yield "movement", MovementQuestion(distance=10, conditions=borne)
    yield "movement", MovementQuestion(distance=10, running=True, conditions=borne)
    yield "movement", MovementQuestion(distance=10, stand=True, conditions=borne)


def answers(condition: str, catalog: Catalog) -> list[Any]:
    return [BY_NAME[name].run(question, catalog) for name, question in questions(condition)]


def with_figure(condition: Condition, figure: str, value: object) -> Catalog:
    shelf = CATALOG.conditions
    changed = {**shelf.entries, condition.id: replace(condition, **{figure: value})}
    return replace(CATALOG, conditions=replace(shelf, entries=MappingProxyType(changed)))


def another(value: object) -> object:
    """Any other value of the same figure."""
    match value:
        case bool():
            return not value
        case int():
            return value - 1 if value < 0 else value + 1
    raise TypeError(f"nothing is known of {value!r}")


@pytest.mark.parametrize("condition", CATALOG.conditions, ids=lambda condition: condition.name)
def test_every_figure_of_a_condition_changes_an_answer(condition: Condition) -> None:
    before = answers(condition.id, CATALOG)
    plain = Condition(id=condition.id, name="", group=condition.group, kinds=(), summary="")
    stated = [figure for figure in FIGURES if getattr(condition, figure) != getattr(plain, figure)]
    assert stated
    for figure in stated:
        changed = with_figure(condition, figure, another(getattr(condition, figure)))
        assert answers(condition.id, changed) != before, figure


def test_every_figure_stands_in_the_content() -> None:
    for figure in FIGURES:
        assert len({getattr(condition, figure) for condition in CATALOG.conditions}) > 1, figure
