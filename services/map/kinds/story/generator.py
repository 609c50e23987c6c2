"""Makes story maps: parameters and seed to a model, and the kind of map that this is.

    origin, quest, scale -> shores -> sites -> ways -> scenery -> what places are -> forces -> StoryMap

Every stage of an attempt has a stream of its own; every place, name and force has one too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Any

from services.map.generation.gate import GateReport
from services.map.generation.stream import Stream
from services.map.kinds.story import gates
from services.map.kinds.story.canonical import from_data, to_bytes
from services.map.kinds.story.growth import grow
from services.map.kinds.story.ids import fresh_id
from services.map.kinds.story.land import Water, around, shores
from services.map.kinds.story.parameters import StoryParameters, check, room_for
from services.map.kinds.story.scenery import scribble
from services.map.kinds.story.sites import lay_sites
from services.map.kinds.story.ways import Join, join, sort_of
from services.rules.engine.chance import weighted
from services.rules.engine.codec import Codec
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.fortunate_blades.story_map import details, forces, places, premise
from services.rules.systems.fortunate_blades.story_map.model import (
    StoryForce,
    StoryMap,
    StoryNote,
    StoryPath,
    StoryPlace,
    StorySpot,
    StoryTerrain,
)
from services.rules.systems.fortunate_blades.story_map.names import place_name, story_title, terrain_name
from services.rules.systems.fortunate_blades.story_map.operations import StoryAddPlace
from services.rules.systems.fortunate_blades.story_map.secrets import for_players
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryDetail,
    StoryLandform,
    StoryOrigin,
    StoryPathSort,
    StoryPlaceSort,
    StoryQuest,
    StoryScale,
    StoryStanding,
    StoryTerrainSort,
    StoryTone,
)

GENERATOR_VERSION = 1
"""Raised whenever the same seed and parameters would make another model."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a map is about, before anything is drawn."""

    origin: StoryOrigin
    quest: StoryQuest
    tones: tuple[StoryTone, ...]
    scale: StoryScale
    landform: StoryLandform


def draw(parameters: StoryParameters, seed: int, attempt: int) -> StoryMap:
    """One attempt at a story map."""
    frame = _frame(parameters, seed)
    width, height = float(parameters.width), float(parameters.height)
    sea_around, rings = shores(frame.landform, width, height, Stream(seed, "shores", attempt))
    coast = StoryTerrainSort.LAND if sea_around else StoryTerrainSort.SEA
    shore = tuple(StoryTerrain("", coast, "", ring) for ring in rings)
    water = Water(sea_around, shore)
    wanted = parameters.known_places + parameters.unknown
    sites = lay_sites(wanted, width, height, water, Stream(seed, "sites", attempt))
    hidden = _hidden(sites, parameters.unknown, Stream(seed, "unknown", attempt))
    joins = join(sites, hidden, water)
    stretches = scribble(
        frame.scale,
        width,
        height,
        water,
        sites,
        [(one.start, one.end) for one in joins],
        Stream(seed, "scenery", attempt),
    )
    terrains = _named_terrain([*((coast, ring) for ring in rings), *stretches], frame.scale, seed)
    by_site = _places(parameters, frame, sites, hidden, joins, terrains, seed)
    found = list(by_site.values())
    model = StoryMap(
        seed=seed,
        attempt=attempt,
        title=parameters.title or story_title(frame.scale, Stream(seed, "title")),
        scale=frame.scale,
        landform=frame.landform,
        origin=frame.origin,
        quest=frame.quest,
        tones=frame.tones,
        players=parameters.players,
        asked_places=parameters.known_places,
        asked_unknown=parameters.unknown,
        width=width,
        height=height,
        sea_around=sea_around,
        start=found[0].id,
        places=tuple(found),
        paths=_paths([by_site[i] for i in range(len(sites))], joins, terrains),
        terrains=terrains,
        forces=(),
        generator_version=GENERATOR_VERSION,
    )
    return _with_watchers(replace(model, forces=_forces(parameters, frame, found, seed)))


