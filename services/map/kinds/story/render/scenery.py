"""Sea, rivers, woods and hills as scribbles; they keep clear of signs, ways and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from types import MappingProxyType

from services.map.generation.stream import Stream
from services.map.kinds.story.land import Outline, Water
from services.map.kinds.story.render import pen
from services.map.kinds.story.render.layout import UNIT, StoryLayout
from services.map.render.shapes import Spot
from services.map.render.svg import Value, element, group, number
from services.rules.systems.fortunate_blades.story_map.model import StoryMap, StorySpot, StoryTerrain
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryTerrainSort

_SORT = StoryTerrainSort
_CELL = 16
_RIPPLES = ((30.0, 0.3), (17.0, 0.5), (7.0, 0.75))
_STEPS = {
    _SORT.WOODS: 25.0,
    _SORT.HILLS: 38.0,
    _SORT.MOUNTAINS: 40.0,
    _SORT.MARSH: 30.0,
    _SORT.DESERT: 32.0,
    _SORT.HOUSES: 27.0,
}
"""Pixels between doodles in a stretch of terrain."""
_WASHES = {
    _SORT.WOODS: (pen.LEAF, 0.28),
    _SORT.HILLS: (pen.SAND, 0.3),
    _SORT.MOUNTAINS: (pen.ROCK, 0.24),
    _SORT.MARSH: (pen.GLOW, 0.55),
    _SORT.DESERT: (pen.SAND, 0.6),
    _SORT.FIELDS: (pen.STRAW, 0.2),
    _SORT.HOUSES: (pen.WOOD, 0.14),
}


class Clear:
    """Tells where scenery may stand."""

    __slots__ = ("_boxes", "_discs", "_frame", "_taken")

    def __init__(self, layout: StoryLayout) -> None:
        """Sorts what is drawn already into cells, for quick asking."""
        self._frame = layout.frame.grown(-8)
        self._discs = [icon.disc for icon in layout.icons]
        self._boxes = [label.box for label in (*layout.labels, *layout.terrain_labels)]
        self._taken = {
            (int(x // _CELL), int(y // _CELL)) for way in layout.ways for x, y in way.curve.spots(_CELL / 2)
        }

    def free(self, x: float, y: float, half: float, height: float) -> bool:
        """Whether a doodle with its foot here has room: half its width, and its height, in pixels."""
        left, right, top = x - half, x + half, y - height
        frame = self._frame
        if left < frame.left or right > frame.right or top < frame.top or y > frame.bottom:
            return False
        middle = y - height / 2
        if any(hypot(disc.x - x, disc.y - middle) < disc.radius + half + 2 for disc in self._discs):
            return False
        if any(
            b.left < right + 2 and left - 2 < b.right and b.top < y + 2 and top - 2 < b.bottom
            for b in self._boxes
        ):
            return False
        columns = range(int((left - 2) // _CELL), int((right + 2) // _CELL) + 1)
        rows = range(int((top - 2) // _CELL), int((y + 2) // _CELL) + 1)
        return all((column, row) not in self._taken for column in columns for row in rows)


def clip(layout: StoryLayout) -> str:
    """What cuts terrain off at the edge of the sheet."""
    box = layout.frame
    return element(
        "clipPath",
        element("rect", x=box.left, y=box.top, width=box.width, height=box.height),
        id="hf-sheet",
    )


def washes(model: StoryMap, layout: StoryLayout) -> tuple[str, str]:
    """Sea, land and colored stretches.

    Returns:
        Definitions, and the drawing.
    """
    clips: list[str] = []
    tints: list[str] = []
    drawn: list[str] = []
    box = layout.frame
    wet = False
    lands: list[str] = []
    for one in model.terrains:
        stream = Stream(layout.hand, one.id)
        spots = [layout.spot(at) for at in one.points]
        outline = pen.smooth(spots, closed=True)
        match one.sort:
            case _SORT.LAND if model.sea_around and not wet:
                lands.append(outline)
            case _SORT.LAND:
                drawn.append(_land(outline))
            case _SORT.SEA | _SORT.LAKE:
                wet = True
                clips.append(element("clipPath", element("path", d=outline), id=f"hf-{one.id}"))
                drawn.append(_water(outline, f"hf-{one.id}", small=one.sort is _SORT.LAKE))
            case _SORT.RIVER:
                tints.append(_river(spots, stream))
            case _SORT.FIELDS:
                tints.append(_tint(one.sort, outline) + _furrows(one, model, layout, stream))
            case _:
                tints.append(_tint(one.sort, outline))
    colored = group(*tints)
    if model.sea_around:
        # Colors of the land run out at its shore.
        sea = element("rect", x=box.left, y=box.top, width=box.width, height=box.height, fill=pen.SEA)
        whole = "".join(lands)
        clips.append(element("clipPath", element("path", d=whole), id="hf-land"))
        shores = element("path", d=whole, fill="none", stroke=pen.INK, stroke_width=2.2)
        colored = sea + _land(whole) + group(*tints, clip_path="url(#hf-land)") + shores
    return clip(layout) + "".join(clips), group(colored, *drawn, clip_path="url(#hf-sheet)", id="hf-ground")


def _tint(sort: StoryTerrainSort, outline: str) -> str:
    color, opacity = _WASHES[sort]
    return element("path", d=outline, fill=color, opacity=opacity)


def _land(d: str) -> str:
    """Land in the sea: ripples around it, then paper."""
    rings: list[str] = []
    for reach, opacity in _RIPPLES:
        rings.append(
            element(
                "path", d=d, fill="none", stroke=pen.SEA_DEEP, stroke_width=2 * reach + 2.4, opacity=opacity
            )
        )
        rings.append(element("path", d=d, fill="none", stroke=pen.SEA, stroke_width=2 * reach - 0.4))
    shore = element("path", d=d, fill=pen.PAPER, stroke=pen.INK, stroke_width=2.2, stroke_linejoin="round")
    return "".join(rings) + shore


def _water(d: str, id: str, *, small: bool) -> str:
    """Water in the land: ripples along its shore, inside it."""
    rings: list[str] = [element("path", d=d, fill=pen.SEA)]
    for reach, opacity in _RIPPLES[1:] if small else _RIPPLES:
        rings.append(
            element(
                "path", d=d, fill="none", stroke=pen.SEA_DEEP, stroke_width=2 * reach + 2.4, opacity=opacity
            )
        )
        rings.append(element("path", d=d, fill="none", stroke=pen.SEA, stroke_width=2 * reach - 0.4))
    shore = element("path", d=d, fill="none", stroke=pen.INK, stroke_width=2.2, stroke_linejoin="round")
    return group(*rings, clip_path=f"url(#{id})") + shore


def _river(spots: Sequence[Spot], stream: Stream) -> str:
    d = pen.smooth(spots)
    beside = pen.smooth(
        [(x + pen.unsteady(stream, 1.0) + 1.5, y + pen.unsteady(stream, 1.0) - 1) for x, y in spots]
    )
    line = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    return (
        element("path", d=d, stroke=pen.SEA, stroke_width=8.0, **line)
        + element("path", d=d, stroke=pen.RIVER, stroke_width=2.0, **line)
        + element("path", d=beside, stroke=pen.RIVER, stroke_width=0.9, opacity=0.8, **line)
    )


def _furrows(one: StoryTerrain, model: StoryMap, layout: StoryLayout, stream: Stream) -> str:
    """A field's plots: hatched in turns, their edges drawn by hand."""
    outline = Outline(one.points)
    lines: list[str] = []
    left, top, right, bottom = _bounds(one.points)
    slant = 0.5 if stream.below(2) else -0.5
    water = Water.of(model)
    clear = Clear(layout)
    step, y = 0.62, top
    row = 0
    while y < bottom:
        run: list[Spot] = []
        x = left
        while x <= right + 1.2:
            at = StorySpot(x, y + slant * (x - left) * 0.3)
            px, py = layout.spot(at)
            # Every fourth furrow is missing: that is the path between two plots.
            if (
                row % 6
                and outline.has(at.x, at.y)
                and not water.at(at.x, at.y)
                and clear.free(px, py + 1, 4, 2)
            ):
                run.append((px, py + pen.unsteady(stream, 0.7)))
            else:
                if len(run) > 2:
                    lines.append(pen.smooth(run))
                run = []
            x += 1.1
        if len(run) > 2:
            lines.append(pen.smooth(run))
        y += step
        row += 1
    if not lines:
        return ""
    return element("path", d="".join(lines), fill="none", stroke=pen.WOOD, stroke_width=1.1, opacity=0.75)


