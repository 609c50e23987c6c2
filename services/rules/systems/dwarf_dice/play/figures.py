"""What simulations measure of Dwarf Dice: who stands, what was forged, and what blows did."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.simulation.figures import Amount, Figure, FigureKind
from services.rules.systems.dwarf_dice.play.facts import Challenged, Fact, Forged, FuryUsed, Hurt, PowerUsed
from services.rules.systems.dwarf_dice.play.state import Table

ENDURANCE, STANDING, FELLED, CARDS = "endurance", "standing", "felled", "cards"
FORGED, ATTACKS, DEALT, TAKEN, FURY, POWER = "forged", "attacks", "dealt", "taken", "fury", "power"

FIGURES = (
    Figure(
        key=ENDURANCE,
        name="Endurance left",
        unit="Endurance",
        text="Endurance at the end; 0 for the defeated.",
        by_round=True,
    ),
    Figure(
        key=STANDING,
        name="Standing",
        unit="runs",
        text="Whether the fighter is undefeated; of a side, how many of its fighters are.",
        kind=FigureKind.SHARE,
        by_round=True,
    ),
    Figure(key=FELLED, name="Defeated others", unit="fighters", text="How many the fighter defeated."),
    Figure(key=CARDS, name="Cards in hand", unit="cards", text="Cards in hand at the end.", by_round=True),
    Figure(key=FORGED, name="Items forged", unit="cards", text="How many items were forged."),
    Figure(key=ATTACKS, name="Attacks", unit="combats", text="How often the fighter called another out."),
    Figure(
        key=DEALT, name="Damage done", unit="Endurance", text="What others lost in combat with it."
    ),
    Figure(key=TAKEN, name="Damage taken", unit="Endurance", text="What the fighter lost in all."),
    Figure(key=FURY, name="Dice rolled anew", unit="dice", text="Dice that Forge's Fury rolled anew."),
    Figure(key=POWER, name="Active Power used", unit="times", text="How often the Active Power was used."),
)
"""Dwarf Dice's own figures."""


def measure(table: Table) -> Iterator[Amount]:
    """Yield how every fighter stands."""
    for fighter in table.fighters:
        if not fighter.out:
            yield Amount(STANDING, fighter.id, 1)
            yield Amount(ENDURANCE, fighter.id, max(0, fighter.endurance))
        yield Amount(FELLED, fighter.id, fighter.felled)
        yield Amount(CARDS, fighter.id, fighter.cards)


def count(table: Table, event: Fact) -> Iterator[Amount]:
    """Yield what an event adds."""
    match event:
        case Hurt():
            yield Amount(TAKEN, event.fighter, event.damage)
            combat = table.combat
            if combat is not None and event.fighter in (combat.attacker, combat.defender):
                other = combat.defender if event.fighter == combat.attacker else combat.attacker
                yield Amount(DEALT, other, event.damage)
        case Forged():
            yield Amount(FORGED, event.fighter, len(event.items))
        case Challenged():
            yield Amount(ATTACKS, event.attacker, 1)
        case FuryUsed():
            yield Amount(FURY, event.fighter, event.dice)
        case PowerUsed():
            yield Amount(POWER, event.fighter, 1)
