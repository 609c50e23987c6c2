"""What the ground does to the speed of travellers (Equipment / Traveling: Terrain Effects)."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType


class TravelMode(StrEnum):
    """How one travels on land."""

    FOOT = "foot"
    MOUNTED = "mounted"
    VEHICLE = "vehicle"


_FULL, _MOST, _HALF, _QUARTER = Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)

TERRAIN_EFFECTS: MappingProxyType[str, MappingProxyType[TravelMode, Fraction | None]] = MappingProxyType(
    {
        row: MappingProxyType(dict(zip(TravelMode, shares, strict=True)))
        for row, shares in (
            ("road or open track", (_FULL, _FULL, _FULL)),
            ("hilly road or track", (_MOST, _MOST, _MOST)),
            ("mountain path or track", (_HALF, _HALF, _QUARTER)),
            ("mountain off track", (_QUARTER, None, None)),
            ("jungle path", (_HALF, _QUARTER, None)),
            ("jungle off path", (_QUARTER, None, None)),
            ("swamp", (_QUARTER, None, None)),
        )
    }
)
"""The share of full speed on each terrain by how one travels; None where one cannot go."""