def _bounds(points: Sequence[StorySpot]) -> tuple[float, float, float, float]:
    xs, ys = [at.x for at in points], [at.y for at in points]
    return min(xs), min(ys), max(xs), max(ys)


def doodles(model: StoryMap, layout: StoryLayout) -> str:
    """Trees, hills, peaks, reeds, dunes, roofs and waves, from the back to the front."""
    clear = Clear(layout)
    water = Water.of(model)
    standing: list[tuple[float, str]] = []
    for one in model.terrains:
        if one.sort in _STEPS:
            standing += _scattered(one, model, layout, clear, water)
    standing.sort(key=lambda item: item[0])
    waves = _waves(model, layout, clear, water)
    return group(waves, *(drawing for _, drawing in standing), id="hf-scenery", stroke_linejoin="round")


def _scattered(
    one: StoryTerrain, model: StoryMap, layout: StoryLayout, clear: Clear, water: Water
) -> list[tuple[float, str]]:
    """The doodles of a stretch, on an uneven lattice, with how far down each stands."""
    stream = Stream(layout.hand, one.id, "doodles")
    drawings = _DOODLES[one.sort]
    step = _STEPS[one.sort] / UNIT
    outline = Outline(one.points)
    left, top, right, bottom = _bounds(one.points)
    left, right = max(0.0, left), min(model.width, right)
    top, bottom = max(0.0, top), min(model.height, bottom)
    found: list[tuple[float, str]] = []
    y, row = top, 0
    while y < bottom:
        x = left + (step / 2 if row % 2 else 0)
        while x < right:
            at = StorySpot(x + pen.unsteady(stream, step * 0.3), y + pen.unsteady(stream, step * 0.25))
            size = 0.82 + stream.below(40) / 100
            px, py = layout.spot(at)
            half, height = _ROOM[one.sort]
            if (
                outline.has(at.x, at.y)
                and clear.free(px, py, half * size, height * size)
                and not water.at(at.x, at.y)
            ):
                found.append((py, _drawn(stream.choice(drawings), px, py, size)))
            x += step
        y += step * 0.72
        row += 1
    return found


