"""The map and the odds.

Each function takes the `given` of one case, positions in units, and returns the answer in the words of the
cases: settlements are `Citadel`, `City`, `V1` to `V4`, Ruins `R1` and up. Where a case gives some dice of a
drop, the others lie on free spots and the whole realm is made; where it gives a part of a finished map (some
settlements, a range), the rule for that part runs on it alone. Odds are those of the game's own rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from services.rules.dice.mechanic import Arguments
from services.rules.engine.conformance import UnsupportedCaseError
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
    forest_patches,
    largest_patch,
    mountain_range,
)
from services.rules.systems.forgeborn.geometry import Point, Polyline, steps, units
from services.rules.systems.forgeborn.links import (
    Link,
    Site,
    forest_trail,
    settlement_links,
    trail_to_nearest,
)
from services.rules.systems.forgeborn.mechanics import MECHANICS
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


FACE = 1
"""What dice show that a case says nothing of."""


def _dropped(given: Given, counts: Mapping[int, int] = DROPPED_DICE, **dice: Sequence[Given]) -> Realm:
    """The realm of a whole drop.

    Args:
        given: The case: its sheet and settings. Dice may lie side by side, unless it says otherwise.
        counts: How many dice of each size there are.
        dice: What some of them show, and where they lie where it matters: `d8=[{"face": 7, "at": [1, 2]}]`.
    """
    sheet = _sheet(given)
    settings = replace(_settings(given), die_width=0)
    spots = iter((20 + 4 * place, 30) for place in range(sum(counts.values())))
    found = []
    for sides, count in counts.items():
        known = dice.get(f"d{sides}", [{}] * count)
        found += [
            DroppedDie(sides, die.get("face", FACE), _point(die.get("at") or next(spots))) for die in known
        ]
    realm = derive(found, sheet, settings)
    if isinstance(realm, Problems):
        raise UnsupportedCaseError(str(realm))
    return realm


def _faces(*faces: int) -> list[Given]:
    return [{"face": face} for face in faces]


def map_drop(given: Given) -> Answer:
    """B1, B2: whether a landing counts; or what the dice of a whole drop make."""
    if "dice" in given:
        return _made({int(name.removeprefix("d")): count for name, count in given["dice"].items()}, given)
    placed = [_point(at) for at in given.get("placed", ())]
    result = landing(_sheet(given), _settings(given), placed, _point(given["drop"]))
    if result is Landing.ACCEPTED:
        return {"accepted": True}
    return {"accepted": False, "reason": result.value}


def _made(counts: Mapping[int, int], given: Given) -> Answer:
    realm = _dropped(given, counts)
    settlements = realm.of_kind(PlaceKind.CITADEL, PlaceKind.CITY, PlaceKind.VILLAGE)
    return {
        "dice_total": len(realm.dice),
        "settlements": len(settlements),
        "ruins": len(realm.of_kind(PlaceKind.RUIN)),
        "lairs": len(realm.of_kind(PlaceKind.LAIR)),
        "d6_features": sum(map(len, realm.ranges)) + sum(len(patch.points) for patch in realm.patches),
    }


def map_lair(given: Given) -> Answer:
    """B3."""
    return {"dragon_power": _power(_dropped(given, d12=_faces(given["d12"])), "lair")}


def map_citadel(given: Given) -> Answer:
    """B4."""
    return {"citadel_power": _power(_dropped(given, d10=_faces(given["d10"])), "citadel")}


def map_city(given: Given) -> Answer:
    """B5 to B7."""
    realm = _dropped(given, d8=given["d8"])
    order = [_point(die["at"]) for die in given["d8"]]
    ruins = {str(order.index(ruin.at)): ruin.power for ruin in realm.of_kind(PlaceKind.RUIN)}
    return {"city": order.index(realm.place("city").at), "city_power": _power(realm, "city"), "ruins": ruins}


def map_villages(given: Given) -> Answer:
    """B8."""
    villages = _dropped(given, d4=_faces(*given["d4"])).of_kind(PlaceKind.VILLAGE)
    return {"village_powers": [village.power for village in villages], "villages": len(villages)}


def map_d6(given: Given) -> Answer:
    """B9, B10."""
    realm = _dropped(given, d6=given["d6"])
    order = [_point(die["at"]) for die in given["d6"]]
    mountains = sorted(order.index(at) for line in realm.ranges for at in line)
    forests = sorted(order.index(at) for patch in realm.patches for at in patch.points)
    return {"mountains": mountains, "forests": forests}


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


ROLLS = {mechanic.name: mechanic for mechanic in MECHANICS}


def _odds(roll: str, counts: Callable[[int, str], bool], **arguments: Any) -> Fraction:
    """The chance of the results of a roll that count, by their total and their word."""
    odds = ROLLS[roll].odds(cast(Arguments, arguments))
    return sum((chance for result, chance in odds.items() if counts(*result)), Fraction(0))


def odds_conflict(given: Given) -> Answer:
    """The chance to win a conflict."""
    own, power = tuple(given["dice"]), given["power"]
    return _told("win", _odds("forgeborn:conflict", lambda _, word: word == "win", dice=own, power=power))


def odds_forest(given: Given) -> Answer:
    """The chance that the Forest gives the dice, and what the book prints for them, if anything."""
    own, limit = tuple(given["dice"]), given["limit"]
    gain = _odds("forgeborn:forest", lambda _, word: word == "gain", dice=own, limit=limit)
    return {**_told("gain", gain), "book": PRINTED_FOREST_ODDS.get(tuple(sorted(own, reverse=True)))}


def odds_junk(given: Given) -> Answer:
    """The chance that nothing comes of a creation."""
    own, below = tuple(given["dice"]), given["below"]
    return _told("junk", _odds("forgeborn:creation", lambda total, _: total < below, dice=own))


def _told(name: str, chance: Fraction) -> Answer:
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
