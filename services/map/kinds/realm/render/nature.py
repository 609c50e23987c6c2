"""How mountains, trees and grass look."""

from __future__ import annotations

from services.map.generation.stream import Stream
from services.map.kinds.realm.render.layout import RealmLayout
from services.map.kinds.realm.render.scenery import Peak, Tree
from services.map.render import palette
from services.map.render.svg import Value, element, path

MOUNTAIN_STYLE: dict[str, Value] = {"stroke": palette.INK, "stroke_width": 1.3, "stroke_linejoin": "round"}
TREE_STYLE: dict[str, Value] = {"stroke": palette.INK, "stroke_width": 0.9}


def tufts(seed: int, layout: RealmLayout) -> str:
    """Tufts of grass here and there, so that open land is not empty."""
    stream = Stream(seed, "decoration", "ground")
    frame = layout.frame.grown(-14)
    keep = [label.box.grown(6) for label in layout.labels]
    keep += [peak.box.grown(6) for peak in layout.peaks]
    keep += [icon.disc.box.grown(6) for icon in layout.icons]
    keep.append(layout.compass.box.grown(4))
    ways = {(int(x // 12), int(y // 12)) for way in layout.ways for x, y in way.whole.spots(6)}
    drawn: list[str] = []
    for _ in range(int(frame.width * frame.height / 9000)):
        x = frame.left + stream.below(1000) * frame.width / 1000
        y = frame.top + stream.below(1000) * frame.height / 1000
        if (int(x // 12), int(y // 12)) in ways or any(box.has((x, y)) for box in keep):
            continue
        drawn.append(
            path("M", x - 4, y - 4, "L", x - 1, y, "M", x, y - 6, "V", y, "M", x + 4, y - 4, "L", x + 1, y)
        )
    return element(
        "path",
        d=" ".join(drawn),
        fill="none",
        stroke=palette.LEAF_DARK,
        stroke_width=1.0,
        stroke_linecap="round",
        opacity=0.45,
    )


def mountain(peak: Peak) -> str:
    """One mountain: lit from the west, snow on the high ones."""
    x, y, half, height = peak.x, peak.y, peak.half, peak.height
    lean = (peak.variation % 10 - 4.5) * half / 45
    shoulder = 0.34 + peak.variation // 10 % 10 * 0.02
    top = x + lean, y - height
    left = x - half * (1 - shoulder), y - height * shoulder * 1.15
    right = x + half * (1 - shoulder * 1.1), y - height * shoulder
    crease = x + lean + half * 0.1, y - height * 0.46
    foot = x + half * 0.16, y
    outline = path(
        "M",
        x - half,
        y,
        "L",
        *left,
        "L",
        *top,
        "L",
        *right,
        "L",
        x + half,
        y,
        "Q",
        x,
        y + 3,
        x - half,
        y,
        "Z",
    )
    shade = path(
        "M", *top, "L", *right, "L", x + half, y, "Q", x + half * 0.6, y + 2, *foot, "L", *crease, "Z"
    )
    drawn = element("path", d=outline, fill=palette.STONE) + element(
        "path", d=shade, fill=palette.STONE_DARK, stroke="none", opacity=0.8
    )
    if height > 34:
        cap = path(
            "M",
            *top,
            "L",
            x + lean - half * 0.26,
            y - height * 0.76,
            "L",
            x + lean - half * 0.08,
            y - height * 0.7,
            "L",
            x + lean + half * 0.04,
            y - height * 0.77,
            "L",
            x + lean + half * 0.22,
            y - height * 0.72,
            "Z",
        )
        drawn += element("path", d=cap, fill=palette.SNOW, stroke_width=0.8)
    if height > 20:
        hatch = path(
            "M",
            x - half * 0.62,
            y - 2,
            "L",
            x - half * 0.44,
            y - height * 0.24,
            "M",
            x - half * 0.34,
            y - 2,
            "L",
            x - half * 0.22,
            y - height * 0.3,
        )
        drawn += element("path", d=hatch, fill="none", stroke_width=0.8)
    return drawn


def tree(standing: Tree) -> str:
    """One tree, a fir or one of three leafy kinds."""
    x, y, s = standing.x, standing.y, standing.size
    stem = element("path", d=path("M", x, y, "V", y - s * 0.35), fill="none", stroke_width=1.8)
    if standing.kind == 0:
        d = path(
            "M",
            x,
            y - s,
            "L",
            x + s * 0.26,
            y - s * 0.55,
            "L",
            x + s * 0.15,
            y - s * 0.56,
            "L",
            x + s * 0.36,
            y - s * 0.16,
            "L",
            x - s * 0.36,
            y - s * 0.16,
            "L",
            x - s * 0.15,
            y - s * 0.56,
            "L",
            x - s * 0.26,
            y - s * 0.55,
            "Z",
        )
        return stem + element("path", d=d, fill=palette.PINE)
    w = s * 0.4
    crown = path(
        "M",
        x - w * 0.7,
        y - s * 0.24,
        "C",
        x - w * 1.5,
        y - s * 0.34,
        x - w * 1.1,
        y - s * 0.72,
        x - w * 0.6,
        y - s * 0.68,
        "C",
        x - w * 0.6,
        y - s * 1.06,
        x + w * 0.6,
        y - s * 1.06,
        x + w * 0.6,
        y - s * 0.68,
        "C",
        x + w * 1.1,
        y - s * 0.72,
        x + w * 1.5,
        y - s * 0.34,
        x + w * 0.7,
        y - s * 0.24,
        "Q",
        x,
        y - s * 0.14,
        x - w * 0.7,
        y - s * 0.24,
        "Z",
    )
    shine = path("M", x - w * 0.55, y - s * 0.5, "Q", x - w * 0.3, y - s * 0.74, x, y - s * 0.76)
    return (
        stem
        + element("path", d=crown, fill=palette.LEAF if standing.kind < 3 else palette.LEAF_DARK)
        + element("path", d=shine, fill="none", stroke=palette.PAPER, opacity=0.6)
    )
