"""How bots answer: judgements, votes, joining, dice to roll and to buy, rewards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.play import GM
from services.rules.engine.steps import Ask
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.moves import (
    Approve,
    Bestow,
    ChooseReward,
    Claim,
    Decline,
    Imbue,
    Join,
    LoseDie,
    Move,
    Vote,
)
from services.rules.systems.forgeborn.play.offers import uses_of
from services.rules.systems.forgeborn.play.state import Game
from services.rules.systems.forgeborn.pools import MOST_ROLLED, DiceCount, DieSize
from services.rules.systems.forgeborn.prices import cost


def answered(game: Game, catalog: Catalog, ask: Ask, *, all_in: bool) -> Move:
    """An answer to a question.

    Args:
        game: Where it stands.
        catalog: The content.
        ask: The question.
        all_in: Whether she sacrifices every die for an Artifact, as it is her last chance.
    """
    actor, normal = ask.actor, game.settings.normal_dice
    match ask.id.partition(":")[0]:
        case "approve":
            return Approve(actor=GM, artifacts=_named(ask))
        case "vote":
            return Vote(actor=actor, agree=False)
        case "join":
            return Join(actor=actor, dice=smallest(game.smith(actor).dice))
        case "imbue":
            own = game.smith(actor).dice
            return Imbue(actor=actor, dice=own.best(normal), sacrificed=rest(own, normal) if all_in else ())
        case "bestow":
            return Bestow(actor=actor, dice=_strongest(ask))
        case "claim":
            held = () if game.settings.artifact_approval else uses_of(catalog, game.held_by(actor))
            best = game.smith(actor).dice.best(normal)
            return Claim(actor=actor, dice=best, artifacts=held) if best else Decline(actor=actor)
        case "reward":
            return ChooseReward(actor=actor)
        case "lose":
            return LoseDie(actor=actor, die=game.smith(actor).dice.owned()[0])
        case _:
            raise ValueError(f"no answer is known to {ask.id!r}")


def _named(ask: Ask) -> tuple[str, ...]:
    """Every Artifact that was named."""
    return tuple(choice.value for field in ask.offers[0].fields for choice in field.choices)


def _strongest(ask: Ask) -> tuple[DieSize, ...]:
    """The purchase of the highest Power that is offered, and of those the dearest."""
    purchases = (_dice(offer.move) for offer in ask.offers)
    return max(purchases, key=lambda dice: (len(dice), cost(dice)))


def _dice(form: Mapping[str, Any]) -> tuple[DieSize, ...]:
    return tuple(map(DieSize, form["dice"]))


def smallest(dice: DiceCount) -> tuple[DieSize, ...]:
    """The smallest die: a point for helping costs nothing, and the maker gains least by it."""
    return dice.owned()[:1]


def rest(dice: DiceCount, normal: int) -> tuple[DieSize, ...]:
    """Everything beyond the best dice, as far as it may be rolled."""
    best = dice.best(normal)
    return dice.minus(best).best(MOST_ROLLED - len(best))
