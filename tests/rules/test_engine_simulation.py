"""Simulations: runs that are the same everywhere, added up as whole numbers, told with an honest error."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.simulation.blocks import BlockPlayer, Progress, blocks_of, runs_of
from services.rules.engine.simulation.cases import Plan, planned
from services.rules.engine.simulation.changes import UnknownPointer, number_at, put_at, value_at
from services.rules.engine.simulation.estimates import estimate, mean, quantiles, wilson
from services.rules.engine.simulation.figures import Amount, Figure, FigureKind
from services.rules.engine.simulation.names import value_names
from services.rules.engine.simulation.report import REPORT_CODEC, report
from services.rules.engine.simulation.request import (
    REQUEST_CODEC,
    Axis,
    Member,
    Opening,
    Precision,
    Replacement,
    SimulationRequest,
    Variant,
)
from services.rules.engine.simulation.story import position_at, told
from services.rules.engine.simulation.tally import Distribution, Tally, place_of
from tests.at_length import part_or_whole

TOYS = Path(__file__).resolve().parents[1] / "toys"
PLAIN = systems(TOYS)["duel"]


class MeasuredDuel(type(PLAIN.play)):  # type: ignore[misc]
    """The toy's play with figures of its own."""

    figures = (
        Figure(key="nerve", name="Nerve left", unit="Nerve", text="Nerve at the end.", by_round=True),
        Figure(
            key="standing",
            name="Standing",
            unit="runs",
            text="Whether the duellist stands.",
            kind=FigureKind.SHARE,
            by_round=True,
        ),
        Figure(key="hits", name="Hits", unit="hits", text="Strikes that hit."),
    )

    def measure(self, state: Any) -> Iterator[Amount]:
        for duellist in state.duellists:
            yield Amount("nerve", duellist.id, duellist.nerve)
            yield Amount("standing", duellist.id, int(duellist.nerve > 0))

    def count(self, _state: Any, event: Any) -> Iterator[Amount]:
        if type(event).__name__ == "Struck" and event.hit:
            yield Amount("hits", event.striker, 1)


DUEL: Any = replace(cast(Any, PLAIN), play=MeasuredDuel())
REQUEST = SimulationRequest(
    system="duel",
    scenes=(Opening(setup_name="yard"),),
    cast=(Member(id="anna", example="bold"),),
    policies={"heroes": "steady@1", "*": "random@1"},
    runs=60,
)
CAREFUL = Variant(name="careful", changes=(Replacement(pointer="/cast/0/choices/style", value="careful"),))


def plan_of(request: SimulationRequest) -> Plan:
    plan = planned(request, DUEL)
    assert isinstance(plan, Plan), plan
    return plan


def answered(request: SimulationRequest, order: Sequence[int] | None = None) -> tuple[Plan, Progress]:
    """Play a request, its blocks in an order; first to last without one, as long as they are needed."""
    plan = plan_of(request)
    progress, player = Progress.begun(plan), BlockPlayer(plan)
    blocks = range(blocks_of(request.runs, len(plan.cases))) if order is None else order
    for block in blocks:
        if order is None and progress.enough(plan):
            break
        # What is added up travels as JSON between processes.
        tally = Tally.read(json.loads(json.dumps(player.play(block).form())))
        progress.take(block, tally, plan)
    return plan, progress


def document(plan: Plan, progress: Progress) -> str:
    return json.dumps(REPORT_CODEC.dump(report(plan, progress)))


def problems(request: SimulationRequest) -> dict[str, tuple[str | int, ...]]:
    found = planned(request, DUEL)
    assert isinstance(found, Problems)
    return {problem.code: problem.path for problem in found}


# The same everywhere


COMPARED = replace(REQUEST, variants=(CAREFUL,), runs=24)


@cache
def compared() -> str:
    return document(*answered(COMPARED))


