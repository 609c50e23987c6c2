"""A hero card to print: what the player keeps on the table, and a small card for every thing (Stuff).

The view of a sheet in a few plain words, and each of its numbers with its reasons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.rules.engine.explain import Explained, Part
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.movement import MOVE
from services.rules.systems.dungeonteller.sheet import (
    ActionLine,
    CompanionLine,
    HeroSheet,
    MovementLine,
    PowerLine,
)
from services.rules.systems.dungeonteller.things import Armor, Treasure, Weapon

FULL_PIP, EMPTY_PIP = "●", "○"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAction:
    """One of the ten actions on a card.

    Attributes:
        name: "Battle".
        dice: The rating.
        bonuses: Bonus dice in words: "+1 when you use a war hammer".
    """

    name: str
    dice: Explained
    bonuses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPower:
    """A power on a card.

    Attributes:
        name: What the power is called.
        cost: Its cost in words: "2 Luck", "free".
        dice: Dice rolled for it at full Luck; None when nothing is rolled.
        line: What it does.
    """

    name: str
    cost: str
    dice: Explained | None
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAttack:
    """A way of hitting on a card.

    Attributes:
        name: "Battle with Longsword".
        dice: The whole pool at full Luck, against a foe without Armor.
        ready: Whether the weapon is in hand.
    """

    name: str
    dice: Explained
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StuffCard:
    """A small card for one kind of thing: no card, no thing.

    Attributes:
        id: Content id of the thing; `gold` for the purse.
        title: "SHORTSWORD +2 Battle dice".
        count: How many of it.
        line: What it is, in plain words.
        in_use: Whether it is worn or in hand.
        numbers: The numbers of the title in their order, with their reasons.
    """

    id: str
    title: str
    count: int
    line: str
    in_use: bool = False
    numbers: tuple[Explained, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroCard:
    """A hero on one card.

    Attributes:
        name: What the hero is called.
        role: What the role is called.
        look: How the hero looks, in the player's words.
        luck: Luck at full, with where it comes from.
        pips: Luck to tick off, one sign each, full ones first.
        armor: Dice a foe loses.
        actions: The ten actions with their dice.
        powers: What the hero can do beyond plain actions.
        attacks: The ways in which the hero attacks.
        stuff: A small card for each kind of thing, the purse last.
        gold: Gold that is left, with how it was spent.
        move: Paces of a plain move.
        movement: How far the hero goes, in plain words.
        notes: Gifts that are not dice, and what light does.
        waiting: Rewards not yet approved, in plain words.
        companions: Who goes with the hero, in plain words.
    """

    name: str
    role: str
    look: str
    luck: Explained
    pips: str
    armor: Explained
    actions: tuple[CardAction, ...]
    powers: tuple[CardPower, ...]
    attacks: tuple[CardAttack, ...]
    stuff: tuple[StuffCard, ...]
    gold: Explained
    move: Explained
    movement: tuple[str, ...]
    notes: tuple[str, ...]
    waiting: tuple[str, ...]
    companions: tuple[str, ...] = ()


def hero_card(sheet: HeroSheet, catalog: Catalog) -> HeroCard:
    """The card of a hero."""
    luck = next(track for track in sheet.tracks if track.id == "luck")
    return HeroCard(
        name=sheet.name,
        role=sheet.role_name,
        look=sheet.look,
        luck=sheet.luck,
        pips=FULL_PIP * luck.current + EMPTY_PIP * (luck.maximum - luck.current),
        armor=sheet.armor,
        actions=tuple(_action(line) for line in sheet.actions),
        powers=tuple(_power(line) for line in sheet.powers),
        attacks=tuple(_attacks(sheet)),
        stuff=stuff_cards(sheet, catalog),
        gold=sheet.gold,
        move=_move(sheet.movement),
        movement=sheet.movement.notes,
        notes=sheet.notes,
        waiting=tuple(f"Session {line.session}: {line.text}" for line in sheet.waiting),
        companions=tuple(_companion(line) for line in sheet.companions),
    )


def _companion(line: CompanionLine) -> str:
    words = f"{line.name}, your {line.bond.value}."
    if line.lowers_luck:
        words += f" While it is there, your Luck is {line.lowers_luck} less."
    return words


def stuff_cards(sheet: HeroSheet, catalog: Catalog) -> tuple[StuffCard, ...]:
    """A card for each kind of thing the hero has, and one for the gold (Stuff)."""
    cards: dict[str, StuffCard] = {}
    for weapon in sheet.weapons:
        item = catalog.weapon_of(weapon.id)
        only_held = weapon.id in catalog.treasures and not (item is not None and item.counts_as)
        if item is not None and not item.free and not only_held:
            cards[weapon.id] = _weapon_card(item, weapon.count, catalog, in_use=weapon.in_hand)
    for thing in sheet.items:
        armor = catalog.armor_of(thing.id)
        if armor is not None:
            cards[thing.id] = _armor_card(armor, thing.count, in_use=thing.worn)
        elif thing.id not in catalog.treasures:
            cards[thing.id] = StuffCard(
                id=thing.id, title=thing.name.upper(), count=thing.count, line=thing.text
            )
    for line in sheet.treasures:
        treasure = catalog.treasures.get(line.id)
        if treasure is not None and line.id not in cards:
            cards[line.id] = _treasure_card(treasure, line.spell_name, line.count, in_use=line.in_use)
    gold = sheet.gold
    coins = StuffCard(id="gold", title=f"{gold.value} GOLD", count=1, line="Your coins.", numbers=(gold,))
    return (*cards.values(), coins)


def _action(line: ActionLine) -> CardAction:
    return CardAction(
        name=line.name,
        dice=line.rating,
        bonuses=tuple(f"{bonus.dice:+d} {bonus.when}" for bonus in line.bonuses),
    )


def _power(line: PowerLine) -> CardPower:
    return CardPower(name=line.name, cost=line.cost_text, dice=line.dice, line=line.text)


def _attacks(sheet: HeroSheet) -> Iterator[CardAttack]:
    for weapon in sheet.weapons:
        for attack in weapon.attacks:
            if attack.check is not None:
                yield CardAttack(
                    name=f"{attack.action.label} with {weapon.name}",
                    dice=attack.dice,
                    ready=weapon.in_hand,
                )


def _move(movement: MovementLine) -> Explained:
    return Explained.of(Part(movement.move, f"everyone walks {MOVE} paces", "Moving / Move"))


def _weapon_card(weapon: Weapon, count: int, catalog: Catalog, *, in_use: bool) -> StuffCard:
    treasure = catalog.treasures.get(weapon.id)
    base = catalog.weapons.get(weapon.counts_as[0]) if weapon.counts_as else None
    magic = () if treasure is None else treasure.bonuses
    numbers: list[Explained] = []
    words: list[str] = []
    for action in weapon.use:
        section = "Stuff / Battle Weapons" if action is Action.BATTLE else "Stuff / Shoot Weapons"
        dice = Explained.of(Part(weapon.dice, (base or weapon).name, section))
        for bonus in magic:
            if bonus.action is action:
                dice = dice.plus(bonus.dice, "magic", f"Treasure ({weapon.name})")
        numbers.append(dice)
        words.append(f"+{dice.value} {action.label} dice")
    if weapon.armor:
        numbers.append(Explained.of(Part(weapon.armor, weapon.name, "Stuff / Armor (shield)")))
        words.append(f"Armor {weapon.armor}")
    return StuffCard(
        id=weapon.id,
        title=_title(weapon.name, words),
        count=count,
        line=weapon.summary,
        in_use=in_use,
        numbers=tuple(numbers),
    )


def _armor_card(armor: Armor, count: int, *, in_use: bool) -> StuffCard:
    return StuffCard(
        id=armor.id,
        title=_title(armor.name, [f"Armor {armor.value}"]),
        count=count,
        line=armor.summary,
        in_use=in_use,
        numbers=(Explained.of(Part(armor.value, armor.name, "Stuff / Armor")),),
    )


def _treasure_card(treasure: Treasure, spell: str, count: int, *, in_use: bool) -> StuffCard:
    rule = f"Treasure ({treasure.name})"
    words = [f"{bonus.dice:+d} {bonus.action.label} dice" for bonus in treasure.bonuses]
    numbers = [Explained.of(Part(bonus.dice, bonus.when, rule)) for bonus in treasure.bonuses]
    if spell:
        words.append(f"casts {spell}")
    if treasure.luck:
        words.append(f"+{treasure.luck} Luck")
        numbers.append(Explained.of(Part(treasure.luck, treasure.name, rule)))
    return StuffCard(
        id=treasure.id,
        title=_title(treasure.name, words),
        count=count,
        line=treasure.summary,
        in_use=in_use,
        numbers=tuple(numbers),
    )


def _title(name: str, words: list[str]) -> str:
    return " ".join((name.upper(), ", ".join(words))).strip()
