"""A character's sheet as any client draws it, in the order of the paper ones (Character Sheets)."""

from __future__ import annotations

from services.rules.engine.sheet_sections import (
    SheetEntry,
    SheetItem,
    SheetLayout,
    SheetSection,
    checks_section,
    group,
    items_entry,
    laid_out,
    number_entry,
    section,
    sentence,
    text_entry,
    track_entry,
)
from services.rules.engine.wording import counted, listed
from services.rules.systems.forge_engine.characters.development import LedgerLine
from services.rules.systems.forge_engine.characters.skill_rules import SkillKind
from services.rules.systems.forge_engine.section_items import (
    armor_item,
    attribute_test_item,
    damage_item,
    movement_item,
    shield_item,
    skill_item,
    spell_item,
    thing_item,
    trait_item,
    weapon_item,
)
from services.rules.systems.forge_engine.sheet import CharacterSheet
from services.rules.systems.forge_engine.sheet_lines import AttributeLine, BonusLine


def character_sections(sheet: CharacterSheet) -> tuple[SheetSection, ...]:
    """Return the sections of a character's sheet."""
    return laid_out(
        _person(sheet),
        _attributes(sheet),
        _play(sheet),
        _body(sheet),
        section(
            "traits",
            "Traits",
            group(
                "traits",
                "",
                items_entry("traits", "Traits", (trait_item(one) for one in sheet.traits)),
                items_entry(
                    "senses",
                    "Senses",
                    (SheetItem(one.name, sentence(one.text, _feet(one.range))) for one in sheet.senses),
                ),
                items_entry("damage", "Damage taken otherwise", (damage_item(one) for one in sheet.damage)),
                items_entry("movements", "Ways of moving", (movement_item(one) for one in sheet.movements)),
            ),
        ),
        _skills(sheet),
        _equipment(sheet),
        checks_section(sheet),
        _points(sheet),
    )


def _feet(distance: int | None) -> str:
    return "" if distance is None else counted(distance, "foot", "feet")


def _person(sheet: CharacterSheet) -> SheetSection:
    return section(
        "character",
        "Character",
        group(
            "person",
            "",
            text_entry("name", "Name", sheet.name),
            text_entry("concept", "Concept", sheet.concept),
            text_entry("species", "Species", sheet.species_name),
            text_entry("size", "Size", sheet.size_name),
            text_entry("personality", "Personality", sheet.personality),
            text_entry("background", "Background", sheet.background),
            text_entry("moral_code", "Moral code", sheet.moral_code),
            text_entry("goals", "Goals", sheet.goals),
        ),
    )


def _attributes(sheet: CharacterSheet) -> SheetSection:
    return section(
        "attributes",
        "Attributes",
        group("attributes", "", *(_attribute(line) for line in sheet.attributes)),
        group(
            "bought",
            "",
            items_entry("bought", "As they were bought", (_bought(line) for line in sheet.attributes)),
        ),
    )


def _attribute(line: AttributeLine) -> SheetEntry:
    return number_entry(line.id.value, line.name, line.effective)


def _bought(line: AttributeLine) -> SheetItem:
    return SheetItem(
        f"{line.name} ({line.short})", f"rating {line.rating}; the next one costs {line.next_cp} CP"
    )


def _play(sheet: CharacterSheet) -> SheetSection:
    maxima = {"energy": sheet.energy, "health": sheet.health}
    return section(
        "play",
        "In play",
        group(
            "tracks",
            "",
            *(track_entry(track, maxima.get(track.id)) for track in sheet.tracks),
            number_entry("expended", "Energy expended", sheet.expended),
            number_entry("health_now", "Health now", sheet.health_now),
            text_entry("condition", "State", sheet.condition),
            items_entry(
                "conditions", "Conditions", (SheetItem(one.name, one.text) for one in sheet.conditions)
            ),
        ),
        group(
            "maxima",
            "At full",
            number_entry("energy_most", "Maximum energy", sheet.energy),
            number_entry("health_most", "Maximum health", sheet.health),
            number_entry("action_energy", "Further energy for every action", sheet.action_energy),
        ),
        group(
            "defense",
            "Defense",
            number_entry("pd", "Physical defense", sheet.pd, "die", "dice"),
            items_entry("pd_bonuses", "Physical defense at times", (_bonus(one) for one in sheet.pd_bonuses)),
            number_entry("md", "Mental defense", sheet.md, "die", "dice"),
            number_entry("initiative", "Initiative", sheet.initiative, "die", "dice"),
        ),
        group(
            "rest",
            "Short rest",
            number_entry("rest_health", "Health regained", sheet.rest_health),
            number_entry("rest_energy", "Energy regained", sheet.rest_energy),
        ),
    )


