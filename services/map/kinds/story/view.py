"""A story map as clients read it: as in the map file, with spots as the map's play has them."""

from dataclasses import dataclass

from services.map.play.state import Spot
from services.rules.systems.fortunate_blades.story_map.model import StoryMap, StoryNote, StoryPath, StorySpot
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryDetail,
    StoryEthic,
    StoryForceSort,
    StoryInvolvement,
    StoryLandform,
    StoryMagnitude,
    StoryOrigin,
    StoryPlaceSort,
    StoryQuest,
    StoryScale,
    StoryStanding,
    StoryTerrainSort,
    StoryTone,
)


@dataclass(frozen=True, slots=True)
class StoryPlaceView:
    """A place of a story map.

    Attributes:
        id: Its id.
        name: Its name; empty for a place that players only heard of.
        sort: What it is; unknown for a place that players only heard of.
        at: Where it lies.
        detail: What it is like; none for a place that players only heard of.
        brought: Who or what brought it into the story.
        player: Number of the player it belongs to, from 1; 0 for none.
        known: Whether players know it.
        rumored: Whether players have heard that there is something.
        notes: What was written down about it, oldest first.
    """

    id: str
    name: str
    sort: StoryPlaceSort
    at: Spot
    detail: StoryDetail | None
    brought: StoryBringer
    player: int
    known: bool
    rumored: bool
    notes: tuple[StoryNote, ...]


@dataclass(frozen=True, slots=True)
class StoryTerrainView:
    """A stretch of terrain on a story map.

    Attributes:
        id: Its id.
        sort: What it is.
        name: Its name; may be empty.
        points: Its outline, or the line of a river downstream; it may run off the sheet.
    """

    id: str
    sort: StoryTerrainSort
    name: str
    points: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class StoryForceView:
    """A force of a story.

    Attributes:
        id: Its id.
        name: Its name.
        sort: What it is.
        magnitude: How much it weighs in the world, minor to heroic.
        involvement: How directly it takes a hand.
        ethic: What it holds by.
        facts: What is known of it.
        standing: Whether players know of it, or it is done with.
        brought: Who or what brought it into the story.
        seat: Id of the place it works from; empty for none.
        foe: Id of a force that it stands against; empty for none.
        peril: Whether it is behind the peril of the story; never told to players.
        goal: What it is really after; never told to players.
        agents: Through whom it acts; never told to players.
        ending: How it went out of the story.
    """

    id: str
    name: str
    sort: StoryForceSort
    magnitude: StoryMagnitude
    involvement: StoryInvolvement
    ethic: StoryEthic
    facts: tuple[str, ...]
    standing: StoryStanding
    brought: StoryBringer
    seat: str
    foe: str
    peril: bool
    goal: str
    agents: tuple[str, ...]
    ending: str


@dataclass(frozen=True, slots=True)
class StoryView:
    """A story map of Fortunate Blades.

    Attributes:
        title: Name of the story's corner of the world.
        scale: How much of the world the sheet shows.
        landform: How land and sea share it.
        origin: How the party came together.
        quest: What the party is after.
        tones: The tones of the story.
        players: How many players there are.
        width: Width of the sheet in units.
        height: Height of the sheet in units.
        sea_around: Whether the sheet is sea where no land is drawn.
        start: Id of the place where the story starts.
        places: The places, the start first.
        paths: The ways between them.
        terrains: The terrain, later stretches over earlier ones.
        forces: The forces.
    """

    title: str
    scale: StoryScale
    landform: StoryLandform
    origin: StoryOrigin
    quest: StoryQuest
    tones: tuple[StoryTone, ...]
    players: int
    width: float
    height: float
    sea_around: bool
    start: str
    places: tuple[StoryPlaceView, ...]
    paths: tuple[StoryPath, ...]
    terrains: tuple[StoryTerrainView, ...]
    forces: tuple[StoryForceView, ...]


def story_view(model: StoryMap) -> StoryView:
    """Show a story map, as its reader may know it."""
    return StoryView(
        title=model.title,
        scale=model.scale,
        landform=model.landform,
        origin=model.origin,
        quest=model.quest,
        tones=model.tones,
        players=model.players,
        width=model.width,
        height=model.height,
        sea_around=model.sea_around,
        start=model.start,
        places=tuple(
            StoryPlaceView(
                place.id,
                place.name,
                place.sort,
                _spot(place.at),
                place.detail,
                place.brought,
                place.player,
                place.known,
                place.rumored,
                place.notes,
            )
            for place in model.places
        ),
        paths=model.paths,
        terrains=tuple(
            StoryTerrainView(one.id, one.sort, one.name, tuple(map(_spot, one.points)))
            for one in model.terrains
        ),
        forces=tuple(
            StoryForceView(
                force.id,
                force.name,
                force.sort,
                force.magnitude,
                force.involvement,
                force.ethic,
                force.facts,
                force.standing,
                force.brought,
                force.seat,
                force.foe,
                force.peril,
                force.goal,
                force.agents,
                force.ending,
            )
            for force in model.forces
        ),
    )


def _spot(at: StorySpot) -> Spot:
    return Spot(at.x, at.y)
