"""A hero's sheet as any client draws it."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.sheet_sections import (
    SheetEntry,
    SheetGroup,
    SheetItem,
    SheetLayout,
    SheetSection,
    checks_section,
    group,
    items_entry,
    laid_out,
    number_entry,
    plain,
    section,
    sentence,
    text_entry,
    titled,
    track_entry,
)
from services.rules.engine.wording import counted, listed
from services.rules.systems.fortunate_blades.card import TITLES, WHEN
from services.rules.systems.fortunate_blades.choices import Harm
from services.rules.systems.fortunate_blades.sheet import (
    AdditionLine,
    AttributeLine,
    BackgroundLine,
    GearLine,
    GroupLine,
    HarmSlots,
    HeroSheet,
    TalentLine,
)
from services.rules.systems.fortunate_blades.terms import EffectLevel, Quality, Range

ADVANCEMENT_TRACK = "_track"


def hero_sections(sheet: HeroSheet) -> tuple[SheetSection, ...]:
    """Return the sections of a hero's sheet."""
    return laid_out(
        _hero(sheet),
        _play(sheet),
        section(
            "attributes",
            "Attributes",
            *(_attributes(sheet, line) for line in sheet.groups),
        ),
        checks_section(sheet),
        section(
            "talents",
            "Talents",
            group(
                "talents",
                "",
                items_entry("talents", "Talents", (_talent(sheet, one) for one in sheet.talents)),
            ),
        ),
        _gear(sheet),
        section(
            "advancement",
            "Advancement and story",
            group("tracks", "Advancement", *_tracks(sheet, advancement=True)),
            group(
                "story",
                "Story",
                items_entry("additions", "Places and forces", (_addition(one) for one in sheet.additions)),
            ),
        ),
    )


def _hero(sheet: HeroSheet) -> SheetSection:
    blade = sheet.blade
    return section(
        "hero",
        "Hero",
        group(
            "person",
            "",
            text_entry("name", "Name", sheet.name),
            text_entry("look", "Look", sheet.look),
            text_entry("trades", "Trades", listed(sheet.trades)),
            items_entry("backgrounds", "Backgrounds", (_background(one) for one in sheet.backgrounds)),
            text_entry("quest", "Quest", sheet.quest),
        ),
        group(
            "blade",
            "Fortunate Blade",
            text_entry("blade", "Name of the blade", blade.name),
            text_entry("blade_item", "What it is", blade.item),
            text_entry("blade_origin", "How it was come by", blade.origin),
            text_entry("blade_use", "Use", _use(blade.quality, blade.effect, blade.range)),
            text_entry("blade_held", "Held", "yes" if blade.held else "no"),
        ),
    )


def _play(sheet: HeroSheet) -> SheetSection:
    return section(
        "play",
        "In play",
        group("tracks", "", *_tracks(sheet, advancement=False)),
        group(
            "fortune",
            "Fortune",
            number_entry("fortune_start", "Fortune at the start of a quest", sheet.fortune),
            number_entry("fortune_left", "Fortune left", sheet.fortune_left),
            items_entry(
                "prepared",
                "Fortune kept for events",
                (SheetItem(one.event, f"{one.points} Fortune") for one in sheet.prepared),
            ),
        ),
        group(
            "harm",
            "Harm and Marks",
            *_harm_slots(sheet.harm_slots),
            items_entry("harms", "Harm", (_harm(one) for one in sheet.harms)),
            items_entry("mark_words", "Marks in words", (SheetItem(words) for words in sheet.marks)),
        ),
    )


def _tracks(sheet: HeroSheet, *, advancement: bool) -> list[SheetEntry]:
    return [
        track_entry(track) for track in sheet.tracks if track.id.endswith(ADVANCEMENT_TRACK) is advancement
    ]


