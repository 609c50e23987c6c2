"""Damage and Defeat: lost Endurance, the end of a combat, and the end of the game."""

from __future__ import annotations

from services.rules.engine.steps import Step, Turn
from services.rules.systems.dwarf_dice.play.facts import CardsReturned, Ended, Fact, Fell, Hurt, Wound
from services.rules.systems.dwarf_dice.play.rules.order_of_play import next_turn
from services.rules.systems.dwarf_dice.play.rules.windows import Wounded
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.seats import reckon


def hurt(turn: Turn[Table, Fact], who: str, damage: int, wound: Wound, *, by: str) -> Step[int]:
    """Takes Endurance from a fighter, who does not fall before the combat has ended.

    Returns:
        What they lost.
    """
    if damage < 1:
        return 0
    wounded = yield from turn.window(Wounded(fighter=who, by=by, wound=wound, damage=damage))
    if wounded.damage < 1:
        return 0
    turn.happen(Hurt(fighter=who, damage=wounded.damage, wound=wound))
    return wounded.damage


def end_combat(turn: Turn[Table, Fact]) -> None:
    """Cards go back, the defeated leave, and the game may be over."""
    combat = turn.state.engaged()
    attacker, defender = combat.attacker, combat.defender
    turn.happen(
        CardsReturned(attacker=attacker, defender=defender, attack=combat.attack, defence=combat.defence)
    )
    reckoning = reckon({one.id: one.endurance for one in turn.state.living()}, attacker)
    for who in reckoning.out:
        other = attacker if who == defender else defender
        hand, returned = turn.state.fighter(who).hand, turn.state.rules.fallen_hand_returns
        turn.happen(Fell(fighter=who, by=other, cards=hand, returned=returned))
    if reckoning.winner is None:
        next_turn(turn)
    else:
        turn.happen(Ended(winner=reckoning.winner))
