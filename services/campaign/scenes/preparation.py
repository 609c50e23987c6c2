"""What a move needs before its unit of work: paid for, thought about by a bot, or played again.

The scene is not held meanwhile. What was found is kept with the state that it was found for, and is
worthless once the scene has gone on.
"""

from dataclasses import dataclass, field
from typing import Any

from services.campaign.scenes.games import Played, played
from services.campaign.scenes.models import Scene
from services.campaign.scenes.positions import Documents, documents
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.tasks import Replayed
from services.campaign.scenes.workload import PAID_BY_WRITING, Workload
from services.rules.engine.bots import Bot
from services.shared.database import Database


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept of a scene; its row can be read no more once its unit of work is left."""

    id: str
    played: Played
    number: int
    opening: dict[str, Any]
    documents: Documents

    @classmethod
    def of(cls, scene: Scene) -> "Kept":
        """Reads a row."""
        return cls(scene.id, played(scene), scene.number, scene.opening, documents(scene))


@dataclass(frozen=True, slots=True)
class Before:
    """What a scene was before the last move that stands.

    Attributes:
        undone: numbers of its rows: its own, then those of the answers to it.
        expected: hash that was kept of the state before it; None for the opening.
        replayed: the scene, played again up to there.
    """

    undone: tuple[int, ...]
    expected: str | None
    replayed: Replayed


@dataclass(slots=True)
class Prepared:
    """What was prepared for a request outside of its units of work.

    Attributes:
        paid: whether the move was paid for that is larger than its price.
        moves: what a bot would do, by the number of the scene's last row then; None for nothing.
        replayed: what a scene was before the last move that stands, by the number of its last row; None
            where no move stands.
    """

    paid: bool = False
    moves: dict[int, Any | None] = field(default_factory=dict)
    replayed: dict[int, Before | None] = field(default_factory=dict)


class Preparation:
    """Prepares what a move needs.

    Args:
        database: where scenes are kept.
        workload: asks the rules what takes long.
    """

    def __init__(self, database: Database, workload: Workload) -> None:
        self._database = database
        self._workload = workload

    async def pay(self, prepared: Prepared, account: str, milliseconds: float) -> None:
        """Charges for a move that is larger than its price; see ``Workload.pay``."""
        await self._workload.pay(account, milliseconds)
        prepared.paid = True

    async def think(self, prepared: Prepared, scene: Kept, account: str, bot: Bot, actor: str) -> None:
        """Has a bot choose a move in a scene, and keeps what it chose."""
        move = await self._workload.bot(account, scene.played, scene.documents, actor, bot)
        prepared.moves[scene.number] = move

    async def replay(self, prepared: Prepared, scene: Kept, account: str) -> None:
        """Plays a scene again, up to its last move that still stands."""
        async with self._database.read() as session:
            rows = await Scenes(session).standing_events(scene.id, scene.number)
        if not rows:
            prepared.replayed[scene.number] = None
            return
        first = rows[-1].belongs_to
        kept = [row for row in rows if row.number < first]
        events = [each.events for each in kept]
        again = await self._workload.replay(account, scene.played, scene.opening, events, PAID_BY_WRITING)
        expected = kept[-1].state_hash if kept else None
        undone = tuple(row.number for row in rows if row.number >= first)
        prepared.replayed[scene.number] = Before(undone, expected, again)
