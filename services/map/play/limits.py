"""How much a map at the table holds, how long words are, and what values an edit may have.

What one account put is counted apart from what others did, so that no refusal tells a player of things that
they do not see.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from services.map.play.edits import (
    MAX_POINTS,
    MAX_SPANS,
    CellArea,
    Conceal,
    Draw,
    Edit,
    MoveToken,
    PutArea,
    PutLight,
    PutMarker,
    PutNote,
    PutPlace,
    PutToken,
    Reveal,
    RevealAll,
    SetFog,
)
from services.map.play.shapes import AreaShape, DrawingShape
from services.map.play.state import (
    CarriedLight,
    Drawing,
    Extent,
    FogMode,
    MapState,
    Spot,
)
from services.rules.engine.problem import Finding, KeyPath, RuleProblem

MOST: dict[str, int] = {
    "tokens": 500,
    "markers": 1_000,
    "notes": 500,
    "drawings": 2_000,
    "places": 500,
    "lights": 500,
    "areas": 200,
}
"""Things in a section; where they have authors, of one author."""

MOST_OF_A_PLAYER: dict[str, int] = {"markers": 100, "drawings": 300, "areas": 20}
"""Things of one player in a section."""

MAX_POINTS_OF_A_PLAYER = 2_000
"""Points in all drawings of one player together."""

MAX_SIZE = 10
MAX_NAME = 80
MAX_WORD = 40
MAX_CREATURE = 120
MAX_LABEL = 80
MAX_TOKEN_LABEL = 8
MAX_TITLE = 120
MAX_TEXT = 2_000
MAX_DRAWN_TEXT = 200
MAX_OWNERS = 20
MAX_CONDITIONS = 20
MAX_WAY = 500
MAX_CORNERS = 500
MAX_RANGE = 400
MIN_STROKE, MAX_STROKE = 0.01, 20.0

_ARCS = (90, 180)
_COLOR = re.compile("#[0-9a-f]{6}", re.IGNORECASE)
_SHOWN = 60
_POINTS: dict[DrawingShape, tuple[int, int]] = {
    DrawingShape.LINE: (2, 2),
    DrawingShape.POLYLINE: (2, MAX_POINTS),
    DrawingShape.POLYGON: (3, MAX_POINTS),
    DrawingShape.RECTANGLE: (2, 2),
    DrawingShape.ELLIPSE: (2, 2),
    DrawingShape.FREEHAND: (2, MAX_POINTS),
    DrawingShape.TEXT: (1, 1),
}

Found = Iterator[RuleProblem]


def problem(
    code: str, message: str, path: KeyPath = (), found: Finding = None, allowed: Finding = None
) -> RuleProblem:
    """A broken rule of play on a map; a long text that was found is cut."""
    shown = found[:_SHOWN] if isinstance(found, str) else found
    return RuleProblem(code, message, "play on a map", path, shown, allowed)


def check(edit: Edit, extent: Extent) -> tuple[RuleProblem, ...]:
    """Every value of an edit that is out of range or does not go with another, whatever lies on the map."""
    return tuple(_check(edit, extent))


def over_full(state: MapState, section: str, author: str, player: bool) -> Found:
    """Tells when there is more in a section than may be.

    Args:
        state: As it would become.
        section: A section that an edit adds to.
        author: Id of the account that adds; where things have authors, its own alone count.
        player: Whether it is a player, who may add less.
    """
    things = [one for one in getattr(state, section) if getattr(one, "author", author) == author]
    most = (MOST_OF_A_PLAYER if player else MOST).get(section)
    if most is not None and len(things) > most:
        message = f"There are at most {most} {section}."
        yield problem("map_too_many", message, (), len(things), most)
    if section == "drawings":
        points = sum(len(one.points) for one in things if isinstance(one, Drawing))
        most = MAX_POINTS_OF_A_PLAYER if player else MAX_POINTS
        if points > most:
            message = f"Drawings have at most {most} points together."
            yield problem("map_too_many_points", message, ("points",), points, most)


def _check(edit: Edit, extent: Extent) -> Found:
    match edit:
        case PutToken():
            yield from _token(edit, extent)
        case MoveToken():
            yield from _move(edit, extent)
        case PutMarker():
            yield from _inside(edit.at, extent, ("at",))
            yield from _text("sort", edit.sort, 1, MAX_WORD)
            yield from _text("label", edit.label, 0, MAX_LABEL)
            yield from _color("color", edit.color)
        case PutNote():
            yield from _inside(edit.at, extent, ("at",))
            yield from _text("title", edit.title, 1, MAX_TITLE)
            yield from _text("text", edit.text, 0, MAX_TEXT, lines=True)
        case Draw():
            yield from _drawing(edit, extent)
        case PutPlace():
            yield from _inside(edit.at, extent, ("at",))
            yield from _text("name", edit.name, 1, MAX_NAME)
            yield from _text("sort", edit.sort, 1, MAX_WORD)
            yield from _text("details", edit.details, 0, MAX_TEXT, lines=True)
        case PutLight():
            yield from _inside(edit.at, extent, ("at",))
            yield from _shine(edit, ())
        case PutArea():
            yield from _area(edit, extent)
        case SetFog():
            if edit.mode is FogMode.FOGGED:
                yield from _needs_cells(extent, ("mode",))
        case Reveal() | Conceal() | RevealAll():
            yield from _needs_cells(extent, ())
            yield from _text("viewer", edit.viewer, 1, MAX_WORD)
            if extent.cells and not isinstance(edit, RevealAll):
                yield from _cell_area(edit.area, extent)
        case _:
            return


def _token(edit: PutToken, extent: Extent) -> Found:
    yield from _text("name", edit.name, 1, MAX_NAME)
    yield from _text("label", edit.label, 0, MAX_TOKEN_LABEL)
    yield from _color("color", edit.color)
    yield from _text("creature", edit.creature, 0, MAX_CREATURE)
    if edit.character is not None:
        yield from _text("character", edit.character, 1, MAX_WORD)
    yield from _words("owners", edit.owners, MAX_OWNERS)
    yield from _words("conditions", edit.conditions, MAX_CONDITIONS)
    if edit.sight is not None:
        yield from _number(("sight", "range"), edit.sight.range, 0, MAX_RANGE)
        yield from _number(("sight", "dark"), edit.sight.dark, 0, MAX_RANGE)
    if edit.light is not None:
        yield from _shine(edit.light, ("light",))
    wrong = tuple(_number(("size",), edit.size, 1, MAX_SIZE))
    yield from wrong or standing(edit.at, edit.size, extent, ("at",))


def standing(at: Spot, size: int, extent: Extent, path: KeyPath) -> Found:
    """Tells when a token of this size cannot be there: a whole cell, all of it on the map."""
    if not extent.cells:
        yield from _inside(at, extent, path)
        return
    if not (math.isfinite(at.x) and math.isfinite(at.y) and at.x == int(at.x) and at.y == int(at.y)):
        message = "On a grid map a token stands in a whole cell."
        yield problem("map_spot_between_cells", message, path, _spot_text(at))
        return
    low, high = 0, (extent.columns - size, extent.rows - size)
    if not (low <= at.x <= high[0] and low <= at.y <= high[1]):
        message = f"This is not on the map, or not all of a token of size {size}."
        yield problem("map_spot_outside", message, path, _spot_text(at), f"0, 0 to {high[0]}, {high[1]}")


def _move(edit: MoveToken, extent: Extent) -> Found:
    # How big the token is becomes known only when it has been found.
    yield from standing(edit.to, 1, extent, ("to",))
    if edit.way:
        yield from _needs_cells(extent, ("way",))
    yield from _count("way", edit.way, 0, MAX_WAY)
    if edit.way and (edit.way[-1].x, edit.way[-1].y) != (edit.to.x, edit.to.y):
        message = "A way ends where the token is to go."
        last = len(edit.way) - 1
        yield problem("map_way_elsewhere", message, ("way", last), _spot_text(edit.way[-1]))


def _drawing(edit: Draw, extent: Extent) -> Found:
    yield from _count("points", edit.points, *_POINTS[edit.shape])
    for index, spot in enumerate(edit.points[:MAX_POINTS]):
        yield from _inside(spot, extent, ("points", index))
    yield from _number(("width",), edit.width, MIN_STROKE, MAX_STROKE)
    yield from _color("color", edit.color)
    if edit.fill:
        yield from _color("fill", edit.fill)
    is_text = edit.shape is DrawingShape.TEXT
    yield from _text("text", edit.text, int(is_text), MAX_DRAWN_TEXT if is_text else 0)


def _area(edit: PutArea, extent: Extent) -> Found:
    yield from _inside(edit.at, extent, ("at",))
    yield from _text("label", edit.label, 0, MAX_LABEL)
    yield from _color("color", edit.color)
    yield from _number(("length",), edit.length, MIN_STROKE, MAX_RANGE)
    yield from _number(("width",), edit.width, MIN_STROKE, MAX_RANGE)
    if edit.degrees not in _ARCS:
        yield problem("map_arc", "An arc is 90 or 180 degrees wide.", ("degrees",), edit.degrees, _ARCS)
    if edit.shape is AreaShape.CIRCLE:
        if edit.toward is not None:
            yield problem("map_circle_toward", "A circle points nowhere.", ("toward",))
    elif edit.toward is None or edit.toward == edit.at:
        message = "This shape points at another spot than it comes from."
        yield problem("map_area_toward", message, ("toward",))
    else:
        yield from _inside(edit.toward, extent, ("toward",))


def _cell_area(area: CellArea, extent: Extent) -> Found:
    if area.rectangle is None and not area.polygon and not area.spans:
        message = "An area needs a rectangle, a polygon or spans."
        yield problem("map_area_empty", message, ("area",))
    box = area.rectangle
    if box is not None:
        right, bottom = box.x + box.width, box.y + box.height
        if not (0 <= box.x < right <= extent.columns and 0 <= box.y < bottom <= extent.rows):
            message = "A rectangle has cells, all of them on the map."
            found = (box.x, box.y, box.width, box.height)
            yield problem("map_area_outside", message, ("area", "rectangle"), found)
    if area.polygon:
        yield from _count("polygon", area.polygon, 3, MAX_CORNERS, ("area",))
    for index, spot in enumerate(area.polygon[:MAX_CORNERS]):
        yield from _inside(spot, extent, ("area", "polygon", index))
    yield from _count("spans", area.spans, 0, MAX_SPANS, ("area",))
    for index, span in enumerate(area.spans[:MAX_SPANS]):
        if not (0 <= span.row < extent.rows and 0 <= span.first < span.after <= extent.columns):
            message = "A span has cells, all of them on the map."
            ends = (span.row, span.first, span.after)
            yield problem("map_area_outside", message, ("area", "spans", index), ends)


def _shine(light: PutLight | CarriedLight, path: KeyPath) -> Found:
    yield from _number((*path, "dim"), light.dim, 0, MAX_RANGE)
    yield from _number((*path, "bright"), light.bright, 0, MAX_RANGE)
    if light.bright > light.dim:
        message = "Bright light reaches no farther than light at all."
        yield problem("map_light_range", message, (*path, "bright"), str(light.bright), str(light.dim))
    yield from _color("color", light.color, path)


def _inside(spot: Spot, extent: Extent, path: KeyPath) -> Found:
    # Not a number compares false with everything, and so is outside.
    if not (0 <= spot.x <= extent.width and 0 <= spot.y <= extent.height):
        allowed = f"0, 0 to {extent.width:g}, {extent.height:g}"
        yield problem("map_spot_outside", "This is not on the map.", path, _spot_text(spot), allowed)


def _needs_cells(extent: Extent, path: KeyPath) -> Found:
    if not extent.cells:
        yield problem("map_without_cells", "This map has no cells.", path)


def _number(path: KeyPath, value: float, low: float, high: float) -> Found:
    if not low <= value <= high:
        message = f"This is {low:g} to {high:g}."
        yield problem("map_out_of_range", message, path, f"{value}", f"{low:g} to {high:g}")


def _count(name: str, items: Sequence[object], low: int, high: int, path: KeyPath = ()) -> Found:
    if not low <= len(items) <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        yield problem("map_count", f"`{name}` has {wanted} entries.", (*path, name), len(items), (low, high))


def _words(name: str, words: tuple[str, ...], most: int) -> Found:
    yield from _count(name, words, 0, most)
    for index, word in enumerate(words[:most]):
        yield from _text(name, word, 1, MAX_WORD, (name, index))
        if word in words[:index]:
            yield problem("map_twice", "This is named already.", (name, index), word)


def _text(
    name: str, text: str, low: int, high: int, path: KeyPath | None = None, *, lines: bool = False
) -> Found:
    path = path or (name,)
    if not low <= len(text) <= high:
        wanted = f"{low} to {high} characters" if high else "no characters"
        yield problem("map_text_length", f"This has {wanted}.", path, len(text), (low, high))
    elif not (text.replace("\n", "") if lines else text).isprintable():
        what = "characters and line breaks" if lines else "characters in one line"
        yield problem("map_text_unprintable", f"This has printable {what} only.", path, ascii(text))
    elif low and not text.strip():
        yield problem("map_text_blank", "This must not be blank.", path, text)


def _color(name: str, text: str, path: KeyPath = ()) -> Found:
    if not _COLOR.fullmatch(text):
        message = "A color is written as #rrggbb."
        yield problem("map_color", message, (*path, name), ascii(text), "#rrggbb")


def _spot_text(spot: object) -> str:
    return f"{getattr(spot, 'x', None)}, {getattr(spot, 'y', None)}"
