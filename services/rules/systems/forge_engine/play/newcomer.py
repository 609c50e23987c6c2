"""A combatant as it enters a scene."""

from __future__ import annotations

from services.rules.systems.forge_engine.choices import Place
from services.rules.systems.forge_engine.play.state import Combatant, Loaded
from services.rules.systems.forge_engine.profile import Profile


def newcomer(who: str, name: str, side: str, profile: Profile) -> Combatant:
    """A combatant with full energy, health and weapons, as its profile has them."""
    held = [weapon.id for weapon in profile.weapons if not weapon.natural and weapon.place in IN_HAND]
    held += [shield.item for shield in profile.shields if shield.place in IN_HAND]
    loads = tuple(
        Loaded(each.id, each.holds if each.loaded is None else each.loaded, each.ammunition)
        for each in profile.weapons
        if each.holds is not None
    )
    return Combatant(
        id=who,
        name=name,
        side=side,
        profile=profile,
        energy=profile.energy,
        health=profile.health,
        held=tuple(held),
        loads=loads,
    )


IN_HAND = (Place.WIELDED, Place.OFF_HAND)
