"""The move that stands for no answer, made by the table's clock when the time of a question is over.

It is made in the name of whoever started the scene, and marked, so that everybody can see that it was the
clock. Whatever game and whatever replica: the row is held, so each question lapses once.
"""

from datetime import datetime
from typing import Any

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.models import Scene
from services.campaign.scenes.history import Author, Pending
from services.campaign.scenes.ledger import Ledger
from services.campaign.scenes.timing import overdue, stop
from services.rules.engine.codec import CodecError
from services.rules.engine.play import AnyPlay, Check, TimeLimited
from services.rules.engine.problem import Problems

log = structlog.get_logger(__name__)


async def lapse(session: AsyncSession, scene: Scene, play: AnyPlay, moment: datetime) -> int | None:
    """Make the moves that are due, in the caller's unit of work, which holds the scene.

    Returns:
        The number of a pending move that has to be completed before the next; None when nothing is due.
    """
    while True:
        pending, prompt = Pending.of(scene), overdue(scene, moment)
        if pending is not None:
            # It was let in before: an answer among them is in time, however late its dice are.
            return None if prompt is None else pending.number
        if prompt is None:
            return None
        found = _unanswered(play, scene, prompt)
        if found is None:
            stop(scene, prompt)
            continue
        state, move, check = found
        author = Author(scene.started_by, True, lapses=prompt)
        wrong = await Ledger(session, scene, play, moment).let_in(author, state, move, check)
        if wrong is not None:
            log.error("lapse_refused", scene=scene.id, prompt=prompt, reason=str(wrong))
            stop(scene, prompt)


def _unanswered(play: AnyPlay, scene: Scene, prompt: str) -> tuple[Any, Any, Check] | None:
    """Give the state, the move for no answer, and its dice; None where the game has none after all."""
    try:
        state = play.state_codec.load(scene.state)
    except CodecError as error:
        log.error("scene_unreadable", scene=scene.id, reason=str(error))
        return None
    move = play.lapse(state, prompt) if isinstance(play, TimeLimited) else None
    check = None if move is None else play.check(state, move)
    if check is None or isinstance(check, Problems):
        log.error("lapse_refused", scene=scene.id, prompt=prompt, reason=str(check))
        return None
    return state, move, check