@given(st.permutations(range(blocks_of(COMPARED.runs, 2))))
@settings(max_examples=part_or_whole(2, 5), deadline=None)
def test_blocks_in_any_order_and_twice_come_to_the_same_bytes(order: list[int]) -> None:
    """Four blocks have first ones, a last one and some between that wait for those before them."""
    assert len(order) == 4
    assert document(*answered(COMPARED, [*order, *order])) == compared()


def test_blocks_follow_one_another_without_a_gap() -> None:
    for cases in (1, 2, 7, 64):
        numbers = [number for block in range(9) for number in runs_of(block, cases)]
        assert numbers == list(range(len(numbers)))
        for runs in (1, 8, 9, 63, 64, 65, 200):
            block = blocks_of(runs, cases)
            assert runs_of(block - 1, cases).start < runs <= runs_of(block - 1, cases).stop


def test_a_block_behind_a_gap_is_not_told_and_one_behind_the_answer_not_counted() -> None:
    plan = plan_of(REQUEST)
    progress, player = Progress.begun(plan), BlockPlayer(plan)
    first, second = player.play(0), player.play(1)
    assert not progress.take(1, second, plan)
    assert progress.tally.cases[0].runs == 0
    progress.take(0, first, plan)
    assert progress.tally.cases[0].runs == 16
    for block in range(2, blocks_of(REQUEST.runs, 1) + 3):
        progress.take(block, player.play(block), plan)
    assert progress.tally.cases[0].runs == 64
    assert progress.blocks == 4


def test_another_seed_falls_otherwise_and_a_longer_request_begins_alike() -> None:
    plan, short = answered(REQUEST)
    other = answered(replace(REQUEST, seed="other"))[1]
    assert short.tally.form() != other.tally.form()
    longer = Progress.begun(plan)
    player = BlockPlayer(plan_of(replace(REQUEST, runs=500)))
    for block in range(4):
        longer.take(block, player.play(block), plan)
    assert longer.tally.form() == short.tally.form()


# What is told


def test_who_won_is_told_of_sides_and_actors_and_adds_up() -> None:
    plan, progress = answered(REQUEST)
    tally = progress.tally.cases[0]
    heroes, rivals = tally.values["won@side:heroes"], tally.values["won@side:rivals"]
    assert heroes.total + rivals.total + tally.values["unfinished"].total == tally.runs == 64
    assert tally.values["won@actor:anna"].total == heroes.total
    assert 0 < heroes.total < 64
    told_figures = {each.name: each for each in report(plan, progress).cases[0].figures}
    won = told_figures["won@side:heroes"]
    assert won.share and won.estimate.value == heroes.total / 64
    assert won.estimate.low is not None and won.estimate.high is not None
    assert won.estimate.low < won.estimate.value < won.estimate.high
    assert sum(bar.runs for bar in told_figures["rounds"].histogram) == 64
    assert told_figures["hits@actor:anna"].estimate.value > 0


def test_by_round_a_scene_that_is_over_stays_as_it_ended() -> None:
    _, progress = answered(REQUEST)
    tally = progress.tally.cases[0]
    rounds = tally.rounds["standing@actor:anna#1"]
    totals = [total for total, _ in rounds.sums]
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] >= rounds.ended[0] == tally.values["standing@actor:anna"].total
    assert totals[0] <= rounds.runs == tally.runs


def test_a_run_that_takes_too_long_is_counted_and_told() -> None:
    _, progress = answered(replace(REQUEST, most_moves=1))
    tally = progress.tally.cases[0]
    assert tally.values["unfinished"].total == tally.runs
    assert tally.values["won@side:heroes"].total == 0
    assert tally.values["moves"].total == tally.runs


def test_a_run_is_told_and_played_again_by_its_number() -> None:
    plan, progress = answered(REQUEST)
    case = report(plan, progress).cases[0]
    typical = next(run for run in case.notable if run.what == "typical")
    lines = list(told(plan, plan.cases[0], typical.number))
    assert lines == list(told(plan, plan.cases[0], typical.number))
    assert lines[0] == "The Yard at Dawn" and lines[1] == "Round 1"
    end = position_at(plan, plan.cases[0], typical.number, 10_000).scene.state
    assert plan.play.outcome(end).ended
    assert lines[-1] == plan.play.outcome(end).text
    start = position_at(plan, plan.cases[0], typical.number, 0).scene
    assert (start.state, start.moves) == (plan.cases[0].scenes[0].opening, 0)


