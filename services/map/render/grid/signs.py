"""Doors, stairs and traps: the signs that every map of its kind is read by.

A sign is drawn around the middle of its cell or of its edge, doors as seen walking north through them, and
then turned and put in place.
"""

from __future__ import annotations

from functools import lru_cache

from services.map.generation.grid.model import MAX_SIDE, Axis, Door, DoorKind, DoorState, Stairs, Trap
from services.map.render.grid.outline import UNIT
from services.map.render.grid.palette import Palette
from services.map.render.grid.pen import box, disc, line, oval, patch
from services.map.render.metrics import FONT_FAMILY
from services.map.render.svg import element

_TURNS = {"n": 0, "e": 90, "s": 180, "w": 270}

DOOR_WORDS = {
    DoorKind.ARCH: "archway",
    DoorKind.WOODEN: "wooden door",
    DoorKind.IRON: "iron door",
    DoorKind.STONE: "stone door",
    DoorKind.PORTCULLIS: "portcullis",
    DoorKind.GATE: "gate",
    DoorKind.SECRET: "secret door",
    DoorKind.CURTAIN: "curtain",
    DoorKind.BARRED: "barred door",
}


def door_turn(door: Door) -> int:
    """Degrees by which the sign of a door is turned."""
    return 90 if door.axis is Axis.EAST_WEST else 0


@lru_cache(maxsize=1024)
def door_sign(paint: Palette, kind: DoorKind, state: DoorState, length: float, thin: bool) -> str:
    """The sign of a door, around its middle, its leaf along the x axis.

    Args:
        paint: Colours.
        kind: What it is.
        state: How it stands.
        length: Cells it is wide.
        thin: Whether it hangs in a thin wall on an edge of its cell.
    """
    half = min(length, MAX_SIDE) * UNIT / 2
    if kind is DoorKind.SECRET:
        return _secret(paint, half, thin=thin)
    jamb = 0.0 if thin else 16.0
    frame = "" if thin else _jambs(paint, half, jamb)
    if thin:
        frame = box(-half, -13, 2 * half, 26, paint.wood_dark, stroke="none") + "".join(
            box(x - 7, -15, 14, 30, paint.line, stroke="none") for x in (-half, half)
        )
    if kind is DoorKind.ARCH:
        return frame
    leaf = (
        _open_leaf(paint, kind, half - jamb) if state is DoorState.OPEN else _leaf(paint, kind, half - jamb)
    )
    lock = _lock(paint) if state is DoorState.LOCKED else ""
    return frame + leaf + lock


def _jambs(paint: Palette, half: float, jamb: float) -> str:
    return "".join(box(x, -17, jamb + 3, 34, paint.line, stroke="none") for x in (-half - 3, half - jamb))


def _leaf(paint: Palette, kind: DoorKind, half: float) -> str:
    width = 2 * half
    match kind:
        case DoorKind.IRON:
            rivets = "".join(disc(x, 0, 3.6, paint.line, stroke="none") for x in (-half + 12, 0.0, half - 12))
            return box(-half, -12, width, 24, paint.metal) + rivets
        case DoorKind.STONE:
            return box(-half, -15, width, 30, paint.stone) + line(
                f"M{-half * 0.3:.0f}-15l8 13l-10 17M{half * 0.35:.0f}-15l-6 30", stroke_width=3.0
            )
        case DoorKind.PORTCULLIS:
            count = max(3, round(width / 15))
            step = width / count
            dots = "".join(
                disc(-half + (i + 0.5) * step, 0, 5.4, paint.line, stroke="none") for i in range(count)
            )
            return line(f"M{-half:.0f} 0H{half:.0f}", stroke_width=3.4) + dots
        case DoorKind.GATE:
            bars = "".join(f"M{-half + i * width / 6:.1f}-13v26" for i in range(1, 6) if i != 3)
            return (
                box(-half, -13, width, 26, paint.wood)
                + line(bars, stroke_width=3.0)
                + line("M0-13v26", stroke_width=5.0)
            )
        case DoorKind.CURTAIN:
            waves = max(2, round(width / 17))
            step = width / waves
            folds = "".join(f"q{step / 2:.1f} {-14 if i % 2 else 14} {step:.1f} 0" for i in range(waves))
            return line(f"M{-half:.0f} 0{folds}", stroke=paint.line, stroke_width=12.0) + line(
                f"M{-half:.0f} 0{folds}", stroke=paint.cloth, stroke_width=6.0
            )
        case DoorKind.BARRED:
            return (
                box(-half, -12, width, 24, paint.wood)
                + box(-half - 6, 5, width + 12, 9, paint.metal_dark)
                + line(f"M{-half / 3:.0f}-12v17M{half / 3:.0f}-12v17", stroke_width=3.0)
            )
        case _:
            return box(-half, -12, width, 24, paint.wood) + line(
                f"M{-half / 3:.0f}-12v24M{half / 3:.0f}-12v24", stroke_width=2.6
            )


