"""What every region must pass, worked out again from its cells.

The gates share no code with what makes regions: they read the finished model, join settlements by a plain
walk over the ways' ends, and label lands and lakes with scipy. A mistake would have to be made twice to pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from services.map.generation.gate import Gate, GateReport
from services.map.kinds.region.model import Biome, Cell, Ground, RegionMap, Way
from services.map.kinds.region.vocabulary import FeatureKind, Mouth, WayKind

LAND_TOLERANCE = 3.0
"""Points by which the share of land may miss what was asked for."""

LEAST_SPACING = 4
"""Cells between two settlements."""

_SWAMP_FEET = 1000
_SWAMP_REACH = 5
_HOT = (Biome.DESERT, Biome.JUNGLE, Biome.SAVANNA)
_AROUND = np.ones((3, 3), np.bool_)

Faults = list[str]


class _Facts:
    """The grids of a region, and what several gates ask for."""

    def __init__(self, model: RegionMap) -> None:
        self.model = model
        self.feet = model.height_grid
        self.biomes = model.biome_grid
        self.ground = model.ground_grid
        self.sea = self.biomes <= Biome.SHALLOWS
        self.lake = self.biomes == Biome.LAKE
        self.open = ~self.sea & ~self.lake & (self.ground != Ground.PEAK)
        self.river_of: dict[Cell, str] = {}
        for river in model.rivers:
            first = 1 if self.lake[river.line[0][1], river.line[0][0]] else 0
            last = len(river.line) if river.mouth is Mouth.EDGE else -1
            self.river_of.update(dict.fromkeys(river.line[first:last], river.id))
        self.places = {home.id: home.at for home in model.settlements}
        self.places |= {site.id: site.at for site in model.sites}

    def inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.model.width and 0 <= cell[1] < self.model.height

    def is_open(self, cell: Cell) -> bool:
        return bool(self.open[cell[1], cell[0]])


def _touch(a: Cell, b: Cell) -> bool:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def _rivers(facts: _Facts) -> Faults:
    faults: Faults = []
    lakes = {lake.id for lake in facts.model.lakes}
    rivers = {river.id for river in facts.model.rivers}
    for river in facts.model.rivers:
        feet = [max(0, int(facts.feet[y, x])) for x, y in river.line]
        if any(below > above for above, below in pairwise(feet)):
            faults.append(f"{river.id} runs uphill")
        if any(later < earlier for earlier, later in pairwise(river.flow)):
            faults.append(f"{river.id} loses water")
        if len(river.flow) != len(river.line) or not all(_touch(a, b) for a, b in pairwise(river.line)):
            faults.append(f"{river.id} is not one line")
        if any(facts.sea[y, x] for x, y in river.line[:-1]):
            faults.append(f"{river.id} runs through the sea")
        x, y = river.line[-1]
        match river.mouth:
            case Mouth.SEA:
                ends = bool(facts.sea[y, x])
            case Mouth.LAKE:
                ends = bool(facts.lake[y, x]) and river.into in lakes
            case Mouth.RIVER:
                ends = facts.river_of.get((x, y)) == river.into and river.into in rivers - {river.id}
            case Mouth.EDGE:
                ends = x in (0, facts.model.width - 1) or y in (0, facts.model.height - 1)
        if not ends:
            faults.append(f"{river.id} does not end in its {river.mouth.value}")
    return faults


def _lakes(facts: _Facts) -> Faults:
    faults: Faults = []
    total = 0
    labels, _ = ndimage.label(facts.lake)
    pairs = zip(labels[facts.lake].tolist(), facts.feet[facts.lake].tolist(), strict=True)
    # Two lakes may touch at different levels.
    sizes = Counter(pairs)
    for lake in facts.model.lakes:
        x, y = lake.at
        size = sizes.get((int(labels[y, x]), lake.level), 0)
        total += size
        if size != lake.cells:
            faults.append(f"{lake.id} is not level or not of its size")
    if total != np.count_nonzero(facts.lake):
        faults.append("there is a lake without a name")
    return faults


def _ways(facts: _Facts) -> Faults:
    faults: Faults = []
    for way in facts.model.ways:
        if way.line[0] != facts.places.get(way.start) or way.line[-1] != facts.places.get(way.end):
            faults.append(f"{way.id} does not join its places")
        if not all(_touch(a, b) for a, b in pairwise(way.line)):
            faults.append(f"{way.id} is not one line")
        if way.kind is WayKind.FERRY:
            if not all(facts.sea[y, x] for x, y in way.line[1:-1]):
                faults.append(f"{way.id} sails over land")
        else:
            faults += _on_land(facts, way)
    return faults


def _on_land(facts: _Facts, way: Way) -> Faults:
    faults: Faults = []
    if not all(facts.is_open(cell) for cell in way.line):
        faults.append(f"{way.id} crosses water or a peak")
    for (ax, ay), (bx, by) in pairwise(way.line):
        flanks = ((bx, ay), (ax, by))
        if ax != bx and ay != by:
            if not all(facts.is_open(flank) for flank in flanks):
                faults.append(f"{way.id} cuts the corner of water or a peak at {ax},{ay}")
            if all(flank in facts.river_of for flank in flanks):
                faults.append(f"{way.id} slips over a river at {ax},{ay}")
    wet = [(cell, facts.river_of[cell]) for cell in way.line if cell in facts.river_of]
    if wet != [(crossing.at, crossing.river) for crossing in way.crossings]:
        faults.append(f"{way.id} crosses a river without bridge or ford")
    return faults


def _reach(facts: _Facts) -> Faults:
    """Roads join all settlements of a land (its very edge aside); ferries join the lands."""
    model = facts.model
    homes = [home.id for home in model.settlements]
    if not homes:
        return []
    faults: Faults = []
    inner = facts.open.copy()
    inner[0], inner[-1], inner[:, 0], inner[:, -1] = False, False, False, False
    lands, _ = ndimage.label(inner)
    by_land: dict[int, list[str]] = {}
    for home in model.settlements:
        by_land.setdefault(int(lands[home.at[1], home.at[0]]), []).append(home.id)
    by_road = _walked(homes, [way for way in model.ways if way.kind is not WayKind.FERRY])
    for group in by_land.values():
        if len({by_road[home] for home in group}) > 1:
            faults.append(f"the settlements of the land of {group[0]} are not joined by roads")
    if len(set(_walked(homes, list(model.ways)).values())) > 1:
        faults.append("no ferry joins some settlements to the rest")
    ends = {way.end for way in model.ways}
    for site in model.sites:
        if homes and not site.hidden and site.id not in ends:
            faults.append(f"no way leads to {site.id}")
    return faults


def _walked(homes: list[str], ways: list[Way]) -> dict[str, str]:
    """For each settlement the first one of all that can be walked to from it."""
    links: dict[str, list[str]] = {home: [] for home in homes}
    for way in ways:
        if way.end in links:
            links[way.start].append(way.end)
            links[way.end].append(way.start)
    found: dict[str, str] = {}
    for home in homes:
        waiting = [] if home in found else [home]
        while waiting:
            here = waiting.pop()
            if here not in found:
                found[here] = home
                waiting += links[here]
    return found


def _settlements(facts: _Facts) -> Faults:
    faults: Faults = []
    for home in facts.model.settlements:
        if not facts.inside(home.at) or not facts.is_open(home.at) or home.at in facts.river_of:
            faults.append(f"{home.id} does not stand on dry land")
        if home.population < 1:
            faults.append(f"{home.id} is empty")
    for a, b in combinations(facts.model.settlements, 2):
        if (a.at[0] - b.at[0]) ** 2 + (a.at[1] - b.at[1]) ** 2 < LEAST_SPACING**2:
            faults.append(f"{a.id} and {b.id} are too close")
    for site in facts.model.sites:
        if not facts.is_open(site.at) or site.at in [home.at for home in facts.model.settlements]:
            faults.append(f"{site.id} does not stand on land of its own")
    return faults


def _near(mask: NDArray[np.bool_], reach: int) -> NDArray[np.bool_]:
    """Cells within some cells of a marked one, counted like a king's moves."""
    wide: NDArray[np.bool_] = ndimage.maximum_filter1d(mask.view(np.uint8), 2 * reach + 1, axis=0)
    wide = ndimage.maximum_filter1d(wide, 2 * reach + 1, axis=1) > 0
    return wide


