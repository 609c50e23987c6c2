"""Holds, breaking free of them, and shaking conditions off (General Actions / Grapple, Shake It Off)."""

from __future__ import annotations

from services.rules.engine.effects import Effect
from services.rules.engine.explain import Explained, Part
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.play.effects import (
    GRAPPLED,
    HELD,
    HOLDING,
    RESTRAINED,
    SHAKEN_OFF_AT,
    bears,
    hands_used,
    new_effect,
    shakeable,
)
from services.rules.systems.forge_engine.play.facts import EffectBegan, EffectEnded, SkillUsed
from services.rules.systems.forge_engine.play.ground import in_reach
from services.rules.systems.forge_engine.play.moves import Escape, Grapple, ShakeOff
from services.rules.systems.forge_engine.play.rules.attribute_test import (
    ATHLETICS,
    SKILL_OF,
    energy_dice,
    fixed_test,
    opposed_test,
    worded,
)
from services.rules.systems.forge_engine.play.rules.checks import (
    actor_of,
    check_fight,
    check_free,
    check_turn,
    known_target,
)
from services.rules.systems.forge_engine.play.rules.damage import let_go
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, check_energy, cost_of, pay
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life

GRAPPLE = "General Actions / Grapple [R-49]"
SHAKE = "General Actions / Shake It Off [R-51]"
FIRM = 3
"""Successes from which a hold restrains."""


def grapple(turn: FightTurn, move: Grapple) -> Steps:
    """Strength (Athletics) against Strength or Agility: 1 or 2 successes hold, 3 or more restrain."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_fight(fight)
    check_turn(fight, one)
    check_free(fight, one)
    other = known_target(fight, one, move.target)
    if not in_reach(fight, one, other):
        refuse("out_of_range", "That target is not within reach.", GRAPPLE, ("target",), move.target)
    if other.life is Life.DEAD or other.vehicle or hold_on(fight, one.id) is not None:
        refuse("no_hold", "There is no hold to be had.", GRAPPLE, ("target",), move.target)
    if hands_used(fight, one) >= one.profile.hands:
        refuse("hands_full", "It takes a free hand.", GRAPPLE, ("actor",), one.hands_full())
    check_added(one, Attribute.STRENGTH, move.added)
    cost = cost_of(fight, one, Part(move.added, "Grapple", GRAPPLE))
    check_energy(one, cost.value)
    dice = energy_dice(fight, one, Attribute.STRENGTH, ATHLETICS, move.added)
    pay(turn, one.id, "Grapple", cost, added=move.added)
    found = yield from opposed_test(turn, one, other, "Grapple", dice)
    kind = hold(found)
    if kind is not None:
        turn.happen(EffectBegan(effect=new_effect(turn.state, kind, other.id, source=one.id)))
        turn.happen(
            EffectBegan(effect=new_effect(turn.state, HOLDING, one.id, source=one.id, about=other.id))
        )


def hold(successes: int) -> str | None:
    """The condition that a hold puts on its target; None without a success."""
    if successes < 1:
        return None
    return RESTRAINED if successes >= FIRM else GRAPPLED


def hold_on(fight: Fight, holder: str) -> Effect | None:
    """The hold that a combatant has on another; None where it holds nobody."""
    return next((each for each in fight.effects if each.kind in HELD and each.source == holder), None)


def check_added(one: Combatant, attribute: Attribute, energy: int) -> None:
    """Refuses more energy than the attribute's rating."""
    most = one.profile.attributes.of(attribute)
    if not 0 <= energy <= most:
        text = "No more energy is added than the attribute's rating."
        refuse("added_above_attribute", text, GRAPPLE, ("added",), energy, (0, most))


def escape(turn: FightTurn, move: Escape) -> Steps:
    """Strength (Athletics) or Agility (Acrobatics) against the holder's: any success breaks free."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    held = bears(fight, one.id, *HELD)
    if held is None:
        refuse("not_held", f"{one.name} is not held.", GRAPPLE, ("actor",))
    if move.attribute not in SKILL_OF:
        refuse("attribute_unfit", "By Strength or Agility.", GRAPPLE, ("attribute",), move.attribute.value)
    check_added(one, move.attribute, move.added)
    skill = SKILL_OF[move.attribute]
    cost = cost_of(fight, one, Part(move.added, "Escape", GRAPPLE))
    check_energy(one, cost.value)
    dice = energy_dice(fight, one, move.attribute, skill, move.added)
    pay(turn, one.id, "Escape", cost, added=move.added)
    holder = fight.get(held.source)
    what = f"Escape by {worded(turn.state.catalog, move.attribute, skill)}"
    if holder is None:
        found = yield from fixed_test(turn, one, what, dice, SHAKEN_OFF_AT)
    else:
        found = yield from opposed_test(turn, one, holder, what, dice)
    if found and holder is not None:
        let_go(turn, holder.id)
    elif found:
        turn.happen(EffectEnded(effect=held.id, bearer=one.id, what=held.kind))


def shake_off(turn: FightTurn, move: ShakeOff) -> Steps:
    """Any energy as dice, difficulty 8, once between two regains; conditions make it no dearer (F4, R-51)."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    known = {effect.id: effect for effect in shakeable(fight, one.id)}
    effect = known.get(move.effect)
    if effect is None:
        refuse(
            "nothing_to_shake_off", "That is not shaken off.", SHAKE, ("effect",), move.effect, tuple(known)
        )
    if SHAKE in one.uses:
        refuse("used_already", "That is done once a round.", SHAKE, ("actor",), 1, 1)
    if move.energy < 1:
        refuse("energy_short", "It takes energy.", SHAKE, ("energy",), move.energy, 1)
    if effect.kind not in HELD:
        check_free(fight, one)
    dice = shake_dice(move.energy)
    cost = (
        dice.plus(one.profile.action_energy, "armor without training", SHAKE)
        if one.profile.action_energy
        else dice
    )
    check_energy(one, cost.value)
    pay(turn, one.id, "Shake It Off", cost, added=move.energy)
    turn.happen(SkillUsed(who=one.id, skill=SHAKE))
    done = yield from fixed_test(turn, one, "Shake It Off", dice, effect.strength)
    if done:
        turn.happen(EffectEnded(effect=effect.id, bearer=one.id, what=effect.kind))


def shake_dice(energy: int) -> Explained:
    """Dice of Shake It Off: all the energy, whatever attributes and skills are."""
    return Explained.of(Part(energy, "energy added", SHAKE))
