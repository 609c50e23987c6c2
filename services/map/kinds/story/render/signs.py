"""What places look like: small drawings of ink lines over a few thin colors.

Every sign is drawn in a circle of radius 100 around the origin. First comes a silhouette in the color of the
paper, which hides what is behind; then washes of color, laid a little beside the lines as a brush does them;
then ink.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin

from services.map.kinds.story.render import pen
from services.map.render.svg import element, group, number
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryPlaceSort

_S = StoryPlaceSort
_LINE = 6.5
_BESIDE = "translate(5 4)"


@dataclass(frozen=True, slots=True)
class Sign:
    """One drawing.

    Attributes:
        body: Path data of the silhouette.
        ink: Path data of the lines.
        washes: Colors with the path data they fill.
        shade: Path data filled with ink: doors, windows.
    """

    body: str
    ink: str
    washes: tuple[tuple[str, str], ...] = ()
    shade: str = ""


def _house(x: float, y: float, w: float, h: float, roof: float) -> tuple[str, str, str]:
    """Outline of walls and roof, and of the roof alone, for a house by the middle of its foot."""
    left, right, eave = x - w, x + w, y - h
    walls = f"M{left} {y}L{left} {eave}L{right} {eave}L{right} {y}Z"
    top = f"M{left - 9} {eave + 4}L{x} {eave - roof}L{right + 9} {eave + 4}Z"
    rim = f"L{left - 9} {eave + 4}L{x} {eave - roof}L{right + 9} {eave + 4}"
    body = f"M{left} {y}L{left} {eave}{rim}L{right} {eave}L{right} {y}Z"
    return body, walls, top


def _houses(
    *houses: tuple[float, float, float, float, float], extra: str = "", more: tuple[tuple[str, str], ...] = ()
) -> Sign:
    made = [_house(*one) for one in houses]
    doors = "".join(f"M{x - 6} {y}v{-h * 0.5:.0f}h13v{h * 0.5:.0f}z" for x, y, _, h, _ in houses)
    ink = "".join(walls + top for _, walls, top in made)
    return Sign(
        "".join(body for body, _, _ in made),
        ink + extra,
        (*((pen.ROOF, top) for _, _, top in made), *more),
        doors,
    )


_SKETCHES: Mapping[StoryPlaceSort, Sign] = {
    _S.HOUSE: _houses((0, 70, 46, 56, 56), extra="M24 -28V-58H38V-14"),
    _S.FARM: _houses(
        (-22, 48, 40, 46, 50),
        extra="M22 62H96M26 76H98M30 90H94M40 48V92M62 48V92M84 48V92",
        more=((pen.STRAW, "M24 56H96V92H30Z"),),
    ),
    _S.HALL: _houses((0, 70, 74, 54, 62), extra="M-44 40V18M44 40V18M0 -46V-84L26 -74L0 -64"),
    _S.TAVERN: _houses(
        (-10, 72, 52, 64, 56),
        extra="M42 4H82M76 4V16M62 16H92V46H62ZM70 24H84V40H70Z",
        more=((pen.STRAW, "M62 16H92V46H62Z"),),
    ),
    _S.VILLAGE: _houses((-50, 34, 27, 30, 34), (44, 26, 26, 30, 32), (0, 76, 34, 38, 42)),
    _S.TOWN: _houses(
        (-62, 46, 24, 32, 32),
        (60, 48, 24, 32, 32),
        (-20, 78, 28, 38, 36),
        (34, 80, 24, 34, 32),
        (4, 20, 17, 62, 46),
    ),
    _S.MARKET: Sign(
        "M-84 -6L-60 -56H60L84 -6V70H-84Z",
        (
            "M-60 -56H60L84 -6H-84ZM-72 -6V74M72 -6V74M-84 -6Q-70 14 -56 -6Q-42 14 -28 -6"
            "Q-14 14 0 -6Q14 14 28 -6Q42 14 56 -6Q70 14 84 -6M-60 44H60V72H-60ZM-42 44"
            "C-42 24 -18 24 -18 44M6 44C6 28 26 28 26 44M36 44V26H54V44"
        ),
        (
            (pen.ROOF, "M-60 -56H-36L-56 -6H-84ZM-12 -56H12V-6H-28ZM36 -56H60L84 -6H28Z"),
            (pen.WOOD, "M-60 44H60V72H-60Z"),
        ),
    ),
    _S.WELL: Sign(
        "M-52 24V74Q0 92 52 74V24L44 24V-36L62 -30L0 -84L-62 -30L-44 -36V24Z",
        (
            "M-52 26V72Q0 92 52 72V26Q0 44 -52 26Q0 8 52 26M-42 22V-40M42 22V-40M-62 -30"
            "L0 -84L62 -30ZM-42 -10H42M4 -10V18M-52 50Q0 68 52 50M-20 60V82M20 60V82"
        ),
        ((pen.ROOF, "M-62 -30L0 -84L62 -30Z"), (pen.STONE, "M-52 26Q0 44 52 26V72Q0 92 -52 72Z")),
    ),
    _S.MILL: Sign(
        "M-36 84L-24 -24Q0 -52 24 -24L36 84Z",
        (
            "M-36 84L-24 -24Q0 -52 24 -24L36 84ZM-24 -24H24M0 -28L64 -88L76 -74L6 -20"
            "M0 -28L60 34L74 22L6 -34M0 -28L-64 -88L-76 -74L-6 -20M0 -28L-60 34L-74 22"
            "L-6 -34"
        ),
        (
            (pen.ROOF, "M-24 -24Q0 -52 24 -24Z"),
            (
                pen.STRAW,
                ("M0 -28L64 -88L76 -74ZM0 -28L60 34L74 22ZM0 -28L-64 -88L-76 -74ZM0 -28L-60 34L-74 22Z"),
            ),
        ),
        "M-10 84V54Q0 42 10 54V84Z",
    ),
    _S.SMITHY: Sign(
        "M-70 -34H66Q50 -4 20 0V30H48V66H-44V30H-14V4Q-44 -2 -70 -34Z",
        (
            "M-70 -34H66Q50 -4 20 0V30H48V66H-44V30H-14V4Q-44 -2 -70 -34ZM-6 -46L40 -84"
            "M26 -92L54 -64L42 -54L14 -82Z"
        ),
        (
            (pen.STONE, "M-70 -34H66Q50 -4 20 0V30H48V66H-44V30H-14V4Q-44 -2 -70 -34Z"),
            (pen.STRAW, "M26 -92L54 -64L42 -54L14 -82Z"),
        ),
    ),
    _S.TEMPLE: Sign(
        "M-80 76V58H-70V-6H-84L0 -62L84 -6H70V58H80V76Z",
        (
            "M-80 76V58H80V76ZM-84 -6L0 -62L84 -6ZM-62 -6V58M-46 -6V58M-20 -6V58M-4 -6V58"
            "M20 -6V58M4 -6V58M46 -6V58M62 -6V58M0 -62V-94M-12 -82H12"
        ),
        (
            (pen.STRAW, "M-84 -6L0 -62L84 -6Z"),
            (pen.STONE, "M-80 76V58H80V76ZM-62 -6H-46V58H-62ZM46 -6H62V58H46Z"),
        ),
    ),
    _S.GRAVEYARD: Sign(
        ("M-76 70V14Q-50 -22 -24 14V70H-10V-22H-30V-44H-10V-70H14V-44H36V-22H14V70H30V22Q54 -10 78 22V70Z"),
        (
            "M-76 70V14Q-50 -22 -24 14V70M-10 70V-22H-30V-44H-10V-70H14V-44H36V-22H14V70"
            "M30 70V22Q54 -10 78 22V70M-92 72Q-60 62 -30 72Q0 64 40 72Q70 64 94 72M-62 24"
            "H-38M-62 38H-38M44 34H64"
        ),
        (
            (pen.STONE, "M-76 70V14Q-50 -22 -24 14V70ZM30 70V22Q54 -10 78 22V70Z"),
            (pen.LEAF, "M-92 72Q-60 62 -30 72Q0 64 40 72Q70 64 94 72V80H-92Z"),
        ),
    ),
    _S.TOWER: Sign(
        "M-30 86L-24 -30H-36V-58H36V-30H24L30 86Z",
        (
            "M-30 86L-24 -30M24 -30L30 86M-36 -30H36V-58H22V-46H8V-58H-8V-46H-22V-58H-36Z"
            "M-50 86Q0 76 50 86M0 -58V-96L34 -84L0 -74M-14 50H4M6 20H20M-18 0H-4"
        ),
        ((pen.STONE, "M6 -30H24L30 86H10Z"), (pen.RED, "M0 -96L34 -84L0 -74Z")),
        "M-8 -16H8V8H-8ZM-10 86V62Q0 48 10 62V86Z",
    ),
    _S.KEEP: Sign(
        "M-84 80V-28H-92V-54H-40V-20H-34V-72H34V-20H40V-54H92V-28H84V80Z",
        (
            "M-84 80V-28H-92V-54H-78V-44H-70V-54H-58V-44H-50V-54H-40V-28H-48V80M84 80V-28"
            "H92V-54H78V-44H70V-54H58V-44H50V-54H40V-28H48V80M-34 -20V-72H-20V-60H-8V-72"
            "H8V-60H20V-72H34V-20M-48 -4H-36V-16H-20V-4H-8V-16H8V-4H20V-16H36V-4H48"
            "M-84 80H84M0 -72V-98L28 -90L0 -82"
        ),
        (
            (pen.STONE, "M-62 -28H-48V80H-62ZM70 -28H84V80H66ZM10 -60H34V-20H10Z"),
            (pen.RED, "M0 -98L28 -90L0 -82Z"),
        ),
        "M-16 80V44Q0 22 16 44V80ZM-68 -8H-62V12H-68ZM62 -8H68V12H62Z",
    ),
    _S.CITY: Sign(
        (
            "M-96 78V20L-70 -10L-60 20V-30L-38 -72L-18 -30V-50L4 -96L26 -50V-20L48 -58"
            "L68 -20V20L82 -4L96 20V78Z"
        ),
        (
            "M-96 78V24H96V78M-96 24V12H-84V24M-60 24V12H-48V24M48 24V12H60V24M84 24V12"
            "H96V24M-60 12V-30L-38 -72L-18 -30V12M-60 -30H-18M-18 -30V-50L4 -96L26 -50V12"
            "M-18 -50H26M26 -20L48 -58L68 -20V12M26 -20H68M-20 78V50Q0 26 20 50V78"
        ),
        (
            (pen.ROOF, "M-60 -30L-38 -72L-18 -30ZM26 -20L48 -58L68 -20Z"),
            (pen.STRAW, "M-18 -50L4 -96L26 -50Z"),
            (pen.STONE, "M28 24H96V78H28Z"),
        ),
        "M-44 -18H-36V-2H-44ZM0 -34H8V-12H0ZM42 -8H50V6H42ZM-12 78V54Q0 36 12 54V78Z",
    ),
    _S.NATION: Sign(
        "M-80 62L-92 -40L-46 0L0 -76L46 0L92 -40L80 62Q0 84 -80 62Z",
        (
            "M-80 62L-92 -40L-46 0L0 -76L46 0L92 -40L80 62Q0 84 -80 62ZM-84 30Q0 52 84 30"
            "M-92 -50A9 9 0 1 0 -91 -50M0 -88A10 10 0 1 0 1 -88M92 -50A9 9 0 1 0 93 -50"
            "M-40 52L-30 44L-20 54L-30 62ZM-8 56L2 46L12 56L2 66ZM26 54L36 44L46 52L36 62"
            "Z"
        ),
        (
            (pen.STRAW, "M-80 62L-92 -40L-46 0L0 -76L46 0L92 -40L80 62Q0 84 -80 62Z"),
            (pen.RED, "M-8 56L2 46L12 56L2 66Z"),
        ),
    ),
    _S.BRIDGE: Sign(
        "M-96 40V6Q0 -58 96 6V40H70Q50 -4 22 40H-22Q-50 -4 -70 40Z",
        (
            "M-96 8Q0 -58 96 8M-96 40H-70Q-46 -8 -22 40H22Q46 -8 70 40H96M-96 8V40M96 8"
            "V40M-96 -12Q0 -78 96 -12M-96 8V-16M-48 -20V-42M0 -26V-48M48 -20V-42M96 8V-16"
            "M-84 64Q-70 54 -56 64Q-42 74 -28 64M-6 72Q8 62 22 72Q36 82 50 72"
        ),
        (
            (pen.STONE, "M-96 8Q0 -58 96 8V40H70Q46 -8 22 40H-22Q-46 -8 -70 40H-96Z"),
            (pen.SEA_DEEP, "M-84 56H84V80H-84Z"),
        ),
    ),
    _S.PORT: Sign(
        "M-80 34H80L58 70H-56ZM-4 -90H4V24L70 20Q50 -40 4 -80L-6 24L-60 20Q-30 -10 -8 -60Z",
        (
            "M-80 34H80L58 70H-56ZM0 34V-92M6 -82Q60 -40 64 18H6ZM-6 -62Q-34 -6 -58 18H-6"
            "ZM0 -92L22 -86L0 -78M-92 84Q-76 74 -60 84Q-44 94 -28 84Q-12 74 4 84"
            "Q20 94 36 84Q52 74 68 84Q80 92 92 84"
        ),
        (
            (pen.WOOD, "M-80 34H80L58 70H-56Z"),
            (pen.RED, "M0 -92L22 -86L0 -78Z"),
            (pen.SEA_DEEP, "M-92 80H92V92H-92Z"),
        ),
    ),
    _S.CAMP: Sign(
        "M-84 66L-22 -58L40 66Z",
        (
            "M-84 66L-18 -66M-26 -66L40 66ZM-84 66H40M-22 -58L-36 66M-22 -58L-2 66M52 70"
            "L88 58M52 58L88 70M70 56C52 38 70 26 68 8C84 24 90 40 74 56"
        ),
        ((pen.STRAW, "M-22 -58L40 66H-2Z"), (pen.ROOF, "M70 56C52 38 70 26 68 8C84 24 90 40 74 56Z")),
        "M-22 -44L-32 66H-8Z",
    ),
    _S.CAVE: Sign(
        "M-92 70C-84 20 -62 -10 -40 -34C-20 -64 20 -66 40 -36C66 -12 84 20 92 70Z",
        (
            "M-92 70C-84 20 -62 -10 -40 -34C-20 -64 20 -66 40 -36C66 -12 84 20 92 70Z"
            "M-66 46L-56 14M60 40L52 10M-40 -2L-30 -22M74 58L70 42"
        ),
        ((pen.ROCK, "M20 -54C40 -50 84 10 92 70H56C50 20 36 -20 20 -54Z"),),
        "M-40 70C-42 30 -26 2 2 2C30 2 42 34 42 70L28 62L16 70L4 58L-10 70L-24 60Z",
    ),
    _S.MINE: Sign(
        "M-84 70L-40 -20L0 -66L44 -18L86 70Z",
        (
            "M-84 70L-40 -20L0 -66L44 -18L86 70ZM-34 70V6H34V70M-42 6H42V-8H-42ZM-20 70"
            "L-30 92M20 70L30 92M-26 80H26M52 -44L92 -84M70 -92Q92 -92 94 -66M94 -44"
            "L54 -84M54 -64Q52 -92 76 -90"
        ),
        ((pen.ROCK, "M0 -66L44 -18L86 70H44V6H20Z"), (pen.WOOD, "M-42 6H42V-8H-42Z")),
        "M-26 70V12H26V70Z",
    ),
    _S.RUIN: Sign(
        "M-80 74V-30H-56V-52H-40V74ZM-14 74V16H10V74ZM34 74V-62L52 -74L70 -50V74Z",
        (
            "M-80 74V-24L-72 -36L-66 -24L-58 -52L-44 -40V74ZM-14 74V18L-4 10L10 22V74Z"
            "M36 74V-58L46 -50L54 -74L70 -50V74ZM-92 76Q-40 66 0 76Q50 68 94 76M-44 8"
            "Q-30 -10 -20 -14M-76 20H-60M-64 44H-48M44 -20H62M40 12H56M50 44H66M18 66"
            "L28 58L32 70Z"
        ),
        (
            (pen.STONE, "M-62 -40L-44 -40V74H-62ZM54 -74L70 -50V74H54Z"),
            (pen.LEAF, "M-84 -10Q-70 6 -80 40ZM36 30Q50 40 40 74H34Z"),
        ),
    ),
    _S.GROVE: Sign(
        (
            "M-46 22C-86 22 -88 -34 -52 -40C-44 -64 -16 -62 -10 -46C-4 -86 50 -86 52 -44"
            "C90 -42 92 18 54 22V80H-52Z"
        ),
        (
            "M-46 22C-86 22 -88 -34 -52 -40C-44 -64 -16 -62 -12 -46C-2 -36 0 10 -24 22Z"
            "M-12 -46C-4 -86 50 -86 52 -44C90 -42 92 18 54 22H-10M-38 24V76M-28 24V76"
            "M28 24V80M42 24V80M-62 78Q-30 70 -6 80Q20 72 66 82M-60 -8"
            "C-52 -22 -40 -18 -36 -8M16 -30C26 -44 42 -36 42 -22M-4 56L2 42L8 56L22 60"
            "L8 66L2 80L-4 66L-16 60Z"
        ),
        (
            (pen.LEAF, "M-46 22C-86 22 -88 -34 -52 -40C-44 -64 -16 -62 -12 -46C-2 -36 0 10 -24 22Z"),
            (pen.LEAF_DARK, "M-12 -46C-4 -86 50 -86 52 -44C90 -42 92 18 54 22H-10C4 4 0 -30 -12 -46Z"),
            (pen.STRAW, "M-4 56L2 42L8 56L22 60L8 66L2 80L-4 66L-16 60Z"),
        ),
    ),
    _S.MONUMENT: Sign(
        "M-50 80V56H-30L-20 -56L0 -90L20 -56L30 56H50V80Z",
        (
            "M-50 80V58H50V80ZM-32 58V44H32V58M-24 44L-16 -58L0 -90L16 -58L24 44M-16 -58"
            "H16M-8 -30H8M-8 -14H8M-10 2H8M-76 80Q0 90 76 80"
        ),
        ((pen.STONE, "M0 -90L16 -58L24 44H4ZM10 58H50V80H10Z"),),
    ),
    _S.BATTLEFIELD: Sign(
        "M-84 66L60 -86L84 -84L82 -60L-60 84ZM84 66L-60 -86L-84 -84L-82 -60L60 84Z",
        (
            "M-58 52L66 -84L82 -82L80 -66L-46 64ZM58 52L-66 -84L-82 -82L-80 -66L46 64Z"
            "M-76 40L-34 82M-66 60L-86 80M76 40L34 82M66 60L86 80"
        ),
        (
            (pen.STONE, "M-58 52L66 -84L82 -82L80 -66L-46 64ZM58 52L-66 -84L-82 -82L-80 -66L46 64Z"),
            (pen.RED, "M-20 88Q0 78 22 88Q0 98 -20 88Z"),
        ),
    ),
    _S.PORTAL: Sign(
        "M-66 80V-16C-66 -96 66 -96 66 -16V80Z",
        (
            "M-66 80V-16C-66 -96 66 -96 66 -16V80H38V-10C38 -58 -38 -58 -38 -10V80Z"
            "M-66 30H-38M-64 -30L-36 -22M-24 -74L-14 -44M24 -74L14 -44M64 -30L36 -22"
            "M66 30H38M0 30C-20 30 -22 0 0 0C24 0 26 44 -4 44C-30 42 -30 -16 4 -18"
        ),
        (
            (pen.STONE, "M-66 80V-16C-66 -96 66 -96 66 -16V80H38V-10C38 -58 -38 -58 -38 -10V80Z"),
            (pen.VIOLET, "M-38 80V-10C-38 -58 38 -58 38 -10V80Z"),
        ),
    ),
    _S.LAIR: Sign(
        "M-70 40C-80 -40 -40 -80 0 -80C40 -80 80 -40 70 40L44 44V74H-44V44Z",
        (
            "M-46 42C-86 28 -84 -80 0 -80C84 -80 86 28 46 42V74H-46ZM-24 74V56M-8 74V56"
            "M8 74V56M24 74V56M-6 32L0 18L6 32M-88 86L-60 76M88 86L60 76"
        ),
        ((pen.STONE, "M20 -78C84 -70 86 28 46 42V74H24C40 20 44 -30 20 -78Z"),),
        ("M-44 -8C-44 -34 -12 -34 -12 -8C-12 14 -44 14 -44 -8ZM44 -8C44 -34 12 -34 12 -8C12 14 44 14 44 -8Z"),
    ),
    _S.HOME_BASE: _houses(
        (0, 74, 60, 60, 60),
        extra="M30 -28V-66H46V-16M0 -46V-94L40 -80L0 -68M-40 44V24H-22V44ZM22 44V24H40V44Z",
        more=((pen.RED, "M0 -94L40 -80L0 -68Z"),),
    ),
}
_QUESTION = "M-26 -26C-26 -66 34 -66 32 -24C30 0 2 0 2 26M2 48L3 52"


def _ring(radius: float) -> str:
    return f"M{radius} 0A{radius} {radius} 0 1 0 {-radius} 0A{radius} {radius} 0 1 0 {radius} 0Z"


def sign(sort: StoryPlaceSort, x: float, y: float, radius: float, tilt: float = 0.0) -> str:
    """The sign of a place.

    Args:
        sort: What it is.
        x: Middle of the sign in pixels.
        y: Middle of the sign in pixels.
        radius: Half its size in pixels.
        tilt: By how many degrees the hand was off.
    """
    sketch = _SKETCHES.get(sort)
    if sketch is None:
        drawing = [
            element("path", d=_ring(74), fill=pen.PAPER_LIGHT, stroke_dasharray="14 12", stroke=pen.RED),
            element("path", d=_QUESTION, fill="none", stroke=pen.RED, stroke_width=15.0),
        ]
    else:
        drawing = [
            element("path", d=sketch.body, fill=pen.PAPER_LIGHT, stroke=pen.PAPER_LIGHT, stroke_width=12.0),
            *(
                element("path", d=d, fill=color, stroke="none", transform=_BESIDE, opacity=0.85)
                for color, d in sketch.washes
            ),
            element("path", d=sketch.ink, fill="none"),
        ]
        if sketch.shade:
            drawing.append(element("path", d=sketch.shade, fill=pen.INK, stroke_width=2.0))
    turn = f" rotate({number(tilt)})" if tilt else ""
    return group(
        *drawing,
        transform=f"translate({number(x)} {number(y)}){turn} scale({radius / 100:.4f})",
        stroke=pen.INK,
        stroke_width=_LINE,
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def star(x: float, y: float, radius: float) -> str:
    """The compass star under the place where the story starts: sixteen rays."""
    long: list[str] = []
    short: list[str] = []
    for turn in range(16):
        reach = radius * (1.0 if turn % 4 == 0 else 0.84 if turn % 2 == 0 else 0.74)
        angle, side = turn * pi / 8 - pi / 2, pi / 16
        tip = f"M{number(x + cos(angle) * reach)} {number(y + sin(angle) * reach)}"
        waist = radius * 0.55
        legs = [
            f"L{number(x + cos(angle + s * side) * waist)} {number(y + sin(angle + s * side) * waist)}"
            for s in (1, -1)
        ]
        (long if turn % 2 == 0 else short).append(tip + legs[0] + legs[1] + "Z")
    return group(
        element("path", d="".join(short), fill=pen.STRAW),
        element("path", d="".join(long), fill=pen.RED),
        element("circle", cx=x, cy=y, r=radius * 0.62, fill=pen.PAPER_LIGHT),
        stroke=pen.INK,
        stroke_width=1.0,
        stroke_linejoin="round",
    )
