"""Combat: Choosing Equipment, ATTACK!, Crits and Counters."""

from __future__ import annotations

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, Steps, Turn
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.combat import Blow, blow
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.champions import may_attack, targets
from services.rules.systems.dwarf_dice.play.facts import (
    Blocked,
    Challenged,
    DiceRolled,
    Fact,
    Revealed,
    Wound,
)
from services.rules.systems.dwarf_dice.play.moves import Challenge
from services.rules.systems.dwarf_dice.play.rules import asks
from services.rules.systems.dwarf_dice.play.rules.defeat import end_combat, hurt
from services.rules.systems.dwarf_dice.play.rules.windows import CardsRevealed, DiceLie, Struck
from services.rules.systems.dwarf_dice.play.state import Combat, Table

RULE = "Choosing Equipment"


def challenge(turn: Turn[Table, Fact], move: Challenge, catalog: Catalog) -> Steps:
    """A combat, from the challenge to its end."""
    must_be_able(turn.state, move, catalog)
    turn.happen(Challenged(attacker=move.actor, defender=move.target))
    yield from choosing_equipment(turn, catalog)
    yield from turn.window(CardsRevealed(attacker=move.actor, defender=move.target))
    attack, defence = yield from turn.roll(*dice.combat_rolls(turn.state, catalog))
    turn.happen(
        DiceRolled(
            attacker=move.actor,
            defender=move.target,
            attack=dice.shown(turn.state, attack),
            defence=dice.shown(turn.state, defence),
        )
    )
    yield from turn.window(DiceLie(attacker=move.actor, defender=move.target))
    crits = struck(turn.state.engaged()).crits
    taken = yield from hurt(turn, move.target, crits, Wound.CRIT, by=move.actor)
    yield from blocks(turn, catalog)
    exchange = struck(turn.state.engaged())
    taken += yield from hurt(turn, move.target, exchange.unblocked, Wound.HIT, by=move.actor)
    yield from hurt(turn, move.actor, exchange.counters, Wound.COUNTER, by=move.target)
    yield from turn.window(Struck(attacker=move.actor, defender=move.target, taken=taken))
    end_combat(turn)


def must_be_able(state: Table, move: Challenge, catalog: Catalog) -> None:
    """Refuses a challenge without a weapon, or of one whom there is no honour in fighting (P14)."""
    wrong = []
    if not may_attack(state, move.actor, catalog):
        text = "Combat needs an offensive card in hand that may be brought."
        wrong.append(RuleProblem("no_offence", text, "Combat", ("actor",), 0, 1))
    allowed = targets(state, move.actor)
    found = state.find(move.target)
    if found is None or found.out or move.target == move.actor:
        text, path = "Nobody of this id can be called out.", ("target",)
        wrong.append(RuleProblem("unknown_target", text, RULE, path, move.target, allowed))
    elif move.target not in allowed:
        text, path = "The one with the lowest Endurance cannot be called out.", ("target",)
        wrong.append(RuleProblem("target_lowest", text, f"{RULE}; P14", path, move.target, allowed))
    if wrong:
        raise Refused(Problems(tuple(wrong)))


def choosing_equipment(turn: Turn[Table, Fact], catalog: Catalog) -> Steps:
    """Both choose in secret, and reveal together."""
    attack, defence = yield from turn.ask(asks.attack(turn.state, catalog), asks.defence(turn.state, catalog))
    turn.happen(
        Revealed(
            attacker=attack.actor,
            defender=defence.actor,
            attack=catalog.in_order(attack.cards),
            defence=catalog.in_order(defence.cards),
        )
    )


def blocks(turn: Turn[Table, Fact], catalog: Catalog) -> Steps:
    """The defender assigns dice to those that strike, where there are some of both (P9)."""
    combat = turn.state.engaged()
    if not dice.laid_out(combat) or not dice.blockers(combat):
        return
    (answer,) = yield from turn.ask(asks.block(turn.state, catalog))
    places = dice.die_places(combat, answer.dice)
    if places:
        countering = struck(combat, places).counters
        turn.happen(Blocked(fighter=combat.defender, dice=places, countering=countering))


def struck(combat: Combat, blocking: tuple[int, ...] | None = None) -> Blow:
    """What the dice come to with these blocks, or with those that were assigned."""
    places = combat.blocks if blocking is None else blocking
    return blow(combat.attack_roll, combat.defence_roll, places, crits=combat.crits, counters=combat.counters)
