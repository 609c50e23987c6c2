"""Energy that specialized martial skills gain, lose or turn into something else once damage is known.

Bonus energy and softer or harder blows come by themselves; energy that is spent for an effect is an answer
(`Exert`).
"""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import button, number_field
from services.rules.engine.explain import Explained
from services.rules.engine.explain import Part as Dice
from services.rules.engine.frozen import replace
from services.rules.engine.play import LegalMove
from services.rules.engine.steps import Ask, Step
from services.rules.systems.forge_engine.play.facts import (
    EnergyLost,
    Healed,
    Reacted,
    SkillUsed,
)
from services.rules.systems.forge_engine.play.ground import apart
from services.rules.systems.forge_engine.play.moves import Decline, Exert
from services.rules.systems.forge_engine.play.rules.bonuses import SKILLS, martial, trained
from services.rules.systems.forge_engine.play.rules.damage import suffered
from services.rules.systems.forge_engine.play.rules.defense import most_added
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, affords, cost_of, gain_bonus, pay
from services.rules.systems.forge_engine.play.rules.pushes import push
from services.rules.systems.forge_engine.play.rules.reactions import ReactionRule, Role, once
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import (
    Entering,
    Harmed,
    Harming,
    is_martial,
    is_melee,
)

RETALIATION, REAPING, FIRST_STRIKE, HARD_TO_KILL, DEBILITATING, LAST_RESOLVE, REPEL = map(
    martial,
    (
        "retaliation",
        "reaping-blow",
        "first-strike",
        "hard-to-kill",
        "debilitating-blow",
        "last-resolve",
        "repel",
    ),
)
PRICE = 2
"""Energy that makes a target expend 1 by a Debilitating Blow, or that Repel asks for each of its own."""


# By themselves


def retaliation(turn: FightTurn, window: Harmed) -> None:
    """Retaliation: bonus energy for damage by an enemy, until the end of the next turn."""
    fight = turn.state
    one = fight.find(window.target)
    rating = trained(fight, one.id, RETALIATION)
    if rating and window.damage and fight.find(window.strike.attacker).side != one.side and one.up:
        gain_bonus(turn, one.id, min(window.damage, rating), "Retaliation", next_turn=True)


def reaping(turn: FightTurn, window: Harmed) -> None:
    """Reaping Blow: bonus energy for the damage of a melee attack that kills."""
    who = window.strike.attacker
    rating = trained(turn.state, who, REAPING)
    dead = turn.state.find(window.target).life is Life.DEAD
    if rating and window.damage and dead and is_melee(turn.state, window.strike):
        gain_bonus(turn, who, min(window.damage, rating), "Reaping Blow", next_turn=True)


def first_strike(turn: FightTurn, window: Harming) -> Harming | None:
    """First Strike: the first damage of a fight is doubled, by no more than the rating."""
    fight, who = turn.state, window.strike.attacker
    rating = trained(fight, who, FIRST_STRIKE)
    if not rating or not window.damage or any(one.bled for one in fight.combatants):
        return None
    turn.happen(SkillUsed(who=who, skill=FIRST_STRIKE, once=True))
    return replace(window, damage=window.damage + min(window.damage, rating))


def hard_to_kill(turn: FightTurn, window: Harming) -> Harming | None:
    """Hard To Kill: the first hit that would drop one is softer by Stamina or rating, last of all (R-54)."""
    one = turn.state.find(window.target)
    rating = trained(turn.state, one.id, HARD_TO_KILL)
    drops = one.health > 0 and one.health <= suffered(
        turn.state, one, window.damage, window.type, window.halvings
    )
    if not rating or not drops or HARD_TO_KILL in one.once:
        return None
    turn.happen(SkillUsed(who=one.id, skill=HARD_TO_KILL, once=True))
    less = min(rating, one.profile.attributes.stamina)
    turn.happen(Reacted(who=one.id, how="Hard To Kill", dice=0))
    return replace(window, softer=less)


# Energy turned into something else


def _exert_offer(
    fight: Fight, one: Combatant, skill: str, most: int, step: int, text: str
) -> Iterator[LegalMove]:
    if most >= step:
        field = number_field("energy", "How much energy?", step, most)
        move = Exert(actor=one.id, skill=skill, energy=step)
        yield button(move, skill, fight.catalog.martial[skill].name, text, SKILLS, field)


def useful_energy(fight: Fight, window: Harmed, one: Combatant) -> int:
    """Energy that a Debilitating Blow turns into loss: 2 for each damage, up to the rating."""
    return PRICE * min(window.damage, trained(fight, one.id, DEBILITATING))


