"""Lanterns, the smallest whole game: an effect and a reaction in a window, a secret, a journey."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.rules.engine import driver
from services.rules.engine.campaign import began
from services.rules.engine.play import CastMember, Viewer
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.steps import refusal

LANTERNS = systems(Path(__file__).resolve().parents[1] / "toys")["lanterns"]
assert LANTERNS.play is not None and LANTERNS.campaign is not None
PLAY, JOURNEY = LANTERNS.play, LANTERNS.campaign
CAST = tuple(
    CastMember(id=name, sheet=LANTERNS.build(choices, LANTERNS.content))
    for name, choices in LANTERNS.examples.items()
)
ADA, BO = (member.id for member in CAST)


def night(**changes: Any) -> Any:
    return replace(PLAY.begin(PLAY.setups["wood"], CAST), **changes)


def move(kind: str, actor: str, **more: Any) -> Any:
    return PLAY.move_codec.read({"kind": kind, "actor": actor, **more})


def made(state: Any, what: Any, face: int = 1, *, shares: bool = False) -> driver.Made:
    """A move with every die on one face; whoever is asked shares, or keeps, their Light."""
    found = driver.make(
        PLAY, state, what, lambda _roll: (face,), lambda _state, ask: move("Share", ask.actor, yes=shares)
    )
    assert not isinstance(found, Problems), str(found)
    return found


def light(state: Any) -> dict[str, int]:
    return {one.id: one.light for one in state.party}


@pytest.mark.parametrize(("face", "steps", "left"), [(3, 0, 2), (4, 1, 3)])
def test_a_step_takes_a_four(face: int, steps: int, left: int) -> None:
    after = made(night(), move("Step", ADA), face).state
    assert (after.steps, light(after), after.turns.whose) == (steps, {ADA: left, BO: 3}, BO)


def test_a_trimmed_wick_spares_one_light_once() -> None:
    trimmed = made(night(), move("Trim", ADA)).state
    again = made(trimmed, move("Step", BO), 6).state
    spared = made(again, move("Step", ADA)).state
    assert light(spared)[ADA] == 3 and spared.effects == ()
    assert light(made(made(spared, move("Step", BO), 6).state, move("Step", ADA)).state)[ADA] == 2


def test_another_may_share_what_is_lost_and_is_not_asked_for_nothing() -> None:
    prey = made(night(), move("Prowl", "gm", prey=ADA)).state
    assert light(made(prey, move("Step", ADA)).state) == {ADA: 1, BO: 3}
    assert light(made(prey, move("Step", ADA), shares=True).state) == {ADA: 2, BO: 2}
    trimmed = made(night(), move("Trim", ADA)).state
    spared = made(made(trimmed, move("Step", BO), 6).state, move("Step", ADA), shares=True).state
    assert light(spared) == {ADA: 3, BO: 3}


def test_whom_the_wood_is_after_is_the_game_masters_secret() -> None:
    prowled = made(night(), move("Prowl", "gm", prey=ADA))
    for viewer in (Viewer(actors=frozenset({ADA})), Viewer()):
        assert PLAY.view(prowled.state, viewer) == night()
        assert [PLAY.sees(event, viewer) for event in prowled.events] == [None]
    assert PLAY.view(prowled.state, Viewer(gm=True)).prey == ADA


def test_what_breaks_a_rule_is_refused_by_name() -> None:
    for what, code in (
        (move("Step", BO), "not_your_turn"),
        (move("Prowl", ADA, prey=BO), "not_yours"),
        (move("Prowl", "gm", prey="nobody"), "unknown_target"),
    ):
        found = refusal(PLAY, night(), what)
        assert found is not None and found.codes == (code,)


def test_light_lost_in_a_night_is_oil_of_the_journey_when_it_happens() -> None:
    journey = JOURNEY.begin(JOURNEY.setups["road"], CAST)
    assert set(JOURNEY.scenes(journey)) == {"night"}
    walking = began(JOURNEY, journey, "night").state
    assert JOURNEY.scenes(walking) == {}
    for event in made(night(), move("Step", ADA)).events:
        for heard in JOURNEY.hears(walking, "night", event):
            walking = JOURNEY.evolve(walking, heard)
    assert walking.oil == journey.oil - 1
