"""DungeonTeller: Luck, movement, hazards, jobs, casting, wearing."""

from __future__ import annotations

import pytest

from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.casting import SpellSource, casting_problem, power_problems
from services.rules.systems.dungeonteller.catalog import SLUG, Role, own_catalog
from services.rules.systems.dungeonteller.checks import Actor, Pace
from services.rules.systems.dungeonteller.hazards import (
    Climate,
    Climb,
    ClimbOutcome,
    climb,
    cold_loss,
    fall_dice,
    fall_loss,
    jump,
    warmed,
)
from services.rules.systems.dungeonteller.luck import (
    LuckLoss,
    can_pay,
    lose_luck,
    rest_turn,
)
from services.rules.systems.dungeonteller.movement import Flight, Mover, pace_for, run_pool
from services.rules.systems.dungeonteller.outfit import hand_problems, magic_armor, object_luck, wear_problem
from services.rules.systems.dungeonteller.tasks import Task

CATALOG = own_catalog()
WALL = Climb((Action.MUSCLE, Action.MUSCLE, Action.STUNT, Action.MUSCLE))


def role(slug: str) -> Role:
    return CATALOG.roles[f"{SLUG}:role/{slug}"]


def test_only_a_loss_that_begins_at_zero_knocks_out() -> None:
    assert lose_luck(2, 5) == LuckLoss(0, knocked_out=False)
    assert lose_luck(0, 1) == LuckLoss(0, knocked_out=True)
    assert lose_luck(0, 0) == LuckLoss(0, knocked_out=False)


def test_a_cost_may_take_all_luck_and_no_more() -> None:
    assert can_pay(4, 4)
    assert not can_pay(3, 4)


def test_a_turn_of_rest_gives_one_luck_unless_attacked() -> None:
    assert rest_turn(4, 10, attacked=False) == 5
    assert rest_turn(4, 10, attacked=True) == 4
    assert rest_turn(10, 10, attacked=False) == 10


@pytest.mark.parametrize(
    ("paces", "pace"),
    [
        (0, Pace.STILL),
        (1, Pace.MOVE),
        (5, Pace.MOVE),
        (6, Pace.DOUBLE_MOVE),
        (10, Pace.DOUBLE_MOVE),
        (11, Pace.RUN),
    ],
)
def test_the_distance_decides_how_one_moves(paces: int, pace: Pace) -> None:
    assert pace_for(paces) is pace


def test_a_zombie_neither_double_moves_nor_runs() -> None:
    zombie = Mover(can_double_move=False, can_run=False)
    for paces, code in ((6, "cannot_double_move"), (11, "cannot_run")):
        problem = pace_for(paces, zombie)
        assert isinstance(problem, RuleProblem)
        assert (problem.code, problem.allowed) == (code, 5)


def test_a_run_rolls_muscle_and_stunt_cut_to_luck() -> None:
    assert run_pool(Actor.of_role(role("warrior"), CATALOG.settings)).value == 8
    assert run_pool(Actor.of_role(role("rogue"), CATALOG.settings, 5)).value == 5


def test_a_flier_has_a_slowest_and_a_fastest_speed() -> None:
    wings = Flight(6, 18)
    assert [wings.falls(paces) for paces in (5, 6)] == [True, False]


def climbed(outcome: ClimbOutcome | RuleProblem) -> tuple[int, bool, int]:
    assert isinstance(outcome, ClimbOutcome)
    return outcome.climb.at, outcome.fell, outcome.luck_lost


def test_muscle_climbs_up_to_the_first_stunt_step() -> None:
    assert climbed(climb(WALL, Action.MUSCLE, 1)) == (1, False, 0)
    assert climbed(climb(WALL, Action.MUSCLE, 4)) == (2, False, 0)


def test_without_success_muscle_stays_and_stunt_falls_one_luck_a_step() -> None:
    assert climbed(climb(Climb(WALL.track, 1), Action.MUSCLE, 0)) == (1, False, 0)
    assert climbed(climb(Climb(WALL.track, 2), Action.STUNT, 0)) == (0, True, 2)
    assert climbed(climb(Climb(WALL.track, 2), Action.STUNT, 1)) == (3, False, 0)


def test_a_climb_asks_for_the_step_that_is_next_and_ends_at_the_top() -> None:
    wrong = climb(WALL, Action.STUNT, 1)
    assert isinstance(wrong, RuleProblem)
    assert (wrong.code, wrong.allowed) == ("wrong_action", "muscle")
    top = climb(Climb(WALL.track, 3), Action.MUSCLE, 9)
    assert isinstance(top, ClimbOutcome)
    assert top.climb.done
    assert isinstance(climb(top.climb, Action.MUSCLE, 1), RuleProblem)


