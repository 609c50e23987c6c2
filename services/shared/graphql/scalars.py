"""Scalars beyond GraphQL's own."""

import re
from fractions import Fraction
from typing import Any, NewType

from graphql import GraphQLError
from strawberry import scalar

_FRACTION = re.compile(r"^-?\d{1,300}(/\d{1,300})?$")
_WHOLE = re.compile(r"^-?\d{1,300}$")

BigInt = NewType("BigInt", int)
"""A whole number of any size; name it in ``overrides`` where 32 bits are too few."""

ExactFraction = NewType("ExactFraction", Fraction)
"""A fraction without loss; what ``Fraction`` is mirrored as."""


def _write_whole(value: int) -> str:
    return str(int(value))


def _read_whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str) or not _WHOLE.match(str(value)):
        raise GraphQLError("A BigInt is a whole number or a string of its digits.")
    return int(value)


def _write_fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _read_fraction(value: Any) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | str) or not _FRACTION.match(str(value)):
        raise GraphQLError('A Fraction is a string such as "5/36" or "2".')
    try:
        return Fraction(value)
    except ZeroDivisionError:
        raise GraphQLError("A Fraction's denominator is not 0.") from None


WHOLE = scalar(
    name="BigInt",
    description="A whole number of any size, as a string of its digits.",
    serialize=_write_whole,
    parse_value=_read_whole,
)
FRACTION = scalar(
    name="Fraction",
    description='An exact fraction in lowest terms: "5/36", "2/1".',
    serialize=_write_fraction,
    parse_value=_read_fraction,
)
# Strawberry finds a scalar by this attribute, as it does for those of its own federation module.
BigInt._scalar_definition = WHOLE  # type: ignore[attr-defined]
ExactFraction._scalar_definition = FRACTION  # type: ignore[attr-defined]
