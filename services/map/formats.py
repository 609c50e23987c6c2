"""The formats of maps: what can be asked for, and what is wrong with a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from services.map.registry import KINDS
from services.map.render.grid.look import Style
from services.map.render.raster.thumbnail import side_problem
from services.rules.engine.problem import RuleProblem

PIXELS_MIN, PIXELS_MAX = 8, 200
FLAT = "flat"
STYLES = (FLAT, *(style.value for style in Style))


class Audience(StrEnum):
    """Who a picture or an export is for."""

    GM = "gm"
    PLAYERS = "players"


@dataclass(frozen=True, slots=True)
class Form:
    """One format.

    Attributes:
        about: what it is for, a sentence for people.
        kinds: slugs of the kinds that have it.
        suffix: of a file's name.
        content_type: media type.
        alone: whether it goes with one map and not with a batch.
    """

    about: str
    kinds: frozenset[str]
    suffix: str
    content_type: str
    alone: bool = False


PEOPLED = frozenset({"svg", "png", "webp"})
"""The formats that show who stands on a map."""

_ALL = frozenset(KINDS)
_GRIDS = frozenset(slug for slug, kind in KINDS.items() if kind.cells)
_PLANE = frozenset(slug for slug, kind in KINDS.items() if kind.sheet is None or kind.sheet.geojson)

FORMATS: Mapping[str, Form] = MappingProxyType(
    {
        "json": Form(
            "The map file of this house, which can be brought along again.", _ALL, ".json", "application/json"
        ),
        "svg": Form("A picture that stays sharp at every size.", _ALL, ".svg", "image/svg+xml"),
        "png": Form("A picture without loss.", _ALL, ".png", "image/png"),
        "webp": Form("A picture in fewer bytes.", _ALL, ".webp", "image/webp"),
        "uvtt": Form(
            "Universal VTT: picture, walls, doors and lights in one file.",
            _GRIDS,
            ".uvtt",
            "application/json",
        ),
        "uvtt-lines": Form("Universal VTT without the picture.", _GRIDS, ".lines.uvtt", "application/json"),
        "foundry-v13": Form(
            "A scene for Foundry VTT, version 13.", _GRIDS, ".foundry-v13.json", "application/json"
        ),
        "foundry-v14": Form(
            "A scene for Foundry VTT, version 14.", _GRIDS, ".foundry-v14.json", "application/json"
        ),
        "foundry-journal": Form(
            "The keyed legend as a journal for Foundry VTT.",
            _GRIDS,
            ".foundry-journal.json",
            "application/json",
            alone=True,
        ),
        "tiled": Form(
            "A map for Tiled, whose tiles are those of `TILED_TERRAIN`.", _GRIDS, ".tmj", "application/json"
        ),
        "tiled-terrain": Form(
            "The picture of the tiles that Tiled draws the map with.",
            _GRIDS,
            ".terrain.png",
            "image/png",
            alone=True,
        ),
        "owlbear": Form("Items for Owlbear Rodeo.", _GRIDS, ".owlbear.json", "application/json"),
        "geojson": Form(
            "The map as GeoJSON, for programs that know geography.",
            _PLANE,
            ".geojson",
            "application/geo+json",
        ),
    }
)


STEM = "map"
"""How the files of a map begin, all in one folder: at their addresses, and where one names another."""

PICTURE_BESIDE: Mapping[str, str] = MappingProxyType(
    {"foundry-v13": "webp", "foundry-v14": "webp", "tiled": "png", "owlbear": "png"}
)
"""The format of the picture that an export names and that is to lie beside it."""


def file_name(name: str, stem: str = STEM) -> str:
    """Return what the file of a format is called, for instance `map.webp`.

    Args:
        name: of the format.
        stem: how the files of the map begin.
    """
    return f"{stem}{FORMATS[name].suffix}"


@dataclass(frozen=True, slots=True)
class OutputRequest:
    """What is wanted of a map.

    Attributes:
        format: one of `FORMATS`.
        audience: for whom.
        pixels: along one cell of a grid map, 8 to 200; of other maps, the scale of the picture in percent.
            By format when None.
        style: one of `STYLES`; by kind and format when None.
        grid: whether the floor shows the lines of the cells.
        legend: whether a drawn grid map has its keyed legend, frame and title.
        longest: pixels along the longer side, 64 to 512, for a thumbnail.
        tile: zoom, column and row, for a tile of 256 pixels.
        tokens: whether a grid map shows who stands on it, and a flat picture or the one that it came with
            the light on it and its doors as well; maps of paper always show who stands there.
    """

    format: str
    audience: Audience = Audience.GM
    pixels: int | None = None
    style: str | None = None
    grid: bool = True
    legend: bool = True
    longest: int | None = None
    tile: tuple[int, int, int] | None = None
    tokens: bool = False

    @property
    def form(self) -> Form:
        """The format."""
        return FORMATS[self.format]


@dataclass(frozen=True, slots=True)
class Output:
    """A file of a map."""

    content: bytes
    content_type: str
    suffix: str


def check(slug: str, request: OutputRequest) -> tuple[RuleProblem, ...]:
    """What is wrong with a request, whatever the map's size."""
    problems = []
    form = FORMATS.get(request.format)
    if form is None or slug not in form.kinds:
        allowed = tuple(name for name, one in FORMATS.items() if slug in one.kinds)
        message = "A map of this kind has no such format."
        problems.append(picture_problem("map_format", message, "format", request.format, allowed))
    if request.pixels is not None and not PIXELS_MIN <= request.pixels <= PIXELS_MAX:
        message = f"There are {PIXELS_MIN} to {PIXELS_MAX} pixels to a cell."
        problems.append(
            picture_problem("map_pixels", message, "px", request.pixels, (PIXELS_MIN, PIXELS_MAX))
        )
    if request.style is not None and request.style not in STYLES:
        problems.append(
            picture_problem("map_style", "There is no such style.", "style", request.style, STYLES)
        )
    if request.longest is not None and (problem := side_problem(request.longest, ("size",))):
        problems.append(problem)
    if request.tile is not None and not all(0 <= part < 2**20 for part in request.tile):
        problems.append(picture_problem("tile_unknown", "There is no such tile.", "tile", str(request.tile)))
    return tuple(problems)


def picture_problem(
    code: str, message: str, field: str, found: str | int, allowed: tuple[str | int, ...] | None = None
) -> RuleProblem:
    """States what is wrong with a field of a request."""
    return RuleProblem(code, message, "pictures", (field,), found, allowed)
