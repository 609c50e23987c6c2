"""The realm as a game is played on it: dice to places and ways, and back to the map's own document.

Book: Creating the Map of the Realm, Explore Ruins. The rules of the map are those of `realm`; here its places
get names and dangers, and its numbers change in play.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from services.rules.engine.frozen import replace
from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn.catalog import Catalog, Danger
from services.rules.systems.forgeborn.drop import (
    DROPPED_DICE,
    DroppedDie,
    Landing,
    RealmSettings,
    Sheet,
    landing,
)
from services.rules.systems.forgeborn.geometry import Point
from services.rules.systems.forgeborn.links import Link
from services.rules.systems.forgeborn.play.state import Ground, Spot, Way
from services.rules.systems.forgeborn.realm import (
    CITADEL_ID,
    CITY_ID,
    FOREST_ID,
    LAIR_ID,
    Place,
    PlaceKind,
    Realm,
    add_ruin,
    derive,
)

FIRST_DICE = sum(DROPPED_DICE.values())
"""Dice of a new realm; those after them are Ruins found in play."""

STRIPS = 1_000
"""A position is two dice with so many sides: the sheet inside its margin has as many strips each way."""

SPARE_POSITIONS = 10
"""Positions thrown beyond those of the dice, for dice that land where none may lie."""

SPARE_FOR_RUIN = 4

OWN_NAMES = {
    CITADEL_ID: "the Citadel of the Forge",
    CITY_ID: "the City of the Prince",
    LAIR_ID: "the Dragon's Lair",
    FOREST_ID: "the Forest",
}


def sizes_left(dice: Sequence[DroppedDie]) -> tuple[int, ...]:
    """The sides of the dice that a realm still lacks, in the order in which they are dropped (B1)."""
    lacking: list[int] = []
    for sides, count in DROPPED_DICE.items():
        lacking += [sides] * (count - sum(die.sides == sides for die in dice[:FIRST_DICE]))
    return tuple(lacking)


def spot_on_sheet(ground: Ground, across: int, down: int) -> Point:
    """Where a die lies by two faces of `STRIPS`: in the middle of its strips, inside the margin (B2)."""
    margin = ground.rules.margin

    def along(face: int, length: int) -> int:
        return margin + (2 * face - 1) * (length - 2 * margin) // (2 * STRIPS)

    return Point(along(across, ground.width), along(down, ground.height))


def landed(
    ground: Ground, thrown: Sequence[tuple[int, int]], positions: Sequence[int]
) -> tuple[DroppedDie, ...]:
    """The dice that come to rest where they may (B2), each at the first of the positions left that is legal.

    Args:
        ground: The sheet with the dice that lie on it.
        thrown: Sides and face of each die, in the order of dropping.
        positions: Faces of the position dice, two for each position.

    Returns:
        Those that found a place; fewer than were thrown where the positions ran out.
    """
    sheet = Sheet(ground.width, ground.height)
    placed = [die.at for die in ground.dice]
    found: list[DroppedDie] = []
    spots = iter(zip(positions[::2], positions[1::2], strict=True))
    for sides, face in thrown:
        for across, down in spots:
            at = spot_on_sheet(ground, across, down)
            if landing(sheet, ground.rules, placed, at) is Landing.ACCEPTED:
                placed.append(at)
                found.append(DroppedDie(sides, face, at))
                break
    return tuple(found)


@lru_cache(maxsize=256)
def _drawn(dice: tuple[DroppedDie, ...], sheet: Sheet, rules: RealmSettings) -> Realm | Problems:
    """The realm of some dice, later Ruins one by one."""
    if len(dice) <= FIRST_DICE:
        return derive(dice, sheet, rules)
    before = _drawn(dice[:-1], sheet, rules)
    return before if isinstance(before, Problems) else add_ruin(before, dice[-1])


def drawn(ground: Ground) -> Realm:
    """The realm of a ground whose dice are all there, places as they first were.

    Raises:
        ValueError: They are no legal drop.
    """
    realm = _drawn(ground.dice, Sheet(ground.width, ground.height), ground.rules)
    if isinstance(realm, Problems):
        raise ValueError(str(realm))
    return realm


def realm_of(ground: Ground) -> Realm:
    """The realm as it is now: Ruins spent, Villages with the problems they have, names as they are."""
    realm = drawn(ground)
    now = {spot.id: spot for spot in ground.spots}

    def place(one: Place) -> Place:
        spot = now[one.id]
        return replace(one, power=spot.power, spent=spot.spent, name=spot.name)

    return replace(realm, places=tuple(place(one) for one in realm.places))


def settled(
    ground: Ground,
    catalog: Catalog,
    *,
    spent: Collection[str] = (),
    powers: Mapping[str, int] | None = None,
    names: Mapping[str, str] | None = None,
) -> Ground:
    """A ground whose dice all lie, with its places and ways.

    Args:
        ground: The sheet and its dice.
        catalog: Where names and dangers come from.
        spent: Ids of Ruins that were explored before the game.
        powers: Powers that are not those of the dice.
        names: Names of places; what is missing gets one of the book's.
    """
    realm = drawn(ground)
    spots: list[Spot] = []
    for place in realm.places:
        power = None if place.id in spent else (powers or {}).get(place.id, place.power)
        taken = {*(names or {}).values(), *(spot.name for spot in spots)}
        name = (names or {}).get(place.id) or name_of(place, catalog, taken)
        used = {spot.danger for spot in spots}
        danger = "" if place.id in spent else danger_of(place, catalog, used)
        spots.append(
            Spot(
                id=place.id,
                kind=place.kind,
                name=name,
                at=place.at,
                power=power,
                spent=place.id in spent,
                danger=danger,
            )
        )
    return replace(ground, spots=tuple(spots), ways=tuple(way_of(link) for link in realm.links))


def way_of(link: Link) -> Way:
    """A link as a way of the game."""
    return Way(start=link.start.id, end=link.end.id, kind=link.kind)


def grown(ground: Ground, die: DroppedDie, catalog: Catalog) -> tuple[str, str, str]:
    """The Ruin that a die makes: its id, its name, and the id of the place at the end of its Trail (C11).

    Raises:
        ValueError: The die lies where none may.
    """
    after = drawn(replace(ground, dice=(*ground.dice, die)))
    place, way = after.places[-1], way_of(after.links[-1])
    name = name_of(place, catalog, {spot.name for spot in ground.spots})
    return place.id, name, way.other(place.id)


def _mark(at: Point) -> int:
    """A number that a position stands for, so that chance which laid it there names it too."""
    return at.x * 7_919 + at.y * 104_729


def name_of(place: Place, catalog: Catalog, taken: Collection[str]) -> str:
    """A name for a place that has none: Villages and Ruins bear one of the book's (J3)."""
    if place.id in OWN_NAMES:
        return OWN_NAMES[place.id]
    words = catalog.words.names
    start = _mark(place.at) % len(words)
    for step in range(len(words)):
        word = words[(start + step) % len(words)]
        name = f"the Ruins of {word}" if place.kind is PlaceKind.RUIN else word
        if name not in taken:
            return name
    return f"the Ruins of {place.id}" if place.kind is PlaceKind.RUIN else place.id.capitalize()


def danger_of(place: Place, catalog: Catalog, used: Collection[str]) -> str:
    """What guards a Ruin or troubles a Village when a game begins (J1, J2)."""
    match place.kind:
        case PlaceKind.RUIN:
            shelf = tuple(catalog.guardians)
        case PlaceKind.VILLAGE:
            shelf = tuple(catalog.threats)
        case _:
            return ""
    start = _mark(place.at) // 7 % len(shelf)
    words = [danger_text(shelf[(start + step) % len(shelf)]) for step in range(len(shelf))]
    return next((text for text in words if text not in used), words[0])


def danger_text(danger: Danger) -> str:
    """A danger in a line."""
    return f"{danger.name[:1].upper()}{danger.name[1:]}. {danger.text}"
