"""Builds the sheet of a hero from choices, or names every rule they break (Character Creation)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import Problems
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.systems.fortunate_blades.advancement import boxes_of, grown
from services.rules.systems.fortunate_blades.catalog import SLUG, Catalog
from services.rules.systems.fortunate_blades.choices import BladeChoice, Condition, HeroChoices
from services.rules.systems.fortunate_blades.condition import harm_room, track_boxes
from services.rules.systems.fortunate_blades.creation import (
    ATTRIBUTES_RULE,
    asked_additions,
    harm_slots,
    slots_of,
    steady_parts,
    step_problems,
)
from services.rules.systems.fortunate_blades.gear import armor_bonus, gear_lines, slots_used
from services.rules.systems.fortunate_blades.settings import TableRules
from services.rules.systems.fortunate_blades.sheet import (
    AdditionLine,
    AttributeLine,
    BackgroundLine,
    BladeLine,
    GroupLine,
    HarmSlots,
    HeroSheet,
    TalentLine,
)
from services.rules.systems.fortunate_blades.talents import counted, talent_parts
from services.rules.systems.fortunate_blades.terms import Attribute, Group, HarmLevel, Quantity

FORTUNE_RULE = "Fortune"
SAVE_RULE = "Saves"


def build(choices: HeroChoices, catalog: Catalog) -> HeroSheet | Problems:
    """The sheet of these choices, or every rule they break (J1 to J10)."""
    problems = tuple(one for found in step_problems(choices, catalog).values() for one in found)
    if problems or choices.blade is None:
        return Problems(problems)
    blade, choices = choices.blade, grown(choices)
    talents = tuple(_talents(choices, blade, catalog))
    attributes = tuple(_attributes(choices, talents, catalog))
    groups = tuple(_groups(choices, catalog))
    fortune = Explained.of(
        Part(catalog.rules.fortune, "every quest", FORTUNE_RULE),
        *steady_parts(choices, catalog, Quantity.FORTUNE),
    )
    slots = harm_slots(choices, catalog)
    return HeroSheet(
        system=SLUG,
        name=choices.name.strip(),
        **_faring(choices, fortune.value, slots, catalog),
        checks=tuple(_checks(attributes, groups)),
        look=choices.look.strip(),
        backgrounds=tuple(_backgrounds(choices, catalog)),
        trades=tuple(catalog.trades[one.trade].name for one in choices.trades),
        blade=_blade(blade, catalog),
        attributes=attributes,
        groups=groups,
        talents=talents,
        fortune=fortune,
        harm_slots=slots,
        slots=slots_of(choices, catalog),
        slots_used=slots_used(choices.gear, catalog),
        gear=tuple(gear_lines(choices.gear, catalog)),
        carried=choices.gear,
        quest=_quest(choices, catalog),
        additions=tuple(_additions(choices, catalog)),
    )


def _talents(choices: HeroChoices, blade: BladeChoice, catalog: Catalog) -> Iterator[TalentLine]:
    sources = (
        *((one.talents, catalog.backgrounds[one.background].name, True) for one in choices.backgrounds),
        *((one.talents, catalog.trades[one.trade].name, True) for one in choices.trades),
        (blade.talents, blade.name.strip() or catalog.blades[blade.blade].name, blade.held),
    )
    for ids, source, active in sources:
        for one in ids:
            talent = catalog.talents[one]
            yield TalentLine(
                id=talent.id,
                name=talent.name,
                text=f"{talent.text} Fits {talent.when}." if talent.when else talent.text,
                source=source,
                use=talent.use,
                on=talent.on,
                cost=talent.cost,
                active=active,
            )


def _attributes(
    choices: HeroChoices, talents: tuple[TalentLine, ...], catalog: Catalog
) -> Iterator[AttributeLine]:
    for attribute in Attribute:
        rank = Part(choices.ranks.of(attribute), attribute.label, ATTRIBUTES_RULE)
        steady = talent_parts(counted(talents, catalog.talents, attribute), Quantity.ROLL)
        yield AttributeLine(
            attribute=attribute,
            group=attribute.group,
            rank=Explained.of(rank),
            roll=Explained.of(rank, *steady),
        )


def _groups(choices: HeroChoices, catalog: Catalog) -> Iterator[GroupLine]:
    """The three groups; what counts for a Save is every attribute of the group at +1 or more (G2)."""
    for group in Group:
        able = [one for one in Attribute if one.group is group and choices.ranks.of(one) >= 1]
        total = Explained.of(*(Part(1, f"{one.label} at +1 or more", SAVE_RULE) for one in able))
        armor = armor_bonus(choices.gear, group, catalog)
        steady = steady_parts(choices, catalog, Quantity.save(group))
        save = Explained.of(*total.parts, *armor.parts, *steady)
        yield GroupLine(group=group, total=total, armor=armor, save=save)


def with_condition(sheet: HeroSheet, choices: HeroChoices, catalog: Catalog) -> HeroSheet:
    """A sheet with how its hero fares by other choices; all else of it stays."""
    return replace(sheet, **_faring(choices, sheet.fortune.value, sheet.harm_slots, catalog))


def _faring(choices: HeroChoices, fortune: int, slots: HarmSlots, catalog: Catalog) -> dict[str, Any]:
    """The fields of a sheet that say how a hero fares."""
    condition = choices.condition
    left = fortune if condition.fortune is None else condition.fortune
    boxes = boxes_of(condition.boxes, choices.advances, catalog.rules.tracks)
    tracks = _tracks(
        replace(condition, boxes=boxes),
        slots,
        catalog.rules,
        Track("fortune", "Fortune", left, max(left, fortune)),
    )
    return {
        "tracks": tuple(tracks),
        "fortune_left": left,
        "harms": condition.harms,
        "marks": condition.marks,
        "prepared": condition.prepared,
        "used_talents": condition.used,
    }


def _tracks(condition: Condition, slots: HarmSlots, rules: TableRules, fortune: Track) -> Iterator[Track]:
    """Fortune may rise above what a quest begins with (P12)."""
    yield fortune
    for level, room in harm_room(slots).items():
        if level is not HarmLevel.LETHAL:
            borne = sum(harm.level is level for harm in condition.harms)
            yield Track(f"harm_{level.value}", f"{level.value.capitalize()} Harm", borne, room)
    yield Track("marks", "Marks", len(condition.marks), rules.harm.marks)
    for name, filled, length in track_boxes(condition.boxes, rules.tracks):
        yield Track(f"{name}_track", f"{name.capitalize()} track", filled, length)


def _checks(attributes: tuple[AttributeLine, ...], groups: tuple[GroupLine, ...]) -> Iterator[RollableCheck]:
    """A roll with each attribute and a Save of each type; what a total means stands in the reading."""
    one = Explained.of(Part(1, "every roll", "The Roll"))
    for line in attributes:
        added = line.roll.value
        reading = (
            "Clear at the Clear number or more, Close at the Close number or more, else a Miss; "
            f"with odds as {SLUG}:roll({added}, close, clear). It adds {line.roll.text()}."
        )
        name = line.attribute.label
        yield RollableCheck(line.attribute.value, name, _notation(added), reading, one)
    for group in groups:
        added = group.save.value
        reading = (
            "Clear takes two levels off the Harm, Close one, a natural 20 all of it; "
            f"with odds as {SLUG}:save({added}, close, clear). It adds {group.save.text()}."
        )
        name = f"Save against {group.group.value} Harm"
        yield RollableCheck(f"save-{group.group.value}", name, _notation(added), reading, one)


def _notation(added: int) -> str:
    return f"1d20{added:+d}" if added else "1d20"


def _backgrounds(choices: HeroChoices, catalog: Catalog) -> Iterator[BackgroundLine]:
    for one in choices.backgrounds:
        entry = catalog.backgrounds[one.background]
        yield BackgroundLine(
            id=entry.id,
            name=entry.name,
            complication=entry.complication,
            story=one.story.strip() or entry.text,
        )


def _blade(blade: BladeChoice, catalog: Catalog) -> BladeLine:
    entry = catalog.blades[blade.blade]
    return BladeLine(
        id=entry.id,
        item=entry.name,
        name=blade.name.strip() or entry.name,
        origin=blade.origin.strip() or entry.text,
        quality=entry.quality,
        effect=entry.quality.effect,
        range=entry.range,
        held=blade.held,
    )


def _quest(choices: HeroChoices, catalog: Catalog) -> str:
    """The personal quest in words: of the list, of the player, or the one with the other."""
    entry = catalog.quests.get(choices.quest.quest)
    words = choices.quest.words.strip()
    if entry is None:
        return words
    return f"{entry.name}: {words or entry.text}"


def _additions(choices: HeroChoices, catalog: Catalog) -> Iterator[AdditionLine]:
    asked = asked_additions(choices, catalog)
    names = {entry.id: entry.name for shelf in (catalog.backgrounds, catalog.trades) for entry in shelf}
    names |= {entry.id: entry.name for entry in catalog.blades}
    for one in choices.additions:
        yield AdditionLine(
            kind=asked[one.source], source=names[one.source], name=one.name.strip(), facts=one.facts.strip()
        )
