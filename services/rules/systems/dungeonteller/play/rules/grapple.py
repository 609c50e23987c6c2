"""Grappling: grabbing a foe (Pin), squeezing whom one holds, and getting out of holds and thorns."""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.checks import BATTLE
from services.rules.systems.dungeonteller.play.conditions import (
    idle_problem,
)
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import ActionUsed, Suffered
from services.rules.systems.dungeonteller.play.moves import Squeeze, Struggle
from services.rules.systems.dungeonteller.play.pools import as_roll, reaction
from services.rules.systems.dungeonteller.play.question import yes_or_no
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.battle import Assault, Blow, land_blows, show_oneself
from services.rules.systems.dungeonteller.play.rules.feat import feat_parts, feat_problem, pay_feat
from services.rules.systems.dungeonteller.play.rules.harm import BRIAR_LOSS
from services.rules.systems.dungeonteller.play.rules.power import (
    Use,
    cast,
    failed,
    handles,
    lasting,
    tell,
)
from services.rules.systems.dungeonteller.play.rules.powers.knockback import foe_at_hand
from services.rules.systems.dungeonteller.play.state import (
    AreaKind,
    Being,
    Duration,
    Effect,
    EffectKind,
    Scene,
    Until,
)
from services.rules.systems.dungeonteller.play.targeting import best_arm

PIN = "Powers for Everyone / Pin"
GRAPPLE = (Action.MUSCLE, Action.STUNT)


def struggle(desk: Desk, move: Struggle) -> Steps:
    """Get out of a pin by rolling more (ruling P22), or out of thorns."""
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.actor)
    assert being is not None
    held = scene.effects_on(being.id, EffectKind.PINNED)
    caught = scene.effects_on(being.id, EffectKind.CAUGHT)
    if not held and not caught:
        raise refused(RuleProblem("not_held", "Nothing holds you.", PIN, ("actor",), being.id))
    if caught and (move.tear or not held):
        refuse_if(feat_problem(catalog, being, move.feat, ()))
        _out_of_thorns(desk, being, caught[0], tear=move.tear)
        return
    if scene.turn.acted:
        raise refused(RuleProblem("action_used", "One action a turn.", "Actions", ("actor",), being.id))
    refuse_if(feat_problem(catalog, being, move.feat, GRAPPLE))
    holder = scene.being(held[0].source)
    assert holder is not None
    # The holder's Muscle takes no dice from the roll against the hold itself.
    loose = replace(scene, effects=tuple(effect for effect in scene.effects if effect != held[0]))
    dice = reaction(loose, catalog, being, GRAPPLE, extra=feat_parts(catalog, move.feat))
    rolls = (
        as_roll(scene, "escape", being, "Break free", dice),
        as_roll(
            scene,
            "hold",
            holder,
            f"Hold {being.name}",
            reaction(scene, catalog, holder, GRAPPLE),
            about=(being.id,),
        ),
    )
    yield from desk.roll(*rolls)
    pay_feat(desk, being.id, move.feat)
    desk.spend_action()
    show_oneself(desk, being.id)
    free = desk.successes("escape") > desk.successes("hold")
    desk.say("pin.escaped" if free else "pin.held", by=being.id, targets=(holder.id,))
    if free:
        desk.lift(held[0])


def _out_of_thorns(desk: Desk, being: Being, caught: Effect, *, tear: bool) -> None:
    rule = "More Elf Powers / Briar Patch"
    if not tear and (desk.scene.turn.acted or desk.scene.turn.paces):
        raise refused(
            RuleProblem(
                "takes_the_turn", "Getting out with care takes the whole turn.", rule, ("tear",), False, True
            )
        )
    desk.uncloak(being.id)
    desk.lift(caught)
    desk.do(Suffered(being=being.id, area=caught.about))
    if tear:
        desk.say("thorns.torn", by=being.id)
        desk.lose(being.id, BRIAR_LOSS, AreaKind.BRIAR)
    else:
        desk.say("thorns.left", by=being.id)
        desk.do(ActionUsed(being=being.id, limit=0))