# Changes


def test_a_variant_is_compared_run_by_run_on_the_same_dice() -> None:
    same = Variant(name="the same", changes=(Replacement(pointer="/policies/heroes", value="steady@1"),))
    plan, progress = answered(replace(REQUEST, variants=(same, CAREFUL)))
    base, alike, careful = progress.tally.cases
    assert all(each.total == each.squares == 0 for each in alike.differences.values())
    assert base.values["hits@actor:anna"].total != careful.values["hits@actor:anna"].total
    for name, difference in careful.differences.items():
        assert difference.total == careful.values[name].total - base.values[name].total
    told_figures = {each.name: each for each in report(plan, progress).cases[2].figures}
    compared = told_figures["rounds"].difference
    assert compared is not None and compared.low is not None and compared.high is not None
    assert compared.low <= compared.value <= compared.high
    assert report(plan, progress).cases[0].figures[0].difference is None


def test_choices_that_are_changed_are_built_by_the_rules() -> None:
    plan = plan_of(replace(REQUEST, variants=(CAREFUL,)))
    assert plan.cases[0].cast[0].sheet.style.value == "bold"
    assert plan.cases[1].cast[0].sheet.style.value == "careful"


def test_a_sweep_has_a_case_for_each_combination_and_a_worth_one_more() -> None:
    sweep = (
        Axis(pointer="/cast/0/choices/style", values=("bold", "careful")),
        Axis(pointer="/policies/heroes", values=("steady@1", "random@1")),
    )
    plan = plan_of(replace(REQUEST, sweep=sweep, worth=("/cast/0/sheet/scars",)))
    names = [case.name for case in plan.cases]
    assert names[0] == "" and len(names) == 6 and len(set(names)) == 6
    assert names[1] == "/cast/0/choices/style = bold, /policies/heroes = steady@1"
    assert names[5] == "/cast/0/sheet/scars + 1"
    assert plan.cases[5].cast[0].sheet.scars == plan.cases[0].cast[0].sheet.scars + 1


def test_a_sweep_takes_other_characters_in_by_example_choices_or_sheet() -> None:
    members = [{"id": "first", "example": "bold"}, {"id": "second", "example": "bold"}]
    plan = plan_of(replace(REQUEST, sweep=(Axis(pointer="/cast", values=(members[:1], members)),)))
    assert [case.name for case in plan.cases] == ["", "/cast = 1", "/cast = 2"]
    assert [[member.id for member in case.cast] for case in plan.cases[1:]] == [
        ["first"],
        ["first", "second"],
    ]
    one = Variant(name="one", changes=(Replacement(pointer="/cast/0", value=members[1]),))
    assert plan_of(replace(REQUEST, variants=(one,))).cases[1].cast[0].id == "second"


def test_casts_of_one_size_are_named_by_whom_they_differ_in() -> None:
    first, second, built = ({"id": "a", "example": "bold"}, {"id": "b", "example": "careful"}, {"id": "c"})
    casts = ([first, second], [first, built], [first], [first, first], [first, second])
    names = value_names(Axis(pointer="/cast", values=casts))
    assert names == ("2: careful", "2: c", "1", "2", "2: careful (2)")
    assert value_names(Axis(pointer="/cast/0", values=(first, built))) == ("bold", "c")
    assert value_names(Axis(pointer="/x", values=(3, None, True, "3"))) == ("3", "null", "true", "3 (2)")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([{"id": "a", "example": "bold"}] * 2, "cast_id_taken"),
        ([{"id": str(place), "example": "bold"} for place in range(33)], "cast_out_of_range"),
        ([{"id": "a", "example": "not-there"}], "example_unknown"),
        ([{"id": "a"}], "member_unclear"),
    ],
)
def test_characters_that_a_change_brings_are_checked_as_those_of_the_request(
    value: object, code: str
) -> None:
    swept = (Axis(pointer="/cast", values=(value,)),)
    assert code in problems(replace(REQUEST, sweep=swept))


