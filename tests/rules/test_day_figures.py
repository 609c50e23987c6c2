"""Figures of a day: by round in every scene, and what cannot be read any more in a later one."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from services.rules.engine.problem import Problems
from services.rules.engine.simulation.blocks import BlockPlayer
from services.rules.engine.simulation.bounds import BrokenRequest
from services.rules.engine.simulation.cases import Plan, planned
from services.rules.engine.simulation.report import REPORT_CODEC, report
from services.rules.engine.simulation.request import Member, Opening, Replacement, Variant
from services.rules.engine.simulation.rows import rows
from services.rules.engine.simulation.run import Runner
from services.rules.engine.simulation.tally import RoundSums, Tally
from tests.rules.test_engine_simulation import DUEL, REQUEST, answered, plan_of

DAY = replace(REQUEST, scenes=(Opening(setup_name="yard"), Opening(setup_name="ambush")))
NERVE = "nerve@actor:anna"


def nerve(state: Any) -> int:
    return sum(each.nerve for each in state.duellists if each.id == "anna")


# By round


def test_every_scene_of_a_day_is_told_by_round_by_the_runs_that_came_to_it() -> None:
    _, progress = answered(DAY)
    tally = progress.tally.cases[0]
    first, second = tally.rounds[f"{NERVE}#1"], tally.rounds[f"{NERVE}#2"]
    assert first.runs == tally.runs
    assert 0 < second.runs == tally.values["won@side:heroes#1"].total < tally.runs
    for scene in (first, second):
        totals = [total for total, _ in scene.sums]
        assert totals == sorted(totals, reverse=True) and totals[-1] >= scene.ended[0]


def test_a_scene_of_a_run_is_told_to_its_own_end() -> None:
    plan = plan_of(DAY)
    runner = Runner(plan, plan.cases[0])
    ends = {number: [nerve(scene.state) for scene, _ in runner.scenes(number)] for number in range(8)}
    assert {len(each) for each in ends.values()} == {1, 2}
    for number, each in ends.items():
        rounds = runner.run(number).rounds
        assert [rounds[f"{NERVE}#{place + 1}"][-1] for place in range(len(each))] == each
        assert f"{NERVE}#{len(each) + 1}" not in rounds


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_rounds_are_added_up_in_any_order(order: tuple[int, ...]) -> None:
    player = BlockPlayer(plan_of(DAY))
    whole = Tally.empty(1)
    for block in order:
        whole.merge(Tally.read(json.loads(json.dumps(player.play(block).form()))))
    assert whole.form() == in_order()


@cache
def in_order() -> dict[str, Any]:
    player, whole = BlockPlayer(plan_of(DAY)), Tally.empty(1)
    for block in range(3):
        whole.merge(player.play(block))
    return whole.form()


def test_a_scene_that_is_over_stays_as_it_ended_beside_a_longer_one() -> None:
    long, short = RoundSums.of((9, 7, 4, 2)), RoundSums.of((8, 5))
    long.merge(short)
    assert [total for total, _ in long.sums] == [17, 12, 9]
    assert (long.runs, long.ended) == (2, (7, 29))


def test_the_answer_names_the_scene_and_the_round_in_json_and_in_rows() -> None:
    plan, progress = answered(DAY)
    told = report(plan, progress)
    figure = next(each for each in told.cases[0].figures if each.name == NERVE)
    places = [(each.scene, each.round) for each in figure.rounds]
    assert places == sorted(places) and {scene for scene, _ in places} == {0, 1}
    table = [row for row in rows(told) if row[2] == NERVE]
    assert [row[-2:] for row in table] == [(None, None), *places]
    assert [row[1] for row in table[1:]] == [each.runs for each in figure.rounds]
    assert REPORT_CODEC.load(json.loads(json.dumps(REPORT_CODEC.dump(told)))) == told


def test_an_answer_of_the_first_version_is_of_the_first_scene() -> None:
    told = report(*answered(REQUEST))
    old: Any = json.loads(json.dumps(REPORT_CODEC.dump(told)))
    old["version"] = 1
    for case in old["data"]["cases"]:
        for figure in case["figures"]:
            figure["rounds"] = [
                {name: each[name] for name in ("value", "low", "high", "error")} for each in figure["rounds"]
            ]
    assert REPORT_CODEC.load(old) == told


# What cannot be read any more


class Chastened(type(DUEL.play)):  # type: ignore[misc]
    """The toy's play, in which a scene makes everybody careful."""

    def absorb(self, choices: Any, _change: Any) -> Any:
        return replace(choices, style=type(choices.style).CAREFUL)


STRIKE = "/checks/0/dice/value"


def pinned(dice: int) -> Variant:
    """The dice of a strike without their reasons, as they are for a bold duellist."""
    return Variant(name="pinned", changes=(Replacement(pointer=f"/cast/0/sheet{STRIKE}", value=dice),))


def is_hurt_and_goes_on(plan: Plan, number: int) -> bool:
    """Whether a run of the opening has a second scene, and its first one has changed somebody."""
    first, *more = Runner(plan, plan.cases[0]).scenes(number)
    return bool(more) and bool(plan.play.changes(first[0].state))


def test_a_change_that_a_later_scene_cannot_read_is_told_with_its_path() -> None:
    dice = plan_of(REQUEST).cases[0].cast[0].sheet.checks[0].dice.value
    plan = planned(replace(DAY, variants=(pinned(dice),)), replace(DUEL, play=Chastened()))
    assert isinstance(plan, Plan)
    number = next(each for each in range(50) if is_hurt_and_goes_on(plan, each))
    with pytest.raises(BrokenRequest) as raised:
        Runner(plan, plan.cases[1]).run(number)
    (problem,) = raised.value.problems
    assert problem.path[:4] == ("variants", 0, "changes", "checks")
    assert raised.value.reason.startswith("variants[0].changes.checks")


def test_a_change_that_no_later_scene_can_read_is_refused_before_anything_is_played() -> None:
    (member,) = plan_of(REQUEST).cases[0].cast
    sheet: Any = DUEL.sheet_codec.dump(member.sheet)["data"]
    more = sheet["checks"][0]["dice"]["value"] + 1
    sheet["checks"][0]["dice"] = {"value": more, "parts": [{"value": more, "source": "of old", "rule": "x"}]}
    choices = DUEL.choices_codec.dump(DUEL.examples["bold"])["data"]
    kept = replace(DAY, cast=(Member(id="anna", choices=choices, sheet=sheet),), variants=(pinned(more),))
    found = planned(kept, DUEL)
    assert isinstance(found, Problems)
    assert next(iter(found)).path[:3] == ("variants", 0, "changes")
    assert isinstance(planned(replace(kept, scenes=kept.scenes[:1]), DUEL), Plan)
