"""Furniture and household things."""

from __future__ import annotations

from math import cos, pi, sin

from services.map.render.grid.palette import Palette
from services.map.render.grid.pen import box, disc, line, oval, patch


def table(p: Palette, w: float, h: float, variant: int) -> str:
    """A board of planks on its legs; round when it is square."""
    if abs(w - h) < 20 and variant % 2:
        r = min(w, h) * 0.4
        return disc(0, 0, r, p.wood) + disc(0, 0, r * 0.8, None, stroke_width=2.4)
    a, b = w * 0.46, h * 0.4
    boards = "".join(f"M{-a:.0f} {y:.0f}h{2 * a:.0f}" for y in (-b / 3, b / 3))
    return box(-a, -b, 2 * a, 2 * b, p.wood, 5) + line(boards, stroke_width=2.4)


def chair(p: Palette, w: float, h: float, variant: int) -> str:
    """A seat with a back to the north."""
    r = min(w, h) * 0.3
    return box(-r, -r * 0.8, 2 * r, 1.8 * r, p.wood, 4) + box(-r - 2, -r - 4, 2 * r + 4, 12, p.wood_dark, 4)


def bench(p: Palette, w: float, h: float, variant: int) -> str:
    """A long seat along its longer side."""
    if h > w:
        return box(-w * 0.24, -h * 0.46, w * 0.48, h * 0.92, p.wood, 4) + line(
            f"M0 {-h * 0.4:.0f}v{h * 0.8:.0f}", stroke_width=2.4
        )
    return box(-w * 0.46, -h * 0.24, w * 0.92, h * 0.48, p.wood, 4) + line(
        f"M{-w * 0.4:.0f} 0h{w * 0.8:.0f}", stroke_width=2.4
    )


def bed(p: Palette, w: float, h: float, variant: int) -> str:
    """A bed, its pillow at one end of its longer side."""
    long, across = max(w, h) * 0.47, min(w, h) * 0.4
    cover = p.cloth if variant % 2 else p.cloth_alt
    drawn = (
        box(-across, -long, 2 * across, 2 * long, p.wood, 5)
        + box(-across + 6, -long * 0.45, 2 * across - 12, long * 1.4, cover, 6)
        + box(-across + 11, -long + 8, 2 * across - 22, long * 0.34, p.bone, 8)
        + line(f"M{-across + 6:.0f} {-long * 0.25:.0f}h{2 * across - 12:.0f}", stroke_width=2.6)
    )
    return f'<g transform="rotate(-90)">{drawn}</g>' if w > h else drawn


def chest(p: Palette, w: float, h: float, variant: int) -> str:
    """A bound chest with a lock."""
    a, b = w * 0.36, h * 0.27
    return (
        box(-a, -b, 2 * a, 2 * b, p.wood, 6)
        + line(
            f"M{-a * 0.55:.0f} {-b:.0f}v{2 * b:.0f}M{a * 0.55:.0f}"
            f" {-b:.0f}v{2 * b:.0f}M{-a:.0f} 0h{2 * a:.0f}"
        )
        + box(-7, -6, 14, 15, p.gold, 2)
    )


def barrel(p: Palette, w: float, h: float, variant: int) -> str:
    """A barrel from above."""
    r = min(w, h) * 0.38
    return (
        disc(0, 0, r, p.wood)
        + disc(0, 0, r * 0.8, None, stroke_width=2.6)
        + line(
            f"M{-r * 0.35:.0f} {-r * 0.7:.0f}V{r * 0.7:.0f}M{r * 0.35:.0f} {-r * 0.7:.0f}V{r * 0.7:.0f}",
            stroke_width=2.4,
        )
    )


def crate(p: Palette, w: float, h: float, variant: int) -> str:
    """A crate with a crossed lid."""
    a, b = w * 0.37, h * 0.37
    cross = f"M{-a + 9:.0f} {-b + 9:.0f}L{a - 9:.0f} {b - 9:.0f}"
    if variant % 2:
        cross += f"M{a - 9:.0f} {-b + 9:.0f}L{-a + 9:.0f} {b - 9:.0f}"
    return (
        box(-a, -b, 2 * a, 2 * b, p.wood, 2)
        + box(-a + 9, -b + 9, 2 * a - 18, 2 * b - 18, p.wood_dark, stroke_width=2.6)
        + line(cross)
    )


def sack(p: Palette, w: float, h: float, variant: int) -> str:
    """A tied sack or two."""
    r = min(w, h) * 0.26
    second = oval(r * 0.8, r * 0.7, r * 0.8, r * 0.7, p.straw) if variant % 2 else ""
    return second + patch(
        f"M{-r:.0f} {r:.0f}C{-r * 1.9:.0f} {-r * 0.2:.0f}"
        f" {-r * 0.9:.0f} {-r:.0f} {-r * 0.2:.0f} {-r * 0.9:.0f}"
        f"l{-r * 0.2:.0f} {-r * 0.6:.0f}h{r * 0.8:.0f}l{-r * 0.2:.0f} {r * 0.6:.0f}"
        f"C{r:.0f} {-r:.0f} {r * 1.9:.0f} {-r * 0.2:.0f} {r:.0f} {r:.0f}z",
        p.straw,
    )


