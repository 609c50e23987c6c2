"""What the rules say of a move, in the words that its player may hear."""

from collections.abc import Collection
from typing import Any

from services.campaign.scenes.asking import Rejected
from services.campaign.scenes.forms import Form
from services.campaign.scenes.standing import Standing
from services.rules.engine.play import GM, AnyPlay, Check, LegalMove
from services.rules.engine.problem import Problems
from services.shared.problems import Issue


def allowed(play: AnyPlay, state: Any, who: Standing, move: Any, form: Form) -> Check | Rejected:
    """Ask for the dice of a move.

    A player's move must be sound by what they know: else they could find out by trying what they do not.
    """
    check = play.check(state, move)
    known = check if who.gm else play.check(seen(play, state, who), move)
    if isinstance(known, Problems):
        return Rejected(form.issues(known), legal(play, state, who, move.actor))
    if isinstance(check, Problems):
        return Rejected(told_to(who, form, check), legal(play, state, who, move.actor))
    return check


def told_to(who: Standing, form: Form, problems: Problems) -> list[Issue]:
    """Tell why a move was refused by rules that may rest on what its player does not know."""
    if who.gm:
        return form.issues(problems)
    message = "That cannot be done now, for a reason that you do not know."
    return [Issue(code="not_now", message=message, path=list(form.path))]


def legal(play: AnyPlay, state: Any, who: Standing, actor: str) -> tuple[LegalMove, ...]:
    """Give what an actor may do, as far as this member may know of it."""
    return play.legal(seen(play, state, who), actor)


def offered(
    play: AnyPlay, state: Any, who: Standing, known: Collection[str], actor: str | None
) -> tuple[LegalMove, ...]:
    """Give what an actor may do now, or all that somebody may move; nothing for actors of others.

    Args:
        play: the game.
        state: the scene as it is.
        who: who asks.
        known: ids of all actors that they can see in the scene.
        actor: whose moves; None for all of theirs.
    """
    wanted = who.actors(play, state, known) if actor is None else [actor]
    return tuple(
        move
        for each in wanted
        if who.may_move(play, state, each) and (each == GM or each in known)
        for move in legal(play, state, who, each)
    )


def seen(play: AnyPlay, state: Any, who: Standing) -> Any:
    """Give a state as this member may know it."""
    return state if who.gm else play.view(state, who.eyes)
