"""A place on a stored map, as a scene may be set there: plain squares of the grid, no game's words.

Whoever keeps the map gives it as a document; a game that can be played on such ones has `laid_out`. Games
with maps of their own kind have documents of their own kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from services.rules.engine.codec import Codec
from services.rules.engine.grid import Square
from services.rules.engine.problem import Problems

SetupT = TypeVar("SetupT")
SiteT = TypeVar("SiteT")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteDoor:
    """A door on the map, arches left out.

    Attributes:
        id: Its id on the map.
        name: For people: `an iron door`.
        squares: The squares it fills; none where it hangs between two squares.
        open: Whether it stands open.
        locked: Whether it is locked.
        secret: Whether only the game master knows of it.
    """

    id: str
    name: str
    squares: tuple[Square, ...]
    open: bool
    locked: bool
    secret: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A map as a scene begins on it.

    Attributes:
        title: Its name.
        width: Columns.
        height: Rows.
        solid: Squares nobody can stand in; those that a door fills are not among them.
        difficult: Squares that cost two paces.
        doors: Doors.
        light: Light where nothing shines: `bright`, `dim` or `dark`.
        heroes: Squares where the heroes start, the best first; empty when the map says nothing.
        foes: Squares where those against them start.
    """

    title: str
    width: int
    height: int
    solid: tuple[Square, ...] = ()
    difficult: tuple[Square, ...] = ()
    doors: tuple[SiteDoor, ...] = ()
    light: str = "bright"
    heroes: tuple[Square, ...] = ()
    foes: tuple[Square, ...] = ()


SITE_CODEC: Codec[Site] = Codec(Site, "engine/site")


@runtime_checkable
class PlayedOnSites(Protocol[SetupT, SiteT]):
    """Play whose scenes can be set on a stored map."""

    @property
    def site_codec(self) -> Codec[SiteT]:
        """Which maps: those given as such a document; `SITE_CODEC` for squares of a grid."""

    def laid_out(self, setup: SetupT, site: SiteT) -> SetupT | Problems:
        """The setup with the map as its place; or why the game cannot be played there."""


@runtime_checkable
class LeadsMaps(Protocol):
    """Play that changes the map it is set on: while a scene runs, map and scene are one."""

    def on_map(self, state: Any) -> Any | None:
        """The map as it is now, with what stands on it; None when it was not set on a stored map."""
