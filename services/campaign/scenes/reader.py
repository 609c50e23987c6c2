"""What a viewer is shown of scenes.

A pending move is completed before anything is read (see ``moves``); where the dice service is away, what is
shown is what was before it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import structlog

from services.campaign.scenes.checks import CheckedMove, RejectedMove
from services.campaign.scenes.forms import Form
from services.campaign.scenes.games import Games, game_of, played
from services.campaign.scenes.history import VOID, Pending, Thrown
from services.campaign.scenes.looks import START, Cursor, Look, Moment, SeenMove
from services.campaign.scenes.models import Scene, SceneMove
from services.campaign.scenes.moves import Moves, Performed
from services.campaign.scenes.narration import knows, sentences
from services.campaign.scenes.participant import Participant
from services.campaign.scenes.positions import Documents, documents, held
from services.campaign.scenes.problem import MoveRejected
from services.campaign.scenes.repository import Scenes
from services.rules.engine.campaign import SUFFIX
from services.rules.engine.codec import CodecError, decode
from services.rules.engine.forms import published
from services.rules.engine.play import Audience, LegalMove
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import is_id
from services.shared.pagination import Page
from services.shared.portraits import Portraits
from services.shared.problems import Forbidden, InvalidInput, NotFound, Unavailable

BATCH = 100
PATIENCE = 1.0
"""Seconds that a reader waits for a pending move."""

log = structlog.get_logger(__name__)


class SceneReader:
    """The use cases of looking at scenes.

    Args:
        database: where scenes are kept.
        moves: completes what is pending.
        games: the games that can be played, by slug.
        portraits: those of characters, for their tokens.
        shown: how deadlines are told, as they are kept where it is None; see ``SteadyClock.shown``.
    """

    def __init__(
        self,
        database: Database,
        moves: Moves,
        games: Games,
        portraits: Portraits,
        shown: Callable[[datetime], datetime] | None = None,
    ) -> None:
        self._shown = shown
        self._portraits = portraits
        self._database = database
        self._moves = moves
        self.workload = moves.workload
        self._games = games

    async def scenes(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Look]:
        """Return looks at those of the scenes that are played at the viewer's tables."""
        wanted = [scene for scene in dict.fromkeys(ids) if is_id(scene, "scn")]
        looks = await self._read(viewer, wanted)
        waiting = [look.row for look in looks.values() if look.row.pending is not None]
        if not waiting:
            return looks
        for row in waiting:
            await self._complete(row)
        return await self._read(viewer, wanted)

    async def _read(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Look]:
        async with self._database.read() as session:
            found = await Scenes(session).seen(viewer.account, ids)
        return {key: self._look(*each) for key, each in found.items()}

    async def page(
        self, viewer: Viewer, campaign: str, *, running: bool | None, first: int, after: str | None
    ) -> Page[Look]:
        """Return a page of a campaign's scenes, newest first; none for those who are no members."""
        async with self._database.read() as session:
            page = await Scenes(session).page(
                viewer.account, campaign, running=running, first=first, after=after
            )
        looks = await self.scenes(viewer, [row.id for row in page.items])
        items = [looks[row.id] for row in page.items if row.id in looks]
        return Page(items, page.has_next, page.has_previous)

    async def campaign(
        self, viewer: Viewer, campaign: str, system: str, *, over: bool = False
    ) -> Look | None:
        """Return what a game keeps of a campaign between scenes, with ``over`` also one that has ended; None
        where it keeps nothing.
        """
        async with self._database.read() as session:
            row = await Scenes(session).newest(campaign, system + SUFFIX, over=over)
        return None if row is None else (await self.scenes(viewer, [row.id])).get(row.id)

    async def moves(
        self, viewer: Viewer, scene: str, *, after: Cursor = START, limit: int = BATCH
    ) -> list[SeenMove]:
        """Return moves behind a cursor as the viewer may know them.

        Raises:
            NotFound: they may not see the scene.
        """
        look = (await self.scenes(viewer, [scene])).get(scene)
        if look is None:
            raise NotFound.of("scene")
        found: list[SeenMove] = []
        async for cursor, row in self.known(look.who, scene, after.since):
            if cursor > after:
                found.append(self._show(look, cursor, row))
            if len(found) == limit:
                break
        return found

    async def newest_moves(
        self, viewer: Viewer, scene: str, *, before: Cursor | None = None, limit: int = BATCH
    ) -> list[SeenMove]:
        """Return the last moves before a cursor as the viewer may know them, the last of them first.

        Raises:
            NotFound: they may not see the scene.
        """
        look = (await self.scenes(viewer, [scene])).get(scene)
        if look is None:
            raise NotFound.of("scene")
        newest = look.row.seq if before is None else min(before.since, look.row.seq)
        span = limit
        while True:
            # Cursors count from a public number, so they are read from one on; hidden moves stand between.
            oldest = max(0, newest - span)
            found = [
                (cursor, row)
                async for cursor, row in self.known(look.who, scene, oldest)
                if cursor > Cursor(oldest) and (before is None or cursor < before)
            ]
            if len(found) >= limit or oldest == 0:
                return [self._show(look, *each) for each in reversed(found[-limit:])]
            span *= 4

    async def newest(self, look: Look) -> Cursor:
        """Return the cursor of the last move that a viewer may know of."""
        last = START
        async for cursor, _ in self.known(look.who, look.row.id, look.row.seq):
            last = cursor
        return last

    async def shown(self, performed: Performed) -> tuple[Look, SeenMove]:
        """Return a move that was just made as whoever made it may know it, and the scene as it is now."""
        look, made = self._look(performed.scene, performed.who), performed.move
        if made.seq is not None:
            return look, self._show(look, Cursor(made.seq), made)
        async for cursor, row in self.known(look.who, look.row.id, made.since):
            if row.number == made.number:
                return look, self._show(look, cursor, row)
        raise AssertionError("who moved may know of it")

    async def at(self, look: Look, seq: int) -> Moment | None:
        """Return the scene as it was when a public number had been reached; None for one that never was."""
        play = look.play
        if play is None or not 0 <= seq <= look.row.seq:
            return None
        async with self._database.read() as session:
            scenes = Scenes(session)
            number = await scenes.numbered(look.row.id, seq)
            moves = await scenes.standing_events(look.row.id, number)
            last = await scenes.move(look.row.id, number)
        events = [each.events for each in moves]
        try:
            again = await self.workload.replay(look.who.account, played(look.row), look.row.opening, events)
        except CodecError as error:
            log.error("scene_unreadable", scene=look.row.id, reason=str(error))
            return None
        kept = again.opening if last is None else last.state_hash
        if again.hash != kept:
            log.error("replay_differs", scene=look.row.id, number=number)
        then = Look(look.row, look.who, look.system, Documents(again.document, None, again.hash))
        return Moment(seq, then, again.hash == kept, again.hash if look.who.gm else None)

    async def afford(self, look: Look, *, whole: bool = False) -> None:
        """Charge for a look at a scene that is larger than its price pays for.

        Args:
            look: the look.
            whole: whether all parts of the state are to be told, not a summary.

        Raises:
            LimitReached: whose look it is cannot pay for it.
        """
        await self.workload.look(look.who.account, look.documents.state, whole=whole)

    async def legal(self, look: Look, actor: str | None = None) -> tuple[LegalMove, ...]:
        """Return what ``Look.legal`` returns, paid for by whose look it is and without holding others up."""
        if look.play is None or look.state is None or look.row.ended_at is not None:
            return ()
        return await self.workload.legal(played(look.row), look.documents, look.who, actor)

    async def check(self, look: Look, move: object) -> CheckedMove:
        """Return what a move would come to first, by what its player may know; nothing is done or drawn.

        Raises:
            InvalidInput: the form is malformed, or the game is not played here any more.
            MoveRejected: the rules do not allow it; every rule that it breaks is named.
            Forbidden: the actor is another's.
            LimitReached: the account cannot pay for it.
        """
        form, play = Form(move, ("move",)), look.play
        faults = form.faults()
        if faults:
            raise InvalidInput(faults)
        if play is None or look.state is None:
            message = "This installation no longer has the game."
            raise InvalidInput.single("SYSTEM_UNKNOWN", message, "sceneId", found=look.row.system)
        asked = form.read(play.move_codec)
        if not look.may_move(asked.actor):
            raise Forbidden.because("Only its player or a GM may move this actor.", "move", "actor")
        if look.row.ended_at is not None:
            raise MoveRejected.single("scene_over", "The scene is over.", "sceneId")
        document = play.move_codec.dump(asked)
        found = await self.workload.check(played(look.row), look.documents, look.who, document)
        if isinstance(found, RejectedMove):
            raise MoveRejected(found.issues, found.legal)
        return found

    async def portraits(self, viewer: Viewer, look: Look) -> Mapping[str, str]:
        """Return the portraits on a scene's picture that the viewer may see; see ``Portraits.of``."""
        return await self._portraits.of(viewer, look.portrayed)

    async def picture(self, look: Look, portraits: Mapping[str, str]) -> str:
        """Return a scene drawn as SVG, with these portraits by the ids of characters; it is ``pictured``."""
        return await self.workload.picture(played(look.row), look.documents, look.who, portraits)

    def _look(self, row: Scene, who: Participant) -> Look:
        return Look(row, who, game_of(self._games, played(row)), documents(row), self._shown)

    async def _complete(self, scene: Scene) -> None:
        pending = Pending.of(scene)
        if pending is None:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                await self._moves.complete(scene.id, pending.number)
        except (Unavailable, TimeoutError) as error:
            log.warning("move_pending", scene=scene.id, reason=str(error))

    async def known(
        self, who: Participant, scene: str, since: int
    ) -> AsyncIterator[tuple[Cursor, SceneMove]]:
        """Yield the moves that a member may know of, from those of a public number on, with their cursors."""
        cursor, behind = Cursor(since), 0
        while True:
            async with self._database.read() as session:
                rows = await Scenes(session).moves(scene, since=since, behind=behind, limit=BATCH, who=who)
            for row in rows:
                behind = row.number
                if row.seq is not None:
                    cursor = Cursor(row.seq)
                elif knows(row, who):
                    cursor = Cursor(row.since, cursor.place + 1)
                else:
                    continue
                yield cursor, row
            if len(rows) < BATCH:
                return

    def _show(self, look: Look, cursor: Cursor, row: SceneMove) -> SeenMove:
        who = look.who
        sent = row.account == who.account
        own = who.gm or sent
        known_to = decode(Audience, row.known_to)
        thrown = (Thrown.of(form) for form in row.rolls)
        is_secret = row.sealed or row.number in held(look.row)
        return SeenMove(
            scene=row.scene,
            cursor=cursor,
            seq=row.seq,
            kind=row.kind,
            actor=row.actor if own or who.eyes.may_know(known_to) else None,
            account=row.account,
            by_gm=row.by_gm,
            lapsed=row.lapsed,
            undone=row.undone_by is not None,
            sentences=tuple(sentences(row.told, who.eyes)),
            rolls=tuple(each for each in thrown if who.eyes.may_know(each.roll.audience)),
            events=self._events(look, row),
            form=self._form(look, row) if sent or (who.gm and not is_secret) else None,
            created_at=row.created_at,
            system=look.row.system,
        )

    def _form(self, look: Look, row: SceneMove) -> Any | None:
        if row.move is None or look.play is None:
            return row.move and row.move["data"]
        return published(look.play.move_codec.type, row.move["data"])

    def _events(self, look: Look, row: SceneMove) -> tuple[Any, ...]:
        if look.play is None or row.kind == VOID:
            return ()
        try:
            events = [look.play.event_codec.load(event) for event in row.events]
        except CodecError as error:
            log.error("move_unreadable", scene=row.scene, number=row.number, reason=str(error))
            return ()
        known = (look.play.sees(event, look.who.eyes) for event in events)
        return tuple(event for event in known if event is not None)
