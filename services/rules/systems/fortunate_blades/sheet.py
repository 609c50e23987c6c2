"""A finished hero: the sheet of the choices, every number of it with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.systems.fortunate_blades.choices import CarriedGear, Harm, PreparedFortune
from services.rules.systems.fortunate_blades.terms import (
    Attribute,
    Creation,
    EffectLevel,
    Group,
    Quality,
    Range,
    TalentUse,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeLine:
    """An attribute on a sheet.

    Attributes:
        attribute: Which one it is.
        group: The group it belongs to.
        rank: Its rank, and why.
        roll: What is added to a roll with it: the rank, and talents that always count.
    """

    attribute: Attribute
    group: Group
    rank: Explained
    roll: Explained


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLine:
    """A group of attributes on a sheet (Saves; G1, G2).

    Attributes:
        group: Which one it is.
        total: Attributes of it at +1 or more.
        armor: What the best armour of the type adds to Saves (P6, P18).
        save: What is added to a Save of its type: total, armour and talents that always count.
    """

    group: Group
    total: Explained
    armor: Explained
    save: Explained


@dataclass(frozen=True, slots=True, kw_only=True)
class TalentLine:
    """A talent on a sheet; what it does stands in its content entry.

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it does.
        source: What it comes from: a background, a trade or the Fortunate Blade.
        use: When it counts.
        on: Attributes of the rolls that it fits; empty for all.
        cost: Fortune that one use takes.
        active: Whether it counts at all: that of a Fortunate Blade does while it is held.
    """

    id: str
    name: str
    text: str
    source: str
    use: TalentUse
    on: tuple[Attribute, ...]
    cost: int
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundLine:
    """A background on a sheet.

    Attributes:
        id: Content id.
        name: The word for people.
        complication: What may come back to trouble the hero.
        story: What the player tells of it.
    """

    id: str
    name: str
    complication: str
    story: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BladeLine:
    """The Fortunate Blade on a sheet.

    Attributes:
        id: Content id of the item.
        item: The word for the item.
        name: What it is called.
        origin: How its bearer came by it.
        quality: How good it is.
        effect: The Effect that it usually has.
        range: How far it reaches.
        held: Whether its bearer has it.
    """

    id: str
    item: str
    name: str
    origin: str
    quality: Quality
    effect: EffectLevel
    range: Range | None
    held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditionLine:
    """A place or a force that a choice brings into the story.

    Attributes:
        kind: What it is.
        source: What asked for it, in words.
        name: What it is called.
        facts: What is told of it.
    """

    kind: Creation
    source: str
    name: str
    facts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GearLine:
    """A thing on a sheet.

    Attributes:
        id: Content id.
        name: The word for people.
        slots: Slots that it takes.
        within: The word for the container that it is in; empty for a slot of the hero's own.
        quality: How good it is.
        effect: The Effect that it usually has.
        range: How far it reaches.
        uses_left: Times it can still be used; None without a limit.
        ready: Whether it can be used at once.
    """

    id: str
    name: str
    slots: int
    within: str
    quality: Quality
    effect: EffectLevel
    range: Range | None
    uses_left: int | None
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmSlots:
    """How much Harm a hero can bear, row by row (F2).

    Attributes:
        minor: Slots for minor Harm.
        serious: Slots for serious Harm.
        heroic: Slots for heroic Harm.
    """

    minor: Explained
    serious: Explained
    heroic: Explained


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroSheet:
    """A hero.

    Attributes:
        system: Slug of the game system.
        name: What the hero is called.
        tracks: Fortune, Harm of each level, Marks, advancement.
        checks: A roll with each attribute, and a Save of each type.
        look: How the hero looks.
        backgrounds: Where the hero comes from.
        trades: What the hero is about, in words.
        blade: The Fortunate Blade.
        attributes: The twelve attributes.
        groups: The three groups, with their Saves.
        talents: What the hero can do that few can.
        fortune: Fortune at the start of a quest.
        fortune_left: Fortune that is left.
        harm_slots: How much Harm the hero can bear.
        harms: The Harm they bear.
        marks: Their Marks, in words.
        prepared: Fortune that is kept for events.
        used_talents: Content ids of the talents that are used up for this quest.
        slots: Gear slots.
        slots_used: Gear slots that are taken.
        gear: What the hero has.
        carried: The same as it was chosen.
        quest: What the hero wants to bring about.
        additions: Places and forces that the hero brings into the story.
    """

    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]
    look: str
    backgrounds: tuple[BackgroundLine, ...]
    trades: tuple[str, ...]
    blade: BladeLine
    attributes: tuple[AttributeLine, ...]
    groups: tuple[GroupLine, ...]
    talents: tuple[TalentLine, ...]
    fortune: Explained
    fortune_left: int
    harm_slots: HarmSlots
    harms: tuple[Harm, ...]
    marks: tuple[str, ...]
    prepared: tuple[PreparedFortune, ...]
    used_talents: tuple[str, ...]
    slots: Explained
    slots_used: Explained
    gear: tuple[GearLine, ...]
    carried: tuple[CarriedGear, ...]
    quest: str
    additions: tuple[AdditionLine, ...]

    def named_numbers(self) -> Mapping[str, int]:
        """What dice notation can name: the rank of each attribute, and the total of each group."""
        return {
            **{line.attribute.value: line.rank.value for line in self.attributes},
            **{line.group.value: line.total.value for line in self.groups},
        }