def test_a_day_takes_home_what_a_scene_changed_and_ends_when_it_is_lost() -> None:
    day = replace(REQUEST, scenes=(Opening(setup_name="yard"), Opening(setup_name="ambush")))
    _, progress = answered(day)
    values = progress.tally.cases[0].values
    first, second, both = (values[f"won@side:heroes{place}"].total for place in ("#1", "#2", ""))
    assert first >= second >= both > 0 or both == 0
    assert both == second
    assert values["rounds"].total == values["rounds#1"].total + values["rounds#2"].total
    alone = answered(REQUEST)[1].tally.cases[0].values["won@side:heroes"].total
    assert first == alone


# Pointers


def test_a_number_with_reasons_keeps_them_and_has_one_more() -> None:
    found: Any = {"dice": {"value": 3, "parts": [{"value": 3, "source": "Muscle", "rule": "Actions"}]}}
    assert number_at(found, "/dice") == 3
    put_at(found, "/dice", 4)
    assert found["dice"]["value"] == 4
    assert [part["value"] for part in found["dice"]["parts"]] == [3, 1]


def test_pointers_are_read_as_rfc_6901_has_them() -> None:
    found: Any = {"a/b": [10, {"m~n": 7}]}
    assert value_at(found, "/a~1b/1/m~0n") == 7
    for pointer in ("", "a", "/a~1b/2", "/a~1b/x", "/a~1b/0/x", "/nothing"):
        with pytest.raises(UnknownPointer):
            value_at(found, pointer)


# Estimates


def binomial(n: int, p: float) -> list[float]:
    return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.83, 0.97])
def test_the_interval_of_a_share_holds_the_truth_as_often_as_it_says(share: float) -> None:
    runs = 400
    held = sum(
        chance
        for count, chance in enumerate(binomial(runs, share))
        if wilson(count, runs).low <= share <= wilson(count, runs).high
    )
    assert 0.93 <= held <= 0.975


@given(st.lists(st.integers(-5_000_000, 5_000_000), min_size=2, max_size=60))
def test_mean_and_error_are_those_of_the_values_however_they_are_split(values: list[int]) -> None:
    whole, left, right = Distribution(), Distribution(), Distribution()
    for run, value in enumerate(values):
        whole.add(value, run)
        (left if value % 2 else right).add(value, run)
    right.merge(left)
    assert right.form() == whole.form()
    found = estimate(whole, share=False)
    average = sum(values) / len(values)
    variance = sum((value - average) ** 2 for value in values) / (len(values) - 1)
    assert found.value == pytest.approx(average)
    assert found.error == pytest.approx(math.sqrt(variance / len(values)), rel=1e-6, abs=1e-6)


def test_quantiles_are_values_that_so_many_runs_do_not_exceed() -> None:
    found = Distribution()
    for run, value in enumerate([1] * 5 + [2] * 90 + [9] * 5):
        found.add(value, run)
    assert quantiles(found) == (1, 2, 2, 2, 2)
    assert quantiles(found, (0.96, 1.0)) == (9, 9)


def test_of_one_run_a_mean_has_no_interval_and_large_values_share_places() -> None:
    assert mean(7, 49, 1).high == math.inf
    assert place_of(999) == 999 and place_of(123_456) == 123_000 and place_of(-54_321) == -54_300


def test_enough_is_enough_as_soon_as_the_interval_is_narrow() -> None:
    request = replace(REQUEST, runs=2_000, precision=Precision(figure="won@side:heroes", half_width=0.09))
    plan, progress = answered(request)
    assert progress.enough(plan)
    runs = progress.tally.cases[0].runs
    assert 100 <= runs < 2_000
    won = progress.tally.cases[0].values["won@side:heroes"]
    assert estimate(won, share=True).half_width <= 0.09
    assert report(plan, progress).done


