"""What simulations measure of Fortunate Blades' encounters: Fortune, Harm, Marks, rolls and ticks."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.simulation.figures import Amount, Figure, FigureKind
from services.rules.systems.fortunate_blades.play.effects import harms_of
from services.rules.systems.fortunate_blades.play.facts import (
    EffectHad,
    Fact,
    FortuneSpent,
    Resolved,
    ToolLost,
    ToolUsed,
)
from services.rules.systems.fortunate_blades.play.state import Encounter, Standing
from services.rules.systems.fortunate_blades.rolls import Result

FORTUNE, SPENT, HARM, MARKS, STANDING = "fortune", "fortune_spent", "harm", "marks", "standing"
ROLLS, CLEARS, MISSES, TICKS = "rolls", "clears", "misses", "ticks"
GEAR_USED, GEAR_LOST = "gear_used", "gear_lost"

FIGURES = (
    Figure(key=FORTUNE, name="Fortune left", unit="Fortune", text="Fortune at the end.", by_round=True),
    Figure(
        key=STANDING,
        name="Standing",
        unit="runs",
        text="Whether the hero takes part at the end; of a side, how many of its heroes.",
        kind=FigureKind.SHARE,
        by_round=True,
    ),
    Figure(key=SPENT, name="Fortune spent", unit="Fortune", text="Fortune spent on rolls, Saves and Aid."),
    Figure(
        key=HARM, name="Harm borne", unit="Harms", text="Harms that the hero bears at the end.", by_round=True
    ),
    Figure(key=MARKS, name="Marks", unit="Marks", text="Marks at the end."),
    Figure(key=ROLLS, name="Rolls", unit="rolls", text="Rolls that the hero made."),
    Figure(key=CLEARS, name="Clear", unit="rolls", text="How many of them were Clear."),
    Figure(key=MISSES, name="Missed", unit="rolls", text="How many of them were a Miss."),
    Figure(key=TICKS, name="Ticks", unit="ticks", text="Ticks that the hero's Effects came to on clocks."),
    Figure(
        key=GEAR_USED,
        name="Gear used up",
        unit="uses",
        text="Uses of gear that has a number of them, which are gone until it is bought or charged again.",
    ),
    Figure(key=GEAR_LOST, name="Gear lost", unit="things", text="Gear that a consequence took away."),
)
"""Fortunate Blades' own figures."""


def measure(state: Encounter) -> Iterator[Amount]:
    """Yield how every hero stands."""
    for hero in state.heroes:
        yield Amount(FORTUNE, hero.id, hero.fortune)
        yield Amount(STANDING, hero.id, int(hero.standing is Standing.IN))
        yield Amount(HARM, hero.id, len(harms_of(state.effects, hero.id)))
        yield Amount(MARKS, hero.id, len(hero.marks))


def count(_state: Encounter, event: Fact) -> Iterator[Amount]:
    """Yield what an event adds."""
    match event:
        case FortuneSpent():
            yield Amount(SPENT, event.hero, event.points)
        case Resolved():
            yield Amount(ROLLS, event.hero, 1)
            yield Amount(CLEARS, event.hero, int(event.result is Result.CLEAR))
            yield Amount(MISSES, event.hero, int(event.result is Result.MISS))
        case EffectHad():
            yield Amount(TICKS, event.hero, event.ticks)
        case ToolUsed():
            yield Amount(GEAR_USED, event.hero, 1)
        case ToolLost():
            yield Amount(GEAR_LOST, event.hero, 1)
