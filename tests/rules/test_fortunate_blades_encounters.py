"""What holds in every encounter, over 75 that are played at random, in the gate 501; and exact odds."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest

from services.rules.engine.driver import scripted, state_hash, thrower
from services.rules.engine.play import GM, LegalMove, Viewer
from services.rules.engine.position import Position, Taken, position
from services.rules.engine.sampling import complete
from services.rules.systems.fortunate_blades.harm import BORNE
from services.rules.systems.fortunate_blades.play.facts import FortuneSpent, Resolved
from services.rules.systems.fortunate_blades.play.moves import Act, Call, Commit, Decline
from services.rules.systems.fortunate_blades.play.setup import ClockSetup, EncounterSetup
from services.rules.systems.fortunate_blades.play.state import Encounter, Standing
from services.rules.systems.fortunate_blades.rolls import Difficulty
from services.rules.systems.fortunate_blades.terms import Attribute
from tests.at_length import part_or_whole
from tests.rules.fortunate_blades_encounters import ALL, PLAY, Encountered, at_random, opening, stream

SEEDS = part_or_whole(25, 167)
SETUPS = [name for name, setup in PLAY.setups.items() if setup.rest is None]
ENCOUNTERS = [(setup, seed) for setup in SETUPS for seed in range(SEEDS)]


def encounters() -> Iterator[Encountered]:
    for setup, seed in ENCOUNTERS:
        yield at_random(setup, seed)


def test_encounters_are_played_to_their_end() -> None:
    assert len(ENCOUNTERS) >= part_or_whole(75, 500)
    ended = Counter(PLAY.outcome(each.at.state).ended for each in encounters())
    assert ended[True] > len(ENCOUNTERS) / 10


def test_numbers_stay_within_their_bounds() -> None:
    for encountered in encounters():
        for state in encountered.states():
            for clock in state.clocks:
                assert 0 <= clock.filled <= clock.size
            for hero in state.heroes:
                slots = state.slots(hero.id)
                assert hero.fortune >= 0
                assert all(slots[level] <= hero.slots[level] for level in BORNE)
                assert len(hero.marks) <= PLAY.catalog.rules.harm.marks
                assert all(each.points > 0 for each in hero.prepared)


def test_heroes_without_fortune_are_out_or_have_taken_harm_when_a_move_is_over() -> None:
    for encountered in encounters():
        for _, taken in encountered.steps:
            state: Encounter = taken.position.state
            if taken.position.waiting is None and not state.ended:
                assert all(hero.fortune for hero in state.present())


def test_an_encounter_is_over_exactly_when_a_fact_says_so() -> None:
    for encountered in encounters():
        *before, last = encountered.states()
        assert not any(state.ended for state in before)
        heroes = any(hero.present for hero in last.heroes)
        if not last.ended and encountered.at.waiting is None:
            assert heroes
            assert any(clock.stands_in_the_way for clock in last.clocks)
            assert not any(clock.reversed and clock.full for clock in last.clocks)


def test_rounds_go_on_and_nobody_acts_twice_in_one() -> None:
    for encountered in encounters():
        states = list(encountered.states())
        for one, next_one in pairwise(states):
            assert next_one.round >= one.round
            if next_one.round == one.round:
                acted = {hero.id for hero in one.heroes if hero.acted}
                assert acted <= {hero.id for hero in next_one.heroes if hero.acted}


@pytest.mark.parametrize("setup", SETUPS)
def test_an_encounter_that_is_played_again_comes_to_the_same_state(setup: str) -> None:
    """From the stored form of every position."""
    for seed in range(0, SEEDS, 12):
        for number, (before, taken) in enumerate(at_random(setup, seed).steps, start=1):
            stored = position(PLAY, *json.loads(json.dumps(before.form())))
            again = stored.take(taken.move, number, scripted(taken.faces))
            assert isinstance(again, Taken)
            assert again.events == taken.events
            assert state_hash(PLAY, again.position.state) == state_hash(PLAY, taken.position.state)


def test_fortune_is_spent_by_those_who_have_it() -> None:
    for encountered in encounters():
        for _, taken in encountered.steps:
            for before, event in taken.happened:
                if isinstance(event, FortuneSpent):
                    assert 0 < event.points <= before.hero(event.hero).fortune


# Secrets

CANARY = "Quicksilver"
CLOSE, SPREAD = 53, 6
"""Numbers that nothing else in such an encounter comes to."""


SECRETS = re.compile(rf"{CANARY}|secret-|(?<!\d){CLOSE}(?!\d)")
WORDS = re.compile(r"text-\d+")
"""Words that chance has put into moves."""


def texts(value: Any) -> Iterator[str | int]:
    """Every text and number in a JSON document, by itself."""
    match value:
        case dict():
            for key, item in value.items():
                yield key
                yield from texts(item)
        case list() | tuple():
            for item in value:
                yield from texts(item)
        case str() | int():
            yield value


def shown_to(at: Position, viewer: Viewer) -> Iterator[str | int]:
    """All that a player can get of a position: the state, the card, what they may do."""
    yield from texts(PLAY.state_codec.dump(at.view(viewer)))
    card = at.card(viewer)
    for actor in card.actors:
        yield from (actor.id, actor.name, *actor.conditions)
        yield from (number for track in actor.tracks for number in (track.current, track.maximum))
    yield from (prompt.question for prompt in card.prompts)
    for who in viewer.actors:
        for offer in at.legal(who, viewer):
            yield from (offer.label, offer.text, offer.odds)
            yield from texts(dict(offer.move))
            yield from (each.label for each in offer.chances)
            for field in offer.fields:
                yield from (field.least or 0, field.most or 0)
                yield from (each.value for each in field.choices)


def betrays(found: Iterator[str | int]) -> list[str | int]:
    """Texts and numbers that tell of the secret clock, or of numbers that are not shown."""
    secret = (CLOSE, CLOSE + SPREAD)
    return [
        each
        for each in dict.fromkeys(found)
        if (isinstance(each, int) and each in secret)
        or (isinstance(each, str) and SECRETS.search(WORDS.sub("", each)))
    ]


SECRET = EncounterSetup(
    title="What Nobody Sees",
    clocks=(
        ClockSetup(name="The Door", size=22),
        ClockSetup(name=CANARY, size=21, hidden=True),
        ClockSetup(name=CANARY, size=21, hidden=True),
    ),
)
TELLTALE = ("end", "harder", "easier", "lucky_break", "show:", "clock", "roll")
"""Offers that would show the secret, or move the numbers."""


def secret_steps(seed: int) -> Iterator[tuple[Position, Taken]]:
    """An encounter whose numbers are never shown, and whose secret clocks stay secret."""
    chance, throw = stream("secrets", seed), thrower(stream("secret dice", seed))
    at = Position(PLAY, opening(SECRET))
    for number in range(1, 61):
        actors = [each.id for each in PLAY.card(at.state).actors]
        offers: dict[str, Any] = {who: at.legal(who, ALL) for who in (*actors, GM)}
        able = [who for who in (*actors, GM) if offers[who]]
        if PLAY.outcome(at.state).ended or not able:
            return
        mine: tuple[LegalMove, ...] = offers[able[chance.draw(len(able)) - 1]]
        found = [each for each in mine if not each.id.startswith(TELLTALE) or at.waiting is not None]
        if not found:
            continue
        offer = found[chance.draw(len(found)) - 1]
        form = complete(offer, lambda n: chance.draw(n) - 1)
        if form["kind"] in ("Call", "CallGroup"):
            form |= {"difficulty": None, "close": CLOSE, "spread": SPREAD, "shown": False}
        taken = at.take(PLAY.move_codec.read(form), number, throw)
        if not isinstance(taken, Taken):
            continue
        yield at, taken
        at = taken.position


def test_no_player_learns_of_secret_clocks_or_of_numbers_that_are_not_shown() -> None:
    asked = 0
    for seed in range(16):
        for _, taken in secret_steps(seed):
            for who in (hero.id for hero in taken.position.state.heroes):
                viewer = Viewer(actors=frozenset({who}))
                assert betrays(shown_to(taken.position, viewer)) == []
                for before, event in taken.happened:
                    seen = PLAY.sees(event, viewer)
                    if seen is not None:
                        told = PLAY.tell(PLAY.view(before, viewer), seen)
                        assert betrays(iter((told, *texts(PLAY.event_codec.dump(seen))))) == []
            asked += any(ask.id.startswith("boost") for ask in taken.position.asks)
    assert asked > 40, "nobody was asked for Fortune, and the test proves nothing"


def test_whoever_has_fortune_is_asked_where_the_numbers_are_hidden() -> None:
    """Even of a roll that is clear: who is asked must not tell how it went."""
    for face in (2, 12, 19):
        state = ready()
        at = committed(Position(PLAY, state), Call(actor=GM, close=10, spread=4, shown=False), (face,))
        names = [ask.id for ask in at.asks]
        assert names == ["boost:chr-duellist"]


def test_nobody_is_asked_for_fortune_that_could_change_nothing() -> None:
    clear = committed(Position(PLAY, ready()), Call(actor=GM, close=10, spread=4), (19,))
    assert not any(ask.id.startswith("boost") for ask in clear.asks)
    poor = ready()
    poor = replace(poor, heroes=tuple(replace(each, fortune=1) for each in poor.heroes))
    hopeless = committed(Position(PLAY, poor), Call(actor=GM, close=30, spread=4), (2,))
    assert not any(ask.id.startswith("boost") for ask in hopeless.asks)


# Odds


def ready() -> Encounter:
    """An encounter in its first round."""
    state = opening("wolves", 2)
    return replace(state, engaged=True, heroes=tuple(replace(each, talents=()) for each in state.heroes))


def called(at: Position, call: Call) -> Position:
    """The first hero acts, the game master calls, nobody helps: what is it rolled with?"""
    act = Act(actor="chr-duellist", attribute=Attribute.FIGHT, clock="clock-1", tool="blade")
    for move in (act, call, Decline(actor="chr-witch")):
        taken = at.take(move, 1, scripted(()))
        assert isinstance(taken, Taken), str(taken)
        at = taken.position
    return at


def committed(at: Position, call: Call, faces: tuple[int, ...], **how: Any) -> Position:
    """The same, up to what is asked when the dice have fallen."""
    taken = called(at, call).take(Commit(actor="chr-duellist", **how), 1, scripted((faces,)))
    assert isinstance(taken, Taken), str(taken)
    return taken.position


def result_of(at: Position, faces: tuple[int, ...], commit: Commit) -> str:
    """How a roll goes if nobody spends anything on it afterwards."""
    taken = at.take(commit, 1, scripted((faces,)))
    assert isinstance(taken, Taken), str(taken)
    while True:
        for event in taken.events:
            if isinstance(event, Resolved):
                return event.result.value
        (ask,) = taken.position.asks
        found = taken.position.take(Decline(actor=ask.actor), 1, scripted(()))
        assert isinstance(found, Taken), str(found)
        taken = found


@pytest.mark.parametrize("difficulty", [Difficulty.TRIVIAL, Difficulty.CONCERNING, Difficulty.HEROIC])
@pytest.mark.parametrize(
    ("offer_id", "points"), [("roll", 0), ("roll", 3), ("roll:lucky", 0), ("roll:lucky", 5)]
)
def test_the_chances_of_an_offer_are_those_of_its_dice(
    difficulty: Difficulty, offer_id: str, points: int
) -> None:
    """Every face is rolled, by the rules themselves."""
    at = called(Position(PLAY, ready()), Call(actor=GM, difficulty=difficulty))
    offers = {offer.id: offer for offer in at.legal("chr-duellist", ALL)}
    offer = offers[offer_id]
    more = f":+{points}" if points else ""
    chances = {each.id: each.chance for each in offer.chances}
    told = {name: chances[f"{name}{more}"] for name in ("clear", "close", "miss")}
    lucky = offer_id == "roll:lucky"
    commit = Commit(actor="chr-duellist", lucky=lucky, fortune=points)
    falls = list(product(range(1, 21), repeat=2 if lucky else 1))
    found = Counter(result_of(at, faces, commit) for faces in falls)
    assert told == {name: Fraction(found[name], len(falls)) for name in ("clear", "close", "miss")}


def test_no_chances_are_told_where_the_numbers_are_hidden() -> None:
    at = called(Position(PLAY, ready()), Call(actor=GM, close=10, spread=4, shown=False))
    for offer in at.legal("chr-duellist", ALL):
        assert offer.chances == ()
        assert offer.odds == ""


def test_who_took_a_mark_to_clear_a_roll_is_out_of_the_quest_when_it_is_done() -> None:
    at = called(Position(PLAY, ready()), Call(actor=GM, difficulty=Difficulty.HEROIC))
    mark = next(offer for offer in at.legal("chr-duellist", ALL) if offer.id == "mark")
    taken = at.take(PLAY.move_codec.read({**mark.move, "words": "A white eye"}), 1, scripted(()))
    assert isinstance(taken, Taken)
    while taken.position.asks:
        (ask,) = taken.position.asks
        found = taken.position.take(Decline(actor=ask.actor), 1, scripted(()))
        assert isinstance(found, Taken)
        taken = found
    state: Encounter = taken.position.state
    assert state.hero("chr-duellist").standing is Standing.OUT_OF_QUEST
    assert state.hero("chr-duellist").marks == ("A white eye",)
    clock = state.clock("clock-1")
    assert clock is not None
    assert clock.filled > 0
