"""Who may know of whom: hidden combatants are known to their own side, and to the game master."""

from __future__ import annotations

from services.rules.engine.play import EVERYONE, Audience
from services.rules.systems.forge_engine.play.state import Fight


def known_to(fight: Fight, who: str) -> Audience | None:
    """Who may know of a combatant: everyone, where it hides from nobody; None where there is none."""
    one = fight.get(who)
    if one is None:
        return None
    if not one.secret:
        return EVERYONE
    return Audience(False, tuple(each.id for each in fight.combatants if each.side == one.side))
