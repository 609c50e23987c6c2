"""DungeonTeller: how many dice, by the book's worked examples and the rulings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.explain import Explained
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings, count_successes
from services.rules.systems.dungeonteller.catalog import SLUG, own_catalog
from services.rules.systems.dungeonteller.checks import (
    BATTLE,
    SHOOT,
    Actor,
    AttackPool,
    Defence,
    Moment,
    Pace,
    attack_pool,
    bonuses_of_gear,
    power_pool,
    weapon_dice,
)

CATALOG = own_catalog()
SETTINGS = CATALOG.settings


def hero(role: str, luck: int | None = None) -> Actor:
    return Actor.of_role(CATALOG.roles[f"{SLUG}:role/{role}"], SETTINGS, luck)


def foe(**ratings: int) -> Actor:
    return Actor(ratings=Ratings(**ratings), sight=SETTINGS.sight)


def moment(*situations: str, weapon: str | None = None, pace: Pace = Pace.STILL) -> Moment:
    return Moment(
        situations=frozenset(f"{SLUG}:situation/{name}" for name in situations),
        weapon=None if weapon is None else CATALOG.weapons[f"{SLUG}:weapon/{weapon}"],
        pace=pace,
    )


def dice(pool: Explained | AttackPool | RuleProblem) -> int:
    assert not isinstance(pool, RuleProblem), str(pool)
    return pool.dice.value if isinstance(pool, AttackPool) else pool.value


def code(pool: Explained | AttackPool | RuleProblem) -> str:
    assert isinstance(pool, RuleProblem)
    return pool.code


def test_fives_and_sixes_succeed() -> None:
    assert count_successes([1, 2, 3, 3, 4, 6]) == 1
    assert count_successes([3, 4, 6, 6]) == 2
    assert count_successes([]) == 0


def test_a_table_may_name_two_other_lucky_faces() -> None:
    assert count_successes([2, 4, 4, 5, 6], (2, 4)) == 3


def test_a_bogle_against_light_plate_has_four_dice_left() -> None:
    assert dice(attack_pool(foe(battle=8), BATTLE, moment(), Defence(armor=4), SETTINGS)) == 4


def test_armor_leaves_one_die() -> None:
    assert dice(attack_pool(foe(battle=2), BATTLE, moment(), Defence(armor=7), SETTINGS)) == 1


def test_a_four_dice_longsword_gives_two_dice_at_muscle_two() -> None:
    assert weapon_dice(4, Action.BATTLE, 2).value == 2


def test_a_shortbow_gives_one_die_at_notice_one() -> None:
    assert weapon_dice(2, Action.SHOOT, 1).value == 1


def test_each_number_says_where_it_comes_from() -> None:
    pool = attack_pool(
        hero("warrior", luck=7), BATTLE, moment(weapon="greatsword"), Defence(armor=1), SETTINGS
    )
    assert isinstance(pool, AttackPool)
    assert [(part.value, part.source) for part in pool.dice.parts] == [
        (5, "Battle"),
        (5, "Greatsword"),
        (-1, "the target's Armor"),
        (-2, "only as many as Luck 7"),
    ]


def test_armor_is_taken_off_before_luck_cuts() -> None:
    pool = attack_pool(
        hero("warrior", luck=7), BATTLE, moment(weapon="greatsword"), Defence(armor=4), SETTINGS
    )
    assert dice(pool) == 6


def test_the_better_of_armor_and_dodge_counts_and_the_dodge_is_paid_for() -> None:
    for defence, left in ((Defence(armor=4, dodge=3), 4), (Defence(armor=1, dodge=6), 2)):
        pool = attack_pool(foe(battle=8), BATTLE, moment(), defence, SETTINGS)
        assert isinstance(pool, AttackPool)
        assert (pool.dice.value, pool.target_luck_cost) == (left, 1)


def test_a_table_may_add_armor_and_dodge() -> None:
    both = replace(SETTINGS, armor_and_dodge_add=True)
    assert dice(attack_pool(foe(battle=8), BATTLE, moment(), Defence(armor=4, dodge=3), both)) == 1


def test_armor_does_not_help_against_zap_and_a_dodge_does() -> None:
    zap = CATALOG.powers[f"{SLUG}:power/zap"].attack
    assert zap is not None
    assert dice(attack_pool(hero("wizard"), zap, moment(), Defence(armor=6), SETTINGS)) == 6
    assert dice(attack_pool(hero("wizard"), zap, moment(), Defence(dodge=4), SETTINGS)) == 2


def test_a_fist_of_justice_meets_armor_and_no_dodge() -> None:
    fist = CATALOG.powers[f"{SLUG}:power/fist-of-justice"].attack
    assert fist is not None
    pool = attack_pool(hero("paladin"), fist, moment(), Defence(armor=3, dodge=5), SETTINGS)
    assert isinstance(pool, AttackPool)
    assert (pool.dice.value, pool.target_luck_cost) == (2, 0)


@pytest.mark.parametrize(
    ("role", "action", "situations", "expected"),
    [
        ("dwarf", Action.MAKE, ("stone",), 10),
        ("dwarf", Action.MUSCLE, ("poison",), 8),
        ("dwarf", Action.NOTICE, ("hidden-door",), 4),
        ("dwarf", Action.NOTICE, ("dim",), 2),
        ("dwarf", Action.NOTICE, ("dark",), 1),
        ("dwarf", Action.NOTICE, ("dark", "hidden-door"), 2),
        ("dwarf", Action.RESIST, ("spell",), 8),
        ("elf", Action.NOTICE, ("magic-object",), 6),
        ("elf", Action.NOTICE, ("dim",), 2),
        ("elf", Action.SNEAK, ("woods",), 6),
        ("elf", Action.SNEAK, ("starlight",), 6),
        ("elf", Action.SNEAK, ("woods", "starlight"), 6),
        ("rogue", Action.MAKE, ("lock",), 7),
        ("rogue", Action.SNEAK, ("pocket",), 7),
        ("rogue", Action.STUNT, ("slip-past",), 8),
        ("rogue", Action.STUNT, ("lock",), 6),
    ],
)
def test_bonus_dice_count_where_they_fit(
    role: str, action: Action, situations: tuple[str, ...], expected: int
) -> None:
    assert dice(power_pool(hero(role), (action,), moment(*situations), SETTINGS)) == expected


def test_a_role_weapon_bonus_needs_that_weapon() -> None:
    elf = hero("elf")
    for weapon, expected in (("longbow", 10), ("shortbow", 8), ("light-crossbow", 7)):
        assert dice(attack_pool(elf, SHOOT, moment(weapon=weapon), Defence(), SETTINGS)) == expected


def test_a_weapon_does_not_help_an_action_it_is_not_for() -> None:
    assert dice(attack_pool(hero("elf"), BATTLE, moment(weapon="longbow"), Defence(), SETTINGS)) == 2


def test_gear_helps_while_in_use_each_kind_once() -> None:
    rope = f"{SLUG}:gear/rope"
    climber = hero("elf").with_bonuses(bonuses_of_gear(CATALOG, [rope, rope]))
    assert dice(power_pool(climber, (Action.STUNT,), moment("climb"), SETTINGS)) == 6
    assert dice(power_pool(climber, (Action.STUNT,), moment(), SETTINGS)) == 4


def test_warm_clothes_make_clumsy_but_leave_one_die() -> None:
    furs = hero("dwarf").with_bonuses(bonuses_of_gear(CATALOG, [f"{SLUG}:gear/freezing-weather-gear"]))
    assert dice(power_pool(furs, (Action.NOTICE,), moment(), SETTINGS)) == 1


def test_luck_cuts_every_pool_and_at_zero_one_die_stays() -> None:
    for luck, expected in ((10, 6), (4, 4), (1, 1), (0, 1)):
        assert dice(power_pool(hero("wizard", luck), (Action.MAGIC,), moment(), SETTINGS)) == min(6, expected)


def test_a_thing_without_luck_is_not_cut() -> None:
    assert dice(power_pool(foe(battle=14), (Action.BATTLE,), moment(), SETTINGS)) == 14


def test_an_action_at_zero_rolls_one_die_but_magic_at_zero_none() -> None:
    assert dice(power_pool(hero("wizard"), (Action.SHOOT,), moment(), SETTINGS)) == 1
    assert code(power_pool(hero("warrior"), (Action.MAGIC,), moment(), SETTINGS)) == "cannot_cast"


def test_nobody_but_the_dwarf_sees_in_the_dark() -> None:
    assert code(power_pool(hero("elf"), (Action.NOTICE,), moment("dark"), SETTINGS)) == "too_dark_to_see"
    assert dice(power_pool(hero("elf"), (Action.RESIST,), moment("dark"), SETTINGS)) == 5


def test_the_books_dwarf_cannot_shoot_while_double_moving_and_the_elf_can() -> None:
    fast = moment(pace=Pace.DOUBLE_MOVE)
    assert code(power_pool(hero("dwarf"), (Action.SHOOT,), fast, SETTINGS)) == "action_impossible_double_move"
    assert dice(power_pool(hero("elf"), (Action.SHOOT,), fast, SETTINGS)) == 2


def test_weapon_dice_do_not_make_a_double_move_possible_unless_the_table_says_so() -> None:
    fast = moment(weapon="heavy-crossbow", pace=Pace.DOUBLE_MOVE)
    generous = replace(SETTINGS, weapon_dice_help_double_move=True)
    assert code(power_pool(hero("dwarf"), (Action.SHOOT,), fast, SETTINGS)) == "action_impossible_double_move"
    assert dice(power_pool(hero("dwarf"), (Action.SHOOT,), fast, generous)) == 2 + 2 + 1 - 3


def test_warriors_keep_battle_dice_and_only_those() -> None:
    fast = moment(pace=Pace.DOUBLE_MOVE)
    assert dice(power_pool(hero("warrior"), (Action.BATTLE,), fast, SETTINGS)) == 5
    assert dice(power_pool(hero("warrior"), (Action.SHOOT,), fast, SETTINGS)) == 1


def test_making_needs_standing_still_and_running_leaves_no_action() -> None:
    for pace in (Pace.MOVE, Pace.DOUBLE_MOVE):
        problem = power_pool(hero("dwarf"), (Action.MAKE,), moment(pace=pace), SETTINGS)
        assert code(problem) == "make_needs_standing_still"
    assert (
        code(power_pool(hero("elf"), (Action.TALK,), moment(pace=Pace.RUN), SETTINGS)) == "running_no_action"
    )


def test_a_charge_adds_stunt_and_loses_nothing() -> None:
    charge = CATALOG.powers[f"{SLUG}:power/charge"].attack
    assert charge is not None
    fast = moment(weapon="longsword", pace=Pace.DOUBLE_MOVE)
    assert dice(attack_pool(hero("warrior"), charge, fast, Defence(armor=4), SETTINGS)) == 5 + 3 + 3 - 4