def _harm_slots(slots: HarmSlots) -> tuple[SheetEntry, ...]:
    return (
        number_entry("minor_slots", "Slots for minor Harm", slots.minor),
        number_entry("serious_slots", "Slots for serious Harm", slots.serious),
        number_entry("heroic_slots", "Slots for heroic Harm", slots.heroic),
    )


def _harm(harm: Harm) -> SheetItem:
    return SheetItem(harm.words or "Harm", f"{plain(harm.level)}, {TITLES[harm.group]}")


def _attributes(sheet: HeroSheet, line: GroupLine) -> SheetGroup:
    title = TITLES[line.group]
    key = line.group.value
    return group(
        key,
        title,
        *(_attribute(one) for one in sheet.attributes if one.group is line.group),
        number_entry(f"{key}_total", f"{title}, attributes at +1 or more", line.total),
        number_entry(f"{key}_armor", f"{title}, armour", line.armor),
        number_entry(f"{key}_save", f"{title} Save", line.save),
        *(
            number_entry(f"{one.attribute.value}_rank", f"{one.attribute.label} by itself", one.rank)
            for one in sheet.attributes
            if one.group is line.group
        ),
    )


def _attribute(line: AttributeLine) -> SheetEntry:
    return number_entry(line.attribute.value, line.attribute.label, line.roll)


def _talent(sheet: HeroSheet, line: TalentLine) -> SheetItem:
    return SheetItem(
        line.name,
        sentence(
            line.text,
            line.source,
            WHEN[line.use],
            f"with {listed([one.label for one in line.on])}" if line.on else "",
            f"takes {line.cost} Fortune" if line.cost else "",
            "" if line.active else "does not count now",
            "used up for this quest" if line.id in sheet.used_talents else "",
        ),
    )


def _background(line: BackgroundLine) -> SheetItem:
    complication = f"but: {line.complication}" if line.complication else ""
    return SheetItem(line.name, sentence(line.story, complication))


def _use(quality: Quality, effect: EffectLevel, reach: Range | None) -> str:
    return sentence(
        f"{plain(quality).lower()} quality",
        f"{plain(effect).lower()} Effect",
        "" if reach is None else f"{plain(reach).lower()} range",
    )


def _gear(sheet: HeroSheet) -> SheetSection:
    return section(
        "gear",
        "Gear",
        group(
            "slots",
            "",
            number_entry("slots", "Gear slots", sheet.slots),
            number_entry("slots_used", "Gear slots taken", sheet.slots_used),
        ),
        group(
            "gear",
            "",
            items_entry("gear", "Things", (_thing(one) for one in sheet.gear)),
            items_entry("shared", "Carried together", _shared(sheet)),
        ),
    )


def _thing(line: GearLine) -> SheetItem:
    return SheetItem(
        line.name,
        sentence(
            _use(line.quality, line.effect, line.range),
            counted(line.slots, "slot") if line.slots else "no slot",
            f"in {line.within}" if line.within else "",
            "" if line.uses_left is None else f"{counted(line.uses_left, 'use')} left",
            "ready" if line.ready else "packed away",
        ),
    )


def _shared(sheet: HeroSheet) -> Iterator[SheetItem]:
    names = {line.id: line.name for line in sheet.gear}
    for one in sheet.carried:
        if one.carriers > 1:
            yield SheetItem(names.get(one.gear) or titled(one.gear), f"by {one.carriers} heroes")


def _addition(line: AdditionLine) -> SheetItem:
    return SheetItem(line.name, sentence(f"{plain(line.kind).lower()} of {line.source}", line.facts))


def _line(sheet: HeroSheet) -> str:
    return listed(sheet.trades) or listed([one.name for one in sheet.backgrounds])


LAYOUT: SheetLayout[HeroSheet] = SheetLayout(
    sections=hero_sections,
    line=_line,
    figures=(
        "physical_save",
        "mental_save",
        "spiritual_save",
        "fight",
        "finesse",
        "notice",
        "convince",
        "slots_used",
    ),
)
