"""Energy in a fight: what an action costs, paying for it, regaining it (Energy)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.rules.engine.effects import Duration, Until
from services.rules.engine.explain import Explained, Part
from services.rules.engine.steps import Turn, refuse
from services.rules.systems.forge_engine import conditions
from services.rules.systems.forge_engine.play.effects import conditions_of
from services.rules.systems.forge_engine.play.facts import (
    BonusGained,
    EnergyLost,
    EnergyRegained,
    EnergyUsed,
    FightFact,
)
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.world import Condition

FightTurn = Turn[Fight, FightFact]
"""The turn that the rules of a fight work with."""

ENERGY = "Energy / Using Energy"
EXPENDED = "Energy / Expending Energy [R-110]"
ALL_EXPENDED = "Energy / Expending All Energy"


def surcharges(fight: Fight, one: Combatant) -> Iterator[Part]:
    """Further energy of each action and reaction: armour without training, conditions (R-121)."""
    if one.profile.action_energy:
        yield Part(one.profile.action_energy, "armor without training", "Equipment / Armor")
    yield from conditions.action_energy(conditions_of(fight, one.id))


def cost_of(fight: Fight, one: Combatant, *parts: Part) -> Explained:
    """What an action or reaction costs in all."""
    return Explained.of(*(part for part in parts if part.value), *surcharges(fight, one))


def affords(one: Combatant, energy: int, expend: int = 0) -> bool:
    """Whether there is enough energy; what is expended must be ordinary energy (R-110)."""
    return expend <= one.energy and energy + expend <= one.usable


def check_energy(one: Combatant, energy: int, expend: int = 0) -> None:
    """Refuses an action that cannot be paid for."""
    if expend > one.energy:
        text = "Only energy of the pool is expended, and there is too little; bonus energy does not count."
        refuse("energy_not_expendable", text, EXPENDED, ("actor",), one.energy, expend)
    if not affords(one, energy, expend):
        refuse("energy_short", "There is too little energy.", ENERGY, ("actor",), one.usable, energy + expend)


def pay(
    turn: FightTurn,
    who: str,
    what: str,
    cost: Explained,
    *,
    added: int = 0,
    expended: int = 0,
    power: str = "",
) -> None:
    """Takes the energy of an action or reaction out of the pool.

    Args:
        turn: The turn.
        who: Who pays.
        what: What for.
        cost: All of it but what is expended, the energy added among it.
        added: What of it goes into a dice pool.
        expended: What is expended beside it.
        power: Content id of the skill or spell that it is for; empty for none.
    """
    if cost.value or expended:
        spent = cost.value - added
        turn.happen(EnergyUsed(who=who, what=what, spent=spent, added=added, expended=expended, power=power))


def starting_energy(fight: Fight, one: Combatant, *, surprised: bool) -> tuple[int, int]:
    """Energy and bonus energy that a combatant begins a fight with (D2, R-44).

    The surprised have that of their two highest attributes; conditions bear on it as when it is regained.
    """
    borne = conditions_of(fight, one.id)
    energy = regained(one, borne)
    if surprised:
        two = one.profile.attributes.highest(2)
        energy = min(energy, sum(one.profile.attributes.of(attribute) for attribute in two))
    bonus = conditions.bonus_energy(one.profile.attributes, borne)
    return max(0, min(energy, one.profile.energy - one.expended)), bonus.value


def regained(one: Combatant, borne: Sequence[Condition]) -> int:
    """Energy that comes back under conditions: all of the maximum, which blocks print, or what they leave."""
    if all(condition.regained is None for condition in borne):
        return one.profile.energy
    return conditions.regained_energy(one.profile.attributes, borne).value


def regain(turn: FightTurn, who: str) -> None:
    """Energy comes back at the start of a turn; never to those who are out (D3, D5)."""
    one = turn.state.find(who)
    borne = conditions_of(turn.state, who)
    poison = sum(condition.expend for condition in borne)
    if poison and one.life is not Life.DEAD:
        turn.happen(EnergyLost(who=who, expended=poison, what="poison"))
        one = turn.state.find(who)
    if not one.up:
        return
    gained = regained(one, borne)
    bonus = conditions.bonus_energy(one.profile.attributes, borne).value
    pool = max(0, min(one.energy + gained, one.profile.energy - one.expended))
    lost = one.energy + gained - pool
    turn.happen(EnergyRegained(who=who, pool=pool, gained=gained, bonus=bonus, lost=lost))


def gain_bonus(turn: FightTurn, who: str, amount: int, what: str, *, next_turn: bool) -> None:
    """Bonus energy, for the rest of the fight or until the end of the next turn (D4)."""
    if amount <= 0:
        return
    one = turn.state.find(who)
    # Before the first turn the next one to end is the first; a turn that goes on does not count.
    lasts = Duration(Until.TURNS, who, 1, one.started) if next_turn else Duration()
    turn.happen(BonusGained(who=who, amount=amount, lasts=lasts, what=what))