@dataclass(frozen=True, slots=True)
class Doodle:
    """A small drawing whose foot is at the origin: what fills it, a shaded part, and ink lines."""

    fill: str
    body: str
    ink: str = ""
    shade: str = ""
    shade_fill: str = pen.ROCK
    width: float = 1.4


_FIR = Doodle(pen.LEAF_DARK, "M0 -25L8 -12H4L9 -3H-9L-4 -12H-8Z", "M0 -3V1")
_LEAFY = (
    Doodle(pen.LEAF, "M-6 -5C-15 -7 -12 -18 -5 -17C-4 -26 8 -25 6 -16C14 -16 13 -5 5 -5Z", "M0 -5V1"),
    Doodle(pen.LEAF, "M-5 -5C-14 -5 -13 -15 -7 -17C-7 -27 7 -26 7 -17C13 -14 13 -5 5 -5Z", "M0 -5V1"),
    Doodle(pen.LEAF, "M-4 -6C-12 -8 -10 -24 0 -25C10 -24 12 -8 4 -6Z", "M0 -6V1M-3 -14Q-2 -19 2 -20"),
)
_HILL = Doodle(pen.PAPER_LIGHT, "M-20 0Q-12 -15 0 -15Q11 -15 20 0", "M10 -9L13 -2M5 -12L8 -4", width=1.6)
_KNOLL = Doodle(pen.PAPER_LIGHT, "M-18 0Q-8 -12 2 -13Q13 -12 20 0", "M11 -7L14 -1M6 -10L9 -3", width=1.6)
_PEAKS = tuple(
    Doodle(
        pen.PAPER_LIGHT,
        f"M-20 0L-8 {-high // 2}L{lean} {-high}L10 {-high * 2 // 5}L20 0",
        f"M-14 -2L-8 {-high // 4}M-8 -2L-4 {-high // 3}",
        f"M{lean} {-high}L10 {-high * 2 // 5}L20 0H4L6 {-high // 3}L{lean + 1} {-high // 2}Z",
        width=1.7,
    )
    for high, lean in ((34, 2), (40, -2), (36, -3), (31, 3))
)
_REEDS = Doodle("none", "M-5 0L-7 -8M0 0V-12M5 0L8 -8M-13 1H13M-6 4H8", width=1.2)
_DUNE = Doodle("none", "M-14 0Q-5 -9 1 -2Q8 -6 14 0", width=1.3)
_CACTUS = Doodle("none", "M0 0V-17M0 -5H-6V-11M0 -8H6V-14", width=1.9)
_ROOFS = tuple(
    Doodle(pen.PAPER_LIGHT, f"M{-w} 0V-7L0 -14L{w} -7V0Z", "", f"M{-w - 2} -6L0 -14L{w + 2} -6Z", fill, 1.1)
    for w in (7, 9)
    for fill in (pen.ROOF, pen.WOOD, pen.STONE)
)
_DOODLES: Mapping[StoryTerrainSort, tuple[Doodle, ...]] = MappingProxyType(
    {
        _SORT.WOODS: (*_LEAFY, *_LEAFY, _FIR, _FIR),
        _SORT.HILLS: (_HILL, _KNOLL),
        _SORT.MOUNTAINS: _PEAKS,
        _SORT.MARSH: (_REEDS,),
        _SORT.DESERT: (_DUNE, _DUNE, _DUNE, _DUNE, _CACTUS),
        _SORT.HOUSES: _ROOFS,
    }
)


