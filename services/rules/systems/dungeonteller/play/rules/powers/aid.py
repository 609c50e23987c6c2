"""Powers that help: guarding oneself, lending dice, giving Luck away, ending poison and stone."""

from __future__ import annotations

from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.play.conditions import is_friend
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import Restored
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.power import (
    Use,
    cast,
    failed,
    handles,
    lasting,
    only_target,
    tell,
)
from services.rules.systems.dungeonteller.play.state import Being, Duration, Effect, EffectKind, Until
from services.rules.systems.dungeonteller.play.targeting import target_problem

PATH = ("targets", 0)
PETRIFIED = "petrified"
"""The tag of a statue that was alive before the scene began."""


@handles("shield")
def shield(desk: Desk, use: Use) -> Steps:
    """Shield: a store that stops Battle and Shoot successes; casting it again adds to it (ruling P25)."""
    successes = yield from cast(desk, use)
    being = use.being
    if not successes:
        failed(desk, use)
        return
    known = [
        effect
        for effect in desk.scene.effects_on(being.id, EffectKind.SHIELD)
        if effect.cause == use.power.id
    ]
    total = successes + sum(effect.amount for effect in known)
    if known:
        desk.change(known[0], total)
    else:
        lasting(
            desk,
            use,
            Effect(id="", kind=EffectKind.SHIELD, bearer=being.id, amount=total, lasts=Duration(Until.USED)),
        )
    tell(desk, use, successes, targets=(being.id,), number=total)


@handles("parry")
def parry(desk: Desk, use: Use) -> Steps:
    """Parry: each success stops one Battle success until its user's next turn (Warrior; ruling P25)."""
    successes = yield from cast(desk, use)
    being = use.being
    if not successes:
        failed(desk, use)
        return
    desk.lift_all(being.id, EffectKind.PARRY)
    until = desk.until_next_turn(being.id)
    lasting(desk, use, Effect(id="", kind=EffectKind.PARRY, bearer=being.id, amount=successes, lasts=until))
    tell(desk, use, successes, targets=(being.id,))


@handles("inspire")
def inspire(desk: Desk, use: Use) -> Steps:
    """Inspire: a die to lend for each success until its user's next turn, shared freely among friends."""
    successes = yield from cast(desk, use)
    being = use.being
    desk.lift_all(being.id, EffectKind.INSPIRED)
    if not successes:
        failed(desk, use)
        return
    until = desk.until_next_turn(being.id)
    lasting(
        desk, use, Effect(id="", kind=EffectKind.INSPIRED, bearer=being.id, amount=successes, lasts=until)
    )
    tell(desk, use, successes)


@handles("hand-of-healing")
def heal(desk: Desk, use: Use) -> Steps:
    """Hand of Healing: own Luck for a touched friend, one for each success at most (ruling P31).

    The move's Luck says how much is to be given; 0 is as much as can be.
    """
    friend = _touched(use)
    if friend.id == use.being.id:
        raise use.refused("target_is_self", "Your own Luck is yours already.", PATH, friend.id)
    if not is_friend(use.being, friend):
        raise use.refused("target_not_friend", f"{friend.name} is no friend.", PATH, friend.id)
    if use.move.luck < 0:
        raise use.refused("luck_out_of_range", "Give some Luck, or none.", ("luck",), use.move.luck, 0)
    successes = yield from cast(desk, use)
    giver, taker = desk.being(use.being.id), desk.being(friend.id)
    room = 0 if taker.luck is None else max(0, taker.max_luck - taker.cold - taker.luck)
    most = min(successes, room, giver.luck if giver.luck is not None else successes)
    given = min(most, use.move.luck) if use.move.luck else most
    if not given:
        failed(desk, use, (friend.id,))
        return
    desk.pay(giver.id, given, use.power.id)
    desk.gain(friend.id, given, use.power.id)
    tell(desk, use, given, targets=(friend.id,))


@handles("antidote")
def stop_poison(desk: Desk, use: Use) -> Steps:
    """Antidote: poison stops working on a being touched (More Paladin Powers)."""
    sick = _touched(use)
    if sick.id == use.being.id:
        raise use.refused("target_is_self", "It only works on somebody else.", PATH, sick.id)
    if not use.scene.has(sick.id, EffectKind.POISONED):
        raise use.refused("target_not_poisoned", f"{sick.name} is not poisoned.", PATH, sick.id)
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use, (sick.id,))
        return
    desk.lift_all(sick.id, EffectKind.POISONED)
    tell(desk, use, successes, targets=(sick.id,))


@handles("restore")
def bring_back(desk: Desk, use: Use) -> Steps:
    """Restore: stone becomes alive again, whatever made it stone (More Paladin Powers)."""
    target = only_target(use)
    refuse_if(target_problem(use.scene, use.being, target, PATH))
    statue = use.scene.being(target)
    assert statue is not None
    if PETRIFIED not in statue.tags and not use.scene.has(statue.id, EffectKind.PETRIFIED):
        raise use.refused("target_not_petrified", f"{statue.name} is not turned to stone.", PATH, target)
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use, (statue.id,))
        return
    desk.lift_all(statue.id, EffectKind.PETRIFIED)
    if PETRIFIED in desk.being(statue.id).tags:
        desk.do(Restored(being=statue.id, tag=PETRIFIED))
    tell(desk, use, successes, targets=(statue.id,))


def _touched(use: Use) -> Being:
    """The one within reach of the hands, or why there is none."""
    target = only_target(use)
    refuse_if(target_problem(use.scene, use.being, target, PATH, touch=True))
    found = use.scene.being(target)
    assert found is not None
    return found
