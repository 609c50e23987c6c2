"""What a map can be given out as, and how each is made: pictures, exports, the map file. Pure.

    map file, as its reader may know it -> model -> picture or export -> bytes

Pictures of grid maps come drawn (`ink`, `parchment`, `painted`, `blueprint`) or flat, in the colours of their
cells, which takes a tenth of the time; those of other kinds are drawn. PNG and WebP are painted from the SVG.
Over flat pictures and those that maps came with, light, doors and tokens are laid where they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import orjson

from services.map.exports.foundry import LEAST_PIXELS_PER_GRID, Profile, to_foundry, to_foundry_journal
from services.map.exports.geojson import grid_to_geojson
from services.map.exports.owlbear import to_owlbear
from services.map.exports.pictures import read_picture
from services.map.exports.tiled import tileset_model, to_tiled
from services.map.exports.uvtt import to_uvtt
from services.map.formats import (
    FLAT,
    PICTURE_BESIDE,
    PIXELS_MIN,
    STEM,
    Output,
    OutputRequest,
    file_name,
    picture_problem,
)
from services.map.generation.gate import Gate
from services.map.generation.grid.model import GridMap
from services.map.kind import Sheet
from services.map.lazy import lazy
from services.map.play.known_extent import Part
from services.map.registry import KINDS
from services.map.render.figures import Figure
from services.map.render.grid.look import Look, Style
from services.map.render.grid.picture import render as render_grid
from services.map.render.grid.words import inspect as inspect_grid_words
from services.map.render.raster.brought import brought_tile, brought_whole
from services.map.render.raster.encode import png, webp
from services.map.render.raster.flat import Indexed, flat
from services.map.render.raster.limits import DEFAULT_PIXELS, MAX_PIXELS, MAX_SIDE, VTT_PIXELS, too_large
from services.map.render.raster.overlay import Overlay
from services.map.render.raster.painter import Recorded
from services.map.render.raster.thumbnail import thumbnail
from services.map.render.raster.tiles import TILE, Pyramid, indexed_tile, tile
from services.rules.engine.problem import Problems, RuleProblem
from services.shared.recent import Recent

OUTPUT_VERSION = 3
"""Raised whenever the same map would give another output."""

DRAWN_PIXELS = 16_000_000
"""Pixels of the largest picture that is drawn rather than flat; larger ones are read as tiles."""

TERRAIN_PICTURE = file_name("tiled-terrain")
"""What an exported Tiled map calls the picture of its tiles, beside it: the same for every map."""


Picture = Indexed | np.ndarray[Any, np.dtype[np.uint8]]


class Studio:
    """One map that is given out in one format after the other: what they share is worked out once.

    Args:
        slug: kind of the map.
        file: the map file, as its reader may know it.
        model: what the file says, for who has it at hand.
        image: the picture that an imported map came with.
        figures: who stands on it, as the reader of its pictures may know them.
        stem: how the files of the map begin, by which its exports name its picture.
        part: which part of that picture the map is of; all of it when None.
    """

    def __init__(
        self,
        slug: str,
        file: bytes,
        model: Any = None,
        image: bytes | None = None,
        figures: Sequence[Figure] = (),
        stem: str = STEM,
        part: Part | None = None,
    ) -> None:
        self.stem = stem
        self.part = part
        self.file = file
        self.image = image
        self.figures = figures
        kind = KINDS[slug]
        self.sheet = kind.sheet
        self.model: Any = kind.filed.from_data(orjson.loads(file)) if model is None else model
        self._backgrounds: dict[tuple[int, str | None, bool], Picture] = {}
        self._recorded: dict[Look | None, Recorded] = {}
        self._pngs: dict[tuple[int, str | None, bool], bytes] = {}

    def give(self, request: OutputRequest) -> Output | Problems:
        """Make an output; `check` finds nothing wrong with the request."""
        if request.format == "json":
            return Output(self.file, request.form.content_type, request.form.suffix)
        made = _grid(self, request) if self.sheet is None else _sheet(self, self.sheet, request)
        if isinstance(made, RuleProblem):
            return Problems((made,))
        return Output(made, request.form.content_type, request.form.suffix)

    @lazy
    def picture(self) -> np.ndarray[Any, np.dtype[np.uint8]] | RuleProblem | None:
        """The pixels of the picture that an imported map came with; None where it came without."""
        read = None if self.image is None else read_picture(self.image)
        return read if self.part is None or not isinstance(read, np.ndarray) else _part(read, self.part)

    @lazy
    def overlay(self) -> Overlay:
        """What play puts over pictures of a grid map that are not drawn."""
        return Overlay(self.model, self.figures, brought=self.image is not None)

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        kept = [*self._backgrounds.values(), self.__dict__.get("picture")]
        pixels = sum(
            one.indices.nbytes if isinstance(one, Indexed) else getattr(one, "nbytes", 0) for one in kept
        )
        written = sum(map(len, self._pngs.values())) + len(self.image or b"")
        return 20 * len(self.file) + pixels + written

    def recorded(self, look: Look | None = None) -> Recorded:
        """The drawing of the map, to be painted at any size or in parts."""
        if look not in self._recorded:
            self._recorded = {look: Recorded(self._svg(look))}
        return self._recorded[look]

    def _svg(self, look: Look | None) -> str:
        if self.sheet is not None:
            return self.sheet.draw(self.model, self.figures)
        return render_grid(self.model, look or Look(), figures=self.figures)

    def background(self, request: OutputRequest, pixels: int) -> Picture | RuleProblem:
        """The cells of a grid map and nothing around them, exactly so many pixels each."""
        key = (pixels, request.style or FLAT, request.grid)
        if key not in self._backgrounds:
            drawn = _background(self, request, pixels)
            if isinstance(drawn, RuleProblem):
                return drawn
            # One at a time: the large ones take as much room as all else together.
            self._backgrounds = {key: drawn}
        return self._backgrounds[key]

    def background_png(self, request: OutputRequest, pixels: int) -> bytes | RuleProblem:
        """The same as PNG."""
        key = (pixels, request.style or FLAT, request.grid)
        if key not in self._pngs:
            drawn = self.background(request, pixels)
            if isinstance(drawn, RuleProblem):
                return drawn
            self._pngs = {key: png(drawn)}
        return self._pngs[key]


def words_gate(slug: str) -> Callable[[Any], Gate]:
    """Returns the gate over the words on the pictures of a kind's maps."""
    sheet = KINDS[slug].sheet
    return inspect_grid_words if sheet is None else sheet.words


