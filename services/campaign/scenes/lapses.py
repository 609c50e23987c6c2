"""The move that stands for no answer, made by the table's clock when the time of a question is over.

It is made in the name of whoever started the scene, and marked, so that everybody can see that it was the
clock. Whatever game and whatever replica: the row is held, so each question lapses once.
"""

from datetime import datetime
from typing import Any

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.scenes.deadlines import overdue, stop
from services.campaign.scenes.games import Games, play_of
from services.campaign.scenes.history import Author, Pending
from services.campaign.scenes.ledger import Ledger
from services.campaign.scenes.models import Scene
from services.campaign.scenes.positions import place
from services.rules.engine.codec import CodecError
from services.rules.engine.position import Position
from services.rules.engine.problem import Problems
from services.rules.engine.steps import RuleFault

log = structlog.get_logger(__name__)


async def lapse(session: AsyncSession, scene: Scene, games: Games, moment: datetime) -> int | None:
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
        wrong = await _lapse(session, scene, games, prompt, moment)
        if wrong is not None:
            log.error("lapse_refused", scene=scene.id, prompt=prompt, reason=wrong)
            stop(scene, prompt)


async def _lapse(
    session: AsyncSession, scene: Scene, games: Games, prompt: str, moment: datetime
) -> str | None:
    """Make the move that stands for no answer to a question; return why there is none after all."""
    try:
        at = place(play_of(games, scene), scene)
        move = _silence(at, prompt)
        entered = None if move is None else at.enter(move, scene.number + 1)
    except (CodecError, RuleFault) as error:
        return str(error)
    if entered is None or isinstance(entered, Problems):
        return str(entered)
    author = Author(scene.started_by, True, lapses=prompt)
    await Ledger(session, scene, games, moment).let_in(author, at, move, entered)
    return None


def _silence(at: Position, prompt: str) -> Any | None:
    """The move that stands for no answer; None where the game has none."""
    ask = at.asked(prompt)
    return None if ask is None else ask.silence
