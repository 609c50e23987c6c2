"""The map and the odds.

Each function takes the `given` of one case, positions in units, and returns the answer in the words of the
cases: settlements are `Citadel`, `City`, `V1` to `V4`, Ruins `R1` and up. Where a case gives only a part of a
map (some settlements, a range), the rule for that part runs on it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn.drop import (
    DROPPED_DICE,
    DroppedDie,
    Landing,
    RealmSettings,
    Sheet,
    landing,
)
from services.rules.systems.forgeborn.features import (
    CITY_POWER,
    city_index,
    dragon_power,
    forest_patches,
    largest_patch,
    mountain_range,
    mountains_and_forests,
)
from services.rules.systems.forgeborn.geometry import Point, Polyline, steps, units
from services.rules.systems.forgeborn.links import (
    Link,
    Site,
    forest_trail,
    settlement_links,
    trail_to_nearest,
)
from services.rules.systems.forgeborn.mechanics import conflict_chance, forest_chance, junk_chance
from services.rules.systems.forgeborn.play.bots.outlook import turns_to
from services.rules.systems.forgeborn.play.ground import way_of
from services.rules.systems.forgeborn.realm import CITADEL_ID, Place, PlaceKind, Realm, derive

Given = Mapping[str, Any]
Answer = dict[str, Any]

PRINTED_FOREST_ODDS: Mapping[tuple[int, ...], str] = {
    (6, 6): "83%",
    (8, 6): "68%",
    (6, 6, 4): "50%",
    (8, 4, 4): "50%",
    (10, 10): "36%",
    (12, 12): "25%",
    (4, 4, 4, 4, 4): "12%",
}
"""Odds of the Forest as the book prints them, some rounded and one cut (Commune with the Spirits)."""


def _point(at: Sequence[float]) -> Point:
    return Point.of(at[0], at[1])


def _pair(at: Point) -> list[int | float]:
    return [units(at.x), units(at.y)]


def _ranges(given: Given) -> tuple[Polyline, ...]:
    return tuple(tuple(map(_point, line)) for line in given.get("ranges", ()))


def _sheet(given: Given) -> Sheet:
    return Sheet.of(*given["sheet"]) if "sheet" in given else Sheet()


def _settings(given: Given) -> RealmSettings:
    rulings = RealmSettings()
    return RealmSettings(
        dragon_minimum=given.get("dragon_minimum", rulings.dragon_minimum),
        die_width=steps(given["die_width"]) if "die_width" in given else rulings.die_width,
    )


def _sites(given: Given, *keys: str) -> list[Site]:
    return [Site(name, _point(at)) for key in keys for name, at in given.get(key, {}).items()]


def map_drop(given: Given) -> Answer:
    """B1, B2: whether a landing counts; or what the dice of a whole drop make."""
    if "dice" in given:
        dice = {int(name.removeprefix("d")): count for name, count in given["dice"].items()}
        counts = {sides: dice.get(sides, 0) for sides in DROPPED_DICE}
        return {
            "dice_total": sum(dice.values()),
            "settlements": counts[4] + counts[10] + min(1, counts[8]),
            "ruins": max(0, counts[8] - 1),
            "lairs": counts[12],
            "d6_features": counts[6],
        }
    placed = [_point(at) for at in given.get("placed", ())]
    result = landing(_sheet(given), _settings(given), placed, _point(given["drop"]))
    if result is Landing.ACCEPTED:
        return {"accepted": True}
    return {"accepted": False, "reason": result.value}


def map_lair(given: Given) -> Answer:
    """B3."""
    return {"dragon_power": dragon_power(given["d12"], _settings(given))}


def map_citadel(given: Given) -> Answer:
    """B4."""
    return {"citadel_power": given["d10"]}


def map_city(given: Given) -> Answer:
    """B5 to B7."""
    faces = [die["face"] for die in given["d8"]]
    city = city_index(faces, [_point(die["at"]) for die in given["d8"]], _sheet(given))
    ruins = {str(i): face for i, face in enumerate(faces) if i != city}
    return {"city": city, "city_power": CITY_POWER, "ruins": ruins}


def map_villages(given: Given) -> Answer:
    """B8."""
    return {"village_powers": list(given["d4"]), "villages": len(given["d4"])}


def map_d6(given: Given) -> Answer:
    """B9, B10."""
    positions = [_point(die["at"]) for die in given["d6"]]
    mountains, forests = mountains_and_forests([die["face"] for die in given["d6"]], positions, _sheet(given))
    return {"mountains": list(mountains), "forests": list(forests)}


def map_range(given: Given) -> Answer:
    """B11, B12: the range through given peaks."""
    line = mountain_range([_point(at) for at in given["peaks"]])
    return {"range": [_pair(at) for at in line]}


def map_forest(given: Given) -> Answer:
    """B13, B14: the patches of some forest points; or C8: where the Trail of one patch leads."""
    if "patch" in given:
        targets = _sites(given, "villages", "ruins")
        trail = forest_trail("Forest", [_point(at) for at in given["patch"]], targets, _ranges(given))
        return {"trail_to": trail.end.id}
    patches = forest_patches([_point(at) for at in given["forest_dice"]], _ranges(given))
    return {
        "patches": [list(patch.dice) for patch in patches],
        "largest": list(patches[largest_patch(patches)].dice),
    }


def map_roads(given: Given) -> Answer:
    """C3 to C5."""
    sites = _sites(given, "settlements")
    links = settlement_links(sites, _ranges(given))
    found = {sites[0].id}
    for _ in sites:
        found |= {
            end.id for link in links if {link.start.id, link.end.id} & found for end in (link.start, link.end)
        }
    return {"links": [_link(link, {}) for link in links], "connected": len(found) == len(sites)}


def map_trails(given: Given) -> Answer:
    """C6, C7 for a Lair or Ruin of the first drop; C11 for a Ruin found in play."""
    sheet, settings, ranges = _sheet(given), _settings(given), _ranges(given)
    if "new_ruin" in given:
        site = Site("new", _point(given["new_ruin"]))
        targets = _sites(given, "settlements", "spent_ruins", "ruins")
        trail = trail_to_nearest(site, targets, ranges, sheet, settings)
        return {"to": trail.end.id, "kind": trail.kind.value, "power": given["d8"]}
    site = Site("site", _point(given["lair"] if "lair" in given else given["ruin"]))
    trail = trail_to_nearest(site, _sites(given, "settlements"), ranges, sheet, settings)
    return {"to": trail.end.id, "kind": trail.kind.value, "forced": trail.forced}


def map_full(given: Given) -> Answer:
    """A whole drop: B3 to B14 and C3 to C9 together."""
    dice = [
        DroppedDie(sides, die["face"], _point(die["at"]))
        for sides in DROPPED_DICE
        for die in _as_list(given[f"d{sides}"])
    ]
    realm = derive(dice, _sheet(given), _settings(given))
    if isinstance(realm, Problems):
        return {"problems": list(realm.codes)}
    named = {
        die.at: f"d{sides}[{i}]"
        for sides in (6, 8)
        for i, die in enumerate(d for d in dice if d.sides == sides)
    }
    words = {place.id: _word(place) for place in realm.places}
    ruins = realm.of_kind(PlaceKind.RUIN)
    patches = [[named[at] for at in patch.points] for patch in realm.patches]
    ways = turns_to(tuple(map(way_of, realm.links)), CITADEL_ID)
    return {
        "dragon_power": _power(realm, "lair"),
        "citadel_power": _power(realm, "citadel"),
        "city": named[realm.place("city").at],
        "city_power": _power(realm, "city"),
        "ruins": {named[ruin.at]: ruin.power for ruin in ruins},
        "villages": [village.power for village in realm.of_kind(PlaceKind.VILLAGE)],
        "ranges": [[_pair(at) for at in line] for line in realm.ranges],
        "forest_patches": patches,
        "largest_patch": patches[realm.largest],
        "links": [_link(link, words) for link in realm.links],
        "reachable": all((place.id, False) in ways for place in realm.places),
    }


def _as_list(dice: Any) -> list[Any]:
    return dice if isinstance(dice, list) else [dice]


def _power(realm: Realm, place_id: str) -> int | None:
    return realm.place(place_id).power


def _word(place: Place) -> str:
    number = place.id.rpartition("-")[2]
    match place.kind:
        case PlaceKind.VILLAGE:
            return f"V{number}"
        case PlaceKind.RUIN:
            return f"R{number}"
        case _:
            return place.kind.value.capitalize()


def _link(link: Link, words: Mapping[str, str]) -> list[str]:
    return [words.get(link.start.id, link.start.id), words.get(link.end.id, link.end.id), link.kind.value]


def odds_conflict(given: Given) -> Answer:
    """The chance to win a conflict."""
    return _chance("win", conflict_chance(tuple(given["dice"]), given["power"]))


def odds_forest(given: Given) -> Answer:
    """The chance that the Forest gives the dice, and what the book prints for them, if anything."""
    dice = tuple(given["dice"])
    printed = PRINTED_FOREST_ODDS.get(tuple(sorted(dice, reverse=True)))
    return {**_chance("gain", forest_chance(dice, given["limit"])), "book": printed}


def odds_junk(given: Given) -> Answer:
    """The chance that nothing comes of a creation."""
    return _chance("junk", junk_chance(tuple(given["dice"]), given["below"]))


def _chance(name: str, chance: Fraction) -> Answer:
    return {name: [chance.numerator, chance.denominator], "approx": round(float(chance), 6)}


AREAS: dict[str, Callable[[Given], Answer]] = {
    "odds_conflict": odds_conflict,
    "odds_forest": odds_forest,
    "odds_junk": odds_junk,
    "map_drop": map_drop,
    "map_lair": map_lair,
    "map_citadel": map_citadel,
    "map_city": map_city,
    "map_villages": map_villages,
    "map_d6": map_d6,
    "map_range": map_range,
    "map_forest": map_forest,
    "map_roads": map_roads,
    "map_trails": map_trails,
    "map_full": map_full,
}
"""What answers each area of the cases."""