def squeeze(desk: Desk, move: Squeeze) -> Steps:
    """Squeeze a held foe: Muscle against Muscle, 1 Luck for each success that is left (ruling P12)."""
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.actor)
    assert being is not None
    held = next(
        (
            effect
            for effect in scene.effects
            if effect.kind == EffectKind.PINNED and effect.source == being.id
        ),
        None,
    )
    foe = None if held is None else scene.being(held.bearer)
    if foe is None:
        raise refused(RuleProblem("holds_nobody", "You hold nobody.", PIN, ("actor",), being.id))
    refuse_if(feat_problem(catalog, being, move.feat, (Action.MUSCLE,)))
    # A held foe squeezes back with all it has: the hold takes no dice from this roll.
    loose = replace(scene, effects=tuple(effect for effect in scene.effects if effect != held))
    rolls = (
        as_roll(
            scene,
            "squeeze",
            being,
            f"Squeeze {foe.name}",
            reaction(scene, catalog, being, (Action.MUSCLE,), extra=feat_parts(catalog, move.feat)),
            about=(foe.id,),
        ),
        as_roll(
            scene, "against", foe, "Against the squeeze", reaction(loose, catalog, foe, (Action.MUSCLE,))
        ),
    )
    yield from desk.roll(*rolls)
    pay_feat(desk, being.id, move.feat)
    desk.spend_action()
    show_oneself(desk, being.id)
    left = max(0, desk.successes("squeeze") - desk.successes("against"))
    desk.say("pin.squeezed", by=being.id, targets=(foe.id,), successes=left)
    desk.lose(foe.id, left, "squeeze", by=being.id)


PATH = ("targets", 0)
GRAB = "grab"
"""Id of the question whether a pin goes on behind the foe's free blow."""


@handles("pin")
def pin(desk: Desk, use: Use) -> Steps:
    """Pin: with empty hands; an armed foe strikes first; then Muscle and Stunt against the same, more wins.

    After the foe's free blow its holder is asked whether they go on (ruling P22 for ties).
    """
    if not hands_empty(use.scene, use.being):
        raise use.refused(
            "hands_not_empty", f"{use.being.name} needs both hands free to grab somebody.", ("actor",)
        )
    foe = foe_at_hand(use)
    if use.scene.has(foe.id, EffectKind.PINNED):
        raise use.refused("already_pinned", f"Somebody holds {foe.name} already.", PATH, foe.id)
    lunge = _lunge(desk, use, foe)
    if not desk.allows(lambda trial: land_blows(trial, lunge)) or not _may_lunge(use.scene, foe):
        yield from _grab(desk, use, foe)
        return
    yield from land_blows(desk, lunge)
    if not desk.able(use.being.id):
        failed(desk, use, (foe.id,))
        return
    now = _after_the_lunge(desk, use)
    if not desk.allows(lambda trial: _grab(trial, now, foe_at_hand(now))):
        desk.say("given_up.impossible", by=use.being.id)
        return
    (answer,) = yield from desk.ask(
        yes_or_no(desk.scene, GRAB, now.being, "Go on and grab?", rule=use.power.source, about=(foe.id,))
    )
    if not answer.yes:
        desk.say("given_up", by=use.being.id)
        return
    yield from _grab(desk, now, foe_at_hand(now))


def hands_empty(scene: Scene, being: Being) -> bool:
    """Whether a being holds nothing: no weapon, no shield, and nobody else."""
    holds = any(effect.kind == EffectKind.PINNED and effect.source == being.id for effect in scene.effects)
    return not (holds or being.shield or any(arm.held and arm.hands > 0 for arm in being.arms))


def armed(being: Being) -> bool:
    """Whether a being holds a weapon; claws and teeth are none."""
    return any(arm.held for arm in being.arms)


def _may_lunge(scene: Scene, foe: Being) -> bool:
    """Whether a foe has a free blow at whoever grabs it: armed, and able to strike."""
    return armed(foe) and idle_problem(scene, foe) is None


def _lunge(desk: Desk, use: Use, foe: Being) -> Assault:
    """The free blow of an armed foe."""

    def opening() -> int:
        desk.spend_action()
        show_oneself(desk, use.being.id)
        return 0

    return Assault(
        being=foe,
        attack=BATTLE,
        blows=(Blow(use.being.id, roll="lunge", path=("actor",), shown=True),),
        arm=best_arm(foe, Action.BATTLE),
        cause="free-blow",
        power=use.power.id,
        free=True,
        opening=opening,
    )


def _after_the_lunge(desk: Desk, use: Use) -> Use:
    """The use as it goes on: a Feat of Strength takes no more Luck than the blow has left."""
    being = desk.being(use.being.id)
    feat = use.move.feat if being.luck is None else min(use.move.feat, being.luck)
    return replace(use, scene=desk.scene, being=being, move=replace(use.move, feat=feat))


def _grab(desk: Desk, use: Use, foe: Being) -> Steps:

    successes = yield from cast(desk, use, versus=foe)
    show_oneself(desk, use.being.id)
    if not successes:
        tell(desk, use, 0, targets=(foe.id,))
        return
    desk.let_go(foe.id)
    lasting(
        desk, use, Effect(id="", kind=EffectKind.PINNED, bearer=foe.id, amount=0, lasts=Duration(Until.KEPT))
    )
    tell(desk, use, successes, targets=(foe.id,))
