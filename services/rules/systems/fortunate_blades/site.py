"""A stored story map as a campaign is set on it: the map's own document, both ways.

The keeper of the map hands it over so when a campaign begins there, and takes it so while the campaign goes
on: the places and forces of the story as they are now, secret ones too. Where a place lies is the map's.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.codec import Codec


@dataclass(frozen=True, slots=True, kw_only=True)
class StorySitePlace:
    """A place of the story.

    Attributes:
        key: Its id on the map; of a place that came to the story later, one that stays the same.
        name: What it is called.
        text: What is told of it.
        detail: What it is like, in a word of the story map; empty where nobody has said.
        known: Whether players know it.
        player: Number of the player who brought it, from 1; 0 for none.
        start: Whether it is the centre of the map.
    """

    key: str
    name: str
    text: str = ""
    detail: str = ""
    known: bool = True
    player: int = 0
    start: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StorySiteForce:
    """A force of the story.

    Attributes:
        key: Its id on the map; of a force that came to the story later, one that stays the same.
        name: What it is called.
        magnitude: How much it weighs in the world, in a word of the story map.
        text: What is told of it.
        goal: What it really wants; the game master's alone.
        known: Whether players know of it.
        settled: Whether it has no more part in the story.
        seat: Key of the place that it works from; empty for none.
    """

    key: str
    name: str
    magnitude: str
    text: str = ""
    goal: str = ""
    known: bool = True
    settled: bool = False
    seat: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StorySite:
    """A story with what stands on its map.

    Attributes:
        players: How many heroes are of the party; 0 for none yet.
        origin: How the party came together, in a word of the story map; empty while that is open.
        quest: What the party is after, likewise.
        tones: The tones of the story, likewise.
        places: Its places.
        forces: Its forces.
    """

    players: int = 0
    origin: str = ""
    quest: str = ""
    tones: tuple[str, ...] = ()
    places: tuple[StorySitePlace, ...] = ()
    forces: tuple[StorySiteForce, ...] = ()


STORY_SITE_CODEC: Codec[StorySite] = Codec(StorySite, "fortunate_blades/story-site")
