"""What a character carries, wears and holds (Equipment / Carrying Equipment; K2, Q4 to Q6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.permission import absence_problems
from services.rules.systems.forge_engine.characters.person import TWO_HANDS, Person
from services.rules.systems.forge_engine.choices import Carried, CharacterChoices, Place, Thing
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentKind, EquipmentTable

RULE = "Equipment / Carrying Equipment"
IN_HAND = (Place.WIELDED, Place.OFF_HAND)

MOST_OF_A_KIND = 999
MOST_BONUS_DICE = 20
MOST_KG = 1000
NAME_LENGTH, NOTE_LENGTH = 80, 300


@dataclass(frozen=True, slots=True)
class Piece:
    """A row of the tables that is carried.

    Attributes:
        index: Its place among the choices.
    """

    index: int
    carried: Carried
    item: Equipment
    table: EquipmentTable

    @property
    def in_hand(self) -> bool:
        """Whether it is held ready."""
        return self.carried.place in IN_HAND

    @property
    def is_armor(self) -> bool:
        """Whether it is armour."""
        return self.table.kind is EquipmentKind.ARMOR

    @property
    def is_shield(self) -> bool:
        """Whether it is a shield."""
        return self.table.kind is EquipmentKind.SHIELD


def pieces(choices: CharacterChoices, catalog: Catalog) -> tuple[Piece, ...]:
    """Everything of the tables that is carried; what is unknown is left out."""
    found: list[Piece] = []
    for index, carried in enumerate(choices.equipment):
        item = catalog.equipment.get(carried.item)
        table = None if item is None else catalog.tables.get(item.table)
        if item is not None and table is not None:
            found.append(Piece(index, carried, item, table))
    return tuple(found)


def worn_armor(choices: CharacterChoices, catalog: Catalog) -> Equipment | None:
    """The armour that is worn."""
    worn = (piece for piece in pieces(choices, catalog) if piece.is_armor)
    return next((piece.item for piece in worn if piece.carried.place is Place.WORN), None)


def hands_used(choices: CharacterChoices, catalog: Catalog) -> int:
    """How many hands hold something."""
    held = sum(piece.item.hands * piece.carried.count for piece in pieces(choices, catalog) if piece.in_hand)
    return held + sum(thing.count for thing in choices.things if thing.place in IN_HAND)


def load_kg(choices: CharacterChoices) -> int:
    """Kilograms carried: what the player says, and things that have a weight of their own."""
    return choices.load_kg + sum(thing.weight_kg * thing.count for thing in choices.things)


def belonging_problems(choices: CharacterChoices, person: Person, catalog: Catalog) -> Iterator[RuleProblem]:
    """Every rule that what is carried breaks."""
    for index, carried in enumerate(choices.equipment):
        yield from _item_problems(carried, catalog, ("equipment", index))
    for index, thing in enumerate(choices.things):
        yield from _thing_problems(thing, catalog, ("things", index))
    yield from _armor_problems(choices, catalog)
    yield from _hand_problems(choices, person, catalog)
    yield from _leave_problems(choices, person, catalog)
    if not 0 <= choices.load_kg <= MOST_KG:
        yield RuleProblem(
            "load_out_of_range",
            "A load is no less than nothing.",
            "Equipment / Encumbrance [R-98]",
            ("load_kg",),
            choices.load_kg,
            (0, MOST_KG),
        )


def _item_problems(carried: Carried, catalog: Catalog, path: KeyPath) -> Iterator[RuleProblem]:
    yield from _count_problems(carried.count, path)
    item = catalog.equipment.get(carried.item)
    table = None if item is None else catalog.tables.get(item.table)
    if item is None or table is None:
        yield RuleProblem(
            "unknown_equipment", "There is no such equipment.", "Equipment", (*path, "item"), carried.item
        )
        return
    yield from absence_problems(item.id, item.name, catalog, (*path, "item"), era=item.era)
    yield from _ammunition_problems(carried, item, path)
    allowed = _places(table.kind, item)
    if carried.place not in allowed:
        yield RuleProblem(
            "wrong_place",
            f"{item.name} cannot be carried like that.",
            RULE,
            (*path, "place"),
            carried.place.value,
            tuple(place.value for place in allowed),
        )


def _ammunition_problems(carried: Carried, item: Equipment, path: KeyPath) -> Iterator[RuleProblem]:
    for key, count, most in (
        ("loaded", carried.loaded, item.holds or 0),
        ("ammunition", carried.ammunition, MOST_OF_A_KIND if item.holds else 0),
    ):
        if count is not None and not 0 <= count <= most:
            yield RuleProblem(
                "ammunition_out_of_range",
                f"{item.name} holds {item.holds or 0}, and spare pieces end at {MOST_OF_A_KIND}.",
                "Equipment / Consumables",
                (*path, key),
                count,
                (0, most),
            )


def _places(kind: EquipmentKind, item: Equipment) -> tuple[Place, ...]:
    match kind:
        case EquipmentKind.ARMOR:
            return (Place.WORN, Place.SLUNG, Place.STOWED)
        case EquipmentKind.SHIELD:
            return (Place.OFF_HAND, Place.SLUNG, Place.STOWED)
        case _ if item.hands > 1:
            return (Place.WIELDED, Place.SLUNG, Place.STOWED)
        case _:
            return (Place.WIELDED, Place.OFF_HAND, Place.SLUNG, Place.STOWED)


def _count_problems(count: int, path: KeyPath) -> Iterator[RuleProblem]:
    if not 1 <= count <= MOST_OF_A_KIND:
        yield RuleProblem(
            "count_out_of_range",
            f"Count from 1 to {MOST_OF_A_KIND}.",
            "Equipment",
            (*path, "count"),
            count,
            (1, MOST_OF_A_KIND),
        )


def _thing_problems(thing: Thing, catalog: Catalog, path: KeyPath) -> Iterator[RuleProblem]:
    yield from _count_problems(thing.count, path)
    if not thing.name.strip():
        yield RuleProblem(
            "thing_without_name", "A thing has a name.", "Equipment", (*path, "name"), thing.name
        )
    for key, text, most in (("name", thing.name, NAME_LENGTH), ("note", thing.note, NOTE_LENGTH)):
        if len(text) > most:
            yield RuleProblem(
                "text_too_long", f"At most {most} signs fit.", "Equipment", (*path, key), len(text), most
            )
    if not 0 <= thing.dice <= MOST_BONUS_DICE:
        yield RuleProblem(
            "bonus_out_of_range",
            f"A tool gives from 0 to {MOST_BONUS_DICE} dice.",
            "Equipment / Tools",
            (*path, "dice"),
            thing.dice,
            (0, MOST_BONUS_DICE),
        )
    if not 0 <= thing.weight_kg <= MOST_KG:
        yield RuleProblem(
            "load_out_of_range",
            "Nothing weighs less than nothing.",
            "Equipment / Encumbrance [R-98]",
            (*path, "weight_kg"),
            thing.weight_kg,
            (0, MOST_KG),
        )
    if thing.skill is not None and thing.skill not in catalog.skills:
        yield RuleProblem(
            "unknown_skill",
            "Tools help with general skills; this is none.",
            "Equipment / Tools",
            (*path, "skill"),
            thing.skill,
        )


def _armor_problems(choices: CharacterChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    worn = [
        piece for piece in pieces(choices, catalog) if piece.is_armor and piece.carried.place is Place.WORN
    ]
    suits = 0
    for piece in worn:
        suits += max(piece.carried.count, 1)
        if suits > 1:
            yield RuleProblem(
                "armor_twice",
                "One armor is worn, not several.",
                "Equipment / Armor and Shields",
                ("equipment", piece.index),
                suits,
                1,
            )


def _hand_problems(choices: CharacterChoices, person: Person, catalog: Catalog) -> Iterator[RuleProblem]:
    used = hands_used(choices, catalog)
    if used > person.hands:
        yield RuleProblem(
            "too_many_hands",
            f"What is held takes {used} hands; there are {person.hands}.",
            RULE,
            ("equipment",),
            used,
            person.hands,
        )
    extra = person.hands - TWO_HANDS
    for place, words in ((Place.WIELDED, "main hand"), (Place.OFF_HAND, "off-hand")):
        held = sum(
            piece.carried.count for piece in pieces(choices, catalog) if piece.carried.place is place
        ) + sum(thing.count for thing in choices.things if thing.place is place)
        if held > 1 + extra:
            yield RuleProblem(
                "hand_full",
                f"The {words} holds one thing.",
                RULE,
                ("equipment",),
                held,
                1 + extra,
            )


def _leave_problems(choices: CharacterChoices, person: Person, catalog: Catalog) -> Iterator[RuleProblem]:
    barring = next((owned.trait for owned in person.traits if owned.trait.bars_equipment), None)
    for key, count in (("equipment", len(choices.equipment)), ("things", len(choices.things))):
        if not count:
            continue
        if catalog.settings.equipment_by_leave:
            yield RuleProblem(
                "equipment_by_leave",
                "At this table the game master hands out equipment.",
                "Character Creation / Step 9",
                (key,),
                count,
                0,
            )
        if barring is not None:
            yield RuleProblem(
                "cannot_carry",
                f"With {barring.name}, nothing can be worn, wielded, slung or carried.",
                f"Traits / {barring.name}",
                (key,),
                count,
                0,
            )
