"""The choice of the strong bot: to get free, take a stance, do what is worth most for its energy, or move."""

from __future__ import annotations

from services.rules.engine.play import GM
from services.rules.systems.forge_engine.conditions import STOOD_UP, barring
from services.rules.systems.forge_engine.conditions import Walk as Stretch
from services.rules.systems.forge_engine.play.bots.master import LONGEST, master_move
from services.rules.systems.forge_engine.play.bots.movement import made_ready, nearer
from services.rules.systems.forge_engine.play.bots.roles import Role, reserve, role_of
from services.rules.systems.forge_engine.play.bots.skills import skill_plans, stance
from services.rules.systems.forge_engine.play.bots.spells import spell_plans, summoning
from services.rules.systems.forge_engine.play.bots.weapons import weapon_plans
from services.rules.systems.forge_engine.play.bots.worth import Plan
from services.rules.systems.forge_engine.play.effects import HELD, PRONE, bears, conditions_of, shakeable
from services.rules.systems.forge_engine.play.moves import Escape, FightMove, Pass, ShakeOff, Stand
from services.rules.systems.forge_engine.play.rules.energy import affords, cost_of
from services.rules.systems.forge_engine.play.rules.grapple import SHAKE
from services.rules.systems.forge_engine.play.rules.movement import feet_left, move_cost
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Phase

LEAST = 0.2
"""What something beside attacks must be worth to be done at all."""
OVER = 0.2
"""How much harm counts beyond what it takes to bring everyone down whom an attack takes in."""
BEST = 6
"""Attacks that are looked at for what is left of the energy."""


def bot(state: Fight, actor: str) -> FightMove | None:
    """The move of a combatant, or of the game master; None when there is nothing to do.

    Before a fight a summoner calls a creature; no one else does anything there.
    """
    if state.over:
        return None
    if actor == GM:
        return master_move(state)
    one = state.get(actor)
    if one is None or not state.may_act(one):
        return None
    if state.phase is Phase.CALM:
        return summoning(state, one)
    foes = tuple(foe for foe in state.foes(one) if foe.up)
    if state.phase is not Phase.FIGHT or not foes or state.rounds.round > LONGEST:
        return None
    return _freed(state, one) or _fighting(state, one, foes) or Pass(actor=one.id, rest=True)


def _freed(fight: Fight, one: Combatant) -> FightMove | None:
    """Breaking free, shaking off what hurts most, getting up."""
    if bears(fight, one.id, *HELD) is not None:
        most = min(one.profile.attributes.strength, one.usable - cost_of(fight, one).value)
        if most > 0:
            return Escape(actor=one.id, added=most)
    if barring(conditions_of(fight, one.id)) is not None:
        return None
    spare = one.usable - one.profile.action_energy
    if spare >= 2 and SHAKE not in one.uses:
        for effect in shakeable(fight, one.id):
            return ShakeOff(actor=one.id, effect=effect.id, energy=min(3, spare))
    up = move_cost(fight, one, Stretch(distance=0, stand=True)).value
    lies = bears(fight, one.id, PRONE) is not None
    if lies and feet_left(fight, one) >= STOOD_UP and affords(one, up):
        return Stand(actor=one.id)
    return None


def _fighting(fight: Fight, one: Combatant, foes: tuple[Combatant, ...]) -> FightMove | None:
    if barring(conditions_of(fight, one.id)) is not None:
        return None
    role = role_of(fight, one)
    return (
        stance(fight, one, role)
        or _best(fight, one, foes, role)
        or made_ready(fight, one, foes)
        or nearer(fight, one, foes)
    )


def _best(fight: Fight, one: Combatant, foes: tuple[Combatant, ...], role: Role) -> FightMove | None:
    """What is worth most, with what the energy that is left then is good for."""
    budget = one.usable - reserve(fight, one)
    plans = [*weapon_plans(fight, one, foes, budget), *spell_plans(fight, one, role, budget)]
    plans += skill_plans(fight, one, role, budget, any(plan.again for plan in plans))
    attacks = sorted((plan for plan in plans if plan.again), key=lambda plan: _in_all(plan, budget))[-BEST:]

    def value(plan: Plan) -> float:
        if plan.again:
            return _in_all(plan, budget)
        return plan.worth + max((_in_all(each, budget - plan.cost) for each in attacks), default=0.0)

    of_use = [plan for plan in plans if plan.worth > (0.0 if plan.again else LEAST)]
    return max(of_use, key=value).move if of_use else None


def _in_all(plan: Plan, budget: int) -> float:
    """What an attack is worth, made as often as the energy lasts."""
    times = budget // max(1, plan.cost)
    found = plan.worth * times
    return min(found, plan.most) + OVER * found
