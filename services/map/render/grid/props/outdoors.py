"""What grows and what is built under the open sky."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin

import numpy as np

from services.map.render.grid.noise import shares
from services.map.render.grid.palette import Palette
from services.map.render.grid.pen import box, disc, line, oval, patch
from services.map.render.grid.props.furniture import flames


@cache
def _chance(variant: int, salt: int) -> tuple[float, ...]:
    return tuple(shares(np.arange(24), np.full(24, variant), salt).tolist())


def _blob(x: float, y: float, rx: float, ry: float, lobes: int, variant: int, salt: int, bulge: float) -> str:
    """A closed line of lobes, like the edge of a canopy."""
    chance = _chance(variant, salt)
    spots = []
    for i in range(lobes):
        angle = 2 * pi * (i + 0.5 * (chance[i % 24] - 0.5)) / lobes
        reach = 0.84 + 0.2 * chance[(i + 7) % 24]
        spots.append((x + cos(angle) * rx * reach, y + sin(angle) * ry * reach))
    data = f"M{spots[-1][0]:.0f} {spots[-1][1]:.0f}"
    for i, (sx, sy) in enumerate(spots):
        px, py = spots[i - 1]
        mx, my = (px + sx) / 2, (py + sy) / 2
        data += f"Q{x + (mx - x) * bulge:.0f} {y + (my - y) * bulge:.0f} {sx:.0f} {sy:.0f}"
    return data + "z"


def tree(p: Palette, w: float, h: float, variant: int) -> str:
    """A canopy in three tiers with its shadow."""
    a, b = w * 0.47, h * 0.47
    lobes = max(7, min(14, round((a + b) / 14)))
    outer = _blob(0, 0, a, b, lobes, variant, 201, 1.28)
    middle = _blob(-a * 0.1, -b * 0.12, a * 0.68, b * 0.68, max(6, lobes - 2), variant, 205, 1.3)
    top = _blob(-a * 0.2, -b * 0.24, a * 0.36, b * 0.36, 6, variant, 209, 1.35)
    arcs = "".join(
        f"M{cos(t) * a * 0.78 - 8:.0f} {sin(t) * b * 0.78:.0f}q8-9 16 0"
        for t in (0.5 + variant, 1.6 + variant, 2.5 + variant, 4.2 + variant)
    )
    return (
        patch(outer, p.shadow, stroke="none", fill_opacity=0.25, transform="translate(13 17)")
        + patch(outer, p.leaf_dark)
        + patch(middle, p.leaf, stroke="none")
        + patch(top, p.leaf_light, stroke="none", fill_opacity=0.8)
        + line(arcs, stroke_width=2.6, stroke_opacity=0.6)
    )


def bush(p: Palette, w: float, h: float, variant: int) -> str:
    """Low scrub: a clump of leaves."""
    a, b = w * 0.42, h * 0.4
    outer = _blob(0, 0, a, b, 8, variant, 221, 1.34)
    inner = _blob(-a * 0.15, -b * 0.15, a * 0.55, b * 0.55, 6, variant, 225, 1.34)
    return (
        patch(outer, p.shadow, stroke="none", fill_opacity=0.2, transform="translate(6 8)")
        + patch(outer, p.leaf, stroke_width=3.0)
        + patch(inner, p.leaf_light, stroke="none", fill_opacity=0.75)
    )


def rock(p: Palette, w: float, h: float, variant: int) -> str:
    """A boulder with its facets."""
    chance = _chance(variant, 231)
    a, b = w * 0.44, h * 0.42
    spots = [
        (
            cos(2 * pi * i / 8) * a * (0.82 + 0.2 * chance[i]),
            sin(2 * pi * i / 8) * b * (0.82 + 0.2 * chance[i + 8]),
        )
        for i in range(8)
    ]
    edge = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in spots) + "z"
    crown = [(x * 0.5 - a * 0.1, y * 0.5 - b * 0.12) for x, y in spots[::2]]
    facet = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in crown) + "z"
    seams = "".join(
        f"M{cx:.0f} {cy:.0f}L{x:.0f} {y:.0f}" for (cx, cy), (x, y) in zip(crown, spots[::2], strict=True)
    )
    return (
        patch(edge, p.shadow, stroke="none", fill_opacity=0.25, transform="translate(9 12)")
        + patch(edge, p.stone_dark)
        + patch(facet, p.stone, stroke_width=2.2)
        + line(seams, stroke_width=2.0, stroke_opacity=0.6)
    )


def log(p: Palette, w: float, h: float, variant: int) -> str:
    """A fallen trunk along its longer side."""
    long, thick = max(w, h) * 0.48, min(w, h) * 0.22
    drawn = (
        patch(
            f"M{-long:.0f} {-thick:.0f}H{long:.0f}V{thick:.0f}H{-long:.0f}z",
            p.shadow,
            stroke="none",
            fill_opacity=0.22,
            transform="translate(6 10)",
        )
        + box(-long, -thick, 2 * long, 2 * thick, p.wood, thick * 0.6)
        + oval(long - thick * 0.35, 0, thick * 0.42, thick, p.straw, stroke_width=2.6)
        + line(
            f"M{-long * 0.8:.0f} {-thick * 0.3:.0f}h{long * 0.9:.0f}"
            f"M{-long * 0.5:.0f} {thick * 0.4:.0f}h{long * 1.1:.0f}",
            stroke_width=2.2,
        )
        + line(f"M{-long * 0.3:.0f} {-thick:.0f}l-8-14", stroke_width=6.0)
    )
    return f'<g transform="rotate(90)">{drawn}</g>' if h > w else drawn


def stump(p: Palette, w: float, h: float, variant: int) -> str:
    """A stump with its rings and roots."""
    r = min(w, h) * 0.3
    return (
        patch(_blob(0, 0, r * 1.25, r * 1.25, 7, variant, 241, 0.85), p.wood_dark)
        + disc(0, 0, r * 0.86, p.straw)
        + disc(1, 1, r * 0.55, None, stroke_width=2.0)
        + disc(2, 1, r * 0.25, None, stroke_width=2.0)
    )


def reeds(p: Palette, w: float, h: float, variant: int) -> str:
    """Reeds and bulrushes."""
    chance = _chance(variant, 251)
    blades, heads = "", ""
    for i in range(7):
        x, y = (i - 3) * w * 0.11 + chance[i] * 8, h * 0.3 - chance[i + 7] * h * 0.35
        tall = h * (0.26 + 0.16 * chance[i + 14])
        lean = (chance[i] - 0.5) * 22
        blades += f"M{x:.0f} {y:.0f}q0 {-tall / 2:.0f} {lean:.0f} {-tall:.0f}"
        if i % 2:
            heads += oval(x + lean, y - tall, 4, 9, p.wood, stroke_width=2.0)
    return line(blades, stroke=p.leaf_dark if not p.dark_page else p.line, stroke_width=4.0) + heads


def hay(p: Palette, w: float, h: float, variant: int) -> str:
    """A heap or bale of hay."""
    outline = _blob(0, 0, w * 0.44, h * 0.42, 9, variant, 261, 1.15)
    chance = _chance(variant, 265)
    straws = "".join(
        f"M{(chance[i] - 0.5) * w * 0.6:.0f}"
        f" {(chance[i + 8] - 0.5) * h * 0.55:.0f}l{14 - 28 * chance[i + 16]:.0f} 10"
        for i in range(8)
    )
    return patch(outline, p.straw) + line(straws, stroke_width=2.2)


def tent(p: Palette, w: float, h: float, variant: int) -> str:
    """A ridge tent, its opening to the south."""
    a, b = w * 0.46, h * 0.46
    fill = (p.bone, p.straw, p.cloth, p.cloth_alt)[variant]
    return (
        patch(
            f"M{-a:.0f} {-b:.0f}H{a:.0f}V{b:.0f}H{-a:.0f}z",
            p.shadow,
            stroke="none",
            fill_opacity=0.24,
            transform="translate(9 12)",
        )
        + patch(f"M{-a:.0f} {-b:.0f}H0V{b:.0f}L{-a:.0f} {b:.0f}z", fill)
        + patch(f"M0 {-b:.0f}H{a:.0f}V{b:.0f}H0z", fill)
        + patch(f"M0 {-b:.0f}H{a:.0f}V{b:.0f}H0z", p.shadow, stroke="none", fill_opacity=0.16)
        + patch(f"M0 {b * 0.35:.0f}L{-a * 0.3:.0f} {b:.0f}H{a * 0.3:.0f}z", p.chasm_deep)
        + line(
            f"M{-a:.0f} {-b:.0f}l-12-9M{a:.0f} {-b:.0f}l12-9M{-a:.0f}"
            f" {b:.0f}l-12 9M{a:.0f} {b:.0f}l12 9M0 {-b - 6:.0f}V{b + 6:.0f}"
        )
    )


def cart(p: Palette, w: float, h: float, variant: int) -> str:
    """A two-wheeled cart, its shafts to the east of its longer side."""
    return _wheeled(p, w, h, 1)


def wagon(p: Palette, w: float, h: float, variant: int) -> str:
    """A four-wheeled wagon, covered or open."""
    return _wheeled(p, w, h, 2, covered=variant % 2 == 1)


def _wheeled(p: Palette, w: float, h: float, axles: int, *, covered: bool = False) -> str:
    long, wide = max(w, h) * 0.48, min(w, h) * 0.32
    body = long * 1.35
    left = -long
    spots = [left + body / 2] if axles == 1 else [left + body * 0.2, left + body * 0.8]
    wheels = "".join(box(x - 17, y, 34, 11, p.wood_dark, 4) for x in spots for y in (-wide - 12, wide + 1))
    drawn = (
        line(
            f"M{left + body:.0f} {-wide * 0.5:.0f}H{long:.0f}M{left + body:.0f} {wide * 0.5:.0f}H{long:.0f}",
            stroke_width=6.0,
        )
        + wheels
        + box(left, -wide, body, 2 * wide, p.wood, 3)
    )
    if covered:
        hoops = "".join(
            f"M{left + body * t:.0f} {-wide:.0f}q-9 {wide:.0f} 0 {2 * wide:.0f}" for t in (0.3, 0.55, 0.8)
        )
        drawn += box(left + 3, -wide, body * 0.88, 2 * wide, p.bone, 9) + line(hoops, stroke_width=2.6)
    else:
        boards = "".join(f"M{left:.0f} {y:.0f}h{body:.0f}" for y in (-wide / 3, wide / 3))
        drawn += line(boards, stroke_width=2.4) + box(
            left + 6, -wide + 6, body - 12, 2 * wide - 12, "none", stroke_width=2.4
        )
    return f'<g transform="rotate(90)">{drawn}</g>' if h > w else drawn


def well(p: Palette, w: float, h: float, variant: int) -> str:
    """A round well with its beam."""
    r = min(w, h) * 0.42
    stones = "".join(
        f"M{cos(t * pi / 5) * r * 0.62:.0f} {sin(t * pi / 5) * r * 0.62:.0f}"
        f"L{cos(t * pi / 5) * r:.0f} {sin(t * pi / 5) * r:.0f}"
        for t in range(10)
    )
    return (
        disc(0, 0, r, p.shadow, stroke="none", fill_opacity=0.25, transform="translate(8 11)")
        + disc(0, 0, r, p.stone)
        + line(stones, stroke_width=2.4)
        + disc(0, 0, r * 0.62, p.deep)
        + box(-r * 1.05, -5, r * 2.1, 10, p.wood)
        + disc(0, 0, 8, p.wood_dark)
    )


def fire(p: Palette, w: float, h: float, variant: int) -> str:
    """A campfire in its ring of stones."""
    r = min(w, h) * 0.4
    logs = "".join(
        f"M{cos(t) * r * 0.75:.0f} {sin(t) * r * 0.75:.0f}L{-cos(t) * r * 0.75:.0f} {-sin(t) * r * 0.75:.0f}"
        for t in (0.4, 1.5, 2.6)
    )
    stones = "".join(
        disc(cos(i * pi / 4.5) * r, sin(i * pi / 4.5) * r, r * 0.19, p.stone, stroke_width=2.6)
        for i in range(9)
    )
    return (
        disc(0, 0, r, p.chasm, stroke="none", fill_opacity=0.45)
        + stones
        + line(logs, stroke=p.wood_dark, stroke_width=9.0)
        + flames(p, r * 0.62)
    )


def fence(p: Palette, w: float, h: float, variant: int) -> str:
    """A fence along its longer side."""
    long = max(w, h) / 2
    count = max(2, round(long / 25) + 1)
    posts = "".join(
        disc(-long + 6 + i * (2 * long - 12) / (count - 1), 0, 7, p.wood_dark, stroke_width=2.4)
        for i in range(count)
    )
    drawn = box(-long, -4, 2 * long, 8, p.wood, stroke_width=2.4) + posts
    return f'<g transform="rotate(90)">{drawn}</g>' if h > w else drawn


def boat(p: Palette, w: float, h: float, variant: int) -> str:
    """A rowing boat, its bow at one end of its longer side."""
    long, wide = max(w, h) * 0.48, min(w, h) * 0.4
    hull = (
        f"M{-long:.0f} {-wide * 0.55:.0f}Q0 {-wide * 1.5:.0f} {long:.0f}"
        f" 0Q0 {wide * 1.5:.0f}"
        f" {-long:.0f} {wide * 0.55:.0f}z"
    )
    thwarts = "".join(
        box(x, -wide * 0.72, 11, wide * 1.44, p.wood_dark, stroke_width=2.4)
        for x in (-long * 0.45, long * 0.05)
    )
    drawn = (
        patch(hull, p.wood)
        + patch(hull, p.straw, transform="scale(0.82)", stroke_width=2.4)
        + thwarts
        + line(f"M{-long * 0.2:.0f} {-wide * 1.25:.0f}L{long * 0.1:.0f} {wide * 1.25:.0f}", stroke_width=4.4)
    )
    return f'<g transform="rotate(90)">{drawn}</g>' if h > w else drawn


def dock_post(p: Palette, w: float, h: float, variant: int) -> str:
    """A mooring post with a turn of rope."""
    return (
        disc(0, 0, 17, p.wood_dark)
        + disc(0, 0, 9, p.wood, stroke_width=2.4)
        + line("M-17 4q-10 12 4 18", stroke_width=4.0)
    )


def tracks(p: Palette, w: float, h: float, variant: int) -> str:
    """The ruts of wheels along the longer side."""
    long, gap = max(w, h) / 2, min(34.0, min(w, h) * 0.3)
    half = long / 2
    ruts = "".join(
        f"M{-long:.0f} {y:.0f}q{half:.0f} {bend} {long:.0f} 0q{half:.0f} {-bend} {long:.0f} 0"
        for y, bend in ((-gap, 9), (gap, 7))
    )
    drawn = line(
        ruts, stroke=p.road_edge, stroke_width=7.0, stroke_opacity=0.45, stroke_dasharray="60 9 22 7"
    )
    return f'<g transform="rotate(90)">{drawn}</g>' if h > w else drawn


def flowers(p: Palette, w: float, h: float, variant: int) -> str:
    """A handful of flowers in the grass."""
    chance = _chance(variant, 271)
    fills = (p.cloth, p.gold, p.magic, p.bone)
    return "".join(
        disc(
            (chance[i] - 0.5) * w * 0.8,
            (chance[i + 8] - 0.5) * h * 0.8,
            6.5,
            fills[(i + variant) % 4],
            stroke_width=1.8,
        )
        for i in range(7)
    )


def lilies(p: Palette, w: float, h: float, variant: int) -> str:
    """Water lilies: notched leaves, one in flower."""
    chance = _chance(variant, 281)
    leaves = ""
    for i in range(4):
        x, y, r = (chance[i] - 0.5) * w * 0.7, (chance[i + 8] - 0.5) * h * 0.7, 11 + 7 * chance[i + 12]
        leaves += patch(
            f"M{x:.0f} {y:.0f}L{x + r:.0f} {y - 3:.0f}A{r:.0f}"
            f" {r:.0f} 0 1 0 {x + r * 0.6:.0f} {y + r * 0.8:.0f}z",
            p.leaf,
            stroke_width=2.4,
        )
        if i == variant:
            leaves += disc(x - 3, y, 5.5, p.bone, stroke_width=1.8)
    return leaves