def debilitating_offers(fight: Fight, window: Harmed, one: Combatant) -> Iterator[LegalMove]:
    """Debilitating Blow: every 2 energy make the target expend 1."""
    used = once(one, DEBILITATING) in window.done
    if used or not window.damage or not is_melee(fight, window.strike) or not is_martial(window.strike):
        return
    most = min(useful_energy(fight, window, one), one.usable - cost_of(fight, one).value)
    yield from _exert_offer(fight, one, DEBILITATING, most, PRICE, "Every 2 energy make the target expend 1.")


def debilitating(turn: FightTurn, window: Harmed, move: Exert) -> Harmed:
    """The target expends half of what is spent, energy it has spent already among it (R-110)."""
    one = turn.state.find(move.actor)
    spent = Dice(move.energy, "Debilitating Blow", SKILLS)
    pay(turn, one.id, "Debilitating Blow", cost_of(turn.state, one, spent), power=DEBILITATING)
    lost = min(move.energy, useful_energy(turn.state, window, one)) // PRICE
    turn.happen(
        Reacted(who=one.id, how="Debilitating Blow", dice=0),
        EnergyLost(who=window.target, expended=lost, what="a debilitating blow"),
    )
    return replace(window, done=(*window.done, once(one, DEBILITATING)))


def resolve_offers(fight: Fight, window: Harmed, one: Combatant) -> Iterator[LegalMove]:
    """Last Resolve: expend energy, and recover as much health."""
    cap = min(trained(fight, one.id, LAST_RESOLVE), one.profile.attributes.stamina)
    used = once(one, LAST_RESOLVE) in window.done
    most = min(cap, one.energy, one.usable - cost_of(fight, one).value)
    if window.damage and not used:
        yield from _exert_offer(fight, one, LAST_RESOLVE, most, 1, "Each energy expended is 1 health.")


def resolve(turn: FightTurn, window: Harmed, move: Exert) -> Harmed:
    """Energy is expended, and health recovered."""
    one = turn.state.find(move.actor)
    cost = cost_of(turn.state, one)
    pay(turn, one.id, "Last Resolve", cost, expended=move.energy, power=LAST_RESOLVE)
    turn.happen(
        Reacted(who=one.id, how="Last Resolve", dice=0),
        Healed(who=one.id, amount=move.energy, source=one.id, cause=LAST_RESOLVE),
    )
    return replace(window, done=(*window.done, once(one, LAST_RESOLVE)))


def repel_offers(fight: Fight, window: Entering, one: Combatant) -> Iterator[LegalMove]:
    """Repel: the mover pays 2 for each energy spent, or is pushed out of reach again."""
    most = most_added(fight, one, trained(fight, one.id, REPEL))
    text = "They pay 2 energy for each of yours, or are pushed back."
    if f"{REPEL}:{window.mover}" not in one.uses and fight.find(window.mover).side != one.side:
        yield from _exert_offer(fight, one, REPEL, most, 1, text)


def repel(turn: FightTurn, window: Entering, move: Exert) -> Step[Entering]:
    """The mover chooses: it pays, or is pushed out of reach."""
    one, mover = turn.state.find(move.actor), turn.state.find(window.mover)
    cost = cost_of(turn.state, one, Dice(move.energy, "Repel", SKILLS))
    pay(turn, one.id, "Repel", cost, power=REPEL)
    turn.happen(SkillUsed(who=one.id, skill=f"{REPEL}:{mover.id}"))
    asked = PRICE * move.energy
    none = Decline(actor=mover.id)
    offers = [button(none, "decline", "Be pushed back", "You are pushed out of reach.", SKILLS)]
    if affords(mover, asked):
        go_on = Exert(actor=mover.id, skill=REPEL, energy=asked)
        offers.insert(0, button(go_on, "pay", f"Pay {asked} energy", "You come on.", SKILLS))
    (answer,) = yield from turn.ask(
        Ask(
            id=f"repel:{mover.id}:{len(turn.happened)}",
            actor=mover.id,
            question=f"{one.name} repels you. Pay?",
            offers=tuple(offers),
            silence=none,
            seconds=turn.state.patience,
        )
    )
    if isinstance(answer, Exert):
        pay(turn, mover.id, "pressing on", Explained.of(Dice(asked, "Repel", SKILLS)))
    else:
        out = max(CELL, one.profile.reach + CELL - apart(turn.state, one, mover))
        push(turn, one.id, mover.id, out)
    return window


EXERTIONS = (
    ReactionRule(
        window=Harmed,
        role=Role.ATTACKER,
        answer=Exert,
        offers=debilitating_offers,
        react=debilitating,
        skill=DEBILITATING,
    ),
    ReactionRule(
        window=Harmed,
        role=Role.DEFENDER,
        answer=Exert,
        offers=resolve_offers,
        react=resolve,
        skill=LAST_RESOLVE,
    ),
    ReactionRule(
        window=Entering, role=Role.DEFENDER, answer=Exert, offers=repel_offers, react=repel, skill=REPEL
    ),
)
"""Skills that turn energy into something else."""
