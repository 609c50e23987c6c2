"""The game master's own moves: clocks, positioning, rolls, consequences out of the story, the end."""

from __future__ import annotations

from services.rules.engine.effects import Until
from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import EVERYONE, GM, GM_ONLY, Roll
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, Steps, refuse
from services.rules.systems.fortunate_blades.clocks import Clock
from services.rules.systems.fortunate_blades.mechanics import roll_odds
from services.rules.systems.fortunate_blades.play.facts import (
    ClockStarted,
    ClockUncovered,
    ConsequenceDrawn,
    EncounterEnded,
    EnemiesActed,
    Positioned,
    StoryRolled,
)
from services.rules.systems.fortunate_blades.play.moves import (
    EndEncounter,
    EnemyTurn,
    MoveClock,
    Reposition,
    RollForStory,
    ShowClock,
    StartClock,
)
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.rules.consequences import (
    Due,
    came_about,
    consequences,
    detailed,
    move_clock,
)
from services.rules.systems.fortunate_blades.play.setup import clock_problems, next_id
from services.rules.systems.fortunate_blades.play.windows import GameTurn, catalog_of
from services.rules.systems.fortunate_blades.rolls import SIDES, Mode, Result, numbers_problem, read
from services.rules.systems.fortunate_blades.terms import Consequence

CLOCKS = "Clocks & Effect"


def enemy_turn(turn: GameTurn, move: EnemyTurn) -> Steps:
    """Enemies present the heroes with a consequence, once all heroes have had their turn (C12)."""
    state = turn.state
    if not state.heroes_done():
        refuse("not_your_turn", "Heroes have turns left in this round.", "Combat", ("actor",), move.actor)
    able = tuple(each.id for each in state.enemies())
    if move.clock not in able:
        text = "No such enemies have a turn now."
        refuse("unknown_target", text, "Combat", ("clock",), move.clock, able)
    turn.happen(EnemiesActed(clock=move.clock))
    yield from consequences(turn, Due(1))


def start_clock(turn: GameTurn, move: StartClock) -> None:
    """A new clock; a secret one is the game master's alone."""
    wrong = tuple(clock_problems(move.name, move.size, 0, catalog_of(turn)))
    if wrong:
        raise Refused(Problems(wrong))
    clock = Clock(
        id=next_id(turn.state.clocks, hidden=move.hidden),
        name=move.name.strip(),
        kind=move.type,
        size=move.size,
        hidden=move.hidden,
        only=move.only,
        resistant=move.resistant,
        immune=move.immune,
        away=move.away,
    )
    turn.happen(ClockStarted(clock=clock, audience=GM_ONLY if move.hidden else EVERYONE))


def shift_clock(turn: GameTurn, move: MoveClock) -> None:
    """Ticks by the game master's decision."""
    clock = _clock(turn, move.clock)
    if clock.ticked(move.ticks) == clock.filled:
        text = "That moves nothing."
        refuse(
            "clock_unmoved", text, CLOCKS, ("ticks",), move.ticks, (-clock.filled, clock.size - clock.filled)
        )
    move_clock(turn, clock.id, move.ticks)


def show_clock(turn: GameTurn, move: ShowClock) -> None:
    """A secret clock comes out, under an id of the open series: its old one would betray how many hide."""
    clock = _clock(turn, move.clock)
    if not clock.hidden:
        refuse("clock_open", "That clock is no secret.", CLOCKS, ("clock",), move.clock)
    turn.happen(ClockUncovered(clock=clock.id))
    shown = Clock(
        id=next_id(turn.state.clocks, hidden=False),
        name=clock.name,
        kind=clock.kind,
        size=clock.size,
        filled=clock.filled,
        only=clock.only,
        resistant=clock.resistant,
        immune=clock.immune,
        away=clock.away,
        acted=clock.acted,
    )
    turn.happen(ClockStarted(clock=shown))


def _clock(turn: GameTurn, name: str) -> Clock:
    found = turn.state.clock(name)
    if found is None:
        known = tuple(each.id for each in turn.state.clocks)
        refuse("unknown_target", "There is no such clock.", CLOCKS, ("clock",), name, known)
    return found


def reposition(turn: GameTurn, move: Reposition) -> None:
    """Heroes' rolls are harder or easier for the whole encounter (A15)."""
    heroes = tuple(each.id for each in turn.state.present())
    if move.target and move.target not in heroes:
        refuse("unknown_target", "There is no such hero.", "Positioning", ("target",), move.target, heroes)
    if not move.steps:
        refuse("steps_missing", "It is harder or easier by some steps.", "Positioning", ("steps",), 0)
    for who in (move.target,) if move.target else heroes:
        turn.happen(Positioned(hero=who, steps=move.steps, lasts=Until.SCENE, words=move.words))


def roll_for_story(turn: GameTurn, move: RollForStory) -> Steps:
    """The game master rolls; if something important misses, the players pick the consequence (A16)."""
    close, clear = move.numbers
    wrong = numbers_problem(close, clear)
    if wrong is not None:
        refuse(wrong.code, wrong.message, wrong.rule, wrong.path, wrong.found, wrong.allowed)
    odds = roll_odds(move.bonus, close, clear, Mode.NORMAL)
    dice = Explained.of(Part(1, "The game master's roll", "DM Rolls"))
    ((natural,),) = yield from turn.roll(
        Roll(id="roll:gm", actor=GM, label=move.words or "Roll", dice=dice, sides=SIDES, odds=odds)
    )
    outcome = read(natural, move.bonus, close, clear)
    turn.happen(
        StoryRolled(words=move.words, total=outcome.total, result=outcome.result, important=move.important)
    )
    if not move.important or outcome.result is not Result.MISS:
        return
    picked = yield from turn.ask(*(asks.pick_one(turn.state, one.id) for one in turn.state.present()))
    kind = most_picked(tuple(each.consequence for each in picked))
    turn.happen(ConsequenceDrawn(consequence=kind))
    answer = yield from detailed(turn, kind)
    yield from came_about(turn, answer, Due(1))


def most_picked(picked: tuple[Consequence, ...]) -> Consequence:
    """What most players pick; among several, the first on the list."""
    return max(Consequence, key=lambda kind: (picked.count(kind), -tuple(Consequence).index(kind)))


def end(turn: GameTurn, move: EndEncounter) -> None:
    """The game master ends the encounter, whatever the clocks say."""
    words = move.words.strip() or ("The heroes have made it." if move.won else "It is over for now.")
    turn.happen(EncounterEnded(won=move.won, words=words))
