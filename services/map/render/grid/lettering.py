"""Words and numbers on the map: room badges, names, heights. None covers another, and names cover no sign."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from services.map.generation.grid.cells import Mask
from services.map.generation.grid.model import GridKind, GridMap, Prop, Room
from services.map.generation.grid.terrain import Terrain
from services.map.render.grid.outline import UNIT, cell_codes
from services.map.render.grid.palette import Palette
from services.map.render.grid.relief import height_steps
from services.map.render.labels import Ink, Label, TextLine, Wanted, place_labels
from services.map.render.metrics import ASCENT, FONT_FAMILY, text_width
from services.map.render.shapes import Box, Disc
from services.map.render.svg import element, escaped, group, number

_BADGE = 36.0
_BADGE_PIXELS = 9.5
_NOTE = 24.0
_NOTE_PIXELS = 7.0
_NAME_PIXELS = 12.5
_MOST_NAMES = 60

_OVERWRITTEN = frozenset(
    {"tree", "bush", "rock", "rug", "tracks", "flowers", "lilies", "reeds", "web", "fence"}
)
"""Kinds of props that a name may stand upon: they are many, or mere ground."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A room's number in its place, in drawing units."""

    room: Room
    disc: Disc


@dataclass(frozen=True, slots=True)
class Lettering:
    """Everything written on a map.

    Attributes:
        badges: Room numbers.
        labels: Names, in drawing units.
        heights: Spots with the feet they lie higher or lower than the map's plain.
        notes: Marks of notes, each with its letter.
    """

    badges: tuple[Badge, ...]
    labels: tuple[Label, ...]
    heights: tuple[tuple[float, float, str], ...]
    notes: tuple[tuple[Disc, str], ...]


NOTHING = Lettering((), (), (), ())
"""A map without any words."""


def note_letter(index: int) -> str:
    """What marks a note on the map and in the key: a to z, then aa, ab, ..."""
    letters = ""
    index += 1
    while index:
        index, place = divmod(index - 1, 26)
        letters = chr(ord("a") + place) + letters
    return letters


def letter(model: GridMap, pixels: int) -> Lettering:
    """Finds the places of everything that is written on a map.

    Args:
        model: The map.
        pixels: Of one cell: on small cells badges grow beyond theirs, to stay readable.
    """
    taken = _taken(model)
    badges = _badges(model, taken, max(_BADGE, _BADGE_PIXELS / pixels * UNIT))
    heights = _heights(model, taken, badges) if pixels >= 16 else ()
    named = model.kind is GridKind.BATTLE or model.kind is GridKind.IMPORTED
    radius = max(_NOTE, _NOTE_PIXELS / pixels * UNIT)
    notes = tuple(
        (Disc(note.at[0] * UNIT, note.at[1] * UNIT, radius), note_letter(index))
        for index, note in enumerate(note for note in model.notes if note.text)
    )
    labels = _names(model, badges, heights, notes, pixels) if named else ()
    return Lettering(badges, labels, heights, notes)


