"""The faces of the bundled font, as files and as a style sheet."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent

FAMILY = "Hearthforge Serif"
"""Its name in SVG and in the files."""

FONT_FAMILY = f"'{FAMILY}', Alegreya, 'Palatino Linotype', 'Book Antiqua', Georgia, serif"
"""What text in SVG asks for: the bundled font, then what readers without it are likely to have."""


class Face(StrEnum):
    """The faces; a word both bold and italic is set in the italic one, thickened."""

    REGULAR = "regular"
    BOLD = "bold"
    ITALIC = "italic"


_STYLES = {Face.REGULAR: "", Face.BOLD: "font-weight:700;", Face.ITALIC: "font-style:italic;"}


def face_of(*, bold: bool = False, italic: bool = False) -> Face:
    """The face that text is set in."""
    return Face.ITALIC if italic else Face.BOLD if bold else Face.REGULAR


@cache
def truetype(face: Face) -> bytes:
    """The TrueType file of a face."""
    return (_FOLDER / f"{face.value}.ttf").read_bytes()


@cache
def web_font(face: Face) -> bytes:
    """The WOFF2 file of a face, Latin letters only."""
    return (_FOLDER / f"{face.value}.woff2").read_bytes()


def font_face(faces: Iterable[Face] = tuple(Face)) -> str:
    """A `style` element for the head of an SVG that brings the font along, about 20 KB a face.

    Args:
        faces: The faces that the picture uses.

    Returns:
        The markup; empty for no face.
    """
    rules = "".join(map(_rule, sorted(set(faces))))
    return f"<style>{rules}</style>" if rules else ""


@cache
def _rule(face: Face) -> str:
    data = b64encode(web_font(face)).decode()
    return (
        f"@font-face{{font-family:'{FAMILY}';{_STYLES[face]}"
        f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
    )


for _face in Face:
    # Read once, when the program starts: drawing itself touches no file.
    truetype(_face)
    web_font(_face)
