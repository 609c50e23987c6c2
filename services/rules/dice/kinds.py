"""Reads the kind of a die behind its `d`: sides, `%`, `F`, a name, faces written out, or something rolled."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from services.rules.dice.bind import folded
from services.rules.dice.lexer import DIE, label_value
from services.rules.dice.lexicon import Dialect
from services.rules.dice.pool import DieKind, Face, Faces, Fate, Node, Sides
from services.rules.dice.reader import Reader

HUNDRED = Sides(100)
TENS = Faces(tuple(Face(str(value), value) for value in range(0, 100, 10)))
"""What d20 rolls for `d%`."""
_FATE = Fate()
_EXPECTED = ("a number", "'%'", "'F'", "'('", "'['", "the name of a die")
_SHORTEST_NAME = 3
_BLANKS = " \t\r\n"

sided = lru_cache(maxsize=256)(Sides)
"""A die with so many sides, made once: kinds are values."""


def read_kind(reader: Reader, inner: Callable[[Reader], Node]) -> DieKind:
    """Reads the kind of a die.

    Args:
        reader: Behind the `d`.
        inner: Reads an expression up to its closing bracket.
    """
    match = DIE.match(reader.text, reader.place)
    if match is None:
        reader.fail(reader.skipped(reader.place), *_EXPECTED)
    place = match.start(match.lastindex or 0)
    reader.place = match.end()
    match match.lastindex:
        case 1:
            return sided(reader.sides(match[1], place))
        case 2:
            return hundred(reader)
        case 3 if match[3] == "(":
            return _rolled(reader, place, inner)
        case 3:
            return _written(reader)
        case _:
            return _named(reader, match[4], place)


def hundred(reader: Reader) -> DieKind:
    """The die behind `d%`: with 100 faces, or d20's ten tens."""
    return TENS if reader.lexicon.dialect is Dialect.D20 else HUNDRED


def _rolled(reader: Reader, place: int, inner: Callable[[Reader], Node]) -> DieKind:
    node = reader.deeper(place, inner)
    reader.close(")")
    sides = folded(node, least=0)
    if isinstance(sides, int):
        return Sides(reader.sides(str(sides), reader.skipped(place + 1)))
    return Sides(sides)


def _named(reader: Reader, run: str, place: int) -> DieKind:
    """A die by its name: the longest that fits, for a rule may follow at once; or a Fate die."""
    named = reader.lexicon.dice
    for end in range(len(run), _SHORTEST_NAME - 1, -1):
        faces = named.get(run[:end])
        if faces is not None:
            reader.place = place + end
            return Faces(tuple(faces), run[:end])
    if run[0] != "f":
        reader.fail(place, *_EXPECTED, *[repr(name) for name in sorted(named)[:8]])
    reader.place = place + 1
    return _FATE


def _written(reader: Reader) -> DieKind:
    """Faces written out: `[1,1,2]`, `[hit:2,miss]`."""
    written, place = reader.bracketed()
    faces = []
    for part in written.split(","):
        faces.append(_face(reader, part, place))
        place += len(part) + 1
    return Faces(tuple(faces))


def _face(reader: Reader, part: str, place: int) -> Face:
    """A face: a label and its value; a label alone counts the number it is, or 0."""
    written, colon, behind = part.partition(":")
    label = reader.label(written, place)
    if not colon:
        value = label_value(label)
        if value is None:
            return Face(label, 0)
        digits = label
    else:
        place += len(written) + 1
        digits = behind.strip(_BLANKS)
        value = label_value(digits)
        if value is None:
            reader.fail(reader.skipped(place), "a whole number")
    if abs(value) > reader.limits.number:
        raise reader.beyond(reader.skipped(place), "number", digits)
    return Face(label, value)