def _drawn(doodle: Doodle, x: float, y: float, size: float) -> str:
    place = f"translate({number(x)} {number(y)}) scale({size:.2f})"
    line: dict[str, Value] = {"stroke": pen.INK, "stroke_width": doodle.width}
    if not doodle.shade:
        return element("path", d=doodle.body + doodle.ink, fill=doodle.fill, transform=place, **line)
    return group(
        element("path", d=doodle.body, fill=doodle.fill),
        element("path", d=doodle.shade, fill=doodle.shade_fill),
        element("path", d=doodle.body + doodle.ink, fill="none", **line),
        transform=place,
    )


_ROOM = {
    _SORT.WOODS: (12.0, 25.0),
    _SORT.HILLS: (20.0, 15.0),
    _SORT.MOUNTAINS: (20.0, 40.0),
    _SORT.MARSH: (13.0, 12.0),
    _SORT.DESERT: (14.0, 12.0),
    _SORT.HOUSES: (10.0, 15.0),
}
"""Half the width and the height of a doodle of size 1, in pixels."""


def _waves(model: StoryMap, layout: StoryLayout, clear: Clear, water: Water) -> str:
    """Waves, a ship and a serpent where there is open sea; tufts of grass on open land."""
    stream = Stream(layout.hand, "waves")
    waves: list[str] = []
    tufts: list[str] = []
    beasts: list[str] = []
    sketches = [_serpent, _ship]
    for _ in range(int(model.width * model.height / 46)):
        x, y = stream.below(1001) / 1000 * model.width, stream.below(1001) / 1000 * model.height
        px, py = layout.spot(StorySpot(x, y))
        if not clear.free(px, py, 12, 10):
            continue
        if not water.at(x, y):
            tufts.append(f"M{number(px - 5)} {number(py - 5)}l3 5l2 -8v8l2 0l3 -5")
            continue
        around = ((x - 7, y), (x + 7, y), (x, y - 6), (x, y + 5), (x - 5, y - 5), (x + 5, y - 5))
        open_sea = all(water.at(a, b) for a, b in around) and clear.free(px, py + 24, 62, 72)
        if open_sea and sketches and all(abs(px - bx) > 150 for bx in _left(beasts)):
            beasts.append(f"{number(px)}|" + sketches.pop()(px, py))
        elif all(water.at(x + dx, y + dy) for dx, dy in ((2.2, 0), (-2.2, 0), (0, 1.2), (0, -1.5))):
            waves.append(f"M{number(px - 12)} {number(py)}q6 -6 12 0q6 6 12 0")
    ink = {"fill": "none", "stroke_linecap": "round"}
    return (
        (element("path", d="".join(waves), stroke=pen.SEA_DEEP, stroke_width=1.6, **ink) if waves else "")
        + (
            element("path", d="".join(tufts), stroke=pen.LEAF_DARK, stroke_width=1.1, opacity=0.5, **ink)
            if tufts
            else ""
        )
        + "".join(beast.split("|", 1)[1] for beast in beasts)
    )


def _left(beasts: Sequence[str]) -> list[float]:
    return [float(beast.split("|", 1)[0]) for beast in beasts]


def _ship(x: float, y: float) -> str:
    return group(
        element("path", d="M-34 6H36L24 24H-22Z", fill=pen.WOOD),
        element("path", d="M2 6V-44M4 -40Q32 -22 30 -2H4ZM-2 -34Q-22 -16 -24 -2H-2Z", fill=pen.PAPER_LIGHT),
        element("path", d="M2 -44L18 -40L2 -35Z", fill=pen.RED),
        element("path", d="M-46 30q8 -7 16 0q8 7 16 0q8 -7 16 0q8 7 16 0q8 -7 16 0", fill="none"),
        transform=f"translate({number(x)} {number(y)})",
        stroke=pen.INK,
        stroke_width=1.5,
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def _serpent(x: float, y: float) -> str:
    return group(
        element(
            "path",
            d="M-56 10C-56 -14 -30 -14 -30 10H-40C-40 0 -46 0 -46 10ZM-20 10"
            "C-20 -20 12 -20 12 10H2C2 -6 -10 -6 -10 10ZM22 10C20 -20 26 -40 42 -40"
            "C52 -40 58 -34 60 -28L48 -26C42 -28 36 -16 34 10Z",
            fill=pen.LEAF,
        ),
        element(
            "path",
            d="M47 -34H48M42 -41L46 -50L50 -38M-62 14q8 -6 16 0q8 6 16 0q8 -6 16 0q8 6 16 0"
            "q8 -6 16 0q8 6 16 0",
            fill="none",
        ),
        transform=f"translate({number(x)} {number(y)})",
        stroke=pen.INK,
        stroke_width=1.5,
        stroke_linejoin="round",
        stroke_linecap="round",
    )
