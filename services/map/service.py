"""What can be done with maps: have one made, watch and cancel the work, read what came of it. Each use case
is one unit of work; it returns a result or raises a problem."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.cancelling import CancelStep, cancel_next
from services.map.looking import Look
from services.map.membership import Membership
from services.map.models import UPDATES, MapFile
from services.map.ordering import Ordering, Placing
from services.map.pricing import points_of_map
from services.map.repository import BOOK, Maps
from services.map.requests import CancelJob, GenerateMap
from services.map.sharing import access_at, check_fog, editor_of, may_run, opening
from services.map.wishes import checked
from services.map.work import MAP_TASK
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database, follow
from services.shared.idempotency import once
from services.shared.ids import is_id, new_id
from services.shared.jobs import Job, Line
from services.shared.limits.meter import Meter
from services.shared.pagination import Page
from services.shared.policy import Policy, Right
from services.shared.problems import Forbidden, InvalidInput, NotFound, Unavailable
from services.shared.storage import Storage
from services.shared.updates import PlaceUpdates, Since, Told, audiences_of

BATCH = 100

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A map's file with its content.

    Attributes:
        content: the bytes.
        content_type: their media type.
        sha256: their hash, in hexadecimal digits.
    """

    content: bytes
    content_type: str
    sha256: str


