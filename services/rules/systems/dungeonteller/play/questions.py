"""The questions that play waits for, and the answers that may be given (Powers for Everyone)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.play import LegalMove
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.desk import Plan
from services.rules.systems.dungeonteller.play.moves import Answer
from services.rules.systems.dungeonteller.play.rules import plan
from services.rules.systems.dungeonteller.play.state import Being, PromptKind, Scene

QUESTIONS = {
    PromptKind.DODGE: "Dodge? It costs 1 Luck, and your Stunt takes dice away.",
    PromptKind.STRIKE: "Strike now?",
    PromptKind.GRAB: "Go on and grab?",
}


def answers(scene: Scene, catalog: Catalog, being: Being) -> Iterator[LegalMove]:
    """Yes and no to the question that is open, as far as each may be answered."""
    prompt = scene.prompt
    assert prompt is not None
    words = {PromptKind.DODGE: ("Dodge", "Stand still")}.get(prompt.kind, ("Yes", "No"))
    for yes, label in zip((True, False), words, strict=True):
        move = Answer(actor=being.id, prompt=prompt.id, yes=yes)
        if isinstance(plan(scene, catalog, move), Plan):
            yield LegalMove(
                id=f"answer:{'yes' if yes else 'no'}",
                actor=being.id,
                label=label,
                text=QUESTIONS[prompt.kind],
                rule="Powers for Everyone",
                move={"kind": "Answer", "actor": being.id, "prompt": prompt.id, "yes": yes},
            )
