"""A region as an SVG picture that people would print: a page of an old atlas.

The same model gives the same bytes. The picture has a title and a description for screen readers, settlements
and sites have titles of their own; there is no script, and no reference to anything outside the file.

    sea -> land and what covers it -> lakes, rivers -> mountains, trees -> ways -> signs -> words -> frame
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.climate import distance
from services.map.kinds.region.model import Biome, Ground, RegionMap, Settlement, Site
from services.map.kinds.region.render import glyphs, signs
from services.map.kinds.region.render.furniture import frame_lines, legend, scale_bar, way
from services.map.kinds.region.render.lines import (
    DrawnCrossing,
    DrawnWay,
    Stroke,
    drawn_crossings,
    drawn_ways,
    river_strokes,
)
from services.map.kinds.region.render.names import Words, place_words, without_far
from services.map.kinds.region.render.outlines import blurred, line_data, outlines, path_data, rounded
from services.map.kinds.region.render.page import Page, Taken
from services.map.kinds.region.render.scenery import Glyph, scenery
from services.map.kinds.region.vocabulary import CrossingKind, WayKind
from services.map.render import palette
from services.map.render.chart import cartouche, definitions, paper, rhumb_lines, rose
from services.map.render.label_markup import draw_label, draw_leader
from services.map.render.metrics import FONT_FAMILY
from services.map.render.shapes import Disc, Spot
from services.map.render.svg import element, escaped, group, number

RENDER_VERSION = 1
"""Raised whenever the same model would give another picture."""

SEA, SEA_LINE, WATER = "#c3d4cf", "#5f8492", "#9dbfc6"
LAND = "#f4e9cc"
_TINTS: tuple[tuple[frozenset[Biome], str, float], ...] = (
    (frozenset((Biome.GRASSLAND, Biome.FARMLAND)), "#dfe0aa", 0.75),
    (frozenset((Biome.WOODLAND, Biome.TAIGA)), "#bccb97", 0.75),
    (frozenset((Biome.JUNGLE,)), "#a3c293", 0.8),
    (frozenset((Biome.SAVANNA,)), "#e8da98", 0.8),
    (frozenset((Biome.HEATH,)), "#ddd0a4", 0.7),
    (frozenset((Biome.DESERT,)), "#f0d79c", 0.9),
    (frozenset((Biome.SWAMP,)), "#b7cbb0", 0.85),
    (frozenset((Biome.TUNDRA,)), "#e0dfcc", 0.85),
    (frozenset((Biome.GLACIER,)), "#f6f8f6", 0.95),
    (frozenset((Biome.ROCK,)), "#d6cbb4", 0.8),
)
_SHORE_LINES = ((5.0, 0.75, 0.9), (11.0, 0.5, 0.8), (19.0, 0.32, 0.7), (29.0, 0.2, 0.6))
"""Lines along the coast: pixels off it, how strong, how wide."""


@dataclass(frozen=True, slots=True)
class RegionLayout:
    """A region laid out on its page.

    Attributes:
        page: The page.
        compass: The compass rose.
        settlements: The settlements with their signs' room.
        sites: The places of interest with their signs' room.
        rivers: Each river's strokes.
        ways: The stretches of ways.
        crossings: Bridges and fords.
        words: The names in their places.
        glyphs: Scenery from the back to the front.
    """

    page: Page
    compass: Disc
    settlements: tuple[tuple[Settlement, Disc], ...]
    sites: tuple[tuple[Site, Disc], ...]
    rivers: tuple[tuple[Stroke, ...], ...]
    ways: tuple[DrawnWay, ...]
    crossings: tuple[DrawnCrossing, ...]
    words: tuple[Words, ...]
    glyphs: tuple[Glyph, ...]


def render(model: RegionMap) -> str:
    """The picture of a region as the text of an SVG file."""
    return draw(model, lay_out(model))


def lay_out(model: RegionMap) -> RegionLayout:
    """Lays out a region; the same model gives the same layout."""
    page = Page.of(model)
    rivers = tuple(tuple(river_strokes(river, page)) for river in model.rivers)
    ways = drawn_ways(model, page)
    settlements = _settlement_signs(model, page)
    sites = _site_signs(model, page, [disc for _, disc in settlements])
    taken_discs = [disc for _, disc in (*settlements, *sites)]
    compass = _compass(model, page, taken_discs)
    words = place_words(
        model,
        page,
        settlements,
        [(site.id, site.name, disc) for site, disc in sites],
        compass,
        _marks(rivers, ways),
    )
    lakes = {lake.id: Disc(*page.spot(lake.at), 10.0) for lake in model.lakes}
    words = without_far(words, lakes, 70.0)
    taken = Taken(page)
    for strokes in rivers:
        for stroke in strokes:
            taken.line(stroke.spots)
    for drawn in ways:
        taken.line(drawn.spots)
    for word in words:
        taken.box(word.label.box.grown(1))
    for disc in (*taken_discs, compass):
        taken.disc(disc)
    return RegionLayout(
        page,
        compass,
        settlements,
        sites,
        rivers,
        tuple(ways),
        tuple(drawn_crossings(model, page)),
        words,
        tuple(scenery(model, page, taken)),
    )


def _settlement_signs(model: RegionMap, page: Page) -> tuple[tuple[Settlement, Disc], ...]:
    """Each settlement with room for its sign, less where another is near."""
    spots = [page.spot(home.at) for home in model.settlements]
    placed: list[tuple[Settlement, Disc]] = []
    for i, home in enumerate(model.settlements):
        radius = signs.SETTLEMENT_RADII[home.kind]
        for j, other in enumerate(model.settlements):
            if i != j:
                gap = hypot(spots[i][0] - spots[j][0], spots[i][1] - spots[j][1])
                share = radius + signs.SETTLEMENT_RADII[other.kind]
                if gap < share:
                    radius = min(radius, gap * signs.SETTLEMENT_RADII[home.kind] / share)
        placed.append((home, Disc(*spots[i], radius)))
    return tuple(placed)


def _site_signs(model: RegionMap, page: Page, others: Sequence[Disc]) -> tuple[tuple[Site, Disc], ...]:
    """Each site with room for its sign, less where a settlement or another site is near."""
    placed: list[tuple[Site, Disc]] = []
    discs = list(others)
    for site in model.sites:
        x, y = page.spot(site.at)
        radius = min([signs.SITE_RADIUS, *(hypot(d.x - x, d.y - y) - d.radius for d in discs)])
        if radius >= 3.0:
            discs.append(Disc(x, y, radius))
            placed.append((site, discs[-1]))
    return tuple(placed)


def _compass(model: RegionMap, page: Page, taken: Sequence[Disc]) -> Disc:
    """The rose in the corner where there is most sea, smaller where signs are near."""
    frame, sea = page.frame, model.biome_grid <= Biome.SHALLOWS
    best: tuple[float, Disc] | None = None
    for radius in (74.0, 60.0, 46.0, 34.0):
        inset = radius + 14
        for x in (frame.left + inset, frame.right - inset):
            for y in (frame.top + inset, frame.bottom - inset):
                if any(hypot(disc.x - x, disc.y - y) < disc.radius + radius + 8 for disc in taken):
                    continue
                left, top = page.cell((x - radius, y - radius))
                right, bottom = page.cell((x + radius, y + radius))
                part = sea[max(0, top) : bottom + 1, max(0, left) : right + 1]
                worth = float(part.mean()) * 40 + radius * 0.2
                if best is None or worth > best[0]:
                    best = worth, Disc(x, y, radius)
    return best[1] if best else Disc(frame.right - 24, frame.bottom + 44, 16.0)


def _marks(rivers: Sequence[Sequence[Stroke]], ways: Sequence[DrawnWay]) -> Iterator[tuple[Spot, float]]:
    for strokes in rivers:
        for stroke in strokes:
            for x, y in stroke.spots.tolist():
                yield (x, y), 0.9
    for drawn in ways:
        for x, y in drawn.spots.tolist():
            yield (x, y), 0.5 if drawn.kind is WayKind.FERRY else 1.4


def draw(model: RegionMap, layout: RegionLayout) -> str:
    """Draws a finished layout of the model."""
    page = layout.page
    used = frozenset(glyph.what for glyph in layout.glyphs)
    body = (
        element("title", escaped(model.title), id="hf-title"),
        element("desc", escaped(describe(model)), id="hf-desc"),
        definitions(),
        element("defs", _window(page), glyphs.definitions()),
        paper(page.width, page.height),
        group(
            *_ground(model, layout),
            group(
                *map(glyphs.drawn, layout.glyphs),
                id="hf-scenery",
                stroke=palette.INK,
                stroke_width=0.9,
                stroke_linejoin="round",
            ),
            group(
                *(way(drawn.kind, line_data(drawn.spots)) for drawn in reversed(layout.ways)), id="hf-ways"
            ),
            group(*map(_crossing, layout.crossings), id="hf-crossings", stroke=palette.INK, fill="none"),
            clip_path="url(#hf-window)",
        ),
        frame_lines(model, page),
        rose(layout.compass),
        group(*(draw_leader(word.label) for word in layout.words), stroke=palette.INK_SOFT, stroke_width=0.9),
        group(*(_site(site, disc) for site, disc in layout.sites), id="hf-sites"),
        group(*(_home(home, disc) for home, disc in layout.settlements), id="hf-settlements"),
        group(*map(_label, layout.words), id="hf-labels", font_family=FONT_FAMILY, fill=palette.INK),
        cartouche(model.title, page.frame),
        scale_bar(model, page, page.frame.left + 6, page.frame.bottom + 50),
        legend(model, page, used),
    )
    width, height = number(page.width), number(page.height)
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="hf-title hf-desc">'
    )
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', head, *filter(None, body), "</svg>", ""))


def describe(model: RegionMap) -> str:
    """The map in words: settlements and places of interest, and what joins them."""
    names = {home.id: home.name for home in model.settlements}
    names |= {site.id: site.name for site in model.sites}
    homes = "; ".join(
        f"{home.name} ({home.kind.value}, {home.population} people, {home.siting.value})"
        for home in model.settlements
    )
    sites = "; ".join(f"{site.name} ({site.kind.value})" for site in model.sites)
    ways = "; ".join(
        f"{road.kind.value.capitalize()} from {names[road.start]} to {names.get(road.end, 'a hidden place')},"
        f" {road.miles:g} miles"
        for road in model.ways
    )
    return f"Settlements: {homes or 'none'}. Places: {sites or 'none'}. Ways: {ways or 'none'}."


def _window(page: Page) -> str:
    frame = page.frame
    rectangle = element("rect", x=frame.left, y=frame.top, width=frame.width, height=frame.height)
    return element("clipPath", rectangle, id="hf-window")


def _ground(model: RegionMap, layout: RegionLayout) -> Iterator[str]:
    """Sea, land, tints, shading, lakes and rivers."""
    page = layout.page
    frame = page.frame
    biomes = model.biome_grid
    step = max(1, round(2.6 / page.scale))
    small = biomes[::step, ::step]
    land = small > Biome.SHALLOWS
    yield element("rect", x=frame.left, y=frame.top, width=frame.width, height=frame.height, fill=SEA)
    yield rhumb_lines(layout.compass, frame)
    yield from _shore(~land, page, step)
    coast = _path(_sharp(land), page, step)
    yield element("path", d=coast, fill=LAND, stroke="none") if coast else ""
    tints = []
    for kinds, color, opacity in _TINTS:
        mask = np.isin(small, [int(kind) for kind in kinds])
        if mask.any():
            d = _path(blurred(_signed(mask), 3) + 0.12, page, step, least=12)
            tints.append(element("path", d=d, fill=color, fill_opacity=opacity) if d else "")
    yield group(*tints, stroke="none", clip_path="url(#hf-land)") if coast else ""
    yield element("defs", element("clipPath", element("path", d=coast), id="hf-land")) if coast else ""
    yield group(*_shading(model, page, step), stroke="none", clip_path="url(#hf-land)") if coast else ""
    yield (
        element("path", d=coast, fill="none", stroke=palette.INK, stroke_width=1.5, stroke_linejoin="round")
        if coast
        else ""
    )
    yield group(
        *(_river(stroke) for strokes in layout.rivers for stroke in strokes),
        id="hf-rivers",
        fill="none",
        stroke=SEA_LINE,
        stroke_linecap="round",
        stroke_linejoin="round",
    )
    lakes = _path(_sharp(small == Biome.LAKE), page, step, least=4)
    if lakes:
        yield element("path", d=lakes, fill=WATER, stroke=SEA_LINE, stroke_width=1.3, id="hf-lakes")


def _signed(mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.where(mask, 1.0, -1.0)


def _sharp(mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """A field whose sign at every cell is the mask's, with soft corners between."""
    return blurred(_signed(mask), 2) + 1.15 * _signed(mask)


