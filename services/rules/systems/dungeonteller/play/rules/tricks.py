"""Seeing through tricks: disguises, thrown voices and phantoms (Actions / Notice)."""

from __future__ import annotations

from services.rules.engine.content import content_id
from services.rules.engine.play import Audience
from services.rules.systems.dungeonteller.catalog import SLUG
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.state import Effect, EffectKind, Scene
from services.rules.systems.dungeonteller.powers import Opposition

PHANTOM = content_id(SLUG, "power", "phantom")


def is_trick(effect: Effect) -> bool:
    """Whether something that lasts can be seen through."""
    if effect.kind == EffectKind.NOTE:
        return effect.cause == PHANTOM and effect.bearer != effect.source
    return effect.kind in (EffectKind.DISGUISED, EffectKind.VOICE)


def believed(scene: Scene, viewer_id: str, effect: Effect) -> bool:
    """Whether a being still takes a trick for real."""
    known = scene.effects_on(viewer_id, EffectKind.NOTE)
    return not any(note.about == effect.id and note.source == viewer_id for note in known)


def see_through(desk: Desk, viewer_id: str, effect_id: str, successes: int) -> bool:
    """A being doubts a trick and looks hard: whether they see through it, which they alone then know.

    A disguise is seen through by as many successes as it was made with; a thrown voice and a phantom take
    more (Wizard / Disguise; Rogue / Voice Trick; More Wizard Powers / Phantom).

    Args:
        desk: The move it happens in.
        viewer_id: Who looks.
        effect_id: The disguise, the voice, or the note on a phantom; anything else cannot be seen through.
        successes: Of their Notice roll.
    """
    effect = next((one for one in desk.scene.effects if one.id == effect_id), None)
    if effect is None or not is_trick(effect):
        return False
    power = desk.catalog.powers[effect.cause]
    needed = effect.amount + (1 if power.opposition is Opposition.MUST_BEAT else 0)
    if successes < max(needed, 1):
        return False
    if not believed(desk.scene, viewer_id, effect):
        return True
    alone = Audience(everyone=False, actors=(viewer_id,))
    desk.put(
        Effect(
            id="",
            kind=EffectKind.NOTE,
            bearer=viewer_id,
            source=viewer_id,
            cause=effect.cause,
            amount=0,
            about=effect.id,
            audience=alone,
        )
    )
    desk.say(
        "seen_through",
        by=viewer_id,
        targets=(effect.bearer,),
        power=effect.cause,
        successes=successes,
        audience=alone,
    )
    return True
