"""The realm: everything the fifteen dice make, and what changes when a Ruin is explored.

Book: Creating the Map of the Realm, Explore Ruins. `derive` runs the rules of `features` and `links` in the
book's order; `add_ruin` and `spend_ruin` are the only later changes of geography.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn.drop import DroppedDie, RealmSettings, Sheet, check_drop
from services.rules.systems.forgeborn.features import (
    CITY_POWER,
    ForestPatch,
    city_index,
    dragon_power,
    forest_patches,
    largest_patch,
    mountain_range,
    mountains_and_forests,
)
from services.rules.systems.forgeborn.geometry import Point, Polyline
from services.rules.systems.forgeborn.links import (
    Link,
    Site,
    forest_trail,
    settlement_links,
    trail_to_nearest,
)

LAIR_ID = "lair"
CITADEL_ID = "citadel"
CITY_ID = "city"
FOREST_ID = "forest"


class PlaceKind(StrEnum):
    """What a place is.

    Attributes:
        LAIR: Where the Dragon lives: the d12.
        CITADEL: The Citadel: the d10.
        CITY: The City of the Prince: one of the d8.
        VILLAGE: A settlement: a d4.
        RUIN: A place to be explored, once: any other d8, or one that came up in play.
        FOREST: The largest forest, out of the d6.
    """

    LAIR = "lair"
    CITADEL = "citadel"
    CITY = "city"
    VILLAGE = "village"
    RUIN = "ruin"
    FOREST = "forest"


SETTLEMENT_KINDS = (PlaceKind.CITADEL, PlaceKind.CITY, PlaceKind.VILLAGE)
"""Ruling P5: the City, the Citadel and the Villages are the settlements."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place a Smith or Heroine can stand on.

    Attributes:
        id: `citadel`, `city`, `village-1` to `village-4`, `lair`, `ruin-1` and up, `forest`.
        kind: What it is.
        power: Power of its Conflict; none for the Forest and for a spent Ruin, whose number is erased.
        at: Its position; the Forest's is the point of the largest patch its Trail leaves from.
        name: A name for people; empty until the table or a generator gives one.
        spent: Whether it is a Ruin that was explored.
    """

    id: str
    kind: PlaceKind
    power: int | None
    at: Point
    name: str = ""
    spent: bool = False

    @property
    def site(self) -> Site:
        """The place as an end of a link."""
        return Site(self.id, self.at)


@dataclass(frozen=True, slots=True)
class Realm:
    """A map of the realm (C12).

    Attributes:
        sheet: The sheet the dice fell on.
        settings: The table's settings.
        dice: Every die that made the map in drop order, Ruins found later at the end.
        places: Citadel, City, Villages, Lair, the Ruins in the order they appeared; the Forest stands before
            the Ruins found in play.
        range: The mountain range in path order; empty without mountains, one point for a single peak.
        patches: The forest patches in the order of their first dropped dice.
        largest: Index of the patch that is the Forest as a place.
        links: Roads and Trails in the order they were drawn.
    """

    sheet: Sheet
    settings: RealmSettings
    dice: tuple[DroppedDie, ...]
    places: tuple[Place, ...]
    range: Polyline
    patches: tuple[ForestPatch, ...]
    largest: int
    links: tuple[Link, ...]

    @property
    def ranges(self) -> tuple[Polyline, ...]:
        """The range as lines that block: none when there are fewer than two peaks (B11)."""
        return (self.range,) if len(self.range) > 1 else ()

    def place(self, place_id: str) -> Place:
        """The place of this id.

        Raises:
            KeyError: There is none.
        """
        for place in self.places:
            if place.id == place_id:
                return place
        raise KeyError(place_id)

    def of_kind(self, *kinds: PlaceKind) -> tuple[Place, ...]:
        """The places of these kinds, in their order."""
        return tuple(place for place in self.places if place.kind in kinds)


def derive(
    dice: Sequence[DroppedDie], sheet: Sheet | None = None, settings: RealmSettings | None = None
) -> Realm | Problems:
    """Makes the realm of a drop, or names everything that keeps it from being one.

    Args:
        dice: The fifteen dice of rule B1; among dice of one size the order is the order of dropping.
        sheet: The sheet; 120 by 90 units when absent.
        settings: The table's settings; the rulings when absent.
    """
    sheet, settings = sheet or Sheet(), settings or RealmSettings()
    problems = check_drop(dice, sheet, settings)
    if problems:
        return Problems(problems)
    d4, d6, d8, d10, d12 = ([die for die in dice if die.sides == sides] for sides in (4, 6, 8, 10, 12))

    city = city_index([die.face for die in d8], [die.at for die in d8], sheet)
    settlements = [
        Place(CITADEL_ID, PlaceKind.CITADEL, d10[0].face, d10[0].at),
        Place(CITY_ID, PlaceKind.CITY, CITY_POWER, d8[city].at),
        *(Place(f"village-{n}", PlaceKind.VILLAGE, die.face, die.at) for n, die in enumerate(d4, 1)),
    ]
    lair = Place(LAIR_ID, PlaceKind.LAIR, dragon_power(d12[0].face, settings), d12[0].at)
    ruins = [
        Place(f"ruin-{n}", PlaceKind.RUIN, die.face, die.at)
        for n, die in enumerate((die for i, die in enumerate(d8) if i != city), 1)
    ]
    mountains, forests = mountains_and_forests([die.face for die in d6], [die.at for die in d6], sheet)
    line = mountain_range([d6[i].at for i in mountains])
    ranges = (line,)
    patches = forest_patches([d6[i].at for i in forests], ranges)
    largest = largest_patch(patches)

    sites = [place.site for place in settlements]
    villages_and_ruins = [
        p.site for p in (*settlements, *ruins) if p.kind in (PlaceKind.VILLAGE, PlaceKind.RUIN)
    ]
    to_forest = forest_trail(FOREST_ID, patches[largest].points, villages_and_ruins, ranges)
    links = (
        *settlement_links(sites, ranges),
        *(trail_to_nearest(place.site, sites, ranges, sheet, settings) for place in (lair, *ruins)),
        to_forest,
    )
    forest = Place(FOREST_ID, PlaceKind.FOREST, None, to_forest.start.at)
    places = (*settlements, lair, *ruins, forest)
    return Realm(sheet, settings, tuple(dice), places, line, patches, largest, links)


def add_ruin(realm: Realm, die: DroppedDie) -> Realm | Problems:
    """Adds the Ruin found when another was explored (C11); everything older stays as it is.

    Its Power is the d8's face; one Trail leads to the nearest settlement or Ruin already there, spent ones
    included, never to Lair or Forest. Ruling P9: the drop and range rules are those of the first Ruins.

    Args:
        realm: The realm so far.
        die: The d8, dropped by the same rules as the first fifteen dice.
    """
    checked = check_drop((*realm.dice, die), realm.sheet, realm.settings, _sizes_with_one_more_d8(realm))
    if checked:
        return Problems(checked)
    ruin = Place(f"ruin-{len(realm.of_kind(PlaceKind.RUIN)) + 1}", PlaceKind.RUIN, die.face, die.at)
    targets = [place.site for place in realm.of_kind(*SETTLEMENT_KINDS, PlaceKind.RUIN)]
    trail = trail_to_nearest(ruin.site, targets, realm.ranges, realm.sheet, realm.settings)
    return replace(realm, dice=(*realm.dice, die), places=(*realm.places, ruin), links=(*realm.links, trail))


def _sizes_with_one_more_d8(realm: Realm) -> dict[int, int]:
    sizes = {sides: sum(die.sides == sides for die in realm.dice) for sides in (4, 6, 8, 10, 12)}
    return sizes | {8: sizes[8] + 1}


def spend_ruin(realm: Realm, ruin_id: str) -> Realm:
    """Erases the number of an explored Ruin (F17): it stays a place to travel to, nothing else.

    Raises:
        KeyError: There is no such place.
        ValueError: It is not a Ruin, or is spent already.
    """
    ruin = realm.place(ruin_id)
    if ruin.kind is not PlaceKind.RUIN or ruin.spent:
        raise ValueError(f"{ruin_id} is not an unspent Ruin")
    spent = replace(ruin, power=None, spent=True)
    return replace(realm, places=tuple(spent if place is ruin else place for place in realm.places))


def with_names(realm: Realm, names: Mapping[str, str]) -> Realm:
    """Names places; places not mentioned keep theirs."""
    return replace(
        realm,
        places=tuple(replace(place, name=names.get(place.id, place.name)) for place in realm.places),
    )
