"""What hands can put up, and how a combat of so many dice may end: arithmetic that offers and bots share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.combat import Threat, dice_numbers, threat
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.asking import cards_of
from services.rules.systems.dwarf_dice.play.state import Fighter, Table


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


def threat_of_totals(
    state: Table, attacker: Fighter, defender: Fighter, attack: int, defence: int, catalog: Catalog
) -> Threat:
    """How a combat may end when the cards of both come to so much, before anybody used an active power."""
    rolled = dice_numbers(
        attack,
        defence,
        attacker_shrinks=catalog.has(attacker.champion, PowerEffect.SHRINK_RAY),
        defender_shrinks=catalog.has(defender.champion, PowerEffect.SHRINK_RAY),
        shrink=state.rules.shrink_ray,
    )
    return threat(rolled.attack, rolled.defence, state.rules.faces)
