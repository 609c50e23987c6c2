"""Fights of Forge Engine on the rules alone: fights and moves a second, and the offers of a turn.

- Bots play whole fights of five characters: the setups of the game, and five against eight adversaries on a
  grid of 60 by 60 squares. What counts is this process's time on a processor, so that a rate is what one core
  does.
- The moves of a recorded fight are applied again by the engine alone, with the answers that were given then.
- ``legal`` is asked in fights of five against eight, for every combatant in turn: where the sides are far
  apart, and where they stand in one scrum.
- A caster with 20 powers is asked for its offers, as a client sees them and with the odds of every target: in
  the first turn of each fight, and in the scrum.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import uvloop

from infra.benchmarks.harness.bot_scenes import MOVES_OF_BOTS, Played, answers, chosen, dice, play_out
from infra.benchmarks.harness.cases import BenchFailure, Case, Figures, Sample
from infra.benchmarks.harness.rounds import Contender, Measure, take_turns
from services.rules.engine.driver import Answerer, Made, make
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import GM, CastMember, LegalMove, Viewer
from services.rules.engine.position import Position
from services.rules.engine.steps import Ask
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.choices import SkillRating
from services.rules.systems.forge_engine.play.moves import BeginFight
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import SETUPS, Field, Foes, Setup, adversary
from services.rules.systems.forge_engine.play.state import Fight
from services.rules.systems.forge_engine.skills import Use

SECONDS = 40.0
ROUNDS = 5
CHARACTERS = 5
SIDE = 60
"""Squares along each side of the grid of five against eight."""
LARGE = "5 against 8"
BLOCKS = (("f8-grunt", 4), ("f8-striker", 2), ("f8-caster", 2))
MOVES_A_SECOND = 3_000.0
OFFERS_MS = 10.0
CASTER_MS = 15.0
APART, SCRUM = "far apart", "in one scrum"
POWERS, RATING, ENERGY, HANDS = 20, 3, 30, 4
"""What the caster has: so many spells of a rating, energy for all of them, hands beside its weapons."""
REPLAYED = 0.3
"""Share of the time that goes to each replayed fight, beside that of each setup."""
OFFERS = 0.3
"""Share of the time that goes to each case of offers, beside that of each setup."""


def run(seconds: float, rounds: int = ROUNDS) -> Iterator[Case]:
    """Measure fights and offers in about ``seconds`` all told."""
    openings = {name: begun(setup) for name, setup in setups().items()}
    contenders = [Contender(name, _fights(name, state)) for name, state in openings.items()]
    contenders += [
        Contender(_replay_of(name), _replayed(recorded(name, state), state, name), REPLAYED)
        for name, state in openings.items()
    ]
    contenders += [
        Contender(place, _offers(state), OFFERS) for place, state in turns(openings[LARGE]).items()
    ]
    casters = {place: with_caster(state) for place, state in first_turns(openings).items()}
    contenders += [
        Contender(_caster_in(place), _caster_offers(state, who), OFFERS)
        for place, (state, who) in casters.items()
    ]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        figures = runner.run(take_turns(contenders, rounds=rounds, seconds=seconds))
    for name in openings:
        yield from fight_cases(name, figures[name])
        yield replay_case(name, figures[_replay_of(name)])
    for place in (APART, SCRUM):
        yield offer_case(f"a turn, {LARGE}, {place}", figures[place], OFFERS_MS)
    for place in casters:
        yield offer_case(_caster_in(place), figures[_caster_in(place)], CASTER_MS)


def setups() -> Mapping[str, Setup]:
    """The game's own setups, and five against eight on a large grid."""
    foes = tuple(Foes(adversary=adversary(block), count=count) for block, count in BLOCKS)
    large = Setup(title=LARGE, field=Field(width=SIDE, height=SIDE), foes=foes)
    return {**SETUPS, LARGE: large}


def begun(setup: Setup) -> Fight:
    """The opening of a fight of the first five sample characters.

    Raises:
        BenchFailure: The rules do not allow it.
    """
    names = list(SYSTEM.examples)[:CHARACTERS]
    cast = tuple(
        CastMember(id=f"chr-{name}", sheet=SYSTEM.build(SYSTEM.examples[name], SYSTEM.content))
        for name in names
    )
    state = PLAY.begin(setup, cast)
    if not isinstance(state, Fight):
        raise BenchFailure(f"{setup.title} cannot begin: {state}")
    return state