def _open_leaf(paint: Palette, kind: DoorKind, half: float) -> str:
    """The leaf swung aside, and the way it swings."""
    if kind in (DoorKind.PORTCULLIS, DoorKind.CURTAIN):
        return "".join(disc(x, 0, 6.0, paint.line, stroke="none") for x in (-half + 6, half - 6))
    fill = {DoorKind.IRON: paint.metal, DoorKind.STONE: paint.stone}.get(kind, paint.wood)
    long = min(2 * half, 76.0)
    return line(
        f"M{-half + long:.0f} 0A{long:.0f} {long:.0f} 0 0 0 {-half:.0f} {-long:.0f}",
        stroke_width=2.4,
        stroke_dasharray="7 7",
    ) + box(-half, -long, 14, long, fill)


def _lock(paint: Palette) -> str:
    return (
        line("M-7-4v-7a7 7 0 0 1 14 0v7", stroke_width=4.4)
        + box(-12, -5, 24, 19, paint.gold, 3)
        + patch("M0 1v7", stroke_width=4.4)
    )


def _secret(paint: Palette, half: float, *, thin: bool) -> str:
    """Wall on both sides; its letter is drawn upright, see `secret_letter`."""
    if thin:
        return line(f"M{-half:.0f} 0H{half:.0f}", stroke_width=14.0)
    return box(-half, -50, 2 * half, 100, paint.band, stroke="none") + line(
        f"M{-half:.0f}-48H{half:.0f}M{-half:.0f} 48H{half:.0f}", stroke_width=9.0
    )


def secret_letter(paint: Palette, x: float, y: float) -> str:
    """The S of a secret door, upright whichever way the door faces."""
    return disc(x, y, 27, paint.plate, stroke=paint.master, stroke_width=4.0) + element(
        "text",
        "S",
        x=x,
        y=y + 14.5,
        font_family=FONT_FAMILY,
        font_size=44.0,
        font_weight="bold",
        text_anchor="middle",
        fill=paint.master,
        stroke="none",
    )


@lru_cache(maxsize=1024)
def stairs_sign(paint: Palette, up: bool) -> str:
    """Stairs that one steps off at the north; the treads grow shorter the lower they lie."""
    treads = []
    for index in range(7):
        y = -42 + 14 * index
        # Going up, the lowest tread is the one at the foot, where one steps off.
        low = (6 - index) / 6 if up else index / 6
        half = 42 - 25 * low
        treads.append(f"M{-half:.0f} {y}h{2 * half:.0f}")
    bottom, top = (17, 42) if up else (42, 17)
    sides = f"M{-bottom} -48L{-top} 48M{bottom}-48L{top} 48"
    return (
        patch(f"M{-bottom}-48L{-top} 48H{top}L{bottom}-48z", paint.floor, stroke="none")
        + line("".join(treads), stroke_width=5.6)
        + line(sides, stroke_width=3.4)
    )


def stairs_turn(stairs: Stairs) -> int:
    """Degrees by which the sign of stairs is turned."""
    return _TURNS.get(stairs.facing, 0)


@lru_cache(maxsize=1024)
def trap_sign(paint: Palette, kind: str, width: int, height: int) -> str:
    """The sign of a trap over the cells it covers, in the game master's colour."""
    half_w, half_h = width * UNIT / 2, height * UNIT / 2
    area = box(
        -half_w + 8,
        -half_h + 8,
        2 * half_w - 16,
        2 * half_h - 16,
        paint.master,
        4,
        fill_opacity=0.1,
        stroke_dasharray="14 9",
        stroke_width=3.4,
    )
    match kind:
        case "pit":
            r = min(half_w, half_h) - 17
            return area + line(f"M{-r} {-r}H{r}V{r}H{-r}zL{r} {r}M{r}{-r}L{-r} {r}", stroke_width=4.4)
        case "dart":
            return area + line(
                "M-30 12L22-12M22-12l-17-1M22-12l-10 13M-30 12l-4-9M-30 12l-7 7M-22 9l-4-9M-22 9l-7 7"
            )
        case "blade":
            return (
                area + patch("M-28 24C-30-14 4-32 30-24C12-16-6 0-12 24z", paint.metal) + line("M-32 24h28")
            )
        case "net":
            return area + line("M-28-28L28 28M-28 0L0 28M0-28L28 0M28-28L-28 28M28 0L0 28M0-28L-28 0")
        case "rune":
            return area + disc(0, 0, 30, "none") + line("M0-30L18 24L-29-9H29L-18 24z", stroke_width=3.6)
        case "gas":
            return area + line(
                "M-30 14q-4-18 14-17q2-18 20-13q18-6 20 12q12 6 4 18zM-18 28h10M-2 28h14M20 28h6",
                stroke_width=4.0,
            )
        case "collapse":
            return (
                area
                + line("M-26-28l14 20l-10 14l20 22M28-26l-12 16l8 12l-14 20")
                + "".join(oval(x, y, 8, 6, paint.stone) for x, y in ((-3, -20), (30, 12), (-32, 24)))
            )
        case _:
            return area + line("M0-26V8", stroke_width=8.0) + disc(0, 25, 5, paint.master, stroke="none")


def trap_title(trap: Trap) -> str:
    """What a trap is, in words."""
    return f"Trap: {trap.kind}" + (f". {trap.note}" if trap.note else "")


def door_title(door: Door) -> str:
    """What a door is, in words."""
    words = DOOR_WORDS[door.kind].capitalize()
    stands = "" if door.kind is DoorKind.ARCH else f", {door.state.value}"
    return f"{words}{stands}" + (f". {door.note}" if door.note else "")