# Questions that cannot be asked


def test_bad_questions_are_named_with_their_paths() -> None:
    assert problems(replace(REQUEST, policies={"heroes": "strongest@1"})) == {
        "policy_unknown": ("policies", "heroes")
    }
    assert problems(replace(REQUEST, policies={"dragons": "steady@1"})) == {
        "policy_subject_unknown": ("policies", "dragons")
    }
    assert problems(replace(REQUEST, precision=Precision(figure="charm", half_width=0.1))) == {
        "figure_unknown": ("precision", "figure")
    }
    assert problems(replace(REQUEST, worth=("/cast/0/sheet/nothing",))) == {"pointer_unknown": ("worth", 0)}
    assert problems(replace(REQUEST, worth=("/cast/0/sheet/name",))) == {"pointer_unknown": ("worth", 0)}
    assert problems(replace(REQUEST, scenes=(Opening(setup_name="moon"),))) == {
        "setup_unknown": ("scenes", 0, "setup_name")
    }
    assert problems(replace(REQUEST, cast=(Member(id="anna", example="nobody"),))) == {
        "example_unknown": ("cast", 0, "example")
    }
    assert problems(replace(REQUEST, cast=())) == {"cast_missing": ("scenes", 0, "setup")}
    assert problems(replace(REQUEST, runs=0)) == {"runs_out_of_range": ("runs",)}
    many = tuple(Axis(pointer="/policies/heroes", values=("steady@1",) * 9) for _ in range(2))
    assert problems(replace(REQUEST, sweep=many)) == {"cases_too_many": ("sweep",)}


def test_a_request_survives_json() -> None:
    request = replace(REQUEST, variants=(CAREFUL,), worth=("/cast/0/sheet/scars",))
    again = REQUEST_CODEC.load(json.loads(json.dumps(REQUEST_CODEC.dump(request))))
    assert REQUEST_CODEC.dump(again) == REQUEST_CODEC.dump(request)


@pytest.mark.parametrize("slug", sorted(slug for slug, game in systems().items() if game.play is not None))
def test_every_game_with_scenes_names_figures_that_are_measured(slug: str) -> None:
    system = systems()[slug]
    assert system.play is not None
    names = list(system.examples)[:2]
    request = SimulationRequest(
        system=slug,
        scenes=(Opening(setup_name=next(iter(system.play.setups))),),
        cast=tuple(Member(id=name, example=name) for name in names),
        runs=2,
    )
    plan = planned(request, system)
    assert isinstance(plan, Plan), plan
    runner = BlockPlayer(plan).runners[0]
    found = runner.run(0)
    assert set(found.values) == set(runner.names)
    assert found.values["moves"] > 0
    assert runner.run(0) == found


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    [
        ("/policies/heroes", {"a": 1}, "policy_unknown"),
        ("/policies", [1], "changes_malformed"),
        ("/scenes/0", 3, "changes_malformed"),
        ("/cast/0/id", {"a": 1}, "changes_malformed"),
        ("/cast", {"a": 1}, "changes_malformed"),
    ],
)
def test_a_change_may_be_of_any_form_and_is_refused_where_it_leaves_no_question(
    pointer: str, value: object, code: str
) -> None:
    change = Variant(name="odd", changes=(Replacement(pointer=pointer, value=value),))
    assert code in problems(replace(REQUEST, variants=(change,)))
    swept = (Axis(pointer=pointer, values=(value,)),)
    assert code in problems(replace(REQUEST, sweep=swept))


def test_a_block_that_was_begun_is_gone_on_with() -> None:
    player = BlockPlayer(plan_of(REQUEST))
    begun = next(iter(player.steps(0)))
    half = Tally.read(json.loads(json.dumps(begun.form())))
    *_, whole = player.steps(0, half)
    assert whole.form() == player.play(0).form()
