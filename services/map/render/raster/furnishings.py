"""Doors, stairs, traps and everything that stands about, drawn into a flat picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from services.map.generation.grid.model import Axis, Door, DoorKind, DoorState, Prop, Stairs, Trap, WallKind
from services.map.render.raster.floor_palette import SHADE, Ink
from services.map.render.raster.textures import Indices, Mask

Rect = tuple[float, float, float, float]
"""Left, top, right and bottom, in cells."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something drawn, to be put anywhere.

    Attributes:
        inks: Its inks.
        mask: Where it has any.
        shade: `SHADE` where its shadow falls.
    """

    inks: Indices
    mask: Mask
    shade: Indices


@dataclass(frozen=True, slots=True)
class _Look:
    """How a kind of prop is drawn: its outline's shape, and the inks from the edge inward.

    Attributes:
        round: Whether it is round; else it is a box.
        inks: Of its edge, its body and its middle.
        middle: How large the middle is, as a share of the whole; 0 for none.
    """

    round: bool
    inks: tuple[Ink, Ink, Ink]
    middle: float = 0.0


_WOOD = (Ink.WOOD_DARK, Ink.WOOD, Ink.WOOD_LIGHT)
_STONE = (Ink.STONE_DARK, Ink.STONE, Ink.STONE_LIGHT)
_FIRE = (Ink.STONE_DARK, Ink.FLAME, Ink.FLAME_LIGHT)
_IRON = (Ink.OUTLINE, Ink.IRON, Ink.IRON_LIGHT)
_CLOTH = (Ink.WOOD_DARK, Ink.CLOTH, Ink.CLOTH_LIGHT)
_LEAVES = (Ink.LEAF_EDGE, Ink.LEAF, Ink.LEAF_LIGHT)
_PALE = (Ink.STONE_DARK, Ink.BONE, Ink.BONE)
_STRAW = (Ink.WOOD_DARK, Ink.GOLD, Ink.GOLD)
_PIT = (Ink.CHASM_RIM, Ink.CHASM, Ink.CHASM)

_LOOKS: Mapping[str, _Look] = MappingProxyType(
    {
        **dict.fromkeys(
            ("table", "bench", "pew", "crate", "cart", "wagon", "stall", "boat", "desk", "counter"),
            _Look(False, _WOOD, 0.7),
        ),
        **dict.fromkeys(
            ("chair", "bookshelf", "shelf", "log", "ladder", "sign", "fence", "weapon-rack", "rack", "door"),
            _Look(False, _WOOD),
        ),
        **dict.fromkeys(("barrel", "stump", "stool", "dock-post"), _Look(True, _WOOD, 0.6)),
        **dict.fromkeys(("bed", "rug", "carpet", "tent", "throne", "banner"), _Look(False, _CLOTH, 0.7)),
        **dict.fromkeys(("altar", "sarcophagus", "coffin", "tomb", "anvil"), _Look(False, _STONE, 0.65)),
        **dict.fromkeys(
            ("statue", "idol", "column-broken", "column", "rock", "rubble", "boulder"),
            _Look(True, _STONE, 0.5),
        ),
        **dict.fromkeys(
            ("fire", "campfire", "brazier", "torch", "hearth", "forge", "candle", "lantern"),
            _Look(True, _FIRE, 0.45),
        ),
        "chest": _Look(False, (Ink.WOOD_DARK, Ink.WOOD, Ink.GOLD), 0.3),
        "well": _Look(True, (Ink.STONE_DARK, Ink.STONE, Ink.WATER), 0.62),
        "cauldron": _Look(True, _IRON, 0.6),
        "cage": _Look(False, _IRON, 0.8),
        "bars": _Look(False, _IRON),
        "lever": _Look(True, _IRON, 0.4),
        "sack": _Look(True, (Ink.WOOD_DARK, Ink.SAND_DARK, Ink.SAND), 0.5),
        "hay": _Look(False, _STRAW),
        "bones": _Look(True, _PALE),
        "web": _Look(True, _PALE),
        "rope": _Look(True, _PALE, 0.4),
        "crystal": _Look(True, (Ink.ICE_DARK, Ink.GLASS, Ink.ICE_LIGHT), 0.5),
        "mushroom": _Look(True, (Ink.OUTLINE, Ink.FUNGUS, Ink.FUNGUS_LIGHT), 0.4),
        **dict.fromkeys(("bush", "reeds", "lilies", "tree"), _Look(True, _LEAVES, 0.5)),
        "flowers": _Look(True, (Ink.LEAF_DARK, Ink.LEAF, Ink.BLOSSOM), 0.6),
        "pit": _Look(False, _PIT),
    }
)
_PLAIN = _Look(True, _STONE, 0.5)
_FLAT = frozenset({"rug", "carpet", "tracks", "web", "lilies", "pit", "flowers"})
"""What lies on the floor and throws no shadow."""

_KEPT_PIXELS = 40_000
"""Pieces up to this size are kept for the next one like them; larger ones would fill the memory."""

_UNSEEN = frozenset({"tracks"})

_DOOR_INKS: Mapping[DoorKind, tuple[Ink, Ink]] = MappingProxyType(
    {
        DoorKind.WOODEN: (Ink.WOOD_DARK, Ink.WOOD_LIGHT),
        DoorKind.BARRED: (Ink.WOOD_DARK, Ink.WOOD),
        DoorKind.GATE: (Ink.WOOD_DARK, Ink.WOOD),
        DoorKind.IRON: (Ink.OUTLINE, Ink.IRON),
        DoorKind.PORTCULLIS: (Ink.OUTLINE, Ink.IRON_LIGHT),
        DoorKind.STONE: (Ink.STONE_DARK, Ink.STONE),
        DoorKind.CURTAIN: (Ink.CLOTH, Ink.CLOTH_LIGHT),
        DoorKind.SECRET: (Ink.OUTLINE, Ink.WALL),
    }
)

WALL_INKS: Mapping[WallKind, tuple[Ink, float]] = MappingProxyType(
    {
        WallKind.WALL: (Ink.OUTLINE, 0.2),
        WallKind.WINDOW: (Ink.GLASS, 0.14),
        WallKind.FENCE: (Ink.WOOD_DARK, 0.1),
        WallKind.LOW: (Ink.STONE_DARK, 0.18),
        WallKind.OBJECT: (Ink.OUTLINE, 0.1),
    }
)
"""The ink of each kind of thin wall, and how thick it is, in cells."""


def fill(image: Indices, px: int, rect: Rect, ink: int) -> None:
    """Fills a rectangle, at least one pixel wide and high; what lies outside the picture is cut off."""
    left, top = max(0, round(rect[0] * px)), max(0, round(rect[1] * px))
    right, bottom = max(left + 1, round(rect[2] * px)), max(top + 1, round(rect[3] * px))
    image[top:bottom, left:right] = ink


def draw_door(image: Indices, px: int, door: Door) -> None:
    """Draws a door: its jambs, and what closes it as it stands when the map is new."""
    x0, y0 = min(door.bounds)
    upright = door.axis is Axis.EAST_WEST
    jamb, half = 0.14, 0.16 if door.edge is None else 0.12

    def across(start: float, end: float, thick: float, ink: int) -> None:
        """A strip along the door from `start` to `end` cells, `thick` cells to both sides."""
        if upright:
            fill(image, px, (x0 - thick, y0 + start, x0 + thick, y0 + end), ink)
        else:
            fill(image, px, (x0 + start, y0 - thick, x0 + end, y0 + thick), ink)

    span = door.length
    if door.kind is DoorKind.SECRET:
        across(0.0, span, half + 0.08, Ink.OUTLINE)
        across(0.0, span, half, Ink.WALL)
        across(span / 2 - 0.06, span / 2 + 0.06, half * 0.5, Ink.ALARM)
        return
    across(0.0, jamb, half + 0.06, Ink.OUTLINE)
    across(span - jamb, span, half + 0.06, Ink.OUTLINE)
    if door.kind is DoorKind.ARCH:
        return
    edge, body = _DOOR_INKS[door.kind]
    if door.state is DoorState.OPEN and door.kind not in (DoorKind.CURTAIN, DoorKind.PORTCULLIS):
        # The leaf stands along the passage, beside the jamb it hangs on.
        reach = span - 2 * jamb
        if upright:
            fill(image, px, (x0, y0 + jamb, x0 + reach, y0 + jamb + 0.16), edge)
            fill(image, px, (x0 + 0.04, y0 + jamb + 0.04, x0 + reach - 0.04, y0 + jamb + 0.12), body)
        else:
            fill(image, px, (x0 + jamb, y0, x0 + jamb + 0.16, y0 + reach), edge)
            fill(image, px, (x0 + jamb + 0.04, y0 + 0.04, x0 + jamb + 0.12, y0 + reach - 0.04), body)
        return
    if door.kind is DoorKind.PORTCULLIS:
        across(jamb, span - jamb, 0.03, edge)
        bars = max(3, 4 * door.span)
        for n in range(bars):
            middle = jamb + (span - 2 * jamb) * (n + 0.5) / bars
            across(middle - 0.06, middle + 0.06, 0.1, edge)
            across(middle - 0.03, middle + 0.03, 0.06, body)
        return
    across(jamb, span - jamb, half, edge)
    across(jamb + 0.05, span - jamb - 0.05, half - 0.05, body)
    if door.kind is DoorKind.CURTAIN:
        for n in range(3 * door.span):
            at = jamb + (span - 2 * jamb) * (n + 0.5) / (3 * door.span)
            across(at - 0.04, at + 0.04, half, edge)
        return
    if door.kind is DoorKind.GATE or door.span > 1:
        across(span / 2 - 0.03, span / 2 + 0.03, half, edge)
    if door.kind is DoorKind.BARRED:
        across(jamb, span - jamb, 0.05, Ink.IRON)
    if door.kind is DoorKind.IRON:
        for at in (span * 0.3, span * 0.7):
            across(at - 0.04, at + 0.04, half - 0.05, Ink.IRON_LIGHT)
    if door.state is DoorState.LOCKED:
        across(span / 2 - 0.09, span / 2 + 0.09, 0.09, Ink.GOLD)
        across(span / 2 - 0.03, span / 2 + 0.03, 0.04, Ink.OUTLINE)


def draw_stairs(image: Indices, px: int, stairs: Stairs) -> None:
    """Draws stairs: treads across the way one steps off; going down, the farther ones are darker."""
    x, y = stairs.at
    steps = 5
    fill(image, px, (x + 0.06, y + 0.06, x + 0.94, y + 0.94), Ink.OUTLINE)
    for n in range(steps):
        # Tread 0 is where one steps off; the others narrow toward the far end.
        inset = 0.1 + (0.05 * n if not stairs.up else 0.0)
        near, far = 0.1 + 0.8 * n / steps, 0.1 + 0.8 * (n + 1) / steps - 0.03
        inks = (Ink.STONE_LIGHT, Ink.STONE_LIGHT, Ink.STONE, Ink.STONE, Ink.STONE_DARK)
        ink = inks[steps - 1 - n if stairs.up else n]
        rect: Rect = {
            "n": (inset, near, 1 - inset, far),
            "s": (inset, 1 - far, 1 - inset, 1 - near),
            "w": (near, inset, far, 1 - inset),
        }.get(stairs.facing, (1 - far, inset, 1 - near, 1 - inset))
        fill(image, px, (x + rect[0], y + rect[1], x + rect[2], y + rect[3]), ink)


def draw_trap(image: Indices, px: int, trap: Trap) -> None:
    """Marks a trap, for the game master: a red frame."""
    (x, y), wide, high, thick = trap.at, trap.width, trap.height, 0.06
    left, top, right, bottom = x + 0.15, y + 0.15, x + wide - 0.15, y + high - 0.15
    if trap.kind == "pit":
        fill(image, px, (left, top, right, bottom), Ink.CHASM)
    for rect in (
        (left, top, right, top + thick),
        (left, bottom - thick, right, bottom),
        (left, top, left + thick, bottom),
        (right - thick, top, right, bottom),
    ):
        fill(image, px, rect, Ink.ALARM)


def draw_prop(image: Indices, px: int, prop: Prop) -> None:
    """Draws what stands there, turned by quarters."""
    if prop.kind in _UNSEEN:
        return
    wide, high = prop.width, prop.height
    if round(prop.turn / 90) % 2:
        wide, high = high, wide
    left = round((prop.x + (prop.width - wide) / 2) * px)
    top = round((prop.y + (prop.height - high) / 2) * px)
    width, height = max(2, round(wide * px)), max(2, round(high * px))
    make = _kept_piece if width * height <= _KEPT_PIXELS else _piece
    piece = make(prop.kind, width, height, px)
    height, width = piece.mask.shape  # with its shadow
    cut_left, cut_top = max(0, -left), max(0, -top)
    cut_right, cut_bottom = min(width, image.shape[1] - left), min(height, image.shape[0] - top)
    if cut_left >= cut_right or cut_top >= cut_bottom:
        return
    part = (slice(cut_top, cut_bottom), slice(cut_left, cut_right))
    view = image[top + cut_top : top + cut_bottom, left + cut_left : left + cut_right]
    view |= piece.shade[part]
    np.copyto(view, piece.inks[part], where=piece.mask[part])


def _piece(kind: str, width: int, height: int, px: int) -> _Piece:
    look = _LOOKS.get(kind, _PLAIN)
    fall = 0 if kind in _FLAT else max(1, px // 14)
    inks = np.zeros((height + fall, width + fall), np.uint8)
    shade = np.zeros_like(inks)
    y, x = np.mgrid[0:height, 0:width] + 0.5
    across, down = np.abs(2 * x / width - 1), np.abs(2 * y / height - 1)
    edge = max(1.0, px / 22)
    margin_x, margin_y = 0.1 * min(1.0, px / width), 0.1 * min(1.0, px / height)

    def inside(share_x: float, share_y: float) -> Mask:
        """The shape, drawn in to these shares of its box."""
        if look.round:
            within: Mask = (across / share_x) ** 2 + (down / share_y) ** 2 < 1
        else:
            within = (across < share_x) & (down < share_y)
        return within

    full_x, full_y = max(0.3, 1 - margin_x), max(0.3, 1 - margin_y)
    body = inside(full_x, full_y)
    colors = np.full((height, width), look.inks[0], np.uint8)
    colors[inside(max(0.1, full_x - 2 * edge / width), max(0.1, full_y - 2 * edge / height))] = look.inks[1]
    if not look.middle and not look.round:
        # Light on the far edge of what is long and narrow.
        lit = (y < 0.38 * height) if width >= height else (x < 0.38 * width)
        colors[lit & (colors == look.inks[1])] = look.inks[2]
    if look.middle:
        colors[inside(full_x * look.middle, full_y * look.middle)] = look.inks[2]
    inks[:height, :width] = colors
    mask = np.zeros(inks.shape, np.bool_)
    mask[:height, :width] = body
    if fall:
        shade[fall:, fall:][body] = SHADE
        shade[mask] = 0
    return _Piece(inks, mask, shade)


_kept_piece = lru_cache(maxsize=256)(_piece)
