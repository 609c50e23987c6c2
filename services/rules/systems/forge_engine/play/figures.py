"""What simulations measure of Forge Engine's fights: who stands, health, energy, and what attacks did."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.simulation.figures import Amount, Figure, FigureKind
from services.rules.systems.forge_engine.play.facts import (
    EnergyUsed,
    FightFact,
    Healed,
    Hurt,
    Left,
    Reacted,
    SpellCast,
    Struck,
)
from services.rules.systems.forge_engine.play.state import Fight, Life

STANDING, HEALTH, DEAD, ENERGY, FLED = "standing", "health", "dead", "expended", "fled"
DEALT, TAKEN, HITS, ATTACKS, HEALED = "dealt", "taken", "hits", "attacks", "healed"
USED, REACTIONS, SPELLS = "energy_used", "reactions", "spells"

FIGURES = (
    Figure(
        key=HEALTH,
        name="Health left",
        unit="health",
        text="Health at the end; 0 for whoever is down.",
        by_round=True,
    ),
    Figure(
        key=STANDING,
        name="Standing",
        unit="runs",
        text="Whether the combatant is awake and takes part; of a side, how many of its combatants.",
        kind=FigureKind.SHARE,
        by_round=True,
    ),
    Figure(key=DEAD, name="Dead", unit="runs", text="Whether it is dead.", kind=FigureKind.SHARE),
    Figure(key=FLED, name="Left the fight", unit="times", text="How often it left the fight on its feet."),
    Figure(key=ENERGY, name="Energy expended", unit="energy", text="Expended until a rest.", by_round=True),
    Figure(key=USED, name="Energy used", unit="energy", text="Energy spent, added and expended in all."),
    Figure(key=DEALT, name="Damage done", unit="health", text="Damage that others took by its doing."),
    Figure(key=TAKEN, name="Damage taken", unit="health", text="Damage that it took."),
    Figure(key=ATTACKS, name="Attacks", unit="attacks", text="Targets that its attacks were rolled at."),
    Figure(key=HITS, name="Hits", unit="attacks", text="How many of them came to a success or more."),
    Figure(key=HEALED, name="Recovered", unit="health", text="Health that it recovered in the fight."),
    Figure(key=REACTIONS, name="Reactions", unit="reactions", text="How often it reacted to an attack."),
    Figure(key=SPELLS, name="Spells", unit="spells", text="How many spells it cast."),
)
"""Forge Engine's own figures."""


def measure(fight: Fight) -> Iterator[Amount]:
    """Yield how every combatant stands."""
    for one in fight.combatants:
        if one.up:
            yield Amount(STANDING, one.id, 1)
        if one.life is Life.DEAD:
            yield Amount(DEAD, one.id, 1)
        yield Amount(HEALTH, one.id, max(0, one.health))
        yield Amount(ENERGY, one.id, one.expended)


def count(_fight: Fight, event: FightFact) -> Iterator[Amount]:
    """Yield what an event adds."""
    match event:
        case Hurt():
            yield Amount(TAKEN, event.who, event.damage)
            if event.source and event.source != event.who:
                yield Amount(DEALT, event.source, event.damage)
        case Struck():
            yield Amount(ATTACKS, event.who, 1)
            yield Amount(HITS, event.who, int(event.successes > 0))
        case EnergyUsed():
            yield Amount(USED, event.who, event.spent + event.added + event.expended)
        case Healed():
            yield Amount(HEALED, event.who, event.amount)
        case Reacted():
            yield Amount(REACTIONS, event.who, 1)
        case SpellCast():
            yield Amount(SPELLS, event.who, 1)
        case Left():
            yield Amount(FLED, event.who, 1)
