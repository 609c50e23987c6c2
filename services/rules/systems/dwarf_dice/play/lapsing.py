"""The answers that stand for silence, once a question's time is over."""

from __future__ import annotations

from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.combat import best_blocks
from services.rules.systems.dwarf_dice.crafting import OUTER_SQUARES
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.asking import cards_of
from services.rules.systems.dwarf_dice.play.legality import die_name
from services.rules.systems.dwarf_dice.play.moves import (
    Block,
    ChooseCards,
    Decline,
    Move,
    PlaceNulls,
    RollDice,
)
from services.rules.systems.dwarf_dice.play.reckoning import selections
from services.rules.systems.dwarf_dice.play.state import Stage, Table
from services.rules.systems.dwarf_dice.play.summary import prompts


def lapse(state: Table, prompt: str, catalog: Catalog) -> Move | None:
    """The move for no answer: no power is used, Nulls take the first squares, blocks are the best there are.

    Who is silent attacks with the most dice, in as few cards as that takes, and defends with none.
    """
    asked = next((it for it in prompts(state, catalog) if it.id == prompt), None)
    if asked is None or asked.seconds is None:
        return None
    who = asked.actor
    match state.stage:
        case Stage.NULLS:
            return PlaceNulls(actor=who, squares=OUTER_SQUARES[: state.at_work().hoard.nulls])
        case Stage.CHOICE:
            return ChooseCards(actor=who, cards=_usual_cards(state, who, catalog))
        case Stage.READY:
            return RollDice(actor=who)
        case Stage.BLOCK:
            combat = state.engaged()
            places = best_blocks(
                combat.attack_roll, combat.defence_roll, crits=combat.crits, counters=combat.counters
            )
            return Block(actor=who, dice=tuple(die_name(place) for place in places))
        case _:
            return Decline(actor=who)


def _usual_cards(state: Table, who: str, catalog: Catalog) -> tuple[str, ...]:
    if state.engaged().attacker != who:
        return ()
    cards = cards_of(state.fighter(who), Side.OFFENCE, catalog)
    return max(
        selections(cards, state.rules.most_value, catalog), key=lambda it: (catalog.value(it), -len(it))
    )
