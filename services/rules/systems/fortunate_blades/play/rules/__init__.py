"""The rules, as generators: a file for each chapter of the book.

Read in this order: `call` (what the game master calls for), `aid` and `fortune` (what comes before the dice
and after them), `dice`, `action`, `consequences`, `harm`, `marks`; `group_action`, `conflict`, `lucky_break`,
`game_master`; `rest`; `rounds` (whose turn, and the end). `asks` has the questions of all of them.
"""

from __future__ import annotations

from services.rules.engine.play import GM
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, Steps, refuse
from services.rules.engine.windows import Windows
from services.rules.systems.fortunate_blades.play.facts import Acted
from services.rules.systems.fortunate_blades.play.moves import (
    Act,
    Aid,
    Boost,
    CallGroup,
    Challenge,
    Commit,
    Enable,
    EndEncounter,
    EnemyTurn,
    Engage,
    Lift,
    Loot,
    LuckyBreak,
    MakeSave,
    Move,
    MoveClock,
    Prepare,
    RaiseEffect,
    Recover,
    Reposition,
    RollForStory,
    ShowClock,
    StartClock,
    Stir,
    TakeMark,
    TellStory,
    Train,
    Wait,
    WorkOn,
)
from services.rules.systems.fortunate_blades.play.rules import aid, fortune, game_master, group_action
from services.rules.systems.fortunate_blades.play.rules.action import act, engage
from services.rules.systems.fortunate_blades.play.rules.conflict import challenge
from services.rules.systems.fortunate_blades.play.rules.consequences import Due, consequences
from services.rules.systems.fortunate_blades.play.rules.harm import run_out
from services.rules.systems.fortunate_blades.play.rules.lucky_break import lucky_break
from services.rules.systems.fortunate_blades.play.rules.rest import rest
from services.rules.systems.fortunate_blades.play.rules.rounds import close
from services.rules.systems.fortunate_blades.play.windows import GameTurn
from services.rules.systems.fortunate_blades.play.words import words_problem
from services.rules.systems.fortunate_blades.terms import Consequence

RESTS = (Loot, TellStory, Recover, Train, Prepare, WorkOn)
HEROES = (Engage, Act, Wait, LuckyBreak, Challenge, *RESTS)
MASTERS = (
    EnemyTurn,
    CallGroup,
    RollForStory,
    StartClock,
    MoveClock,
    ShowClock,
    Reposition,
    Stir,
    EndEncounter,
)


def own_windows() -> Windows:
    """Who may react in which window, by the book."""
    windows = Windows(lambda state: state.effects)
    aid.open_windows(windows)
    fortune.open_windows(windows)
    group_action.open_windows(windows)
    return windows


def rule(turn: GameTurn, move: Move) -> Steps:
    """Every move: first what no move may break, then its own rule, then what every move ends with."""
    if turn.state.ended:
        refuse("scene_over", "The encounter is over.", "Encounters")
    wordy = words_problem(move)
    if wordy is not None:
        raise Refused(Problems((wordy,)))
    if move.actor == GM and isinstance(move, MASTERS):
        yield from _master(turn, move)
    elif isinstance(move, HEROES) and turn.state.find(move.actor) is not None:
        yield from _hero(turn, move)
    else:
        _out_of_place(turn, move)
    if not turn.state.ended and turn.state.rest is None:
        yield from run_out(turn)
    close(turn)


def _hero(turn: GameTurn, move: Move) -> Steps:
    if turn.state.rest is not None and isinstance(move, Wait):
        yield from rest(turn, move)
        return
    match move:
        case Loot() | TellStory() | Recover() | Train() | Prepare() | WorkOn():
            yield from rest(turn, move)
        case Engage():
            yield from engage(turn, move)
        case Act():
            yield from act(turn, move)
        case LuckyBreak():
            yield from lucky_break(turn, move)
        case Challenge():
            yield from challenge(turn, move)
        case Wait():
            if not turn.state.engaged or not turn.state.may_act(move.actor):
                text = "They have no action left in this round."
                refuse("not_your_turn", text, "Combat", ("actor",), move.actor)
            turn.happen(Acted(hero=move.actor))


def _master(turn: GameTurn, move: Move) -> Steps:
    match move:
        case EnemyTurn():
            yield from game_master.enemy_turn(turn, move)
        case CallGroup():
            yield from group_action.call_group(turn, move)
        case RollForStory():
            yield from game_master.roll_for_story(turn, move)
        case StartClock():
            game_master.start_clock(turn, move)
        case MoveClock():
            game_master.shift_clock(turn, move)
        case ShowClock():
            game_master.show_clock(turn, move)
        case Reposition():
            game_master.reposition(turn, move)
        case Stir():
            yield from consequences(turn, Due(1))
        case EndEncounter():
            game_master.end(turn, move)


def _out_of_place(turn: GameTurn, move: Move) -> None:
    """Refuses an answer that no question waits for, and moves of others."""
    hero = next((each for each in turn.state.heroes if each.id == move.actor), None)
    if hero is None:
        refuse("not_yours", "That is not theirs to do.", "Turns", ("actor",), move.actor)
    match move:
        case Lift():
            group_action.refuse_lift(turn, move)
        case MakeSave():
            if turn.state.last not in ("", Consequence.HARM.value):
                refuse("not_harm", "Only Harm can be saved against.", "Making a Save", ("kind",))
            text = "A Save is made at the moment that Harm befalls."
            refuse("too_late", text, "Making a Save", ("kind",))
        case Aid() | Boost() | RaiseEffect() | Enable() | Commit():
            fortune.refuse_late(turn, hero, move)
        case TakeMark():
            text = "A Mark clears a roll that the game master has called for."
            refuse("no_roll_called", text, "Marks", ("kind",))
    refuse("not_yours", "That is not theirs to do.", "Turns", ("actor",), move.actor)
