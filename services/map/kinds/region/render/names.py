"""The words of a region's picture: stretches of land in their middle, everything else beside its sign."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from services.map.kinds.region.model import Biome, Feature, RegionMap, Settlement
from services.map.kinds.region.render.page import Page
from services.map.kinds.region.vocabulary import FeatureKind, SettlementKind
from services.map.render.labels import Ink, Label, TextLine, Wanted, place_labels
from services.map.render.shapes import Box, Disc, Spot

_SIZES = {
    SettlementKind.CITY: 21.0,
    SettlementKind.PORT: 17.0,
    SettlementKind.TOWN: 17.0,
    SettlementKind.KEEP: 14.0,
    SettlementKind.VILLAGE: 14.0,
    SettlementKind.HAMLET: 12.5,
}
_SPREAD = {
    FeatureKind.SEA: (27.0, 10.0),
    FeatureKind.MOUNTAINS: (18.0, 5.0),
    FeatureKind.FOREST: (16.0, 3.5),
    FeatureKind.DESERT: (18.0, 6.0),
    FeatureKind.ICE: (18.0, 5.0),
    FeatureKind.PLAIN: (16.0, 4.5),
    FeatureKind.HILLS: (14.5, 3.0),
    FeatureKind.SWAMP: (14.0, 2.0),
    FeatureKind.BAY: (15.0, 2.5),
    FeatureKind.ISLAND: (15.0, 2.5),
}
"""Size and spacing of the letters of the names of stretches."""

_SPACINGS = (1.0, 0.5, 0.0)
_SHIFTS = (0.0, -0.3, 0.3, -0.6, 0.6, -0.9, 0.9)
_WET = (FeatureKind.SEA, FeatureKind.BAY)


@dataclass(frozen=True, slots=True)
class Words:
    """What a label is set in.

    Attributes:
        label: The label in its place.
        style: `water`, `land` or `place`.
    """

    label: Label
    style: str


def place_words(
    model: RegionMap,
    page: Page,
    settlements: Sequence[tuple[Settlement, Disc]],
    sites: Sequence[tuple[str, str, Disc]],
    compass: Disc,
    marks: Iterable[tuple[Spot, float]],
) -> tuple[Words, ...]:
    """Finds a place for every name; none touches another, a sign or the frame, and what has no room is left
    out.

    Args:
        model: The region.
        page: Its page.
        settlements: The settlements with their signs' room.
        sites: Id, name and room of each site.
        compass: The compass rose.
        marks: Roads and rivers, with what it costs to cover them.
    """
    signs = [*(disc for _, disc in settlements), *(disc for _, _, disc in sites), compass]
    frame = page.frame.grown(-10)
    ink = Ink(page.width, page.height, marks)
    wide = _stretches(model, page, signs, frame, ink)
    blocked = [*signs, *(disc for label in wide for disc in _covering(label.box))]
    wanted = [
        Wanted(home.id, (TextLine(home.name, _SIZES[home.kind], bold=_SIZES[home.kind] > 15),), (disc,))
        for home, disc in sorted(settlements, key=lambda pair: -_SIZES[pair[0].kind])
    ]
    wanted += [Wanted(id_, (TextLine(name, 12.0, italic=True),), (disc,)) for id_, name, disc in sites]
    wet = _beside_water(model, page)
    placed = place_labels([*wanted, *wet], blocked, frame, ink)
    watery = {label.id for label in wet}
    watery |= {feature.id for feature in model.features if feature.kind in _WET}
    areas = {label.id for label in wide}

    def style(label: Label) -> str:
        return "water" if label.id in watery else "land" if label.id in areas else "place"

    return tuple(Words(label, style(label)) for label in (*wide, *placed))


def _stretches(
    model: RegionMap, page: Page, signs: Sequence[Disc], frame: Box, ink: Ink
) -> tuple[Label, ...]:
    """Names of stretches, spaced over their middle where nothing is in the way."""
    placed: list[Label] = []
    order = sorted(model.features, key=lambda feature: -_SPREAD[feature.kind][0])
    for feature in order:
        best: tuple[float, TextLine, Box] | None = None
        size, tracking = _SPREAD[feature.kind]
        for rank, share in enumerate(_SPACINGS):
            line = TextLine(feature.name, size, italic=feature.kind in _WET, tracking=tracking * share)
            for shift, (x, y) in _spots(feature, page, model):
                box = Box(x - line.width / 2, y - line.height / 2, x + line.width / 2, y + line.height / 2)
                roomy = box.grown(4)
                if not frame.holds(box) or any(disc.meets(roomy) for disc in signs):
                    continue
                if any(label.box.overlaps(roomy) for label in placed):
                    continue
                cost = ink.under(box) + 3 * rank + shift + _astray(feature, box, page, model)
                if best is None or cost < best[0]:
                    best = cost, line, box
            if best is not None:
                break
        if best is not None and best[0] < 60:
            placed.append(Label(feature.id, (best[1],), best[2], 0, None))
    return tuple(placed)


def _spots(feature: Feature, page: Page, model: RegionMap) -> list[tuple[float, Spot]]:
    """Spots along the long axis of a stretch and a little to both sides, the middle first; all over a sea."""
    if feature.kind is FeatureKind.SEA:
        sea = model.biome_grid <= Biome.SHALLOWS
        cells = [(model.width * i // 16, model.height * j // 16) for i in range(2, 15) for j in range(1, 16)]
        far = feature.at
        return [
            (hypot(x - far[0], y - far[1]) * 6 / model.width, page.spot((x, y)))
            for x, y in cells
            if sea[y, x]
        ]
    (x0, y0), (x1, y1) = page.spot(feature.spine[0]), page.spot(feature.spine[1])
    middle = page.spot(feature.at)
    spots: list[tuple[float, Spot]] = []
    for along in _SHIFTS:
        for off in (0.0, -24.0, 24.0, -52.0, 52.0):
            spot = (middle[0] + along * (x1 - x0) / 2, middle[1] + along * (y1 - y0) / 2 + off)
            spots.append((abs(along) * 4 + abs(off) / 10, spot))
    return spots


def _astray(feature: Feature, box: Box, page: Page, model: RegionMap) -> float:
    """What it costs that a name of the sea runs over land, or the other way round."""
    biomes = model.biome_grid
    wet = feature.kind in _WET
    cost = 0.0
    for share in (0.02, 0.25, 0.5, 0.75, 0.98):
        x, y = page.cell((box.left + share * box.width, box.center[1]))
        x, y = min(model.width - 1, max(0, x)), min(model.height - 1, max(0, y))
        if bool(biomes[y, x] <= 1) != wet:
            cost += 14.0 if wet else 3.0
    return cost


def _covering(box: Box) -> list[Disc]:
    """Discs that cover a box, for what only gives way to discs."""
    radius = box.height * 0.62
    count = max(1, int(box.width / box.height) + 1)
    step = box.width / count
    return [Disc(box.left + (i + 0.5) * step, box.center[1], radius) for i in range(count)]


def _beside_water(model: RegionMap, page: Page) -> list[Wanted]:
    """Names of lakes and rivers."""
    wanted: list[Wanted] = []
    for lake in model.lakes[:8]:
        radius = min(16.0, (lake.cells**0.5) * page.scale * 0.2)
        size = 13.5 if lake.cells * page.scale**2 > 2500 else 12.0
        line = TextLine(lake.name, size, italic=True)
        wanted.append(Wanted(lake.id, (line,), (Disc(*page.spot(lake.at), radius),), leader=False))
    for river in model.rivers:
        if river.name:
            cells = np.linspace(len(river.line) * 0.25, len(river.line) * 0.85, 4).astype(int)
            anchors = tuple(Disc(*page.spot(river.line[i]), 3.0) for i in cells.tolist())
            line = TextLine(river.name, 12.0, italic=True)
            wanted.append(Wanted(river.id, (line,), anchors, leader=False))
    return wanted


def without_far(words: tuple[Words, ...], anchors: dict[str, Disc], reach: float) -> tuple[Words, ...]:
    """The words without names of rivers and lakes that ended up too far from their water to be understood."""
    kept: list[Words] = []
    for word in words:
        anchor = anchors.get(word.label.id)
        if anchor is not None and word.label.box.distance((anchor.x, anchor.y)) > reach:
            continue
        kept.append(word)
    return tuple(kept)
