"""Choices to a hero: checks every rule at once, then counts every number.

`HeroChoices` is all a player decides. `build` gives a `HeroSheet`, or every broken rule with its path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.dungeonteller.catalog import (
    Armor,
    Catalog,
    Role,
    Weapon,
    price_of,
)
from services.rules.systems.dungeonteller.hero import Hero, assemble
from services.rules.systems.dungeonteller.rewards import Reward, grow, reward_problems
from services.rules.systems.dungeonteller.sheet import HeroSheet
from services.rules.systems.dungeonteller.wearing import hand_problems, wear_problem

SHIELD = "dungeonteller:weapon/shield"
NAME_LENGTH = 80
LOOK_LENGTH = 500
MOST_OF_ONE_ITEM = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """Something bought with the starting gold.

    Attributes:
        item: Content id of armour, a weapon or gear.
        count: How many, from 1.
    """

    item: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroChoices:
    """Everything a player decides about a hero.

    Attributes:
        name: The hero's name.
        role: Content id of the role.
        look: What the hero looks like, in a few words.
        kit: Whether to take the role's starting kit; otherwise its price is gold to spend (ruling P17).
        buys: Things bought.
        worn: Armour to wear, by content id; None for the armour the role starts with, if any.
        shield: Whether a shield is held.
        in_hand: Weapons held, by content id.
        malicious: Whether the hero is malicious, as a few wizard powers ask.
        rewards: Gained after sessions, one each.
    """

    name: str
    role: str
    look: str = ""
    kit: bool = True
    buys: tuple[Purchase, ...] = ()
    worn: str | None = None
    shield: bool = False
    in_hand: tuple[str, ...] = ()
    malicious: bool = False
    rewards: tuple[Reward, ...] = ()


def build(choices: HeroChoices, catalog: Catalog) -> HeroSheet | Problems:
    """Builds a hero, or names every rule the choices break."""
    role = catalog.roles.get(choices.role)
    problems = (
        *_name_problems(choices),
        *_role_problems(choices, role, catalog),
        *_purchase_problems(choices, catalog),
        *_gold_problems(choices, role, catalog),
        *_armor_problems(choices, role, catalog),
        *_hand_problems(choices, role, catalog),
        *reward_problems(choices.rewards, role, catalog, malicious=choices.malicious),
    )
    if problems or role is None:
        return Problems(problems)
    return assemble(
        Hero(
            name=choices.name.strip(),
            look=choices.look.strip(),
            role=role,
            growth=grow(role, choices.rewards, catalog),
            rewards=choices.rewards,
            owned=_owned(choices, role, catalog),
            worn=_worn(choices, role, catalog),
            shield=catalog.weapons[SHIELD] if choices.shield else None,
            in_hand=choices.in_hand,
            purse=_purse(choices, role, catalog),
            spent=_spent(choices, catalog),
        ),
        catalog,
    )


def _name_problems(choices: HeroChoices) -> Iterator[RuleProblem]:
    if not choices.name.strip():
        yield RuleProblem("name_missing", "A hero needs a name.", "hero card", ("name",), choices.name)
    for field, text, limit in (("name", choices.name, NAME_LENGTH), ("look", choices.look, LOOK_LENGTH)):
        if len(text) > limit:
            yield RuleProblem(
                f"{field}_too_long", f"At most {limit} signs fit.", "hero card", (field,), len(text), limit
            )


def _role_problems(choices: HeroChoices, role: Role | None, catalog: Catalog) -> Iterator[RuleProblem]:
    if role is None:
        yield RuleProblem(
            "role_unknown",
            "There is no such role.",
            "List of Roles",
            ("role",),
            choices.role,
            catalog.roles.ids,
        )


def _purchase_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    for index, buy in enumerate(choices.buys):
        path: KeyPath = ("buys", index)
        item = catalog.item(buy.item)
        if item is None:
            yield _unknown_item((*path, "item"), buy.item, catalog)
        elif price_of(item) is None:
            yield RuleProblem(
                "item_not_for_sale", f"{item.name} cannot be bought.", "Stuff", (*path, "item"), buy.item
            )
        if not 1 <= buy.count <= MOST_OF_ONE_ITEM:
            yield RuleProblem(
                "count_out_of_range",
                f"Buy from 1 to {MOST_OF_ONE_ITEM} of a thing.",
                "Stuff",
                (*path, "count"),
                buy.count,
                (1, MOST_OF_ONE_ITEM),
            )


def _gold_problems(choices: HeroChoices, role: Role | None, catalog: Catalog) -> Iterator[RuleProblem]:
    if role is None:
        return
    purse, spent = _purse(choices, role, catalog), _spent(choices, catalog)
    if spent > purse:
        yield RuleProblem(
            "not_enough_gold",
            f"These things cost {spent} gold, and there are {purse}.",
            "Stuff [P17]",
            ("buys",),
            spent,
            purse,
        )


def _armor_problems(choices: HeroChoices, role: Role | None, catalog: Catalog) -> Iterator[RuleProblem]:
    if choices.worn is not None:
        if catalog.armor.get(choices.worn) is None:
            code = "item_not_armor" if catalog.item(choices.worn) else "item_unknown"
            yield RuleProblem(
                code, "This is no armor.", "Stuff / Armor List", ("worn",), choices.worn, catalog.armor.ids
            )
        elif role is not None and choices.worn not in _owned(choices, role, catalog):
            yield _not_owned(("worn",), choices.worn)
    if role is None:
        return
    armor = _worn(choices, role, catalog)
    muscle = grow(role, choices.rewards, catalog).ratings.muscle
    if armor is not None:
        problem = wear_problem(armor.name, armor.value, muscle, ("worn",))
        if problem is not None:
            yield problem
    if choices.shield:
        shield = catalog.weapons[SHIELD]
        problem = wear_problem(shield.name, shield.armor, muscle, ("shield",))
        if problem is not None:
            yield problem
        if SHIELD not in _owned(choices, role, catalog):
            yield _not_owned(("shield",), SHIELD)


def _hand_problems(choices: HeroChoices, role: Role | None, catalog: Catalog) -> Iterator[RuleProblem]:
    owned = _owned(choices, role, catalog) if role is not None else None
    held: Counter[str] = Counter({SHIELD: 1} if choices.shield else {})
    weapons: list[tuple[KeyPath, Weapon]] = []
    for index, weapon_id in enumerate(choices.in_hand):
        path: KeyPath = ("in_hand", index)
        weapon = catalog.weapons.get(weapon_id)
        if weapon is None:
            if catalog.item(weapon_id) is None:
                yield _unknown_item(path, weapon_id, catalog)
            else:
                yield RuleProblem(
                    "item_not_weapon", "This is no weapon.", "Stuff", path, weapon_id, catalog.weapons.ids
                )
            continue
        weapons.append((path, weapon))
        held[weapon_id] += 1
        if owned is not None and not weapon.free and held[weapon_id] > owned[weapon_id]:
            yield _not_owned(path, weapon_id)
    yield from hand_problems(tuple(weapons), shield=choices.shield)


def _unknown_item(path: KeyPath, found: str, catalog: Catalog) -> RuleProblem:
    for_sale = tuple(
        item.id
        for shelf in (catalog.armor, catalog.weapons, catalog.gear)
        for item in shelf
        if price_of(item) is not None
    )
    return RuleProblem("item_unknown", "There is no such thing.", "Stuff", path, found, for_sale)


def _not_owned(path: KeyPath, found: str) -> RuleProblem:
    return RuleProblem(
        "item_not_owned", "No card, no thing: the hero does not have this.", "Stuff", path, found
    )


def _owned(choices: HeroChoices, role: Role, catalog: Catalog) -> Counter[str]:
    owned: Counter[str] = Counter()
    if role.armor is not None:
        owned[role.armor] += 1
    if choices.kit:
        for line in catalog.kit_of(role):
            owned[line.item] += line.count
    for buy in choices.buys:
        owned[buy.item] += buy.count
    return owned


def _worn(choices: HeroChoices, role: Role, catalog: Catalog) -> Armor | None:
    return catalog.armor.get(choices.worn or role.armor or "")


def _purse(choices: HeroChoices, role: Role, catalog: Catalog) -> int:
    return catalog.settings.purse + (0 if choices.kit else catalog.price_of_kit(role))


def _spent(choices: HeroChoices, catalog: Catalog) -> int:
    return sum((price_of(catalog.item(buy.item)) or 0) * max(buy.count, 0) for buy in choices.buys)
