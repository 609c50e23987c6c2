"""What every realm map must pass, worked out again from its dice.

The gates share no code with the rules that make maps: they read the map file's plain data, find crossings by
solving for the meeting point instead of by turns, the range by dynamic programming instead of by trying every
order, patches and reachability by breadth-first search, and the ties between networks one link at a time. A
mistake would have to be made twice, in two ways, to pass.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, pairwise
from math import hypot, inf
from typing import Any

from services.map.generation.gate import Gate, GateReport

Data = Mapping[str, Any]
Spot = tuple[int, int]
Faults = list[str]

_FIRST_DICE = 15


def _spot(at: Iterable[float]) -> Spot:
    x, y = at
    return round(x * 1000), round(y * 1000)


def _gap(a: Spot, b: Spot) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _meet(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether segments ab and cd meet: solves a + t (b - a) = c + u (d - c) for t and u from 0 to 1."""
    rx, ry, sx, sy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    qx, qy = c[0] - a[0], c[1] - a[1]
    det = rx * sy - ry * sx
    if det == 0:
        if qx * ry - qy * rx != 0 or (c == d and qx * sy - qy * sx != 0):
            return False
        # On one line: they meet when their shadows on both axes do.
        return all(
            max(min(a[k], b[k]), min(c[k], d[k])) <= min(max(a[k], b[k]), max(c[k], d[k])) for k in (0, 1)
        )
    sign = 1 if det > 0 else -1
    t, u = sign * (qx * sy - qy * sx), sign * (qx * ry - qy * rx)
    return 0 <= t <= abs(det) and 0 <= u <= abs(det)


class _Map:
    """The facts of a map file that the gates ask for."""

    def __init__(self, data: Data) -> None:
        self.dice = [(die["sides"], die["face"], _spot(die["at"])) for die in data["dice"]]
        self.first = self.dice[:_FIRST_DICE]
        self.width, self.height = _spot((data["sheet"]["width"], data["sheet"]["height"]))
        self.settings = data["settings"]
        self.places = {place["id"]: place for place in data["places"]}
        self.spots = {place["id"]: _spot(place["at"]) for place in data["places"]}
        self.range = [_spot(at) for at in data["range"]["points"]]
        self.forests = [
            (
                [_spot(at) for at in patch["points"]],
                [[_spot(at) for at in line] for line in patch["lines"]],
                patch["largest"],
            )
            for patch in data["forests"]
        ]
        self.links = [
            (
                link["from"],
                link["to"],
                link["kind"],
                link["forced"],
                _spot(link["line"][0]),
                _spot(link["line"][1]),
            )
            for link in data["links"]
        ]
        self.settlements = [
            i for i, place in self.places.items() if place["kind"] in ("citadel", "city", "village")
        ]
        self.ruins = [i for i, place in self.places.items() if place["kind"] == "ruin"]

    def blocked(self, a: Spot, b: Spot) -> bool:
        return any(_meet(a, b, c, d) for c, d in pairwise(self.range))

    def off_center(self, at: Spot) -> int:
        """Four times the squared distance to the center."""
        return (2 * at[0] - self.width) ** 2 + (2 * at[1] - self.height) ** 2

    def shown(self, sides: int) -> list[tuple[int, Spot]]:
        return [(face, at) for size, face, at in self.first if size == sides]

    def forest_dice(self) -> list[Spot]:
        d6 = self.shown(6)
        odd = [at for face, at in d6 if face in (1, 3, 5)]
        if odd:
            return odd
        # sorted() is stable: of equally far dice the first dropped stays in front.
        return [sorted((at for _, at in d6), key=self.off_center, reverse=True)[0]]


def _dice(realm: _Map) -> Faults:
    faults: Faults = []
    if Counter(sides for sides, _, _ in realm.first) != Counter({4: 4, 6: 6, 8: 3, 10: 1, 12: 1}):
        faults.append("the first fifteen dice are not 4d4 6d6 3d8 1d10 1d12")
    if any(sides != 8 for sides, _, _ in realm.dice[_FIRST_DICE:]):
        faults.append("a later die is no d8")
    faults += [f"d{sides} shows {face}" for sides, face, _ in realm.dice if face not in range(1, sides + 1)]
    for _, _, (x, y) in realm.dice:
        if x < 0 or y < 0 or x > realm.width or y > realm.height:
            faults.append(f"a die at {x},{y} is off the sheet")
    width = round(realm.settings["die_width"] * 1000)
    for (_, _, a), (_, _, b) in combinations(realm.dice, 2):
        if _gap(a, b) < width * width:
            faults.append(f"dice at {a} and {b} are too close")
    return faults


