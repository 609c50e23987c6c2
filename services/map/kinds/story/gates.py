"""What every story map must pass, found out again by code of its own.

Nothing here asks the generator: water is told by shapely, not by the rays that places were laid with.
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import combinations
from math import hypot

import shapely

from services.map.generation.gate import Gate, GateReport
from services.map.kinds.story.sites import MARGIN, MIN_SPACING
from services.rules.systems.fortunate_blades.story_map.model import StoryMap
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryDetail,
    StoryPathSort,
    StoryPlaceSort,
    StoryStanding,
    StoryTerrainSort,
)

_KNOWN_FORCES = (3, 5)
_LAND_WAYS = (StoryPathSort.ROAD, StoryPathSort.TRAIL)
_SHAVED = 0.75
"""Units of water that a way on land may touch: less than the width of its line."""

Faults = tuple[str, ...]


def inspect(model: StoryMap) -> GateReport:
    """Runs every gate over a new map."""
    land = _land(model)
    gates = (
        Gate("start", _start(model)),
        Gate("places", _places(model)),
        Gate("spacing", _spacing(model)),
        Gate("details", _details(model)),
        Gate("forces", _forces(model)),
        Gate("names", _names(model)),
        Gate("connected", _connected(model)),
        Gate("dry", _dry(model, land)),
    )
    known = [place for place in model.places if place.known]
    inner = [path for path in model.paths if path.sort is not StoryPathSort.UNKNOWN]
    figures = (
        ("places", float(len(known))),
        ("unknown_places", float(len(model.places) - len(known))),
        ("paths", float(len(model.paths))),
        ("loops", float(len(inner) - len(known) + 1)),
        ("forces", float(len(model.forces))),
        ("closest", _closest(model)),
    )
    return GateReport(gates, figures)


def _start(model: StoryMap) -> Faults:
    start = model.places[0] if model.places else None
    if start is None or start.id != model.start:
        return ("the start is not the first place",)
    if abs(start.at.x - model.width / 2) > 0.1 or abs(start.at.y - model.height / 2) > 0.1:
        return ("the start is not in the middle of the sheet",)
    return () if start.known else ("players do not know the start",)


def _places(model: StoryMap) -> Faults:
    faults: list[str] = []
    known = sum(place.known for place in model.places)
    if known < 2 * model.players:
        faults.append(f"{known} places for {model.players} players")
    if known < model.asked_places:
        faults.append(f"{known} known places where {model.asked_places} were asked for")
    if len(model.places) - known < model.asked_unknown:
        faults.append(f"{len(model.places) - known} unknown places of {model.asked_unknown}")
    faults += [
        f"player {player} has brought fewer than two places"
        for player in range(1, model.players + 1)
        if sum(place.player == player for place in model.places) < 2
    ]
    if any(place.sort is StoryPlaceSort.UNKNOWN for place in model.places):
        faults.append("the game master does not know what a place is")
    return tuple(faults)


def _spacing(model: StoryMap) -> Faults:
    faults: list[str] = []
    for place in model.places:
        inside_x = MARGIN <= place.at.x <= model.width - MARGIN
        if not (inside_x and MARGIN <= place.at.y <= model.height - MARGIN):
            faults.append(f"{place.id} lies off the sheet or too near its edge")
    for one, other in combinations(model.places, 2):
        if hypot(one.at.x - other.at.x, one.at.y - other.at.y) < MIN_SPACING - 0.15:
            faults.append(f"{one.id} and {other.id} lie too close")
    return tuple(faults)


def _closest(model: StoryMap) -> float:
    gaps = (hypot(a.at.x - b.at.x, a.at.y - b.at.y) for a, b in combinations(model.places, 2))
    return round(min(gaps, default=0.0), 3)


def _details(model: StoryMap) -> Faults:
    table = set(StoryDetail)
    return tuple(
        f"{place.id} has no detail of the table" for place in model.places if place.detail not in table
    )


def _forces(model: StoryMap) -> Faults:
    faults: list[str] = []
    known = sum(force.standing is StoryStanding.KNOWN for force in model.forces)
    if not _KNOWN_FORCES[0] <= known <= _KNOWN_FORCES[1]:
        faults.append(f"players know {known} forces")
    behind = [force for force in model.forces if force.peril]
    if not behind or any(force.standing is not StoryStanding.SECRET for force in behind):
        faults.append("no secret force is behind the peril")
    if any(not force.goal or not force.agents for force in behind):
        faults.append("a force behind the peril has no goal or no agents")
    places = {place.id for place in model.places}
    hidden = {place.id for place in model.places if not place.known}
    for force in model.forces:
        if force.seat and force.seat not in places:
            faults.append(f"{force.id} has its seat nowhere")
        if force.standing is StoryStanding.KNOWN and force.seat in hidden:
            faults.append(f"{force.id} gives an unknown place away")
    return tuple(faults)


def _names(model: StoryMap) -> Faults:
    faults: list[str] = []
    for what, names in (
        ("places", [place.name for place in model.places]),
        ("forces", [force.name for force in model.forces]),
        ("terrain", [one.name for one in model.terrains if one.name]),
    ):
        faults += [f"two {what} are called {name}" for name, count in Counter(names).items() if count > 1]
        if "" in names:
            faults.append(f"{what}: one has no name")
    return tuple(faults)


def _connected(model: StoryMap) -> Faults:
    """Known places hang together by ways over known places; unknown ones hang on those."""
    known = {place.id for place in model.places if place.known}
    beside: dict[str, list[str]] = {}
    for path in model.paths:
        beside.setdefault(path.start, []).append(path.end)
        beside.setdefault(path.end, []).append(path.start)
    reached = {model.start}
    waiting = deque(reached)
    while waiting:
        for there in beside.get(waiting.popleft(), ()):
            if there in known and there not in reached:
                reached.add(there)
                waiting.append(there)
    faults = [f"no way leads to {id}" for id in sorted(known - reached)]
    faults += [
        f"not even a rumored way leads to {place.id}"
        for place in model.places
        if not place.known and not reached & set(beside.get(place.id, ()))
    ]
    return tuple(faults)


def _land(model: StoryMap) -> shapely.Geometry:
    reach = model.width + model.height
    land = shapely.Polygon() if model.sea_around else shapely.box(-reach, -reach, 2 * reach, 2 * reach)
    for one in model.terrains:
        if one.sort in (StoryTerrainSort.LAND, StoryTerrainSort.SEA, StoryTerrainSort.LAKE):
            ring = shapely.make_valid(shapely.Polygon([(at.x, at.y) for at in one.points]))
            land = land.union(ring) if one.sort is StoryTerrainSort.LAND else land.difference(ring)
    shapely.prepare(land)
    return land


def _dry(model: StoryMap, land: shapely.Geometry) -> Faults:
    faults = [
        f"{place.id} lies in the water"
        for place in model.places
        if not land.covers(shapely.Point(place.at.x, place.at.y))
    ]
    at = {place.id: (place.at.x, place.at.y) for place in model.places}
    for path in model.paths:
        line = shapely.LineString([at[path.start], at[path.end]])
        wet = 0.0 if land.covers(line) else line.length - line.intersection(land).length
        if path.sort in _LAND_WAYS and wet > _SHAVED:
            faults.append(f"the {path.sort} from {path.start} to {path.end} runs over water")
        if path.sort is StoryPathSort.SEA and wet == 0:
            faults.append(f"ships from {path.start} to {path.end} sail over land")
    return tuple(faults)


def inspect_growth(before: StoryMap, after: StoryMap) -> Gate:
    """Whether a map that grew has left where and what everything older was exactly as it was.

    What a place is like, what is noted of it and whether it is known may change; a place that players did not
    know may turn out to be something else, and so may the way to it. Forces keep who they are.
    """
    fixed_names = ("seed", "title", "scale", "landform", "width", "height", "sea_around", "start", "tones")
    faults = [
        f"the {name} has changed" for name in fixed_names if getattr(before, name) != getattr(after, name)
    ]
    if after.terrains[: len(before.terrains)] != before.terrains:
        faults.append("older terrain has changed")
    for old, new in zip(before.places, after.places, strict=False):
        same = (old.name, old.sort) == (new.name, new.sort) or not old.known
        if (old.id, old.at, old.brought) != (new.id, new.at, new.brought) or not same:
            faults.append(f"{old.id} has changed")
        if new.notes[: len(old.notes)] != old.notes:
            faults.append(f"an older note of {old.id} has changed")
    for path, now in zip(before.paths, after.paths, strict=False):
        fixed = path.sort == now.sort or path.sort is StoryPathSort.UNKNOWN
        if (path.start, path.end) != (now.start, now.end) or not fixed:
            faults.append(f"the way from {path.start} to {path.end} has changed")
    for force, later in zip(before.forces, after.forces, strict=False):
        if (force.id, force.name, force.sort, force.brought) != (
            later.id,
            later.name,
            later.sort,
            later.brought,
        ):
            faults.append(f"{force.id} has changed")
    faults += [
        f"of the {what} one is gone"
        for what in ("places", "paths", "forces")
        if len(getattr(after, what)) < len(getattr(before, what))
    ]
    return Gate("growth", tuple(faults))
