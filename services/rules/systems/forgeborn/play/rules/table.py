"""What the game master does beside the rules of the book: words, time to answer, the end of an evening."""

from __future__ import annotations

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, refuse
from services.rules.systems.forgeborn.build import text_problems
from services.rules.systems.forgeborn.catalog import SETTING_BOUNDS
from services.rules.systems.forgeborn.choices import LONGEST_TEXT
from services.rules.systems.forgeborn.play.facts import Described, LimitSet
from services.rules.systems.forgeborn.play.moves import CallOff, Describe, SetTimeLimit
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, end_game
from services.rules.systems.forgeborn.play.state import Ending


def describe(turn: GameTurn, move: Describe) -> None:
    """What guards or troubles a place, or what is to be seen (I1)."""
    path, ground = ("text",), turn.state.ground
    problems = [*text_problems(move.text, path, longest=LONGEST_TEXT, needed=True, what="A description")]
    if move.place and ground.find(move.place) is None:
        places = tuple(spot.id for spot in ground.spots)
        text = "There is no such place."
        problems.append(RuleProblem("unknown_target", text, "table", ("place",), move.place, places))
    if problems:
        raise Refused(Problems(tuple(problems)))
    turn.happen(Described(place=move.place, text=move.text.strip()))


def set_limit(turn: GameTurn, move: SetTimeLimit) -> None:
    """How long the others have to vote or to join."""
    least, most = SETTING_BOUNDS["answer_seconds"]
    if not least <= move.seconds <= most:
        text = f"It is from {least} to {most} seconds."
        refuse("setting_out_of_range", text, "table", ("seconds",), move.seconds, (least, most))
    turn.happen(LimitSet(seconds=move.seconds))


def call_off(turn: GameTurn, move: CallOff) -> None:
    """The game ends as it stands."""
    path = ("reason",)
    wrong = tuple(text_problems(move.reason, path, longest=LONGEST_TEXT, needed=False, what="A reason"))
    if wrong:
        raise Refused(Problems(wrong))
    end_game(turn, Ending.CALLED_OFF, " ".join(move.reason.split()))
