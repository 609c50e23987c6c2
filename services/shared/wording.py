"""How names and values of a request are spelled in what is answered about it."""

import unicodedata
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from services.shared.problems import Issue

MAX_FOUND = 200
NEAR = 0.6
"""How alike a name must be to be taken for a slip of the pen, as ``difflib`` counts it."""
_LONGEST_NAME = 120

_LINE_BREAKS = frozenset("\n\t")
_UNWRITABLE = frozenset({"Cc", "Cs"})
_OF_NO_LINE = frozenset({"Cc", "Cs", "Zl", "Zp"})
# They turn the direction of what follows, in whatever text the line is put into.
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_OVERRIDES = frozenset("\u202d\u202e")


def camel(name: str) -> str:
    """Spell a name as the API does: ``in_hand`` is ``inHand``."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def clipped(text: str) -> str:
    """Cut what was found to a length that is fit to be repeated, without anything unwritable."""
    writable = "".join(
        "\N{REPLACEMENT CHARACTER}" if _is_unwritable(sign) else sign for sign in text[:MAX_FOUND]
    )
    return writable if len(text) <= MAX_FOUND else f"{writable}\N{HORIZONTAL ELLIPSIS}"


def nearest(found: str, known: Iterable[str]) -> str | None:
    """Return the known name that was likely meant, capital and small letters taken alike; None for none."""
    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(name.casefold(), name)
    near = get_close_matches(found[:_LONGEST_NAME].casefold(), folded, 1, NEAR)
    return folded[near[0]] if near else None


def with_nearest(sentence: str, found: str, known: Iterable[str]) -> str:
    """Ask behind a sentence whether the nearest known name is meant, where one is near."""
    near = nearest(found, known)
    return sentence if near is None else f"{sentence.removesuffix('.')}; is `{near}` meant?"


def finding(value: object) -> str | None:
    """Write a value that was found, or those that are allowed, as text; None for none."""
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case tuple():
            return ", ".join(finding(item) or "null" for item in value)
        case _:
            return clipped(str(value))


def unwritable(value: object, path: list[str]) -> Iterator[Issue]:
    """Find texts with control characters (line breaks and tabs excepted) or halves of surrogate pairs.

    Args:
        value: JSON-able data.
        path: where it stands in the request.
    """
    match value:
        case str():
            bad = next((sign for sign in value if _is_unwritable(sign)), None)
            if bad is not None:
                yield Issue(
                    code="BAD_CHARACTER",
                    message=f"The text holds U+{ord(bad):04X}, which is no writable character.",
                    path=path,
                    found=f"U+{ord(bad):04X}",
                )
        case list():
            for index, item in enumerate(value):
                yield from unwritable(item, [*path, str(index)])
        case dict():
            for key, item in value.items():
                yield from unwritable(key, path)
                yield from unwritable(item, [*path, camel(key)])


def strange_signs(line: str) -> list[str]:
    """Name what a label or a name of one line must not hold: ``U+000A``, ``U+202E``.

    These are control characters, line and paragraph separators, halves of surrogate pairs, and the marks that
    turn the direction of writing.
    """
    return [
        f"U+{ord(sign):04X}"
        for sign in line
        if sign in _DIRECTIONS or unicodedata.category(sign) in _OF_NO_LINE
    ]


def line_issues(line: str, *path: str, most: int) -> list[Issue]:
    """Finds what is wrong with a label or name of one line.

    Args:
        line: the text, as it came.
        path: where it stands in the request.
        most: characters that it may have, blanks at its ends not counted.
    """
    name, length = path[-1], len(line.strip())
    if not 1 <= length <= most:
        return [
            Issue(
                code="LENGTH",
                message=f"`{name}` must have 1 to {most} characters.",
                path=list(path),
                found=str(length),
                allowed=f"1..{most}",
            )
        ]
    strange = strange_signs(line.strip())
    if not strange:
        return []
    return [
        Issue(
            code="UNPRINTABLE",
            message=f"`{name}` must not hold control characters, line breaks or marks of direction.",
            path=list(path),
            found=", ".join(strange[:5]),
            allowed="printable characters of one line",
        )
    ]


def prose_issues(text: str, *path: str) -> list[Issue]:
    """Finds what a text of several lines must not hold: control characters, and overrides of direction.

    Line breaks and tabs are fine, and so are the marks that writing from right to left needs.

    Args:
        text: the text, as it came.
        path: where it stands in the request.
    """
    issues = list(unwritable(text, list(path)))
    override = next((sign for sign in text if sign in _OVERRIDES), None)
    if override is not None:
        found = f"U+{ord(override):04X}"
        message = f"The text holds {found}, which turns the direction of all that follows."
        issues.append(Issue(code="BAD_CHARACTER", message=message, path=list(path), found=found))
    return issues


def _is_unwritable(sign: str) -> bool:
    return sign not in _LINE_BREAKS and unicodedata.category(sign) in _UNWRITABLE
