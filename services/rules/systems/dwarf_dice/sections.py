"""A champion's sheet as any client draws it."""

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
from services.rules.engine.wording import counted
from services.rules.systems.dwarf_dice.catalog import PowerKind
from services.rules.systems.dwarf_dice.sheet import ChampionSheet, PowerLine

KINDS = {PowerKind.PASSIVE: "Passive", PowerKind.ACTIVE: "Active"}


def champion_sections(sheet: ChampionSheet) -> tuple[SheetSection, ...]:
    """Return the sections of a champion's sheet."""
    return laid_out(
        section(
            "champion",
            "Champion",
            group(
                "person",
                "",
                text_entry("name", "Name", sheet.name),
                text_entry("champion", "Champion", sheet.champion_name),
                text_entry("clan", "Clan", sheet.clan),
                text_entry("text", "Story", sheet.text),
            ),
        ),
        section(
            "play",
            "In play",
            group(
                "endurance",
                "",
                *(track_entry(track, sheet.endurance) for track in sheet.tracks),
                number_entry("gems", "Power Gems", sheet.gems),
            ),
            group("powers", "", items_entry("powers", "Powers", (_power(line) for line in sheet.powers))),
        ),
        checks_section(sheet),
        section(
            "games",
            "Games",
            group(
                "record",
                "",
                number_entry("won", "Games won", sheet.chronicle.won),
                number_entry("lost", "Games lost", sheet.chronicle.lost),
                number_entry("felled", "Champions felled", sheet.chronicle.felled),
            ),
        ),
    )


def _power(line: PowerLine) -> SheetItem:
    often = "any number of times" if line.uses is None else f"{counted(line.uses, 'time')} in a game"
    return SheetItem(line.name, f"{KINDS[line.kind]}, {often}: {line.text}")


def _line(sheet: ChampionSheet) -> str:
    return f"{sheet.champion_name}, {sheet.clan}"


LAYOUT: SheetLayout[ChampionSheet] = SheetLayout(
    sections=champion_sections, line=_line, figures=("gems", "won", "lost", "felled")
)
