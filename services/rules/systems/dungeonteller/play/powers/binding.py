"""Magic and faith that take hold of foes: sleep, fear, stone, a stopped spell, undead kept away."""

from __future__ import annotations

from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.aiming import foe_problem, one
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.falls import fall_rolls, falls
from services.rules.systems.dungeonteller.play.state import Being, EffectKind, Ending, Lasting
from services.rules.systems.dungeonteller.play.use import (
    Use,
    cast,
    handles,
    lasting,
    only_target,
    tell,
    too_big,
)

PATH = ("targets", 0)
UNDEAD = "undead"
AFRAID_LOSS = 1
"""Dice that somebody afraid loses on Battle and Shoot (More Wizard Powers / Fear)."""


@handles("trance")
def send_to_sleep(use: Use) -> Plan | Problems:
    """Trance: asleep for the scene when one success is left (Elf)."""
    foe = foe_in_sight(use)
    if isinstance(foe, Problems):
        return foe

    def after(desk: Desk, successes: int) -> None:
        if not successes:
            _in_vain(desk, use, foe)
            return
        lasting(desk, use, EffectKind.ASLEEP, foe.id, 0, words="asleep")
        tell(desk, use, f"{foe.name} falls asleep.", successes, targets=(foe.id,))
        _sink_down(desk, foe)

    return cast(use, after, versus=foe, also=fall_rolls(use.scene, use.catalog, foe, foe.height))


@handles("turn-to-stone")
def turn_to_stone(use: Use) -> Plan | Problems:
    """Turn to Stone: a statue with Armor for the scene; giants are too big (More Wizard Powers)."""
    foe = foe_in_sight(use)
    if isinstance(foe, Problems):
        return foe
    big = too_big(use, foe)
    if big is not None:
        return big

    def after(desk: Desk, successes: int) -> None:
        if not successes:
            _in_vain(desk, use, foe)
            return
        desk.lift_all(foe.id, EffectKind.PETRIFIED)
        lasting(desk, use, EffectKind.PETRIFIED, foe.id, use.power.figures.armor or 0, words="stone")
        tell(desk, use, f"{foe.name} turns to stone.", successes, targets=(foe.id,))
        _sink_down(desk, foe)

    return cast(use, after, versus=foe, also=fall_rolls(use.scene, use.catalog, foe, foe.height))


@handles("fear")
def frighten(use: Use) -> Plan | Problems:
    """Fear: for a turn for each success left the foe stays away and attacks its user with a die less."""
    foe = foe_in_sight(use)
    if isinstance(foe, Problems):
        return foe

    def after(desk: Desk, successes: int) -> None:
        if not successes:
            _in_vain(desk, use, foe)
            return
        for known in desk.scene.effects_on(foe.id, EffectKind.AFRAID):
            if known.by == use.being.id:
                desk.lift(known)
        turns = desk.for_turns(use.being.id, successes)
        lasting(desk, use, EffectKind.AFRAID, foe.id, AFRAID_LOSS, turns, words=f"afraid of {use.being.name}")
        long = "1 turn" if successes == 1 else f"{successes} turns"
        text = f"{foe.name} is afraid of {use.being.name} for {long}."
        tell(desk, use, text, successes, targets=(foe.id,))

    return cast(use, after, versus=foe)


@handles("counterspell")
def counter(use: Use) -> Plan | Problems:
    """Counterspell: the foe's next Magic roll loses a die for each success, down to one die (Wizard)."""
    foe = foe_in_sight(use)
    if isinstance(foe, Problems):
        return foe

    def after(desk: Desk, successes: int) -> None:
        if not successes:
            _in_vain(desk, use, foe)
            return
        lasting(desk, use, EffectKind.COUNTERED, foe.id, successes, Lasting(Ending.USED), words="countered")
        dice = "1 die" if successes == 1 else f"{successes} dice"
        text = f"{foe.name}'s next magic has {dice} less."
        tell(desk, use, text, successes, targets=(foe.id,))

    return cast(use, after)


@handles("drive-away-undead")
def drive_away(use: Use) -> Plan | Problems:
    """Drive Away Undead: for a turn, one for each success, in the order named: no attack, no step nearer."""
    targets = use.move.targets
    if not targets:
        return use.problem("needs_one_target", "Choose whom to drive away.", ("targets",), 0, 1)
    if len(set(targets)) != len(targets):
        return use.problem("target_twice", "Name each of them once.", ("targets",), targets)
    found: list[Being] = []
    for index, target in enumerate(targets):
        problem = foe_problem(use.scene, use.being, target, ("targets", index), use.power.roll[0])
        if problem is not None:
            return one(problem)
        undead = use.scene.being(target)
        assert undead is not None
        if UNDEAD not in undead.tags:
            text = f"{undead.name} is not undead."
            return use.problem("target_not_undead", text, ("targets", index), target)
        found.append(undead)

    def after(desk: Desk, successes: int) -> None:
        driven = found[:successes]
        turn = desk.for_turns(use.being.id, 1)
        for undead in driven:
            desk.lift_all(undead.id, EffectKind.DRIVEN_AWAY)
            lasting(desk, use, EffectKind.DRIVEN_AWAY, undead.id, 0, turn, words="kept away")
        if not driven:
            tell(desk, use, "The undead are not impressed.", 0, targets=targets)
            return
        names = " and ".join(undead.name for undead in driven)
        ids = tuple(undead.id for undead in driven)
        tell(desk, use, f"{use.being.name} keeps {names} away for a turn.", successes, targets=ids)

    return cast(use, after)


def foe_in_sight(use: Use) -> Being | Problems:
    """The one foe that magic is aimed at, or why it cannot be."""
    target = only_target(use)
    if isinstance(target, Problems):
        return target
    problem = foe_problem(use.scene, use.being, target, PATH, Action.MAGIC)
    if problem is not None:
        return one(problem)
    foe = use.scene.being(target)
    assert foe is not None
    return foe


def _in_vain(desk: Desk, use: Use, foe: Being) -> None:
    tell(desk, use, f"{use.power.name} does nothing to {foe.name}.", 0, targets=(foe.id,))


def _sink_down(desk: Desk, foe: Being) -> None:
    """Whoever can do nothing any more lets go of others, and comes down if they were up in the air."""
    desk.let_go(foe.id)
    if foe.height:
        falls(desk, foe.id)
