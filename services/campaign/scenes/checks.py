"""Dry runs: what a move would come to first, as far as its player may know, with nothing done."""

from collections.abc import Iterable
from dataclasses import dataclass

import structlog

from services.campaign.scenes.forms import Form
from services.campaign.scenes.participant import Participant
from services.campaign.scenes.rulings import legal
from services.rules.engine.codec import Json
from services.rules.engine.play import LegalMove, Roll
from services.rules.engine.position import Position
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask, RuleFault
from services.shared.problems import Issue

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that has to be answered before the move goes on.

    Attributes:
        actor: id of the actor who is asked.
        question: in plain words.
    """

    actor: str
    question: str


@dataclass(frozen=True, slots=True)
class CheckedMove:
    """A move that the rules allow, up to its first dice or question.

    Attributes:
        sentences: what happens before any die falls and before anybody is asked: what is paid.
        rolls: the dice that fall first, together; none where a question comes first, or no die falls.
        questions: what is asked first; for an answer, what is asked beside it and still open.
    """

    sentences: tuple[str, ...]
    rolls: tuple[Roll, ...]
    questions: tuple[OpenQuestion, ...]


@dataclass(frozen=True, slots=True)
class RejectedMove:
    """A move that the rules do not allow, as far as its player may know.

    Attributes:
        issues: every rule that it breaks.
        legal: what its actor may do now.
    """

    issues: list[Issue]
    legal: tuple[LegalMove, ...]


def checked(at: Position, who: Participant, move: Json) -> CheckedMove | RejectedMove:
    """Return what a move or an answer would come to first.

    What its player may not know changes nothing of it: the rule runs in the state as they may know it. Of an
    answer nothing is told but whether it is one, since what follows may rest on what others answered in
    secret.

    Args:
        at: where the scene stands.
        who: whose move it is.
        move: its document.

    Raises:
        CodecError: the game does not know such a move.
    """
    form = Form(move, ("move",))
    asked = at.play.move_codec.load(move)
    try:
        found = at.check(asked, who.eyes)
        if isinstance(found, Problems):
            return RejectedMove(form.issues(found), legal(at, asked.actor, who))
        if isinstance(found, Ask):
            return CheckedMove((), (), _known(who, (ask for ask in at.asks if ask != found)))
    except RuleFault as fault:
        log.error("rule_faulty", reason=str(fault))
        message = "The rules have changed since this move began: have a game master take it back."
        return RejectedMove([Issue("history_differs", message, ["move"])], ())
    seen = ((before, at.play.sees(event, who.eyes)) for before, event in found.happened)
    told = (at.play.tell(before, event) for before, event in seen if event is not None)
    rolls = tuple(roll for roll in found.rolls if who.eyes.may_know(roll.audience))
    return CheckedMove(tuple(text for text in told if text), rolls, _known(who, found.asks))


def _known(who: Participant, asks: Iterable[Ask]) -> tuple[OpenQuestion, ...]:
    return tuple(OpenQuestion(ask.actor, ask.question) for ask in asks if who.eyes.may_know(ask.audience))
