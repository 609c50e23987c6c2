"""The benchmark of Forge Engine's fights: every case is measured and told."""

from __future__ import annotations

import json

from infra.benchmarks import forge
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import SETUPS


def test_fights_moves_and_offers_can_be_measured_and_told() -> None:
    lines = [json.loads(case.line()) for case in forge.run(0.0, rounds=1)]
    assert [line["unit"] for line in lines] == [
        *["fights/s per core", "moves/s per core", "moves/s per core"] * (len(SETUPS) + 1),
        *["ms"] * 2,
    ]
    assert len({line["case"] for line in lines}) == len(lines)
    assert all(line["value"] > 0 for line in lines)
    for fights, moves, replayed in zip(lines[:-2:3], lines[1:-2:3], lines[2:-2:3], strict=True):
        assert fights["measured"] == 1
        assert replayed["measured"] > 0
        # Five characters make short work of the two gunmen in the alley.
        assert moves["measured"] == moves["moves_a_fight"] > (5 if "alley" in moves["case"] else 10)
    assert all(line["measured"] >= 13 for line in lines[-2:])


def test_offers_are_asked_of_five_against_eight() -> None:
    opening = forge.begun(forge.setups()[forge.LARGE])
    for state in forge.turns(opening).values():
        assert sorted(one.side for one in state.combatants) == ["foes"] * 8 + ["heroes"] * 5
        assert any(PLAY.legal(state, one.id) for one in state.combatants)
