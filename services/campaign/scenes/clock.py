"""The table's clock: a loop that lets questions lapse when their time is over.

Every replica runs one. They wake at the same moment and take turns at the scene's row; whoever comes second
finds nothing due. Beside the time of the next deadline they look every few seconds, for what another replica
wrote.
"""

import asyncio
import contextlib

import structlog

from services.campaign.scenes.deadlines import CLOCK
from services.campaign.scenes.games import Games
from services.campaign.scenes.moves import Moves
from services.campaign.scenes.repository import Scenes
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.loops import PAUSE_SECONDS
from services.shared.problems import Unavailable
from services.shared.stream import POLL_SECONDS

TOGETHER = 20
"""Scenes that are let lapse side by side."""

log = structlog.get_logger(__name__)


class Timekeeper:
    """Lets questions lapse, for as long as the process lives.

    Args:
        database: where scenes are kept.
        clock: the present moment.
        moves: makes the moves.
        games: the games that can be played, by slug.
    """

    def __init__(self, database: Database, clock: Clock, moves: Moves, games: Games) -> None:
        self._database = database
        self._clock = clock
        self._moves = moves
        self._playable = [slug for slug, game in games.items() if game.play is not None]
        self._poke = asyncio.Event()

    def poke(self, topics: frozenset[str]) -> None:
        """Say that something was committed; a scene with a clock may wait for something new."""
        if CLOCK in topics:
            self._poke.set()

    async def run(self) -> None:
        """Keep time until cancelled."""
        while True:
            self._poke.clear()
            seconds = await self.round()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._poke.wait()

    async def round(self) -> float:
        """Let lapse what is due, and give the seconds until it is time to look again."""
        moment = self._clock()
        async with self._database.read() as session:
            due = await Scenes(session).due(moment, self._playable)
        well = True
        for start in range(0, len(due), TOGETHER):
            done = await asyncio.gather(*(self._lapse(scene) for scene in due[start : start + TOGETHER]))
            well = well and all(done)
        if not well:
            return PAUSE_SECONDS
        async with self._database.read() as session:
            following = await Scenes(session).next_due(moment, self._playable)
        if following is None:
            return POLL_SECONDS
        return min(POLL_SECONDS, max(0.0, (following - self._clock()).total_seconds()))

    async def _lapse(self, scene: str) -> bool:
        try:
            await self._moves.lapse(scene)
        except Unavailable as error:
            log.warning("lapse_waits", scene=scene, reason=str(error))
            return False
        except Exception:
            # One scene that cannot be helped must not stop the clocks of all others.
            log.exception("lapse_failed", scene=scene)
            return False
        return True
