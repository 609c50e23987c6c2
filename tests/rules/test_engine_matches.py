"""Bots against each other, shown by the toy game."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from services.rules.engine.bots import Bot, random_bot, steady_bot
from services.rules.engine.matches import MatchError, chooser, named_stream, play_match, tournament
from services.rules.engine.play import CastMember
from services.rules.engine.registry import systems

TOYS = Path(__file__).resolve().parents[1] / "toys"
DUEL = systems(TOYS)["duel"]
PLAY: Any = DUEL.play
ANNA = CastMember(id="anna", sheet=DUEL.build(DUEL.examples["bold"], DUEL.content))
OPENING = PLAY.begin(PLAY.setups["yard"], (ANNA,))


def match(bots: dict[str, Bot], *name: object, most: int = 500) -> Any:
    faces, choose = named_stream(*name, "dice"), chooser(named_stream(*name, "choices"))
    return play_match(PLAY, OPENING, bots, faces=faces, choose=choose, most=most)


def test_a_game_is_played_to_its_end_and_the_same_again() -> None:
    found = match({"anna": random_bot(PLAY)}, "once")
    assert found.outcome.ended
    assert 0 < found.moves <= 500
    assert found == match({"anna": random_bot(PLAY)}, "once")
    assert found != match({"anna": random_bot(PLAY)}, "another time")


def test_a_game_that_takes_too_long_is_given_up() -> None:
    found = match({"anna": steady_bot(PLAY)}, "short", most=1)
    assert not found.outcome.ended
    assert found.moves == 1


def test_a_bot_that_breaks_a_rule_is_told() -> None:
    move = PLAY.move_codec.read({"kind": "Strike", "actor": "anna", "target": "nobody"})
    cheat = Bot(id="cheat", version=1, text="Strikes at nobody.", move=lambda *_: move)
    with pytest.raises(MatchError, match="unknown_target"):
        match({"anna": cheat}, "cheat")


def test_bots_see_what_their_actor_may_know() -> None:
    opening = PLAY.begin(PLAY.setups["ambush"], (ANNA,))
    seen: list[set[str]] = []

    def look(state: Any, actor: str, _choose: object) -> Any:
        seen.append({one.id for one in state.duellists})
        return PLAY.bot(state, actor)

    looking = Bot(id="looking", version=1, text="Looks around.", move=look)
    faces, choose = named_stream("look"), chooser(named_stream("pick"))
    play_match(PLAY, opening, {"anna": looking}, faces=faces, choose=choose)
    assert "rival-3" not in seen[0]


def test_contestants_change_seats_and_every_win_is_counted() -> None:
    steady, other = steady_bot(PLAY), random_bot(PLAY)
    found = tournament(PLAY, [OPENING], ["anna", "rival-1"], [steady, other], 4, name="seats")
    assert found.games == 4
    # The toy names the side that won, which is no seat.
    assert sum(found.wins) == Fraction(0)
    assert found.unfinished == 0
    assert found.moves >= 4
    with pytest.raises(ValueError, match="2 contestants"):
        tournament(PLAY, [OPENING], ["anna"], [steady, other], 1)


def test_a_stream_is_that_of_its_name() -> None:
    assert named_stream("a", 1).draw_many(6, 100) == named_stream("a", 1).draw_many(6, 100)
    assert named_stream("a", 1).draw_many(6, 100) != named_stream("a", 2).draw_many(6, 100)
