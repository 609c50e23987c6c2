"""The page around the cells: where everything stands on it, its frame, title, compass rose, scale and key."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from services.map.generation.grid.model import GridKind, GridMap
from services.map.render.grid.legend import COLUMN, GAP, Block, blocks, column_height, columns, draw_column
from services.map.render.grid.look import Look
from services.map.render.grid.palette import Palette
from services.map.render.grid.writing import line_width, shortened, written
from services.map.render.metrics import FONT_FAMILY
from services.map.render.shapes import Box, Disc
from services.map.render.svg import element, group, number, points

_MARGIN = 30.0
_HEAD = 92.0
_FOOT = 44.0
_NARROWEST = 460.0
_BESIDE_MOST = 2
_ROSE = 36.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where everything stands on the page, in pixels.

    Attributes:
        width: Of the page.
        height: Of the page.
        map_box: The cells.
        frame: What is shown of the map: the cells and the rock around them.
        head: Room for title and compass; None without furniture.
        key: Columns of the key, each with its left top corner.
    """

    width: float
    height: float
    map_box: Box
    frame: Box
    head: Box | None
    key: tuple[tuple[float, float, tuple[Block, ...]], ...]


def lay_out(model: GridMap, look: Look) -> Sheet:
    """Lays the page out: the key beside the map while it fits there, else below it."""
    wide, high = float(model.width * look.pixels), float(model.height * look.pixels)
    if look.bare:
        box = Box(0, 0, wide, high)
        return Sheet(wide, high, box, box, None, ())
    rim = 0.0 if model.kind in (GridKind.BATTLE, GridKind.IMPORTED) else round(1.3 * look.pixels)
    head, foot = (_HEAD, _FOOT) if look.furniture else (0.0, 0.0)
    inner_width = max(wide + 2 * rim, _NARROWEST if look.furniture else 0.0)
    inner_height = high + 2 * rim
    entries = blocks(model) if look.legend else ()
    total = column_height(entries)
    beside = -(-total // max(inner_height, 420.0))
    width, height = inner_width + 2 * _MARGIN, head + inner_height + foot + 2 * _MARGIN
    left = _MARGIN + (inner_width - wide) / 2
    map_box = Box(left, head + _MARGIN + rim, left + wide, head + _MARGIN + rim + high)
    frame = map_box.grown(rim)
    key: list[tuple[float, float, tuple[Block, ...]]] = []
    if entries and beside <= _BESIDE_MOST:
        dealt = columns(entries, int(beside))
        for index, column in enumerate(dealt):
            key.append((width + index * (COLUMN + GAP), head + _MARGIN, column))
        width += len(dealt) * (COLUMN + GAP) - GAP + _MARGIN
        height = max(height, head + 2 * _MARGIN + max(map(column_height, dealt)))
    elif entries:
        count = max(1, int((inner_width + GAP) // (COLUMN + GAP)))
        dealt = columns(entries, count)
        used = len(dealt) * (COLUMN + GAP) - GAP
        start = _MARGIN + (inner_width - used) / 2
        top = height - _MARGIN + (18.0 if look.furniture else 8.0)
        for index, column in enumerate(dealt):
            key.append((start + index * (COLUMN + GAP), top, column))
        height = top + max(map(column_height, dealt)) + _MARGIN
    title_room = Box(_MARGIN, 0, width - _MARGIN, head + _MARGIN) if look.furniture else None
    return Sheet(width, height, map_box, frame, title_room, tuple(key))


def page_back(sheet: Sheet, paint: Palette) -> str:
    """The paper under the map."""
    return element("rect", width=sheet.width, height=sheet.height, fill="url(#hf-page)")


def page_front(model: GridMap, sheet: Sheet, look: Look, paint: Palette) -> str:
    """What lies around the map and over its edge."""
    if look.bare:
        return ""
    frame = sheet.frame
    page = f"M0 0H{number(sheet.width)}V{number(sheet.height)}H0z"
    hole = (
        f"M{number(frame.left)} {number(frame.top)}H{number(frame.right)}"
        f"V{number(frame.bottom)}H{number(frame.left)}z"
    )
    mat = element("path", d=page + hole, fill="url(#hf-page)", fill_rule="evenodd")
    head = sheet.head
    furniture = ""
    if head is not None:
        rose = Disc(head.right - _ROSE - 4, head.center[1] + 2, _ROSE)
        furniture = (
            _frame_lines(frame, paint)
            + _title(model.title, head, paint)
            + _rose(rose, paint)
            + _scale(model, sheet, look, paint)
        )
    else:
        furniture = element("path", d=hole, fill="none", stroke=paint.line, stroke_width=1.6)
    key = "".join(draw_column(column, left, top, paint) for left, top, column in sheet.key)
    return mat + group(furniture, key, font_family=FONT_FAMILY, fill=paint.text)


def _frame_lines(frame: Box, paint: Palette) -> str:
    """Two lines around the map, drawn through at the corners."""
    outer = frame.grown(8)
    lines = element(
        "rect", x=frame.left, y=frame.top, width=frame.width, height=frame.height, stroke_width=1.2
    ) + element("rect", x=outer.left, y=outer.top, width=outer.width, height=outer.height, stroke_width=2.6)
    corners = "".join(
        f"M{number(x - dx * 8)} {number(y)}h{number(dx * 22)}v{number(dy * 14)}"
        f"M{number(x)} {number(y - dy * 8)}v{number(dy * 22)}h{number(dx * 14)}"
        for x, y, dx, dy in (
            (frame.left, frame.top, 1, 1),
            (frame.right, frame.top, -1, 1),
            (frame.left, frame.bottom, 1, -1),
            (frame.right, frame.bottom, -1, -1),
        )
    )
    return group(
        lines,
        element("path", d=corners, stroke_width=1.2),
        fill="none",
        stroke=paint.line,
    )


def _title(title: str, head: Box, paint: Palette) -> str:
    """The map's name between two rules, clear of the compass."""
    x = head.center[0]
    room = head.width - 4 * _ROSE - 120
    size = 38.0
    wide = line_width(title, size, bold=True)
    if wide > room:
        size = max(13.0, size * room / wide)
    text = shortened(title, size, room, bold=True)
    half = line_width(text, size, bold=True) / 2
    y = head.center[1] + 12
    long = min(70.0, max(0.0, room / 2 + 50 - half))
    rules = "".join(
        f"M{number(x + side * (half + 16))} {number(y - size * 0.3)}h{number(side * long)}"
        for side in (-1, 1)
    )
    ends = "".join(
        element(
            "polygon",
            points=points(
                (
                    (x + side * (half + 12), y - size * 0.3),
                    (x + side * (half + 18), y - size * 0.3 - 4),
                    (x + side * (half + 24), y - size * 0.3),
                    (x + side * (half + 18), y - size * 0.3 + 4),
                )
            ),
        )
        for side in (-1, 1)
    )
    return (
        written(text, x, y, size, bold=True, anchor="middle")
        + element("path", d=rules, fill="none", stroke=paint.text, stroke_width=1.4)
        + ends
    )


def _rose(disc: Disc, paint: Palette) -> str:
    """A compass rose of eight points, north marked."""
    x, y, r = disc.x, disc.y, disc.radius

    def spike(turn: int, reach: float, waist: float) -> str:
        angle = turn * pi / 4 - pi / 2
        tip = x + cos(angle) * reach, y + sin(angle) * reach
        sides = [(x + cos(angle + s * pi / 4) * waist, y + sin(angle + s * pi / 4) * waist) for s in (-1, 1)]
        return element("polygon", points=points((tip, sides[0], (x, y))), fill=paint.plate) + element(
            "polygon", points=points((tip, sides[1], (x, y))), fill=paint.line
        )

    spikes = "".join(spike(turn, r * 0.5, r * 0.15) for turn in (1, 3, 5, 7))
    spikes += "".join(spike(turn, r * 0.78, r * 0.19) for turn in (0, 2, 4, 6))
    return group(
        element("title", "Compass rose, north is up"),
        element("circle", cx=x, cy=y, r=r * 0.58, fill="none"),
        element("circle", cx=x, cy=y, r=r * 0.52, fill="none", stroke_width=0.6),
        spikes,
        element(
            "text",
            "N",
            x=x,
            y=y - r * 0.84,
            font_size=r * 0.4,
            font_weight="bold",
            text_anchor="middle",
            stroke="none",
        ),
        stroke=paint.line,
        stroke_width=0.9,
        stroke_linejoin="round",
    )


def _scale(model: GridMap, sheet: Sheet, look: Look, paint: Palette) -> str:
    """A bar of cells, black and white by turns, and what a cell measures."""
    frame = sheet.frame
    step = float(look.pixels)
    # On fine grids a piece of the bar is several cells.
    each = next(n for n in (1, 2, 5, 10) if n * step >= 16)
    count = max(1, min(6, int(220 // (each * step))))
    left, y = frame.left, frame.bottom + 20
    pieces = "".join(
        element(
            "rect",
            x=left + i * each * step,
            y=y,
            width=each * step,
            height=7.0,
            fill=paint.line if i % 2 == 0 else paint.plate,
        )
        for i in range(count)
    )
    right = left + count * each * step
    words = f"{count * each * model.feet} feet; a cell is {model.feet} feet"
    room = sheet.width - _MARGIN - right - 12
    return group(pieces, stroke=paint.line, stroke_width=1.0) + written(
        shortened(words, 13.0, room), right + 12, y + 8.5, 13.0, italic=True
    )
