"""What a theme consists of: shapes, doors, lights, dangers, and what its rooms were for."""

from __future__ import annotations

from dataclasses import dataclass

from services.map.generation.grid.model import DoorKind
from services.map.generation.grid.terrain import Terrain


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a room is or was for.

    Attributes:
        name: Of the room, in title case.
        notes: Sentences for the game master; one of them is told.
        props: What stands along its walls, drawn again and again.
        middle: What stands in its middle, or nothing.
        rows: Whether what is along the walls stands in two even rows.
        least: Cells the room needs.
    """

    name: str
    notes: tuple[str, ...]
    props: tuple[str, ...] = ()
    middle: str = ""
    rows: bool = False
    least: int = 0


@dataclass(frozen=True, slots=True)
class LightKind:
    """A source of light.

    Attributes:
        kind: What shines.
        bright: Cells of bright light around it.
        dim: Cells of light at all.
        color: As "#rrggbb".
        standing: Whether it stands on the floor instead of hanging on the wall.
    """

    kind: str
    bright: float
    dim: float
    color: str
    standing: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme.

    Attributes:
        titles: Forms of the dungeon's name; `{name}` is a made name, `{epithet}` an epithet.
        epithets: What the place is called by.
        shapes: Per mille of octagons, round rooms, crosses and rough rooms.
        winding: 0 for straight corridors; the more, the more they wind.
        snug: Share of rooms that may share a wall with another one, per mille.
        pillars: Share of the large rooms with pillars, per mille.
        pools: Share of the larger rooms with a pool or chasm, per mille.
        pool: What that holds.
        shore: What is around it.
        rubble: Share of the rooms with rubble, per mille.
        doors: Kinds of doors, each as often as it is named.
        strong: Kinds of doors that can be locked.
        lights: Sources of light.
        traps: Kinds of traps, each as often as it is named.
        senses: What one sees, hears or smells, a sentence each.
        qualities: Words that tell rooms of the same name apart.
        entrance: Purposes of the room one comes in at.
        goal: Purposes of the room it is all about.
        guard: Purposes of guard rooms.
        treasure: Purposes of treasure rooms.
        hidden: Purposes of secret rooms.
        ordinary: Purposes of all others.
    """

    titles: tuple[str, ...]
    epithets: tuple[str, ...]
    shapes: tuple[int, int, int, int]
    winding: int
    snug: int
    pillars: int
    pools: int
    pool: Terrain
    shore: Terrain
    rubble: int
    doors: tuple[DoorKind, ...]
    strong: tuple[DoorKind, ...]
    lights: tuple[LightKind, ...]
    traps: tuple[str, ...]
    senses: tuple[str, ...]
    qualities: tuple[str, ...]
    entrance: tuple[Purpose, ...]
    goal: tuple[Purpose, ...]
    guard: tuple[Purpose, ...]
    treasure: tuple[Purpose, ...]
    hidden: tuple[Purpose, ...]
    ordinary: tuple[Purpose, ...]


TORCH = LightKind("torch", 4.0, 8.0, "#ffb35c")
BRAZIER = LightKind("brazier", 5.0, 10.0, "#ff8c3a", standing=True)
LANTERN = LightKind("lantern", 6.0, 12.0, "#ffd58a")
CANDLES = LightKind("candles", 1.0, 3.0, "#ffcf7a")
GLOW = LightKind("crystal", 2.0, 6.0, "#8fd8ff")
WITCHLIGHT = LightKind("globe", 4.0, 8.0, "#b7ffb0")
FUNGUS = LightKind("fungus", 1.0, 4.0, "#9fe3b4")