def _bonus(line: BonusLine) -> SheetItem:
    return SheetItem(f"{line.dice:+d} {line.when}", sentence(line.source, line.rule))


def _body(sheet: CharacterSheet) -> SheetSection:
    travel = sheet.travel
    return section(
        "body",
        "Body",
        group(
            "body",
            "",
            number_entry("speed", "Speed", sheet.speed, "foot a round", "feet a round"),
            number_entry("reach", "Reach", sheet.reach, "foot", "feet"),
            number_entry("space", "Space", sheet.space, "foot", "feet"),
            number_entry("strength_dice", "Strength dice of size", sheet.strength_dice),
            number_entry("hands", "Hands", sheet.hands),
            number_entry("free_hands", "Free hands", sheet.free_hands),
        ),
        group(
            "travel",
            "Travel",
            number_entry("walking", "Walking", travel.walking, "mile an hour", "miles an hour"),
            number_entry("running", "Running", travel.running, "mile an hour", "miles an hour"),
            number_entry("running_minutes", "Runs for", travel.running_minutes, "minute"),
        ),
        group("load", "Load", *_load(sheet)),
    )


def _load(sheet: CharacterSheet) -> tuple[SheetEntry, ...]:
    if sheet.load is None:
        return ()
    return (
        number_entry("load", "Carried", sheet.load.load_kg, "kg", "kg"),
        number_entry("load_most", "Carried freely at most", sheet.load.most_kg, "kg", "kg"),
        text_entry("slowed", "Slowed by the load", "yes" if sheet.load.slowed else "no"),
    )


def _skills(sheet: CharacterSheet) -> SheetSection:
    lists = (
        (SkillKind.GENERAL, "general", "General skills"),
        (SkillKind.BASIC, "basic", "Basic martial skills"),
        (SkillKind.SPECIALIZED, "specialized", "Specialized martial skills"),
        (SkillKind.MAGIC, "magic", "Skills of magic"),
    )
    return section(
        "skills",
        "Skills and spells",
        group(
            "skills",
            "",
            *(
                items_entry(key, label, (skill_item(one) for one in sheet.skills if one.kind is kind))
                for kind, key, label in lists
            ),
            items_entry("spells", "Spells", (spell_item(one) for one in sheet.spells)),
        ),
        group(
            "tests",
            "",
            items_entry("tests", "Attribute tests", (attribute_test_item(one) for one in sheet.tests)),
        ),
    )


def _equipment(sheet: CharacterSheet) -> SheetSection:
    skills = {one.id: one.name for one in sheet.skills}
    return section(
        "equipment",
        "Equipment",
        group(
            "equipment",
            "",
            items_entry("weapons", "Weapons", (weapon_item(one, skills) for one in sheet.weapons)),
            items_entry("armor", "Armour", (armor_item(one) for one in sheet.armor)),
            items_entry("shields", "Shields", (shield_item(one) for one in sheet.shields)),
            items_entry("things", "Other things", (thing_item(one) for one in sheet.things)),
        ),
    )


def _points(sheet: CharacterSheet) -> SheetSection:
    points = sheet.points
    return section(
        "points",
        "Character points",
        group(
            "points",
            "",
            number_entry("cp_left", "CP left", points.left),
            number_entry("cp_set_aside", "CP set aside", points.set_aside),
            number_entry("cp_kept", "CP kept from creation", points.kept),
            number_entry("cp_earned", "CP earned", points.earned),
            number_entry("cp_spent", "CP spent", points.spent),
            items_entry(
                "budgets",
                "Budgets of creation",
                (
                    SheetItem(one.name, f"{one.spent} of {one.allowed} spent ({one.rule})")
                    for one in points.budgets
                ),
            ),
            items_entry("ledger", "What came and went", (_ledger(one) for one in points.history)),
            items_entry(
                "leave",
                "By leave of the game master",
                (SheetItem(one.text, listed(one.used)) for one in sheet.leave),
            ),
        ),
    )


def _ledger(line: LedgerLine) -> SheetItem:
    waiting = "waits for the game master" if line.waiting else ""
    return SheetItem(line.text, sentence(f"{line.cp:+d} CP, then {line.balance}", waiting, line.note))


def _line(sheet: CharacterSheet) -> str:
    return ", ".join(word for word in (sheet.species_name, sheet.size_name, sheet.concept) if word)


LAYOUT: SheetLayout[CharacterSheet] = SheetLayout(
    sections=character_sections,
    line=_line,
    figures=("pd", "md", "initiative", "speed", "reach", "condition", "action_energy", "cp_left"),
)
