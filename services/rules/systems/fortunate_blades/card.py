"""A hero on paper: numbers to roll with, boxes to tick, and what each talent does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.sheet import GearLine, HeroSheet, TalentLine
from services.rules.systems.fortunate_blades.terms import Group, TalentUse

BOX, TICKED = "☐", "☒"
WHEN = {
    TalentUse.ALWAYS: "always",
    TalentUse.CHOSEN: "when you name it",
    TalentUse.ENCOUNTER: "once an encounter",
    TalentUse.QUEST: "once a quest",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardGroup:
    """A group of attributes on the card.

    Attributes:
        title: "Prowess", "Insight" or "Spirit" (P22).
        attributes: "Fight +2", one each.
        save: What is added to Saves of its type, and why.
    """

    title: str
    attributes: tuple[str, ...]
    save: Explained


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTalent:
    """A talent on the card.

    Attributes:
        title: "First and Last Lesson (Duellist), when you name it".
        fits: The attributes that it fits.
        text: What it does.
    """

    title: str
    fits: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroCard:
    """A hero on one card.

    Attributes:
        name: What the hero is called.
        look: How the hero looks.
        trades: What the hero is about.
        backgrounds: Each background with its complication.
        blade: The Fortunate Blade, with its name and origin.
        quest: What the hero wants to bring about.
        groups: Attributes and Saves.
        talents: What the hero can do that few can.
        fortune: A box for each point of Fortune, those that are spent ticked.
        harm: A line for each row of Harm: its boxes, and what fills them.
        marks: A box for each Mark.
        gear: What the hero has, a line each.
        slots: Slots that are taken, of those there are.
        tracks: Boxes of the advancement tracks.
        additions: Places and forces that the hero brings into the story.
    """

    name: str
    look: str
    trades: str
    backgrounds: tuple[str, ...]
    blade: str
    quest: str
    groups: tuple[CardGroup, ...]
    talents: tuple[CardTalent, ...]
    fortune: str
    harm: tuple[str, ...]
    marks: str
    gear: tuple[str, ...]
    slots: str
    tracks: tuple[str, ...]
    additions: tuple[str, ...]


TITLES = {Group.PHYSICAL: "Prowess", Group.MENTAL: "Insight", Group.SPIRITUAL: "Spirit"}
HARM_TRACK, ADVANCEMENT_TRACK = "harm_", "_track"


def hero_card(sheet: HeroSheet, catalog: Catalog) -> HeroCard:
    """The card of a hero."""
    tracks = {track.id: track for track in sheet.tracks}
    fortune = tracks["fortune"]
    return HeroCard(
        name=sheet.name,
        look=sheet.look,
        trades=", ".join(sheet.trades),
        backgrounds=tuple(f"{one.name}: {one.story} But: {one.complication}" for one in sheet.backgrounds),
        blade=f"{sheet.blade.name} ({sheet.blade.item}): {sheet.blade.origin}",
        quest=sheet.quest,
        groups=tuple(_groups(sheet)),
        talents=tuple(_talent(line, catalog) for line in sheet.talents),
        fortune=_boxes(fortune.maximum - fortune.current, fortune.maximum),
        harm=tuple(
            f"{track.name} {_boxes(track.current, track.maximum)}{_harms(sheet, key)}"
            for key, track in tracks.items()
            if key.startswith(HARM_TRACK)
        ),
        marks=f"{_boxes(tracks['marks'].current, tracks['marks'].maximum)} {'; '.join(sheet.marks)}".strip(),
        gear=tuple(_gear(line) for line in sheet.gear),
        slots=f"{sheet.slots_used.value} of {sheet.slots.value}",
        tracks=tuple(
            f"{track.name} {_boxes(track.current, track.maximum)}"
            for key, track in tracks.items()
            if key.endswith(ADVANCEMENT_TRACK)
        ),
        additions=tuple(
            f"{one.name}, a {one.kind.value} of {one.source}" + (f": {one.facts}" if one.facts else "")
            for one in sheet.additions
        ),
    )


def _boxes(ticked: int, every: int) -> str:
    return TICKED * ticked + BOX * (every - ticked)


def _groups(sheet: HeroSheet) -> Iterable[CardGroup]:
    for group in sheet.groups:
        attributes = tuple(
            f"{line.attribute.label} {line.roll.value:+d}"
            for line in sheet.attributes
            if line.group is group.group
        )
        yield CardGroup(title=TITLES[group.group], attributes=attributes, save=group.save)


def _talent(line: TalentLine, catalog: Catalog) -> CardTalent:
    cost = f", for {line.cost} Fortune" if line.cost else ""
    when = catalog.talents[line.id].when
    return CardTalent(
        title=f"{line.name} ({line.source}), {WHEN[line.use]}{cost}",
        fits=", ".join(attribute.label for attribute in line.on) + (f"; {when}" if when else ""),
        text=line.text,
    )


def _harms(sheet: HeroSheet, track: str) -> str:
    level = track.removeprefix(HARM_TRACK)
    words = [
        f"{harm.words or 'Harm'} ({harm.group.value})" for harm in sheet.harms if harm.level.value == level
    ]
    return f" {'; '.join(words)}" if words else ""


def _gear(line: GearLine) -> str:
    slots = "no slot" if not line.slots else f"{line.slots} slot{'s' if line.slots > 1 else ''}"
    within = f", in {line.within.lower()}" if line.within else ""
    uses = "" if line.uses_left is None else f" {BOX * line.uses_left}"
    return f"{line.name} ({line.quality.value}, {slots}{within}){uses}"
