"""The lines of a character's lists, each in plain words."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.explain import Explained
from services.rules.engine.sheet_sections import SheetItem, amount, plain, sentence, titled
from services.rules.engine.wording import counted
from services.rules.systems.forge_engine.card import PLACE_NAMES
from services.rules.systems.forge_engine.characters.person import TraitSource
from services.rules.systems.forge_engine.choices import Place
from services.rules.systems.forge_engine.sheet_lines import (
    ArmorLine,
    AttackLine,
    AttributeTest,
    DamageLine,
    MovementLine,
    ShieldLine,
    SkillLine,
    SpellLine,
    ThingLine,
    TraitLine,
    WeaponLine,
)
from services.rules.systems.forge_engine.skills import Against, Benefit, Use

SOURCES = {
    TraitSource.SPECIES: "of the species",
    TraitSource.CHOSEN: "chosen from a list of the species",
    TraitSource.BOUGHT: "bought",
    TraitSource.FREE: "free at this table",
    TraitSource.DEVELOPED: "taken up in play",
}
USES = {Use.BONUS: "a bonus", Use.ACTION: "an action", Use.REACTION: "a reaction"}
BENEFITS = {
    Benefit.DIE_PER_ENERGY: "a die for each energy added, up to the rating",
    Benefit.DICE_UP_TO_RATING: "dice up to the rating",
    Benefit.USES_PER_ROUND: "so many uses in a round",
    Benefit.TARGETS: "so many more targets",
    Benefit.EQUIPMENT_UP_TO_RATING: "equipment up to the rating without penalties",
    Benefit.ENERGY_UP_TO_RATING: "energy up to the rating",
    Benefit.EFFECT_UP_TO_RATING: "an effect of so many steps",
    Benefit.BUILDS_UP: "grows with use, up to the rating",
}
AGAINST = {
    Against.NOTHING: "nothing is rolled",
    Against.PD: "against physical defense",
    Against.MD: "against mental defense",
    Against.DIFFICULTY: "against a difficulty",
    Against.TEST: "against a test of the target",
}


def trait_item(line: TraitLine) -> SheetItem:
    """Return the line of a trait."""
    cost = f"{line.cp} CP" if line.cp else ""
    return SheetItem(line.name, sentence(line.text, plain(line.category), SOURCES[line.source], cost))


def damage_item(line: DamageLine) -> SheetItem:
    """Return the line of a damage type that is not taken as usual."""
    return SheetItem(line.name, f"{plain(line.response)} ({line.source})")


def movement_item(line: MovementLine) -> SheetItem:
    """Return the line of a way of moving."""
    figures = line.movement
    numbers = (
        (figures.energy_per_segment, "energy for 5 feet"),
        (figures.rise_energy, "energy for 5 feet of height"),
        (figures.hold_energy, "energy to stay in the air for a turn"),
        (figures.feet_per_strength, "feet for each rating of Strength"),
        (figures.speed_share, "feet of speed for 5 feet"),
        (line.farthest, "feet at most"),
    )
    told = (f"{number} {unit}" for number, unit in numbers if number is not None)
    rough = "rough ground costs nothing more" if figures.ignores_rough_ground else ""
    return SheetItem(line.name, sentence(line.text, plain(figures.kind), *told, rough))


def skill_item(line: SkillLine) -> SheetItem:
    """Return the line of a skill."""
    most = "" if line.most is None else f" of {line.most} at most"
    return SheetItem(
        line.name,
        sentence(
            f"rating {line.rating}{most}",
            "" if line.attribute is None else line.attribute.label,
            "" if line.use is None else USES[line.use],
            "" if line.benefit is None else BENEFITS[line.benefit],
            "a stance" if line.stance else "",
            "free for everybody" if line.free else "",
            f"{line.developed} developed in play" if line.developed else "",
            line.text,
        ),
    )


def spell_item(line: SpellLine) -> SheetItem:
    """Return the line of a spell."""
    more = " or more" if line.expend_more else ""
    greatest = "" if line.max_dice is None else f"greatest casting {_dice(line.max_dice)}"
    return SheetItem(
        line.name,
        sentence(
            f"rating {line.rating} of {line.most} at most",
            f"{line.school_name or 'cantrip'}, {line.attribute.label}",
            USES[line.use],
            AGAINST[line.against],
            f"expends {line.expend} energy{more}" if line.expend or more else "",
            f"range {line.range} feet",
            line.duration,
            greatest,
            "" if line.max_cost is None else f"for {_energy(line.max_cost)}",
            "" if line.castable else "no hand is free for it",
            f"{line.developed} developed in play" if line.developed else "",
            line.text,
        ),
    )


def attribute_test_item(line: AttributeTest) -> SheetItem:
    """Return the line of an attribute test."""
    bonuses = (f"{one.dice:+d} {one.when} ({one.source}, {one.rule})" for one in line.bonuses)
    trained = "" if line.trained else "untrained"
    return SheetItem(
        line.name, sentence(counted(line.dice.value, "die", "dice"), line.attribute.label, trained, *bonuses)
    )


def weapon_item(line: WeaponLine, skills: Mapping[str, str]) -> SheetItem:
    """Return the line of a weapon.

    Args:
        line: The weapon.
        skills: Names of the character's skills, by content id.
    """
    aimed = "" if line.max_range is None else f"{line.min_range or 0} to {line.max_range} feet, "
    return SheetItem(
        _count(line.name, line.count),
        sentence(
            "part of the body" if line.natural else "",
            "" if line.place is None else _place(line.place),
            "ready" if line.ready else "not ready",
            f"takes {counted(line.hands, 'hand')}",
            " or ".join(titled(one).lower() for one in line.damage),
            f"{aimed}{line.farthest} feet at most",
            " ".join(line.codes),
            *(_attack(attack, skills) for attack in line.attacks),
            "" if line.holds is None else f"{line.loaded or 0} of {line.holds} loaded",
            "" if line.ammunition is None else f"{line.ammunition} spare",
            *line.notes,
        ),
    )


def _attack(line: AttackLine, skills: Mapping[str, str]) -> str:
    skill = ""
    if line.skill is not None:
        skill = f", helped by {skills.get(line.skill) or titled(line.skill)} {line.skill_rating}"
    greatest = ""
    if line.max_dice is not None and line.max_cost is not None:
        greatest = f", greatest {_dice(line.max_dice)} for {_energy(line.max_cost)}"
    arc = f", {line.arc}" if line.arc else ""
    plainly = f"{_dice(line.dice)} for {_energy(line.cost)}"
    return f"{line.name} ({line.attribute.label}{skill}): {plainly}{greatest}{arc}"


def armor_item(line: ArmorLine) -> SheetItem:
    """Return the line of armour."""
    trained = "trained" if line.trained else "untrained"
    return SheetItem(
        _count(line.name, line.count),
        sentence(_place(line.place), f"rating {line.rating}", f"Agility {line.cap} at most", trained),
    )


def shield_item(line: ShieldLine) -> SheetItem:
    """Return the line of a shield."""
    return SheetItem(
        _count(line.name, line.count),
        sentence(
            _place(line.place),
            f"{counted(line.rating, 'die', 'dice')} of PD for {_energy(line.cost)}",
            "trained" if line.trained else "untrained",
            "held" if line.ready else "not held",
        ),
    )


def thing_item(line: ThingLine) -> SheetItem:
    """Return the line of anything else that is carried."""
    return SheetItem(_count(line.name, line.count), sentence(_place(line.place), line.note))


def _place(place: Place) -> str:
    return PLACE_NAMES[place].lower()


def _count(name: str, count: int) -> str:
    return name if count == 1 else f"{count} {name}"


def _dice(value: Explained) -> str:
    return amount(value, "die", "dice")


def _energy(value: Explained) -> str:
    return amount(value, "energy", "energy")
