"""Recruit a Heroine: a roll against nothing, whose total buys her dice (F11, F12, P14, P16).

Who may react: the game master judges the Artifacts, as in a Conflict (`conflict.helping`); nobody else.
"""

from __future__ import annotations

from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forgeborn.build import text_problems
from services.rules.systems.forgeborn.choices import LONGEST_NAME
from services.rules.systems.forgeborn.play.facts import Foe, Forged, HeroineJoined, Making, Reason
from services.rules.systems.forgeborn.play.moves import Recruit
from services.rules.systems.forgeborn.play.rolls import artifact_rolls, creation_odds, own_rolls
from services.rules.systems.forgeborn.play.rules.conflict import (
    LABELS,
    Attempt,
    declare,
    dice_of,
    helping,
    reward,
)
from services.rules.systems.forgeborn.play.rules.dice import lose, throw
from services.rules.systems.forgeborn.play.rules.purchase import bought
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, acting_smith, end_turn, place_of
from services.rules.systems.forgeborn.play.state import Game, Spot
from services.rules.systems.forgeborn.realm import PlaceKind

BOOK = "Recruit a Heroine"


def recruit(turn: GameTurn, move: Recruit) -> Steps:
    """A Heroine is won over, or shakes her head."""
    place, name = recruiting_place(turn.state, move.actor), move.name.strip()
    attempt = Attempt(
        who=move.actor,
        foe=Foe.RECRUIT,
        target=place.id,
        dice=move.dice,
        sacrificed=move.sacrificed,
        uses=move.artifacts,
        description=move.description,
    )
    names = text_problems(move.name, ("name",), longest=LONGEST_NAME, needed=True, what="A name")
    declare(turn, attempt, names)
    lent = yield from helping(turn, attempt)
    odds = creation_odds((*attempt.dice, *attempt.sacrificed, *dice_of(lent)))
    own = own_rolls(move.actor, LABELS[Foe.RECRUIT], attempt.dice, attempt.sacrificed, odds)
    rolls = (*own, *artifact_rolls(move.actor, lent))
    total = sum((yield from throw(turn, rolls, Foe.RECRUIT)))
    settings = turn.state.settings
    failed = total < settings.junk_below
    turn.happen(Forged(smith=move.actor, what=Making.HEROINE, name=name, total=total, failed=failed))
    if not failed or not settings.failed_recruit_keeps_dice:
        lose(turn, move.actor, attempt.sacrificed, Reason.SACRIFICE)
    if failed:
        yield from reward(turn, move.actor)
    else:
        dice = yield from bought(turn, move.actor, total, Making.HEROINE, name)
        turn.happen(
            HeroineJoined(
                heroine=f"heroine-{len(turn.state.heroines) + 1}",
                name=name,
                description=move.description,
                smith=move.actor,
                dice=dice,
                place=place.id,
            )
        )
    end_turn(turn)


def recruiting_place(game: Game, who: str) -> Spot:
    """Returns the Village or City where the Smith who acts can recruit.

    Raises:
        Refused: It is not hers to act, she is elsewhere, or has as many Heroines as the table allows.
    """
    place = place_of(game, acting_smith(game, who), BOOK, PlaceKind.VILLAGE, PlaceKind.CITY)
    most, there = game.settings.most_heroines, len(game.of(who))
    if most and there >= most:
        text = f"A Smith has at most {most} Heroines at this table."
        refuse("too_many_heroines", text, BOOK, ("actor",), there, most)
    return place
