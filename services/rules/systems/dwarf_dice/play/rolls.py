"""The dice of a move."""

from __future__ import annotations

from math import factorial

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import Check, Roll
from services.rules.systems.dwarf_dice.catalog import SLUG, Catalog
from services.rules.systems.dwarf_dice.combat import combat_dice
from services.rules.systems.dwarf_dice.play.asking import engaged
from services.rules.systems.dwarf_dice.play.moves import Craft, Deal, FieryRebuke, Move, RollDice
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.table_rules import USUAL

ATTACK, DEFENCE = "attack", "defence"
NONE = Check()


def dice_of(state: Table, move: Move, catalog: Catalog) -> Check:
    """The dice that a lawful move takes."""
    match move:
        case Deal():
            lots = Explained.of(Part(1, "one lot for all seats", "Setup"))
            sides = factorial(len(catalog.champions))
            return Check((Roll(id="lots", actor=move.actor, label="Deal champions", dice=lots, sides=sides),))
        case Craft():
            hoard = Explained.of(Part(state.rules.hoard, "every Hoarding", "Hoarding"))
            return Check((_roll(state, "hoard", move.actor, "Hoard", hoard, f"hoard({hoard.value})"),))
        case RollDice():
            return Check(_combat_rolls(state, catalog))
        case FieryRebuke():
            one = Explained.of(Part(1, "Fiery Rebuke", "Fiery Rebuke"))
            return Check((_roll(state, "rebuke", move.actor, "Fiery Rebuke", one, "hoard(1)"),))
        case _:
            return NONE


def _combat_rolls(state: Table, catalog: Catalog) -> tuple[Roll, ...]:
    combat = state.engaged()
    attack, defence = combat_dice(engaged(state, catalog))
    odds = f"combat({attack.value}, {defence.value})"
    rolls = (
        _roll(state, ATTACK, combat.attacker, "Attack", attack, odds),
        _roll(state, DEFENCE, combat.defender, "Defend", defence, odds),
    )
    return tuple(roll for roll in rolls if roll.dice.value)


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


def shown(state: Table, faces: tuple[int, ...]) -> tuple[Resource, ...]:
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