class MapService:
    """The use cases of those who want maps.

    Args:
        database: where maps and jobs are kept.
        clock: the present moment.
        policy: knows what viewers may do.
        storage: where the files are.
        ordering: places orders.
        meter: what maps are paid from.
        background: what batches were paid from, when one is cancelled.
        draw_seed: draws a seed from 0 to 2**63 - 1 for those who name none.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        storage: Storage,
        ordering: Ordering,
        meter: Meter,
        background: Meter,
        draw_seed: Callable[[], int],
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._membership = Membership(database, policy)
        self._storage = storage
        self._ordering = ordering
        self._meter = meter
        self._background = background
        self._draw_seed = draw_seed

    # Having maps made

    async def generate(self, viewer: Viewer, asked: GenerateMap, key: str | None) -> Job:
        """Have a map made, for oneself or as GM or player for a campaign.

        Raises:
            NotFound: no member of the campaign.
            Forbidden: a spectator there.
            InvalidInput: such a map cannot be made, or the account has enough.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent.
            RateLimited: the account cannot pay for it now.
        """
        seat = await self._policy.seat(viewer, asked.campaign_id, Right.WRITE)
        check_fog(asked.wish.kind, asked.sharing)
        order = checked(asked.wish, self._draw_seed())
        if isinstance(order, list):
            raise InvalidInput.of(order)
        params = order.document() | {"sharing": opening(order.kind, asked.sharing, seat)}
        points = points_of_map(order)

        async def add(session: AsyncSession, moment: datetime) -> Job:
            return await BOOK.add(
                session,
                new_id("job"),
                MAP_TASK,
                params,
                owner=viewer.account,
                campaign=asked.campaign_id,
                moment=moment,
                points=points,
            )

        placing = Placing(asked, key, points, self._meter, Line.SINGLE, add)
        return await self._ordering.place(viewer, placing)

    async def cancel(self, viewer: Viewer, asked: CancelJob, key: str | None) -> Job:
        """End one's own job, or as GM any of the campaign; one that has ended stays as it is.

        What a batch was charged for the parts that were not begun is given back to who ordered it.

        Raises:
            NotFound: no job that the viewer may see.
            Forbidden: somebody else's job.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent.
        """
        access = await self._membership.of_job(viewer, asked.id)
        while True:
            job, step = await self._cancel_next(viewer, access, asked, key)
            if not step.more:
                return step.job or job
            await asyncio.sleep(0)

    async def _cancel_next(
        self, viewer: Viewer, access: Access, asked: CancelJob, key: str | None
    ) -> tuple[Job, CancelStep]:
        """Take a step of cancelling a job; return it as it was before."""
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            job = await Maps(session, access).job(asked.id) if is_id(asked.id, "job") else None
            if job is None:
                raise NotFound.of("job", "id")
            if not may_run(access, job.owner, job.campaign):
                raise Forbidden.because("Only who asked for it, or a GM, may cancel a job.", "id")
            done.answer = job.id
            step = await cancel_next(session, job.id, moment)
            follow(session, partial(self._background.give_back, job.owner, step.points))
        return job, step

    # Reading

    async def maps(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Look | Unavailable]:
        """Read those of the maps that the viewer may see; why nobody knows, in the place of one that they may
        or may not.
        """
        wanted = [one for one in dict.fromkeys(ids) if is_id(one, "map")]
        if viewer.anonymous or not wanted:
            return {}
        access = await self._membership.of_maps_own_at_least(viewer, wanted)
        async with self._database.read() as session:
            found = await Maps(session, access).by_id(wanted)
        looks = {key: Look(row, editor_of(access, row)) for key, row in found.items()}
        return access.found_each(wanted, looks)

    async def map(self, viewer: Viewer, map_id: str) -> Look | None:
        """Read a map; None when the viewer may not see it.

        Raises:
            Unavailable: it is not theirs, and nobody knows whether they may see it.
        """
        look = (await self.maps(viewer, [map_id])).get(map_id)
        if isinstance(look, Unavailable):
            raise look
        return look

    async def page(
        self, viewer: Viewer, campaign: str | None, *, first: int, after: str | None
    ) -> Page[Look] | None:
        """Read a page of a campaign's maps, newest first, or of the viewer's own that belong to no campaign.

        Gives None when the viewer is no member of the campaign.

        Raises:
            Unavailable: nobody knows whether they are.
        """
        if viewer.anonymous:
            return None
        access = (
            await self._policy.own_at_least(viewer, campaigns=[campaign])
            if campaign is not None
            else Access(viewer.account)
        )
        if campaign is not None and access.found(access.roles.get(campaign)) is None:
            return None
        async with self._database.read() as session:
            page = await Maps(session, access).page(campaign, first=first, after=after)
        looks = [Look(row, editor_of(access, row)) for row in page.items]
        return Page(looks, page.has_next, page.has_previous)

    async def updates(
        self, viewer: Viewer, campaign: str | None, cursor: str | None, *, first: int
    ) -> Told[Look] | None:
        """Read what has changed among a campaign's maps, or the viewer's own that belong to no campaign.

        Args:
            viewer: who asks.
            campaign: id of the campaign, if any.
            cursor: how far they have read; None from the beginning.
            first: how many changes at most.

        Returns:
            The changes; None for who is no member of the campaign.

        Raises:
            PublicError: ``BAD_CURSOR``.
            Unavailable: the campaign service is silent.
        """
        seat = await self._policy.seat_to_read(viewer, campaign)
        if seat is None or seat.past:
            return None
        since = None if cursor is None else Since.of(cursor, seat.place)
        access = access_at(seat)
        async with self._database.read() as session:
            updates = PlaceUpdates(session, UPDATES)
            page = await updates.page(seat.place, audiences_of(seat), since, first=first)
        async with self._database.read() as session:
            found = await Maps(session, access).by_id([line.thing for line in page.lines if not line.gone])
            moved = await PlaceUpdates(session, UPDATES).moved(page)
        return Told(page, {one: Look(row, editor_of(access, row)) for one, row in found.items()}, moved)

    async def files(self, viewer: Viewer, ids: Sequence[str]) -> list[MapFile]:
        """Read the list of files of those of the maps that the viewer may see."""
        access = await self._membership.of_maps_own_at_least(viewer, ids)
        async with self._database.read() as session:
            return await Maps(session, access).files(ids)

    async def file(self, viewer: Viewer, map_id: str, name: str) -> StoredFile | None:
        """Read a file as it was stored; None when there is none, or the viewer may not see all of the map."""
        if viewer.anonymous or not is_id(map_id, "map") or not name.isprintable():
            return None
        access = await self._membership.of_maps_own_at_least(viewer, [map_id])
        async with self._database.read() as session:
            maps = Maps(session, access)
            found = await maps.one(map_id)
            # What was stored is the whole map.
            if found is None or not Look(found, editor_of(access, found)).unveiled:
                return None
            row = await maps.file(map_id, name)
        if row is None:
            return None
        content = await self._storage.get(row.key)
        if content is None:
            log.error("file_missing", map=map_id, name=name, key=row.key)
            return None
        return StoredFile(content, row.content_type, row.sha256)

    async def job(self, viewer: Viewer, job_id: str) -> Job | None:
        """Read a job; None when the viewer may not see it."""
        if viewer.anonymous or not is_id(job_id, "job"):
            return None
        access = await self._membership.of_job_own_at_least(viewer, job_id)
        async with self._database.read() as session:
            return await Maps(session, access).job(job_id)

    async def jobs(self, viewer: Viewer, *, first: int, after: str | None) -> Page[Job]:
        """Read a page of the jobs that the viewer asked for, newest first; a batch is one of them."""
        async with self._database.read() as session:
            return await Maps(session, Access(viewer.account)).jobs(first=first, after=after)

    async def job_changes(self, viewer: Viewer, job_id: str, after: int) -> list[Job] | None:
        """Read the versions of a job behind number ``after``, in order; behind 0 only the present one.

        Gives None when the viewer may not see the job (any more).

        Raises:
            Unavailable: the campaign service, which knows the members, is silent.
        """
        if viewer.anonymous or not is_id(job_id, "job"):
            return None
        access = await self._membership.of_job(viewer, job_id)
        async with self._database.read() as session:
            maps = Maps(session, access)
            job = await maps.job(job_id)
            if job is None:
                return None
            return [job] if after <= 0 else await maps.changes(job, after, limit=BATCH)
