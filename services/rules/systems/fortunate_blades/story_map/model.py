"""The model of a story map: places, the ways between them, scribbled terrain and the forces of the story.

Positions are in units of the sheet, x to the east from its left edge and y to the south from its top edge,
with at most three decimals. Lists keep the order in which things came to the map: play only adds to their
ends. (Fortunate Blades, "The Map", "Places", "Place Details", "Forces".)
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryDetail,
    StoryEthic,
    StoryForceSort,
    StoryInvolvement,
    StoryLandform,
    StoryMagnitude,
    StoryOrigin,
    StoryPathSort,
    StoryPlaceSort,
    StoryQuest,
    StoryScale,
    StoryStanding,
    StoryTerrainSort,
    StoryTone,
)

WATERS = frozenset((StoryTerrainSort.SEA, StoryTerrainSort.LAKE))
"""What nobody walks over, unless land is scribbled on it later."""


@dataclass(frozen=True, slots=True)
class StorySpot:
    """A spot on the sheet.

    Attributes:
        x: Units east of its left edge.
        y: Units south of its top edge.
    """

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class StoryNote:
    """A note about a place.

    Attributes:
        text: What it says.
        secret: Whether only the game master reads it.
    """

    text: str
    secret: bool = False


@dataclass(frozen=True, slots=True)
class StoryPlace:
    """A mark on the map.

    Attributes:
        id: Tells nothing of how many places there are.
        name: Its name; empty in the players' version of a place that they only heard of.
        sort: What it is.
        at: Where it lies.
        detail: What it is like; none in the players' version of a place that they only heard of.
        brought: Who or what brought it into the story.
        player: Number of the player whose background or trade it belongs to, from 1; else 0.
        known: Whether players know it.
        rumored: Whether players have heard that there is something, though they do not know it.
        notes: What was written down about it, oldest first.
    """

    id: str
    name: str
    sort: StoryPlaceSort
    at: StorySpot
    detail: StoryDetail | None
    brought: StoryBringer
    player: int = 0
    known: bool = True
    rumored: bool = False
    notes: tuple[StoryNote, ...] = ()


@dataclass(frozen=True, slots=True)
class StoryPath:
    """A way between two places, for both directions.

    Attributes:
        start: Id of the one place.
        end: Id of the other.
        sort: How one travels on it.
    """

    start: str
    end: str
    sort: StoryPathSort


@dataclass(frozen=True, slots=True)
class StoryTerrain:
    """A stretch of terrain.

    Attributes:
        id: `terrain-1`, ...
        sort: What it is.
        name: Its name; may be empty.
        points: Its outline, or the line of a river downstream; it may run off the sheet, where it is cut off.
    """

    id: str
    sort: StoryTerrainSort
    name: str
    points: tuple[StorySpot, ...]


@dataclass(frozen=True, slots=True)
class StoryForce:
    """A force of the story.

    Attributes:
        id: Tells nothing of how many forces there are.
        name: Its name.
        sort: What it is.
        magnitude: How much it weighs in the world.
        involvement: How directly it takes a hand.
        ethic: What it holds by.
        facts: What is known of it, a sentence each.
        standing: Whether players know of it.
        brought: Who or what brought it into the story.
        seat: Id of the place it works from; empty for none.
        foe: Id of a force that it stands against; empty for none.
        peril: Whether it is behind the peril of the story; for the game master.
        goal: What it is really after; for the game master.
        agents: Through whom it acts; for the game master.
        ending: How it went out of the story; empty while it has not.
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
    seat: str = ""
    foe: str = ""
    peril: bool = False
    goal: str = ""
    agents: tuple[str, ...] = ()
    ending: str = ""


@dataclass(frozen=True, slots=True)
class StoryMap:
    """A story map.

    Attributes:
        seed: What it is drawn from; 0 in the players' version.
        attempt: Which sub-seed passed the gates, from 0.
        title: Name of the story's corner of the world.
        scale: How much of the world the sheet shows.
        landform: How land and sea share it.
        origin: How the party came together.
        quest: What the party is after.
        tones: The tones of the story.
        players: How many players there are.
        asked_places: Known places that were asked for, the start among them.
        asked_unknown: Unknown places that were asked for; 0 in the players' version.
        width: Width of the sheet in units.
        height: Height of the sheet in units.
        sea_around: Whether the sheet is sea where no land is scribbled.
        start: Id of the place where the story starts.
        places: The places, the start first.
        paths: The ways between them.
        terrains: The terrain, later stretches over earlier ones.
        forces: The forces.
        growth: How often play has added to it; 0 in the players' version.
        generator_version: The version of the generator that made it.
    """

    seed: int
    attempt: int
    title: str
    scale: StoryScale
    landform: StoryLandform
    origin: StoryOrigin
    quest: StoryQuest
    tones: tuple[StoryTone, ...]
    players: int
    asked_places: int
    asked_unknown: int
    width: float
    height: float
    sea_around: bool
    start: str
    places: tuple[StoryPlace, ...]
    paths: tuple[StoryPath, ...]
    terrains: tuple[StoryTerrain, ...]
    forces: tuple[StoryForce, ...]
    growth: int = 0
    generator_version: int = 0

    def place(self, id: str) -> StoryPlace | None:
        """The place with an id."""
        return next((place for place in self.places if place.id == id), None)

    def force(self, id: str) -> StoryForce | None:
        """The force with an id."""
        return next((force for force in self.forces if force.id == id), None)
