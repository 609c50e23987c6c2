"""Rests between encounters, and the rules of an encounter that no case file asks about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.rules.engine.bots import Bot, random_bot
from services.rules.engine.driver import scripted
from services.rules.engine.effects import Until
from services.rules.engine.matches import chooser, named_stream, play_match
from services.rules.engine.play import GM, Roll
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.choices import TrackBoxes
from services.rules.systems.fortunate_blades.play import effects
from services.rules.systems.fortunate_blades.play.moves import (
    Act,
    Agree,
    Aid,
    BackOut,
    Benefit,
    Call,
    Commit,
    Decline,
    EnemyTurn,
    Enough,
    Gain,
    LuckyBreak,
    Move,
    NoRisk,
    Prepare,
    Price,
    Reward,
    TellStory,
    Train,
    Wait,
)
from services.rules.systems.fortunate_blades.play.state import Encounter, Safety
from services.rules.systems.fortunate_blades.terms import Attribute, TrainingTrack
from tests.rules.fortunate_blades_encounters import ALL, PLAY, opening

HERO, OTHER = "chr-duellist", "chr-witch"
ACT = Act(actor=HERO, attribute=Attribute.FIGHT, clock="clock-1", tool="blade")


def fallen(roll: Roll) -> tuple[int, ...]:
    """Ten, or the highest there is, on every die."""
    return (min(10, roll.sides),) * roll.dice.value


def made(at: Position, *moves: Move) -> Position:
    """Where an encounter stands after moves and answers that are lawful."""
    for move in moves:
        taken = at.take(move, 1, fallen)
        assert isinstance(taken, Taken), f"{move}: {taken}"
        at = taken.position
    return at


def code(at: Position, move: Move) -> str:
    """The code that a move is refused with."""
    found = at.take(move, 1, scripted(()))
    assert isinstance(found, Problems)
    return found.items[0].code


def camp(safety: Safety = Safety.SAFE) -> Position:
    return Position(PLAY, opening(replace(PLAY.setups["camp"], rest=safety), 2))


def fight() -> Position:
    return Position(PLAY, replace(opening("wolves", 2), engaged=True))


def state_of(at: Position) -> Encounter:
    found: Encounter = at.state
    return found


def test_a_rest_is_over_when_everybody_has_taken_two_actions() -> None:
    at = made(camp(), Wait(actor=HERO), Wait(actor=HERO), Prepare(actor=OTHER, event="the siege"))
    assert not PLAY.outcome(at.state).ended
    assert code(at, Wait(actor=HERO)) == "too_many_rest_actions"
    at = made(at, Prepare(actor=OTHER, event="the siege"))
    assert PLAY.outcome(at.state).text == "The rest is over."
    assert state_of(at).hero(OTHER).laid_by("the siege") == 2


def test_boxes_that_are_filled_at_rest_travel_home() -> None:
    choices: Any = SYSTEM.examples["duellist"]
    before = replace(choices, condition=replace(choices.condition, boxes=TrackBoxes(mental=7)))
    at = made(camp(), *(Train(actor=HERO, track=TrainingTrack.MENTAL),) * 2)
    change = next(each for each in PLAY.changes(at.state) if each.character == HERO)
    after = PLAY.absorb(before, change.data).condition.boxes
    assert after.mental == PLAY.catalog.rules.tracks.group


def test_a_story_brings_fortune_and_what_the_game_master_adds() -> None:
    at = made(camp(), TellStory(actor=HERO, words="The well."), Reward(actor=GM, points=2))
    assert state_of(at).hero(HERO).fortune == state_of(camp()).hero(HERO).fortune + 4 + 1 + 2


def test_where_it_is_risky_the_game_master_may_call_for_a_roll_first() -> None:
    at = made(camp(Safety.RISKY), TellStory(actor=HERO))
    assert [ask.id for ask in at.asks] == ["call"]
    assert {offer.id for offer in at.legal(GM, ALL)} == {"call", "numbers", "no_risk"}
    at = made(at, NoRisk(actor=GM), Reward(actor=GM))
    assert state_of(at).hero(HERO).rests == 1


def test_where_it_is_not_safe_nobody_is_offered_a_rest() -> None:
    at = camp(Safety.UNSAFE)
    assert not any(offer.id != "challenge" for offer in at.legal(HERO, ALL))
    assert code(at, TellStory(actor=HERO)) == "cannot_rest_here"


def test_help_for_the_next_action_takes_this_rounds_or_the_next_ones() -> None:
    aid = Aid(actor=OTHER, benefit=Benefit.LUCKY, attribute=Attribute.ATTUNE)
    helped = made(fight(), ACT, Call(actor=GM, close=2, spread=2), aid, NoRisk(actor=GM))
    assert not state_of(helped).may_act(OTHER)
    first = made(fight(), Wait(actor=OTHER))
    later = made(first, ACT, Call(actor=GM, close=2, spread=2), aid, NoRisk(actor=GM), Commit(actor=HERO))
    later = answered(later)
    later = answered(made(later, EnemyTurn(actor=GM, clock="clock-1")))
    assert state_of(later).round == 2
    assert not state_of(later).may_act(OTHER)
    assert state_of(later).may_act(HERO)


def answered(at: Position) -> Position:
    """Everything that is asked, answered as plainly as can be."""
    while at.asks:
        ask = at.asks[0]
        at = made(at, PLAY.reply(PLAY.view(at.state, ALL), ask))
    return at


def test_a_lucky_break_makes_one_roll_easier_and_backing_out_does_not_use_it_up() -> None:
    wish = LuckyBreak(actor=HERO, gain=Gain.POSITIONING)
    at = made(fight(), wish, Price(actor=GM, cost=2), Agree(actor=HERO, yes=True))
    assert not state_of(at).may_act(HERO)
    at = answered(made(at, Wait(actor=OTHER), EnemyTurn(actor=GM, clock="clock-1")))
    assert effects.positioning(state_of(at).effects, HERO) == -1
    call = Call(actor=GM, close=14, spread=4)
    at = made(at, ACT, call, Decline(actor=OTHER))
    assert [(roll.close, roll.clear) for roll in state_of(at).rolls] == [(12, 15)]
    at = made(at, BackOut(actor=HERO))
    assert effects.positioning(state_of(at).effects, HERO) == -1
    at = answered(made(at, ACT, call, Decline(actor=OTHER), Commit(actor=HERO)))
    assert not any(each.lasts.until is Until.USED for each in state_of(at).effects)


def test_enemies_have_one_turn_each_when_no_hero_has_an_action_left() -> None:
    at = fight()
    assert code(at, EnemyTurn(actor=GM, clock="clock-1")) == "not_your_turn"
    at = made(at, Wait(actor=HERO), Wait(actor=OTHER))
    assert code(at, Wait(actor=HERO)) == "not_your_turn"
    at = made(at, EnemyTurn(actor=GM, clock="clock-1"))
    at = answered(at)
    assert state_of(at).round == 2


def test_a_miss_may_have_further_consequences_until_the_game_master_has_enough() -> None:
    at = made(fight(), ACT, Call(actor=GM, close=40, spread=2), Decline(actor=OTHER), Commit(actor=HERO))
    assert [ask.id for ask in at.asks] == ["consequence"]
    assert not any(offer.id == "enough" for offer in at.legal(GM, ALL))
    told = next(offer for offer in at.legal(GM, ALL) if offer.id == "in_a_spot")
    at = made(at, PLAY.move_codec.read(dict(told.move)))
    assert any(offer.id == "enough" for offer in at.legal(GM, ALL))
    at = made(at, Enough(actor=GM))
    assert at.asks == ()
    assert state_of(at).hero(HERO).acted


def won(bot: Bot, games: int) -> int:
    """How many encounters with the pack heroes win who are all played by a bot."""
    start = opening("wolves", 3)
    seats = {hero.id: bot for hero in start.heroes}
    found = 0
    for game in range(games):
        match = play_match(
            PLAY,
            start,
            seats,
            faces=named_stream("wolves", game, "dice"),
            choose=chooser(named_stream("wolves", game, "choices")),
        )
        found += bool(match.outcome.winners)
    return found


def test_who_plays_well_overcomes_the_danger_twice_as_often_as_who_plays_at_random() -> None:
    strong = next(bot for bot in PLAY.bots if bot.id == "strong")
    assert won(strong, 40) >= 2 * won(random_bot(PLAY), 40)


def test_words_that_are_too_long_are_refused_wherever_they_stand() -> None:
    long = "x" * 501
    assert code(fight(), replace(ACT, words=long)) == "text_too_long"
    at = made(fight(), ACT)
    assert code(at, Call(actor=GM, close=10, spread=4, risk=long)) == "text_too_long"