def bookshelf(p: Palette, w: float, h: float, variant: int) -> str:
    """A shelf full of books along its longer side."""
    long, deep = max(w, h) * 0.48, min(w, h) * 0.22
    books, x, index = "", -long + 7, variant
    fills = (p.cloth, p.cloth_alt, p.straw, p.leaf, p.wood_dark)
    while x < long - 16:
        thick = 9 + index * 7 % 6
        books += box(
            x,
            -deep + 6 + index * 5 % 7,
            thick,
            2 * deep - 12 - index * 5 % 7,
            fills[index % 5],
            stroke_width=2.2,
        )
        x, index = x + thick + 1, index + 1
    drawn = box(-long, -deep, 2 * long, 2 * deep, p.wood) + books
    return f'<g transform="rotate(90)">{drawn}</g>' if h > w else drawn


def cauldron(p: Palette, w: float, h: float, variant: int) -> str:
    """A cauldron on three legs, something in it."""
    r = min(w, h) * 0.34
    legs = "".join(
        disc(cos(a) * r, sin(a) * r, 6, p.metal_dark) for a in (pi / 2, pi / 2 + 2.1, pi / 2 - 2.1)
    )
    return (
        legs
        + disc(0, 0, r, p.metal_dark)
        + disc(0, 0, r * 0.74, p.leaf)
        + disc(-r * 0.2, r * 0.1, r * 0.16, p.leaf_light, stroke_width=2.2)
        + disc(r * 0.25, -r * 0.2, r * 0.1, p.leaf_light, stroke_width=2.2)
    )


def anvil(p: Palette, w: float, h: float, variant: int) -> str:
    """An anvil, its horn to the east."""
    a = min(w, h) * 0.36
    return patch(
        f"M{-a:.0f} {-a * 0.45:.0f}H{a * 0.4:.0f}Q{a:.0f} {-a * 0.35:.0f} {a * 1.15:.0f} 0"
        f"Q{a:.0f} {a * 0.35:.0f} {a * 0.4:.0f} {a * 0.45:.0f}H{-a:.0f}z",
        p.metal,
    ) + line(f"M{-a * 0.5:.0f} {-a * 0.45:.0f}v{a * 0.9:.0f}", stroke_width=2.8)


def hearth(p: Palette, w: float, h: float, variant: int) -> str:
    """A fireplace, open to the south."""
    a, b = w * 0.47, h * 0.46
    return (
        patch(
            f"M{-a:.0f} {-b:.0f}H{a:.0f}V{b:.0f}H{a * 0.62:.0f}"
            f"V{-b * 0.15:.0f}H{-a * 0.62:.0f}V{b:.0f}H{-a:.0f}z",
            p.stone,
        )
        + line(
            f"M{-a * 0.4:.0f} {-b:.0f}V{-b * 0.15:.0f}M{a * 0.4:.0f} {-b:.0f}V{-b * 0.15:.0f}",
            stroke_width=2.4,
        )
        + flames(p, min(a, b) * 0.62, b * 0.3)
    )


def flames(p: Palette, size: float, y: float = 0.0) -> str:
    """A fire seen from above: tongues around a hot middle."""
    tongues = "".join(
        f"{'M' if i == 0 else 'L'}{cos(i * pi / 6) * size * (1 if i % 2 else 0.58):.0f}"
        f" {y + sin(i * pi / 6) * size * (1 if i % 2 else 0.58):.0f}"
        for i in range(12)
    )
    return (
        patch(tongues + "z", p.ember, stroke_width=2.6)
        + disc(0, y, size * 0.5, p.fire, stroke="none")
        + disc(0, y, size * 0.2, p.bone, stroke="none")
    )


def rug(p: Palette, w: float, h: float, variant: int) -> str:
    """A carpet with a border and fringes at its shorter sides."""
    a, b = w * 0.48, h * 0.48
    main, trim = (p.cloth, p.gold) if variant % 2 else (p.cloth_alt, p.straw)
    if w >= h:
        fringe = "".join(f"M{-a:.0f} {y:.0f}h-6M{a:.0f} {y:.0f}h6" for y in range(-int(b) + 5, int(b), 10))
    else:
        fringe = "".join(f"M{x:.0f} {-b:.0f}v-6M{x:.0f} {b:.0f}v6" for x in range(-int(a) + 5, int(a), 10))
    middle = f"M0 {-b * 0.5:.0f}L{a * 0.5:.0f} 0L0 {b * 0.5:.0f}L{-a * 0.5:.0f} 0z"
    return (
        line(fringe, stroke_width=2.2)
        + box(-a, -b, 2 * a, 2 * b, main, stroke_width=3.0)
        + box(-a + 9, -b + 9, 2 * a - 18, 2 * b - 18, "none", stroke=trim, stroke_width=4.0)
        + patch(middle, trim, stroke="none", fill_opacity=0.65)
    )


