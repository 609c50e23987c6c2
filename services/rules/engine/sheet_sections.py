"""A sheet as any client draws it: sections of labelled groups and entries, in plain words.

Each game lays its own sheet out (`sections` in its folder), by the builders here. What is empty is left out,
and labels that are the same in one section are numbered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Generic, TypeVar

from services.rules.engine.explain import Explained, explain_parts
from services.rules.engine.sheet import CheckOutcome, RollableCheck, SheetBase, Track
from services.rules.engine.wording import counted, listed

SheetT = TypeVar("SheetT", bound=SheetBase)

MOST_FIGURES = 8
"""Figures of a summary."""


class SheetEntryKind(Enum):
    """How an entry is drawn.

    Attributes:
        NUMBER: A number, in `number`.
        TEXT: Words, in `text`.
        TRACK: A number that goes up and down, in `number`, up to `maximum`.
        DICE: Something to roll: `notation` is what to roll, `number` how many dice or what is added.
        ITEMS: A list, in `items`.
    """

    NUMBER = "number"
    TEXT = "text"
    TRACK = "track"
    DICE = "dice"
    ITEMS = "items"


@dataclass(frozen=True, slots=True)
class SheetItem:
    """A line of a list on a sheet.

    Attributes:
        name: What it is called.
        summary: What there is to know of it, in plain words; may be empty.
    """

    name: str
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetEntry:
    """A line of a sheet.

    Attributes:
        key: Unique within the sheet, and stable.
        label: What stands before it; unique within its section.
        kind: How it is drawn.
        text: All of it in plain words, for clients that draw no more than that; empty for lists.
        number: The number; null where there is none.
        maximum: Where a track stands when full; null for all else.
        notation: What to roll, as `roll` takes it; null where nothing is rolled.
        explains: The number again, with its reasons; null where it is not derived.
        items: The lines of a list.
    """

    key: str
    label: str
    kind: SheetEntryKind
    text: str = ""
    number: int | None = None
    maximum: int | None = None
    notation: str | None = None
    explains: Explained | None = None
    items: tuple[SheetItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetGroup:
    """Entries of a sheet that belong together.

    Attributes:
        key: Unique within its section, and stable.
        label: Its heading; empty where the heading of the section is enough.
        entries: Its lines, in the order in which they are drawn; one at least.
    """

    key: str
    label: str
    entries: tuple[SheetEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSection:
    """A part of a sheet under a heading of its own.

    Attributes:
        key: Unique within the sheet, and stable.
        label: Its heading.
        groups: What stands in it, in the order in which it is drawn; one at least.
    """

    key: str
    label: str
    groups: tuple[SheetGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSummary:
    """A character in short, for lists and small screens.

    Attributes:
        name: What the character is called.
        system: Slug of the game system.
        line: Who it is, in one line: "Dwarf, malicious".
        tracks: Numbers that move in play.
        figures: The figures that are asked for most, eight at most.
    """

    name: str
    system: str
    line: str
    tracks: tuple[Track, ...]
    figures: tuple[SheetFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFigure:
    """A figure of a summary.

    Attributes:
        key: Key of the entry of the sheet that has it in full.
        label: What stands before it.
        text: The figure in plain words.
    """

    key: str
    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLayout(Generic[SheetT]):
    """How a game lays its sheets out.

    Attributes:
        sections: The sections of a sheet, in their order. Pure.
        line: Who a character is, in one line. Pure.
        figures: Keys of the entries that a summary shows; those that a sheet has none of are left out.
    """

    sections: Callable[[SheetT], tuple[SheetSection, ...]]
    line: Callable[[SheetT], str]
    figures: tuple[str, ...] = ()

    def summary(self, sheet: SheetT) -> SheetSummary:
        """Return a sheet in short.

        Names and lines are cut to 80 and 160 characters, texts of figures to 40.
        """
        entries = {entry.key: entry for section in self.sections(sheet) for entry in entries_of(section)}
        chosen = [entries[key] for key in self.figures if key in entries][:MOST_FIGURES]
        return SheetSummary(
            name=_cut(sheet.name, 80),
            system=sheet.system,
            line=_cut(self.line(sheet), 160),
            tracks=tuple(sheet.tracks),
            figures=tuple(
                SheetFigure(key=one.key, label=one.label, text=_cut(one.text, 40)) for one in chosen
            ),
        )


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def entries_of(section: SheetSection) -> tuple[SheetEntry, ...]:
    """Return the entries of a section, those of all its groups."""
    return tuple(entry for group in section.groups for entry in group.entries)


# Words


def plain(word: Enum) -> str:
    """Return a word of a closed set for people: "Very far" for `VERY_FAR`."""
    return str(word.name).replace("_", " ").capitalize()


def titled(entry_id: str) -> str:
    """Return the words of a content id, for what is named by nothing else: "Fiery bolt"."""
    return entry_id.rpartition("/")[2].replace("-", " ").replace("_", " ").capitalize()


def sentence(*parts: str) -> str:
    """Return the parts that are not empty, with a semicolon between them."""
    return "; ".join(part for part in parts if part)


def amount(value: Explained, one: str, several: str = "") -> str:
    """Return so many of something with the reasons: "7 dice = 4 (Battle) + 3 (Longsword)".

    Args:
        value: How many, and why.
        one: What one is called.
        several: What several are called; with an s behind it where empty.
    """
    told = counted(value.value, one, several)
    return f"{told} = {explain_parts(value.parts)}" if value.parts else told


# Builders


def number_entry(
    key: str, label: str, value: int | Explained, one: str = "", several: str = ""
) -> SheetEntry:
    """Return an entry of a number.

    Args:
        key: Its key.
        label: Its label.
        value: The number, with its reasons where it is derived.
        one: What one is called in `text`: "die"; nothing where the label says it.
        several: What several are called: "dice"; with an s behind it where empty.
    """
    number, explains = (value.value, value) if isinstance(value, Explained) else (value, None)
    text = counted(number, one, several) if one else str(number)
    return SheetEntry(
        key=key, label=label, kind=SheetEntryKind.NUMBER, text=text, number=number, explains=explains
    )


def text_entry(key: str, label: str, *texts: str) -> SheetEntry:
    """Return an entry of words: all texts that are not empty, with a semicolon between them."""
    return SheetEntry(key=key, label=label, kind=SheetEntryKind.TEXT, text=sentence(*texts))


def track_entry(track: Track, explains: Explained | None = None) -> SheetEntry:
    """Return an entry of a track, under the track's own id."""
    return SheetEntry(
        key=track.id,
        label=track.name,
        kind=SheetEntryKind.TRACK,
        text=f"{track.current} of {track.maximum}",
        number=track.current,
        maximum=track.maximum,
        explains=explains,
    )