def _powers(realm: _Map) -> Faults:
    d8 = realm.shown(8)
    best = sorted(d8, key=lambda die: (-die[0], realm.off_center(die[1])))[0]
    ruins = [die for die in d8 if die is not best]
    ruins += [(face, at) for _, face, at in realm.dice[_FIRST_DICE:]]
    (dragon, lair), (citadel_face, citadel) = realm.shown(12)[0], realm.shown(10)[0]
    wanted: dict[str, tuple[str, int, Spot]] = {
        "lair": ("lair", max(dragon, realm.settings["dragon_minimum"]), lair),
        "citadel": ("citadel", citadel_face, citadel),
        "city": ("city", 8, best[1]),
    }
    wanted |= {f"village-{n}": ("village", face, at) for n, (face, at) in enumerate(realm.shown(4), 1)}
    wanted |= {f"ruin-{n}": ("ruin", face, at) for n, (face, at) in enumerate(ruins, 1)}
    faults: Faults = []
    if set(realm.places) != set(wanted) | {"forest"}:
        faults.append("the places are not those the dice make")
        return faults
    for name, (kind, power, at) in wanted.items():
        place = realm.places[name]
        shown = None if place["spent"] else power
        if (place["kind"], place["power"], realm.spots[name]) != (kind, shown, at):
            faults.append(f"{name} is not what its die says")
    return faults


def _range(realm: _Map) -> Faults:
    forests = set(realm.forest_dice())
    peaks = [at for _, at in realm.shown(6) if at not in forests]
    if sorted(peaks) != sorted(realm.range):
        return ["the range does not visit each mountain die once"]
    drawn = sum(hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise(realm.range))
    return ["the range is not the shortest path"] if drawn > _shortest(peaks) + 1e-6 else []


def _shortest(points: list[Spot]) -> float:
    """Length of the shortest open path through some points (Held and Karp)."""
    count = len(points)
    if count < 2:
        return 0.0
    length = {(1 << i, i): 0.0 for i in range(count)}
    for visited in range(1, 1 << count):
        for last in range(count):
            here = length.get((visited, last))
            if here is None:
                continue
            for following in range(count):
                if not visited >> following & 1:
                    step = hypot(*(points[last][k] - points[following][k] for k in (0, 1)))
                    key = (visited | 1 << following, following)
                    length[key] = min(length.get(key, inf), here + step)
    return min(length[(1 << count) - 1, i] for i in range(count))


def _roads(realm: _Map) -> Faults:
    faults: Faults = []
    for start, end, kind, _, a, b in realm.links:
        inner = start in realm.settlements and end in realm.settlements
        if kind == "road" and not inner:
            faults.append(f"a Road joins {start} and {end}, which are not both settlements")
        if kind == "road" and realm.blocked(a, b):
            faults.append(f"the Road from {start} to {end} meets the range")
        if kind == "trail" and inner and not realm.blocked(a, b):
            faults.append(f"the Trail from {start} to {end} could be a Road")
        if start != "forest" and a != realm.spots[start]:
            faults.append(f"the link from {start} does not begin there")
        if b != realm.spots[end]:
            faults.append(f"the link to {end} does not end there")
    return faults


def _nearest(realm: _Map) -> Faults:
    """Each settlement has its nearest link; any other is the best tie between two networks."""
    faults: Faults = []
    spots, names = realm.spots, realm.settlements
    inner = [(a, b) for a, b, *_ in realm.links if a in names and b in names]
    owed: set[frozenset[str]] = set()
    for name in names:
        near = min(_gap(spots[name], spots[other]) for other in names if other != name)
        mine = [
            frozenset(pair) for pair in inner if name in pair and _gap(spots[pair[0]], spots[pair[1]]) == near
        ]
        owed.update(mine)
        if not mine:
            faults.append(f"{name} has no link to its nearest settlement")
    ties = [pair for pair in inner if frozenset(pair) not in owed]
    for a, b in ties:
        kept = [pair for pair in inner if pair != (a, b)]
        side = _reached(a, kept)
        if b in side:
            faults.append(f"the link from {a} to {b} ties nothing together")
            continue
        gaps = [
            (realm.blocked(spots[i], spots[j]), _gap(spots[i], spots[j]))
            for i in names
            if i in side
            for j in names
            if j not in side
        ]
        if min(gaps) < (realm.blocked(spots[a], spots[b]), _gap(spots[a], spots[b])):
            faults.append(f"a better link than {a} to {b} ties its two networks")
    if _reached(names[0], inner) != set(names):
        faults.append("the settlements are not one network")
    return faults


