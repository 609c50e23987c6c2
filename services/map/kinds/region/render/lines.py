"""Rivers and ways as lines on the page: smoothed, unless that would take a road where no road can be."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, pairwise
from math import log2

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.model import Biome, Cell, Crossing, Ground, RegionMap, River
from services.map.kinds.region.render.page import Page
from services.map.kinds.region.vocabulary import WayKind

Line = NDArray[np.float64]

_RANKS = (WayKind.ROAD, WayKind.TRACK, WayKind.PATH, WayKind.FERRY)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A stretch of one width.

    Attributes:
        spots: Its points in pixels (points, 2).
        width: In pixels.
    """

    spots: Line
    width: float


@dataclass(frozen=True, slots=True)
class DrawnWay:
    """A stretch of road as it is drawn, where nothing better runs already."""

    kind: WayKind
    spots: Line


@dataclass(frozen=True, slots=True)
class DrawnCrossing:
    """A bridge or ford: where it is and which way the road runs there."""

    crossing: Crossing
    spots: Line


def smoothed(spots: Line, times: int) -> Line:
    """A line with each inner point drawn toward its neighbors; the ends stay."""
    for _ in range(times):
        if len(spots) < 3:
            return spots
        inner = (spots[:-2] + 2 * spots[1:-1] + spots[2:]) / 4
        spots = np.concatenate((spots[:1], inner, spots[-1:]))
    return spots


def denser(spots: Line, page: Page) -> Line:
    """A line with corners cut once or twice where cells are large on the page (Chaikin)."""
    for _ in range(0 if page.scale < 7 else 1 if page.scale < 14 else 2):
        if len(spots) < 3:
            return spots
        a, b = spots[:-1], spots[1:]
        cut = np.empty((2 * len(a), 2))
        cut[0::2], cut[1::2] = 0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b
        spots = np.concatenate((spots[:1], cut, spots[-1:]))
    return spots


def thinned(spots: Line, page: Page) -> Line:
    """A line with points about four pixels apart where cells are small on the page."""
    step = max(1, round(3.5 / page.scale))
    if step == 1 or len(spots) <= 2 * step:
        return spots
    return np.concatenate((spots[:-1:step], spots[-1:]))


def river_strokes(river: River, page: Page) -> list[Stroke]:
    """A river as strokes that widen downstream."""
    spots = smoothed(page.spots(river.line), 3)
    widths = [round(2 * _river_width(flow, page)) / 2 for flow in river.flow]
    strokes: list[Stroke] = []
    for width, run in groupby(range(len(widths) - 1), key=lambda i: widths[i]):
        steps = list(run)
        strokes.append(Stroke(denser(spots[steps[0] : steps[-1] + 2], page), width))
    return strokes


def _river_width(flow: int, page: Page) -> float:
    """Wider by a step for each doubling of what it drains, whatever the size of the map."""
    share = flow * (page.scale / 5.5) ** 2
    return min(6.5, max(1.0, 0.75 * log2(max(2.0, share / 20))))


def drawn_ways(model: RegionMap, page: Page) -> list[DrawnWay]:
    """Every stretch of way once, as part of the best way that runs there."""
    closed = (model.biome_grid <= Biome.LAKE) | (model.ground_grid == Ground.PEAK)
    sea = model.biome_grid <= Biome.SHALLOWS
    done: set[tuple[Cell, Cell]] = set()
    drawn: list[DrawnWay] = []
    for kind in _RANKS:
        for way in model.ways:
            if way.kind is not kind:
                continue
            for piece in _fresh_pieces(way.line, done):
                barred = ~sea if kind is WayKind.FERRY else closed
                drawn.append(DrawnWay(kind, _curved(piece, barred, page, kind)))
    return drawn


def _fresh_pieces(line: tuple[Cell, ...], done: set[tuple[Cell, Cell]]) -> list[tuple[Cell, ...]]:
    """The stretches of a line that are not drawn yet."""
    pieces: list[list[Cell]] = []
    broken = True
    for a, b in pairwise(line):
        step = (a, b) if a < b else (b, a)
        if step in done:
            broken = True
            continue
        done.add(step)
        if broken:
            pieces.append([a])
            broken = False
        pieces[-1].append(b)
    return [tuple(piece) for piece in pieces]


def _curved(piece: tuple[Cell, ...], barred: NDArray[np.bool_], page: Page, kind: WayKind) -> Line:
    """A stretch smoothed as far as it stays off barred cells; as it is when it cannot."""
    raw = page.spots(piece)
    for times in (60, 12, 4) if kind is WayKind.FERRY else (4, 2):
        spots = smoothed(raw, times)
        if _stays_off(spots[1:-1], barred, page):
            return thinned(denser(spots, page), page)
    return raw


def _stays_off(spots: Line, barred: NDArray[np.bool_], page: Page) -> bool:
    if len(spots) < 2:
        return True
    middles = (spots[:-1] + spots[1:]) / 2
    cells = ((np.concatenate((spots, middles)) - (page.frame.left, page.frame.top)) / page.scale).astype(int)
    return not barred[cells[:, 1], cells[:, 0]].any()


def drawn_crossings(model: RegionMap, page: Page) -> list[DrawnCrossing]:
    """Each crossing once, with the road on both sides of it; only the first of a row of cells."""
    drawn: list[DrawnCrossing] = []
    taken: set[Cell] = set()
    for way in model.ways:
        places = {cell: i for i, cell in enumerate(way.line)}
        for crossing in way.crossings:
            x, y = crossing.at
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
            if near & taken:
                continue
            taken.add(crossing.at)
            i = places[crossing.at]
            beside = way.line[max(0, i - 1) : i + 2]
            drawn.append(DrawnCrossing(crossing, page.spots(beside)))
    return drawn
