"""How a story map grows in play. Every operation gives a new map; where older things lie never changes.

    grow(map, operation) -> the map after it, or every broken rule

What the table leaves open is rolled: each operation draws from a stream of its own, named by how often the
map has grown before. (Fortunate Blades, "The Map", "Places", "Forces".)
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot, isfinite

from services.map.generation.stream import Stream
from services.map.kinds.story import details, forces, places
from services.map.kinds.story.ids import fresh_id
from services.map.kinds.story.land import Water
from services.map.kinds.story.model import (
    MARGIN,
    MIN_SPACING,
    WATERS,
    StoryBringer,
    StoryForce,
    StoryMap,
    StoryNote,
    StoryPath,
    StoryPathSort,
    StoryPlace,
    StoryPlaceSort,
    StorySpot,
    StoryStanding,
    StoryTerrain,
    StoryTerrainSort,
)
from services.map.kinds.story.names import place_name
from services.map.kinds.story.operations import (
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
from services.map.kinds.story.sites import found_near
from services.map.kinds.story.ways import sort_of
from services.rules.engine.problem import Finding, Problems, RuleProblem

LONGEST_NAME = 40
LONGEST_TEXT = 400
MOST_PLACES = 120
MOST_FORCES = 60
MOST_PATHS = 240
MOST_TERRAINS = 80
MOST_NOTES = 40
MOST_POINTS = 200
MOST_LINES = 8
"""Facts or agents of one force."""


class _Refused(Exception):
    """One or more rules are broken; never leaves this module."""

    def __init__(self, *problems: RuleProblem) -> None:
        super().__init__()
        self.problems = problems


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
    except _Refused as refused:
        return Problems(refused.problems)
    return replace(grown, growth=model.growth + 1)


def _grown(model: StoryMap, growth: StoryGrowth) -> StoryMap:
    match growth:
        case StoryAddPlace():
            return add_place(model, growth)
        case StoryDiscoverPlace():
            return discover(model, growth)
        case StoryNotePlace(place, text, secret):
            return _noted(model, _place(model, place), _text(text, "text", least=1), secret)
        case StoryChangePlace(place, detail, note):
            found = _place(model, place)
            changed = _with_place(model, replace(found, detail=detail))
            return _noted(changed, replace(found, detail=detail), _text(note, "note"), False)
        case StoryAddForce():
            return add_force(model, growth)
        case StoryRevealForce(force):
            secret_force = _force(model, force)
            if secret_force.standing is not StoryStanding.SECRET:
                raise _refusal("story_force_not_secret", "Players know of this force.", "force", force)
            return _with_force(model, replace(secret_force, standing=StoryStanding.KNOWN))
        case StoryRemoveForce(force, ending):
            gone = _force(model, force)
            if gone.standing is StoryStanding.SETTLED:
                raise _refusal("story_force_settled", "This force is done with already.", "force", force)
            ended = _text(ending, "ending")
            return _with_force(model, replace(gone, standing=StoryStanding.SETTLED, ending=ended))
        case StoryLinkPlaces(start, end, sort):
            return link(model, start, end, sort)
        case StoryScribble(sort, points, name):
            return scribbled(model, sort, points, name)


def add_place(model: StoryMap, growth: StoryAddPlace) -> StoryMap:
    """The map with one more place, and a way to it from the nearest place that players know."""
    _room(len(model.places), MOST_PLACES, "places")
    name = _name(growth.name, {place.name for place in model.places}, "name")
    note = _text(growth.note, "note")
    if not 0 <= growth.player <= 8:
        raise _refusal("story_out_of_range", "From 0 to 8.", "player", growth.player, (0, 8))
    if growth.sort is StoryPlaceSort.UNKNOWN:
        raise _refusal("story_unknown_choice", "A place is something.", "sort", growth.sort.value)
    water = Water.of(model)
    stream = Stream(model.seed, "growth", model.growth)
    at = _spot(model, growth.at) if growth.at else _found(model, growth.near, water, stream)
    terrain = places.around(at, model.terrains)
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
    return _joined(grown, place, water)


def _joined(model: StoryMap, place: StoryPlace, water: Water) -> StoryMap:
    """The map with a way from the known place that is best reached, over land if there is one near."""
    known = [other for other in model.places if other.known and other.id != place.id]

    def effort(other: StoryPlace) -> float:
        far = hypot(other.at.x - place.at.x, other.at.y - place.at.y)
        return far + (25 if water.between((other.at.x, other.at.y), (place.at.x, place.at.y)) else 0)

    nearest = min(known, key=effort)
    sort = _fitting(model, nearest, place, water) if place.known else StoryPathSort.UNKNOWN
    return replace(model, paths=(*model.paths, StoryPath(nearest.id, place.id, sort)))


def _fitting(model: StoryMap, one: StoryPlace, other: StoryPlace, water: Water) -> StoryPathSort:
    wet = water.between((one.at.x, one.at.y), (other.at.x, other.at.y))
    return sort_of(wet, (one.at, one.sort), (other.at, other.sort), model.terrains)


def _spot(model: StoryMap, at: StorySpot) -> StorySpot:
    if not (isfinite(at.x) and isfinite(at.y)):
        raise _refusal("story_place_off_sheet", "A place lies on the sheet.", "at")
    at = StorySpot(round(float(at.x), 3), round(float(at.y), 3))
    if not (MARGIN <= at.x <= model.width - MARGIN and MARGIN <= at.y <= model.height - MARGIN):
        message = f"A place lies on the sheet, {MARGIN:.0f} units from its edge."
        raise _refusal("story_place_off_sheet", message, "at", (str(at.x), str(at.y)))
    for place in model.places:
        if hypot(place.at.x - at.x, place.at.y - at.y) < MIN_SPACING:
            # Which place it is may be a secret, so the message does not name it.
            message = f"Another place lies less than {MIN_SPACING:.0f} units away."
            raise _refusal("story_place_too_close", message, "at", (str(at.x), str(at.y)))
    return at


def _found(model: StoryMap, near: str, water: Water, stream: Stream) -> StorySpot:
    beside = _place(model, near or model.start, "near")
    taken = [place.at for place in model.places]
    at = found_near(beside.at, taken, model.width, model.height, water, stream)
    if at is None:
        raise _refusal("story_sheet_full", "There is no room left on the sheet.", "near")
    return at


def discover(model: StoryMap, growth: StoryDiscoverPlace) -> StoryMap:
    """The map after players found a place; the rumored way to it becomes one to travel."""
    place = _place(model, growth.place)
    if place.known:
        raise _refusal("story_place_known", "Players know this place.", "place", place.id)
    if growth.sort is StoryPlaceSort.UNKNOWN:
        raise _refusal("story_unknown_choice", "A place is something.", "sort", growth.sort.value)
    taken = {other.name for other in model.places if other.id != place.id}
    found = replace(
        place,
        name=_name(growth.name, taken, "name") or place.name,
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
            paths.append(replace(path, sort=_fitting(model, other, found, water)))
        else:
            paths.append(path)
    return _with_place(replace(model, paths=tuple(paths)), found)


def add_force(model: StoryMap, growth: StoryAddForce) -> StoryMap:
    """The map with one more force."""
    _room(len(model.forces), MOST_FORCES, "forces")
    taken = {force.name for force in model.forces}
    name = _name(growth.name, taken, "name")
    if growth.peril and growth.known:
        message = "The force behind the peril is the game master's secret."
        raise _refusal("story_peril_is_secret", message, "known", True, False)
    for what, lines in (("facts", growth.facts), ("agents", growth.agents)):
        if len(lines) > MOST_LINES:
            raise _refusal("story_too_many", f"At most {MOST_LINES}.", what, len(lines), MOST_LINES)
    facts = tuple(_text(line, "facts", least=1) for line in growth.facts)
    agents = tuple(_text(line, "agents", least=1) for line in growth.agents)
    goal = _text(growth.goal, "goal")
    if growth.seat:
        _place(model, growth.seat, "seat")
    stream = Stream(model.seed, "growth", model.growth)
    older = [force.sort for force in model.forces]
    sort = growth.sort or forces.choose_sort(
        model.scale, model.tones, older, peril=growth.peril, stream=stream
    )
    drawn = forces.draw_force(
        sort,
        taken,
        stream,
        id=fresh_id(model.seed, "force", len(model.forces), {force.id for force in model.forces}),
        standing=StoryStanding.KNOWN if growth.known else StoryStanding.SECRET,
        brought=StoryBringer.PLAY,
        peril=growth.peril,
        seats=(),
    )
    force = replace(
        drawn,
        name=name or drawn.name,
        magnitude=growth.magnitude or drawn.magnitude,
        involvement=growth.involvement or drawn.involvement,
        ethic=growth.ethic or drawn.ethic,
        facts=facts or drawn.facts,
        goal=goal or drawn.goal,
        agents=agents or drawn.agents,
        seat=growth.seat,
    )
    return replace(model, forces=(*model.forces, force))


def link(model: StoryMap, start: str, end: str, sort: StoryPathSort | None) -> StoryMap:
    """The map with a way between two places."""
    _room(len(model.paths), MOST_PATHS, "paths")
    one, other = _place(model, start, "start"), _place(model, end, "end")
    if one.id == other.id:
        raise _refusal("story_path_to_itself", "A way leads to another place.", "end", end)
    if any({path.start, path.end} == {start, end} for path in model.paths):
        raise _refusal("story_path_exists", "There is a way between these places.", "end", end)
    fitting = _fitting(model, one, other, Water.of(model))
    if not (one.known and other.known):
        fitting = StoryPathSort.UNKNOWN
    chosen = sort or fitting
    if fitting is StoryPathSort.SEA and chosen in (StoryPathSort.ROAD, StoryPathSort.TRAIL):
        raise _refusal("story_path_over_water", "There is water between them.", "sort", chosen.value)
    return replace(model, paths=(*model.paths, StoryPath(start, end, chosen)))


def scribbled(model: StoryMap, sort: StoryTerrainSort, points: tuple[StorySpot, ...], name: str) -> StoryMap:
    """The map with one more stretch of terrain."""
    _room(len(model.terrains), MOST_TERRAINS, "terrains")
    label = _name(name, {one.name for one in model.terrains}, "name")
    least = 2 if sort is StoryTerrainSort.RIVER else 3
    if not least <= len(points) <= MOST_POINTS:
        allowed = (least, MOST_POINTS)
        raise _refusal(
            "story_out_of_range", "So many points make no terrain.", "points", len(points), allowed
        )
    for at in points:
        x_near = isfinite(at.x) and -model.width <= at.x <= 2 * model.width
        if not (x_near and isfinite(at.y) and -model.height <= at.y <= 2 * model.height):
            raise _refusal("story_terrain_off_sheet", "Terrain lies on or near the sheet.", "points")
    ring = tuple(StorySpot(round(float(at.x), 3), round(float(at.y), 3)) for at in points)
    one = StoryTerrain(f"terrain-{len(model.terrains) + 1}", sort, label, ring)
    grown = replace(model, terrains=(*model.terrains, one))
    if sort in WATERS:
        water = Water.of(grown)
        by_id = {place.id: (place.at.x, place.at.y) for place in model.places}
        before = Water.of(model)
        if any(water.at(*at) and not before.at(*at) for at in by_id.values()):
            raise _refusal("story_place_under_water", "A place would lie in the water.", "points")
        land_ways = (StoryPathSort.ROAD, StoryPathSort.TRAIL)
        if any(
            water.between(by_id[path.start], by_id[path.end])
            for path in model.paths
            if path.sort in land_ways
        ):
            raise _refusal("story_path_under_water", "A road or trail would lie in the water.", "points")
    return grown


def _place(model: StoryMap, id: str, what: str = "place") -> StoryPlace:
    place = model.place(id)
    if place is None:
        raise _refusal("story_no_such_place", "There is no such place.", what, id)
    return place


def _force(model: StoryMap, id: str) -> StoryForce:
    force = model.force(id)
    if force is None:
        raise _refusal("story_no_such_force", "There is no such force.", "force", id)
    return force


def _with_place(model: StoryMap, place: StoryPlace) -> StoryMap:
    return replace(model, places=tuple(place if one.id == place.id else one for one in model.places))


def _with_force(model: StoryMap, force: StoryForce) -> StoryMap:
    return replace(model, forces=tuple(force if one.id == force.id else one for one in model.forces))


def _noted(model: StoryMap, place: StoryPlace, text: str, secret: bool) -> StoryMap:
    if not text:
        return model
    _room(len(place.notes), MOST_NOTES, "notes")
    return _with_place(model, replace(place, notes=(*place.notes, StoryNote(text, secret))))


def _room(found: int, most: int, what: str) -> None:
    if found >= most:
        raise _refusal("story_too_many", f"A story map holds at most {most} {what}.", what, found, most)


def _name(name: str, taken: set[str], what: str) -> str:
    text = name.strip()
    if len(text) > LONGEST_NAME or not text.isprintable():
        message = f"A name is one line of at most {LONGEST_NAME} characters."
        raise _refusal("story_name_malformed", message, what, len(text), LONGEST_NAME)
    if text and text in taken:
        raise _refusal("story_name_taken", "Something else is called so.", what, text)
    return text


def _text(text: str, what: str, *, least: int = 0) -> str:
    text = text.strip()
    plain = text.replace("\n", " ").isprintable()
    if not least <= len(text) <= LONGEST_TEXT or not plain:
        message = f"A text has {least} to {LONGEST_TEXT} characters."
        raise _refusal("story_text_malformed", message, what, len(text), (least, LONGEST_TEXT))
    return text


def _refusal(code: str, message: str, what: str, found: Finding = None, allowed: Finding = None) -> _Refused:
    return _Refused(RuleProblem(code, message, "play", (what,), found, allowed))
