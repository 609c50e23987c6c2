"""What dungeons, temples and caves are full of."""

from __future__ import annotations

from math import cos, pi, sin

from services.map.render.grid.palette import Palette
from services.map.render.grid.pen import box, disc, line, oval, patch
from services.map.render.grid.props.furniture import flames
from services.map.render.grid.props.outdoors import rock


def brazier(p: Palette, w: float, h: float, variant: int) -> str:
    """A bowl of coals on its stand."""
    r = min(w, h) * 0.34
    feet = "".join(disc(cos(t) * r, sin(t) * r, 6, p.metal_dark) for t in (pi / 6, 5 * pi / 6, 3 * pi / 2))
    return feet + disc(0, 0, r, p.metal) + flames(p, r * 0.78)


def torch(p: Palette, w: float, h: float, variant: int) -> str:
    """A burning torch."""
    return line("M0 20L0 4", stroke_width=9.0) + flames(p, 17, -4)


def altar(p: Palette, w: float, h: float, variant: int) -> str:
    """An altar under its cloth, a bowl and candles on it."""
    a, b = w * 0.46, h * 0.38
    r = min(a, b) * 0.34
    return (
        box(-a, -b, 2 * a, 2 * b, p.stone, 3)
        + box(-a * 0.62, -b, a * 1.24, 2 * b, p.cloth)
        + disc(0, 0, r, p.gold)
        + disc(-a * 0.8, 0, 6, p.fire, stroke_width=2.4)
        + disc(a * 0.8, 0, 6, p.fire, stroke_width=2.4)
    )


def statue(p: Palette, w: float, h: float, variant: int) -> str:
    """A figure on a pedestal, seen from above."""
    a = min(w, h) * 0.4
    return (
        box(-a, -a, 2 * a, 2 * a, p.stone_dark, 4)
        + disc(0, 0, a * 0.84, p.stone)
        + patch(
            f"M{-a * 0.66:.0f} {a * 0.2:.0f}Q0 {-a * 0.55:.0f} {a * 0.66:.0f}"
            f" {a * 0.2:.0f}Q0 {a * 0.62:.0f} {-a * 0.66:.0f} {a * 0.2:.0f}z",
            p.bone,
        )
        + disc(0, 0, a * 0.26, p.bone)
    )


def idol(p: Palette, w: float, h: float, variant: int) -> str:
    """A squat idol with gleaming eyes."""
    a = min(w, h) * 0.38
    return (
        patch(
            f"M{-a:.0f} {a:.0f}V{-a * 0.3:.0f}Q{-a:.0f} {-a:.0f} 0 {-a:.0f}"
            f"Q{a:.0f} {-a:.0f} {a:.0f} {-a * 0.3:.0f}V{a:.0f}z",
            p.stone,
        )
        + disc(-a * 0.38, -a * 0.2, a * 0.18, p.gold)
        + disc(a * 0.38, -a * 0.2, a * 0.18, p.gold)
        + line(
            f"M{-a * 0.5:.0f} {a * 0.4:.0f}h{a:.0f}M{-a * 0.25:.0f} {a * 0.4:.0f}"
            f"v{a * 0.25:.0f}M{a * 0.25:.0f} {a * 0.4:.0f}v{a * 0.25:.0f}"
        )
    )


def sarcophagus(p: Palette, w: float, h: float, variant: int) -> str:
    """A stone coffin with the likeness of who lies in it."""
    return _casket(p, w, h, p.stone, p.stone_dark, figure=True)


def coffin(p: Palette, w: float, h: float, variant: int) -> str:
    """A wooden coffin."""
    return _casket(p, w, h, p.wood, p.wood_dark, figure=False)


def _casket(p: Palette, w: float, h: float, lid: str, edge: str, *, figure: bool) -> str:
    long, wide = max(w, h) * 0.46, min(w, h) * 0.36
    outline = (
        f"M{-wide * 0.6:.0f} {-long:.0f}H{wide * 0.6:.0f}L{wide:.0f} {-long * 0.45:.0f}"
        f"L{wide * 0.62:.0f} {long:.0f}H{-wide * 0.62:.0f}"
        f"L{-wide:.0f} {-long * 0.45:.0f}z"
    )
    drawn = patch(outline, edge) + patch(outline, lid, transform="scale(0.82 0.88)", stroke_width=2.6)
    if figure:
        drawn += disc(0, -long * 0.5, wide * 0.26, p.bone, stroke_width=2.6) + line(
            f"M{-wide * 0.42:.0f} {-long * 0.15:.0f}Q0 {-long * 0.34:.0f} {wide * 0.42:.0f}"
            f" {-long * 0.15:.0f}L{wide * 0.2:.0f} {long * 0.65:.0f}H{-wide * 0.2:.0f}z",
            stroke_width=2.6,
        )
    else:
        drawn += line(
            f"M0 {-long * 0.6:.0f}V{long * 0.2:.0f}M{-wide * 0.35:.0f} {-long * 0.32:.0f}h{wide * 0.7:.0f}"
        )
    return f'<g transform="rotate(-90)">{drawn}</g>' if w > h else drawn


