"""What a hero owns, wears and holds, and the gold that is left (Stuff)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.dungeonteller.catalog import Armor, Catalog, Role, Weapon, price_of
from services.rules.systems.dungeonteller.choices import HeroChoices, Purchase
from services.rules.systems.dungeonteller.outfit import hand_problems, wear_problem
from services.rules.systems.dungeonteller.own_role import role_of
from services.rules.systems.dungeonteller.rewards import grow
from services.rules.systems.dungeonteller.things import BodyPart, Item, TreasureKind

SHIELD = "dungeonteller:weapon/shield"
MOST_OF_ONE_ITEM = 99
GOLD_LIMIT = 1_000_000


def owned(choices: HeroChoices, role: Role, catalog: Catalog) -> Counter[str]:
    """How many of each thing the hero has, by content id: given, bought and found, less what was lost."""
    things = _gained(choices, role, catalog)
    things.subtract(_counted(choices.lost))
    return +things


def worn_armor(choices: HeroChoices, role: Role, catalog: Catalog) -> Armor | None:
    """The armour worn: the one chosen, or the role's own as long as the hero has it."""
    if choices.worn is not None:
        return catalog.armor_of(choices.worn)
    own = role.armor or ""
    return catalog.armor_of(own) if owned(choices, role, catalog)[own] else None


def purse(choices: HeroChoices, role: Role, catalog: Catalog) -> int:
    """Gold at the start (ruling P17)."""
    settings = catalog.settings
    if choices.own_role is not None and not choices.role:
        return settings.purse + settings.own_role.kit_gold
    return settings.purse + (0 if choices.kit else catalog.price_of_kit(role))


def spent(choices: HeroChoices, catalog: Catalog) -> int:
    """Gold that the things bought cost."""
    return sum((price_of(catalog.item(buy.item)) or 0) * max(buy.count, 0) for buy in choices.buys)


def take_in(
    choices: HeroChoices,
    catalog: Catalog,
    *,
    found: Iterable[Purchase] = (),
    lost: Iterable[Purchase] = (),
    gold: int = 0,
) -> HeroChoices:
    """The hero after things and gold came and went in play. Never fails.

    Choices that build still build afterwards: no more is lost than is there, what is gone is neither worn
    nor held, and gold stops at zero. What the content does not know is left out.
    """
    role = role_of(choices, catalog)
    if role is None:
        return choices
    new, gone = _counted(choices.found), _counted(choices.lost)
    new.update(_counted(line for line in found if _has_card(catalog.item(line.item))))
    have = _gained(replace(choices, found=_lines(new)), role, catalog)
    have.subtract(gone)
    for item, count in _counted(lost).items():
        taken = min(count, max(have[item], 0))
        # What was found goes first, so that the lists stay short.
        from_found = min(taken, new[item])
        new[item] -= from_found
        gone[item] += taken - from_found
    after = replace(
        choices,
        found=_lines(new),
        lost=_lines(gone),
        gold_found=_gold_after(choices, role, catalog, gold),
    )
    return _put_away(after, role, catalog)


def thing_problems(choices: HeroChoices, role: Role | None, catalog: Catalog) -> Iterator[RuleProblem]:
    """Every rule that things bought, found and lost break, and the gold for them."""
    yield from _buy_problems(choices, catalog)
    yield from _found_problems(choices, catalog)
    yield from _lost_problems(choices, role, catalog)
    if role is not None:
        yield from _gold_problems(choices, role, catalog)


def use_problems(choices: HeroChoices, role: Role | None, catalog: Catalog) -> Iterator[RuleProblem]:
    """Every rule that things worn and held break."""
    have = None if role is None else owned(choices, role, catalog)
    yield from _armor_problems(choices, role, catalog, have)
    yield from _wearing_problems(choices, catalog, have)
    yield from _hand_problems(choices, catalog, have)


def _gained(choices: HeroChoices, role: Role, catalog: Catalog) -> Counter[str]:
    things: Counter[str] = Counter()
    if role.armor is not None:
        things[role.armor] += 1
    if choices.kit:
        for line in catalog.kit_of(role):
            things[line.item] += line.count
    things.update(_counted((*choices.buys, *choices.found)))
    return things


def _counted(lines: Iterable[Purchase]) -> Counter[str]:
    things: Counter[str] = Counter()
    for line in lines:
        things[line.item] += max(line.count, 0)
    return things