def produce(
    slug: str,
    file: bytes,
    request: OutputRequest,
    image: bytes | None = None,
    figures: Sequence[Figure] = (),
) -> Output | Problems:
    """Make one output of a map; see `Studio`."""
    if request.format == "json":
        return Output(file, request.form.content_type, request.form.suffix)
    return Studio(slug, file, image=image, figures=figures).give(request)


_STUDIOS: Recent[str, Studio] = Recent(512 * 2**20)


def produce_again(subject: str, request: OutputRequest) -> Output | Problems | None:
    """Make another output of a map that this process has drawn lately; None where it has not.

    Args:
        subject: name of all that the map's outputs are made of.
        request: what is wanted.
    """
    studio = _STUDIOS.get(subject)
    return None if studio is None else _given(subject, studio, request)


def produce_first(
    subject: str,
    slug: str,
    file: bytes,
    request: OutputRequest,
    image: bytes | None,
    figures: Sequence[Figure],
    part: Part | None = None,
) -> Output | Problems:
    """Make an output of a map, and have at hand what the next one is made of."""
    return _given(subject, Studio(slug, file, image=image, figures=figures, part=part), request)


def _given(subject: str, studio: Studio, request: OutputRequest) -> Output | Problems:
    output = studio.give(request)
    _STUDIOS.put(subject, studio, studio.size)
    return output


