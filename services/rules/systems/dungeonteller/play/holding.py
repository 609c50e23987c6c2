"""Holds: getting out of them, squeezing, letting go, and ending what is one's own (Pin; Briar Patch)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.events import Gone
from services.rules.systems.dungeonteller.play.feats import feat_parts, feat_problem, pay_feat
from services.rules.systems.dungeonteller.play.fighting import show_oneself
from services.rules.systems.dungeonteller.play.harm import BRIAR_LOSS
from services.rules.systems.dungeonteller.play.moves import Dismiss, Squeeze, Struggle
from services.rules.systems.dungeonteller.play.pools import as_roll, reaction
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.state import Being, Effect, EffectKind, Until

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
    words = "breaks free" if free else "cannot break free"
    desk.say(
        "pin.escaped" if free else "pin.held",
        f"{being.name} {words}.",
        by=being.id,
        targets=(holder.id,),
        rule=f"{PIN} [P22]",
    )
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
    turn = desk.scene.turn
    desk.turn(replace(turn, suffered=(*turn.suffered, caught.about)))
    if tear:
        desk.say("thorns.torn", f"{being.name} tears free of the thorns.", by=being.id, rule=rule)
        desk.lose(being.id, BRIAR_LOSS, "the thorns")
    else:
        desk.say("thorns.left", f"{being.name} picks a way out of the thorns.", by=being.id, rule=rule)
        desk.turn(replace(desk.scene.turn, acted=True, limit=0))


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
    desk.say(
        "pin.squeezed",
        f"{being.name} squeezes {foe.name}: {left}.",
        by=being.id,
        targets=(foe.id,),
        successes=left,
        rule=f"{PIN} [P12]",
    )
    desk.lose(foe.id, left, "being squeezed")


def dismiss(desk: Desk, move: Dismiss) -> None:
    """End something of one's own (ruling P33)."""
    scene = desk.scene
    being = scene.being(move.actor)
    assert being is not None
    made = scene.being(move.what)
    area = next((area for area in scene.areas if area.id == move.what and area.source == being.id), None)
    effect = next((one for one in scene.effects if one.id == move.what and _may_end(one, being)), None)
    if (made is None or made.leader != being.id) and area is None and effect is None:
        raise refused(
            RuleProblem(
                "not_yours", "You have nothing like that to end.", "Powers [P33]", ("what",), move.what
            )
        )
    if made is not None:
        desk.vanish(made.id)
    elif area is not None:
        desk.do(Gone(id=area.id, audience=area.audience))
        desk.say("dismissed", f"{being.name} lets magic end.", by=being.id, audience=area.audience)
    elif effect is not None:
        desk.lift(effect)
        desk.say("dismissed", f"{being.name} lets go.", by=being.id, audience=effect.audience)


def _may_end(effect: Effect, being: Being) -> bool:
    """Whether somebody can end an effect at will: what they hold, what clothes them, what they keep up."""
    if effect.kind == EffectKind.PINNED:
        return effect.source == being.id
    own = effect.source == being.id and effect.bearer == being.id
    chosen = (EffectKind.CLOAKED, EffectKind.DISGUISED, EffectKind.VOICE, EffectKind.WORKING_UP)
    return own and (effect.kind in chosen or effect.lasts.until is Until.KEPT)
