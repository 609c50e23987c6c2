"""What of a story map is drawn where: everything but the look.

    page, signs -> ways -> names of places -> names of terrain -> StoryLayout

Each stage gives way to those before it; scenery comes last and keeps clear of all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

from services.map.generation.stream import Stream, digest
from services.map.kinds.story.land import Water
from services.map.render.labels import Ink, Label, TextLine, Wanted, place_labels
from services.map.render.shapes import Box, Curve, Disc, Spot
from services.rules.systems.fortunate_blades.story_map.details import DETAIL_WORDS
from services.rules.systems.fortunate_blades.story_map.model import (
    StoryForce,
    StoryMap,
    StoryPath,
    StoryPlace,
    StorySpot,
    StoryTerrain,
)
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryDetail,
    StoryPathSort,
    StoryPlaceSort,
    StoryTerrainSort,
)

UNIT = 10.0
"""Pixels in one unit of the sheet."""

BORDER = 40.0
HEAD = 112.0
CARD_WIDTH = 268.0
CARD_HEIGHT = 122.0
GAP = 14.0
FOOT = 34.0

_RADII = {
    StoryPlaceSort.NATION: 31.0,
    StoryPlaceSort.CITY: 32.0,
    StoryPlaceSort.TOWN: 29.0,
    StoryPlaceSort.UNKNOWN: 22.0,
}
_RADIUS = 26.0
_START = 12.0
"""Pixels that the star of the start stands out around its sign."""
_LABEL_MARGIN = 9.0
_LONG_LINE = 19
_BENDS = (0.07, -0.07, 0.14, -0.14, 0.03, -0.03, 0.24, -0.24, 0.0)
_MOST_BEND = 46.0


@dataclass(frozen=True, slots=True)
class Icon:
    """The sign of a place and the room it has."""

    place: StoryPlace
    disc: Disc
    tilt: float


@dataclass(frozen=True, slots=True)
class Way:
    """A path as it is drawn."""

    path: StoryPath
    curve: Curve


@dataclass(frozen=True, slots=True)
class StoryLayout:
    """A story map laid out on a page.

    Attributes:
        hand: What the unsteady hand is drawn from; it tells nothing secret.
        width: Width of the page.
        height: Height of the page.
        frame: The sheet; all but title and forces is inside.
        icons: One sign a place.
        ways: The paths.
        labels: Names of places.
        terrain_labels: Names of terrain.
        cards: The forces, each with the room it has.
    """

    hand: int
    width: float
    height: float
    frame: Box
    icons: tuple[Icon, ...]
    ways: tuple[Way, ...]
    labels: tuple[Label, ...]
    terrain_labels: tuple[Label, ...]
    cards: tuple[tuple[StoryForce, Box], ...]

    def spot(self, at: StorySpot) -> Spot:
        """The pixel of a spot of the sheet."""
        return self.frame.left + at.x * UNIT, self.frame.top + at.y * UNIT


def lay_out(model: StoryMap) -> StoryLayout:
    """Lays out a story map; the same model gives the same layout."""
    # The players' version has no seed, and is to show the same hand as the game master's.
    hand = digest(f"{model.start} {model.width} {model.height}") >> 1
    frame = Box(BORDER, HEAD, BORDER + model.width * UNIT, HEAD + model.height * UNIT)
    inside = frame.grown(-_LABEL_MARGIN)
    icons = _icons(model, frame, Stream(hand, "signs"))
    discs = {icon.place.id: icon.disc for icon in icons}
    ways = _ways(model, discs, frame, inside)
    marks = [spot for way in ways for spot in way.curve.spots(9)]
    ink = Ink(frame.right, frame.bottom, _weighed(marks))
    obstacles = list(discs.values())
    labels = place_labels([_wanted(icon, model) for icon in icons if icon.place.name], obstacles, inside, ink)
    terrain_labels = _terrain_labels(model, frame, inside, obstacles, labels, marks)
    columns = max(1, int((frame.width + GAP) // (CARD_WIDTH + GAP)))
    cards = _cards(model, frame, columns)
    bottom = max((box.bottom for _, box in cards), default=frame.bottom)
    return StoryLayout(
        hand, frame.right + BORDER, bottom + FOOT, frame, icons, ways, labels, terrain_labels, cards
    )


def _icons(model: StoryMap, frame: Box, stream: Stream) -> tuple[Icon, ...]:
    """Every place its sign, as large as its neighbors allow: two signs never overlap."""
    spots = [(frame.left + place.at.x * UNIT, frame.top + place.at.y * UNIT) for place in model.places]
    reach = [
        _RADII.get(place.sort, _RADIUS) + (_START if place.id == model.start else 0) for place in model.places
    ]
    icons: list[Icon] = []
    for i, place in enumerate(model.places):
        radius = reach[i]
        for j, (x, y) in enumerate(spots):
            if i != j:
                gap = hypot(spots[i][0] - x, spots[i][1] - y) - 2
                radius = min(radius, max(gap / 2, gap - reach[j]))
        icons.append(Icon(place, Disc(*spots[i], radius), (stream.below(81) - 40) / 10))
    return tuple(icons)


def _ways(model: StoryMap, discs: dict[str, Disc], frame: Box, inside: Box) -> tuple[Way, ...]:
    water = Water.of(model)
    ways: list[Way] = []
    for path in model.paths:
        start, end = discs[path.start], discs[path.end]
        others = [disc for id, disc in discs.items() if id not in (path.start, path.end)]
        whole = _bent(path, (start, end), others, water, frame, inside)
        span = hypot(end.x - start.x, end.y - start.y)
        first = min(0.45, (start.radius + 3) / span)
        last = 1 - min(0.45, (end.radius + 3) / span)
        ways.append(Way(path, whole.between(first, last)))
    return tuple(ways)


def _bent(
    path: StoryPath, ends: tuple[Disc, Disc], others: Sequence[Disc], water: Water, frame: Box, inside: Box
) -> Curve:
    """A slightly bent line that passes no third sign, and on land keeps dry."""
    start, end = (ends[0].x, ends[0].y), (ends[1].x, ends[1].y)
    dx, dy = end[0] - start[0], end[1] - start[1]
    span = hypot(dx, dy)
    dry = path.sort in (StoryPathSort.ROAD, StoryPathSort.TRAIL, StoryPathSort.RIVER)
    side = 1 if digest(path.start + path.end) % 2 else -1
    straight = Curve(start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end)
    best: tuple[float, Curve] = (1e9, straight)
    for rank, bend in enumerate(_BENDS):
        if best[0] <= rank:
            break
        off = side * max(-_MOST_BEND, min(_MOST_BEND, 2 * bend * span))
        curve = Curve(start, (straight.bend[0] - dy / span * off, straight.bend[1] + dx / span * off), end)
        spots = curve.spots(14)
        if not all(inside.has(spot) for spot in spots):
            continue
        cost = rank + 20.0 * sum(
            any(hypot(disc.x - x, disc.y - y) < disc.radius + 6 for x, y in spots) for disc in others
        )
        if dry:
            wet = sum(water.at((x - frame.left) / UNIT, (y - frame.top) / UNIT) for x, y in spots[1:-1])
            cost += 30.0 * wet
        if cost < best[0]:
            best = cost, curve
    return best[1]


def _weighed(spots: Sequence[Spot]) -> Iterator[tuple[Spot, float]]:
    for spot in spots:
        yield spot, 2.4


def caption(place: StoryPlace, model: StoryMap) -> str:
    """What a map says under the name of a place."""
    if not place.known:
        return "only rumored" if place.rumored else "not yet found"
    words = DETAIL_WORDS[place.detail] if place.detail is not None else ""
    if place.id == model.start:
        return f"the story starts here · {words}"
    if place.sort is StoryPlaceSort.NATION and place.detail is StoryDetail.CAPITAL:
        return "a mighty nation"
    return words


def _wanted(icon: Icon, model: StoryMap) -> Wanted:
    place = icon.place
    start = place.id == model.start
    size = 19.5 if start else 16.5
    lines = [TextLine(line, size, bold=True) for line in broken(place.name)]
    words = caption(place, model)
    if words:
        lines.append(TextLine(words, 12.5, italic=True))
    return Wanted(place.id, tuple(lines), (icon.disc,))


def broken(name: str) -> tuple[str, ...]:
    """A name in one or two lines, broken near its middle when it is long."""
    words = name.split(" ")
    if len(name) <= _LONG_LINE or len(words) == 1:
        return (name,)
    parts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(parts, key=lambda pair: max(map(len, pair)))


def _terrain_labels(
    model: StoryMap,
    frame: Box,
    inside: Box,
    discs: Sequence[Disc],
    labels: Sequence[Label],
    marks: Sequence[Spot],
) -> tuple[Label, ...]:
    """Names of terrain where there is room for them inside it; a name without room is left out."""
    taken = [label.box.grown(4) for label in labels]
    placed: list[Label] = []
    for one in model.terrains:
        if not one.name:
            continue
        found = _inside(one, model, frame, inside, discs, taken, marks)
        if found is not None:
            line, box = found
            placed.append(Label(one.id, (line,), box, 0, None))
            taken.append(box.grown(4))
    return tuple(placed)


def _inside(
    one: StoryTerrain,
    model: StoryMap,
    frame: Box,
    inside: Box,
    discs: Sequence[Disc],
    taken: Sequence[Box],
    marks: Sequence[Spot],
) -> tuple[TextLine, Box] | None:
    water = one.sort in (StoryTerrainSort.SEA, StoryTerrainSort.LAKE, StoryTerrainSort.RIVER)
    line = TextLine(one.name, 15.0 if water else 14.0, italic=True, tracking=1.2)
    width, height = line.width, line.height
    spots = [(frame.left + at.x * UNIT, frame.top + at.y * UNIT) for at in one.points]
    if one.sort is StoryTerrainSort.RIVER:
        tried = [(x, y - 12) for x, y in spots[3:-3]]
        middle = spots[len(spots) // 2]
    else:
        xs = [min(max(x, inside.left), inside.right) for x, _ in spots]
        ys = [min(max(y, inside.top), inside.bottom) for _, y in spots]
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        tried = [
            (min(xs) + (max(xs) - min(xs)) * i / 8, min(ys) + (max(ys) - min(ys)) * j / 8)
            for i in range(1, 8)
            for j in range(1, 8)
        ]
    tried.sort(key=lambda at: (hypot(at[0] - middle[0], at[1] - middle[1]), at))
    sea = Water.of(model)
    for x, y in tried:
        box = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        if not inside.holds(box) or any(box.overlaps(other) for other in taken):
            continue
        if any(disc.meets(box.grown(3)) for disc in discs) or any(box.has(spot) for spot in marks):
            continue
        corners = [(box.left, y), (x, y), (box.right, y)]
        wet = [sea.at((a - frame.left) / UNIT, (b - frame.top) / UNIT) for a, b in corners]
        if one.sort is StoryTerrainSort.SEA and not all(wet):
            continue
        if not water and any(wet):
            continue
        return line, box
    return None


def _cards(model: StoryMap, frame: Box, columns: int) -> tuple[tuple[StoryForce, Box], ...]:
    """The room of each force below the sheet."""
    count = len(model.forces)
    if not count:
        return ()
    rows = -(-count // columns)
    columns = -(-count // rows)
    width = (frame.width - (columns - 1) * GAP) / columns
    top = frame.bottom + 62
    return tuple(
        (
            force,
            Box(
                frame.left + index % columns * (width + GAP),
                top + index // columns * (CARD_HEIGHT + GAP),
                frame.left + index % columns * (width + GAP) + width,
                top + index // columns * (CARD_HEIGHT + GAP) + CARD_HEIGHT,
            ),
        )
        for index, force in enumerate(model.forces)
    )
