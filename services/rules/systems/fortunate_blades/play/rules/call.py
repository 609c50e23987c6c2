"""The game master's call: a roll with its risk and numbers, no roll at all, or a Hard Bargain (The Roll)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.play import EVERYONE, GM_ONLY
from services.rules.engine.steps import Step
from services.rules.systems.fortunate_blades.play.attempt import Attempt, difficulty
from services.rules.systems.fortunate_blades.play.facts import (
    BargainAnswered,
    HardBargainOffered,
    NoRollNeeded,
    NumbersSet,
    RollCalled,
)
from services.rules.systems.fortunate_blades.play.moves import Call, HardBargain, Impossible
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.windows import GameTurn, catalog_of


def called_for(
    turn: GameTurn, attempt: Attempt, *, aiding: bool = False, bargaining: bool = True
) -> Step[Attempt | None]:
    """Asks the game master what an attempt takes.

    Args:
        turn: The turn.
        attempt: What a hero tries.
        aiding: Whether it is help with another's roll, which only may be risky.
        bargaining: Whether a Hard Bargain may be offered.

    Returns:
        The attempt with its numbers, or free where it just happens; None where it cannot be done.
    """
    (answer,) = yield from turn.ask(
        asks.call(turn.state, attempt, catalog_of(turn), aiding=aiding, bargaining=bargaining)
    )
    match answer:
        case Call():
            return announced(turn, attempt, answer)
        case HardBargain():
            return (yield from _hard_bargain(turn, attempt, answer))
    possible = not isinstance(answer, Impossible)
    turn.happen(NoRollNeeded(hero=attempt.hero, possible=possible))
    return replace(attempt, free=True) if possible else None


def announced(turn: GameTurn, attempt: Attempt, call: Call) -> Attempt:
    """The attempt as it is called for; the numbers are told to players where they are shown."""
    attempt = replace(
        attempt,
        numbers=call.numbers,
        shown=call.shown,
        luck=call.luck,
        level=call.level,
        bargain=call.bargain,
        event=call.event or "",
        topic=call.topic,
    )
    turn.happen(
        RollCalled(
            hero=attempt.hero,
            attribute=attempt.attribute,
            risk=call.risk,
            shown=call.shown,
            luck=call.luck,
            bargain=call.bargain,
        )
    )
    tell_numbers(turn, attempt)
    return attempt


def tell_numbers(turn: GameTurn, attempt: Attempt) -> None:
    """Lets Close and Clear be known, to the game master alone where they are hidden."""
    close, clear = difficulty(turn.state, attempt)
    audience = EVERYONE if attempt.shown else GM_ONLY
    turn.happen(NumbersSet(hero=attempt.hero, close=close, clear=clear, audience=audience))


def _hard_bargain(turn: GameTurn, attempt: Attempt, offer: HardBargain) -> Step[Attempt | None]:
    """A painful choice in place of a roll (A11); who declines is called on as if it had not been offered."""
    turn.happen(HardBargainOffered(hero=attempt.hero, price=offer.price))
    (answer,) = yield from turn.ask(asks.hard_bargain(turn.state, attempt.hero, offer.price))
    turn.happen(BargainAnswered(hero=attempt.hero, taken=answer.yes))
    if answer.yes:
        return replace(attempt, free=True)
    return (yield from called_for(turn, attempt, bargaining=False))
