"""The signs of settlements and places of interest, each drawn around the origin ten pixels high or so."""

from __future__ import annotations

from services.map.kinds.region.vocabulary import SettlementKind, SiteKind
from services.map.render import palette
from services.map.render.svg import element, group, number

SETTLEMENT_RADII = {
    SettlementKind.CITY: 17.0,
    SettlementKind.PORT: 13.0,
    SettlementKind.TOWN: 13.0,
    SettlementKind.KEEP: 11.0,
    SettlementKind.VILLAGE: 9.0,
    SettlementKind.HAMLET: 6.5,
}
"""Pixels around the middle of the sign of a settlement."""

SITE_RADIUS = 9.0
"""Pixels around the middle of the sign of a place of interest."""


def _shape(d: str, fill: str, **attributes: str | float | None) -> str:
    return element("path", d=d, fill=fill, **attributes)


_SETTLEMENTS: dict[SettlementKind, tuple[str, ...]] = {
    SettlementKind.HAMLET: (
        _shape("M-40 60V0L0 -46L40 0V60z", palette.PAPER_LIGHT),
        _shape("M-62 10L0 -64L62 10L46 10L0 -44L-46 10z", palette.ROOF),
    ),
    SettlementKind.VILLAGE: (
        _shape("M-84 70V22L-52 -14L-20 22V70z", palette.PAPER_LIGHT),
        _shape("M-98 26L-52 -30L-8 26L-24 26L-52 -8L-82 26z", palette.ROOF),
        _shape("M2 70V-8L42 -50L82 -8V70z", palette.PAPER_LIGHT),
        _shape("M-14 -2L42 -68L98 -2L80 -2L42 -44L4 -2z", palette.ROOF),
    ),
    SettlementKind.TOWN: (
        _shape("M-34 30V-34L-10 -64L14 -34V30z", palette.PAPER_LIGHT),
        _shape("M-44 -30L-10 -78L24 -30L14 -30L-10 -60L-34 -30z", palette.ROOF),
        _shape("M20 30V-6L48 -36L76 -6V30z", palette.PAPER_LIGHT),
        _shape("M8 0L48 -50L88 0L76 0L48 -30L20 0z", palette.ROOF),
        _shape("M-78 40V4L-58 -22L-38 4V40z", palette.PAPER_LIGHT),
        _shape("M-88 8L-58 -34L-28 8z", palette.ROOF),
        _shape("M-92 76V22H-76V34H-58V22H-40V34H-20V22H0V34H20V22H40V34H58V22H76V34H92V76z", palette.STONE),
        _shape("M-14 76V58Q0 42 14 58V76z", palette.INK_SOFT),
    ),
    SettlementKind.PORT: (
        _shape("M-34 20V-40L-8 -70L18 -40V20z", palette.PAPER_LIGHT),
        _shape("M-46 -36L-8 -84L30 -36L18 -36L-8 -66L-34 -36z", palette.ROOF),
        _shape("M22 20V-12L50 -42L78 -12V20z", palette.PAPER_LIGHT),
        _shape("M10 -6L50 -56L90 -6z", palette.ROOF),
        _shape("M-92 46V16H-74V26H-54V16H-34V26H-12V16H10V26H32V16H54V26H74V16H92V46z", palette.STONE),
        _shape(
            "M-92 62Q-70 50 -46 62T0 62T46 62T92 62M-70 82Q-46 70 -24 82T24 82T70 82",
            "none",
            stroke="#4f7486",
        ),
    ),
    SettlementKind.CITY: (
        _shape("M-18 20V-74L0 -96L18 -74V20z", palette.PAPER_LIGHT),
        _shape("M-24 -70L0 -100L24 -70z", palette.ROOF),
        _shape("M-56 26V-34L-36 -60L-16 -34V26z", palette.PAPER_LIGHT),
        _shape("M-64 -30L-36 -70L-8 -30z", palette.ROOF),
        _shape("M20 26V-28L40 -54L60 -28V26z", palette.PAPER_LIGHT),
        _shape("M12 -24L40 -64L68 -24z", palette.ROOF),
        _shape("M-96 80V-6H-86V6H-76V-6H-62V80z", palette.STONE),
        _shape("M96 80V-6H86V6H76V-6H62V80z", palette.STONE_DARK),
        _shape("M-62 80V20H-46V32H-28V20H-10V32H10V20H28V32H46V20H62V80z", palette.STONE),
        _shape("M-16 80V56Q0 38 16 56V80z", palette.INK_SOFT),
        _shape("M0 -100V-122L24 -114L0 -106", palette.RED),
    ),
    SettlementKind.KEEP: (
        _shape("M-8 -60V-98L34 -86L-8 -74", palette.RED),
        _shape("M-48 80V-26H-62V-62H-40V-46H-12V-62H12V-46H40V-62H62V-26H48V80z", palette.STONE),
        _shape("M14 -26H48V80H14z", palette.STONE_DARK, stroke="none"),
        _shape("M-16 80V46Q0 26 16 46V80z", palette.INK_SOFT),
    ),
}

