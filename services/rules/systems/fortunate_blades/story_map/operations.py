"""What a table may want to add to a story map or change on it, as plain values.

`services.map.kinds.story.growth` carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.systems.fortunate_blades.story_map.model import StorySpot
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryDetail,
    StoryEthic,
    StoryForceSort,
    StoryInvolvement,
    StoryMagnitude,
    StoryPathSort,
    StoryPlaceSort,
    StoryTerrainSort,
)


@dataclass(frozen=True, slots=True)
class StoryAddPlace:
    """Draws a new place on a story map, with a way to it.

    Attributes:
        name: Its name, up to 40 characters; empty for a made one.
        sort: What it is; without, what fits the map.
        detail: What it is like; without, it is rolled.
        at: Where it lies; without, a free spot near another place is found.
        near: Id of the place that it is found near; empty for the start.
        known: Whether players know it.
        rumored: Whether players have heard of a place that they do not know.
        brought: Who or what brings it into the story.
        player: Number of the player it belongs to, 1 to 8; 0 for none.
        note: A first note about it, up to 400 characters; empty for none.
    """

    name: str = ""
    sort: StoryPlaceSort | None = None
    detail: StoryDetail | None = None
    at: StorySpot | None = None
    near: str = ""
    known: bool = True
    rumored: bool = False
    brought: StoryBringer = StoryBringer.PLAY
    player: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class StoryDiscoverPlace:
    """Lets players find a place of a story map that they did not know.

    Attributes:
        place: Its id.
        name: Another name than the one it has; empty to keep that.
        sort: What it turns out to be, where that is something else.
        detail: What it turns out to be like, where that is something else.
    """

    place: str
    name: str = ""
    sort: StoryPlaceSort | None = None
    detail: StoryDetail | None = None


@dataclass(frozen=True, slots=True)
class StoryNotePlace:
    """Writes something down about a place of a story map.

    Attributes:
        place: Its id.
        text: What, 1 to 400 characters.
        secret: Whether only the game master reads it.
    """

    place: str
    text: str
    secret: bool = False


@dataclass(frozen=True, slots=True)
class StoryChangePlace:
    """Changes what a place of a story map is like: war comes over it, or its people leave.

    Attributes:
        place: Its id.
        detail: What it is like now.
        note: What happened, up to 400 characters; empty for no note.
    """

    place: str
    detail: StoryDetail
    note: str = ""


@dataclass(frozen=True, slots=True)
class StoryAddForce:
    """Brings a force into a story; what is left out is rolled.

    Attributes:
        name: Its name, up to 40 characters; empty for a made one.
        sort: What it is.
        magnitude: How much it weighs in the world, minor to heroic.
        involvement: How directly it takes a hand.
        ethic: What it holds by.
        facts: What is known of it, up to 8 texts of 400 characters; empty for made ones.
        known: Whether players know of it.
        goal: What it is really after, for the game master, up to 400 characters.
        agents: Through whom it acts, for the game master, up to 8 texts of 400 characters.
        peril: Whether it is behind the peril of the story; then players do not know of it.
        seat: Id of the place it works from; empty for none.
    """

    name: str = ""
    sort: StoryForceSort | None = None
    magnitude: StoryMagnitude | None = None
    involvement: StoryInvolvement | None = None
    ethic: StoryEthic | None = None
    facts: tuple[str, ...] = ()
    known: bool = True
    goal: str = ""
    agents: tuple[str, ...] = ()
    peril: bool = False
    seat: str = ""


@dataclass(frozen=True, slots=True)
class StoryRevealForce:
    """Tells players of a secret force; its goal and its agents stay the game master's.

    Attributes:
        force: Its id.
    """

    force: str


@dataclass(frozen=True, slots=True)
class StoryRemoveForce:
    """Strikes a force off the story; the map keeps a record of it.

    Attributes:
        force: Its id.
        ending: How it ended, up to 400 characters: beaten, fled from, at peace.
    """

    force: str
    ending: str = ""


@dataclass(frozen=True, slots=True)
class StoryLinkPlaces:
    """Draws a way between two places of a story map.

    Attributes:
        start: Id of the one place.
        end: Id of the other.
        sort: How one travels; without, what fits the land between.
    """

    start: str
    end: str
    sort: StoryPathSort | None = None


@dataclass(frozen=True, slots=True)
class StoryScribble:
    """Scribbles terrain on a story map. No place may come to lie in water, and no road or trail.

    Attributes:
        sort: What it is.
        points: Its outline of 3 to 200 spots, or the line of a river of 2 or more, not far off the sheet.
        name: Its name, up to 40 characters; may be empty.
    """

    sort: StoryTerrainSort
    points: tuple[StorySpot, ...]
    name: str = ""


StoryGrowth = (
    StoryAddPlace
    | StoryDiscoverPlace
    | StoryNotePlace
    | StoryChangePlace
    | StoryAddForce
    | StoryRevealForce
    | StoryRemoveForce
    | StoryLinkPlaces
    | StoryScribble
)
STORY_GROWTH: tuple[type[StoryGrowth], ...] = (
    StoryAddPlace,
    StoryDiscoverPlace,
    StoryNotePlace,
    StoryChangePlace,
    StoryAddForce,
    StoryRevealForce,
    StoryRemoveForce,
    StoryLinkPlaces,
    StoryScribble,
)
"""The operations, for whoever reflects them into another language."""
