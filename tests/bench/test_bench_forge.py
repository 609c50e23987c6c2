"""The benchmark of Forge Engine's fights: every case is measured and told."""

from __future__ import annotations

import json

from infra.benchmarks import forge
from services.rules.systems.forge_engine.play.rules.spells import castable
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import SETUPS

CASTERS = len(SETUPS) + 2
"""Cases of a caster: in each setup, in five against eight, and there in the scrum."""


def test_fights_moves_and_offers_can_be_measured_and_told() -> None:
    lines = [json.loads(case.line()) for case in forge.run(0.0, rounds=1)]
    assert [line["unit"] for line in lines] == [
        *["fights/s per core", "moves/s per core", "moves/s per core"] * (len(SETUPS) + 1),
        *["ms"] * (2 + CASTERS),
    ]
    assert len({line["case"] for line in lines}) == len(lines)
    assert all(line["value"] > 0 for line in lines)
    fights_told, offers = lines[: -2 - CASTERS], lines[-2 - CASTERS :]
    for fights, moves, replayed in zip(fights_told[::3], fights_told[1::3], fights_told[2::3], strict=True):
        assert fights["measured"] == 1
        assert replayed["measured"] > 0
        # Five characters make short work of the two gunmen in the alley.
        assert moves["measured"] == moves["moves_a_fight"] > (5 if "alley" in moves["case"] else 10)
    assert all(line["measured"] >= 13 for line in offers[:2])
    assert [line["against"] for line in offers[2:]] == [forge.CASTER_MS] * CASTERS


def test_offers_are_asked_of_five_against_eight() -> None:
    opening = forge.begun(forge.setups()[forge.LARGE])
    for state in forge.turns(opening).values():
        assert sorted(one.side for one in state.combatants) == ["foes"] * 8 + ["heroes"] * 5
        assert any(PLAY.legal(state, one.id) for one in state.combatants)


def test_the_caster_is_offered_its_powers_with_the_odds_of_every_target() -> None:
    openings = {name: forge.begun(setup) for name, setup in forge.setups().items()}
    places = forge.first_turns(openings)
    assert len(places) == CASTERS
    for fight in places.values():
        state, who = forge.with_caster(fight)
        caster = state.find(who)
        assert len(tuple(castable(state, caster))) >= forge.POWERS - 1
        offers = [each for each in forge.caster_offers(state, who) if each.move["kind"] == "Cast"]
        assert len({each.move["spell"] for each in offers}) > forge.POWERS // 2
        attacks = [each for each in offers if each.odds]
        assert attacks
        assert all(each.chances for each in attacks)
