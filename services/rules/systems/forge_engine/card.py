"""A character to print: what a sheet says, in the order of the paper ones (Character Sheets)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.guide import Budget
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.skill_rules import SkillKind
from services.rules.systems.forge_engine.choices import Place
from services.rules.systems.forge_engine.sheet import CharacterSheet
from services.rules.systems.forge_engine.sheet_lines import SkillLine, SpellLine, WeaponLine

FULL_PIP, EMPTY_PIP = "◆", "◇"
GROUP = 5


def pips(full: int, empty: int = 0) -> str:
    """Diamonds in groups of five, as the book writes ratings: "◆◆◆◆◆ ◆◇"."""
    line = FULL_PIP * max(full, 0) + EMPTY_PIP * max(empty, 0)
    return " ".join(line[start : start + GROUP] for start in range(0, len(line), GROUP))


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAttribute:
    """One of the six attributes on a card.

    Attributes:
        name: What the attribute is called.
        rating: Its rating.
        pips: A dot for each point of it.
        note: What holds it down, in plain words; may be empty.
    """

    name: str
    rating: int
    pips: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTrack:
    """Something to tick off.

    Attributes:
        name: What is ticked off.
        current: How much there is now.
        maximum: How much there is at full.
        pips: Full ones first.
        value: The maximum, with its reasons.
    """

    name: str
    current: int
    maximum: int
    pips: str
    value: Explained


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSkill:
    """A skill on a card.

    Attributes:
        name: What the skill is called.
        rating: Its rating.
        pips: A dot for each point of it.
        tag: "AGI", "Action", "Animist (ACU)"; may be empty.
        text: What it does; empty for general skills.
    """

    name: str
    rating: int
    pips: str
    tag: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardWeapon:
    """An attack on a card.

    Attributes:
        name: What the weapon is called.
        figures: Cost and rating: "4/7".
        greatest: Cost and dice of the greatest attack: "7/13"; empty where it cannot be paid.
        line: Damage, range and codes, in plain words.
        ready: Whether it is in hand.
    """

    name: str
    figures: str
    greatest: str
    line: str
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlace:
    """What is carried at one place: "Worn": "Brigandine", "Sign of the order".

    Attributes:
        place: Where it is.
        name: What the place is called.
        things: What is there.
    """

    place: Place
    name: str
    things: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterCard:
    """A character on paper.

    Attributes:
        name: What the character is called.
        kind: Species, size and concept in one line.
        attributes: The six attributes.
        tracks: What is ticked off in play.
        defenses: PD and MD, with their reasons.
        body: Speed, reach, rest and travel, in plain words.
        traits: What the traits are called.
        general: General skills.
        martial: Martial skills.
        magic: Spells.
        weapons: The ways to attack.
        equipment: What is carried, place by place.
        budgets: CP of creation.
        free_cp: CP to spend.
        notes: Senses, damage taken otherwise, ways of moving, and what the game master waives.
        waiting: What the game master has not approved, in plain words.
        about: Personality, background, moral code and goals, as far as they are written.
    """

    name: str
    kind: str
    attributes: tuple[CardAttribute, ...]
    tracks: tuple[CardTrack, ...]
    defenses: tuple[CardTrack, ...]
    body: tuple[str, ...]
    traits: tuple[str, ...]
    general: tuple[CardSkill, ...]
    martial: tuple[CardSkill, ...]
    magic: tuple[CardSkill, ...]
    weapons: tuple[CardWeapon, ...]
    equipment: tuple[CardPlace, ...]
    budgets: tuple[Budget, ...]
    free_cp: int
    notes: tuple[str, ...]
    waiting: tuple[str, ...]
    about: tuple[str, ...]


def character_card(sheet: CharacterSheet, catalog: Catalog) -> CharacterCard:
    """The card of a character."""
    numbers = {"energy": sheet.energy, "health": sheet.health}
    return CharacterCard(
        name=sheet.name,
        kind=", ".join(word for word in (sheet.species_name, sheet.size_name, sheet.concept) if word),
        attributes=tuple(
            CardAttribute(
                name=line.name,
                rating=line.rating,
                pips=pips(line.rating),
                note="" if line.effective.value == line.rating else f"counts as {line.effective.text()}",
            )
            for line in sheet.attributes
        ),
        tracks=tuple(
            CardTrack(
                name=track.name,
                current=track.current,
                maximum=track.maximum,
                pips=pips(track.current, track.maximum - track.current),
                value=numbers[track.id],
            )
            for track in sheet.tracks
        ),
        defenses=tuple(
            CardTrack(
                name=name, current=value.value, maximum=value.value, pips=pips(value.value), value=value
            )
            for name, value in (("PD", sheet.pd), ("MD", sheet.md))
        ),
        body=tuple(_body(sheet)),
        traits=tuple(f"{line.name}: {line.text}" if line.text else line.name for line in sheet.traits),
        general=tuple(_skill(line) for line in sheet.skills if line.kind is SkillKind.GENERAL),
        martial=tuple(_skill(line) for line in sheet.skills if line.kind is not SkillKind.GENERAL),
        magic=tuple(_spell(line) for line in sheet.spells),
        weapons=tuple(_weapons(sheet, catalog)),
        equipment=tuple(_places(sheet)),
        budgets=sheet.points.budgets,
        free_cp=sheet.points.left,
        notes=tuple(_notes(sheet)),
        waiting=tuple(f"{line.text}: {line.cp:+d} CP" for line in sheet.points.history if line.waiting),
        about=tuple(
            text for text in (sheet.personality, sheet.background, sheet.moral_code, sheet.goals) if text
        ),
    )


def _body(sheet: CharacterSheet) -> Iterator[str]:
    yield f"Moves {sheet.speed.value} feet a round, reaches {sheet.reach.value}, stands on {sheet.space}."
    minutes = "minute" if sheet.travel.running_minutes == 1 else "minutes"
    yield (
        f"Walks {sheet.travel.walking.value} miles an hour; "
        f"runs {sheet.travel.running} for {sheet.travel.running_minutes} {minutes}."
    )
    yield (
        f"A short rest gives {sheet.rest_health.value} health "
        f"and {sheet.rest_energy} of the energy that was expended."
    )
    if sheet.action_energy.value:
        yield f"Every action and reaction costs {sheet.action_energy.text()} energy more."
    if sheet.condition == "unconscious" and sheet.health_now > 0:
        yield "Is unconscious: all energy is expended."
    elif sheet.condition != "healthy":
        yield f"Is {sheet.condition}: health {sheet.health_now} of {sheet.health.value}."


def _skill(line: SkillLine) -> CardSkill:
    tags = (
        "" if line.attribute is None else line.attribute.short,
        "" if line.use is None else line.use.value,
        "stance" if line.stance else "",
    )
    return CardSkill(
        name=line.name,
        rating=line.rating,
        pips=pips(line.rating),
        tag=", ".join(tag for tag in tags if tag),
        text="" if line.kind is SkillKind.GENERAL else line.text,
    )


def _spell(line: SpellLine) -> CardSkill:
    expend = "expend at will" if line.expend_more else f"expend {line.expend}" if line.expend else ""
    tags = (line.school_name, line.attribute.short, line.use.value, expend)
    return CardSkill(
        name=line.name,
        rating=line.rating,
        pips=pips(line.rating),
        tag=", ".join(tag for tag in tags if tag),
        text=line.text,
    )


def _weapons(sheet: CharacterSheet, catalog: Catalog) -> Iterator[CardWeapon]:
    for weapon in sheet.weapons:
        for attack in weapon.attacks:
            greatest = ""
            if attack.max_cost is not None and attack.max_dice is not None:
                greatest = f"{attack.max_cost.value}/{attack.max_dice.value}"
            yield CardWeapon(
                name=attack.name,
                figures=f"{attack.cost.value}/{attack.dice.value}",
                greatest=greatest,
                line=_weapon_words(weapon, catalog),
                ready=weapon.ready,
            )


def _weapon_words(weapon: WeaponLine, catalog: Catalog) -> str:
    damage = " or ".join(
        entry.name.lower() for one in weapon.damage if (entry := catalog.damage.get(one)) is not None
    )
    reach = f"within {weapon.farthest} feet"
    if weapon.max_range is not None:
        reach = f"{weapon.min_range or 0}-{weapon.max_range} feet, {weapon.farthest} at most"
    loaded = "" if weapon.loaded == weapon.holds else f"{weapon.loaded} of {weapon.holds} loaded"
    spare = "" if weapon.ammunition is None else f"{weapon.ammunition} spare"
    return ", ".join(word for word in (damage, reach, " ".join(weapon.codes), loaded, spare) if word)


PLACE_NAMES = {
    Place.WORN: "Worn",
    Place.WIELDED: "In hand",
    Place.OFF_HAND: "In the off-hand",
    Place.SLUNG: "Slung",
    Place.STOWED: "Stowed",
}


def _places(sheet: CharacterSheet) -> Iterator[CardPlace]:
    carried = (
        *((line.place, line.name, line.count, "") for line in sheet.armor),
        *((line.place, line.name, line.count, "") for line in sheet.shields),
        *((line.place, line.name, line.count, "") for line in sheet.weapons),
        *((line.place, line.name, line.count, line.note) for line in sheet.things),
    )
    for place in Place:
        things = tuple(
            (f"{count} " if count > 1 else "") + name + (f" ({note})" if note else "")
            for where, name, count, note in carried
            if where is place
        )
        if things:
            yield CardPlace(place=place, name=PLACE_NAMES[place], things=things)


def _notes(sheet: CharacterSheet) -> Iterator[str]:
    for bonus in sheet.pd_bonuses:
        yield f"PD {bonus.dice:+d} {bonus.when} ({bonus.source})."
    for damage in sheet.damage:
        yield f"{damage.response.value.capitalize()} to {damage.name.lower()} ({damage.source})."
    if sheet.load is not None and sheet.load.slowed:
        yield f"Carries {sheet.load.load_kg} of {sheet.load.most_kg.value} kg, and is Slowed."
    for condition in sheet.conditions:
        yield f"{condition.name}: {condition.text}"
    for line in sheet.leave:
        yield f"By leave of the game master: {line.text}"
