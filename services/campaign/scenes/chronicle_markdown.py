"""A chronicle as Markdown: a title, a heading for each chapter, an item for each entry."""

import re
from collections.abc import Iterable, Iterator

from services.campaign.scenes.chronicle import ChronicleEntry

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
"""What Markdown reads as more than text; a list's and a heading's own signs stand at the start of a line
only, where an entry never begins.
"""


def chronicle_markdown(title: str, entries: Iterable[ChronicleEntry]) -> str:
    """Return a chronicle as Markdown; nothing in it is read as anything but text.

    Args:
        title: what the campaign is called.
        entries: oldest first.
    """
    return "\n".join(_lines(title, entries)) + "\n"


def _lines(title: str, entries: Iterable[ChronicleEntry]) -> Iterator[str]:
    yield f"# {_plain(title)}"
    listed = False
    for entry in entries:
        if entry.note.opens:
            yield from ("", f"## {_plain(entry.text).removesuffix('.')}")
            listed = False
            continue
        if not listed:
            yield ""
        yield f"- **{_plain(entry.note.heading)}**: {_plain(entry.text)}"
        listed = True


def _plain(text: str) -> str:
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))
