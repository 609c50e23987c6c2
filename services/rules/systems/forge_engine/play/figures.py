"""What simulations measure of Forge Engine's fights: who stands, health, energy, and what attacks did."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.content import slug_of
from services.rules.engine.problem import Problems
from services.rules.engine.simulation.figures import Amount, Figure, FigureKind, Power
from services.rules.engine.simulation.grades import DangerGrade
from services.rules.systems.forge_engine.encounters import RULE as ENCOUNTERS
from services.rules.systems.forge_engine.encounters import weigh
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.effects import rules
from services.rules.systems.forge_engine.play.facts import (
    Attacked,
    EffectBegan,
    EnergyUsed,
    FightFact,
    Healed,
    Hurt,
    Left,
    Reacted,
    SkillUsed,
    SpellCast,
    Struck,
)
from services.rules.systems.forge_engine.play.rules.bonuses import martial
from services.rules.systems.forge_engine.play.rules.exertions import FIRST_STRIKE, HARD_TO_KILL
from services.rules.systems.forge_engine.play.rules.followups import PASSING, PRESSING
from services.rules.systems.forge_engine.play.rules.minor import QUICK_LOAD
from services.rules.systems.forge_engine.play.rules.rounds import VENOM
from services.rules.systems.forge_engine.play.state import Fight, Life

STANDING, HEALTH, DEAD, ENERGY, FLED = "standing", "health", "dead", "expended", "fled"
DEALT, TAKEN, HITS, ATTACKS, HEALED = "dealt", "taken", "hits", "attacks", "healed"
USED, REACTIONS, SPELLS = "energy_used", "reactions", "spells"
SHOTS, EXPLOSIVES = "shots", "explosives"
BY_USES, BY_ENERGY, BY_DAMAGE, BY_HEALING, BY_CONDITIONS = (
    "power_uses",
    "power_energy",
    "power_damage",
    "power_healing",
    "power_conditions",
)

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
    Figure(
        key=SHOTS,
        name="Ammunition used",
        unit="shots",
        text="Shots of weapons that hold ammunition.",
    ),
    Figure(
        key=EXPLOSIVES,
        name="Explosives used",
        unit="explosives",
        text="Explosives of its own that it threw, which are gone.",
    ),
    Figure(
        key=BY_USES,
        name="Uses",
        unit="uses",
        text="How often the skill, spell or trait was used; a weapon's skill in its plain attacks.",
        by_power=True,
    ),
    Figure(key=BY_ENERGY, name="Energy", unit="energy", text="Energy that its uses took.", by_power=True),
    Figure(
        key=BY_DAMAGE,
        name="Damage",
        unit="health",
        text="Damage that others took by its attacks; dice that it adds to another's are that other's.",
        by_power=True,
    ),
    Figure(key=BY_HEALING, name="Healing", unit="health", text="Health recovered by it.", by_power=True),
    Figure(
        key=BY_CONDITIONS,
        name="Conditions",
        unit="conditions",
        text="How often it laid a condition on somebody.",
        by_power=True,
    ),
)
"""Forge Engine's own figures."""


UNPAID = (FIRST_STRIKE, HARD_TO_KILL, PASSING, PRESSING, QUICK_LOAD)
"""Skills that take no energy of their own."""


def powers(fight: Fight) -> Iterator[Power]:
    """Yield the skills and spells of every combatant, and the traits that lay conditions."""
    catalog = fight.catalog
    for one in fight.combatants:
        for skill in (each.skill for each in one.profile.skills):
            entry = catalog.martial.get(skill) or catalog.spells.get(skill)
            if entry is not None:
                yield Power(one.id, skill, entry.name)
        if any(catalog.traits[each].venom for each in one.profile.traits if each in catalog.traits):
            yield Power(one.id, VENOM, catalog.traits[VENOM].name)


def _by_power(figure: str, actor: str, value: int, power: str) -> Iterator[Amount]:
    if actor and power:
        yield Amount(figure, actor, value, power)


def _used_up(fight: Fight, event: Attacked) -> Iterator[Amount]:
    """Yield the ammunition and the explosives that an attack takes."""
    one = fight.find(event.who)
    yield Amount(SHOTS, one.id, min(event.shots, one.shots(event.weapon) or 0))
    weapon = next((each for each in one.profile.weapons if each.id == event.weapon), None)
    if event.thrown and weapon is not None and weapon.kind is EquipmentKind.EXPLOSIVE:
        yield Amount(EXPLOSIVES, one.id, 1)


def danger(fight: Fight) -> DangerGrade | None:
    """Return how hard the book calls a fight, by the energy of the characters' sides and of all others; None
    where either has nobody.
    """
    ours = {one.side for one in fight.combatants if one.character}
    fighting = [one for one in fight.combatants if not one.vehicle]
    found = weigh(
        fight.catalog.settings,
        [one.profile.energy for one in fighting if one.side in ours],
        [one.profile.energy for one in fighting if one.side not in ours],
    )
    if isinstance(found, Problems):
        return None
    grade = found.difficulty.value
    text = f"Energy of the adversaries {found.adversaries}, of the characters' side {found.characters}."
    return DangerGrade(key=grade, name=grade.capitalize(), text=text, source=ENCOUNTERS)


def measure(fight: Fight) -> Iterator[Amount]:
    """Yield how every combatant stands."""
    for one in fight.combatants:
        if one.up:
            yield Amount(STANDING, one.id, 1)
        if one.life is Life.DEAD:
            yield Amount(DEAD, one.id, 1)
        yield Amount(HEALTH, one.id, max(0, one.health))
        yield Amount(ENERGY, one.id, one.expended)


def count(fight: Fight, event: FightFact) -> Iterator[Amount]:
    """Yield what an event adds."""
    match event:
        case Hurt():
            yield Amount(TAKEN, event.who, event.damage)
            if event.source and event.source != event.who:
                yield Amount(DEALT, event.source, event.damage)
                yield from _by_power(BY_DAMAGE, event.source, event.damage, event.cause)
        case Struck():
            yield Amount(ATTACKS, event.who, 1)
            yield Amount(HITS, event.who, int(event.successes > 0))
        case EnergyUsed():
            yield Amount(USED, event.who, event.spent + event.added + event.expended)
            yield from _by_power(BY_USES, event.who, 1, event.power)
            yield from _by_power(
                BY_ENERGY, event.who, event.spent + event.added + event.expended, event.power
            )
        case SkillUsed() if event.skill in UNPAID:
            yield from _by_power(BY_USES, event.who, 1, event.skill)
        case EffectBegan(effect=effect) if effect.kind in fight.catalog.conditions:
            yield from _by_power(BY_CONDITIONS, effect.source, 1, effect.cause)
        case EffectBegan(effect=effect) if "stance" in rules(fight.catalog)[effect.kind].tags:
            yield Amount(BY_USES, effect.bearer, 1, martial(slug_of(effect.kind)))
        case Healed():
            yield Amount(HEALED, event.who, event.amount)
            yield from _by_power(BY_HEALING, event.source, event.amount, event.cause)
        case Reacted():
            yield Amount(REACTIONS, event.who, 1)
        case SpellCast():
            yield Amount(SPELLS, event.who, 1)
        case Attacked():
            yield from _used_up(fight, event)
        case Left():
            yield Amount(FLED, event.who, 1)