_SITES: dict[SiteKind, tuple[str, ...]] = {
    SiteKind.RUIN: (
        _shape("M-80 70H80M-62 70V-30L-40 -44V70M-10 70V10L12 -4V70M40 70V-60L62 -48V70", palette.RUIN),
        _shape("M-70 -34L-34 -54M36 -64H68", "none"),
    ),
    SiteKind.TOWER: (
        _shape("M-34 76L-26 -40H-40V-76H-20V-60H-8V-76H8V-60H20V-76H40V-40H26L34 76z", palette.STONE),
        _shape("M-6 -16H6V14H-6z", palette.INK_SOFT),
    ),
    SiteKind.CAVE: (
        _shape("M-90 70Q-70 -50 -10 -66Q60 -70 90 70z", palette.STONE_DARK),
        _shape("M-40 70Q-36 4 2 2Q38 6 42 70z", palette.INK),
    ),
    SiteKind.SHRINE: (
        _shape("M-60 74V4H60V74z", palette.PAPER_LIGHT),
        _shape("M-80 8L0 -56L80 8z", palette.GOLD),
        _shape("M0 -56V-92M-14 -78H14", "none"),
        _shape("M-14 74V42Q0 26 14 42V74z", palette.INK_SOFT),
    ),
    SiteKind.LAIR: (
        _shape(
            "M-62 -10Q-66 -76 0 -78Q66 -76 62 -10Q60 20 36 26V62H-36V26Q-60 20 -62 -10z", palette.PAPER_LIGHT
        ),
        _shape("M-40 -8Q-26 -34 -8 -8Q-24 8 -40 -8zM40 -8Q26 -34 8 -8Q24 8 40 -8z", palette.INK),
        _shape("M-12 62V40M12 62V40M-6 22L0 8L6 22z", palette.INK),
    ),
    SiteKind.STONES: (
        _shape("M-84 70L-78 -40Q-62 -56 -48 -40L-44 70zM-20 70L-16 -66Q2 -84 20 -66L24 70z", palette.STONE),
        _shape("M48 70L50 -28Q64 -46 80 -28L86 70z", palette.STONE_DARK),
    ),
    SiteKind.MINE: (
        _shape("M-80 74L-44 -30H44L80 74z", palette.STONE_DARK),
        _shape("M-34 74V0H34V74z", palette.INK),
        _shape("M-58 -20Q0 -86 58 -20M0 -54V-10", "none", stroke_width=14.0),
    ),
}


def settlement(kind: SettlementKind, x: float, y: float, radius: float | None = None) -> str:
    """The sign of a settlement in its place; its usual size without a radius."""
    return _placed(_SETTLEMENTS[kind], x, y, radius or SETTLEMENT_RADII[kind])


def site(kind: SiteKind, x: float, y: float, radius: float = SITE_RADIUS) -> str:
    """The sign of a place of interest in its place."""
    return _placed(_SITES[kind], x, y, radius)


def _placed(drawing: tuple[str, ...], x: float, y: float, radius: float) -> str:
    return group(
        *drawing,
        transform=f"translate({number(x)} {number(y)}) scale({radius / 100:.3f})",
        stroke=palette.INK,
        stroke_width=110.0 / radius,
        stroke_linejoin="round",
        stroke_linecap="round",
    )
