"""DungeonTeller: the card to print says what the sheet says, in few and plain words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.explain import Explained
from services.rules.systems.dungeonteller.build import HeroChoices, Purchase, build
from services.rules.systems.dungeonteller.card import HeroCard, hero_card, stuff_cards
from services.rules.systems.dungeonteller.catalog import SLUG, own_catalog
from services.rules.systems.dungeonteller.examples import EXAMPLES
from services.rules.systems.dungeonteller.sheet import HeroSheet

CATALOG = own_catalog()
ROLE, WEAPON, TREASURE = (f"{SLUG}:{kind}/" for kind in ("role", "weapon", "treasure"))


def sheet_of(choices: HeroChoices) -> HeroSheet:
    sheet = build(choices, CATALOG)
    assert isinstance(sheet, HeroSheet), str(sheet)
    return sheet


def titles(choices: HeroChoices) -> dict[str, str]:
    return {card.id: card.title for card in stuff_cards(sheet_of(choices), CATALOG)}


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_a_card_agrees_with_its_sheet(name: str) -> None:
    sheet = sheet_of(EXAMPLES[name])
    card = hero_card(sheet, CATALOG)
    assert [(line.name, line.dice) for line in card.actions] == [
        (line.name, line.rating) for line in sheet.actions
    ]
    assert [power.name for power in card.powers] == [power.name for power in sheet.powers]
    assert len(card.pips) == sheet.luck.value
    assert (card.luck, card.armor, card.gold) == (sheet.luck, sheet.armor, sheet.gold)
    counts = {attack.name: attack.dice for attack in card.attacks}
    for check in sheet.checks:
        if check.name in counts:
            assert counts[check.name] == check.dice


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_every_thing_has_one_card_and_nothing_else_has(name: str) -> None:
    sheet = sheet_of(EXAMPLES[name])
    cards = stuff_cards(sheet, CATALOG)
    ids = [card.id for card in cards]
    assert len(ids) == len(set(ids))
    things = {line.id for line in sheet.items} | {line.id for line in sheet.weapons}
    things |= {line.id for line in sheet.treasures}
    assert set(ids) == {*things, "gold"} - {f"{WEAPON}bare-fist"}


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_every_number_of_a_card_says_why(name: str) -> None:
    card = hero_card(sheet_of(EXAMPLES[name]), CATALOG)
    for number in numbers(card):
        assert number.parts
        assert all(part.source and part.rule for part in number.parts)
    for stuff in card.stuff:
        for number in stuff.numbers:
            assert str(abs(number.value)) in stuff.title


def numbers(card: HeroCard) -> list[Explained]:
    """Every explained number of a card but an Armor of nothing at all."""
    found = [card.luck, card.gold, card.move]
    found += [card.armor] if card.armor.value else []
    found += [line.dice for line in card.actions]
    found += [power.dice for power in card.powers if power.dice is not None]
    found += [attack.dice for attack in card.attacks]
    found += [number for stuff in card.stuff for number in stuff.numbers]
    return found


def test_a_shortsword_card_is_the_books() -> None:
    assert titles(EXAMPLES["rogue"])[f"{WEAPON}shortsword"] == "SHORTSWORD +2 Battle dice"
    assert titles(EXAMPLES["rogue"])["gold"] == "10 GOLD"


def test_cards_say_what_things_do() -> None:
    found = titles(
        HeroChoices(
            name="Feeney",
            role=f"{ROLE}wizard",
            found=tuple(
                Purchase(item=f"{TREASURE}{slug}")
                for slug in (
                    "robe-of-stars",
                    "homesick-dagger",
                    "scale-armor-3",
                    "wand-of-ice",
                    "healing-drink",
                    "ruby",
                    "wizards-staff",
                )
            ),
            buys=(Purchase(item=f"{WEAPON}shield"),),
        )
    )
    assert found[f"{TREASURE}robe-of-stars"] == "ROBE OF STARS +2 Magic dice"
    assert found[f"{TREASURE}homesick-dagger"] == "HOMESICK DAGGER +1 Battle dice, +2 Shoot dice"
    assert found[f"{TREASURE}scale-armor-3"] == "SCALE ARMOR +3 Armor 3"
    assert found[f"{TREASURE}wand-of-ice"] == "WAND OF ICE casts Ice Sheet"
    assert found[f"{TREASURE}healing-drink"] == "HEALING DRINK +5 Luck"
    assert found[f"{TREASURE}ruby"] == "RUBY"
    assert found[f"{TREASURE}wizards-staff"] == "WIZARD'S STAFF +1 Magic dice"
    assert found[f"{WEAPON}shield"] == "SHIELD +1 Battle dice, Armor 1"


def test_what_is_in_use_is_marked() -> None:
    cards = {card.id: card for card in stuff_cards(sheet_of(EXAMPLES["treasure-hunter"]), CATALOG)}
    used = {thing.rpartition("/")[2] for thing, card in cards.items() if card.in_use}
    assert used == {"shadow-leather", "cat-boots", "shortsword", "homesick-dagger"}
    assert cards[f"{TREASURE}scroll-of-sleep"].count == 2


def test_bonus_dice_stand_beside_their_action() -> None:
    card = hero_card(sheet_of(EXAMPLES["dwarf"]), CATALOG)
    battle = next(line for line in card.actions if line.name == "Battle")
    assert battle.bonuses == ("+1 when you use a war hammer",)


def test_lost_luck_leaves_empty_pips() -> None:
    sheet = sheet_of(EXAMPLES["dwarf"])
    tired = replace(sheet, tracks=(replace(sheet.tracks[0], current=7),))
    assert hero_card(tired, CATALOG).pips == "●●●●●●●○○○"
