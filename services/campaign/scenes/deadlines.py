"""How long a scene waits: a deadline for each open question whose game gives it a limit.

Deadlines stand in the scene's row and change with its moves, in the same unit of work: a question that stays
open keeps its own, a new one gets its time from now on. Whoever finds one over (a move that comes too late,
the loop of ``clock``) makes the move that stands for no answer first. Moments here are those of a
``SteadyClock``: while a process lives, nobody is given more or less time because a clock was set.
"""

from datetime import datetime, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.scenes.models import Scene
from services.rules.engine.play import Viewer
from services.rules.engine.position import Position
from services.shared.database import stir

CLOCK = "scene clocks"
"""What those wait for who keep the time of scenes."""

LEAST = 1
"""Seconds that every question waits, so that a game cannot make its clock run in place."""


def wind(
    session: AsyncSession,
    scene: Scene,
    at: Position,
    moment: datetime,
    *,
    keep: bool = True,
    but: str | None = None,
) -> None:
    """Set a scene's deadlines for the questions that are open now.

    Args:
        session: the unit of work.
        scene: the scene, held by the unit of work.
        at: where it stands now.
        moment: the present moment.
        keep: whether questions that were open before keep their time.
        but: one that gets fresh time all the same.
    """
    known = {
        prompt: until
        for prompt in scene.deadlines
        if keep and prompt != but and (until := deadline(scene, prompt)) is not None
    }
    fresh = {prompt: moment + timedelta(seconds=max(LEAST, limit)) for prompt, limit in _limits(at).items()}
    # None waits longer than its limit from now on, even where the clock was set back before this
    # process began.
    _set(scene, {prompt: min(known.get(prompt, until), until).isoformat() for prompt, until in fresh.items()})
    if scene.due_at is not None:
        stir(session, CLOCK)


def stop(scene: Scene, prompt: str) -> None:
    """Let a question wait for as long as it takes, or until the next move gives it time again."""
    _set(scene, {known: at for known, at in scene.deadlines.items() if known != prompt})


def deadline(scene: Scene, prompt: str) -> datetime | None:
    """Return the moment until which a question waits; None where it has no limit."""
    at = scene.deadlines.get(prompt)
    return None if at is None else datetime.fromisoformat(at)


def overdue(scene: Scene, moment: datetime) -> str | None:
    """Return the question whose time was over first; None where all may still be answered."""
    over = [(at, prompt) for prompt in scene.deadlines if (at := deadline(scene, prompt)) and at <= moment]
    return min(over)[1] if over else None


def _limits(at: Position) -> dict[str, int]:
    if at.waiting is None:
        return {}
    card = at.card(Viewer(gm=True))
    return {prompt.id: prompt.seconds for prompt in card.prompts if prompt.seconds is not None}


def _set(scene: Scene, deadlines: dict[str, str]) -> None:
    scene.deadlines = deadlines
    scene.due_at = min(map(datetime.fromisoformat, deadlines.values()), default=None)
