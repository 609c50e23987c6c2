"""What any client can draw of a scene: who is in it, how they are, whose turn it is."""

from __future__ import annotations

from services.rules.engine.play import ActorCard, SceneCard
from services.rules.engine.sheet import Track
from services.rules.systems.dungeonteller.play.state import Being, EffectKind, Ending, Scene

WORDS = {
    EffectKind.STATUE: "a statue",
    EffectKind.PETRIFIED: "turned to stone",
    EffectKind.CLOAKED: "cloaked",
    EffectKind.INVISIBLE: "invisible",
    EffectKind.ASLEEP: "asleep",
    EffectKind.PINNED: "held tight",
    EffectKind.SHIELD: "shielded",
    EffectKind.PARRY: "parrying",
    EffectKind.FLOATING: "floating",
    EffectKind.MIST: "a cloud of mist",
    EffectKind.DISGUISED: "disguised",
    EffectKind.AFRAID: "afraid",
    EffectKind.DRIVEN_AWAY: "driven away",
    EffectKind.COUNTERED: "magic countered",
    EffectKind.INSPIRED: "cheering friends on",
    EffectKind.POISONED: "poisoned",
    EffectKind.FIREPROOF: "safe from fire",
    EffectKind.SPARKLING: "covered in sparkles",
    EffectKind.RESTING: "resting",
    EffectKind.LOSES_TURNS: "fallen down",
    EffectKind.WORKING_UP: "working on a spell",
    EffectKind.CAUGHT: "caught in thorns",
    EffectKind.TRAPPED: "held by a rune",
    EffectKind.GLOWING: "glowing",
}
"""Plain words for what lasts; what is not here is nobody's to see at a glance."""


def card(scene: Scene) -> SceneCard:
    """The scene in the form that every game shares."""
    over = scene.ended is not None
    whose = scene.turn.whose or None
    return SceneCard(
        title=scene.title,
        round=scene.turn.round,
        turn=None if over else whose,
        actors=tuple(_actor(scene, being) for being in scene.beings),
        waiting_for=() if over or whose is None else (whose,),
    )


def _actor(scene: Scene, being: Being) -> ActorCard:
    return ActorCard(
        id=being.id,
        name=being.name,
        side=being.side.value,
        tracks=()
        if being.luck is None
        else (Track("luck", "Luck", being.luck, max(being.max_luck, being.luck)),),
        conditions=tuple(_conditions(scene, being)),
        at=being.at,
        character=being.hero,
    )


def _conditions(scene: Scene, being: Being) -> list[str]:
    found = ["knocked out"] if being.out else []
    if being.hidden is not None:
        found.append("hidden")
    for effect in scene.effects_on(being.id):
        if effect.kind not in WORDS:
            continue
        words = WORDS[effect.kind]
        if effect.kind is EffectKind.SHIELD:
            words += f" ({effect.amount})"
        if effect.lasts.ending is Ending.TURNS:
            words += f" for {effect.lasts.turns} turn" + ("" if effect.lasts.turns == 1 else "s")
        found.append(words)
    return found