def _lines(things: Counter[str]) -> tuple[Purchase, ...]:
    return tuple(
        Purchase(item=item, count=min(count - start, MOST_OF_ONE_ITEM))
        for item, count in things.items()
        for start in range(0, count, MOST_OF_ONE_ITEM)
    )


def _gold_after(choices: HeroChoices, role: Role, catalog: Catalog, gold: int) -> int:
    least = min(spent(choices, catalog) - purse(choices, role, catalog), choices.gold_found)
    return min(max(choices.gold_found + gold, least), max(GOLD_LIMIT, choices.gold_found))


def _put_away(choices: HeroChoices, role: Role, catalog: Catalog) -> HeroChoices:
    """The choices without wearing or holding what is gone."""
    have = owned(choices, role, catalog)
    in_use: Counter[str] = Counter({SHIELD: 1} if choices.shield and have[SHIELD] else {})
    in_hand: list[str] = []
    for item in choices.in_hand:
        weapon = catalog.weapon_of(item)
        if (weapon is not None and weapon.free) or in_use[item] < have[item]:
            in_hand.append(item)
            in_use[item] += 1
    return replace(
        choices,
        worn=choices.worn if choices.worn is not None and have[choices.worn] else None,
        shield=choices.shield and have[SHIELD] > 0,
        in_hand=tuple(in_hand),
        wearing=tuple(item for item in choices.wearing if have[item]),
    )


def _has_card(item: Item | None) -> bool:
    return item is not None and not (isinstance(item, Weapon) and item.free)


def _buy_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    for index, buy in enumerate(choices.buys):
        path: KeyPath = ("buys", index)
        item = catalog.item(buy.item)
        if item is None:
            yield _unknown_item((*path, "item"), buy.item, _for_sale(catalog))
        elif price_of(item) is None:
            yield RuleProblem(
                "item_not_for_sale", f"{item.name} cannot be bought.", "Stuff", (*path, "item"), buy.item
            )
        yield from _count_problems(buy, path)


def _found_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    for index, thing in enumerate(choices.found):
        path: KeyPath = ("found", index)
        item = catalog.item(thing.item)
        if item is None:
            yield _unknown_item((*path, "item"), thing.item, catalog.treasures.ids)
        elif not _has_card(item):
            yield RuleProblem(
                "item_has_no_card",
                f"Everyone has {item.name} without a card.",
                "Stuff",
                (*path, "item"),
                thing.item,
            )
        yield from _count_problems(thing, path)


def _lost_problems(choices: HeroChoices, role: Role | None, catalog: Catalog) -> Iterator[RuleProblem]:
    left = None if role is None else _gained(choices, role, catalog)
    for index, thing in enumerate(choices.lost):
        path: KeyPath = ("lost", index)
        item = catalog.item(thing.item)
        if item is None:
            yield _unknown_item((*path, "item"), thing.item, ())
        elif left is not None:
            had = max(left[thing.item], 0)
            if thing.count > had:
                yield RuleProblem(
                    "item_not_owned",
                    f"The hero has only {had} of these to lose." if had else "The hero does not have this.",
                    "Stuff",
                    (*path, "count") if had else (*path, "item"),
                    thing.count,
                    had,
                )
            left[thing.item] -= thing.count
        yield from _count_problems(thing, path)


def _count_problems(line: Purchase, path: KeyPath) -> Iterator[RuleProblem]:
    if not 1 <= line.count <= MOST_OF_ONE_ITEM:
        yield RuleProblem(
            "count_out_of_range",
            f"From 1 to {MOST_OF_ONE_ITEM} of a thing go on one line.",
            "Stuff",
            (*path, "count"),
            line.count,
            (1, MOST_OF_ONE_ITEM),
        )


def _gold_problems(choices: HeroChoices, role: Role, catalog: Catalog) -> Iterator[RuleProblem]:
    if abs(choices.gold_found) > GOLD_LIMIT:
        yield RuleProblem(
            "gold_out_of_range",
            f"At most {GOLD_LIMIT:,} gold come or go.",
            "Stuff",
            ("gold_found",),
            choices.gold_found,
            (-GOLD_LIMIT, GOLD_LIMIT),
        )
    start, cost = purse(choices, role, catalog), spent(choices, catalog)
    if cost > start + max(choices.gold_found, 0):
        there = start + max(choices.gold_found, 0)
        yield RuleProblem(
            "not_enough_gold",
            f"These things cost {cost} gold, and there are {there}.",
            "Stuff [P17]",
            ("buys",),
            cost,
            there,
        )
    elif start + choices.gold_found < cost:
        yield RuleProblem(
            "not_enough_gold",
            f"Only {start - cost} gold are there to spend.",
            "Stuff [P17]",
            ("gold_found",),
            choices.gold_found,
            cost - start,
        )


