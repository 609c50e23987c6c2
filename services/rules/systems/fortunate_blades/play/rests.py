"""Rests between the encounters of a day, played like those of a table (Taking a Rest)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.simulation.rests import DayRest
from services.rules.systems.fortunate_blades.play.setup import EncounterSetup
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero, Safety, Standing

SOURCE = "Taking a Rest"
RESTS = (
    DayRest(
        key=Safety.RISKY.value,
        name="Risky rest",
        text="Two actions each, such as a story for Fortune or a level of Harm less; before each of them the "
        "game master may call for a roll, which may bring danger.",
        source=SOURCE,
        scene=EncounterSetup(title="A risky rest", clocks=(), rest=Safety.RISKY),
    ),
    DayRest(
        key=Safety.SAFE.value,
        name="Safe rest",
        text="Two actions each, such as a story for Fortune or a level of Harm less.",
        source=SOURCE,
        scene=EncounterSetup(title="A rest", clocks=(), rest=Safety.SAFE),
    ),
)


def opening_after(opening: Encounter, before: Encounter) -> Encounter | None:
    """The opening with those heroes out of it who are out for longer than one encounter.

    Args:
        opening: The next encounter, or a rest before it; its heroes have the condition they are in.
        before: The encounter or rest before, at its end.

    Returns:
        The opening; None where no hero takes part in it.
    """
    standing = {hero.id: hero.standing for hero in before.heroes}
    heroes = tuple(_as_left(hero, standing.get(hero.id, Standing.IN)) for hero in opening.heroes)
    return replace(opening, heroes=heroes) if any(hero.present for hero in heroes) else None


def _as_left(hero: Hero, standing: Standing) -> Hero:
    """A hero of the next encounter; who was out for one encounter only is back, who was to retire is gone."""
    if standing in (Standing.IN, Standing.OUT_OF_ENCOUNTER):
        return hero
    return replace(hero, standing=Standing.RETIRED if standing is Standing.RETIRING else standing)