def _path(field: NDArray[np.float64], page: Page, step: int, level: float = 0.0, least: int = 6) -> str:
    """Path data around the parts of a field above a level."""
    times = 0 if page.scale * step < 7 else 1 if page.scale * step < 14 else 2
    loops = outlines(field, level + 1e-7, least)
    # The sample of a coarse field stands for the first of its cells.
    shift = 0.5 - step / 2
    return path_data([page.placed(rounded(loop, times) * step + shift) for loop in loops])


def _shore(sea: NDArray[np.bool_], page: Page, step: int) -> Iterator[str]:
    """Lines that follow the coast out to sea, fainter the farther."""
    if not sea.any() or sea.all():
        return
    farthest = _SHORE_LINES[-1][0] / (page.scale * step) + 2
    off = distance(np.ascontiguousarray(~sea), round(3 * farthest) + 6) / 3.0
    off = blurred(off.astype(np.float64), 1)
    shallow = _path(-off, page, step, -_SHORE_LINES[-1][0] / (page.scale * step) - 0.5)
    yield element("path", d=shallow, fill="#d3e0d8", fill_opacity=0.7, stroke="none")
    for pixels, opacity, width in _SHORE_LINES:
        d = _path(-off, page, step, -pixels / (page.scale * step) - 0.5)
        yield element("path", d=d, fill="none", stroke=SEA_LINE, stroke_width=width, stroke_opacity=opacity)


