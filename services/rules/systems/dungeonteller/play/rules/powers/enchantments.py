"""Magic and faith that take hold of foes: sleep, fear, stone, a stopped spell, undead kept away."""

from __future__ import annotations

from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.falls import falls
from services.rules.systems.dungeonteller.play.rules.power import (
    Use,
    cast,
    failed,
    handles,
    lasting,
    only_target,
    tell,
    too_big,
)
from services.rules.systems.dungeonteller.play.state import Being, Duration, Effect, EffectKind, Until
from services.rules.systems.dungeonteller.play.targeting import foe_problem

PATH = ("targets", 0)
UNDEAD = "undead"
AFRAID_LOSS = 1
"""Dice that a being afraid loses on Battle and Shoot (More Wizard Powers / Fear)."""


@handles("trance")
def send_to_sleep(desk: Desk, use: Use) -> Steps:
    """Trance: asleep for the scene when one success is left (Elf)."""
    foe = foe_in_sight(use)
    successes = yield from cast(desk, use, versus=foe)
    if not successes:
        _in_vain(desk, use, foe)
        return
    lasting(desk, use, Effect(id="", kind=EffectKind.ASLEEP, bearer=foe.id, amount=0))
    tell(desk, use, successes, targets=(foe.id,))
    yield from _sink_down(desk, foe)


@handles("turn-to-stone")
def turn_to_stone(desk: Desk, use: Use) -> Steps:
    """Turn to Stone: a statue with Armor for the scene; giants are too big (More Wizard Powers)."""
    foe = foe_in_sight(use)
    refuse_if(too_big(use, foe))
    successes = yield from cast(desk, use, versus=foe)
    if not successes:
        _in_vain(desk, use, foe)
        return
    desk.lift_all(foe.id, EffectKind.PETRIFIED)
    lasting(
        desk,
        use,
        Effect(id="", kind=EffectKind.PETRIFIED, bearer=foe.id, amount=use.power.figures.armor or 0),
    )
    tell(desk, use, successes, targets=(foe.id,))
    yield from _sink_down(desk, foe)


@handles("fear")
def frighten(desk: Desk, use: Use) -> Steps:
    """Fear: for a turn for each success left the foe stays away and attacks its user with a die less."""
    foe = foe_in_sight(use)
    successes = yield from cast(desk, use, versus=foe)
    if not successes:
        _in_vain(desk, use, foe)
        return
    for known in desk.scene.effects_on(foe.id, EffectKind.AFRAID):
        if known.source == use.being.id:
            desk.lift(known)
    turns = desk.for_turns(use.being.id, successes)
    lasting(desk, use, Effect(id="", kind=EffectKind.AFRAID, bearer=foe.id, amount=AFRAID_LOSS, lasts=turns))
    tell(desk, use, successes, targets=(foe.id,))


@handles("counterspell")
def counter(desk: Desk, use: Use) -> Steps:
    """Counterspell: the foe's next Magic roll loses a die for each success, down to one die (Wizard)."""
    foe = foe_in_sight(use)
    successes = yield from cast(desk, use)
    if not successes:
        _in_vain(desk, use, foe)
        return
    lasting(
        desk,
        use,
        Effect(id="", kind=EffectKind.COUNTERED, bearer=foe.id, amount=successes, lasts=Duration(Until.USED)),
    )
    tell(desk, use, successes, targets=(foe.id,))


@handles("drive-away-undead")
def drive_away(desk: Desk, use: Use) -> Steps:
    """Drive Away Undead: for a turn, one for each success, in the order named: no attack, no step nearer."""
    targets = use.move.targets
    if not targets:
        raise use.refused("needs_one_target", "Choose whom to drive away.", ("targets",), 0, 1)
    if len(set(targets)) != len(targets):
        raise use.refused("target_twice", "Name each of them once.", ("targets",), targets)
    found: list[Being] = []
    for index, target in enumerate(targets):
        refuse_if(foe_problem(use.scene, use.being, target, ("targets", index), use.power.roll[0]))
        undead = use.scene.being(target)
        assert undead is not None
        if UNDEAD not in undead.tags:
            text = f"{undead.name} is not undead."
            raise use.refused("target_not_undead", text, ("targets", index), target)
        found.append(undead)
    successes = yield from cast(desk, use)
    driven = found[:successes]
    turn = desk.for_turns(use.being.id, 1)
    for undead in driven:
        desk.lift_all(undead.id, EffectKind.DRIVEN_AWAY)
        lasting(desk, use, Effect(id="", kind=EffectKind.DRIVEN_AWAY, bearer=undead.id, amount=0, lasts=turn))
    if not driven:
        tell(desk, use, 0, targets=targets)
        return
    tell(desk, use, successes, targets=tuple(undead.id for undead in driven))


def foe_in_sight(use: Use) -> Being:
    """The one foe that magic is aimed at, or why it cannot be."""
    target = only_target(use)
    refuse_if(foe_problem(use.scene, use.being, target, PATH, Action.MAGIC))
    foe = use.scene.being(target)
    assert foe is not None
    return foe


def _in_vain(desk: Desk, use: Use, foe: Being) -> None:
    failed(desk, use, (foe.id,))


def _sink_down(desk: Desk, foe: Being) -> Steps:
    """Whoever can do nothing any more lets go of others, and comes down if they were up in the air."""
    desk.let_go(foe.id)
    if foe.height:
        yield from falls(desk, foe.id, foe.height)
