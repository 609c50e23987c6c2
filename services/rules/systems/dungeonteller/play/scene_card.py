"""What any client can draw of a scene: who is in it, how they are, whose turn it is."""

from __future__ import annotations

from services.rules.engine.identity import remembered
from services.rules.engine.play import ActorCard, SceneCard
from services.rules.engine.sheet import Track
from services.rules.systems.dungeonteller.play.effects import effect_rules
from services.rules.systems.dungeonteller.play.state import Being, Effect, EffectKind, Scene, Until

SEEN = "seen"
"""Tag of what anybody sees at a glance."""


def card(scene: Scene) -> SceneCard:
    """The scene in the form that every game shares."""
    over = scene.ended is not None
    whose = scene.turn.whose or None
    return SceneCard(
        title=scene.title,
        round=scene.turn.round,
        turn=None if over else whose,
        actors=_actors(scene.beings, scene.effects),
        waiting_for=() if over or whose is None else (whose,),
    )


@remembered(16)
def _actors(beings: tuple[Being, ...], effects: tuple[Effect, ...]) -> tuple[ActorCard, ...]:
    on: dict[str, list[Effect]] = {}
    for effect in effects:
        on.setdefault(effect.bearer, []).append(effect)
    return tuple(_actor(being, *on.get(being.id, ())) for being in beings)


@remembered(1024)
def _actor(being: Being, *effects: Effect) -> ActorCard:
    return ActorCard(
        id=being.id,
        name=being.name,
        side=being.side.value,
        tracks=()
        if being.luck is None
        else (Track("luck", "Luck", being.luck, max(being.max_luck, being.luck)),),
        conditions=tuple(_conditions(being, effects)),
        at=being.at,
        character=being.hero,
    )


def _conditions(being: Being, effects: tuple[Effect, ...]) -> list[str]:
    found = ["knocked out"] if being.out else []
    if being.hidden is not None:
        found.append("hidden")
    for effect in effects:
        rule = effect_rules()[effect.kind]
        if SEEN not in rule.tags:
            continue
        words = rule.name
        if effect.kind == EffectKind.SHIELD:
            words += f" ({effect.amount})"
        if effect.lasts.until is Until.TURNS:
            words += f" for {effect.lasts.left} turn" + ("" if effect.lasts.left == 1 else "s")
        found.append(words)
    return found
