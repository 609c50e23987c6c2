"""Fortunate Blades' own rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

from services.rules.dice.mechanic import (
    Arguments,
    Mechanic,
    Parameter,
    Reading,
    ReadingOdds,
    Rolled,
    Unfit,
    number,
)
from services.rules.dice.pool import Dice, dice
from services.rules.systems.fortunate_blades.rolls import (
    SIDES,
    Difficulty,
    Mode,
    Outcome,
    Result,
    Save,
    numbers_problem,
    read,
    save,
)

ROLL = "fortunate_blades:roll"
SAVE = "fortunate_blades:save"
CHANCES_KEPT = 4_096
"""Rolls whose chances are remembered: each offer of a roll asks for those of every number of points."""

_BONUS = Parameter("bonus", "attribute, talents and Fortune together", -10, 40)
_CLOSE = Parameter(
    "close",
    f"the least total that is Close: {', '.join(f'{one.label} {one.close}' for one in Difficulty)}",
    0,
    60,
)
_CLEAR = Parameter(
    "clear",
    f"the least total that is Clear: {', '.join(f'{one.label} {one.clear}' for one in Difficulty)}",
    0,
    60,
)
_MODE = Parameter("mode", "1 for Lucky, -1 for Unlucky", -1, 1, default=0)
_POSSIBLE = Parameter("possible", "0 where success is impossible, whatever the total", 0, 1, default=1)
_LUCKY = Parameter("lucky", "further sources of Lucky", 0, 20, default=0)
_UNLUCKY = Parameter("unlucky", "further sources of Unlucky", 0, 20, default=0)


def _mode(arguments: Arguments) -> Mode:
    mode = number(arguments, "mode")
    return Mode.of(
        _further(arguments, "lucky") + (mode == Mode.LUCKY.value),
        _further(arguments, "unlucky") + (mode == Mode.UNLUCKY.value),
    )


def _further(arguments: Arguments, name: str) -> int:
    """Further sources; none where the argument is left out."""
    return number(arguments, name) if name in arguments else 0


def _unfit(arguments: Arguments) -> Unfit | None:
    """Close above Clear, with both numbers."""
    close, clear = number(arguments, "close"), number(arguments, "clear")
    if numbers_problem(close, clear) is None:
        return None
    return Unfit("close", f"Close {close}", f"at most Clear {clear}")


def _word(outcome: Outcome) -> str:
    """The result, and whether the kept die was a 20 or a 1, which mean more than their total."""
    if outcome.natural == SIDES:
        return f"{outcome.result.value}_natural_20"
    return f"{outcome.result.value}_natural_1" if outcome.natural == 1 else outcome.result.value


def _pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (dice(_mode(arguments).dice, SIDES),)


def _rolled(natural: int, arguments: Arguments) -> Reading:
    outcome = read(
        natural,
        number(arguments, "bonus"),
        number(arguments, "close"),
        number(arguments, "clear"),
        possible=bool(number(arguments, "possible")),
    )
    values = {
        "natural": natural,
        "consequence": int(outcome.consequence),
        "double_effect": int(outcome.double_effect),
    }
    return Reading(outcome.total, _word(outcome), values)


def _read_roll(arguments: Arguments, rolled: Rolled) -> Reading:
    return _rolled(_mode(arguments).keep(rolled[0]), arguments)


def _roll_odds(arguments: Arguments) -> ReadingOdds:
    return _odds(_mode(arguments), lambda natural: _rolled(natural, arguments))


def _saved(natural: int, arguments: Arguments) -> Reading:
    found: Save = save(
        natural, number(arguments, "bonus"), number(arguments, "close"), number(arguments, "clear")
    )
    word = "no_harm" if found.levels is None else found.result.value
    return Reading(found.total, word, {} if found.levels is None else {"levels": found.levels})


def _read_save(arguments: Arguments, rolled: Rolled) -> Reading:
    return _saved(_mode(arguments).keep(rolled[0]), arguments)


def _save_odds(arguments: Arguments) -> ReadingOdds:
    return _odds(_mode(arguments), lambda natural: _saved(natural, arguments))


def mode_chances(mode: Mode) -> Mapping[int, Fraction]:
    """The chance of each kept die: of two dice, the higher or the lower shows it."""
    faces = range(1, SIDES + 1)
    match mode:
        case Mode.NORMAL:
            return {natural: Fraction(1, SIDES) for natural in faces}
        case Mode.LUCKY:
            return {natural: Fraction(2 * natural - 1, SIDES**2) for natural in faces}
        case Mode.UNLUCKY:
            return {natural: Fraction(2 * (SIDES - natural) + 1, SIDES**2) for natural in faces}


def _odds(mode: Mode, reading: Callable[[int], Reading]) -> ReadingOdds:
    found: dict[tuple[int, str], Fraction] = {}
    for natural, chance in mode_chances(mode).items():
        came = reading(natural)
        key = (came.total, came.outcome)
        found[key] = found.get(key, Fraction(0)) + chance
    return found


@lru_cache(CHANCES_KEPT)
def roll_chances(bonus: int, close: int, clear: int, mode: Mode) -> Mapping[Result, Fraction]:
    """How likely each result of a roll is that is possible at all, exactly."""
    found = {result: Fraction(0) for result in Result}
    for natural, chance in mode_chances(mode).items():
        found[read(natural, bonus, close, clear).result] += chance
    return MappingProxyType(found)


@lru_cache(CHANCES_KEPT)
def save_chances(bonus: int, close: int, clear: int) -> Mapping[Result, Fraction]:
    """How likely each result of a Save is, exactly; a natural 20 is Clear."""
    found = {result: Fraction(0) for result in Result}
    for natural, chance in mode_chances(Mode.NORMAL).items():
        found[save(natural, bonus, close, clear).result] += chance
    return MappingProxyType(found)


def roll_odds(bonus: int, close: int, clear: int, mode: Mode) -> str:
    """A roll in the notation of the odds; empty beyond the bounds of its parameters."""
    given = ((bonus, _BONUS), (close, _CLOSE), (clear, _CLEAR))
    if any(not each.minimum <= value <= each.maximum for value, each in given):
        return ""
    return f"{ROLL}({bonus}, {close}, {clear}, {mode.value})"


def save_odds(bonus: int, close: int, clear: int) -> str:
    """A Save in the notation of the odds; empty beyond the bounds of its parameters."""
    given = ((bonus, _BONUS), (close, _CLOSE), (clear, _CLEAR))
    if any(not each.minimum <= value <= each.maximum for value, each in given):
        return ""
    return f"{SAVE}({bonus}, {close}, {clear})"


_RESULTS = (Result.CLEAR, Result.CLOSE, Result.MISS)

MECHANICS = (
    Mechanic(
        name=ROLL,
        title="Roll",
        meaning="A d20 and what is added, Close or Clear by its total; a natural 20 is Close at least and "
        "doubles the Effect, a natural 1 always has a consequence. Lucky and Unlucky cancel, never add up.",
        source="Rolls; Lucky and Unlucky [P16, P26]",
        parameters=(_BONUS, _CLOSE, _CLEAR, _MODE, _POSSIBLE, _LUCKY, _UNLUCKY),
        outcomes=tuple(
            f"{result.value}{natural}" for result in _RESULTS for natural in ("_natural_20", "", "_natural_1")
        ),
        pools=_pools,
        read=_read_roll,
        odds=_roll_odds,
        unfit=_unfit,
    ),
    Mechanic(
        name=SAVE,
        title="Save",
        meaning="A d20, the group's attributes and armour: Close takes off one level of Harm, Clear two, a "
        "natural 20 all of it.",
        source="Saves [P5, P23]",
        parameters=(_BONUS, _CLOSE, _CLEAR, _MODE, _LUCKY, _UNLUCKY),
        outcomes=("no_harm", "clear", "close", "miss"),
        pools=_pools,
        read=_read_save,
        odds=_save_odds,
        unfit=_unfit,
    ),
)