def stall(p: Palette, w: float, h: float, variant: int) -> str:
    """A market stall under a striped awning."""
    a, b = w * 0.47, h * 0.45
    count = max(3, round(w / 34))
    step = 2 * a / count
    stripes = "".join(
        box(-a + i * step, -b, step, 2 * b, p.cloth if i % 2 else p.bone, stroke_width=2.4)
        for i in range(count)
    )
    return (
        stripes
        + box(-a, -b, 2 * a, 2 * b, "none")
        + line(f"M{-a:.0f} {-b * 0.1:.0f}h{2 * a:.0f}", stroke_width=2.6)
    )


def throne(p: Palette, w: float, h: float, variant: int) -> str:
    """A high seat with arms."""
    a, b = w * 0.36, h * 0.4
    return (
        box(-a, -b, 2 * a, 2 * b, p.stone, 4)
        + box(-a * 0.62, -b * 0.5, a * 1.24, b * 1.4, p.cloth, 5)
        + box(-a - 4, -b - 5, 2 * a + 8, 17, p.gold, 5)
        + disc(-a * 0.85, b * 0.8, 6, p.gold)
        + disc(a * 0.85, b * 0.8, 6, p.gold)
    )


def weapon_rack(p: Palette, w: float, h: float, variant: int) -> str:
    """Spears and swords leaning in a rack."""
    a, b = w * 0.44, h * 0.3
    arms = "".join(
        f"M{x:.0f} {b:.0f}V{-b:.0f}l-5 9m5-9l5 9" for x in (-a * 0.66, -a * 0.2, a * 0.28, a * 0.72)
    )
    return line(arms, stroke_width=4.0) + box(-a, -5, 2 * a, 10, p.wood)


def forge(p: Palette, w: float, h: float, variant: int) -> str:
    """A smith's hearth with coals and bellows."""
    a, b = w * 0.44, h * 0.42
    return (
        box(-a, -b, 2 * a, 2 * b, p.stone_dark, 6)
        + box(-a + 12, -b + 12, 2 * a - 24, 2 * b - 24, p.chasm_deep, 4)
        + flames(p, min(a, b) * 0.52)
        + patch(f"M{a - 6:.0f} {b - 10:.0f}l26 12v-30z", p.cloth)
    )


def pew(p: Palette, w: float, h: float, variant: int) -> str:
    """A church bench with its back."""
    return bench(p, w, h, variant) + box(-w * 0.46, h * 0.1, w * 0.92, 9, p.wood_dark, 3)


def candle(p: Palette, w: float, h: float, variant: int) -> str:
    """A few candles in their wax."""
    spots = ((-14, 6), (10, -10), (14, 14)) if variant % 2 else ((0, 0), (18, 8))
    return "".join(
        disc(x, y, 9, p.bone, stroke_width=2.4) + disc(x, y, 3.4, p.fire, stroke="none") for x, y in spots
    )


def ladder(p: Palette, w: float, h: float, variant: int) -> str:
    """A ladder, its rungs across the longer side."""
    a, b = w * 0.2, h * 0.46
    rungs = "".join(f"M{-a:.0f} {y:.0f}h{2 * a:.0f}" for y in range(-int(b) + 8, int(b), 16))
    return line(rungs, stroke_width=4.0) + line(
        f"M{-a:.0f} {-b:.0f}v{2 * b:.0f}M{a:.0f} {-b:.0f}v{2 * b:.0f}", stroke_width=6.4
    )


def rope(p: Palette, w: float, h: float, variant: int) -> str:
    """A coil of rope."""
    return (
        disc(0, 0, 26, p.straw, stroke_width=2.6)
        + disc(0, 0, 19, None, stroke_width=2.2)
        + disc(0, 0, 12, p.floor, stroke_width=2.2)
        + line("M24 10q14 8 8 22", stroke_width=4.0)
    )


def lever(p: Palette, w: float, h: float, variant: int) -> str:
    """A lever in its slot."""
    return (
        box(-12, -26, 24, 52, p.stone, 4) + line("M0 12L14-20", stroke_width=6.0) + disc(14, -20, 8, p.cloth)
    )


def sign(p: Palette, w: float, h: float, variant: int) -> str:
    """A signpost with its board."""
    return (
        disc(0, 0, 7, p.wood_dark)
        + patch("M-34-12H22l14 12l-14 12H-34z", p.wood)
        + line("M-24-3H14M-24 5H6", stroke_width=2.2)
    )
