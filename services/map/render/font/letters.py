"""How far each letter of the bundled font moves the pen, in thousandths of an em."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType

from services.map.render.font.faces import Face

UNITS_PER_EM = 1000

_UNKNOWN = 860
_WIDE = 1040


@dataclass(frozen=True, slots=True)
class FaceMetrics:
    """What is known of one face.

    Attributes:
        widths: Advance of each letter it has, in units.
        kerning: What is added between two letters, by the two as one string.
    """

    widths: MappingProxyType[str, int]
    kerning: MappingProxyType[str, int]


def _read() -> MappingProxyType[Face, FaceMetrics]:
    table = json.loads((Path(__file__).parent / "metrics.json").read_text(encoding="utf-8"))
    if table["units_per_em"] != UNITS_PER_EM:
        raise ValueError("metrics.json counts in other units")
    return MappingProxyType(
        {
            face: FaceMetrics(
                MappingProxyType(
                    {
                        letter: int(width)
                        for width, letters in table["faces"][face.value]["widths"].items()
                        for letter in letters
                    }
                ),
                MappingProxyType(
                    {
                        first + second: int(kern)
                        for kern, pairs in table["faces"][face.value]["kerning"].items()
                        for first, seconds in pairs.items()
                        for second in seconds
                    }
                ),
            )
            for face in Face
        }
    )


METRICS = _read()
"""The widths and kerns of every face."""


def spelled(text: str, face: Face) -> str:
    """A text in letters that the face has, as far as it can be.

    A letter with an accent that the face lacks loses the accent; any other letter it lacks stays.
    """
    widths = METRICS[face].widths
    composed = unicodedata.normalize("NFC", text)
    if all(letter in widths for letter in composed):
        return composed
    return "".join(letter if letter in widths else _bare(letter) for letter in composed)


def _bare(letter: str) -> str:
    plain = "".join(part for part in unicodedata.normalize("NFD", letter) if not unicodedata.combining(part))
    return unicodedata.normalize("NFC", plain)


@lru_cache(maxsize=4096)
def advances(text: str, face: Face) -> tuple[int, ...]:
    """How far the pen moves after each letter, kerning included.

    Args:
        text: One line, as `spelled` gives it.
        face: The face it is set in.

    Returns:
        Units for each letter; one that the face lacks counts as a wide one.
    """
    metrics = METRICS[face]
    widths, kerning = metrics.widths, metrics.kerning
    moves: list[int] = []
    for here, after in zip_longest(text, text[1:], fillvalue=""):
        width = widths.get(here)
        if width is None:
            width = _WIDE if unicodedata.east_asian_width(here) in "WF" else _UNKNOWN
        moves.append(width + kerning.get(here + after, 0))
    return tuple(moves)


@lru_cache(maxsize=8192)
def line_units(text: str, face: Face) -> tuple[int, int]:
    """The length of a line in units, and how many letters it is spelled with."""
    letters = spelled(text, face)
    return sum(advances(letters, face)), len(letters)
