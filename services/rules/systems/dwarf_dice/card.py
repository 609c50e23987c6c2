"""A champion sheet on paper."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.sheet import ChampionSheet

GEM = "◆"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPower:
    """A power on the card.

    Attributes:
        title: "Active: Dark Pact ◆".
        text: What it does.
    """

    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardItem:
    """A line of the Armory, so that the card says what can be forged.

    Attributes:
        name: What the item is called.
        value: Dice in combat.
        pattern: Three rows of M, W and `.`.
    """

    name: str
    value: int
    pattern: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionCard:
    """A champion on one card.

    Attributes:
        name: What the champion is called here.
        champion: Which champion of the book it is.
        clan: The champion's clan.
        text: What the book says of the champion.
        endurance: Endurance at the start, with where it comes from.
        tracker: Endurance to move the gem along, from full to 0.
        powers: What the champion can do beyond the dice.
        offence: What can be forged to attack with.
        defence: What can be forged to defend with.
        record: What became of earlier games, in words.
    """

    name: str
    champion: str
    clan: str
    text: str
    endurance: Explained
    tracker: tuple[int, ...]
    powers: tuple[CardPower, ...]
    offence: tuple[CardItem, ...]
    defence: tuple[CardItem, ...]
    record: str


def champion_card(sheet: ChampionSheet, catalog: Catalog) -> ChampionCard:
    """The card of a champion."""
    offence, defence = (
        tuple(
            CardItem(name=item.name, value=item.value, pattern=item.pattern)
            for item in catalog.armory
            if item.side is side
        )
        for side in Side
    )
    done = sheet.chronicle
    return ChampionCard(
        name=sheet.name,
        champion=sheet.champion_name,
        clan=sheet.clan,
        text=sheet.text,
        endurance=sheet.endurance,
        tracker=tuple(range(sheet.endurance.value, -1, -1)),
        powers=tuple(
            CardPower(
                title=f"{line.kind.value.capitalize()}: {line.name}{f' {GEM}' if line.uses else ''}",
                text=line.text,
            )
            for line in sheet.powers
        ),
        offence=offence,
        defence=defence,
        record=f"Won {done.won}, lost {done.lost}, felled {done.felled}.",
    )
