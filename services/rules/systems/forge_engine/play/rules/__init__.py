"""The rules of a fight, a file for each chapter of the book.

Read in this order: `energy`, `checks`, `dice` (what all of them use); `initiative`, `rounds` (how a fight
begins and goes on); `attribute_test`, `attack`, `damage`; `reactions`, `defense` (who may react, and how);
`movement`, `mounts`, `doors`, `minor`, `grapple`, `treatment`, `hazards`, `venom`; `bonuses`, `manners`,
`outcomes`, `pushes`, `followups`, `exertions`, `skills`, `enchantments`, `zones`, `spells`,
`spell_reactions`; `master`, `contests` (what the game master does).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from services.rules.engine.play import GM
from services.rules.engine.steps import Steps, refuse
from services.rules.engine.windows import Windows
from services.rules.systems.forge_engine.play import moves
from services.rules.systems.forge_engine.play.facts import Acted
from services.rules.systems.forge_engine.play.moves import MASTERS, FightMove
from services.rules.systems.forge_engine.play.rules import (
    attack,
    attribute_test,
    bonuses,
    contests,
    doors,
    enchantments,
    exertions,
    followups,
    grapple,
    hazards,
    initiative,
    master,
    minor,
    mounts,
    movement,
    rounds,
    skills,
    spells,
    treatment,
    venom,
    zones,
)
from services.rules.systems.forge_engine.play.rules.defense import DEFENSES
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.rules.reactions import registered
from services.rules.systems.forge_engine.play.rules.spell_reactions import SPELLS
from services.rules.systems.forge_engine.play.state import Phase
from services.rules.systems.forge_engine.play.strike import Declared, Harmed, Harming, Hits

RULES: Mapping[type, Callable[[FightTurn, Any], Steps]] = {
    moves.Pass: rounds.pass_priority,
    moves.Attack: attack.attack,
    moves.Walk: movement.walk,
    moves.Approach: movement.approach,
    moves.Fly: movement.fly,
    moves.Stand: movement.stand,
    moves.Mount: mounts.mount,
    moves.Dismount: mounts.dismount,
    moves.Flee: movement.flee,
    moves.Yield: movement.surrender,
    moves.Minor: minor.minor,
    moves.Reload: minor.reload,
    moves.Arm: minor.arm,
    moves.Grapple: grapple.grapple,
    moves.Escape: grapple.escape,
    moves.ShakeOff: grapple.shake_off,
    moves.Test: attribute_test.test,
    moves.Treat: treatment.treat,
    moves.UseSkill: skills.use_skill,
    moves.Cast: spells.cast,
    moves.BeginFight: initiative.begin_fight,
    moves.EndScene: master.end_scene,
    moves.Reveal: master.reveal,
    moves.Impose: master.impose,
    moves.Lift: master.lift,
    moves.StateDistance: master.state_distance,
    moves.Displace: master.displace,
    moves.SetDoor: doors.set_door,
    moves.ChangeFog: master.change_fog,
    moves.Improvise: master.improvise,
    moves.Harm: master.harm,
    moves.Contest: contests.contest,
    moves.Morale: contests.morale,
    moves.Endanger: hazards.endanger,
    moves.Rest: treatment.rest,
    moves.Wait: treatment.wait,
}
"""What happens in each move that is one of its own."""

KEEPS_POISE = MASTERS | moves.Pass | moves.Walk | moves.Approach
"""Moves that leave what waits for the next attack as it is."""

GOES_ON_ITSELF = moves.Pass | moves.BeginFight | moves.EndScene
"""Moves whose own rule says what follows them."""


def rule(turn: FightTurn, move: FightMove) -> Steps:
    """Every move: first what no move may break, then its own rule, then what follows an action."""
    fight = turn.state
    if fight.over:
        refuse("scene_over", "The scene is over.", "Combat Resolution")
    own = RULES.get(type(move))
    if own is None:
        refuse("not_asked", "That answers a question, and none is open.", "Reactions", ("kind",))
    if (move.actor == GM) != isinstance(move, MASTERS):
        refuse("not_yours", "That is not theirs to do.", "Game Mastering", ("actor",), move.actor)
    waiting = bonuses.poise(fight, move.actor)
    before, old = zones.inside(fight), zones.zones(fight)
    yield from own(turn, move)
    if not isinstance(move, moves.Walk):
        yield from zones.entered(turn, before, old)
    if not isinstance(move, KEEPS_POISE):
        bonuses.lose_poise(turn, move.actor, waiting)
    if isinstance(move, GOES_ON_ITSELF):
        return
    if turn.state.phase is Phase.FIGHT and not isinstance(move, MASTERS):
        turn.happen(Acted(who=move.actor))
    yield from rounds.settle(turn)


def _windows() -> Windows:
    """What acts and who reacts in the windows of a fight."""
    found = Windows(lambda fight: fight.effects)
    found.always(Declared, bonuses.declared)
    found.always(Hits, bonuses.hit_or_missed)
    found.always(Harming, exertions.first_strike)
    found.always(Harming, exertions.hard_to_kill)
    found.always(Harmed, bonuses.drew_blood)
    found.always(Harmed, exertions.retaliation)
    found.always(Harmed, exertions.reaping)
    found.always(Harmed, venom.venom)
    skills.acting(found)
    enchantments.acting(found)
    registered(found, (*DEFENSES, *SPELLS, *followups.REACTIONS, *exertions.EXERTIONS))
    return found


WINDOWS = _windows()
"""What acts and who reacts in the windows of a fight."""
