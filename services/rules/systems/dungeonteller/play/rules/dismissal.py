"""Ending what is one's own: a hold, a cloak, a spell that is kept up (Powers; ruling P33)."""

from __future__ import annotations

from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import AreaEnded
from services.rules.systems.dungeonteller.play.moves import Dismiss
from services.rules.systems.dungeonteller.play.refusals import refused
from services.rules.systems.dungeonteller.play.state import Being, Effect, EffectKind, Until


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
        desk.say("dismissed", by=being.id, audience=area.audience)
        desk.do(AreaEnded(area=area.id))
    elif effect is not None:
        desk.say("dismissed.hold", by=being.id, audience=effect.audience)
        desk.lift(effect)


def _may_end(effect: Effect, being: Being) -> bool:
    """Whether a being can end an effect at will: what they hold, what clothes them, what they keep up."""
    if effect.kind == EffectKind.PINNED:
        return effect.source == being.id
    own = effect.source == being.id and effect.bearer == being.id
    chosen = (EffectKind.CLOAKED, EffectKind.DISGUISED, EffectKind.VOICE, EffectKind.WORKING_UP)
    return own and (effect.kind in chosen or effect.lasts.until is Until.KEPT)
