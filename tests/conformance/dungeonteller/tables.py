"""Areas about the book's tables, and what may be worn and held."""

from __future__ import annotations

from dataclasses import asdict

from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Armor, Weapon, called
from services.rules.systems.dungeonteller.outfit import hand_problems, magic_armor, wear_problem
from services.rules.systems.dungeonteller.powers import Light
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    SHIELD,
    Answer,
    Given,
    find,
    refused,
)


def role(given: Given) -> Answer:
    """A role's card."""
    found = find(CATALOG.roles, given["role"])
    armor = CATALOG.armor.get(found.armor or "")
    return {
        "luck": found.luck,
        "dice": {action.label: found.ratings.of(action) for action in Action},
        "armor": 0 if armor is None else armor.value,
    }


def weapon_table(given: Given) -> Answer:
    """A row of the weapon list."""
    weapon = find(CATALOG.weapons, given["weapon"])
    return {
        "dice": weapon.dice,
        "hands": weapon.hands,
        "gold": weapon.gold,
        "use": [action.label for action in weapon.use],
    }


def armor_table(given: Given) -> Answer:
    """A row of the armour list; the shield stands with the weapons."""
    item: Armor | Weapon = called(CATALOG.armor, given["armor"]) or find(CATALOG.weapons, given["armor"])
    return {"value": item.value if isinstance(item, Armor) else item.armor, "gold": item.gold}


def armor(given: Given) -> Answer:
    """What can be worn, and held beside a shield."""
    if given.get("weapon") is not None:
        weapon = find(CATALOG.weapons, given["weapon"])
        problems = hand_problems((((), weapon),), shield=bool(given.get("shield")))
        return refused(problems[0]) if problems else {"legal": True}
    value = 0
    worn: list[tuple[str, int]] = []
    if given.get("armor"):
        name, _, printed = given["armor"].partition("+")
        piece = called(CATALOG.armor, name)
        if piece is None:
            worn.append((SHIELD.name, SHIELD.armor))
        else:
            worn.append((piece.name, magic_armor(piece, int(printed or given.get("magic") or 0))))
    if given.get("shield"):
        worn.append((SHIELD.name, SHIELD.armor))
    for name, piece_value in worn:
        problem = wear_problem(name, piece_value, given["muscle"])
        if problem is not None:
            return {"can_wear": False, "error": problem.code}
        value += piece_value
    return {"can_wear": True, "value": value}


def power_data(given: Given) -> Answer:
    """A power's row: what it costs, rolls, lasts, and its figures."""
    power = find(CATALOG.powers, given["power"])
    figures = {name: value for name, value in asdict(power.figures).items() if value is not None}
    return {
        "luck_cost": power.luck_cost,
        "roll": _together(power.roll),
        "duration": power.duration.value,
        "opposed_by": _together(power.opposed_by),
        **{name: value.value if isinstance(value, Light) else value for name, value in figures.items()},
    }


def _together(rolled: tuple[Action, ...]) -> str | None:
    return "+".join(action.label for action in rolled) or None