OUTCOMES = {
    CheckOutcome.TOTAL: "the total counts",
    CheckOutcome.SUCCESSES: "successes count",
    CheckOutcome.FACES: "what each die shows counts",
}


def check_entry(check: RollableCheck) -> SheetEntry:
    """Return an entry of something to roll, under `check-` and the check's own id."""
    return SheetEntry(
        key=f"check-{check.id}",
        label=check.name,
        kind=SheetEntryKind.DICE,
        text=sentence(check.reading.rstrip("."), OUTCOMES[check.outcome]),
        number=check.dice.value,
        notation=check.notation,
        explains=check.dice,
    )


def items_entry(key: str, label: str, items: Iterable[SheetItem]) -> SheetEntry:
    """Return an entry of a list."""
    return SheetEntry(key=key, label=label, kind=SheetEntryKind.ITEMS, items=tuple(items))


def group(key: str, label: str, *entries: SheetEntry) -> SheetGroup:
    """Return a group of the entries that are not empty."""
    return SheetGroup(key=key, label=label, entries=tuple(one for one in entries if one.text or one.items))


def section(key: str, label: str, *groups: SheetGroup) -> SheetSection:
    """Return a section of the groups that are not empty; a label that was there before gets a number."""
    seen: Counter[str] = Counter()
    return SheetSection(
        key=key,
        label=label,
        groups=tuple(
            replace(one, entries=tuple(_numbered(entry, seen) for entry in one.entries))
            for one in groups
            if one.entries
        ),
    )


def _numbered(entry: SheetEntry, seen: Counter[str]) -> SheetEntry:
    seen[entry.label] += 1
    times = seen[entry.label]
    return entry if times == 1 else replace(entry, label=f"{entry.label} ({times})")


def laid_out(*sections: SheetSection) -> tuple[SheetSection, ...]:
    """Return the sections that are not empty."""
    return tuple(one for one in sections if one.groups)


def tracks_section(sheet: SheetBase) -> SheetSection:
    """Return the section of the tracks of any sheet."""
    return section("tracks", "In play", group("tracks", "", *(track_entry(one) for one in sheet.tracks)))


def checks_section(sheet: SheetBase) -> SheetSection:
    """Return the section of everything that any character can roll."""
    return section("checks", "Rolls", group("checks", "", *(check_entry(one) for one in sheet.checks)))


def _plain_sections(sheet: SheetBase) -> tuple[SheetSection, ...]:
    return laid_out(tracks_section(sheet), checks_section(sheet))


def _plain_line(sheet: SheetBase) -> str:
    return listed([f"{one.name} {one.current} of {one.maximum}" for one in sheet.tracks])


PLAIN_LAYOUT: SheetLayout[Any] = SheetLayout(sections=_plain_sections, line=_plain_line)
"""For games that lay out no sheets of their own: tracks and rolls."""
