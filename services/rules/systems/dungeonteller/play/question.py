"""Questions that a move asks on its way: yes or no, and silence means no (Powers for Everyone)."""

from __future__ import annotations

from services.rules.engine.play import Audience, LegalMove, MoveField
from services.rules.engine.steps import Ask
from services.rules.systems.dungeonteller.play.moves import Answer
from services.rules.systems.dungeonteller.play.secrecy import known_to_all
from services.rules.systems.dungeonteller.play.state import Being, Scene


def yes_or_no(
    scene: Scene,
    name: str,
    being: Being,
    question: str,
    *,
    rule: str,
    labels: tuple[str, str] = ("Yes", "No"),
    about: tuple[str, ...] = (),
    fields: tuple[MoveField, ...] = (),
) -> Ask:
    """A question to a being, told to those who may know of all that it concerns, and to their player.

    Args:
        scene: Where.
        name: Its name within the step.
        being: Who is asked.
        question: In plain words.
        rule: Where the rule stands.
        labels: What the buttons for yes and no say.
        about: Ids of the others whom it concerns.
        fields: What is decided with a yes.
    """
    known = known_to_all(scene, (being.id, *about))
    return Ask(
        id=name,
        actor=being.id,
        question=question,
        offers=tuple(
            LegalMove(
                id=f"answer:{'yes' if yes else 'no'}",
                actor=being.id,
                label=label,
                text=question,
                rule=rule,
                move={"kind": "Answer", "actor": being.id, "yes": yes},
                fields=fields if yes else (),
            )
            for yes, label in zip((True, False), labels, strict=True)
        ),
        silence=Answer(actor=being.id, yes=False),
        seconds=scene.answer_seconds,
        open_to_gm=scene.answers_open_to_gm,
        audience=known | Audience(everyone=False, actors=(being.player,)),
    )
