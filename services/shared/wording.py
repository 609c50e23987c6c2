"""How names and values of a request are spelled in what is answered about it."""

import unicodedata
from collections.abc import Iterator

from services.shared.problems import Issue

MAX_FOUND = 200

_LINE_BREAKS = frozenset("\n\t")
_UNWRITABLE = frozenset({"Cc", "Cs"})


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


def _is_unwritable(sign: str) -> bool:
    return sign not in _LINE_BREAKS and unicodedata.category(sign) in _UNWRITABLE
