"""What a viewer is shown of scenes: where they stand, what happened, any moment of them.

A pending move is completed before anything is read (see ``playing``); where the dice service is away, what is
shown is what was before it.
"""

import asyncio
import base64
import binascii
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import structlog

from services.campaign.models import Scene, SceneMove
from services.campaign.scenes.asking import Performed
from services.campaign.scenes.bots import bots
from services.campaign.scenes.history import VOID, Pending, Thrown
from services.campaign.scenes.places import Documents, documents, held
from services.campaign.scenes.playing import Playing
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.rulings import offered
from services.campaign.scenes.standing import Standing
from services.campaign.scenes.telling import knows, sentences
from services.campaign.scenes.timing import deadline
from services.rules.engine.bots import Bot
from services.rules.engine.codec import CodecError, decode
from services.rules.engine.play import ONGOING, AnyPlay, Audience, LegalMove, Outcome, Pictured, SceneCard
from services.rules.engine.position import Position, position
from services.rules.engine.steps import RuleFault
from services.rules.engine.system import AnySystem
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import is_id
from services.shared.pagination import Page
from services.shared.peers import PeerUnavailable

BATCH = 100
PATIENCE = 1.0
"""Seconds that a reader waits for a pending move."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """Where a move stands among those that one viewer may know of.

    It counts only what they may know of, so it tells nothing of what is hidden from them.

    Attributes:
        since: the newest public number at that time, its own included.
        place: 0 for the public move itself; hidden ones behind it are counted from 1.
    """

    since: int = 0
    place: int = 0

    def text(self) -> str:
        """Write it as the API does."""
        plain = f"@{self.since}.{self.place}"
        return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")

    @classmethod
    def of(cls, text: str) -> "Cursor | None":
        """Read it back; None where it is none."""
        try:
            plain = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
        except (ValueError, binascii.Error):
            return None
        found = re.fullmatch(r"@(\d{1,9})\.(\d{1,9})", plain)
        return None if found is None else cls(int(found[1]), int(found[2]))


START = Cursor()


@dataclass(frozen=True)
class Look:
    """A scene before one pair of eyes.

    Attributes:
        row: what is kept of it.
        who: whose eyes.
        system: its game; None where this installation no longer has it.
        documents: what is looked at: where it stands today, or a state of before.
    """

    row: Scene
    who: Standing
    system: AnySystem | None
    documents: Documents

    @property
    def play(self) -> AnyPlay | None:
        """The game's scenes."""
        return None if self.system is None else self.system.play

    @cached_property
    def _at(self) -> Position | None:
        if self.play is None:
            return None
        state, waiting = self.documents
        try:
            at = position(self.play, state, waiting)
            return at if at.asks is not None else None
        except (CodecError, RuleFault) as error:
            log.error("scene_unreadable", scene=self.row.id, reason=str(error))
        try:
            # What its game no longer knows how to go on with can still be looked at, and taken back.
            return None if waiting is None else position(self.play, state)
        except CodecError:
            return None

    @cached_property
    def state(self) -> Any | None:
        """The state as far as these eyes may know it; None where its game is not known here."""
        return None if self._at is None else self._at.view(self.who.eyes)

    @cached_property
    def card(self) -> SceneCard | None:
        """What any client can draw of it."""
        return None if self._at is None else self._at.card(self.who.eyes)

    @property
    def outcome(self) -> Outcome:
        """Whether it is over; before that, only GMs are told more. Winners that nobody sees are left out."""
        if self._at is None or self.card is None:
            return ONGOING
        outcome = self._at.play.outcome(self._at.state)
        if self.who.gm:
            return outcome
        if not outcome.ended:
            return ONGOING
        everybody = self._at.play.card(self._at.state).actors
        hidden = {actor.id for actor in everybody}.difference(self._actors)
        winners = tuple(winner for winner in outcome.winners if winner not in hidden)
        return Outcome(ended=True, winners=winners, text=outcome.text)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The bots that may be asked to move, the weakest first."""
        return bots(self.play)

    @property
    def deadlines(self) -> dict[str, datetime]:
        """Until when each question waits that these eyes may know of and that has a limit, by its id."""
        prompts = () if self.card is None else self.card.prompts
        known = ((prompt.id, deadline(self.row, prompt.id)) for prompt in prompts)
        return {prompt: at for prompt, at in known if at is not None}

    @property
    def pictured(self) -> bool:
        """Whether the game draws its scenes."""
        return isinstance(self.play, Pictured)

    def picture(self) -> str | None:
        """Draw it as SVG; None where the game draws nothing, or is not known here."""
        if not isinstance(self.play, Pictured) or self.state is None:
            return None
        return self.play.picture(self.state)

    @property
    def actors(self) -> list[str]:
        """Those that these eyes' owner may move."""
        if self._at is None:
            return sorted(self.who.eyes.actors)
        return self.who.actors(self._at.play, self._at.state, self._actors)

    @property
    def _actors(self) -> list[str]:
        return [] if self.card is None else [actor.id for actor in self.card.actors]

    def legal(self, actor: str | None = None) -> tuple[LegalMove, ...]:
        """Give what an actor may do now, or all that the viewer may move; nothing for actors of others."""
        if self._at is None or self.row.ended_at is not None:
            return ()
        return offered(self._at, self.who, self._actors, actor)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMove:
    """A move as one viewer may know it.

    Attributes:
        scene: id of the scene.
        cursor: where it stands among what they may know of.
        seq: its number among the public moves; None for a hidden one.
        kind: ``move``, ``undo`` or ``void``.
        actor: who moved; None where they may not know.
        account: who sent it.
        by_gm: whether that was a GM.
        lapsed: whether the table's clock made it, for somebody who did not answer in time.
        undone: whether it was taken back.
        sentences: what happened, in plain words.
        rolls: the dice they may know of.
        events: what happened, of the game's own types; none where this installation no longer has it.
        form: the move in its JSON form, for GMs and who sent it; an answer in secret for GMs only once all
            that were asked beside it have answered.
        created_at: when it was made.
        system: slug of the game.
    """

    scene: str
    cursor: Cursor
    seq: int | None
    kind: str
    actor: str | None
    account: str
    by_gm: bool
    lapsed: bool
    undone: bool
    sentences: tuple[str, ...]
    rolls: tuple[Thrown, ...]
    events: tuple[Any, ...]
    form: Any | None
    created_at: datetime
    system: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A scene as it was.

    Attributes:
        seq: the public number that had been reached.
        look: the scene at that time.
        faithful: whether playing it again gave the very state that was kept then.
        hash: of that state; for GMs alone, since it would tell of what is hidden.
    """

    seq: int
    look: Look
    faithful: bool
    hash: str | None


class Reading:
    """The use cases of looking at scenes.

    Args:
        database: where scenes are kept.
        playing: completes what is pending.
        systems: the games that can be played, by slug.
    """

    def __init__(self, database: Database, playing: Playing, systems: Mapping[str, AnySystem]) -> None:
        self._database = database
        self._playing = playing
        self.thinking = playing.thinking
        self._systems = systems

    async def scenes(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Look]:
        """Look at those of the scenes that are played at the viewer's tables."""
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
            scenes = Scenes(session)
            found = await scenes.visible(viewer.account, ids)
            who = await scenes.standings(viewer.account, list(found.values()))
        return {key: self._look(row, who[key]) for key, row in found.items() if key in who}

    async def page(
        self, viewer: Viewer, campaign: str, *, running: bool | None, first: int, after: str | None
    ) -> Page[Look]:
        """Look at a page of a campaign's scenes, newest first; none for those who are no members."""
        async with self._database.read() as session:
            page = await Scenes(session).page(
                viewer.account, campaign, running=running, first=first, after=after
            )
        looks = await self.scenes(viewer, [row.id for row in page.items])
        items = [looks[row.id] for row in page.items if row.id in looks]
        return Page(items, page.has_next, page.has_previous)

    async def moves(
        self, viewer: Viewer, scene: str, *, after: Cursor = START, limit: int = BATCH
    ) -> list[SeenMove] | None:
        """Read moves behind a cursor as the viewer may know them; None when they may not see the scene."""
        look = (await self.scenes(viewer, [scene])).get(scene)
        if look is None:
            return None
        found: list[SeenMove] = []
        async for cursor, row in self._known(look.who, scene, after.since):
            if cursor > after:
                found.append(self._show(look, cursor, row))
            if len(found) == limit:
                break
        return found

    async def newest(self, look: Look) -> Cursor:
        """Give the cursor of the last move that a viewer may know of."""
        last = START
        async for cursor, _ in self._known(look.who, look.row.id, look.row.seq):
            last = cursor
        return last

    async def shown(self, performed: Performed) -> tuple[Look, SeenMove | None]:
        """Show a move that was just made to whoever made it, and the scene as it is now."""
        look = self._look(performed.scene, performed.standing)
        async for cursor, row in self._known(look.who, look.row.id, performed.move.since):
            if row.number == performed.move.number:
                return look, self._show(look, cursor, row)
        return look, None

    async def at(self, look: Look, seq: int) -> Moment | None:
        """Build the scene as it was when a public number had been reached; None for one that never was."""
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
            again = await self.thinking.replay(look.who.account, look.row.system, look.row.opening, events)
        except CodecError as error:
            log.error("scene_unreadable", scene=look.row.id, reason=str(error))
            return None
        kept = again.opening if last is None else last.state_hash
        if again.hash != kept:
            log.error("replay_differs", scene=look.row.id, number=number)
        then = Look(look.row, look.who, look.system, (again.document, None))
        return Moment(seq, then, again.hash == kept, again.hash if look.who.gm else None)

    async def afford(self, look: Look, *, whole: bool = False) -> None:
        """Charge for a look at a scene that is larger than its price pays for.

        Args:
            look: the look.
            whole: whether all parts of the state are to be told, not a summary.

        Raises:
            LimitReached: whose look it is cannot pay for it.
        """
        await self.thinking.look(look.who.account, look.documents[0], whole=whole)

    async def legal(self, look: Look, actor: str | None = None) -> tuple[LegalMove, ...]:
        """Give what ``Look.legal`` gives, paid for by whose look it is and without holding others up."""
        if look.play is None or look.state is None or look.row.ended_at is not None:
            return ()
        return await self.thinking.legal(look.row.system, look.documents, look.who, actor)

    async def picture(self, look: Look) -> str | None:
        """Draw a scene likewise; None where the game draws nothing, or is not known here."""
        if not look.pictured or look.state is None:
            return None
        return await self.thinking.picture(look.row.system, look.documents[0], look.who)

    def _look(self, row: Scene, who: Standing) -> Look:
        return Look(row, who, self._systems.get(row.system), documents(row))

    async def _complete(self, scene: Scene) -> None:
        pending = Pending.of(scene)
        if pending is None:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                await self._playing.complete(scene.id, pending.number)
        except (PeerUnavailable, TimeoutError) as error:
            log.warning("move_pending", scene=scene.id, reason=str(error))

    async def _known(self, who: Standing, scene: str, since: int) -> AsyncIterator[tuple[Cursor, SceneMove]]:
        """Give the moves that somebody may know of, from those of a public number on, with their cursors."""
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
        is_held = row.number in held(look.row)
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
            form=row.move["data"] if row.move is not None and (sent or (who.gm and not is_held)) else None,
            created_at=row.created_at,
            system=look.row.system,
        )

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
