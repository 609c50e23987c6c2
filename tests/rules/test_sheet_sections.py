"""Sheets as sections: all that a sheet says is in them, in plain words, for every game; and in short."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from services.rules.engine.explain import Explained, Part
from services.rules.engine.forms import spelled
from services.rules.engine.matches import named_stream
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.sheet import SheetBase
from services.rules.engine.sheet_sections import (
    MOST_FIGURES,
    PLAIN_LAYOUT,
    SheetEntryKind,
    SheetLayout,
    SheetSection,
    SheetSummary,
    entries_of,
)
from services.rules.engine.spelling import PUBLISHED
from services.rules.engine.system import AnySystem

SYSTEMS = systems()
DRAWN = 200
FEW = 30
ANY_GAME = pytest.mark.parametrize("slug", SYSTEMS)

OF_THE_SHEET = "the sheet has it beside its sections"
CONTENT_ID = "an id of content, beside the name that is shown"
OWN_ROLL = "an id of one of the rolls, which stand in a section of their own"
IN_NAME = "part of the name that is shown"

LEFT_OUT: Mapping[str, Mapping[str, str]] = {
    "dungeonteller": {
        "HeroSheet.system": OF_THE_SHEET,
        "HeroSheet.role": CONTENT_ID,
        "WeaponLine.id": CONTENT_ID,
        "PowerLine.id": CONTENT_ID,
        "AttackLine.check": OWN_ROLL,
        "ItemLine.id": CONTENT_ID,
        "TreasureLine.id": CONTENT_ID,
        "TreasureLine.spell": CONTENT_ID,
        "TreasureLine.check": OWN_ROLL,
        "CompanionLine.monster": CONTENT_ID,
        "Bonus.situations": "what the rules ask; the words are in `when`",
        "Bonus.weapons": "what the rules ask; the words are in `when`",
    },
    "dwarf_dice": {
        "ChampionSheet.system": OF_THE_SHEET,
        "ChampionSheet.champion": CONTENT_ID,
        "PowerLine.id": CONTENT_ID,
    },
    "forge_engine": {
        "CharacterSheet.system": OF_THE_SHEET,
        "CharacterSheet.species": CONTENT_ID,
        "CharacterSheet.size": CONTENT_ID,
        "TraitLine.id": CONTENT_ID,
        "SkillLine.id": CONTENT_ID,
        "SkillLine.field": IN_NAME,
        "WeaponLine.id": CONTENT_ID,
        "ConditionLine.id": CONTENT_ID,
        "ArmorLine.id": CONTENT_ID,
        "ShieldLine.id": CONTENT_ID,
        "SpellLine.id": CONTENT_ID,
        "SpellLine.school": CONTENT_ID,
        "SpellLine.check": OWN_ROLL,
        "AttackLine.check": OWN_ROLL,
        "AttributeTest.id": OWN_ROLL,
        "AttributeTest.skill": IN_NAME,
        "AttributeTest.field": IN_NAME,
        "DamageLine.damage": CONTENT_ID,
        "LeaveLine.code": "for programs; the words are in `text`",
        "Budget.id": "for programs; the word is in `name`",
        "LedgerLine.index": "the place of the line itself",
    },
    "forgeborn": {"SmithSheet.system": OF_THE_SHEET},
    "fortunate_blades": {
        "HeroSheet.system": OF_THE_SHEET,
        "CarriedGear.within": "an id of content; the word is in `GearLine.within`",
        "CarriedGear.used": "`GearLine.uses_left` is shown",
        "BackgroundLine.id": CONTENT_ID,
        "BladeLine.id": CONTENT_ID,
        "GearLine.id": CONTENT_ID,
    },
}
"""What a sheet holds and its sections do not, and why: fields of the classes that a sheet is made of."""


def layout_of(system: AnySystem) -> SheetLayout[Any]:
    assert system.layout is not None
    return system.layout


# A sheet of any game with every field filled


def members(hint: Any) -> list[Any]:
    if get_origin(hint) in (Union, types.UnionType):
        return [one for one in get_args(hint) if one is not type(None)]
    return [hint]


def sample(hint: Any, number: int) -> Any:
    """A value of a type, with nothing missing: lists have one element, flags and enums go by the number."""
    hint = members(hint)[0]
    if hint is Explained:
        return Explained.of(Part(number + 1, "Source", "Rule"))
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        return hint(**{field.name: sample(hints[field.name], number) for field in fields(hint)})
    if get_origin(hint) is tuple:
        return (sample(get_args(hint)[0], number),)
    if isinstance(hint, type) and issubclass(hint, Enum):
        found = list(hint)
        return found[number % len(found)]
    return {bool: bool(number % 2), int: number + 1, str: "Words"}[hint]


def others(value: Any) -> Iterator[Any]:
    """Values of the same type as a plain one."""
    match value:
        case bool():
            yield not value
        case Enum():
            yield from (one for one in type(value) if one is not value)
        case int():
            yield value + 1
        case str():
            yield "Changed"
        case Explained():
            yield value.plus(1, "Another", "Rule")
            yield Explained.of(Part(value.value, "Another", "Rule"))


def changed(value: Any) -> Iterator[tuple[str, Any]]:
    """A value with one plain field otherwise, and the field: `WeaponLine.hands`."""
    if isinstance(value, tuple):
        for place, one in enumerate(value):
            for name, other in changed(one):
                yield name, (*value[:place], other, *value[place + 1 :])
    elif is_dataclass(value) and not isinstance(value, (type, Explained)):
        whole: Any = value
        for field in fields(whole):
            held = getattr(whole, field.name)
            name = f"{type(whole).__name__}.{field.name}"
            for other in _others(held):
                yield name, replace(whole, **{field.name: other})
            for inner, other in changed(held):
                yield inner, replace(whole, **{field.name: other})


def _others(held: Any) -> Iterator[Any]:
    if isinstance(held, tuple):
        yield from ((other,) for one in held for other in others(one))
        yield ()
    else:
        yield from others(held)


def shown_fields(layout: SheetLayout[Any], sheets: list[Any]) -> tuple[set[str], set[str]]:
    """The fields of sheets that change the sections when they change, and all the fields."""
    shown, known = set(), set()
    for sheet in sheets:
        told = layout.sections(sheet)
        for name, other in changed(sheet):
            known.add(name)
            if name not in shown and layout.sections(other) != told:
                shown.add(name)
    return shown, known


@ANY_GAME
def test_all_that_a_sheet_says_is_in_its_sections_or_left_out_for_a_reason(slug: str) -> None:
    system = SYSTEMS[slug]
    shown, known = shown_fields(layout_of(system), [sample(system.sheet, number) for number in (0, 1, 2)])
    assert known - shown == set(LEFT_OUT[slug]), "list it in LEFT_OUT, or put it into a section"


def test_a_field_that_no_section_shows_is_found() -> None:
    sheet = sample(SYSTEMS["dungeonteller"].sheet, 0)
    shown, known = shown_fields(PLAIN_LAYOUT, [sheet])
    assert {"Track.current", "RollableCheck.reading", "HeroSheet.tracks"} <= shown
    assert {"HeroSheet.look", "WeaponLine.hands", "Bonus.dice"} <= known - shown


# Sheets of characters


@cache
def drawn(slug: str) -> tuple[Any, ...]:
    """Sheets of the examples, and of characters drawn by chance."""
    system = SYSTEMS[slug]
    assert system.random is not None
    chosen = [
        *system.examples.values(),
        *(system.random(named_stream(f"{slug}:{n}"), system.content, None, None) for n in range(DRAWN)),
    ]
    built = [system.build(choices, system.content) for choices in chosen]
    assert not any(isinstance(one, Problems) for one in built)
    return tuple(built)


def sections_of(slug: str) -> Iterator[tuple[SheetBase, tuple[SheetSection, ...]]]:
    for sheet in drawn(slug)[:FEW]:
        yield sheet, layout_of(SYSTEMS[slug]).sections(sheet)


@ANY_GAME
def test_labels_differ_in_a_section_and_keys_in_a_sheet(slug: str) -> None:
    for _sheet, sections in sections_of(slug):
        keys = [section.key for section in sections]
        assert len(keys) == len(set(keys))
        entries = [entry for section in sections for entry in entries_of(section)]
        assert len({entry.key for entry in entries}) == len(entries)
        for section in sections:
            labels = [entry.label for entry in entries_of(section)]
            assert all(labels) and len(labels) == len(set(labels))
            groups = [group.key for group in section.groups]
            assert len(groups) == len(set(groups))
            assert section.label and all(group.entries for group in section.groups)


NOTATION = re.compile(r"\b[a-z_]+:[a-z-]+\([^)]*\)")
RAW = re.compile(
    r"\b[a-z0-9]+_[a-z0-9_]+\b|\b[A-Z0-9]+_[A-Z0-9_]+\b|\b[a-z]+[A-Z]\w*|\b[a-z_]+:[a-z-]+/|\b(?:None|True|False)\b"
)


def texts_of(sections: tuple[SheetSection, ...]) -> Iterator[str]:
    for section in sections:
        yield section.label
        for group in section.groups:
            yield group.label
        for entry in entries_of(section):
            yield from (entry.label, entry.text)
            for item in entry.items:
                yield from (item.name, item.summary)
            if entry.explains is not None:
                yield from (part.source for part in entry.explains.parts)


def names_of_enums(hint: Any, seen: set[Any]) -> Iterator[str]:
    for member in members(hint):
        for inner in get_args(member):
            yield from names_of_enums(inner, seen)
        if not isinstance(member, type) or member in seen:
            continue
        seen.add(member)
        if issubclass(member, Enum):
            yield from (one.name for one in member)
        elif is_dataclass(member):
            for hint_of_field in get_type_hints(member).values():
                yield from names_of_enums(hint_of_field, seen)


@ANY_GAME
def test_no_text_has_a_word_that_is_written_for_programs(slug: str) -> None:
    system = SYSTEMS[slug]
    # Short ones are the books' own abbreviations: PD, MD.
    names = {name for name in names_of_enums(system.sheet, set()) if len(name) > 3}
    layout = layout_of(system)
    told = [sections for _sheet, sections in sections_of(slug)]
    told += [layout.sections(sample(system.sheet, number)) for number in range(12)]
    for sections in told:
        for text in texts_of(sections):
            assert RAW.search(NOTATION.sub("", text)) is None, text
            assert names.isdisjoint(re.findall(r"\b[A-Z]+\b", text)), text


def test_words_for_programs_are_found() -> None:
    for word in ("very_far", "VERY_FAR", "veryFar", "forge_engine:skill/stealth", "None"):
        assert RAW.search(f"at {word} range")
    for word in ("Very far", "AK-47", "PD", "4d6kh3", "McGee", "d12"):
        assert not RAW.search(f"with {word} now")


@ANY_GAME
def test_each_entry_has_what_its_kind_says(slug: str) -> None:
    kinds = set()
    for sheet, sections in sections_of(slug):
        entries = [entry for section in sections for entry in entries_of(section)]
        kinds |= {entry.kind for entry in entries}
        for entry in entries:
            assert bool(entry.items) is (entry.kind is SheetEntryKind.ITEMS)
            assert bool(entry.text) is (entry.kind is not SheetEntryKind.ITEMS)
            assert (entry.maximum is not None) is (entry.kind is SheetEntryKind.TRACK)
            assert (entry.notation is not None) is (entry.kind is SheetEntryKind.DICE)
            assert (entry.number is None) is (entry.kind in (SheetEntryKind.TEXT, SheetEntryKind.ITEMS))
        rolls = [entry.notation for entry in entries if entry.kind is SheetEntryKind.DICE]
        assert rolls == [check.notation for check in sheet.checks]
        tracks = {entry.key for entry in entries if entry.kind is SheetEntryKind.TRACK}
        assert tracks == {track.id for track in sheet.tracks}
    assert kinds == set(SheetEntryKind)


# In short

LONGEST = 2048


@ANY_GAME
def test_a_summary_has_who_it_is_its_tracks_and_its_figures(slug: str) -> None:
    layout = layout_of(SYSTEMS[slug])
    for sheet, sections in sections_of(slug):
        summary = layout.summary(sheet)
        assert (summary.name, summary.system, summary.tracks) == (sheet.name, slug, sheet.tracks)
        assert summary.line and "\n" not in summary.line
        entries = {entry.key: entry for section in sections for entry in entries_of(section)}
        assert 1 <= len(summary.figures) <= MOST_FIGURES
        assert [figure.key for figure in summary.figures] == list(layout.figures)
        for figure in summary.figures:
            assert (figure.label, figure.text) == (entries[figure.key].label, entries[figure.key].text)


def test_long_names_and_lines_are_cut() -> None:
    sheet = replace(drawn("dungeonteller")[0], name="N" * 500, role_name="R " * 500)
    summary = layout_of(SYSTEMS["dungeonteller"]).summary(sheet)
    assert (len(summary.name), summary.name[-1], len(summary.line)) == (80, "…", 160)


def longest_sheet(slug: str) -> Any:
    """A sheet whose texts are as long as the API takes them, and which has every track of its game."""
    sheet = drawn(slug)[0]
    words = {field.name: "ö" * 500 for field in fields(sheet) if isinstance(getattr(sheet, field.name), str)}
    return replace(sheet, **{**words, "system": sheet.system})


@ANY_GAME
def test_a_summary_is_below_2_kb(slug: str) -> None:
    layout = layout_of(SYSTEMS[slug])
    assert len(drawn(slug)) >= DRAWN
    for sheet in (*drawn(slug), longest_sheet(slug)):
        form = spelled(SheetSummary, layout.summary(sheet), PUBLISHED)
        assert len(json.dumps(form, ensure_ascii=False).encode()) < LONGEST
