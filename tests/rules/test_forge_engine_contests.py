"""Contests, pursuit and morale in Forge Engine's fights."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.play import GM, Viewer
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.play import facts
from services.rules.systems.forge_engine.play.legal import legal
from services.rules.systems.forge_engine.play.moves import Contest, Flee, Morale
from services.rules.systems.forge_engine.play.rules.attribute_test import ENDURANCE, skill_id
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import FOES, Gone
from tests.conformance.forge_engine.stage import FOE, HERO, fight, fighter, hero, profile, skilled
from tests.rules.forge_engine_play import facts_of, played, pool, refused

RUNNER = profile(attributes=Attributes(stamina=3), skills=skilled((ENDURANCE, 2)))
CHASE = Contest(actor=GM, one=HERO, other=FOE, skill=ENDURANCE)


@pytest.mark.parametrize(
    ("mine", "theirs", "winner", "ahead"),
    [([9, 9, 4], [7], HERO, 2), ([5], [8, 8], FOE, 2), ([8, 8], [8], HERO, 0)],
    ids=["gains ground", "falls behind", "a tie is no change"],
)
def test_a_pursuit_is_won_by_dice_above_the_rivals_highest(
    mine: list[int], theirs: list[int], winner: str, ahead: int
) -> None:
    state = fight(hero(RUNNER), fighter(FOE, FOES, RUNNER))
    made = played(state, CHASE, {f"contest:{HERO}": mine, f"contest:{FOE}": theirs})
    assert pool(made, f"contest:{HERO}") == 5
    found = facts_of(made, facts.Contested)
    assert [(each.who, each.successes) for each in found] == [(winner, ahead)]
    assert made.state.find(HERO).usable == state.find(HERO).usable


def test_those_who_fled_are_pursued_and_the_fallen_are_not() -> None:
    state = fight(hero(RUNNER), fighter(FOE, FOES, RUNNER), spread=60)
    fled = played(state, Flee(actor=HERO), {}).state
    assert fled.find(HERO).gone is Gone.FLED
    assert played(fled, CHASE, {})
    down = replace(state, combatants=(replace(state.find(HERO), health=0), *state.combatants[1:]))
    assert refused(down, CHASE) == ["cannot_act"]
    assert refused(state, replace(CHASE, other=HERO)) == ["unknown_target"]


def test_morale_is_insight_against_a_difficulty() -> None:
    calm = profile(attributes=Attributes(intelligence=2), skills=skilled((skill_id("insight"), 1)))
    state = fight(hero(), fighter(FOE, FOES, calm))
    for face, passed in ((8, True), (7, False)):
        made = played(state, Morale(actor=GM, who=FOE), {"test": [face]})
        assert pool(made, "test") == 3
        assert [each.passed for each in facts_of(made, facts.Tested)] == [passed]
    assert refused(state, Morale(actor=GM, who=FOE, difficulty=11)) == ["difficulty_out_of_range"]
    assert {"morale", f"pursuit:{HERO}"} <= {offer.id for offer in legal(state, GM)}


def test_a_contest_with_one_who_hides_is_seen_by_those_alone_who_know_of_it() -> None:
    for places in ((HERO, FOE), (FOE, HERO)):
        state = fight(hero(RUNNER), fighter(FOE, FOES, RUNNER, hidden=True), fighter("open", FOES))
        made = played(state, replace(CHASE, one=places[0], other=places[1]), {})
        assert not any(roll.audience.everyone for roll in made.rolls)
        assert not any(PLAY.sees(event, Viewer(actors=frozenset({HERO}))) for event in made.events)
