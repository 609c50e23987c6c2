"""Who rides what, and who moves when a rider or driver does (Ride Skill; Drive Skill)."""

from __future__ import annotations

from services.rules.engine.effects import Effect
from services.rules.engine.frozen import replace
from services.rules.systems.forge_engine.play.effects import ABOARD, CARRIED
from services.rules.systems.forge_engine.play.state import Combatant, Fight

ALONE: frozenset[str] = frozenset()


def carrying(fight: Fight, who: str) -> Effect | None:
    """The effect by which a mount or vehicle carries a combatant; None on foot.

    A penalty of the saddle without a source names no mount that is on the board.
    """
    return next(
        (each for each in fight.effects if each.bearer == who and each.source and each.kind in CARRIED), None
    )


def carrier_of(fight: Fight, who: str) -> Combatant | None:
    """The mount or vehicle that carries a combatant; None on foot."""
    effect = carrying(fight, who)
    return None if effect is None else fight.get(effect.source)


def carried_by(fight: Fight, carrier: str) -> tuple[Combatant, ...]:
    """All whom a mount or vehicle carries."""
    bearers = [each.bearer for each in fight.effects if each.source == carrier and each.kind in CARRIED]
    return tuple(one for one in fight.combatants if one.id in bearers) if bearers else ()


def guide_of(fight: Fight, carrier: str) -> Combatant | None:
    """The rider of a mount, or the driver of a vehicle, who is up; None without one."""
    for effect in fight.effects:
        if effect.source == carrier and effect.kind in CARRIED and effect.kind != ABOARD:
            guide = fight.get(effect.bearer)
            if guide is not None and guide.up:
                return guide
    return None


def company(fight: Fight, who: str) -> frozenset[str]:
    """Ids of all who share a place with a combatant: its mount or vehicle, and whom that carries."""
    carrier = carrier_of(fight, who)
    first = who if carrier is None else carrier.id
    others = carried_by(fight, first)
    if not others:
        return ALONE
    return frozenset((first, *(one.id for one in others))) - {who}


def payer_of(fight: Fight, one: Combatant) -> Combatant:
    """Whose energy a combatant's movement takes: a mount its own, or its rider's where the table says so."""
    carrier = carrier_of(fight, one.id)
    if carrier is None or carrier.vehicle or fight.catalog.settings.rider_pays:
        return one
    return carrier


def mover_of(fight: Fight, one: Combatant) -> Combatant | None:
    """Who moves when a combatant does: itself, its mount, the vehicle that it drives.

    What moves by the energy of its rider or driver has that energy in what is returned.

    Returns:
        The mover; None for passengers, for mounts that are ridden, and where nothing carries on.
    """
    effect = carrying(fight, one.id)
    if effect is None:
        return None if guide_of(fight, one.id) is not None else one
    mover = fight.get(effect.source)
    if mover is None or effect.kind == ABOARD or not mover.carries:
        return None
    payer = payer_of(fight, one)
    return mover if payer.id == mover.id else replace(mover, energy=payer.energy, bonus=payer.bonus)