def _armor_problems(
    choices: HeroChoices, role: Role | None, catalog: Catalog, have: Counter[str] | None
) -> Iterator[RuleProblem]:
    if choices.worn is not None:
        if catalog.armor_of(choices.worn) is None:
            code = "item_not_armor" if catalog.item(choices.worn) else "item_unknown"
            allowed = (*catalog.armor.ids, *_treasures(catalog, TreasureKind.ARMOR))
            yield RuleProblem(
                code, "This is no armor.", "Stuff / Armor List", ("worn",), choices.worn, allowed
            )
        elif have is not None and not have[choices.worn]:
            yield _not_owned(("worn",), choices.worn)
    if role is None or have is None:
        return
    armor = worn_armor(choices, role, catalog)
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
        if not have[SHIELD]:
            yield _not_owned(("shield",), SHIELD)


def _wearing_problems(
    choices: HeroChoices, catalog: Catalog, have: Counter[str] | None
) -> Iterator[RuleProblem]:
    taken: dict[BodyPart, str] = {}
    for index, item in enumerate(choices.wearing):
        path: KeyPath = ("wearing", index)
        treasure = catalog.treasures.get(item)
        if treasure is None or treasure.place is None:
            code = "item_not_wearable" if catalog.item(item) else "item_unknown"
            allowed = _treasures(catalog, TreasureKind.WORN)
            yield RuleProblem(code, "This is nothing to wear.", "Stuff", path, item, allowed)
            continue
        if have is not None and not have[item]:
            yield _not_owned(path, item)
        if treasure.place in taken:
            yield RuleProblem(
                "place_taken",
                f"Something is worn there already: {taken[treasure.place]}.",
                "Stuff",
                path,
                treasure.place.value,
            )
        else:
            taken[treasure.place] = treasure.name


def _hand_problems(
    choices: HeroChoices, catalog: Catalog, have: Counter[str] | None
) -> Iterator[RuleProblem]:
    held: Counter[str] = Counter({SHIELD: 1} if choices.shield else {})
    weapons: list[tuple[KeyPath, Weapon]] = []
    for index, weapon_id in enumerate(choices.in_hand):
        path: KeyPath = ("in_hand", index)
        weapon = catalog.weapon_of(weapon_id)
        if weapon is None:
            if catalog.item(weapon_id) is None:
                yield _unknown_item(path, weapon_id, _for_sale(catalog))
            else:
                allowed = (
                    *catalog.weapons.ids,
                    *_treasures(catalog, TreasureKind.WEAPON, TreasureKind.HELD),
                )
                yield RuleProblem(
                    "item_not_weapon", "This is nothing to hold.", "Stuff", path, weapon_id, allowed
                )
            continue
        weapons.append((path, weapon))
        held[weapon_id] += 1
        if have is not None and not weapon.free and held[weapon_id] > have[weapon_id]:
            yield _not_owned(path, weapon_id)
    yield from hand_problems(tuple(weapons), shield=choices.shield)


def _treasures(catalog: Catalog, *kinds: TreasureKind) -> tuple[str, ...]:
    return tuple(treasure.id for treasure in catalog.treasures if treasure.kind in kinds)


def _for_sale(catalog: Catalog) -> tuple[str, ...]:
    return tuple(
        item.id
        for shelf in (catalog.armor, catalog.weapons, catalog.gear)
        for item in shelf
        if price_of(item) is not None
    )


def _unknown_item(path: KeyPath, found: str, allowed: tuple[str, ...]) -> RuleProblem:
    return RuleProblem("item_unknown", "There is no such thing.", "Stuff", path, found, allowed)


def _not_owned(path: KeyPath, found: str) -> RuleProblem:
    return RuleProblem(
        "item_not_owned", "No card, no thing: the hero does not have this.", "Stuff", path, found
    )