def _part(picture: np.ndarray[Any, np.dtype[np.uint8]], part: Part) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A part of a picture: whole pixels, at least one."""
    rows, columns = picture.shape[:2]
    left, top = min(round(part[0] * columns), columns - 1), min(round(part[1] * rows), rows - 1)
    right, bottom = max(round(part[2] * columns), left + 1), max(round(part[3] * rows), top + 1)
    return np.ascontiguousarray(picture[top:bottom, left:right])


def _grid(studio: Studio, request: OutputRequest) -> bytes | RuleProblem:
    model: GridMap = studio.model
    picture = file_name(PICTURE_BESIDE.get(request.format, "png"), studio.stem)
    match request.format:
        case "svg":
            look = _look(request, request.pixels or DEFAULT_PIXELS)
            return render_grid(model, look, figures=studio.figures).encode()
        case "png" | "webp":
            return _grid_picture(studio, request)
        case "uvtt":
            pixels = _pixels_a_cell(model, request)
            background = studio.background_png(request, pixels)
            return background if isinstance(background, RuleProblem) else to_uvtt(model, background, pixels)
        case "uvtt-lines":
            return to_uvtt(model, None, scene_pixels(model, request))
        case "foundry-v13" | "foundry-v14":
            profile = Profile.V13 if request.format == "foundry-v13" else Profile.V14
            return to_foundry(
                model, profile, picture, max(LEAST_PIXELS_PER_GRID, scene_pixels(model, request))
            )
        case "tiled":
            return to_tiled(model, scene_pixels(model, request), TERRAIN_PICTURE, picture)
        case "tiled-terrain":
            return png(flat(tileset_model(), scene_pixels(model, request), grid=False))
        case "foundry-journal":
            return to_foundry_journal(model) or picture_problem(
                "map_no_notes", "The map has no notes to put into a journal.", "format", request.format
            )
        case "owlbear":
            return to_owlbear(model, picture, scene_pixels(model, request))
        case _:
            return grid_to_geojson(model)


def scene_pixels(model: GridMap, request: OutputRequest) -> int:
    """Pixels along a cell in a file for a virtual table, for which there is a picture of as many."""
    return request.pixels or _fitting(model, VTT_PIXELS, MAX_PIXELS)


def pixels_of(model: GridMap, request: OutputRequest) -> tuple[int, int]:
    """Pixels across and down that the cells of a picture take, of which a tile is a part."""
    pixels = _pixels_a_cell(model, request)
    return model.width * pixels, model.height * pixels


def _pixels_a_cell(model: GridMap, request: OutputRequest) -> int:
    if request.format == "uvtt":
        return scene_pixels(model, request)
    most = MAX_PIXELS if request.style == FLAT else DRAWN_PIXELS // 2
    pixels = request.pixels or _fitting(model, DEFAULT_PIXELS, most)
    if request.longest is not None:
        pixels = max(PIXELS_MIN, min(pixels, 2 * request.longest // max(model.width, model.height)))
    return pixels


def _grid_picture(studio: Studio, request: OutputRequest) -> bytes | RuleProblem:
    pixels = _pixels_a_cell(studio.model, request)
    if studio.image is not None or request.style == FLAT:
        if request.tile is not None:
            return _flat_tile(studio, request, pixels, request.tile)
        if request.format == "png" and request.longest is None and not request.tokens:
            return studio.background_png(request, pixels)
        background = studio.background(request, pixels)
        if isinstance(background, RuleProblem):
            return background
        return _encoded(studio.overlay.over(background) if request.tokens else background, request)
    return _painted(studio.recorded(_look(request, pixels)), request)


def _flat_tile(
    studio: Studio, request: OutputRequest, pixels: int, place: tuple[int, int, int]
) -> bytes | RuleProblem:
    """A tile of a flat picture, or of the picture that a map came with."""
    model: GridMap = studio.model
    width, height = model.width * pixels, model.height * pixels
    tiles = Pyramid(width, height, TILE)
    problem = too_large(width, height, ("px",)) or tiles.problem(*place, ("tile",))
    if problem is not None:
        return problem
    brought = studio.picture
    if isinstance(brought, RuleProblem):
        return brought
    if brought is not None:
        cut = brought_tile(model, brought, tiles, *place)
    else:
        background = studio.background(request, pixels)
        if not isinstance(background, Indexed):
            raise TypeError("a flat picture has a palette")
        cut = indexed_tile(background, *place)
    return _encoded(studio.overlay.over_tile(cut, tiles, *place) if request.tokens else cut, request)


def _background(studio: Studio, request: OutputRequest, pixels: int) -> Picture | RuleProblem:
    """The cells and nothing around them, exactly so many pixels each."""
    model: GridMap = studio.model
    problem = too_large(model.width * pixels, model.height * pixels, ("px",))
    if problem is not None:
        return problem
    brought = studio.picture
    if brought is not None:
        return brought if isinstance(brought, RuleProblem) else brought_whole(model, pixels, brought)
    if request.style in (None, FLAT):
        return flat(model, pixels, request.grid)
    if model.width * model.height * pixels**2 > DRAWN_PIXELS:
        return _too_much(model.width * model.height * pixels**2)
    look = Look(
        pixels=pixels,
        style=Style(request.style),
        grid=request.grid,
        labels=False,
        lights=False,
        bare=True,
    )
    return studio.recorded(look).paint()


def _fitting(model: GridMap, pixels: int, most: int) -> int:
    """Pixels to a cell where nobody has said: the usual ones, or as many as a large map leaves room for."""
    side = MAX_SIDE // max(model.width, model.height)
    return max(PIXELS_MIN, min(pixels, side, math.isqrt(most // (model.width * model.height))))


def _sheet(studio: Studio, sheet: Sheet[Any], request: OutputRequest) -> bytes | RuleProblem:
    """An output of a map that is a sheet of paper rather than cells."""
    if request.format == "geojson" and sheet.geojson is not None:
        return sheet.geojson(studio.model)
    if request.format == "svg":
        return sheet.draw(studio.model, studio.figures).encode()
    return _painted(studio.recorded(), request)


def _painted(recorded: Recorded, request: OutputRequest) -> bytes | RuleProblem:
    """A drawn picture, or a part of it, as PNG or WebP."""
    if request.tile is not None:
        tiles = Pyramid(round(recorded.width), round(recorded.height), TILE)
        problem = tiles.problem(*request.tile, ("tile",))
        return problem or _encoded(tile(recorded, *request.tile), request)
    scale = 1.0
    if request.longest is not None:
        scale = request.longest / max(recorded.width, recorded.height)
        return _encoded(recorded.paint(scale), request)
    width, height = recorded.size(scale)
    if width * height > DRAWN_PIXELS:
        return _too_much(width * height)
    return _encoded(recorded.paint(scale), request)


def _encoded(picture: Picture, request: OutputRequest) -> bytes | RuleProblem:
    if request.longest is not None:
        picture = thumbnail(picture, request.longest)
    if request.format == "png":
        return png(picture)
    try:
        return webp(picture)
    except ValueError:
        # The format has bounds of its own, which depend on what is in the picture (its first partition).
        message = "This picture is too much for WebP: take PNG, tiles, or fewer pixels."
        return picture_problem("picture_too_large", message, "format", request.format, ("png",))


def _look(request: OutputRequest, pixels: int) -> Look:
    style = None if request.style in (None, FLAT) else Style(request.style)
    plain = request.longest is not None
    furnished = request.legend and not plain
    return Look(
        pixels=pixels,
        style=style,
        grid=request.grid and not plain,
        legend=furnished,
        labels=not plain,
        furniture=furnished,
        bare=not furnished,
    )


def _too_much(pixels: int) -> RuleProblem:
    message = f"A drawn picture has up to {DRAWN_PIXELS:,} pixels: take fewer to a cell, tiles, or flat."
    return RuleProblem("picture_too_large", message, "pictures", ("px",), pixels, DRAWN_PIXELS)