def pillar(p: Palette, w: float, h: float, variant: int) -> str:
    """A round column on its base."""
    r = min(w, h) * 0.4
    return (
        disc(0, 0, r, p.shadow, stroke="none", fill_opacity=0.25, transform="translate(8 10)")
        + disc(0, 0, r, p.stone_dark)
        + disc(0, 0, r * 0.72, p.stone, stroke_width=2.6)
    )


def column_broken(p: Palette, w: float, h: float, variant: int) -> str:
    """The stump of a column and its fallen drums."""
    r = min(w, h) * 0.3
    return (
        patch(
            f"M{-r:.0f} 0A{r:.0f} {r:.0f} 0 0 1 {r * 0.4:.0f} {-r * 0.9:.0f}L{r * 0.2:.0f}"
            f" {-r * 0.3:.0f}L{r:.0f} {r * 0.1:.0f}A{r:.0f} {r:.0f} 0 0 1 {-r:.0f} 0z",
            p.stone,
        )
        + oval(r * 1.05, -r * 0.8, r * 0.34, r * 0.26, p.stone_dark, stroke_width=2.8)
        + oval(-r * 0.9, r * 1.1, r * 0.28, r * 0.22, p.stone_dark, stroke_width=2.8)
    )


def bones(p: Palette, w: float, h: float, variant: int) -> str:
    """A skull over crossed bones, or scattered ribs."""
    crossed = "M-26 16L24-12M-24-14L26 18"
    drawn = line(crossed, stroke_width=11.0) + line(crossed, stroke=p.bone, stroke_width=5.0)
    if variant == 3:
        return drawn + line("M-12 20q12 12 26 0", stroke_width=3.0)
    return (
        drawn
        + patch("M-14 2a14 14 0 1 1 28 0q0 7-6 9v7h-16v-7q-6-2-6-9z", p.bone, stroke_width=3.0)
        + disc(-5.5, 1, 3.4, p.line, stroke="none")
        + disc(5.5, 1, 3.4, p.line, stroke="none")
    )


def web(p: Palette, w: float, h: float, variant: int) -> str:
    """A spider's web across a corner."""
    a = min(w, h) * 0.46
    rays = "".join(
        f"M{-a:.0f} {-a:.0f}L{-a + cos(t) * 2 * a:.0f} {-a + sin(t) * 2 * a:.0f}"
        for t in (0, 0.4, 0.8, 1.2, 1.57)
    )
    rings = ""
    for share in (0.55, 1.0, 1.5):
        rings += f"M{-a + share * a:.0f} {-a:.0f}"
        for t in (0.4, 0.8, 1.2, 1.57):
            reach = share * a
            rings += (
                f"Q{-a + cos(t - 0.2) * reach * 0.86:.0f} {-a + sin(t - 0.2) * reach * 0.86:.0f}"
                f" {-a + cos(t) * reach:.0f}"
                f" {-a + sin(t) * reach:.0f}"
            )
    return line(rays + rings, stroke_width=2.2, stroke_opacity=0.8)


def crystal(p: Palette, w: float, h: float, variant: int) -> str:
    """A cluster of crystals."""
    a = min(w, h) * 0.4

    def shard(x: float, y: float, tall: float, lean: float) -> str:
        tip, half = y - tall, tall * 0.22
        return patch(
            f"M{x - half:.0f} {y:.0f}L{x - half + lean:.0f} {tip + tall * 0.25:.0f}L{x + lean:.0f}"
            f" {tip:.0f}L{x + half + lean:.0f} {tip + tall * 0.25:.0f}L{x + half:.0f} {y:.0f}z",
            p.magic,
            stroke_width=3.0,
        ) + line(f"M{x + lean:.0f} {tip:.0f}L{x:.0f} {y:.0f}", stroke_width=2.0)

    return (
        shard(-a * 0.5, a * 0.7, a * 1.1, -a * 0.3)
        + shard(a * 0.5, a * 0.7, a * 0.95, a * 0.35)
        + shard(0, a * 0.85, a * 1.7, 0)
    )


