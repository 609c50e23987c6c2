"""The signs of the places: crown, tower, triangle, diamond, dragon mountain and old tree.

Every sign is drawn in a circle of radius 100 around the origin and scaled to the room it has. Powers are
written on the signs, as the book asks.
"""

from __future__ import annotations

from services.map.render import palette
from services.map.render.metrics import FONT_FAMILY
from services.map.render.svg import element, escaped, group, number, points
from services.rules.systems.forgeborn import PlaceKind

_LINE = 7.0


def sign(
    kind: PlaceKind, power: int | None, x: float, y: float, radius: float, *, spent: bool = False
) -> str:
    """The sign of a place.

    Args:
        kind: What the place is.
        power: The number written on it; none for the Forest and a spent Ruin.
        x: Middle of the sign in pixels.
        y: Middle of the sign in pixels.
        radius: Half its size in pixels.
        spent: Whether it is a Ruin that was explored.
    """
    match kind:
        case PlaceKind.CITY:
            drawing = _crown(power)
        case PlaceKind.CITADEL:
            drawing = _tower(power)
        case PlaceKind.VILLAGE:
            drawing = _triangle(power)
        case PlaceKind.RUIN:
            drawing = _diamond(power, spent)
        case PlaceKind.LAIR:
            drawing = _dragon_mountain(power)
        case PlaceKind.FOREST:
            drawing = _old_tree()
    return group(
        *drawing,
        transform=f"translate({number(x)} {number(y)}) scale({radius / 100:.4f})",
        stroke=palette.INK,
        stroke_width=_LINE,
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def _figure(power: int | None, y: float, size: float, fill: str = palette.INK) -> str:
    if power is None:
        return ""
    return element(
        "text",
        escaped(str(power)),
        x=0,
        y=y,
        font_family=FONT_FAMILY,
        font_size=size if power < 10 else size * 0.84,
        font_weight="bold",
        text_anchor="middle",
        fill=fill,
        stroke="none",
    )


def _path(d: str, fill: str, **attributes: str | float | None) -> str:
    return element("path", d=d, fill=fill, **attributes)


def _crown(power: int | None) -> tuple[str, ...]:
    tips = ((-84.0, -44.0), (-45.0, -66.0), (0.0, -80.0), (45.0, -66.0), (84.0, -44.0))
    return (
        _path(
            "M-66 74 L-84 -38 L-50 8 L-45 -58 L-16 2 L0 -72 L16 2 L45 -58 L50 8 L84 -38 L66 74 Q0 92 -66 74Z",
            palette.GOLD,
        ),
        _path("M-73 32 Q0 52 73 32 L66 74 Q0 92 -66 74Z", palette.PAPER_LIGHT, stroke_width=5.0),
        *(element("circle", cx=x, cy=y, r=11, fill=palette.RED, stroke_width=5.0) for x, y in tips),
        _path("M-70 50 Q-69 56 -68 60 M70 50 Q69 56 68 60", "none", stroke_width=4.0),
        element("circle", cx=0, cy=36, r=35, fill=palette.PAPER_LIGHT, stroke_width=5.0),
        _figure(power, 55, 54),
    )


def _tower(power: int | None) -> tuple[str, ...]:
    return (
        _path("M4 -98 L52 -84 L4 -68Z", palette.RED, stroke_width=5.0),
        _path("M4 -100 L4 -48", "none"),
        _path("M-84 94 L-84 14 L-70 14 L-70 26 L-58 26 L-58 14 L-44 14 L-44 94Z", palette.STONE),
        _path("M84 94 L84 14 L70 14 L70 26 L58 26 L58 14 L44 14 L44 94Z", palette.STONE_DARK),
        _path(
            "M-44 94 L-44 -22 L-54 -32 L-54 -62 L-36 -62 L-36 -46 L-10 -46 L-10 -62 L10 -62 L10 -46 L36 -46"
            " L36 -62 L54 -62 L54 -32 L44 -22 L44 94Z",
            palette.PAPER_LIGHT,
        ),
        _path("M26 -24 L44 -24 L44 94 L26 94Z", palette.STONE, stroke="none"),
        _path("M-44 -22 L44 -22", "none", stroke_width=5.0),
        _path("M-16 94 L-16 66 Q-16 50 0 50 Q16 50 16 66 L16 94Z", palette.INK_SOFT, stroke_width=5.0),
        _path("M-96 94 L96 94", "none"),
        _figure(power, 38, 60),
    )


def _triangle(power: int | None) -> tuple[str, ...]:
    return (
        element(
            "polygon",
            points=points(((0, -98), (97, 80), (-97, 80))),
            fill=palette.PAPER_LIGHT,
            stroke_width=11.0,
        ),
        element(
            "polygon", points=points(((0, -98), (28, -47), (-28, -47))), fill=palette.ROOF, stroke_width=7.0
        ),
        _figure(power, 62, 92),
    )


def _diamond(power: int | None, spent: bool) -> tuple[str, ...]:
    outline = ((0.0, -98.0), (88.0, 0.0), (0.0, 98.0), (-88.0, 0.0))
    base = element("polygon", points=points(outline), fill=palette.RUIN, stroke_width=11.0)
    if spent:
        broken = _path("M-30 -52 L-6 -8 L-24 16 L4 56 M42 -34 L18 -2 L34 28", "none", stroke_width=8.0)
        return (base, broken)
    shade = _path("M0 -98 L88 0 L0 98 L52 0Z", palette.STONE_DARK, stroke="none", opacity=0.55)
    return (base, shade, _figure(power, 30, 88))


def _dragon_mountain(power: int | None) -> tuple[str, ...]:
    return (
        _path(
            "M-99 94 C-82 76 -70 66 -60 46 L-46 34 L-30 2 L-16 -8 L-4 -24 L12 -8 L26 4 L36 28 L54 44"
            " C66 66 82 80 99 94Z",
            palette.STONE,
        ),
        _path(
            "M-4 -24 L12 -8 L26 4 L36 28 L54 44 C66 66 82 80 99 94 L34 94 C40 76 24 66 26 48 L10 26 L12 6Z",
            palette.STONE_DARK,
            stroke="none",
        ),
        _path("M-78 86 L-62 66 M-58 88 L-48 70 M60 90 L50 72 M76 90 L66 76", "none", stroke_width=4.0),
        _dragon(),
        element("circle", cx=0, cy=56, r=37, fill=palette.PAPER_LIGHT, stroke_width=6.0),
        _figure(power, 75, 56, palette.RED),
    )


def _dragon() -> str:
    """A dragon on the summit, looking west, wings raised."""
    tail = "M14 -26 C40 -18 58 -26 60 -38 C62 -46 54 -50 49 -45 M60 -38 C66 -28 76 -28 80 -36 L90 -28 L78 -22"
    far_wing = (
        "M0 -50 C4 -76 18 -94 44 -99 C40 -90 42 -84 48 -78 C38 -78 34 -72 36 -64 C26 -66 20 -60 20 -52Z"
    )
    near_wing = "M-8 -48 C-22 -72 -18 -92 -4 -99 C-4 -90 2 -84 10 -82 C4 -76 6 -68 14 -62 C8 -60 6 -54 8 -46Z"
    body = (
        "M-18 -8 C-28 -22 -26 -38 -36 -50 C-40 -56 -46 -54 -50 -50 L-70 -44 L-66 -51 L-74 -54"
        " L-58 -62 L-60 -70 L-48 -66 L-44 -74 L-38 -64 C-24 -58 -22 -48 -10 -52"
        " C8 -56 22 -44 22 -28 C22 -18 14 -8 4 -8Z"
    )
    return group(
        _path(far_wing, "#7c2117", stroke_width=4.0),
        _path(tail, "none", stroke=palette.INK, stroke_width=12.0),
        _path(tail, "none", stroke=palette.RED, stroke_width=7.0),
        _path(body, palette.RED, stroke_width=4.0),
        _path(near_wing, "#b8402c", stroke_width=4.0),
        element("circle", cx=-50, cy=-58, r=2.6, fill=palette.PAPER_LIGHT, stroke="none"),
    )


def _old_tree() -> tuple[str, ...]:
    return (
        _path("M-12 96 C-8 70 -8 50 -10 30 L14 30 C10 52 12 72 18 96Z", palette.INK_SOFT, stroke_width=6.0),
        _path(
            "M-30 46 C-66 56 -96 26 -82 -6 C-98 -40 -64 -70 -42 -66 C-28 -98 28 -98 40 -68 C70 -74 96 -40"
            " 82 -8 C98 24 68 56 32 44 C16 58 -16 58 -30 46Z",
            palette.LEAF_DARK,
        ),
        _path(
            "M-58 18 C-72 -2 -58 -22 -44 -20 C-46 -44 -18 -58 -4 -44 C10 -62 44 -50 42 -28",
            "none",
            stroke=palette.LEAF,
            stroke_width=13.0,
        ),
        _path(
            "M-20 12 C-10 0 8 2 14 14 M22 -4 C34 -12 50 -4 52 8",
            "none",
            stroke=palette.LEAF,
            stroke_width=9.0,
        ),
    )
