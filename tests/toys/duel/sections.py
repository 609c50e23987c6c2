"""The sheet of a duellist as any client draws it."""

from __future__ import annotations

from services.rules.engine.sheet_sections import (
    SheetLayout,
    SheetSection,
    checks_section,
    group,
    laid_out,
    number_entry,
    plain,
    section,
    text_entry,
    tracks_section,
)

from .sheet import DuelSheet


def duel_sections(sheet: DuelSheet) -> tuple[SheetSection, ...]:
    """Return the sections of a duellist's sheet."""
    duellist = group(
        "duellist",
        "",
        text_entry("name", "Name", sheet.name),
        text_entry("style", "Style", plain(sheet.style)),
        number_entry("scars", "Scars", sheet.scars),
    )
    return laid_out(section("duellist", "Duellist", duellist), tracks_section(sheet), checks_section(sheet))


def _line(sheet: DuelSheet) -> str:
    return f"{plain(sheet.style)} duellist"


LAYOUT: SheetLayout[DuelSheet] = SheetLayout(sections=duel_sections, line=_line, figures=("scars",))
