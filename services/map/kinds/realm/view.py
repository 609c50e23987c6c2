"""A realm as clients read it: as in the map file, with positions in units of the sheet."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.map.kinds.realm.model import Corner
from services.rules.systems.forgeborn import LinkKind, PlaceKind


@dataclass(frozen=True, slots=True)
class ForgebornPosition:
    """A position on the sheet.

    Attributes:
        x: Units east of the north-west corner, with at most three decimals.
        y: Units south of it.
    """

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ForgebornDie:
    """A dropped die.

    Attributes:
        sides: How many sides it has.
        face: What it shows.
        at: Where it lies.
    """

    sides: int
    face: int
    at: ForgebornPosition


@dataclass(frozen=True, slots=True)
class ForgebornPlace:
    """A place of a realm.

    Attributes:
        id: `citadel`, `city`, `village-1`, `lair`, `ruin-1`, `forest`, ...
        kind: What it is.
        name: For people.
        power: Power of its Conflict; none for the Forest and for a spent Ruin.
        spent: Whether it is a Ruin that was explored.
        at: Where it lies.
    """

    id: str
    kind: PlaceKind
    name: str
    power: int | None
    spent: bool
    at: ForgebornPosition


@dataclass(frozen=True, slots=True)
class ForgebornLink:
    """A Road or Trail between two places, for both directions.

    Attributes:
        start: Id of the place it was drawn from.
        end: Id of the place it was drawn to.
        kind: Road or Trail.
        forced: Whether no line kept the rules and the shortest was taken all the same.
        crosses_range: Whether it crosses the mountain range.
        line: Its two ends.
    """

    start: str
    end: str
    kind: LinkKind
    forced: bool
    crosses_range: bool
    line: tuple[ForgebornPosition, ...]


@dataclass(frozen=True, slots=True)
class ForgebornLine:
    """Positions joined in their order.

    Attributes:
        points: The positions.
    """

    points: tuple[ForgebornPosition, ...]


@dataclass(frozen=True, slots=True)
class ForgebornRange:
    """The mountain range.

    Attributes:
        name: For people; empty when there are no mountains.
        points: Its peaks in the order of the range; one alone blocks no way.
    """

    name: str
    points: tuple[ForgebornPosition, ...]


@dataclass(frozen=True, slots=True)
class ForgebornForest:
    """A patch of forest.

    Attributes:
        largest: Whether it is the Forest as a place.
        points: Where its dice fell.
        lines: The lines it is drawn along; none for a single point.
    """

    largest: bool
    points: tuple[ForgebornPosition, ...]
    lines: tuple[ForgebornLine, ...]


@dataclass(frozen=True, slots=True)
class ForgebornRealm:
    """A realm of Forgeborn.

    Attributes:
        title: Its name.
        width: Width of the sheet in units; a die is 4 wide.
        height: Height of the sheet in units.
        compass: The corner of the compass rose.
        given_dice: Whether the dice were dropped by people instead of drawn from the seed.
        dice: The dice it was made from, in drop order.
        places: Its places.
        range: Its mountain range.
        forests: Its forest patches.
        links: Its Roads and Trails.
    """

    title: str
    width: float
    height: float
    compass: Corner
    given_dice: bool
    dice: tuple[ForgebornDie, ...]
    places: tuple[ForgebornPlace, ...]
    range: ForgebornRange
    forests: tuple[ForgebornForest, ...]
    links: tuple[ForgebornLink, ...]


def realm_view(data: Mapping[str, Any]) -> ForgebornRealm:
    """Read the view out of a map file's data."""
    return ForgebornRealm(
        title=data["title"],
        width=data["sheet"]["width"],
        height=data["sheet"]["height"],
        compass=Corner(data["compass"]),
        given_dice=data["given_dice"],
        dice=tuple(
            ForgebornDie(die["sides"], die["face"], ForgebornPosition(*die["at"])) for die in data["dice"]
        ),
        places=tuple(
            ForgebornPlace(
                place["id"],
                PlaceKind(place["kind"]),
                place["name"],
                place["power"],
                place["spent"],
                ForgebornPosition(*place["at"]),
            )
            for place in data["places"]
        ),
        range=ForgebornRange(data["range"]["name"], _line(data["range"]["points"])),
        forests=tuple(
            ForgebornForest(
                patch["largest"],
                _line(patch["points"]),
                tuple(ForgebornLine(_line(line)) for line in patch["lines"]),
            )
            for patch in data["forests"]
        ),
        links=tuple(
            ForgebornLink(
                link["from"],
                link["to"],
                LinkKind(link["kind"]),
                link["forced"],
                link["crosses_range"],
                _line(link["line"]),
            )
            for link in data["links"]
        ),
    )


def _line(points: list[list[float]]) -> tuple[ForgebornPosition, ...]:
    return tuple(ForgebornPosition(*point) for point in points)
