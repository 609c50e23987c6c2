"""Weights at equally spaced places, as polynomials: their products, powers, and the sums of plain dice.

Laid side by side in one long number, wide enough apart that none runs over into the next (Kronecker), the
coefficients of two polynomials are multiplied by one multiplication of whole numbers. Sums of plain dice need
no multiplication at all: each coefficient follows from those before it.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

WORD = 8
"""Bytes of the widest coefficient that is packed and unpacked at one stroke."""


def product(left: Sequence[int], right: Sequence[int]) -> Sequence[int]:
    """The product of two polynomials whose coefficients are not negative."""
    width = _width(sum(left) * sum(right))
    return _unpacked(_packed(left, width) * _packed(right, width), width, len(left) + len(right) - 1)


def power(weights: Sequence[int], exponent: int) -> Sequence[int]:
    """A power of a polynomial whose coefficients are not negative."""
    width = _width(sum(weights) ** exponent)
    return _unpacked(_packed(weights, width) ** exponent, width, (len(weights) - 1) * exponent + 1)


def dice_sums(dice: Mapping[int, int]) -> list[int]:
    """How often plain dice come to each sum, from the smallest sum on.

    The generating function P is the product of ((1 - x^s) / (1 - x))^n over all kinds of dice. The derivative
    of its logarithm gives each coefficient from running sums of those before it,

        k p(k) = N (p(k-1) + p(k-2) + ...) - sum of n s (p(k-s) + p(k-2s) + ...)

    where N is the number of dice. The second half mirrors the first.

    Args:
        dice: How many dice of each number of sides; both at least 1.
    """
    count = sum(dice.values())
    length = sum(number * (sides - 1) for sides, number in dice.items()) + 1
    # A one-sided die moves nothing; its strides would only cancel its share of the count.
    kinds = [(sides, number * sides, [0] * sides) for sides, number in dice.items()]
    row = [1]
    before = 0
    for k in range(1, (length + 1) // 2):
        last = row[-1]
        before += last
        weight = count * before
        for sides, factor, strides in kinds:
            # strides[r] is the sum of all coefficients so far at places r, r + s, r + 2s, ...
            strides[(k - 1) % sides] += last
            weight -= factor * strides[k % sides]
        row.append(weight // k)
    return row + row[::-1][length % 2 :]


def _width(largest: int) -> int:
    return max(WORD, (largest.bit_length() + 7) // 8)


def _packed(weights: Sequence[int], width: int) -> int:
    if width == WORD:
        return int.from_bytes(struct.pack(f"<{len(weights)}Q", *weights), "little")
    return int.from_bytes(b"".join(weight.to_bytes(width, "little") for weight in weights), "little")


def _unpacked(number: int, width: int, count: int) -> Sequence[int]:
    written = number.to_bytes(width * count, "little")
    if width == WORD:
        return struct.unpack(f"<{count}Q", written)
    places = range(0, width * count, width)
    return [int.from_bytes(written[place : place + width], "little") for place in places]
