"""What hands can put up, and how a combat of so many dice may end: arithmetic that offers and bots share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.combat import Threat, threat
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.asking import cards_of
from services.rules.systems.dwarf_dice.play.state import Fighter, Table
from services.rules.systems.dwarf_dice.table_rules import ShrinkRay


@cache
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
    return state.rules.open_hands or len(fighter.hand) + fighter.face_down == 0


def selections(cards: Iterable[str], most: int, catalog: Catalog) -> tuple[tuple[str, ...], ...]:
    """Every different set of cards within a limit, the empty one first."""
    armory = catalog.armory.entries
    found: list[tuple[tuple[str, ...], int]] = [((), 0)]
    for card, copies in Counter(cards).items():
        value = armory[card].value
        found += [
            ((*chosen, *(card,) * count), total + value * count)
            for chosen, total in found
            for count in range(1, copies + 1)
            if total + value * count <= most
        ]
    return tuple(chosen for chosen, _ in found)


def dice_of_totals(
    state: Table,
    attacker: Fighter,
    defender: Fighter,
    totals: tuple[int, int],
    catalog: Catalog,
    *,
    assault_cards: int = 0,
) -> tuple[int, int]:
    """The dice of attacker and defender when their cards come to so much (Shrink Ray; Furious Assault; P6).

    Args:
        state: Where the game stands.
        attacker: Who attacks.
        defender: Who defends.
        totals: What the cards of both come to.
        catalog: The content.
        assault_cards: Cards of the attack, where Furious Assault is used.
    """
    attack, defence = totals
    equal = attack == defence
    defence = max(0, defence - assault_cards)
    if state.rules.shrink_ray is ShrinkRay.ROLLED:
        equal = attack == defence
    if equal and catalog.has(attacker.champion, PowerEffect.SHRINK_RAY):
        defence = max(0, defence - 1)
    if equal and catalog.has(defender.champion, PowerEffect.SHRINK_RAY):
        attack = max(0, attack - 1)
    return attack, defence


def threat_of_totals(
    state: Table,
    attacker: Fighter,
    defender: Fighter,
    totals: tuple[int, int],
    catalog: Catalog,
    *,
    assault_cards: int = 0,
) -> Threat:
    """How a combat may end when the cards of both come to so much; arguments as for `dice_of_totals`."""
    dice = dice_of_totals(state, attacker, defender, totals, catalog, assault_cards=assault_cards)
    return threat(*dice, state.rules.faces)