def _shading(model: RegionMap, page: Page, step: int) -> Iterator[str]:
    """Slopes away from the light in the north-west, as two soft tones, and a light one toward it."""
    feet = blurred(np.maximum(model.height_grid[::step, ::step], 0).astype(np.float64), 3)
    fall = np.zeros_like(feet)
    fall[1:-1, 1:-1] = feet[:-2, :-2] - feet[2:, 2:]
    fall = blurred(fall, 1)
    if model.ground_grid.max() == Ground.LEVEL and float(np.abs(fall).max()) < 60:
        return
    for level, color, opacity in ((150.0, "#7a5c36", 0.16), (420.0, "#6b4b2a", 0.18)):
        yield element("path", d=_path(fall, page, step, level, 10), fill=color, fill_opacity=opacity)
    yield element("path", d=_path(-fall, page, step, 240.0, 10), fill="#fffaf0", fill_opacity=0.38)


def _river(stroke: Stroke) -> str:
    return element("path", d=line_data(stroke.spots), stroke_width=stroke.width)


def _crossing(drawn: DrawnCrossing) -> str:
    """Two rails for a bridge, stepping stones for a ford, along the road."""
    spots = drawn.spots
    (x, y), along = spots[len(spots) // 2], spots[-1] - spots[0]
    long = hypot(*along.tolist()) or 1.0
    dx, dy = along[0] / long, along[1] / long
    if drawn.crossing.kind is CrossingKind.FORD:
        return element(
            "path",
            d=f"M{number(x - 2)} {number(y)}h.1M{number(x + 2)} {number(y)}h.1",
            stroke_width=2.2,
            stroke_linecap="round",
        )
    rails = "".join(
        f"M{number(x - 5 * dx - side * 3.4 * dy)} {number(y - 5 * dy + side * 3.4 * dx)}"
        f"L{number(x + 5 * dx - side * 3.4 * dy)} {number(y + 5 * dy + side * 3.4 * dx)}"
        for side in (-1, 1)
    )
    return element("path", d=rails, stroke_width=1.3, stroke_linecap="round")


def _home(home: Settlement, disc: Disc) -> str:
    words = f"{home.name}: {home.kind.value}, {home.population} people, {home.siting.value}"
    shown = signs.settlement(home.kind, disc.x, disc.y, disc.radius)
    return group(element("title", escaped(words)), shown)


def _site(site: Site, disc: Disc) -> str:
    words = f"{site.name}: {site.kind.value}" + (", hidden" if site.hidden else "")
    return group(element("title", escaped(words)), signs.site(site.kind, disc.x, disc.y, disc.radius))


_FILLS = {"water": "#31566a", "land": "#5c4630", "place": palette.INK}


def _label(word: Words) -> str:
    ink, edge = _FILLS[word.style], LAND if word.style != "water" else SEA
    return draw_label(word.label, ink=ink, soft=ink, edge=edge, width=3.0, opacity=0.8)
