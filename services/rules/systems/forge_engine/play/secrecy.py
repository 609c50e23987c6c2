"""Who may know of whom: hidden combatants are known to their own side, those in the fog of a map to who sees
them, and all to the game master.
"""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.ground.explored import Explored, as_known, looked, makes_out
from services.rules.engine.ground.fog import line_between, unlocked
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience
from services.rules.systems.forge_engine.play.state import Combatant, Fight


def known_to(fight: Fight, who: str) -> Audience | None:
    """Who may know of a combatant: everyone, where it hides from nobody; None where there is none."""
    one = fight.get(who)
    if one is None:
        return None
    if one.secret:
        return Audience(False, tuple(each.id for each in fight.combatants if each.side == one.side))
    return EVERYONE if fight.explored is None else _seeing(fight, fight.explored, one)


def _seeing(fight: Fight, explored: Explored, one: Combatant) -> Audience:
    """Who sees a combatant in the open under fog: the players of those who make it out."""
    party = fight.party()
    if one in party:
        return EVERYONE
    seeing = tuple(each for each in party if fight.makes_out(each, one))
    if any(explored.shared or not each.character for each in seeing):
        return EVERYONE
    return Audience(False, tuple(each.id for each in seeing)) if seeing else GM_ONLY


def known_ground(fight: Fight, heroes: frozenset[str]) -> Fight:
    """The fight with the grid as the players of these heroes know it; it counts as one without fog."""
    if fight.ground is None:
        return fight
    if fight.explored is None:
        return replace(fight, ground=unlocked(fight.ground))
    return replace(fight, ground=as_known(fight.ground, fight.explored.known(heroes)), explored=None)


def looked_around(fight: Fight) -> Fight:
    """The fight with all that the party sees from where it stands among what is known, under fog."""
    explored, ground, party = fight.explored, fight.ground, fight.party()
    if explored is None or ground is None:
        return fight
    for eye in party:
        if eye.at is None or eye.gone is not None:
            continue
        cells = looked(ground, eye.footprint())
        for other in fight.combatants:
            if (
                other.at is not None
                and other not in party
                and makes_out(ground, eye.footprint(), other.footprint())
            ):
                cells |= line_between(ground, eye.at, other.at)
        explored = explored.seen(eye.id if eye.character else "", cells)
    return fight if explored is fight.explored else replace(fight, explored=explored)
