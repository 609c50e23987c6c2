"""What a story map is made from, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar

from services.rules.engine.problem import Finding, RuleProblem
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryLandform,
    StoryOrigin,
    StoryQuest,
    StoryScale,
    StoryTone,
)

LONGEST_TITLE = 48
MOST_TONES = 5

_LAND_SHARES = {
    StoryLandform.INLAND: 1.0,
    StoryLandform.COAST: 0.6,
    StoryLandform.ISLAND: 0.52,
    StoryLandform.ISLES: 0.42,
}
_ROOM = 135.0
"""Square units of land that a place needs."""
_RIM = 14
"""Units that both edges of the sheet together take from its width and height."""


@dataclass(frozen=True, slots=True)
class StoryParameters:
    """What a story map is made from.

    Attributes:
        players: How many players there are, 1 to 8; each brings a place of their background and one of their
            trade.
        scale: How much of the world the sheet shows: a village, a town, a region, a nation, a continent or
            the world; null for one that fits the party's origin and quest.
        landform: Inland, a coast, an island or isles; null for one that fits the scale.
        origin: How the party came together; null rolls a d10.
        quest: What the party is after; null rolls a d8.
        tones: Tones of the story, at most 5, all different; empty rolls three.
        places: Places that the game master adds, known to players, 0 to 16.
        unknown: Places that players do not know yet, 0 to 8.
        forces: Forces that players know at the start, 3 to 5.
        secret_forces: Forces that only the game master knows, 1 to 4; the first is behind the peril.
        width: Width of the sheet in units, 80 to 200.
        height: Height of the sheet in units, 60 to 160. A small sheet holds fewer places.
        title: A title instead of a made one, 1 to 48 characters; empty for a made one.
    """

    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = MappingProxyType(
        {
            "players": (1, 8),
            "places": (0, 16),
            "unknown": (0, 8),
            "forces": (3, 5),
            "secret_forces": (1, 4),
            "width": (80, 200),
            "height": (60, 160),
        }
    )

    players: int = 4
    scale: StoryScale | None = None
    landform: StoryLandform | None = None
    origin: StoryOrigin | None = None
    quest: StoryQuest | None = None
    tones: tuple[StoryTone, ...] = ()
    places: int = 3
    unknown: int = 3
    forces: int = 4
    secret_forces: int = 1
    width: int = 120
    height: int = 90
    title: str = ""

    @property
    def known_places(self) -> int:
        """Places that players know: the start, two a player, and the game master's."""
        return 1 + 2 * self.players + self.places


def room_for(width: int, height: int, landform: StoryLandform) -> int:
    """How many places a sheet of some units holds."""
    return int((width - _RIM) * (height - _RIM) * _LAND_SHARES[landform] / _ROOM)


def check(parameters: StoryParameters) -> tuple[RuleProblem, ...]:
    """Everything that is wrong with some parameters, with paths; cheap, whatever they are."""
    problems: list[RuleProblem] = []

    def add(code: str, message: str, path: tuple[str | int, ...], found: Finding, allowed: Finding) -> None:
        problems.append(RuleProblem(code, message, "parameters", path, found, allowed))

    for name, (low, high) in StoryParameters.RANGES.items():
        value = getattr(parameters, name)
        if type(value) is not int or not low <= value <= high:
            add("story_out_of_range", f"From {low} to {high}.", (name,), value, (low, high))
    choices: tuple[tuple[str, type[StrEnum]], ...] = (
        ("scale", StoryScale),
        ("landform", StoryLandform),
        ("origin", StoryOrigin),
        ("quest", StoryQuest),
    )
    for name, of in choices:
        value = getattr(parameters, name)
        if value is not None and not isinstance(value, of):
            add("story_unknown_choice", "There is no such choice.", (name,), value, tuple(of))
    for index, tone in enumerate(parameters.tones):
        if not isinstance(tone, StoryTone):
            add("story_unknown_choice", "There is no such tone.", ("tones", index), tone, tuple(StoryTone))
        elif tone in parameters.tones[:index]:
            add("story_tone_repeated", "Each tone once.", ("tones", index), tone, None)
    if len(parameters.tones) > MOST_TONES:
        message = "So many tones make no tone."
        add("story_too_many_tones", message, ("tones",), len(parameters.tones), MOST_TONES)
    title = parameters.title
    if len(title) > LONGEST_TITLE:
        message = f"At most {LONGEST_TITLE} characters."
        add("story_title_too_long", message, ("title",), len(title), LONGEST_TITLE)
    if title and (not title.isprintable() or not title.strip()):
        add("story_title_unprintable", "A title is a line of printable text.", ("title",), title, None)
    if not problems:
        wanted = parameters.known_places + parameters.unknown
        landform = parameters.landform or StoryLandform.INLAND
        most = room_for(parameters.width, parameters.height, landform)
        if wanted > most:
            message = "So many places have no room on the sheet; make it larger."
            add("story_sheet_too_small", message, ("width",), wanted, most)
    return tuple(problems)
