"""Makes dungeons: parameters to a grid map that is ready to be inspected.

    parameters -> plan (rooms, ways, doors, shapes) -> roster (roles, names)
    -> outfit (furniture, lights, traps) -> keys (doors, notes) -> GridMap

Every stage draws from a stream of its own, so that none disturbs another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.map.generation.gate import GateReport
from services.map.generation.grid.canonical import from_data, to_bytes
from services.map.generation.grid.model import Door, GridKind, GridMap, Passage, Room
from services.map.generation.grid.secrets import for_players
from services.map.kinds.dungeon.carving import CROSS, OCTAGON, ROUGH, ROUND
from services.map.kinds.dungeon.gates import inspect_dungeon
from services.map.kinds.dungeon.keys import make_doors, make_notes
from services.map.kinds.dungeon.naming import Words, made_title
from services.map.kinds.dungeon.outfit import Outfit, make_outfit
from services.map.kinds.dungeon.parameters import DungeonParameters, check_parameters
from services.map.kinds.dungeon.plan import Plan, make_plan
from services.map.kinds.dungeon.roster import Roster, make_roster
from services.map.kinds.dungeon.themes import THEMES
from services.rules.engine.codec import Codec
from services.rules.engine.problem import RuleProblem

GENERATOR_VERSION = 1

_SHAPE_TAGS = {OCTAGON: "octagon", ROUND: "round", CROSS: "cross", ROUGH: "rough"}


def _rooms(plan: Plan, roster: Roster, outfit: Outfit, notes: list[tuple[str, ...]]) -> tuple[Room, ...]:
    spans: dict[int, list[tuple[int, int, int]]] = {}
    for room, y, first, last in plan.spans.tolist():
        spans.setdefault(room, []).append((y, first, last))
    boxes, shapes, hidden = plan.boxes.tolist(), plan.shapes.tolist(), plan.hidden.tolist()
    rooms = []
    for number, room in enumerate(roster.order, 1):
        x, y, width, height = boxes[room]
        tags = outfit.features[room]
        if shapes[room]:
            tags = (_SHAPE_TAGS[shapes[room]], *tags)
        if hidden[room]:
            tags = (*tags, "secret")
        rooms.append(
            Room(
                f"room-{number}",
                number,
                x,
                y,
                width,
                height,
                roster.names[room],
                roster.roles[room],
                tags,
                notes[room],
                tuple(spans.get(room, ())),
            )
        )
    return tuple(rooms)


def _passages(plan: Plan, roster: Roster, doors: tuple[Door, ...]) -> tuple[Passage, ...]:
    numbers = roster.numbers
    ids = [door.id for door in doors]
    return tuple(
        Passage(
            f"room-{numbers[a]}",
            f"room-{numbers[b]}",
            tuple([ids[door] for door in on_way if door >= 0]),
            secret == 1,
        )
        for a, b, *on_way, secret in plan.ways.tolist()
    )


class DungeonGenerator:
    """Makes dungeons, rooms and corridors on an odd lattice; see `services.map.generation.kind.Generator`."""

    slug = "dungeon"
    generator_version = GENERATOR_VERSION
    codec = Codec(DungeonParameters, "hearthforge/dungeon-parameters")
    secretive = True

    def check(self, parameters: DungeonParameters) -> tuple[RuleProblem, ...]:
        """Everything that is wrong with some parameters, with paths."""
        return check_parameters(parameters)

    def draw(self, parameters: DungeonParameters, seed: int, attempt: int) -> GridMap:
        """One attempt at a dungeon."""
        theme = THEMES[parameters.theme]
        plan = make_plan(parameters, theme, seed, attempt)
        choices = Words(seed, "dungeon words", attempt)
        title = made_title(theme, choices)
        roster = make_roster(plan, theme, choices)
        outfit = make_outfit(parameters, theme, plan, roster, seed, attempt)
        doors = make_doors(plan, theme, roster, choices)
        notes = make_notes(plan, theme, roster, outfit, doors, choices)
        return GridMap(
            kind=GridKind.DUNGEON,
            generator_version=GENERATOR_VERSION,
            seed=seed,
            attempt=attempt,
            title=parameters.title or title,
            theme=parameters.theme.value,
            width=parameters.width,
            height=parameters.height,
            cells=plan.cells.tobytes(),
            rooms=_rooms(plan, roster, outfit, notes),
            passages=_passages(plan, roster, doors),
            doors=doors,
            traps=outfit.traps,
            stairs=outfit.stairs,
            lights=outfit.lights,
            props=outfit.props,
            entrance=outfit.entrance,
            goal=outfit.goal,
        )

    def inspect(self, model: GridMap) -> GateReport:
        """Runs every gate over a dungeon."""
        return inspect_dungeon(model)

    def title(self, model: GridMap) -> str:
        """The dungeon's name."""
        return model.title

    def to_bytes(self, model: GridMap) -> bytes:
        """The map file."""
        return to_bytes(model)

    def from_data(self, data: Mapping[str, Any]) -> GridMap:
        """The map whose file was read.

        Raises:
            MapFileError: The data is no grid map of this format.
        """
        return from_data(data)

    def for_players(self, model: GridMap) -> GridMap:
        """The map without what only the game master knows."""
        return for_players(model)


GENERATOR = DungeonGenerator()


def warm() -> None:
    """Compiles every kernel, or loads it from the cache on disk, by making one small dungeon."""
    model = GENERATOR.draw(DungeonParameters(width=41, height=41), 1, 0)
    GENERATOR.inspect(model)
    GENERATOR.to_bytes(model)
