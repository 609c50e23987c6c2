"""A Smith's sheet as any client draws it."""

from __future__ import annotations

from services.rules.engine.sheet_sections import (
    SheetItem,
    SheetLayout,
    SheetSection,
    checks_section,
    group,
    items_entry,
    laid_out,
    number_entry,
    section,
    text_entry,
    track_entry,
)
from services.rules.engine.wording import counted, listed
from services.rules.systems.forgeborn.choices import ChronicleEntry
from services.rules.systems.forgeborn.pools import ASCENDING
from services.rules.systems.forgeborn.sheet import SmithSheet


def smith_sections(sheet: SmithSheet) -> tuple[SheetSection, ...]:
    """Return the sections of a Smith's sheet."""
    dice = (number_entry(size.value, f"{size.value} dice", sheet.dice.count(size)) for size in ASCENDING)
    return laid_out(
        section(
            "smith",
            "Smith",
            group(
                "person",
                "",
                text_entry("name", "Name", sheet.name),
                text_entry("description", "Description", sheet.description),
            ),
        ),
        section(
            "dice",
            "Dice",
            group("dice", "", *dice),
            group(
                "budget",
                "Budget",
                *(track_entry(track, sheet.faces) for track in sheet.tracks),
                number_entry("left", "Faces left", sheet.left),
            ),
        ),
        checks_section(sheet),
        section(
            "games",
            "Games",
            group(
                "record",
                "",
                number_entry("games", "Games played", sheet.games),
                number_entry("victories", "Victories", sheet.victories),
                items_entry("chronicle", "Chronicle", (_game(entry) for entry in sheet.chronicle)),
            ),
        ),
    )


def _game(entry: ChronicleEntry) -> SheetItem:
    made = f"; made {listed(entry.artifacts)}" if entry.artifacts else ""
    points = counted(entry.points, "point")
    return SheetItem(entry.title, f"{points}, place {entry.rank} of {entry.players}{made}")


def _line(sheet: SmithSheet) -> str:
    dice = listed([f"{sheet.dice.count(size)}{size.value}" for size in ASCENDING if sheet.dice.count(size)])
    return f"Master Smith with {dice or 'no dice'}"


LAYOUT: SheetLayout[SmithSheet] = SheetLayout(
    sections=smith_sections,
    line=_line,
    figures=(*(size.value for size in ASCENDING), "games", "victories"),
)