def turns(opening: Fight) -> Mapping[str, Fight]:
    """The fight once initiative is rolled: as it begins, and with all of them side by side.

    Raises:
        BenchFailure: The fight cannot begin.
    """
    made = make(PLAY, opening, BeginFight(actor=GM), dice("forge", "offers"), PLAY.reply)
    if not isinstance(made, Made):
        raise BenchFailure(f"{opening.title}: the fight cannot begin: {made}")
    middle, wide = SIDE // 2, 4
    close = tuple(
        replace(one, at=Square(middle + place % wide, middle + place // wide))
        for place, one in enumerate(made.state.combatants)
    )
    return {APART: made.state, SCRUM: replace(made.state, combatants=close)}


def first_turns(openings: Mapping[str, Fight]) -> Mapping[str, Fight]:
    """Each fight once initiative is rolled, as it begins; and the large one with all of them side by side.

    Raises:
        BenchFailure: A fight cannot begin.
    """
    begun_as_set_up = {name: turns(opening)[APART] for name, opening in openings.items()}
    return {**begun_as_set_up, f"{LARGE}, {SCRUM}": turns(openings[LARGE])[SCRUM]}


def with_caster(fight: Fight) -> tuple[Fight, str]:
    """The fight with the first spells of the content known to whoever has priority, and who that is.

    Raises:
        BenchFailure: Nobody has priority.
    """
    one = fight.priority()
    if one is None:
        raise BenchFailure(f"{fight.title}: nobody has priority")
    known = [spell.id for spell in fight.catalog.spells if spell.use is not Use.REACTION]
    spells = tuple(SkillRating(skill=spell, rating=RATING) for spell in known[:POWERS])
    profile = replace(one.profile, skills=(*one.profile.skills, *spells), hands=HANDS)
    caster = replace(one, profile=profile, energy=ENERGY, held=())
    others = (each if each.id != one.id else caster for each in fight.combatants)
    return replace(fight, combatants=tuple(others)), one.id


def _fights(name: str, opening: Fight) -> Measure:
    """Measure whole fights by bots: the first of a row that is the same in each turn."""

    async def measure(seconds: float) -> Sample:
        end = time.perf_counter() + seconds
        took: list[float] = []
        moves = with_dice = 0
        while not took or time.perf_counter() < end:
            throw = dice("forge", name, len(took))
            began = time.process_time()
            made, rolled = play_out(PLAY, opening, throw)
            took.append(time.process_time() - began)
            moves, with_dice = moves + made, with_dice + rolled
        return Played(sum(took), [spent * 1000 for spent in took], moves=moves, with_dice=with_dice)

    return measure


@dataclass(frozen=True, slots=True)
class Recorded:
    """A move that a bot made, and the answers of the bots that were asked meanwhile, in their order."""

    move: Any
    answers: tuple[Any, ...]


def recorded(name: str, opening: Fight) -> tuple[Recorded, ...]:
    """The moves of the first fight that bots play from an opening.

    Raises:
        BenchFailure: It does not come to an end, or a bot has nothing to do.
    """
    state, throw, found, answer = opening, dice("forge", name, 0), list[Recorded](), answers(PLAY)
    while not PLAY.outcome(state).ended:
        move, given = chosen(PLAY, state), list[Any]()

        def kept(at: Fight, ask: Ask, given: list[Any] = given) -> Any:
            given.append(answer(at, ask))
            return given[-1]

        made = make(PLAY, state, move, throw, kept)
        if not isinstance(made, Made) or len(found) >= MOVES_OF_BOTS:
            raise BenchFailure(f"{name}: the fight does not come to its end: {made}")
        found.append(Recorded(move, tuple(given)))
        state = made.state
    return tuple(found)


def _replayed(moves: tuple[Recorded, ...], opening: Fight, name: str) -> Measure:
    """Measure the moves of a recorded fight, applied again with the same dice and answers."""

    async def measure(seconds: float) -> Sample:
        end = time.perf_counter() + seconds
        took: list[float] = []
        while not took or time.perf_counter() < end:
            state, throw = opening, dice("forge", name, 0)
            began = time.process_time()
            for one in moves:
                made = make(PLAY, state, one.move, throw, _given(one.answers))
                if not isinstance(made, Made):
                    raise BenchFailure(f"{name}: a recorded move is against the rules: {made}")
                state = made.state
            took.append(time.process_time() - began)
        return Sample(sum(took), [spent * 1000 / len(moves) for spent in took], batch=len(moves))

    return measure


def _given(found: tuple[Any, ...]) -> Answerer:
    """Answer with what was answered before."""
    left = iter(found)
    return lambda _state, _ask: next(left)


def _replay_of(name: str) -> str:
    return f"{name}, replayed"


def replay_case(name: str, found: Figures) -> Case:
    """Tell how many moves of a recorded fight the engine alone applies in a second on one core."""
    return Case(
        f"moves of {name}, replayed by the engine alone",
        found.rate,
        "moves/s per core",
        against=MOVES_A_SECOND,
        against_name="what is wanted",
        target=1.0,
        more={"measured": found.done},
    )


def _offers(state: Fight) -> Measure:
    """Measure the offers of every combatant in turn, each as if it had priority."""
    seats = [(_with_priority(state, one.id), one.id) for one in state.combatants if one.up and not one.secret]

    async def measure(seconds: float) -> Sample:
        end = time.perf_counter() + seconds
        took: list[float] = []
        while not took or time.perf_counter() < end:
            for fight, who in seats:
                began = time.process_time()
                PLAY.legal(fight, who)
                took.append(time.process_time() - began)
        return Sample(sum(took), [spent * 1000 for spent in took])

    return measure


def caster_offers(fight: Fight, who: str) -> tuple[LegalMove, ...]:
    """What a client of the caster's is offered in a new position, every chance worked out."""
    offers = Position(PLAY, fight).legal(who, Viewer(actors=frozenset({who})))
    return tuple(replace(offer, chances=tuple(offer.chances)) for offer in offers)


def _caster_offers(fight: Fight, who: str) -> Measure:
    """Measure the offers of a caster, again and again in the same fight."""

    async def measure(seconds: float) -> Sample:
        end = time.perf_counter() + seconds
        took: list[float] = []
        while not took or time.perf_counter() < end:
            began = time.process_time()
            caster_offers(fight, who)
            took.append(time.process_time() - began)
        return Sample(sum(took), [spent * 1000 for spent in took])

    return measure


def _caster_in(place: str) -> str:
    return f"a caster with {POWERS} powers, {place}"


def _with_priority(state: Fight, who: str) -> Fight:
    waiting = tuple(replace(one, started=True, passed=one.id != who) for one in state.combatants)
    return replace(state, combatants=waiting)


def fight_cases(name: str, found: Figures) -> Iterator[Case]:
    """Tell how many fights, and how many moves of them, one core plays in a second."""
    played: list[Any] = [sample for sample in found.samples if isinstance(sample, Played)]
    moves = Figures(
        [Sample(turn.seconds, [turn.seconds * 1000 / turn.moves], batch=turn.moves) for turn in played]
    )
    title = f"{name}, bots of {CHARACTERS} characters and their adversaries"
    yield Case(
        f"fights of {title}",
        found.rate,
        "fights/s per core",
        more={"p50_ms": found.latency(50), "p99_ms": found.latency(99), "measured": found.done},
    )
    yield Case(
        f"moves of {title}",
        moves.rate,
        "moves/s per core",
        against=MOVES_A_SECOND,
        against_name="what is wanted",
        target=1.0,
        more={
            "moves_a_fight": sum(turn.moves for turn in played) / found.done,
            "with_dice": sum(turn.with_dice for turn in played) / sum(turn.moves for turn in played),
            "measured": moves.done,
        },
    )


def offer_case(whose: str, found: Figures, wanted: float) -> Case:
    """Tell how long the offers of a turn take, beside the milliseconds that are wanted."""
    return Case(
        f"offers of {whose}",
        found.latency(50),
        "ms",
        against=wanted,
        against_name="what is wanted",
        target=1.0,
        more={"p99_ms": found.latency(99), "measured": found.done},
        less_is_better=True,
    )
