"""What comes of the moves of a combat: from the challenge to the defeat check (Combat)."""

from __future__ import annotations

from services.rules.systems.dwarf_dice.catalog import PowerEffect
from services.rules.systems.dwarf_dice.combat import blow
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.asking import blockers, cards_of, furious, laid_out
from services.rules.systems.dwarf_dice.play.desk import Desk
from services.rules.systems.dwarf_dice.play.events import (
    Blocked,
    CardsReturned,
    Challenged,
    Chosen,
    DiceRolled,
    Ended,
    Fell,
    FuryUsed,
    Rebuked,
    Revealed,
    Wound,
)
from services.rules.systems.dwarf_dice.play.state import Ending, Stage
from services.rules.systems.dwarf_dice.powers import rebukes
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.seating import reckon


def challenge(desk: Desk, target: str) -> None:
    """Calls somebody out. Whose open hand holds nothing to defend with has nothing to choose."""
    desk.do(Challenged(attacker=desk.state.turn, defender=target))
    desk.wait(Stage.CHOICE)
    defender = desk.state.fighter(target)
    if desk.state.rules.open_hands and not cards_of(defender, Side.DEFENCE, desk.catalog):
        desk.do(Chosen(fighter=target, cards=()))


def choose(desk: Desk, who: str, cards: tuple[str, ...]) -> None:
    """Somebody has chosen; when both have, both reveal together."""
    desk.do(Chosen(fighter=who, cards=desk.catalog.in_order(cards)))
    combat = desk.state.engaged()
    if combat.attack_in and combat.defence_in:
        desk.do(Revealed(attack=combat.attack, defence=combat.defence))
        desk.wait(Stage.READY)


def clash(desk: Desk, attack: tuple[Resource, ...], defence: tuple[Resource, ...]) -> None:
    """The dice have fallen; Forge's Fury may answer."""
    desk.do(DiceRolled(attack=attack, defence=defence))
    fury_on(desk)


def fury(desk: Desk, who: str) -> None:
    """Sets the opponent's Alchemy aside."""
    combat = desk.state.engaged()
    theirs = combat.defence_roll if who == combat.attacker else combat.attack_roll
    desk.do(FuryUsed(fighter=who, dice=theirs.count(Resource.ALCHEMY)))
    fury_on(desk)


def fury_on(desk: Desk) -> None:
    """Asks the next one for Forge's Fury; then crits strike, and the defender may block."""
    if furious(desk.state, desk.catalog) is not None:
        desk.wait(Stage.FURY)
        return
    combat = desk.state.engaged()
    struck = blow(combat.attack_roll, combat.defence_roll, (), crits=combat.crits, counters=combat.counters)
    desk.hurt(combat.defender, struck.crits, Wound.CRIT)
    if laid_out(desk.state) and blockers(desk.state):
        desk.wait(Stage.BLOCK)
    else:
        block(desk, ())


def block(desk: Desk, places: tuple[int, ...]) -> None:
    """What is not blocked strikes, and Alchemy that blocks strikes back; Fiery Rebuke may answer."""
    combat = desk.state.engaged()
    struck = blow(
        combat.attack_roll, combat.defence_roll, places, crits=combat.crits, counters=combat.counters
    )
    if places:
        desk.do(Blocked(fighter=combat.defender, dice=places, countering=struck.counters))
    desk.hurt(combat.defender, struck.unblocked, Wound.HIT)
    desk.hurt(combat.attacker, struck.counters, Wound.COUNTER)
    if _may_rebuke(desk):
        desk.wait(Stage.REBUKE)
    else:
        part(desk)


def _may_rebuke(desk: Desk) -> bool:
    """Whether Fiery Rebuke may answer, and could do anything (P10)."""
    state, combat = desk.state, desk.state.engaged()
    attacker, defender = state.fighter(combat.attacker), state.fighter(combat.defender)
    if combat.taken < 1 or attacker.endurance <= 0:
        return False
    if not desk.catalog.has(defender.champion, PowerEffect.FIERY_REBUKE):
        return False
    return state.rules.rebuke_before_defeat or defender.endurance > 0


def rebuke(desk: Desk, who: str, shown: Resource) -> None:
    """One die against the attacker (Fiery Rebuke)."""
    hit = rebukes(shown)
    desk.do(Rebuked(fighter=who, shown=shown, hit=hit))
    desk.hurt(desk.state.engaged().attacker, int(hit), Wound.REBUKE)
    part(desk)


def part(desk: Desk) -> None:
    """The combat ends: cards go back, the defeated leave, and the game may be over (Damage and Defeat)."""
    combat = desk.state.engaged()
    desk.do(CardsReturned(attack=combat.attack, defence=combat.defence))
    reckoning = reckon({one.id: one.endurance for one in desk.state.living()}, combat.attacker)
    for who in reckoning.out:
        other = combat.attacker if who == combat.defender else combat.defender
        cards, returned = desk.state.fighter(who).hand, desk.state.rules.fallen_hand_returns
        desk.do(Fell(fighter=who, by=other, cards=cards, returned=returned))
    if not reckoning.over or reckoning.winner is None:
        desk.next_turn()
        return
    winner = desk.state.fighter(reckoning.winner)
    how = "fell last, having begun the last combat" if winner.out else "is the last champion standing"
    desk.do(Ended(ending=Ending(winners=(winner.id,), text=f"{winner.name} {how}.")))
