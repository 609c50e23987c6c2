"""The realm as a map file: canonical JSON, and back again without loss.

Canonical means: equal maps give equal bytes. Keys are sorted, there is no white space, positions are in units
with at most three decimals (the rules' own grid, so nothing is rounded), and the seed is a string because
readers in other languages keep only 53 bits of a number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from services.map.generation.kind import MapFileError
from services.map.kinds.realm.model import Corner, RealmMap
from services.rules.systems.forgeborn import (
    DroppedDie,
    ForestPatch,
    Link,
    LinkKind,
    Place,
    PlaceKind,
    Point,
    Polyline,
    Realm,
    RealmSettings,
    Sheet,
    Site,
    steps,
    units,
)

FORMAT = "hearthforge-realm"
FORMAT_VERSION = 1

Data = dict[str, Any]


def _pair(at: Point) -> list[int | float]:
    return [units(at.x), units(at.y)]


def _line(line: Polyline) -> list[list[int | float]]:
    return [_pair(at) for at in line]


def to_canonical(model: RealmMap) -> Data:
    """The map as plain JSON data, positions in units of the sheet."""
    realm = model.realm
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "generator_version": model.generator_version,
        "kind": "realm",
        "seed": str(model.seed),
        "attempt": model.attempt,
        "given_dice": model.given_dice,
        "title": model.title,
        "compass": model.compass.value,
        "sheet": {"width": units(realm.sheet.width), "height": units(realm.sheet.height)},
        "settings": {
            "dragon_minimum": realm.settings.dragon_minimum,
            "too_far_percent": realm.settings.too_far_percent,
            "die_width": units(realm.settings.die_width),
            "margin": units(realm.settings.margin),
        },
        "dice": [{"sides": die.sides, "face": die.face, "at": _pair(die.at)} for die in realm.dice],
        "places": [
            {
                "id": place.id,
                "kind": place.kind.value,
                "name": place.name,
                "power": place.power,
                "spent": place.spent,
                "at": _pair(place.at),
            }
            for place in realm.places
        ],
        "range": {"name": model.range_name, "points": _line(realm.range)},
        "forests": [
            {
                "largest": index == realm.largest,
                "dice": list(patch.dice),
                "points": _line(patch.points),
                "lines": [_line(line) for line in patch.lines],
            }
            for index, patch in enumerate(realm.patches)
        ],
        "links": [
            {
                "from": link.start.id,
                "to": link.end.id,
                "kind": link.kind.value,
                "forced": link.forced,
                "crosses_range": link.crosses_range,
                "line": [_pair(link.start.at), _pair(link.end.at)],
            }
            for link in realm.links
        ],
    }


def canonical_bytes(model: RealmMap) -> bytes:
    """The map file: the same bytes for equal maps, in every process."""
    text = json.dumps(
        to_canonical(model), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def _point(at: Sequence[float]) -> Point:
    x, y = at
    return Point(steps(x), steps(y))


def _polyline(line: Sequence[Sequence[float]]) -> Polyline:
    return tuple(map(_point, line))


def from_canonical(data: Mapping[str, Any]) -> RealmMap:
    """The map that `to_canonical` wrote.

    Raises:
        MapFileError: The data is no realm of this format version.
    """
    if data.get("format") != FORMAT or data.get("format_version") != FORMAT_VERSION:
        found = f"{data.get('format')} {data.get('format_version')}"
        raise MapFileError(f"expected {FORMAT} {FORMAT_VERSION}, found {found}")
    try:
        return _read(data)
    except KeyError as error:
        raise MapFileError(f"the key {error.args[0]} is missing") from error
    except (TypeError, ValueError, AttributeError, StopIteration) as error:
        raise MapFileError(f"a value is not of its type: {error}") from error


def parse(text: str | bytes) -> RealmMap:
    """Reads a map file.

    Raises:
        MapFileError: Not JSON, or not a realm of this format version.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise MapFileError(f"not JSON: {error}") from error
    if not isinstance(data, dict):
        raise MapFileError("a map file is a JSON object")
    return from_canonical(data)


def _read(data: Mapping[str, Any]) -> RealmMap:
    settings = data["settings"]
    forests = data["forests"]
    largest = next(i for i, patch in enumerate(forests) if patch["largest"])
    realm = Realm(
        sheet=Sheet.of(data["sheet"]["width"], data["sheet"]["height"]),
        settings=RealmSettings(
            dragon_minimum=settings["dragon_minimum"],
            too_far_percent=settings["too_far_percent"],
            die_width=steps(settings["die_width"]),
            margin=steps(settings["margin"]),
        ),
        dice=tuple(DroppedDie(die["sides"], die["face"], _point(die["at"])) for die in data["dice"]),
        places=tuple(
            Place(
                place["id"],
                PlaceKind(place["kind"]),
                place["power"],
                _point(place["at"]),
                place["name"],
                place["spent"],
            )
            for place in data["places"]
        ),
        range=_polyline(data["range"]["points"]),
        patches=tuple(
            ForestPatch(
                _polyline(patch["points"]), tuple(patch["dice"]), tuple(map(_polyline, patch["lines"]))
            )
            for patch in forests
        ),
        largest=largest,
        links=tuple(
            Link(
                Site(link["from"], _point(link["line"][0])),
                Site(link["to"], _point(link["line"][1])),
                LinkKind(link["kind"]),
                link["forced"],
                link["crosses_range"],
            )
            for link in data["links"]
        ),
    )
    return RealmMap(
        seed=int(data["seed"]),
        attempt=data["attempt"],
        given_dice=data["given_dice"],
        title=data["title"],
        range_name=data["range"]["name"],
        compass=Corner(data["compass"]),
        realm=realm,
        generator_version=data["generator_version"],
    )