def _taken(model: GridMap) -> Mask:
    """Cells where a number would hide something, rows first."""
    codes = cell_codes(model)
    taken: Mask = np.isin(
        codes,
        [int(t) for t in (Terrain.PILLAR, Terrain.OBSTACLE, Terrain.TREE, Terrain.BOULDER, Terrain.CHASM)],
    )
    taken |= codes <= int(Terrain.WALL)
    height, width = taken.shape

    def take(x: float, y: float, w: float = 1.0, h: float = 1.0) -> None:
        taken[
            max(0, int(y)) : max(0, int(-(-(y + h) // 1))), max(0, int(x)) : max(0, int(-(-(x + w) // 1)))
        ] = True

    for prop in model.props:
        if prop.kind not in ("rug", "tracks", "flowers", "tree"):
            take(prop.x, prop.y, prop.width, prop.height)
    for trap in model.traps:
        take(*trap.at, trap.width, trap.height)
    for door in model.doors:
        x, y = door.middle
        take(x - 0.4, y - 0.4, 0.8, 0.8)
    for stairs in model.stairs:
        take(*stairs.at)
    for note in model.notes:
        take(note.at[0] - 0.3, note.at[1] - 0.3, 0.6, 0.6)
    for light in model.lights:
        take(light.at[0] - 0.2, light.at[1] - 0.2, 0.4, 0.4)
    return taken[:height, :width]


def _badges(model: GridMap, taken: Mask, radius: float) -> tuple[Badge, ...]:
    """A number in each room: in the middle where that is free, else in the free cell nearest to it."""
    found: list[Badge] = []
    for room in model.rooms:
        for x, y in _places(model, room, taken):
            if all((x - b.disc.x) ** 2 + (y - b.disc.y) ** 2 > (2 * radius + 4) ** 2 for b in found[-60:]):
                found.append(Badge(room, Disc(x, y, radius)))
                break
    return tuple(found)


def _places(model: GridMap, room: Room, taken: Mask) -> Iterable[tuple[float, float]]:
    """Where a room's number may stand, the best place first; in a crowded room over its furniture."""
    mx, my = room.middle
    x, y = int(mx - 0.01), int(my - 0.01)
    whole = not room.spans
    wide, high = room.width % 2 == 0, room.height % 2 == 0
    if whole and not taken[y : y + 1 + high, x : x + 1 + wide].any():
        yield mx * UNIT, my * UNIT
    cells = [
        ((cx + 0.5 - mx) ** 2 + (cy + 0.5 - my) ** 2, cy, cx)
        for cy, first, last in room.rows
        for cx in range(max(0, first), min(model.width, last))
        if 0 <= cy < model.height
    ]
    cells.sort()
    for _, cy, cx in cells:
        if not taken[cy, cx]:
            yield (cx + 0.5) * UNIT, (cy + 0.5) * UNIT
    for _, cy, cx in cells[:40]:
        yield (cx + 0.5) * UNIT, (cy + 0.5) * UNIT


def _heights(model: GridMap, taken: Mask, badges: Sequence[Badge]) -> tuple[tuple[float, float, str], ...]:
    """The height of each plateau, written where there is room on it."""
    steps = height_steps(model)
    if steps is None:
        return ()
    free = ~taken
    for badge in badges:
        free[int(badge.disc.y // UNIT), int(badge.disc.x // UNIT)] = False
    found: list[tuple[float, float, str]] = []
    for level in np.unique(steps).tolist():
        if level == 0:
            continue
        left = (steps == level) & free
        # Cells with the most of their own around them come first: the middle of the plateau.
        inside = left.astype(np.int64)
        same = (steps == level).astype(np.int64)
        inside[1:-1, 1:-1] += sum(
            same[1 + dy : same.shape[0] - 1 + dy, 1 + dx : same.shape[1] - 1 + dx]
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
        )
        inside[~left] = 0
        for _ in range(3):
            at = int(inside.argmax())
            cy, cx = divmod(at, steps.shape[1])
            if inside[cy, cx] < 1:
                break
            found.append((cx + 0.5, cy + 0.5, f"{level * model.feet:+d} ft".replace("-", "−")))
            inside[max(0, cy - 6) : cy + 7, max(0, cx - 6) : cx + 7] = 0
    return tuple(found)


def _names(
    model: GridMap,
    badges: Sequence[Badge],
    heights: Sequence[tuple[float, float, str]],
    notes: Sequence[tuple[Disc, str]],
    pixels: int,
) -> tuple[Label, ...]:
    """The names of places and zones beside their numbers."""
    size = max(34.0, _NAME_PIXELS / pixels * UNIT)
    frame = Box(0, 0, model.width * UNIT, model.height * UNIT).grown(-12)
    wanted = [
        Wanted(badge.room.id, (TextLine(badge.room.name, size, bold=True),), (badge.disc,), leader=False)
        for badge in badges
        if badge.room.name
    ]
    for zone in model.zones:
        if zone.name and zone.kind != "approach" and zone.spans:
            x, y = zone_middle(zone.spans)
            disc = Disc(x * UNIT, y * UNIT, 4.0)
            wanted.append(Wanted(zone.id, (TextLine(zone.name, size, italic=True),), (disc,), leader=False))
    obstacles = [
        *(badge.disc for badge in badges),
        *(disc for disc, _ in notes),
        *(Disc(x * UNIT, y * UNIT, size * 1.3) for x, y, _ in heights),
        *(Disc(door.middle[0] * UNIT, door.middle[1] * UNIT, 45.0) for door in model.doors),
        *(_around(prop) for prop in model.props if prop.kind not in _OVERWRITTEN),
    ]
    # The page of the labels is ruled in tens of pixels: they are placed at a tenth of the drawing's scale.
    shrunk = [_scaled(label, 0.2) for label in wanted[:_MOST_NAMES]]
    marks = [
        (((prop.x + prop.width / 2) * UNIT * 0.2, (prop.y + prop.height / 2) * UNIT * 0.2), 1.5)
        for prop in model.props
    ]
    page = Box(frame.left * 0.2, frame.top * 0.2, frame.right * 0.2, frame.bottom * 0.2)
    placed = place_labels(
        shrunk,
        [Disc(d.x * 0.2, d.y * 0.2, d.radius * 0.2) for d in obstacles],
        page,
        Ink(model.width * UNIT * 0.2, model.height * UNIT * 0.2, marks),
    )
    return tuple(_grown(label, 5.0) for label in placed)


def _around(prop: Prop) -> Disc:
    """The middle of a prop, which no name may cover."""
    x, y = prop.x + prop.width / 2, prop.y + prop.height / 2
    return Disc(x * UNIT, y * UNIT, min(prop.width, prop.height) * 0.42 * UNIT)


def _scaled(label: Wanted, by: float) -> Wanted:
    return Wanted(
        label.id,
        tuple(TextLine(text.text, text.size * by, text.bold, text.italic) for text in label.lines),
        tuple(Disc(disc.x * by, disc.y * by, disc.radius * by) for disc in label.anchors),
        label.leader,
    )


def _grown(label: Label, by: float) -> Label:
    box = label.box
    lines = tuple(TextLine(text.text, text.size * by, text.bold, text.italic) for text in label.lines)
    return Label(
        label.id,
        lines,
        Box(box.left * by, box.top * by, box.right * by, box.bottom * by),
        label.align,
        None,
    )


def zone_middle(spans: Sequence[tuple[int, int, int]]) -> tuple[float, float]:
    """The spot of a zone that is nearest to the middle of all its cells.

    Args:
        spans: Its cells, as (row, first column, column after the last).
    """
    count = sum(last - first for _, first, last in spans)
    x = sum((first + last) / 2 * (last - first) for _, first, last in spans) / count
    y = sum((row + 0.5) * (last - first) for row, first, last in spans) / count

    def nearest(span: tuple[int, int, int]) -> tuple[float, float]:
        row, first, last = span
        return max(first + 0.5, min(x, last - 0.5)), row + 0.5

    return min(map(nearest, spans), key=lambda spot: (spot[0] - x) ** 2 + (spot[1] - y) ** 2)


def lettering_layer(lettering: Lettering, paint: Palette) -> str:
    """Draws everything that is written on a map."""
    badges = "".join(_badge(badge, paint) for badge in lettering.badges)
    heights = "".join(
        haloed(text, x * UNIT, y * UNIT + 12, 36.0, paint, anchor="middle", italic=True)
        for x, y, text in lettering.heights
    )
    names = "".join(_label(label, paint) for label in lettering.labels)
    notes = "".join(_note(disc, words, paint) for disc, words in lettering.notes)
    return group(heights + notes + badges + names, font_family=FONT_FAMILY, fill=paint.text)


def _badge(badge: Badge, paint: Palette) -> str:
    x, y, r = badge.disc.x, badge.disc.y, badge.disc.radius
    digits = str(badge.room.number)
    size = r * (1.32 if len(digits) < 2 else 1.16 if len(digits) == 2 else 0.84)
    return (
        f"<g><title>{escaped(f'{digits}. {badge.room.name}'.rstrip('. '))}</title>"
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}"'
        f' fill="{paint.plate}" stroke="{paint.line}"'
        f' stroke-width="{number(r / 9)}"/>'
        f'<text x="{number(x)}" y="{number(y + size * 0.34)}" font-size="{number(size)}" font-weight="bold"'
        f' text-anchor="middle">{digits}</text></g>'
    )


def _note(disc: Disc, words: str, paint: Palette) -> str:
    x, y, r = disc.x, disc.y, disc.radius
    size = r * (1.5 if len(words) < 2 else 1.1)
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{paint.plate}"'
        f' stroke="{paint.master}" stroke-width="{number(r / 8)}"/>'
        f'<text x="{number(x)}" y="{number(y + size * 0.26)}" font-size="{number(size)}" font-style="italic"'
        f' text-anchor="middle" fill="{paint.master}">{words}</text>'
    )


def _label(label: Label, paint: Palette) -> str:
    drawn: list[str] = []
    top = label.box.top
    x = label.box.center[0]
    for text in label.lines:
        drawn.append(
            haloed(
                text.text,
                x,
                top + text.size * ASCENT,
                text.size,
                paint,
                anchor="middle",
                bold=text.bold,
                italic=text.italic,
            )
        )
        top += text.height
    return "".join(drawn)


def haloed(
    text: str,
    x: float,
    y: float,
    size: float,
    paint: Palette,
    *,
    anchor: str,
    bold: bool = False,
    italic: bool = False,
) -> str:
    """A line of text with a pale rim, so that it can be read on any ground."""
    form = {
        "x": x,
        "y": y,
        "font_size": size,
        "font_weight": "bold" if bold else None,
        "font_style": "italic" if italic else None,
        "text_anchor": anchor,
        "textLength": text_width(text, size, bold=bold, italic=italic),
        "lengthAdjust": "spacingAndGlyphs",
    }
    rim = element(
        "text",
        escaped(text),
        **form,
        fill=paint.plate,
        stroke=paint.plate,
        stroke_width=round(size / 6.5, 1),
        stroke_linejoin="round",
        stroke_opacity=0.9,
    )
    return rim + element("text", escaped(text), **form)
