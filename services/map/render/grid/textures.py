"""Textures of the grounds: small repeated patterns, made once for each palette and used by every map."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

from services.map.render.grid.noise import shares
from services.map.render.grid.palette import Palette
from services.map.render.svg import element

_SIDE = 400


def _pattern(name: str, *marks: str, side: int = _SIDE) -> str:
    return element(
        "pattern",
        *marks,
        id=f"hf-{name}",
        patternUnits="userSpaceOnUse",
        x=0,
        y=0,
        width=side,
        height=side,
    )


def _scattered(count: int, salt: int, side: int = _SIDE, room: int = 22) -> list[tuple[int, int, float]]:
    """Spots spread evenly over a tile, clear of its edges, each with a number from 0 to 1."""
    per_row = round(count**0.5)
    column, row = np.meshgrid(np.arange(per_row), np.arange(per_row))
    pitch = side / per_row
    reach = max(pitch - 2 * room, pitch * 0.3)
    x = column * pitch + (pitch - reach) / 2 + shares(column, row, salt) * reach
    y = row * pitch + (pitch - reach) / 2 + shares(column, row, salt + 1) * reach
    chance = shares(column, row, salt + 2)
    return [
        (round(a), round(b), c)
        for a, b, c in zip(x.ravel().tolist(), y.ravel().tolist(), chance.ravel().tolist(), strict=True)
    ]


def _strokes(d: str, colour: str, width: float, opacity: float | None = None) -> str:
    return element(
        "path",
        d=d,
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap="round",
        stroke_opacity=opacity,
    )


@cache
def texture(name: str, paint: Palette) -> str:
    """The definition of a texture, id `hf-` and its name.

    Args:
        name: `grass`, `earth`, `sand`, `mud`, `ripples`, `planks`, `flags`, `fungus` or `bubbles`.
        paint: Colours.

    Raises:
        KeyError: There is no such texture.
    """
    return _TEXTURES[name](paint)


def _grass(paint: Palette) -> str:
    tufts, blades = [], []
    for x, y, share in _scattered(36, 51, 600, 26):
        if share < 0.62:
            tall = 9 + round(share * 14)
            tufts.append(
                f"M{x - 9} {y}q-1-{tall // 2}-5-{tall - 4}M{x} {y}"
                f"v-{tall}M{x + 8} {y}q1-{tall // 2} 5-{tall - 3}"
            )
        else:
            blades.append(f"M{x} {y}l3-8")
    patches = "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="{round(26 + 30 * s)}" ry="{round(18 + 16 * s)}"/>'
        for x, y, s in _scattered(9, 57, 600, 70)
    )
    return _pattern(
        "grass",
        element("g", patches, fill=paint.grass_mark, fill_opacity=0.13),
        _strokes("".join(tufts), paint.grass_mark, 3.6),
        _strokes("".join(blades), paint.grass_mark, 3.2, 0.7),
        side=600,
    )


def _dots(name: str, count: int, salt: int, colour: str, side: int = _SIDE) -> str:
    marks = "".join(
        f"M{x} {y}h.1" if share < 0.6 else f"M{x} {y}l{round(8 * share)} {round(4 - 8 * share)}"
        for x, y, share in _scattered(count, salt, side, 8)
    )
    return _pattern(name, _strokes(marks, colour, 4.4, 0.75), side=side)


def _ripples(paint: Palette) -> str:
    waves = "".join(
        f"M{x - 22} {y}q11-9 22 0q11 9 22 0" + ("m-30 15q9-7 18 0" if share > 0.5 else "")
        for x, y, share in _scattered(9, 71, 400, 42)
        if share > 0.25
    )
    return _pattern("ripples", _strokes(waves, paint.water_line, 3.6, 0.65))


def _planks(paint: Palette) -> str:
    lines = "".join(f"M0 {y}H400" for y in (0.5, 33, 67, 100, 133, 167, 200, 233, 267, 300, 333, 367, 399.5))
    joints, grain = [], []
    for index in range(12):
        top = round(index * 100 / 3)
        for x, _, share in _scattered(4, 81 + 3 * index)[:2]:
            joints.append(f"M{(x + 137 * index) % 380 + 10} {top}v33")
            grain.append(
                f"M{(x + 61 * index) % 300 + 20} {top + 10 + round(12 * share)}h{40 + round(30 * share)}"
            )
    return _pattern(
        "planks",
        _strokes(lines + "".join(joints), paint.plank_line, 4.0, 0.85),
        _strokes("".join(grain), paint.plank_line, 2.4, 0.5),
    )


def _flags(paint: Palette) -> str:
    """Stone slabs of half a cell to a whole one, in courses."""
    lines = ["M0 1H400M0 50H400M0 100H400M0 150H400M0 200H400M0 250H400M0 300H400M0 350H400"]
    for course in range(8):
        chance = shares(np.arange(8), np.full(8, course), 95).tolist()
        cuts = [
            round((i + (course % 2) * 0.5) * 50 + (chance[i] - 0.5) * 18)
            for i in range(8)
            if chance[i] > 0.34
        ]
        lines += [f"M{x % 400} {course * 50}v50" for x in cuts]
    return _pattern("flags", _strokes("".join(lines), paint.flag_line, 3.0, 0.7))


def _fungus(paint: Palette) -> str:
    caps = "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="{round(9 + 9 * s)}" r'
        f'y="{round(6 + 6 * s)}"/><path d="M{x} {y + 5}v{round(7 + 5 * s)}"/>'
        for x, y, s in _scattered(25, 111, 400, 24)
        if s > 0.3
    )
    return _pattern(
        "fungus",
        element("g", caps, fill=paint.magic, stroke=paint.line, stroke_width=2.6),
    )


def _bubbles(paint: Palette) -> str:
    spots = _scattered(16, 121, 400, 28)
    crust = "".join(
        f"M{x} {y}l{round(18 + 20 * s)} {round(14 - 26 * s)}"
        f"l{round(10 + 8 * s)} {round(10 + 8 * s)}m-16-6l6-14"
        for x, y, s in spots
    )
    rings = "".join(
        f'<circle cx="{a[0]}" cy="{a[1] + 14}" r="{round(4 + 5 * a[2])}"/>' for a, _ in pairwise(spots[::2])
    )
    return _pattern(
        "bubbles",
        _strokes(crust, paint.lava_crust, 4.4, 0.8),
        element("g", rings, fill=paint.lava_line, fill_opacity=0.8),
    )


_TEXTURES = {
    "grass": _grass,
    "earth": lambda paint: _dots("earth", 64, 61, paint.earth_mark, 600),
    "sand": lambda paint: _dots("sand", 121, 64, paint.earth_mark, 600),
    "mud": lambda paint: _dots("mud", 81, 67, paint.earth_mark),
    "ripples": _ripples,
    "planks": _planks,
    "flags": _flags,
    "fungus": _fungus,
    "bubbles": _bubbles,
}
