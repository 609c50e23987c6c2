"""The d20 of a roll: Lucky or not, what is added, Fortune after it, and how it is read (The Roll)."""

from __future__ import annotations

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import Roll
from services.rules.engine.steps import Step
from services.rules.systems.fortunate_blades.mechanics import roll_odds
from services.rules.systems.fortunate_blades.play.attempt import Attempt, bonus, difficulty, mode
from services.rules.systems.fortunate_blades.play.facts import Resolved, Rolled
from services.rules.systems.fortunate_blades.play.rules.fortune import d20
from services.rules.systems.fortunate_blades.play.windows import DiceFell, GameTurn, catalog_of
from services.rules.systems.fortunate_blades.rolls import Mode, Outcome, read


def dice_of(turn: GameTurn, attempt: Attempt) -> Roll:
    """The dice of an attempt; their odds are named only where players see the numbers."""
    state, catalog = turn.state, catalog_of(turn)
    own = mode(state, attempt, catalog)
    added = bonus(state, attempt, catalog)
    odds = roll_odds(added.value, *difficulty(state, attempt), own) if attempt.shown else ""
    dice = Explained.of(Part(1, attempt.attribute.label, "The Roll"))
    if own is not Mode.NORMAL:
        dice = dice.plus(1, own.name.capitalize(), "Lucky vs. Unlucky")
    return d20("roll", attempt.hero, attempt.attribute.label, dice, odds)


def thrown(turn: GameTurn, attempt: Attempt) -> Step[Outcome]:
    """Rolls, lets Fortune be spent on it, and reads it."""
    (faces,) = yield from turn.roll(dice_of(turn, attempt))
    fell = yield from settled(turn, attempt, faces)
    outcome = outcome_of(fell)
    resolve(turn, attempt, outcome)
    return outcome


def resolve(turn: GameTurn, attempt: Attempt, outcome: Outcome) -> None:
    """Tells how a roll went; how narrowly it missed only where the numbers are shown."""
    missed_by = outcome.missed_by if attempt.shown else None
    turn.happen(Resolved(hero=attempt.hero, result=outcome.result, missed_by=missed_by))


def settled(turn: GameTurn, attempt: Attempt, faces: tuple[int, ...]) -> Step[DiceFell]:
    """What fallen dice come to when everybody has spent what they like on them."""
    state, catalog = turn.state, catalog_of(turn)
    natural = mode(state, attempt, catalog).keep(faces)
    total = natural + bonus(state, attempt, catalog).value
    close, clear = difficulty(state, attempt)
    turn.happen(Rolled(hero=attempt.hero, natural=natural, total=total))
    fell = DiceFell(
        hero=attempt.hero,
        natural=natural,
        total=total,
        close=close,
        clear=clear,
        shown=attempt.shown,
        attempt=attempt,
    )
    return (yield from turn.window(fell))


def outcome_of(fell: DiceFell) -> Outcome:
    """How a roll went."""
    return read(fell.natural, fell.total - fell.natural, fell.close, fell.clear)