def _frame(parameters: StoryParameters, seed: int) -> _Frame:
    origin = parameters.origin or premise.rolled_origin(Stream(seed, "origin"))
    quest = parameters.quest or premise.rolled_quest(Stream(seed, "quest"))
    scale = parameters.scale or places.fitting_scale(origin, quest, Stream(seed, "scale"))
    tones = parameters.tones or premise.rolled_tones(Stream(seed, "tones"))
    wanted = parameters.known_places + parameters.unknown
    fitting = {
        form: weight
        for form, weight in premise.LANDFORMS[scale].items()
        if room_for(parameters.width, parameters.height, form) >= wanted
    }
    landform = parameters.landform
    if landform is None:
        landform = weighted(Stream(seed, "landform"), fitting) if fitting else StoryLandform.INLAND
    return _Frame(origin, quest, tones, scale, landform)


def _hidden(sites: Sequence[StorySpot], count: int, stream: Stream) -> frozenset[int]:
    """Which places players do not know: rather those far from the start."""
    start = sites[0]
    order = sorted(
        range(1, len(sites)),
        key=lambda i: (-hypot(sites[i].x - start.x, sites[i].y - start.y) * (25 + stream.below(76)), i),
    )
    return frozenset(order[: min(count, max(0, len(sites) - 1))])


def _named_terrain(
    stretches: Sequence[tuple[StoryTerrainSort, tuple[StorySpot, ...]]], scale: StoryScale, seed: int
) -> tuple[StoryTerrain, ...]:
    named: list[StoryTerrain] = []
    taken: set[str] = set()
    for number, (sort, points) in enumerate(stretches, 1):
        id = f"terrain-{number}"
        name = terrain_name(sort, scale, taken, Stream(seed, "names", id))
        taken.add(name)
        named.append(StoryTerrain(id, sort, name, points))
    return tuple(named)


def _places(
    parameters: StoryParameters,
    frame: _Frame,
    sites: Sequence[StorySpot],
    hidden: frozenset[int],
    joins: Sequence[Join],
    terrains: Sequence[StoryTerrain],
    seed: int,
) -> dict[int, StoryPlace]:
    """What is at each site, by its number: the start first, known places before unknown ones."""
    aboard = {i for one in joins if one.wet and not one.unknown for i in (one.start, one.end)}
    order = [i for i in range(len(sites)) if i not in hidden] + sorted(hidden)
    found: dict[int, StoryPlace] = {}
    sorts: list[StoryPlaceSort] = []
    told: list[StoryDetail] = []
    names: set[str] = set()
    ids: set[str] = set()
    for turn, number in enumerate(order):
        stream = Stream(seed, "place", turn)
        terrain = around(sites[number], terrains)
        brought, player = premise.bringer(turn, frame.origin, parameters.players, hidden=number in hidden)
        if turn == 0:
            sort = places.start_sort(frame.scale, frame.origin, stream)
        else:
            sort = places.choose_sort(frame.scale, frame.tones, terrain, brought, sorts, stream)
            if number in aboard and sort not in premise.NO_PORTS:
                sort = StoryPlaceSort.PORT
        detail = details.choose_detail(sort, frame.scale, frame.tones, terrain, told, stream)
        name = place_name(sort, frame.scale, names, Stream(seed, "names", "place", turn))
        id = fresh_id(seed, "place", turn, ids)
        known = number not in hidden
        rumored = not known and stream.below(4) < premise.RUMORED
        note = StoryNote(details.hook(detail, stream), secret=not known)
        found[number] = StoryPlace(
            id, name, sort, sites[number], detail, brought, player, known, rumored, (note,)
        )
        sorts.append(sort)
        told.append(detail)
        names.add(name)
        ids.add(id)
    return {number: found[number] for number in order}


