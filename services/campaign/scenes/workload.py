"""What scenes cost the house: each heavy question is estimated, charged, and done where nobody waits for it.

Estimates rest on the size of the stored state and on what its game tells of it; see
``services.rules.engine.work``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from services.campaign.scenes import tasks
from services.campaign.scenes.checks import CheckedMove, RejectedMove
from services.campaign.scenes.games import Games, Played, game_of, played
from services.campaign.scenes.models import Scene
from services.campaign.scenes.participant import Participant
from services.campaign.scenes.positions import Documents
from services.campaign.scenes.tasks import Document, Replayed
from services.rules.engine.bots import Bot
from services.rules.engine.play import LegalMove
from services.rules.engine.sampling import Choose
from services.rules.engine.work import (
    LISTENER_PER_ACTOR,
    ORDINARY,
    READ_PER_KILOBYTE,
    REPLAYED_MOVE,
    SAVED_PER_KILOBYTE,
    SENT_PER_KILOBYTE,
    Work,
    work_of,
)
from services.shared.auth import Viewer
from services.shared.limits.meter import MILLISECONDS_PER_POINT
from services.shared.reckoning import AT_ONCE, FREE, Reckoner

PAID_BY_WRITING = 10 * MILLISECONDS_PER_POINT
"""Milliseconds of a mutation that its own price pays for."""

PAID_BY_DRAWING = 5 * MILLISECONDS_PER_POINT
"""Milliseconds of a drawing that its own price pays for."""


class Workload:
    """Asks the rules of scenes what may take long.

    Args:
        games: the games that can be played, by slug.
        reckoner: charges, and has things done apart.
        choose: chance, for what bots leave to it; a function of a module.
    """

    def __init__(self, games: Games, reckoner: Reckoner[Games], choose: Choose) -> None:
        self._games = games
        self._reckoner = reckoner
        self._choose = choose

    def work(self, by: Played, document: Document) -> Work:
        """Estimates what a scene asks for."""
        system = game_of(self._games, by)
        return ORDINARY if system is None else work_of(system.play, document["data"])

    def beyond_price(self, scene: Scene) -> float:
        """Estimates how much more a move takes than its price pays for, in milliseconds; 0 for most."""
        actors = self.work(played(scene), scene.state).actors
        milliseconds = kilobytes(scene.state) * SAVED_PER_KILOBYTE
        milliseconds += (len(scene.cast) + 1) * actors * LISTENER_PER_ACTOR
        return max(0.0, milliseconds - PAID_BY_WRITING)

    async def pay(self, account: str, milliseconds: float) -> None:
        """Charges for work beyond what a price pays for.

        Raises:
            LimitReached: the account cannot pay for it.
        """
        await self._reckoner.charge(Viewer(account), milliseconds, 0.0)

    def is_slow(self, bot: Bot, scene: Scene) -> bool:
        """Tells whether nobody should be kept waiting for a bot in this scene."""
        return bot.slow or self.work(played(scene), scene.state).of_bot(bot.id) > AT_ONCE

    async def bot(
        self, account: str, by: Played, found: Documents, actor: str, bot: Bot
    ) -> dict[str, Any] | None:
        """Has a bot choose a move; returns its document, or None where there is nothing to do.

        Raises:
            LimitReached: the account cannot pay for it.
        """
        milliseconds = self.work(by, found.state).of_bot(bot.id)
        await self._reckoner.charge(Viewer(account), milliseconds, PAID_BY_WRITING)
        return await self._reckoner.apart(account, tasks.thought, by, found, actor, bot.id, self._choose)

    async def replay(
        self, account: str, by: Played, opening: Document, moves: Sequence[str], paid: float = FREE
    ) -> Replayed:
        """Plays a scene again from its opening.

        Raises:
            LimitReached: the account cannot pay for it.
            CodecError: the game no longer knows what was written.
        """
        milliseconds = 8.0 + len(moves) * REPLAYED_MOVE + kilobytes(opening) * SAVED_PER_KILOBYTE
        await self._reckoner.charge(Viewer(account), milliseconds, paid)
        return await self._reckoner.do(account, milliseconds, tasks.replayed, by, opening, moves)

    async def legal(
        self, by: Played, found: Documents, who: Participant, actor: str | None
    ) -> tuple[LegalMove, ...]:
        """Returns what an actor may do, or what all that a member may move may do.

        Raises:
            LimitReached: the account cannot pay for it.
        """
        milliseconds = self.work(by, found.state).legal + kilobytes(found.state) * READ_PER_KILOBYTE
        await self._reckoner.charge(Viewer(who.account), milliseconds)
        return await self._reckoner.do(who.account, milliseconds, tasks.legal_moves, by, found, who, actor)

    async def check(
        self, by: Played, found: Documents, who: Participant, move: dict[str, Any]
    ) -> CheckedMove | RejectedMove:
        """Returns what a move would come to first, or why it may not be made, with what its actor may do.

        Raises:
            LimitReached: the account cannot pay for it.
            CodecError: the game no longer knows what was written.
        """
        milliseconds = self.work(by, found.state).legal + kilobytes(found.state) * READ_PER_KILOBYTE
        await self._reckoner.charge(Viewer(who.account), milliseconds)
        return await self._reckoner.do(who.account, milliseconds, tasks.checked_move, by, found, who, move)

    async def picture(
        self, by: Played, found: Documents, who: Participant, portraits: Mapping[str, str]
    ) -> str:
        """Draws a scene as a member may know it, with these portraits by the ids of characters.

        Raises:
            LimitReached: the account cannot pay for it.
        """
        milliseconds = self.work(by, found.state).picture + kilobytes(found.state) * READ_PER_KILOBYTE
        await self._reckoner.charge(Viewer(who.account), milliseconds, PAID_BY_DRAWING)
        return await self._reckoner.do(who.account, milliseconds, tasks.picture, by, found, who, portraits)

    async def look(self, account: str, document: Document, *, whole: bool) -> None:
        """Charges for a look at a scene.

        Args:
            account: whose eyes.
            document: the state.
            whole: whether all its parts are told, not a summary.

        Raises:
            LimitReached: the account cannot pay for it.
        """
        each = SENT_PER_KILOBYTE if whole else READ_PER_KILOBYTE
        await self._reckoner.charge(Viewer(account), kilobytes(document) * each)

    async def close(self) -> None:
        """Ends the worker processes."""
        await self._reckoner.close()


def kilobytes(document: Document) -> float:
    """Computes the size of a document as JSON."""
    return len(orjson.dumps(document)) / 1024
