"""The party's advantages at work on rolls: its renown, where it is at home, its people (L1 to L9)."""

from __future__ import annotations

from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.play.state import Encounter
from services.rules.systems.fortunate_blades.terms import Topic
from services.rules.systems.fortunate_blades.world import Advantage


def advantages_of(state: Encounter, catalog: Catalog) -> tuple[Advantage, ...]:
    """The party's advantages."""
    return tuple(catalog.advantages[each] for each in state.advantages if each in catalog.advantages)


def topics_of(state: Encounter, catalog: Catalog) -> tuple[Topic, ...]:
    """What a roll may be about to be Lucky."""
    found = {topic for each in advantages_of(state, catalog) for topic in each.topics}
    return tuple(topic for topic in Topic if topic in found)


def at_home(state: Encounter, catalog: Catalog) -> bool:
    """Whether rolls here may have one level more of Effect in place of being Lucky."""
    return any(each.effect for each in _here(state, catalog))


def lucky_here(state: Encounter, catalog: Catalog, *, effect: bool) -> bool:
    """Whether the place makes a roll Lucky.

    Args:
        state: The encounter.
        catalog: The content.
        effect: Whether the player takes one level more of Effect, where that is to be had.
    """
    return any(each.local and not (effect and each.effect) for each in _here(state, catalog))


def followers(state: Encounter, catalog: Catalog) -> Advantage | None:
    """The party's people; None where it has none with it."""
    return next((each for each in advantages_of(state, catalog) if each.people), None)


def _here(state: Encounter, catalog: Catalog) -> tuple[Advantage, ...]:
    return tuple(each for each in advantages_of(state, catalog) if each.id in state.here)
