"""The later scenes of a day: what travels into them, and how they are told and played again."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from services.character.history.scene_changes import absorbed
from services.rules.engine.simulation.cases import Plan
from services.rules.engine.simulation.days import Day
from services.rules.engine.simulation.run import Runner
from services.rules.engine.simulation.story import position_at, told
from tests.rules.test_day_rests import DAYS, first_ends, plan_of, resting, second_begins
from tests.rules.test_engine_simulation import REQUEST
from tests.rules.test_engine_simulation import plan_of as duel_of

RESTS = [("dungeonteller", "rest", "Rest"), ("forge_engine", "short", "Short rest")]
PLAYED = ("fortunate_blades", "safe", "Safe rest")


@cache
def went_on(slug: str, rest: str | None) -> tuple[Plan, int]:
    """Return a day of two scenes, and the number of a run that has both."""
    plan = plan_of(resting(DAYS[slug], rest))
    runner = Runner(plan, plan.cases[0])
    return plan, next(number for number in range(50) if len(list(runner.scenes(number))) == 2)


# What travels


def with_gold(slug: str) -> list[Any]:
    """Return how a game's first scenes ended; in DungeonTeller, whose fights change little, with gold."""
    ends = first_ends(slug)
    if slug != "dungeonteller":
        return list(ends)
    return [
        replace(end, beings=tuple(replace(each, gold=each.gold + 5 * each.hero) for each in end.beings))
        for end in ends
    ]


@pytest.mark.parametrize("slug", DAYS)
def test_what_a_scene_has_changed_travels_by_the_rules_by_which_it_travels_home(slug: str) -> None:
    plan = plan_of(DAYS[slug])
    begun = {member.id: plan.system.sheet_codec.dump(member.sheet) for member in plan.cases[0].cast}
    changed = 0
    for before in with_gold(slug):
        day = Day(plan, plan.cases[0])
        day.take_home(before)
        cast = {member.id: plan.system.sheet_codec.dump(member.sheet) for member in day.cast}
        expected = dict(begun)
        for change in plan.play.changes(before):
            choices = plan.system.choices_codec.dump(plan.system.examples[change.character])
            expected[change.character] = absorbed(plan.system, slug, choices, change.data).sheet
        assert cast == expected
        changed += cast != begun
    assert changed


def test_a_change_that_cannot_be_built_is_left_out() -> None:
    plan = duel_of(REQUEST)
    anna = plan.cases[0].characters["anna"]
    assert anna.absorbing(plan.play, {"scars": -1}) is None
    found = anna.absorbing(plan.play, {"scars": 2})
    assert found is not None and found[1].scars == found[0].choices.scars == 2


def test_what_a_case_replaces_in_a_sheet_stays_replaced_all_day() -> None:
    scars, nerve = "/cast/0/sheet/scars", "/cast/0/sheet/tracks/0/maximum"
    plan = duel_of(replace(REQUEST, worth=(scars, nerve)))
    _, scarred, braver = (case.characters["anna"].absorbing(plan.play, {"scars": 3}) for case in plan.cases)
    assert scarred is not None and braver is not None
    assert (scarred[0].choices.scars, scarred[1].scars) == (3, 1)
    most = plan.cases[0].cast[0].sheet.tracks[0].maximum
    assert (braver[1].scars, braver[1].tracks[0].maximum) == (3, most + 1)
    fewer = replace(plan.cases[2].characters["anna"], sheet={"tracks": []})
    shorter = fewer.absorbing(plan.play, {"scars": 3})
    assert shorter is not None and shorter[1].tracks[0].maximum == most


# What is told


@pytest.mark.parametrize(("slug", "rest", "name"), [*RESTS, PLAYED])
def test_a_day_is_told_scene_by_scene_with_the_rests_between(slug: str, rest: str, name: str) -> None:
    plan, number = went_on(slug, rest)
    case = plan.cases[0]
    lines = list(told(plan, case, number))
    title = plan.play.card(case.scenes[0].opening).title
    first, second = (place for place, line in enumerate(lines) if line == title)
    (pause,) = (place for place, line in enumerate(lines) if line == name)
    assert first == 0 < pause < second
    ends = [outcome.text for _, outcome in Runner(plan, case).scenes(number)]
    assert [lines[pause - 1], lines[-1]] == ends
    assert lines[second + 1] == "Round 1"
    assert (pause + 1 < second) == (slug == "fortunate_blades")  # a rest that is played has its events


def test_a_day_that_is_over_early_says_so() -> None:
    plan = plan_of(resting(DAYS["forge_engine"], None))
    case = plan.cases[0]
    number = next(each for each in range(50) if len(list(Runner(plan, case).scenes(each))) == 1)
    assert list(told(plan, case, number))[-1] == "The day is over after 1 of 2 scenes."


# What is played again


@pytest.mark.parametrize(("slug", "rest", "name"), [*RESTS, PLAYED])
def test_a_later_scene_stands_as_the_run_has_begun_it(slug: str, rest: str, name: str) -> None:
    plan, number = went_on(slug, rest)
    case = plan.cases[0]
    end: Any = position_at(plan, case, number, 5_000).scene
    assert plan.play.outcome(end.state).ended
    begun = position_at(plan, case, number, 0, 1)
    assert (begun.place, begun.scene.moves) == (1, 0)
    assert begun.scene.state == second_begins(slug, rest, end.state, number)
    later = position_at(plan, case, number, 3, 1).scene
    assert later.moves == 3 and later.state != begun.scene.state


def test_a_scene_that_a_run_has_not_is_its_last_one_at_its_end() -> None:
    plan, number = went_on("forge_engine", "short")
    *_, (last, _) = Runner(plan, plan.cases[0]).scenes(number)
    found = position_at(plan, plan.cases[0], number, 0, 2)
    assert (found.place, found.scene.state) == (1, last.state)