def mushroom(p: Palette, w: float, h: float, variant: int) -> str:
    """Great mushrooms, one large and some small."""
    a = min(w, h) * 0.38
    big = (
        box(-a * 0.2, -a * 0.05, a * 0.4, a * 0.85, p.bone, 4, stroke_width=3.0)
        + patch(
            f"M{-a * 0.85:.0f} 0Q{-a * 0.7:.0f} {-a:.0f} 0 {-a:.0f}Q{a * 0.7:.0f}"
            f" {-a:.0f} {a * 0.85:.0f} 0Q0 {a * 0.3:.0f} {-a * 0.85:.0f} 0z",
            p.cloth,
        )
        + disc(-a * 0.3, -a * 0.4, a * 0.12, p.bone, stroke="none")
        + disc(a * 0.2, -a * 0.6, a * 0.1, p.bone, stroke="none")
        + disc(a * 0.38, -a * 0.22, a * 0.1, p.bone, stroke="none")
    )
    x, y = (a * 0.75, a * 0.7) if variant % 2 else (-a * 0.75, a * 0.7)
    return (
        big
        + box(x - 4, y - 2, 8, 15, p.bone, stroke_width=2.4)
        + patch(f"M{x - 14:.0f} {y:.0f}q14-22 28 0z", p.cloth, stroke_width=2.6)
    )


def rubble(p: Palette, w: float, h: float, variant: int) -> str:
    """Fallen stones, large and small."""
    spots = (
        ((-24, -18, 13), (16, -24, 8), (24, 12, 15), (-12, 20, 9), (-34, 8, 6), (4, -2, 7)),
        ((-16, 14, 15), (22, -16, 12), (-30, -20, 8), (26, 22, 7), (2, -28, 6), (6, 30, 6)),
        ((10, 10, 14), (-26, -8, 11), (24, -26, 8), (-14, 28, 7), (-4, -28, 7), (32, 24, 5)),
        ((-22, 22, 10), (20, 20, 12), (-8, -18, 14), (26, -22, 7), (-32, -8, 6), (2, 8, 5)),
    )[variant]
    sx, sy = w / 100, h / 100
    stones = "".join(
        f"M{x * sx - r:.0f} {y * sy:.0f}l{r * 0.6:.0f} {-r * 0.9:.0f}l{r:.0f}"
        f" {r * 0.2:.0f}l{r * 0.4:.0f} {r:.0f}l{-r * 0.9:.0f} {r * 0.7:.0f}z"
        for x, y, r in spots
    )
    dots = "M-40 34h.1M36-36h.1M-2-40h.1M40 2h.1M-38-34h.1M14 40h.1"
    return patch(stones, p.stone, stroke_width=3.0) + line(dots, stroke_width=5.0)


def pit(p: Palette, w: float, h: float, variant: int) -> str:
    """An open pit, its depth in darkness."""
    a, b = w * 0.44, h * 0.44
    return box(-a, -b, 2 * a, 2 * b, p.chasm, 5) + patch(
        f"M{-a:.0f} {-b:.0f}L{-a * 0.6:.0f} {-b * 0.6:.0f}H{a * 0.6:.0f}"
        f"V{b * 0.6:.0f}H{-a * 0.6:.0f}V{-b * 0.6:.0f}M{a:.0f} {-b:.0f}"
        f"L{a * 0.6:.0f} {-b * 0.6:.0f}M{a:.0f} {b:.0f}L{a * 0.6:.0f}"
        f" {b * 0.6:.0f}M{-a:.0f} {b:.0f}L{-a * 0.6:.0f} {b * 0.6:.0f}",
        p.chasm_deep,
        stroke_width=3.0,
    )


def cage(p: Palette, w: float, h: float, variant: int) -> str:
    """An iron cage."""
    a, b = w * 0.4, h * 0.4
    bars = "".join(f"M{-a + i * a / 3:.0f} {-b:.0f}v{2 * b:.0f}" for i in range(1, 6))
    return box(-a, -b, 2 * a, 2 * b, p.metal, fill_opacity=0.5) + line(
        bars + f"M{-a:.0f} 0h{2 * a:.0f}", stroke_width=3.4
    )


def bars(p: Palette, w: float, h: float, variant: int) -> str:
    """A row of iron bars along the longer side."""
    long = max(w, h) / 2
    count = max(3, round(long / 9))
    dots = "".join(
        disc(-long + (i + 0.5) * 2 * long / count, 0, 4.6, p.line, stroke="none") for i in range(count)
    )
    drawn = line(f"M{-long:.0f} 0H{long:.0f}", stroke_width=2.6) + dots
    return f'<g transform="rotate(90)">{drawn}</g>' if h > w else drawn


def heap(p: Palette, w: float, h: float, variant: int) -> str:
    """Something in the way that no prop explains: a low heap of stone."""
    return rock(p, w * 0.62, h * 0.58, variant) + disc(w * 0.3, h * 0.26, 8, p.stone, stroke_width=2.6)


def marker(p: Palette, w: float, h: float, variant: int) -> str:
    """A plain mark for a kind nobody drew."""
    a, b = w * 0.34, h * 0.34
    return patch(f"M0 {-b:.0f}L{a:.0f} 0L0 {b:.0f}L{-a:.0f} 0z", p.stone) + disc(
        0, 0, 6, p.line, stroke="none"
    )