def _biomes(facts: _Facts) -> Faults:
    faults: Faults = []
    ice, swamp = facts.biomes == Biome.GLACIER, facts.biomes == Biome.SWAMP
    if ice.any() and (_near(ice, 1) & np.isin(facts.biomes, _HOT)).any():
        faults.append("a glacier touches a hot land")
    if swamp.any():
        wet = facts.sea | facts.lake
        for x, y in facts.river_of:
            wet[y, x] = True
        if (swamp & ~_near(wet, _SWAMP_REACH)).any():
            faults.append("a swamp is far from water")
        if (facts.ground[swamp] != Ground.LEVEL).any() or (facts.feet[swamp] >= _SWAMP_FEET).any():
            faults.append("a swamp is not low and level")
    if (facts.sea != (facts.feet < 0)).any():
        faults.append("the sea is not what lies below its level")
    if (facts.ground[facts.sea | facts.lake] != Ground.LEVEL).any():
        faults.append("water is not level")
    return faults


def _land_share(facts: _Facts) -> Faults:
    share = 100 * float(np.count_nonzero(~facts.sea)) / facts.sea.size
    if abs(share - facts.model.land_percent) <= LAND_TOLERANCE:
        return []
    return [f"{share:.1f} percent are land instead of {facts.model.land_percent}"]