def test_a_fall_rolls_a_die_for_each_whole_pace() -> None:
    assert [fall_dice(feet) for feet in (4, 5, 20, 24)] == [0, 1, 4, 4]
    assert fall_loss(2, soft_landing=3) == 0
    assert fall_loss(3, soft_landing=1) == 2


def test_a_shaky_landing_needs_a_stunt_success() -> None:
    assert jump(3).on_feet
    assert not jump(3, 0).on_feet
    assert jump(3, 1).paces == 3


@pytest.mark.parametrize(
    ("climate", "gear", "per_day"),
    [
        (Climate.MILD, None, 0),
        (Climate.COLD, None, 1),
        (Climate.FREEZING, None, 2),
        (Climate.COLD, "cold-weather-gear", 0),
        (Climate.FREEZING, "cold-weather-gear", 1),
        (Climate.COLD, "freezing-weather-gear", 0),
        (Climate.FREEZING, "freezing-weather-gear", 0),
        (Climate.FREEZING, "rope", 2),
    ],
)
def test_the_cold_takes_luck_each_day(climate: Climate, gear: str | None, per_day: int) -> None:
    worn = None if gear is None else CATALOG.gear[f"{SLUG}:gear/{gear}"]
    assert cold_loss(climate, 3, worn) == 3 * per_day


def test_a_hearth_rune_warms_six_paces() -> None:
    rune = CATALOG.powers[f"{SLUG}:power/hearth-rune"]
    assert [warmed(rune, paces) for paces in (6, 7)] == [True, False]


def test_successes_add_up_over_turns_but_a_stunt_is_one_roll() -> None:
    lock = Task(Action.MAKE, 3).rolled(1).rolled(2)
    assert (lock.total, lock.done) == (3, True)
    assert lock.rolled(5) == lock
    leap = Task(Action.STUNT, 3).rolled(2).rolled(1)
    assert (leap.total, leap.done) == (0, False)


def test_rogues_cast_from_scrolls_and_dwarfs_not_at_all() -> None:
    assert casting_problem(role("rogue"), SpellSource.SCROLL) is None
    for slug, source in (("rogue", SpellSource.OWN_SPELL), ("dwarf", SpellSource.SCROLL)):
        problem = casting_problem(role(slug), source)
        assert problem is not None
        assert problem.code == "cannot_cast"


def test_every_reason_against_a_power_is_told() -> None:
    orc = CATALOG.powers[f"{SLUG}:power/summon-orc"]
    problems = power_problems(orc, role("rogue"), 7, known=(), malicious=False)
    assert [problem.code for problem in problems] == [
        "cannot_cast",
        "power_unknown",
        "not_malicious",
        "not_enough_luck",
    ]
    assert power_problems(orc, role("wizard"), 8, known=(orc.id,), malicious=True) == ()


def test_everyone_may_use_the_powers_for_everyone() -> None:
    dodge = CATALOG.powers[f"{SLUG}:power/dodge"]
    assert power_problems(dodge, role("dwarf"), 1, known=(), malicious=False) == ()


def test_armor_needs_muscle_of_its_value() -> None:
    problem = wear_problem("Scale Armor", 2, 1)
    assert problem is not None
    assert (problem.code, problem.found, problem.allowed) == ("armor_needs_muscle", 1, 2)
    assert wear_problem("Light Plate", 4, 4) is None


def test_magic_scale_plus_three_is_armor_three() -> None:
    scale = CATALOG.armor[f"{SLUG}:armor/scale-armor"]
    assert [magic_armor(scale, printed) for printed in (0, 2, 3)] == [2, 2, 3]


def test_two_hands_hold_no_more_than_two_hands() -> None:
    def held(*names: str, shield: bool = False) -> list[str]:
        weapons = tuple(
            (("in_hand", place), CATALOG.weapons[f"{SLUG}:weapon/{name}"]) for place, name in enumerate(names)
        )
        return [problem.code for problem in hand_problems(weapons, shield=shield)]

    assert held("dagger", "dagger") == []
    assert held("falchion", shield=True) == []
    assert held("longbow", shield=True) == ["two_handed_with_shield"]
    assert held("greatsword", "dagger") == ["hands_full"]
    assert held("dagger", "dagger", shield=True) == ["hands_full"]


def test_object_luck_follows_the_printed_list_and_the_ruling() -> None:
    for thing in CATALOG.objects:
        item = CATALOG.armor.get(thing.item or "") or CATALOG.weapons.get(thing.item or "")
        if item is not None:
            assert object_luck(item) == object_luck(thing), thing.name
    assert object_luck(CATALOG.weapons[f"{SLUG}:weapon/shield"]) == 1
    assert object_luck(CATALOG.armor[f"{SLUG}:armor/epic-plate"]) == 7
