"""What of a realm is drawn where: everything but the look.

    model -> page, icons -> ways -> compass -> mountains -> pawns -> labels -> trees -> RealmLayout

Each stage gives way to those before it. Sizes are pixels; a unit of the sheet is ten of them, and a die's
width of four units leaves room for two small icons side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from services.map.generation.stream import Stream
from services.map.kinds.realm.model import Corner, RealmMap
from services.map.kinds.realm.render.pawns import (
    MOST_CLEAR,
    Pawn,
    Surroundings,
    place_pawns,
    stands_beside,
)
from services.map.kinds.realm.render.scenery import Kept, Peak, Tree, plant_trees, raise_peaks
from services.map.kinds.realm.render.ways import Page, Way, draw_ways
from services.map.render.figures import Figure
from services.map.render.labels import Ink, Label, TextLine, Wanted, place_labels
from services.map.render.shapes import Box, Disc, Spot
from services.rules.systems.forgeborn import STEPS, ForestPatch, Place, PlaceKind, Point, units
from services.rules.systems.forgeborn.features import segments

UNIT = 10
"""Pixels in one unit of the sheet."""

EDGE = 44.0
"""Paper inside the frame around the sheet, so that an icon on the sheet's edge is whole."""

BORDER = 46.0
"""Paper outside the frame at the sides."""

HEAD = 104.0
"""Paper above the frame, for the title."""

LEGEND_ROW = 64.0
LEGEND_ENTRY = 132.0
LEGEND_ENTRIES = 9

_RADII = {
    PlaceKind.LAIR: 56.0,
    PlaceKind.CITADEL: 32.0,
    PlaceKind.CITY: 32.0,
    PlaceKind.VILLAGE: 20.0,
    PlaceKind.RUIN: 20.0,
    PlaceKind.FOREST: 24.0,
}
_COMPASS_RADII = (82.0, 70.0, 58.0, 48.0, 38.0)
_LABEL_MARGIN = 8.0
_CLUSTER = 16.0

KIND_WORDS = {
    PlaceKind.LAIR: "Dragon’s Lair",
    PlaceKind.CITADEL: "Citadel of the Forge",
    PlaceKind.CITY: "City of the Prince",
    PlaceKind.VILLAGE: "Village",
    PlaceKind.RUIN: "Ruin",
    PlaceKind.FOREST: "Forest",
}
"""What each kind of place is called on a map."""


@dataclass(frozen=True, slots=True)
class Icon:
    """The sign of a place and the room it has."""

    place: Place
    disc: Disc


@dataclass(frozen=True, slots=True)
class RealmLayout:
    """A realm laid out on a page.

    Attributes:
        width: Width of the page.
        height: Height of the page.
        frame: The map's frame; all but title and legend is inside.
        icons: One sign a place.
        ways: Roads and Trails.
        peaks: Mountains from the back to the front.
        trees: Trees from the back to the front.
        compass: The compass rose.
        labels: The words.
        legend: The strip below the frame.
        pawns: Who stands on the realm.
    """

    width: float
    height: float
    frame: Box
    icons: tuple[Icon, ...]
    ways: tuple[Way, ...]
    peaks: tuple[Peak, ...]
    trees: tuple[Tree, ...]
    compass: Disc
    labels: tuple[Label, ...]
    legend: Box
    pawns: tuple[Pawn, ...] = ()


PAGE = Page(BORDER + EDGE, HEAD + EDGE, UNIT / STEPS)
"""Where the sheet of every realm lies on its page."""