def _names(facts: _Facts) -> Faults:
    model = facts.model
    names = [home.name for home in model.settlements] + [lake.name for lake in model.lakes]
    names += [feature.name for feature in model.features] + [site.name for site in model.sites]
    faults = ["something has no name"] if not all(names) else []
    names += [river.name for river in model.rivers if river.name]
    return faults + [f"{name} is named twice" for name, count in Counter(names).items() if count > 1]


_LIES_ON: dict[FeatureKind, frozenset[Biome]] = {
    FeatureKind.SEA: frozenset((Biome.SEA, Biome.SHALLOWS)),
    FeatureKind.BAY: frozenset((Biome.SEA, Biome.SHALLOWS)),
    FeatureKind.FOREST: frozenset((Biome.TAIGA, Biome.WOODLAND, Biome.JUNGLE)),
    FeatureKind.SWAMP: frozenset((Biome.SWAMP,)),
    FeatureKind.DESERT: frozenset((Biome.DESERT,)),
    FeatureKind.ICE: frozenset((Biome.GLACIER,)),
}


def _features(facts: _Facts) -> Faults:
    faults: Faults = []
    for feature in facts.model.features:
        x, y = feature.at
        on = _LIES_ON.get(feature.kind)
        fits = Biome(int(facts.biomes[y, x])) in on if on else not facts.sea[y, x]
        if not fits:
            faults.append(f"{feature.id} does not lie where its kind does")
    return faults


def _weather(facts: _Facts) -> Faults:
    faults: Faults = []
    for zone in facts.model.zones:
        for odds in zone.odds:
            if sum(odds.land) != 20 or sum(odds.water) != 20:
                faults.append(f"the weather of {zone.climate.value} in {odds.season.value} is not 20 in all")
    side = facts.model.weather_side
    squares = -(-facts.model.width // side) * -(-facts.model.height // side)
    if len(facts.model.weather) != squares or max(facts.model.weather) >= len(facts.model.zones):
        faults.append("some land has no weather")
    return faults


_GATES: dict[str, Callable[[_Facts], Faults]] = {
    "land": _land_share,
    "rivers": _rivers,
    "lakes": _lakes,
    "biomes": _biomes,
    "settlements": _settlements,
    "ways": _ways,
    "reach": _reach,
    "features": _features,
    "names": _names,
    "weather": _weather,
}


def inspect(model: RegionMap) -> GateReport:
    """Runs every gate over a region and measures it.

    Args:
        model: The region.
    """
    facts = _Facts(model)
    gates = tuple(Gate(name, tuple(gate(facts))) for name, gate in _GATES.items())
    land = float(np.count_nonzero(~facts.sea)) / facts.sea.size
    figures = (
        ("land share", round(land, 4)),
        ("rivers", float(len(model.rivers))),
        ("lakes", float(len(model.lakes))),
        ("settlements", float(len(model.settlements))),
        ("miles of road", round(sum(way.miles for way in model.ways if way.kind is WayKind.ROAD), 1)),
    )
    return GateReport(gates, figures)
