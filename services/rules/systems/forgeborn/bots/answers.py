"""How bots answer: votes, joining, dice to buy, rewards, and everything that follows from a roll."""

from __future__ import annotations

from services.rules.engine.play import GM
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.creation import prompt_id
from services.rules.systems.forgeborn.play.moves import (
    Approve,
    Bestow,
    ChooseReward,
    Claim,
    Decline,
    DropDice,
    DropRuin,
    FindTrouble,
    Imbue,
    Join,
    LoseDie,
    Move,
    Throw,
    Vote,
)
from services.rules.systems.forgeborn.play.offers import uses_of
from services.rules.systems.forgeborn.play.questions import waiting_for
from services.rules.systems.forgeborn.play.state import Game, Phase
from services.rules.systems.forgeborn.play.waiting import (
    Attempt,
    Creation,
    Losing,
    Purchase,
    Refused,
    Rewarding,
    RuinDrop,
    Trouble,
    Voting,
)
from services.rules.systems.forgeborn.pools import MOST_ROLLED, DiceCount, DieSize
from services.rules.systems.forgeborn.workshop import strongest


def judged(game: Game) -> Move | None:
    """The game master's part: every Artifact may help; nothing else has to be done."""
    question = game.question
    if isinstance(question, Attempt) and not question.judged:
        named = tuple(use.artifact for use in question.uses)
        return Approve(actor=GM, prompt=question.id, artifacts=named)
    return None


def answered(game: Game, catalog: Catalog, smith: str, *, all_in: bool) -> Move | None:
    """A Smith's answer to what waits; None where nothing waits for her.

    Args:
        game: Where it stands.
        catalog: The content.
        smith: Her id.
        all_in: Whether she sacrifices every die for an Artifact, as it is her last chance.
    """
    if smith not in waiting_for(game):
        return None
    if game.phase is Phase.MAP:
        return DropDice(actor=smith)
    question = game.question
    normal = game.settings.normal_dice
    own = game.smith(smith).dice
    match question:
        case Attempt():
            return Throw(actor=smith)
        case Creation() if question.smith != smith:
            return Join(actor=smith, prompt=prompt_id(question.id, smith), dice=smallest(own))
        case Creation():
            best = own.best(normal)
            return Imbue(actor=smith, dice=best, sacrificed=rest(own, normal) if all_in else ())
        case Purchase(total=total):
            return Bestow(actor=smith, dice=strongest(total))
        case Voting():
            return Vote(actor=smith, prompt=prompt_id(question.id, smith), agree=False)
        case Refused():
            held = () if game.settings.artifact_approval else uses_of(catalog, game.held_by(smith))
            best = own.best(normal)
            return Claim(actor=smith, dice=best, artifacts=held) if best else Decline(actor=smith)
        case Rewarding():
            return ChooseReward(actor=smith)
        case Losing():
            return LoseDie(actor=smith, die=own.owned()[0])
        case RuinDrop():
            return DropRuin(actor=smith)
        case Trouble():
            return FindTrouble(actor=smith)
        case None:
            return None


def smallest(dice: DiceCount) -> tuple[DieSize, ...]:
    """The smallest die: a point for helping costs nothing, and the maker gains least by it."""
    return dice.owned()[:1]


def rest(dice: DiceCount, normal: int) -> tuple[DieSize, ...]:
    """Everything beyond the best dice, as far as it may be rolled."""
    best = dice.best(normal)
    return dice.minus(best).best(MOST_ROLLED - len(best))