def _paths(
    laid: Sequence[StoryPlace], joins: Sequence[Join], terrains: Sequence[StoryTerrain]
) -> tuple[StoryPath, ...]:
    """The paths, given the place of each site by the site's number."""
    paths: list[StoryPath] = []
    for one in joins:
        start, end = laid[one.start], laid[one.end]
        sort = StoryPathSort.UNKNOWN
        if not one.unknown:
            sort = sort_of(one.wet, (start.at, start.sort), (end.at, end.sort), terrains)
        paths.append(StoryPath(start.id, end.id, sort))
    return tuple(paths)


def _forces(
    parameters: StoryParameters, frame: _Frame, found: Sequence[StoryPlace], seed: int
) -> tuple[StoryForce, ...]:
    """The forces: the one that the party's origin brings, others that players know, the secret ones."""
    drawn: list[StoryForce] = []
    seats = [place.id for place in found if place.known]
    for number in range(parameters.forces + parameters.secret_forces):
        stream = Stream(seed, "force", number)
        secret = number >= parameters.forces
        peril = number == parameters.forces
        sort = forces.origin_force(frame.origin, stream) if number == 0 else None
        brought = StoryBringer.GM if sort is None else StoryBringer.ORIGIN
        if sort is None:
            taken = [force.sort for force in drawn]
            sort = forces.choose_sort(frame.scale, frame.tones, taken, peril=peril, stream=stream)
        drawn.append(
            forces.draw_force(
                sort,
                {force.name for force in drawn},
                stream,
                id=fresh_id(seed, "force", number, {force.id for force in drawn}),
                standing=StoryStanding.SECRET if secret else StoryStanding.KNOWN,
                brought=brought,
                peril=peril,
                seats=[place.id for place in found] if secret else seats,
            )
        )
    stream = Stream(seed, "foes")
    known = [force.id for force in drawn[: parameters.forces]]
    return tuple(replace(force, foe=stream.choice([id for id in known if id != force.id])) for force in drawn)


def _with_watchers(model: StoryMap) -> StoryMap:
    """The map with a secret note at the place that the force behind the peril works from."""
    peril = next(force for force in model.forces if force.peril)
    if not peril.seat:
        return model
    note = StoryNote(f"{peril.name} works from here, through {peril.agents[0]}.", secret=True)
    return replace(
        model,
        places=tuple(
            replace(place, notes=(*place.notes, note)) if place.id == peril.seat else place
            for place in model.places
        ),
    )


class StoryGenerator:
    """Makes story maps; see `services.map.generation.kind.Generator`. Forces and places may be secret."""

    slug = "story"
    generator_version = GENERATOR_VERSION
    codec: Codec[StoryParameters] = Codec(StoryParameters, "map/story-parameters")
    secretive = True

    def check(self, parameters: StoryParameters) -> tuple[RuleProblem, ...]:
        """Everything that is wrong with some parameters."""
        return check(parameters)

    def draw(self, parameters: StoryParameters, seed: int, attempt: int) -> StoryMap:
        """One attempt."""
        return draw(parameters, seed, attempt)

    def inspect(self, model: StoryMap) -> GateReport:
        """Runs every gate, the growth by one place included."""
        report = gates.inspect(model)
        grown = grow(model, StoryAddPlace())
        if isinstance(grown, Problems):
            return report
        return GateReport((*report.gates, gates.inspect_growth(model, grown)), report.figures)

    def title(self, model: StoryMap) -> str:
        """The name of the story's corner of the world."""
        return model.title

    def to_bytes(self, model: StoryMap) -> bytes:
        """The map file."""
        return to_bytes(model)

    def from_data(self, data: Mapping[str, Any]) -> StoryMap:
        """The map whose file was read."""
        return from_data(data)

    def for_players(self, model: StoryMap) -> StoryMap:
        """The map without what only the game master knows."""
        return for_players(model)


GENERATOR = StoryGenerator()
