"""Exact answers of simulations: every way the dice can fall, up to what means the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from services.rules.engine.play import CastMember
from services.rules.engine.registry import systems
from services.rules.engine.simulation.blocks import BlockPlayer, Progress
from services.rules.engine.simulation.cases import Plan, planned
from services.rules.engine.simulation.estimates import exact_quantiles, mean_of
from services.rules.engine.simulation.exact import exact_answer
from services.rules.engine.simulation.report import Report, report
from services.rules.engine.simulation.request import Member, Opening, Replacement, SimulationRequest, Variant
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.resources import Resource


def plan_of(request: SimulationRequest) -> Plan:
    plan = planned(request, systems()[request.system])
    assert isinstance(plan, Plan), plan
    return plan


def duel(**changes: Any) -> SimulationRequest:
    """A hero and a goblin, a few moves long."""
    play = systems()["dungeonteller"].play
    assert play is not None
    stored: Any = play.setup_codec.dump(play.setups["orc-ambush"])
    form = stored["data"]
    goblin = {**form["creatures"][0], "monster": "dungeonteller:monster/goblin", "count": 1}
    place = {**form["place"], "width": 6, "height": 3}
    setup = {**form, "place": place, "creatures": [{**goblin, "at": [{"x": 3, "y": 1}]}]}
    return SimulationRequest(
        system="dungeonteller",
        scenes=(Opening(setup=setup),),
        cast=(Member(id="hero", example="paladin"),),
        **{"most_moves": 10, **changes},
    )


def told(request: SimulationRequest) -> Report:
    """What is told after the first block."""
    plan = plan_of(request)
    progress = Progress.begun(plan)
    assert not report(plan, progress).done
    progress.take(0, BlockPlayer(plan).play(0), plan)
    return report(plan, progress)


def test_an_exact_answer_is_done_with_its_first_runs_and_its_intervals_have_no_width() -> None:
    answer = told(duel())
    assert answer.exact
    assert answer.done
    (case,) = answer.cases
    assert case.runs == 8
    for figure in case.figures:
        assert (figure.estimate.low, figure.estimate.high) == (figure.estimate.value,) * 2
        assert figure.estimate.error == 0
        assert not figure.histogram
        assert bool(figure.quantiles) is not figure.share
    assert {run.what for run in case.notable} == {"typical", "least", "most"}


def test_the_ways_are_all_there_are_and_each_figure_counts_them_all() -> None:
    exact = exact_answer(plan_of(duel()))
    assert exact is not None
    assert all(sum(chances.values()) == 1 for chances in exact[0].values())
    won, unfinished = (mean_of(exact[0][name]) for name in ("won@side:heroes", "unfinished"))
    assert 0 < won < 1
    # A goblin does not fell a paladin in so few moves.
    assert won + unfinished == 1


def test_a_variant_is_told_exactly_beside_the_opening() -> None:
    stronger = Replacement(pointer="/scenes/0/setup/creatures/0/monster", value="dungeonteller:monster/orc")
    base, orc = told(duel(variants=(Variant(name="an orc", changes=(stronger,)),))).cases
    for figure, other in zip(orc.figures, base.figures, strict=False):
        if figure.name == "won@side:heroes":
            assert figure.difference is not None
            assert figure.difference.value == pytest.approx(figure.estimate.value - other.estimate.value)
            assert figure.difference.low == figure.difference.high == figure.difference.value
            assert figure.difference.value < 0


@pytest.mark.parametrize(
    "request_",
    [
        duel(policies={"*": "random@1"}),
        duel(most_moves=2_000),
        replace(duel(), scenes=duel().scenes * 2),
        SimulationRequest(system="forgeborn", scenes=(Opening(setup_name="realm"),), most_moves=1),
    ],
    ids=["bots by chance", "too long", "a day", "a game without exact answers"],
)
def test_where_too_much_is_left_to_chance_there_is_no_exact_answer(request_: SimulationRequest) -> None:
    if request_.system == "forgeborn":
        examples = list(systems()["forgeborn"].examples)[:2]
        request_ = replace(request_, cast=tuple(Member(id=name, example=name) for name in examples))
    assert exact_answer(plan_of(request_)) is None


def test_quantiles_of_chances_are_values_that_so_much_does_not_exceed() -> None:
    chances = {1: Fraction(1, 4), 2: Fraction(1, 4), 7: Fraction(1, 2), 9: Fraction(0)}
    assert exact_quantiles(chances) == (1, 1, 2, 7, 7)


@pytest.mark.parametrize(
    ("name", "idle"),
    [
        ("attack", {Resource.WOOD, Resource.NULL}),
        ("defence", {Resource.METAL, Resource.NULL}),
        ("rebuke", set()),
        ("hoard", set()),
    ],
)
def test_faces_of_a_resource_die_mean_the_same_only_where_both_do_nothing(
    name: str, idle: set[Resource]
) -> None:
    game = systems()["dwarf_dice"]
    play: Any = game.play
    cast = [
        CastMember(id=each, sheet=game.build(game.examples[each], game.content)) for each in game.examples
    ]
    state = play.begin(play.setups["feud"], tuple(cast[:2]))
    roll = replace(dice.rebuke_roll(state, cast[0].id), id=name)
    kinds = dict(play.kinds_of(state, roll))
    assert sum(kinds.values()) == roll.sides
    counted = Counter(dice.shown(state, (face,))[0] for face in range(1, roll.sides + 1))
    assert len(kinds) == len(counted) - max(0, len(idle) - 1)
    for face, count in kinds.items():
        shown = dice.shown(state, (face,))[0]
        assert count == (sum(counted[each] for each in idle) if shown in idle else counted[shown])
