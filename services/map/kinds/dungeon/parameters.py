"""What a dungeon is made from, and what may be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from services.map.generation.limits import range_problems, title_problems
from services.rules.engine.problem import RuleProblem

SIDES = (21, 301)
ROOMS = (3, 600)
STAIRS_UP = (1, 3)
STAIRS_DOWN = (0, 4)
LONGEST_TITLE = 64
CELLS_FOR_A_ROOM = 60
"""Cells of the map, solid rock included, that each room asked for needs."""


class DungeonTheme(StrEnum):
    """What the place was built for.

    Attributes:
        CRYPT: A burial place.
        MINE: Galleries after ore, with props and rails.
        TEMPLE: A holy place of columns and altars.
        PRISON: Cells and who keeps them.
        SEWER: Channels under a city.
        LABORATORY: Halls where somebody tried things out.
        KEEP: The rooms of a castle.
        WARREN: Burrows that were dug by claws.
    """

    CRYPT = "crypt"
    MINE = "mine"
    TEMPLE = "temple"
    PRISON = "prison"
    SEWER = "sewer"
    LABORATORY = "laboratory"
    KEEP = "keep"
    WARREN = "warren"


class DungeonDensity(StrEnum):
    """How close together the rooms lie.

    Attributes:
        SPARSE: Long ways between few rooms.
        NORMAL: As many rooms as ways to them ask for.
        DENSE: Rooms next to rooms.
    """

    SPARSE = "sparse"
    NORMAL = "normal"
    DENSE = "dense"


@dataclass(frozen=True, slots=True)
class DungeonParameters:
    """What a dungeon is made from.

    Attributes:
        width: Columns of five feet, 21 to 301.
        height: Rows of five feet, 21 to 301.
        theme: What the place was built for: it sets the shapes, doors, furniture, lights, traps and words.
        density: How close together the rooms lie.
        rooms: Rooms wanted, 3 to 600, or 0 to leave it to the density; fewer are made when no more fit. Each
            needs 60 cells of the map.
        loops: Ways besides those that are needed, for each room, 0 to 1. From eight rooms on there is always
            one at least.
        secrets: Share of the rooms with a single way in that are hidden behind secret doors, 0 to 1; a few
            secret ways are added in proportion.
        traps: Traps for each room, 0 to 1.
        lights: Share of the rooms that are lit, 0 to 1.
        flooded: Share of the rooms that stand under water, 0 to 1.
        furniture: How full the rooms are, 0 (bare) to 1 (crammed).
        stairs_up: Stairs up, 1 to 3; the first is the entrance.
        stairs_down: Stairs down, 0 to 4; the first is in or near the goal.
        title: Name of the dungeon, up to 64 characters, instead of a made one.
    """

    width: int = 51
    height: int = 51
    theme: DungeonTheme = DungeonTheme.CRYPT
    density: DungeonDensity = DungeonDensity.NORMAL
    rooms: int = 0
    loops: float = 0.3
    secrets: float = 0.35
    traps: float = 0.25
    lights: float = 0.5
    flooded: float = 0.06
    furniture: float = 0.5
    stairs_up: int = 1
    stairs_down: int = 1
    title: str = ""


_outside = partial(range_problems, "dungeon_parameter_out_of_range")


def check_parameters(parameters: DungeonParameters) -> tuple[RuleProblem, ...]:
    """Everything that is wrong with some parameters, with paths; nothing when they are fine."""
    problems = [
        *_outside("width", parameters.width, *SIDES),
        *_outside("height", parameters.height, *SIDES),
        *_outside("loops", parameters.loops, 0.0, 1.0),
        *_outside("secrets", parameters.secrets, 0.0, 1.0),
        *_outside("traps", parameters.traps, 0.0, 1.0),
        *_outside("lights", parameters.lights, 0.0, 1.0),
        *_outside("flooded", parameters.flooded, 0.0, 1.0),
        *_outside("furniture", parameters.furniture, 0.0, 1.0),
        *_outside("stairs_up", parameters.stairs_up, *STAIRS_UP),
        *_outside("stairs_down", parameters.stairs_down, *STAIRS_DOWN),
        *title_problems(parameters.title, "dungeon_title_malformed", LONGEST_TITLE),
    ]
    if parameters.rooms != 0:
        problems += _outside("rooms", parameters.rooms, *ROOMS)
    if not problems:
        most = parameters.width * parameters.height // CELLS_FOR_A_ROOM
        if parameters.rooms > most:
            message = f"A map of this size has room for {most} rooms."
            problems.append(
                RuleProblem(
                    "dungeon_too_many_rooms", message, "parameters", ("rooms",), parameters.rooms, most
                )
            )
    return tuple(problems)
