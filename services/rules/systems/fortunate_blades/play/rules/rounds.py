"""Rounds, and how an encounter ends (Player vs. DM / Enemies / Combat; C12)."""

from __future__ import annotations

from services.rules.systems.fortunate_blades.play.facts import EncounterEnded, RoundEnded
from services.rules.systems.fortunate_blades.play.state import Encounter, Safety
from services.rules.systems.fortunate_blades.play.windows import GameTurn

OVERCOME = "The heroes have overcome it."
DISASTER = "What loomed has come about."
OUT = "No hero is left in it."
RESTED = "The rest is over."


def ending(state: Encounter) -> tuple[bool, str] | None:
    """Whether the heroes have won, and why; None while it goes on.

    A looming clock that is full ends the encounter, as heroes who are all out do; else all enemies and
    challenges must be overcome.
    """
    if state.ended:
        return None
    if not state.present():
        return False, OUT
    if state.rest is not None:
        unsafe = state.rest is Safety.UNSAFE
        able = unsafe or any(state.may_rest(each.id) for each in state.present())
        return None if able else (True, RESTED)
    if any(each.reversed and each.full for each in state.clocks):
        return False, DISASTER
    return None if any(each.stands_in_the_way for each in state.clocks) else (True, OVERCOME)


def close(turn: GameTurn) -> None:
    """What every move ends with: the end of the encounter, or of rounds in which nobody has a turn left."""
    found = ending(turn.state)
    if found is not None:
        won, words = found
        turn.happen(EncounterEnded(won=won, words=words))
        return
    if turn.state.ended:
        return
    # Help may have taken the next action of everybody: then that round passes as well.
    while turn.state.rest is None and turn.state.heroes_done() and not turn.state.enemies():
        turn.happen(RoundEnded())
