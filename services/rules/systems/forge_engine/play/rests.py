"""Rests between the scenes of a day: what stays of wounds and expended energy (Resting).

Nobody is treated meanwhile: who is dying at the end of a scene is dying when the next one begins.
"""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.simulation.rests import DayRest
from services.rules.systems.forge_engine.play.evolve import evolve
from services.rules.systems.forge_engine.play.moves import RestKind
from services.rules.systems.forge_engine.play.rules.treatment import rest_of
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life

RESTS = (
    DayRest(
        key=RestKind.SHORT.value,
        name="Short rest",
        text="30 minutes: health by Stamina and size, and expended energy equal to Stamina; the unconscious "
        "come to, with 1 health.",
        source="Resting / Short Rest",
    ),
    DayRest(
        key=RestKind.LONG.value,
        name="Long rest",
        text="8 hours, once a day: all health and all expended energy.",
        source="Resting / Long Rest",
        most=1,
    ),
)


def opening_after(opening: Fight, before: Fight, rest: str | None) -> Fight:
    """The opening with its characters as the scene before and the rest leave them.

    Args:
        opening: The next scene.
        before: The scene before, at its end.
        rest: Key of the rest in between; None for none, which restores nothing.
    """
    fallen = {one.id for one in before.combatants if one.life is Life.DEAD}
    for one in before.combatants if rest is not None else ():
        if one.character and one.id not in fallen:
            before = evolve(before, rest_of(before, one.id, RestKind(rest)))
    return replace(opening, combatants=tuple(_as_left(one, before.get(one.id)) for one in opening.combatants))


def _as_left(one: Combatant, left: Combatant | None) -> Combatant:
    """A character of the next scene with health and expended energy of the last one, up to its maximum."""
    if left is None or not one.character:
        return one
    expended = min(left.expended, one.profile.energy)
    return replace(
        one,
        health=min(left.health, one.profile.health),
        dead=left.dead,
        stable=left.stable,
        expended=expended,
        fainted=left.fainted or expended >= one.profile.energy,
        energy=one.profile.energy - expended,
    )
