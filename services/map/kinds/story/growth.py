"""How a story map grows in play. Every operation makes a new map; where older things lie never changes.

    grow(map, operation) -> the map after it, or every broken rule

What the table leaves open is rolled: each operation draws from a stream of its own, named by how often the
map has grown before. (Fortunate Blades, "The Map", "Places", "Forces".)
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot, isfinite

from services.map.generation.stream import Stream
from services.map.kinds.story.ids import fresh_id
from services.map.kinds.story.land import Water, around
from services.map.kinds.story.sites import MARGIN, MIN_SPACING, found_near
from services.map.kinds.story.ways import sort_of
from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades.story_map import details, places
from services.rules.systems.fortunate_blades.story_map.growth import (
    MOST_PATHS,
    MOST_PLACES,
    MOST_POINTS,
    MOST_TERRAINS,
    Refused,
    add_force,
    change_place,
    check_room,
    checked_name,
    checked_text,
    note_place,
    place_of,
    refusal,
    remove_force,
    reveal_force,
    with_place,
)
from services.rules.systems.fortunate_blades.story_map.model import (
    WATERS,
    StoryMap,
    StoryNote,
    StoryPath,
    StoryPlace,
    StorySpot,
    StoryTerrain,
)
from services.rules.systems.fortunate_blades.story_map.names import place_name
from services.rules.systems.fortunate_blades.story_map.operations import (
    StoryAddForce,
    StoryAddPlace,
    StoryChangePlace,
    StoryDiscoverPlace,
    StoryGrowth,
    StoryLinkPlaces,
    StoryNotePlace,
    StoryRemoveForce,
    StoryRevealForce,
    StoryScribble,
)
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryPathSort,
    StoryPlaceSort,
    StoryTerrainSort,
)


def grow(model: StoryMap, growth: StoryGrowth) -> StoryMap | Problems:
    """Lets a map grow.

    Args:
        model: The map so far, as the game master has it.
        growth: What is wanted.

    Returns:
        The map after it; or every broken rule.
    """
    try:
        grown = _grown(model, growth)
    except Refused as refused:
        return Problems(refused.problems)
    return replace(grown, growth=model.growth + 1)


def _grown(model: StoryMap, growth: StoryGrowth) -> StoryMap:
    match growth:
        case StoryAddPlace():
            return add_place(model, growth)
        case StoryDiscoverPlace():
            return discover(model, growth)
        case StoryNotePlace():
            return note_place(model, growth)
        case StoryChangePlace():
            return change_place(model, growth)
        case StoryAddForce():
            taken = {force.id for force in model.forces}
            id = fresh_id(model.seed, "force", len(taken), taken)
            return add_force(model, growth, id, Stream(model.seed, "growth", model.growth))
        case StoryRevealForce():
            return reveal_force(model, growth)
        case StoryRemoveForce():
            return remove_force(model, growth)
        case StoryLinkPlaces(start, end, sort):
            return link(model, start, end, sort)
        case StoryScribble(sort, points, name):
            return scribbled(model, sort, points, name)


def add_place(model: StoryMap, growth: StoryAddPlace) -> StoryMap:
    """The map with one more place, and a way to it from the nearest place that players know."""
    check_room(len(model.places), MOST_PLACES, "places")
    name = checked_name(growth.name, {place.name for place in model.places}, "name")
    note = checked_text(growth.note, "note")
    if not 0 <= growth.player <= 8:
        raise refusal("story_out_of_range", "From 0 to 8.", "player", growth.player, (0, 8))
    if growth.sort is StoryPlaceSort.UNKNOWN:
        raise refusal("story_unknown_choice", "A place is something.", "sort", growth.sort.value)
    water = Water.of(model)
    stream = Stream(model.seed, "growth", model.growth)
    at = _spot(model, growth.at) if growth.at else _found(model, growth.near, water, stream)
    terrain = around(at, model.terrains)
    older = [place.sort for place in model.places]
    sort = growth.sort or places.choose_sort(model.scale, model.tones, terrain, growth.brought, older, stream)
    older_details = [place.detail for place in model.places if place.detail]
    detail = growth.detail or details.choose_detail(
        sort, model.scale, model.tones, terrain, older_details, stream
    )
    taken = {place.name for place in model.places}
    place = StoryPlace(
        fresh_id(model.seed, "place", len(model.places), {place.id for place in model.places}),
        name or place_name(sort, model.scale, taken, stream),
        sort,
        at,
        detail,
        growth.brought,
        growth.player,
        growth.known,
        growth.rumored and not growth.known,
        (StoryNote(note, secret=not growth.known),) if note else (),
    )
    grown = replace(model, places=(*model.places, place))
    return joined(grown, place, water)


def joined(model: StoryMap, place: StoryPlace, water: Water) -> StoryMap:
    """The map with a way from the known place that is best reached, over land if there is one near."""
    known = [other for other in model.places if other.known and other.id != place.id]

    def effort(other: StoryPlace) -> float:
        far = hypot(other.at.x - place.at.x, other.at.y - place.at.y)
        return far + (25 if water.between((other.at.x, other.at.y), (place.at.x, place.at.y)) else 0)

    nearest = min(known, key=effort)
    sort = fitting_way(model, nearest, place, water) if place.known else StoryPathSort.UNKNOWN
    return replace(model, paths=(*model.paths, StoryPath(nearest.id, place.id, sort)))


def fitting_way(model: StoryMap, one: StoryPlace, other: StoryPlace, water: Water) -> StoryPathSort:
    """How one travels between two places that players know."""
    wet = water.between((one.at.x, one.at.y), (other.at.x, other.at.y))
    return sort_of(wet, (one.at, one.sort), (other.at, other.sort), model.terrains)


def _spot(model: StoryMap, at: StorySpot) -> StorySpot:
    if not (isfinite(at.x) and isfinite(at.y)):
        raise refusal("story_place_off_sheet", "A place lies on the sheet.", "at")
    at = StorySpot(round(float(at.x), 3), round(float(at.y), 3))
    if not (MARGIN <= at.x <= model.width - MARGIN and MARGIN <= at.y <= model.height - MARGIN):
        message = f"A place lies on the sheet, {MARGIN:.0f} units from its edge."
        raise refusal("story_place_off_sheet", message, "at", (str(at.x), str(at.y)))
    for place in model.places:
        if hypot(place.at.x - at.x, place.at.y - at.y) < MIN_SPACING:
            # Which place it is may be a secret, so the message does not name it.
            message = f"Another place lies less than {MIN_SPACING:.0f} units away."
            raise refusal("story_place_too_close", message, "at", (str(at.x), str(at.y)))
    return at


def _found(model: StoryMap, near: str, water: Water, stream: Stream) -> StorySpot:
    beside = place_of(model, near or model.start, "near")
    taken = [place.at for place in model.places]
    at = found_near(beside.at, taken, model.width, model.height, water, stream)
    if at is None:
        raise refusal("story_sheet_full", "There is no room left on the sheet.", "near")
    return at


def discover(model: StoryMap, growth: StoryDiscoverPlace) -> StoryMap:
    """The map after players found a place; the rumored way to it becomes one to travel."""
    place = place_of(model, growth.place)
    if place.known:
        raise refusal("story_place_known", "Players know this place.", "place", place.id)
    if growth.sort is StoryPlaceSort.UNKNOWN:
        raise refusal("story_unknown_choice", "A place is something.", "sort", growth.sort.value)
    taken = {other.name for other in model.places if other.id != place.id}
    found = replace(
        place,
        name=checked_name(growth.name, taken, "name") or place.name,
        sort=growth.sort or place.sort,
        detail=growth.detail or place.detail,
        known=True,
        rumored=False,
    )
    water = Water.of(model)
    known = {other.id: other for other in model.places if other.known}
    paths = []
    for path in model.paths:
        ends = {path.start, path.end} - {place.id}
        other = known.get(next(iter(ends))) if len(ends) == 1 else None
        if other is not None and path.sort is StoryPathSort.UNKNOWN:
            paths.append(replace(path, sort=fitting_way(model, other, found, water)))
        else:
            paths.append(path)
    return with_place(replace(model, paths=tuple(paths)), found)


def link(model: StoryMap, start: str, end: str, sort: StoryPathSort | None) -> StoryMap:
    """The map with a way between two places."""
    check_room(len(model.paths), MOST_PATHS, "paths")
    one, other = place_of(model, start, "start"), place_of(model, end, "end")
    if one.id == other.id:
        raise refusal("story_path_to_itself", "A way leads to another place.", "end", end)
    if any({path.start, path.end} == {start, end} for path in model.paths):
        raise refusal("story_path_exists", "There is a way between these places.", "end", end)
    fitting = fitting_way(model, one, other, Water.of(model))
    if not (one.known and other.known):
        fitting = StoryPathSort.UNKNOWN
    chosen = sort or fitting
    if fitting is StoryPathSort.SEA and chosen in (StoryPathSort.ROAD, StoryPathSort.TRAIL):
        raise refusal("story_path_over_water", "There is water between them.", "sort", chosen.value)
    return replace(model, paths=(*model.paths, StoryPath(start, end, chosen)))


def scribbled(model: StoryMap, sort: StoryTerrainSort, points: tuple[StorySpot, ...], name: str) -> StoryMap:
    """The map with one more stretch of terrain."""
    check_room(len(model.terrains), MOST_TERRAINS, "terrains")
    label = checked_name(name, {one.name for one in model.terrains}, "name")
    least = 2 if sort is StoryTerrainSort.RIVER else 3
    if not least <= len(points) <= MOST_POINTS:
        allowed = (least, MOST_POINTS)
        raise refusal("story_out_of_range", "So many points make no terrain.", "points", len(points), allowed)
    for at in points:
        x_near = isfinite(at.x) and -model.width <= at.x <= 2 * model.width
        if not (x_near and isfinite(at.y) and -model.height <= at.y <= 2 * model.height):
            raise refusal("story_terrain_off_sheet", "Terrain lies on or near the sheet.", "points")
    ring = tuple(StorySpot(round(float(at.x), 3), round(float(at.y), 3)) for at in points)
    one = StoryTerrain(f"terrain-{len(model.terrains) + 1}", sort, label, ring)
    grown = replace(model, terrains=(*model.terrains, one))
    if sort in WATERS:
        water = Water.of(grown)
        by_id = {place.id: (place.at.x, place.at.y) for place in model.places}
        before = Water.of(model)
        if any(water.at(*at) and not before.at(*at) for at in by_id.values()):
            raise refusal("story_place_under_water", "A place would lie in the water.", "points")
        land_ways = (StoryPathSort.ROAD, StoryPathSort.TRAIL)
        if any(
            water.between(by_id[path.start], by_id[path.end])
            for path in model.paths
            if path.sort in land_ways
        ):
            raise refusal("story_path_under_water", "A road or trail would lie in the water.", "points")
    return grown
