"""What the rules say of a move, in the words that its player may hear."""

from collections.abc import Collection
from typing import Any

import structlog

from services.campaign.scenes.forms import Form, as_published
from services.campaign.scenes.participant import Participant
from services.campaign.scenes.problem import MoveRejected
from services.rules.engine.play import GM, LegalMove
from services.rules.engine.position import Held, Position
from services.rules.engine.problem import Problems
from services.rules.engine.steps import RuleFault, Run

log = structlog.get_logger(__name__)


def entered(at: Position, who: Participant, move: Any, form: Form, number: int) -> Run | Held:
    """Enter a move or an answer, and return how far it came.

    A player's move must be sound by what they know: else they could find out by trying what they do not.

    Args:
        at: where the scene stands.
        who: whose move it is.
        move: the move.
        form: how it was sent.
        number: of the move.

    Raises:
        MoveRejected: the rules do not allow it, as far as its player may know.
    """
    try:
        known = at.refusal(move, who.eyes)
        if known is not None:
            raise MoveRejected(form.issues(known), legal(at, move.actor, who))
        found = at.enter(move, number)
        if not isinstance(found, Problems):
            return found
        if at.waiting is None and at.hides_from(who.eyes):
            message = "That cannot be done now, for a reason that you do not know."
            raise MoveRejected.single("not_now", message, *form.path, legal=legal(at, move.actor, who))
        raise MoveRejected(form.issues(found), legal(at, move.actor, who))
    except RuleFault as fault:
        log.error("rule_faulty", reason=str(fault))
        message = "The rules have changed since this move began: have a game master take it back."
        raise MoveRejected.single("history_differs", message, *form.path) from fault


def offered(
    at: Position, who: Participant, known: Collection[str], actor: str | None
) -> tuple[LegalMove, ...]:
    """Return what an actor may do now, or all that a member may move; nothing for actors of others.

    Args:
        at: where the scene stands.
        who: who asks.
        known: ids of all actors that they can see in the scene.
        actor: whose moves; None for all of theirs.
    """
    wanted = who.actors(at.play, at.state, known) if actor is None else [actor]
    return tuple(
        move
        for each in wanted
        if who.may_move(at.play, at.state, each)
        and (each == GM or each in known or who.is_own(at.play, at.state, each))
        for move in legal(at, each, who)
    )


def legal(at: Position, actor: str, who: Participant) -> tuple[LegalMove, ...]:
    """Return what an actor may do now, as a member may know it, in the form in which it is sent."""
    return as_published(at.play, at.legal(actor, who.eyes))
