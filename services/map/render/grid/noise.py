"""Chance for pictures: numbers from where something is drawn, never from the map's seed.

A picture must not give the seed away, and the players' picture of a map should be drawn with the same strokes
as the game master's. So every wobble, tuft and stroke comes from an integer hash of its own place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
Words = NDArray[np.uint32]
Shares = NDArray[np.float64]

_MASK = 0xFFFFFFFF


def hashed(x: Numbers, y: Numbers, salt: int) -> Words:
    """A 32-bit number for each place (the finalizer of MurmurHash3 over the mixed coordinates).

    Args:
        x: Whole numbers of any shape.
        y: Whole numbers of a shape that broadcasts with it.
        salt: Tells one use from another.
    """
    word: Words = x.astype(np.uint32) * np.uint32(0x9E3779B1)
    word = word ^ (y.astype(np.uint32) * np.uint32(0x85EBCA77) + np.uint32(salt * 0x27D4EB2F & 0xFFFFFFFF))
    word = (word ^ (word >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    word = (word ^ (word >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return word ^ (word >> np.uint32(16))


def shares(x: Numbers, y: Numbers, salt: int) -> Shares:
    """A number from 0 up to 1 for each place."""
    return hashed(x, y, salt).astype(np.float64) * 2.0**-32


def swings(x: Numbers, y: Numbers, salt: int) -> Shares:
    """A number from -1 up to 1 for each place."""
    return shares(x, y, salt) * 2 - 1


def one(x: float, y: float, salt: int) -> float:
    """The share of a single place, told apart to a hundredth of a cell; `shares` without an array."""
    word = round(x * 100) * 0x9E3779B1 & _MASK
    word ^= (round(y * 100) * 0x85EBCA77 + salt * 0x27D4EB2F) & _MASK
    word = (word ^ word >> 16) * 0x85EBCA6B & _MASK
    word = (word ^ word >> 13) * 0xC2B2AE35 & _MASK
    return (word ^ word >> 16) * 2.0**-32