def lay_out(model: RealmMap, figures: Sequence[Figure] = ()) -> RealmLayout:
    """Lays out a realm; the same model gives the same layout.

    Args:
        model: The realm.
        figures: Who stands on it.
    """
    realm, page = model.realm, PAGE
    right, bottom = page.spot(Point(realm.sheet.width, realm.sheet.height))
    frame = Box(BORDER, HEAD, right + EDGE, bottom + EDGE)
    width = frame.right + BORDER
    columns = max(1, int(frame.width // LEGEND_ENTRY))
    rows = -(-LEGEND_ENTRIES // columns)
    legend = Box(frame.left, frame.bottom + 24, frame.right, frame.bottom + 24 + rows * LEGEND_ROW)

    icons = _icons(realm.places, page)
    discs = {icon.place.id: icon.disc for icon in icons}
    inside = frame.grown(-_LABEL_MARGIN)
    ways = draw_ways(realm.links, discs, realm.ranges, page, inside, Stream(model.seed, "decoration", "ways"))
    way_spots = [spot for way in ways for spot in way.whole.spots(7)]
    compass = _compass(model, frame, icons, way_spots, [page.spot(at) for at in realm.range], legend)
    blocked = [
        *(Disc(d.x, d.y, d.radius + 3) for d in discs.values()),
        Disc(compass.x, compass.y, compass.radius + 4),
    ]
    kept = Kept(blocked, way_spots, inside)
    peaks = (
        raise_peaks(realm.range, page, kept, Stream(model.seed, "decoration", "mountains"))
        if realm.range
        else ()
    )
    ink = Ink(width, legend.top, _marks(way_spots, peaks, realm.patches, page))
    signs = [*discs.values(), compass]
    standing = [(figure, page.spot(Point.of(figure.x, figure.y))) for figure in figures]
    pawns = place_pawns(standing, signs, _sheet(right, bottom))
    wanted = _wanted(model, icons, page)
    labels = place_labels(wanted, signs, inside, ink)
    clear = [pawn.disc for pawn in pawns[:MOST_CLEAR]]
    if any(disc.meets(label.box) for disc in clear for label in labels):
        labels = place_labels(wanted, [*signs, *clear], inside, ink)
    open_ground = Kept(blocked, way_spots, inside, [label.box.grown(1) for label in labels])
    trees = plant_trees(
        realm.patches, realm.range, peaks, page, open_ground, Stream(model.seed, "decoration", "trees")
    )
    return RealmLayout(
        width, legend.bottom + 34, frame, icons, ways, peaks, trees, compass, labels, legend, pawns
    )


def beside(model: RealmMap, places: Sequence[str]) -> tuple[tuple[float, float], ...]:
    """Where pieces stand, in units: each beside the sign of its place, none on another.

    Args:
        model: The realm.
        places: Id of each piece's place.

    Raises:
        KeyError: There is no such place.
    """
    layout = lay_out(model)
    signs = {icon.place.id: icon.disc for icon in layout.icons}
    right, bottom = PAGE.spot(Point(model.realm.sheet.width, model.realm.sheet.height))
    around = Surroundings(
        signs=[*signs.values(), layout.compass],
        names=[label.box for label in layout.labels],
        ways=[spot for way in layout.ways for spot in way.drawn.spots(7)],
        room=_sheet(right, bottom),
    )
    spots = map(PAGE.point, stands_beside([signs[place] for place in places], around))
    return tuple((units(at.x), units(at.y)) for at in spots)


def _sheet(right: float, bottom: float) -> Box:
    """The sheet on its page: who stands on a map stands within it."""
    return Box(*PAGE.spot(Point(0, 0)), right, bottom)


def _icons(places: Sequence[Place], page: Page) -> tuple[Icon, ...]:
    """Every place its sign, as large as its neighbors allow: two signs never overlap."""
    spots = [page.spot(place.at) for place in places]
    icons: list[Icon] = []
    for i, place in enumerate(places):
        radius = _RADII[place.kind]
        for j, other in enumerate(places):
            if i != j:
                gap = hypot(spots[i][0] - spots[j][0], spots[i][1] - spots[j][1])
                radius = min(radius, max(gap / 2, gap - _RADII[other.kind]))
        icons.append(Icon(place, Disc(*spots[i], radius)))
    return tuple(icons)


def _compass(
    model: RealmMap,
    frame: Box,
    icons: Sequence[Icon],
    ways: Sequence[Spot],
    peaks: Sequence[Spot],
    legend: Box,
) -> Disc:
    """The rose in its corner, as large as the corner allows; below the frame when dice fill all corners."""
    for radius in _COMPASS_RADII:
        inset = radius + 22
        x = (
            frame.right - inset
            if model.compass in (Corner.NORTH_EAST, Corner.SOUTH_EAST)
            else frame.left + inset
        )
        y = (
            frame.bottom - inset
            if model.compass in (Corner.SOUTH_EAST, Corner.SOUTH_WEST)
            else frame.top + inset
        )
        room = radius + 6
        clear_icons = all(hypot(i.disc.x - x, i.disc.y - y) >= room + i.disc.radius for i in icons)
        clear_lines = all(hypot(spot[0] - x, spot[1] - y) >= room for spot in (*ways, *peaks))
        if clear_icons and clear_lines:
            return Disc(x, y, radius)
    return Disc(legend.right - 16, legend.top - 2, 14.0)


def _marks(
    ways: Sequence[Spot], peaks: Sequence[Peak], patches: Sequence[ForestPatch], page: Page
) -> Iterator[tuple[Spot, float]]:
    for spot in ways:
        yield spot, 2.2
    for peak in peaks:
        for share in (0.2, 0.6, 0.95):
            yield (peak.x, peak.y - peak.height * share), 2.4
        yield (peak.x - peak.half * 0.6, peak.y - 4), 1.8
        yield (peak.x + peak.half * 0.6, peak.y - 4), 1.8
    for patch in patches:
        for start, end in segments(patch.lines):
            a, b = page.spot(start), page.spot(end)
            count = int(hypot(b[0] - a[0], b[1] - a[1]) / _CLUSTER) + 1
            for i in range(count + 1):
                x, y = a[0] + (b[0] - a[0]) * i / count, a[1] + (b[1] - a[1]) * i / count
                yield from (((x + dx, y + dy), 1.6) for dx in (-12, 12) for dy in (-10, 10))
        for x, y in map(page.spot, patch.points):
            yield from (((x + dx, y + dy), 1.2) for dx in (-30, -10, 10, 30) for dy in (-25, -8, 8, 25))


def power_words(place: Place) -> str:
    """What a map says under the name of a place: `Ruin, Power 6`."""
    word = KIND_WORDS[place.kind]
    if place.spent:
        return f"{word}, explored"
    return word if place.power is None else f"{word}, Power {place.power}"


def _wanted(model: RealmMap, icons: Sequence[Icon], page: Page) -> list[Wanted]:
    large = (PlaceKind.CITADEL, PlaceKind.CITY, PlaceKind.LAIR)
    wanted = []
    for icon in icons:
        place = icon.place
        size = 20.0 if place.kind in large else 17.0
        lines = [TextLine(place.name, size, bold=True)] if place.name else []
        lines.append(TextLine(power_words(place), 12.5, italic=True))
        wanted.append(Wanted(place.id, tuple(lines), (icon.disc,)))
    if model.range_name and model.realm.range:
        corners = [page.spot(at) for at in model.realm.range]
        middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(corners)]
        beside = tuple(Disc(x, y - 8, 40.0) for x, y in (*middles, *corners))
        text = TextLine(model.range_name, 17.0, italic=True, tracking=2.4)
        wanted.append(Wanted("range", (text,), beside, leader=False))
    return wanted
