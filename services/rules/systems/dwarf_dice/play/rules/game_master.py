"""What the game master does beside leading the rivals: time limits, remarks, and an end before the end."""

from __future__ import annotations

from services.rules.engine.play import GM
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, Turn, refuse
from services.rules.systems.dwarf_dice.play.facts import Ended, Fact, Said, TimeLimitSet
from services.rules.systems.dwarf_dice.play.moves import CallOff, MasterMove, Say, SetTimeLimit
from services.rules.systems.dwarf_dice.play.setup import TITLE_LENGTH, seconds_problems
from services.rules.systems.dwarf_dice.play.state import Table

RULE = "game master"


def master(turn: Turn[Table, Fact], move: MasterMove) -> None:
    """A move of the game master's own."""
    if move.actor != GM:
        refuse("not_yours", "That is for the game master to do.", RULE, ("actor",), move.actor, GM)
    match move:
        case SetTimeLimit():
            wrong = tuple(seconds_problems(move.seconds, ("seconds",)))
            if wrong:
                raise Refused(Problems(wrong))
            turn.happen(TimeLimitSet(seconds=move.seconds))
        case Say():
            if not move.text.strip() or len(move.text) > TITLE_LENGTH:
                text, allowed = f"A remark has from 1 to {TITLE_LENGTH} signs.", (1, TITLE_LENGTH)
                refuse("text_length", text, RULE, ("text",), len(move.text), allowed)
            turn.happen(Said(text=move.text.strip()))
        case CallOff():
            turn.happen(Ended())
