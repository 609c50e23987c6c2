"""What a battle map is made from, and what of it is possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar

from services.rules.engine.problem import Finding, RuleProblem

LONGEST_TITLE = 48
RIVER_SIDE = 20
"""Cells along the shorter side that a river needs."""

ROOM_BESIDE = 6
"""Cells along the longer side that have to be left for the start zones themselves."""


class Site(StrEnum):
    """What kind of place is fought over.

    Attributes:
        DUNGEON_ROOM: One large hall under the earth, dark at every hour.
        ROAD: A road across open country.
        VILLAGE: Houses that can be entered, around a green.
        RUIN: A broken building, open to the sky.
        FOREST: Trees, clearings and undergrowth.
    """

    DUNGEON_ROOM = "dungeon-room"
    ROAD = "road"
    VILLAGE = "village"
    RUIN = "ruin"
    FOREST = "forest"


class Hour(StrEnum):
    """When it is fought over; it says how much light there is where nothing shines.

    Attributes:
        DAY: Bright light everywhere in the open.
        DUSK: Dim light everywhere in the open; some windows are lit.
        NIGHT: Dark but for lamps and fires.
    """

    DAY = "day"
    DUSK = "dusk"
    NIGHT = "night"


class Cover(StrEnum):
    """How much there is to hide behind.

    Attributes:
        SPARSE: About half as much as is common.
        NORMAL: The common measure.
        DENSE: About half as much again as is common.
    """

    SPARSE = "sparse"
    NORMAL = "normal"
    DENSE = "dense"


class Water(StrEnum):
    """What water there is.

    Attributes:
        NONE: All of it is dry.
        POND: One still water.
        STREAM: A narrow water to wade through.
        RIVER: A broad water with a bridge and fords.
    """

    NONE = "none"
    POND = "pond"
    STREAM = "stream"
    RIVER = "river"


class Relief(StrEnum):
    """How the ground lies.

    Attributes:
        FLAT: The ground is level.
        HILLY: It rises and falls in steps of five feet.
    """

    FLAT = "flat"
    HILLY = "hilly"


class Season(StrEnum):
    """When in the year; it changes looks, and ice stands for shallow water in winter.

    Attributes:
        SPRING: Flowers between fresh green.
        SUMMER: Bushes and full leaves.
        AUTUMN: Mushrooms and turning leaves.
        WINTER: Bare ground; shallow water is ice.
    """

    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"


@dataclass(frozen=True, slots=True)
class BattleParameters:
    """What a battle map is made from.

    Attributes:
        site: The kind of place: a dungeon-room, a road, a village, a ruin or a forest.
        width: Columns of five feet, 12 to 100.
        height: Rows of five feet, 12 to 100.
        hour: Day, dusk or night. A dungeon-room is dark at every hour.
        season: Spring, summer, autumn or winter.
        cover: How much there is to hide behind: sparse, normal or dense.
        water: None, a pond, a stream, or a river with a bridge and fords; a river needs 20 cells on the
            shorter side and the open air.
        relief: Flat or hilly; hilly ground has steps of five feet, and ledges that nobody walks up.
        start_distance: Least distance between the two start zones, in percent of the longer side, 40 to 70;
            6 cells of that side have to be left over.
        start_cells: Cells of each start zone, 8 to 24; in a narrow place it comes out smaller, never below 8.
        title: A title instead of a made one, 1 to 48 characters; empty for a made one.
    """

    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = MappingProxyType(
        {"width": (12, 100), "height": (12, 100), "start_distance": (40, 70), "start_cells": (8, 24)}
    )

    site: Site = Site.ROAD
    width: int = 30
    height: int = 24
    hour: Hour = Hour.DAY
    season: Season = Season.SUMMER
    cover: Cover = Cover.NORMAL
    water: Water = Water.NONE
    relief: Relief = Relief.FLAT
    start_distance: int = 45
    start_cells: int = 12
    title: str = ""

    @property
    def apart(self) -> int:
        """Cells that lie at least between the two start zones."""
        return -(-max(self.width, self.height) * self.start_distance // 100)


def check(parameters: BattleParameters) -> tuple[RuleProblem, ...]:
    """Everything that is wrong with some parameters, with paths; cheap, whatever they are."""
    problems: list[RuleProblem] = []

    def add(code: str, message: str, path: str, found: Finding, allowed: Finding) -> None:
        problems.append(RuleProblem(code, message, "parameters", (path,), found, allowed))

    for name, (low, high) in BattleParameters.RANGES.items():
        value = getattr(parameters, name)
        if not low <= value <= high:
            add("battle_parameter_out_of_range", f"{name} is {low} to {high}.", name, value, (low, high))
    if not problems:
        _combinations(parameters, add)
    title = parameters.title
    if title and (not title.strip() or len(title) > LONGEST_TITLE):
        message = f"A title has 1 to {LONGEST_TITLE} characters."
        add("battle_title_length", message, "title", len(title), (1, LONGEST_TITLE))
    if not title.isprintable():
        message = "A title is one line of printable characters."
        add("battle_title_characters", message, "title", ascii(title), None)
    return tuple(problems)


def _combinations(
    parameters: BattleParameters, add: Callable[[str, str, str, Finding, Finding], None]
) -> None:
    """Notes what is possible by itself but not together."""
    longer = max(parameters.width, parameters.height)
    if longer - parameters.apart < ROOM_BESIDE:
        message = "The start zones have no room beside this distance."
        most = (longer - ROOM_BESIDE) * 100 // longer
        add("battle_starts_do_not_fit", message, "start_distance", parameters.start_distance, (40, most))
    if parameters.water is Water.RIVER:
        shorter = min(parameters.width, parameters.height)
        dry = tuple(water.value for water in Water if water is not Water.RIVER)
        if parameters.site is Site.DUNGEON_ROOM:
            message = "A river does not flow through a dungeon room."
            add("battle_water_does_not_fit", message, "water", parameters.water.value, dry)
        elif shorter < RIVER_SIDE:
            message = f"A river needs {RIVER_SIDE} cells on the shorter side."
            add("battle_water_does_not_fit", message, "water", parameters.water.value, dry)
