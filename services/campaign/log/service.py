"""What can be done with a campaign's log: reading and following it, writing notes, and deleting them."""

from collections.abc import AsyncIterator, Mapping, Sequence

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.events import topic
from services.campaign.log.models import LogEntry
from services.campaign.log.repository import Log
from services.campaign.log.requests import DeleteNote, WriteNote
from services.campaign.membership.repository import Campaigns
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.outbox import Event
from services.shared.policy import Right, demand
from services.shared.problems import InvalidInput, NotFound
from services.shared.stream import Wakes, follow

BATCH = 100
NOTE = "note"
GONE = "note.gone"
"""The kind of an entry that was a note: its number stays, and neither its words nor its author."""


class LogService:
    """The use cases of the log.

    Args:
        database: where logs are kept.
        clock: the present moment.
        wakes: signals of new entries.

    Attributes:
        handlers: how other services' events are noted, by kind; see ``services.shared.consumer``.
    """

    def __init__(self, database: Database, clock: Clock, wakes: Wakes) -> None:
        self._database = database
        self._clock = clock
        self._wakes = wakes
        self.handlers: Mapping[str, Handler] = dict.fromkeys(("roll.recorded", "map.made"), self.record)

    async def read(
        self,
        viewer: Viewer,
        campaign: str,
        *,
        after: int | None = None,
        limit: int = BATCH,
        newest_first: bool = False,
    ) -> list[LogEntry]:
        """Return entries behind number ``after``, in the order asked for.

        Raises:
            NotFound: no member.
        """
        async with self._database.read() as session:
            demand(await Campaigns(session).role(campaign, viewer.account), Right.READ)
            return await Log(session).entries(
                campaign, viewer.account, after=after, limit=limit, newest_first=newest_first
            )

    async def follow(self, viewer: Viewer, campaign: str, *, after: int = 0) -> AsyncIterator[LogEntry]:
        """Yield all entries behind a number, then each new one, once; membership is checked with each.

        Raises:
            NotFound: no member, or no longer.
        """

        async def fetch(last: int) -> Sequence[LogEntry]:
            return await self.read(viewer, campaign, after=last)

        async for entry in follow(self._wakes, topic(campaign), fetch, lambda row: row.seq, after=after):
            yield entry

    async def note(self, viewer: Viewer, asked: WriteNote, key: str | None = None) -> LogEntry:
        """Write a note into the log, and return its entry.

        Raises:
            InvalidInput: a bound is broken.
            NotFound: no member; or the note under this key was deleted since.
            Forbidden: a spectator.
            IdempotencyConflict: the key was used for another request.
        """
        check(asked)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            log = Log(session)
            demand(await Campaigns(session).role(asked.campaign_id, viewer.account), Right.WRITE)
            if done.answer is not None:
                known = await log.entry(asked.campaign_id, int(done.answer))
                if known is None or known.kind == GONE:
                    raise NotFound.of("note", "idempotencyKey")
                return known
            entry = await log.write(
                asked.campaign_id, NOTE, asked.text.strip(), moment, account=viewer.account
            )
            done.answer = str(entry.seq)
            return entry

    async def delete_note(self, viewer: Viewer, asked: DeleteNote, key: str | None = None) -> int:
        """Delete a note, one's own or as a GM any, and return its number.

        The entry keeps its number, so that cursors go on, and another one tells of it, so that those hear who
        have read the note.

        Raises:
            NotFound: no member, or no such note.
            InvalidInput: a bound is broken; ``NOT_A_NOTE``: the entry tells of something else.
            Forbidden: another's, and no GM.
            IdempotencyConflict: the key was used for another request.
        """
        check(asked)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if done.before:
                return asked.seq
            campaign, log = asked.campaign_id, Log(session)
            role = demand(await Campaigns(session).role(campaign, viewer.account), Right.READ)
            await log.hold(campaign)
            entry = await log.entry(campaign, asked.seq)
            if entry is None or entry.kind == GONE:
                raise NotFound.of("note", "seq")
            if entry.kind != NOTE:
                message = "Only notes can be deleted: the log goes on telling what happened."
                raise InvalidInput.single("NOT_A_NOTE", message, "seq", found=entry.kind, allowed=NOTE)
            if entry.account != viewer.account:
                demand(role, Right.RUN, "seq")
            entry.kind, entry.text, entry.account = GONE, "This note was deleted.", None
            await log.write(
                campaign,
                "note.deleted",
                "A note is deleted.",
                moment,
                account=viewer.account,
                subject=str(asked.seq),
            )
            done.answer = str(asked.seq)
            return asked.seq

    async def record(self, session: AsyncSession, event: Event) -> None:
        """Take note of a roll or a map of a campaign that is still there; dice of scenes are left out: their
        moves are in it.
        """
        payload = event.payload
        campaign = payload.get("campaign")
        if not campaign or payload.get("drawn_for_scene"):
            return
        if await Campaigns(session).exists(campaign):
            await Log(session).write(
                campaign,
                event.kind,
                str(payload["text"]),
                self._clock(),
                account=payload.get("account"),
                subject=payload["id"],
                external_author=payload.get("external_author"),
            )
