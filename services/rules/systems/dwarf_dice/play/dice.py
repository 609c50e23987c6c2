"""The dice of a game: which fall when, with their reasons, and what their faces show."""

from __future__ import annotations

from math import factorial

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import Roll
from services.rules.systems.dwarf_dice.catalog import SLUG, Catalog
from services.rules.systems.dwarf_dice.combat import Engaged, combat_dice, guards, hits
from services.rules.systems.dwarf_dice.play.effects import counts_as, more
from services.rules.systems.dwarf_dice.play.state import Combat, Table
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.settings import USUAL

Shown = tuple[Resource, ...]
"""What dice show."""


def lots_roll(actor: str, catalog: Catalog) -> Roll:
    """One die with a face for each order of the champions (Setup)."""
    lots = Explained.of(Part(1, "one lot for all seats", "Setup"))
    sides = factorial(len(catalog.champions))
    return Roll(id="lots", actor=actor, label="Deal champions", dice=lots, sides=sides)


def hoard_roll(state: Table, actor: str, catalog: Catalog) -> Roll:
    """The dice of a Hoarding (Hoarding)."""
    added = more(state.fighter(actor), "hoard_dice", catalog)
    hoard = Explained.of(Part(state.rules.hoard, "every Hoarding", "Hoarding"), *added)
    if added:
        hoard = hoard.at_least(0, "no fewer than none", "Hoarding")
        hoard = hoard.at_most(catalog.box.dice, "as many as there are", "Contents")
    return _roll(state, "hoard", actor, "Hoard", hoard, f"hoard({hoard.value})")


def combat_rolls(state: Table, catalog: Catalog) -> tuple[Roll, Roll]:
    """The dice of attacker and defender, none for some (ATTACK!)."""
    combat = state.engaged()
    attack, defence = combat_dice(engaged(state, catalog))
    odds = f"combat({attack.value}, {defence.value})"
    return (
        _roll(state, "attack", combat.attacker, "Attack", attack, odds),
        _roll(state, "defence", combat.defender, "Defend", defence, odds),
    )


def rebuke_roll(state: Table, actor: str) -> Roll:
    """The single die of Fiery Rebuke."""
    one = Explained.of(Part(1, "Fiery Rebuke", "Fiery Rebuke"))
    return _roll(state, "rebuke", actor, "Fiery Rebuke", one, "hoard(1)")


def _roll(state: Table, name: str, actor: str, label: str, dice: Explained, odds: str) -> Roll:
    """A roll of Resource dice; those with other faces than usual have neither name nor named odds."""
    usual = state.rules.faces == USUAL
    return Roll(
        id=name,
        actor=actor,
        label=label,
        dice=dice,
        sides=len(state.rules.faces.order()),
        die="resource" if usual else "",
        odds=f"{SLUG}:{odds}" if usual else "",
    )


def shown(state: Table, faces: tuple[int, ...]) -> Shown:
    """What faces of Resource dice show."""
    order = state.rules.faces.order()
    return tuple(order[face - 1] for face in faces)


def permutation(number: int, items: tuple[str, ...]) -> tuple[str, ...]:
    """One of the orders of items, by its number from 1: each is as likely as the next."""
    left, rest, found = list(items), number - 1, []
    while left:
        place, rest = divmod(rest, factorial(len(left) - 1))
        found.append(left.pop(place))
    return tuple(found)


def engaged(state: Table, catalog: Catalog, *, assault: bool | None = None) -> Engaged:
    """What decides the dice of the combat under way, once the cards are revealed.

    Args:
        state: Where the game stands.
        catalog: The content.
        assault: Whether Furious Assault counts; what has happened when None.
    """
    combat = state.engaged()
    attacker, defender = state.fighter(combat.attacker), state.fighter(combat.defender)
    return Engaged(
        attack=_named(combat.attack, catalog),
        defence=_named(combat.defence, catalog),
        assault=combat.assault if assault is None else assault,
        attacker_shrinks=counts_as(attacker, "shrinks", catalog),
        defender_shrinks=counts_as(defender, "shrinks", catalog),
        shrink=state.rules.shrink_ray,
        attack_more=more(attacker, "attack_dice", catalog),
        defence_more=more(defender, "defence_dice", catalog),
    )


def _named(cards: tuple[str, ...], catalog: Catalog) -> tuple[tuple[str, int], ...]:
    return tuple((catalog.armory[card].name, catalog.armory[card].value) for card in cards)


def laid_out(combat: Combat) -> tuple[int, ...]:
    """Places of the attacking dice that hit."""
    return hits(combat.attack_roll, alchemy=combat.crits)


def blockers(combat: Combat) -> tuple[int, ...]:
    """Places of the defending dice that can block, Alchemy first."""
    return guards(combat.defence_roll, alchemy=combat.counters)


def theirs(combat: Combat, who: str) -> Shown:
    """The opponent's dice."""
    return combat.defence_roll if who == combat.attacker else combat.attack_roll


def die_name(place: int) -> str:
    """What a defending die is called in a move."""
    return f"die-{place + 1}"


def die_places(combat: Combat, dice: tuple[str, ...]) -> tuple[int, ...]:
    """The places of defending dice in their roll, by what a move calls them."""
    return tuple(place for place in range(len(combat.defence_roll)) if die_name(place) in dice)
