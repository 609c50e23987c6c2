"""How a scene is deleted, and what becomes of scenes whose map is.

A scene that still runs is unmade: what it was begun from takes back all that it heard of it. Of one that is
over only the record goes. A short scene is gone with the unit of work that deletes it. Of a long one the rest
belongs to a campaign without members from then on: nobody sees it, and ``membership.deletion.Leftovers``
removes it in steps, whatever is interrupted.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.membership.repository import Campaigns
from services.campaign.scenes.events import scene_deleted
from services.campaign.scenes.games import Games
from services.campaign.scenes.handover import Handover
from services.campaign.scenes.history import Author
from services.campaign.scenes.ledger import Ledger
from services.campaign.scenes.models import Scene
from services.campaign.scenes.moves import Moves
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.requests import DeleteScene
from services.campaign.tables import OUTBOX
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.ids import is_id
from services.shared.outbox import Event, publish
from services.shared.policy import Right, demand
from services.shared.problems import InvalidInput, NotFound


class SceneDeletion:
    """The use case of deleting a scene, and the end of maps that scenes were set on.

    Args:
        database: where scenes are kept.
        clock: the present moment.
        games: the games that can be played, by slug.
        moves: completes what is pending.

    Attributes:
        handlers: what the map service's events do here, by kind; see ``services.shared.consumer``.
    """

    def __init__(self, database: Database, clock: Clock, games: Games, moves: Moves) -> None:
        self._database = database
        self._clock = clock
        self._games = games
        self._moves = moves
        self.handlers: Mapping[str, Handler] = {"map.deleted": self.record}

    async def delete(self, viewer: Viewer, asked: DeleteScene, key: str | None = None) -> str:
        """Delete a scene with its moves, and return its id.

        Raises:
            NotFound: no member, or no such scene.
            Forbidden: no GM.
            InvalidInput: ``SCENE_IN_USE``: scenes run that were begun from it.
            IdempotencyConflict: the key was used for another request.
            Unavailable: a move of what it was begun from waits for dice that nobody throws now.
        """
        while True:
            try:
                return await self._unit_of_work(viewer, asked, key)
            except _Awaited as awaited:
                await self._moves.complete(*awaited.move)

    async def record(self, session: AsyncSession, event: Event) -> None:
        """Have the scenes that were set on a map which was deleted in the map service be set on none."""
        await Scenes(session).leave_map(event.payload["map"])

    async def _unit_of_work(self, viewer: Viewer, asked: DeleteScene, key: str | None) -> str:
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if not done.before:
                scene = await _held(session, viewer, asked.id)
                if scene.ended_at is None:
                    await self._unmake(session, scene, Author(viewer.account, True), moment)
                await self._take_out(session, scene, viewer, moment)
                done.answer = asked.id
            return asked.id

    async def _unmake(self, session: AsyncSession, scene: Scene, author: Author, moment: datetime) -> None:
        """Take back what a running scene has told the campaign's own that it was begun from.

        Raises:
            _Awaited: a pending move of that comes first: its dice may have fallen already.
        """
        handover = Handover(session, self._games, lambda own: Ledger(session, own, self._games, moment))
        awaited = await handover.pending(scene)
        if awaited is not None:
            raise _Awaited(awaited)
        await handover.unmade(scene, author)

    async def _take_out(self, session: AsyncSession, scene: Scene, viewer: Viewer, moment: datetime) -> None:
        """Delete the rows of a scene, or have the rest of them deleted, and tell of it."""
        scenes = Scenes(session)
        await scenes.let_go(scene)
        if await scenes.remove(scene.id):
            await scenes.hand_over(scene.id, await Campaigns(session).add_dissolved(moment), moment)
        await Log(session).write(
            scene.campaign,
            "scene.deleted",
            f"{scene.title} is deleted.",
            moment,
            account=viewer.account,
            subject=scene.id,
        )
        await publish(session, OUTBOX, scene_deleted(scene), moment)


class _Awaited(Exception):
    """A pending move is completed first, outside of the unit of work, which leaves nothing behind.

    Attributes:
        move: the id of its scene, and its number.
    """

    def __init__(self, move: tuple[str, int]) -> None:
        super().__init__()
        self.move = move


async def _held(session: AsyncSession, viewer: Viewer, scene_id: str) -> Scene:
    """Return a scene that a GM may delete, held by the unit of work.

    Raises:
        NotFound: no member, or no such scene.
        Forbidden: no GM.
        InvalidInput: scenes run that were begun from it.
    """
    scenes = Scenes(session)
    held = await scenes.held(viewer.account, scene_id) if is_id(scene_id, "scn") else None
    if held is None:
        raise NotFound.of("scene", "id")
    scene, who = held
    demand(who.role, Right.RUN, "id")
    running = await scenes.running_from(scene)
    if running:
        message = "A scene that was begun from this one still runs; end or delete that first."
        raise InvalidInput.single("SCENE_IN_USE", message, "id", found=", ".join(running[:5]))
    return scene