def _reached(start: str, pairs: Iterable[tuple[str, str]]) -> set[str]:
    ways: dict[str, list[str]] = {}
    for a, b in pairs:
        ways.setdefault(a, []).append(b)
        ways.setdefault(b, []).append(a)
    found, waiting = {start}, deque([start])
    while waiting:
        for there in ways.get(waiting.popleft(), ()):
            if there not in found:
                found.add(there)
                waiting.append(there)
    return found


def _trails(realm: _Map) -> Faults:
    faults: Faults = []
    limit = hypot(realm.width, realm.height) * realm.settings["too_far_percent"] / 100
    for index, name in enumerate(["lair", *realm.ruins]):
        # The lair and the first two Ruins look at settlements only, a later Ruin at all older Ruins too.
        older = realm.ruins[: index - 1] if index > 2 else []
        mine = [link for link in realm.links if link[0] == name]
        if len(mine) != 1:
            faults.append(f"{name} has {len(mine)} Trails of its own")
            continue
        here, (_, end, _, forced, *_) = realm.spots[name], mine[0]
        choices = sorted((_gap(here, realm.spots[other]), other) for other in [*realm.settlements, *older])
        proper = [
            gap for gap, other in choices if gap <= limit**2 and not realm.blocked(here, realm.spots[other])
        ]
        if forced is bool(proper) or _gap(here, realm.spots[end]) != (proper or [choices[0][0]])[0]:
            faults.append(f"the Trail of {name} leads to the wrong place")
    return faults


def _forests(realm: _Map) -> Faults:
    faults: Faults = []
    dice = realm.forest_dice()
    pairs = [(str(a), str(b)) for a, b in combinations(dice, 2) if not realm.blocked(a, b)]
    wanted = {frozenset(_reached(str(at), pairs)) for at in dice}
    if {frozenset(map(str, points)) for points, _, _ in realm.forests} != wanted:
        faults.append("the forest patches are not those the range leaves")
    for _, lines, _ in realm.forests:
        if any(realm.blocked(a, b) for line in lines for a, b in pairwise(line)):
            faults.append("a forest crosses the range")
    chosen = [points for points, _, largest in realm.forests if largest]
    if len(chosen) != 1 or len(chosen[0]) != max(len(points) for points, _, _ in realm.forests):
        return [*faults, "the largest forest is not marked"]
    mine = [link for link in realm.links if "forest" in link[:2]]
    targets = [i for i, place in realm.places.items() if place["kind"] in ("village", "ruin")]
    # A Ruin found in play is no target: the Trail was drawn before it.
    targets = [i for i in targets if i not in realm.ruins[2:]]
    if len(mine) != 1 or mine[0][1] not in targets:
        return [*faults, "the Forest has not one Trail to a Village or Ruin"]
    _, end, _, forced, a, _ = mine[0]
    reach = min(
        (realm.blocked(at, realm.spots[i]), _gap(at, realm.spots[i])) for at in chosen[0] for i in targets
    )
    if (forced, _gap(a, realm.spots[end])) != reach or a not in chosen[0] or a != realm.spots["forest"]:
        faults.append("the Forest's Trail is not the nearest")
    return faults


def _connected(realm: _Map) -> Faults:
    found = _reached("citadel", [(start, end) for start, end, *_ in realm.links])
    return [f"{name} cannot be reached from the Citadel" for name in realm.places if name not in found]


_GATES: dict[str, Callable[[_Map], Faults]] = {
    "dice": _dice,
    "powers": _powers,
    "range": _range,
    "roads": _roads,
    "nearest": _nearest,
    "trails": _trails,
    "forests": _forests,
    "connected": _connected,
}


def inspect(data: Data) -> GateReport:
    """Runs every gate over a map.

    Args:
        data: The map as plain data, as `to_canonical` gives it.
    """
    realm = _Map(data)
    return GateReport(tuple(Gate(name, tuple(gate(realm))) for name, gate in _GATES.items()))


def inspect_growth(before: Data, after: Data) -> Gate:
    """Whether a map with one more Ruin has left everything older exactly as it was (C11)."""
    faults: Faults = []
    for key in ("dice", "places", "links"):
        if after[key][:-1] != before[key]:
            faults.append(f"an older entry of {key} has changed")
    grown = {"dice", "places", "links"}
    if {k: v for k, v in after.items() if k not in grown} != {
        k: v for k, v in before.items() if k not in grown
    }:
        faults.append("something beside dice, places and links has changed")
    return Gate("growth", tuple(faults))
