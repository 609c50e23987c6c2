"""Cards in hand: what they can put up, and how a combat of so many dice may end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.combat import Threat, dice_numbers, threat
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.effects import counts_as, dice_with
from services.rules.systems.dwarf_dice.play.state import Fighter, Table

Cards = tuple[str, ...]
"""Content ids of cards."""


def cards_of(fighter: Fighter, side: Side, catalog: Catalog) -> Cards:
    """The cards of a hand that are for a side."""
    armory = catalog.armory.entries
    return tuple(card for card in fighter.hand if armory[card].side is side)


@lru_cache(maxsize=1 << 14)
def best_total(values: tuple[int, ...], most: int) -> int:
    """The most that cards of these values can come to within a limit."""
    reached = {0}
    for value in values:
        reached |= {before + value for before in reached if before + value <= most}
    return max(reached)


def strength(fighter: Fighter, side: Side, state: Table, catalog: Catalog) -> int:
    """The most dice a hand that is seen can put up on a side."""
    armory = catalog.armory.entries
    values = tuple(sorted(armory[card].value for card in cards_of(fighter, side, catalog)))
    return best_total(values, state.rules.most_value)


def hand_is_seen(fighter: Fighter, state: Table) -> bool:
    """Whether everybody may reckon with a hand: hands are open, or it is empty."""
    return state.rules.open_hands or fighter.cards == 0


def selections(cards: Iterable[str], most: int, catalog: Catalog) -> tuple[Cards, ...]:
    """Every different set of cards within a limit, the empty one first."""
    armory = catalog.armory.entries
    found: list[tuple[Cards, int]] = [((), 0)]
    for card, copies in Counter(cards).items():
        value = armory[card].value
        found += [
            ((*chosen, *(card,) * count), total + value * count)
            for chosen, total in found
            for count in range(1, copies + 1)
            if total + value * count <= most
        ]
    return tuple(chosen for chosen, _ in found)


def equipment(state: Table, who: str, side: Side, catalog: Catalog) -> tuple[Cards, ...]:
    """Every set of cards that a fighter may choose for a side of a combat (Choosing Equipment; P5)."""
    cards = cards_of(state.fighter(who), side, catalog)
    found = selections(cards, state.rules.most_value, catalog)
    return found[1:] if side is Side.OFFENCE and state.rules.attack_needs_card else found


def most_dice(choices: Iterable[Cards], catalog: Catalog) -> Cards:
    """The choice of the most dice, in as few cards as that takes."""
    return max(choices, key=lambda it: (catalog.value(it), -len(it)))


def threat_of_totals(
    state: Table, attacker: Fighter, defender: Fighter, attack: int, defence: int, catalog: Catalog
) -> Threat:
    """How a combat may end when the cards of both come to so much, before any active power was used."""
    rolled = dice_numbers(
        attack,
        defence,
        attacker_shrinks=counts_as(attacker, "shrinks", catalog),
        defender_shrinks=counts_as(defender, "shrinks", catalog),
        shrink=state.rules.shrink_ray,
    )
    striking = dice_with(attacker, "attack_dice", rolled.attack, catalog)
    guarding = dice_with(defender, "defence_dice", rolled.defence, catalog)
    return threat(striking, guarding, state.rules.faces)
