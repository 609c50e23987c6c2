"""What people delete: a map, a batch. Each use case is one unit of work; it returns an id or raises a
problem."""

from services.map.charging import Charging
from services.map.deletion.repository import Removals
from services.map.events import job_deleted
from services.map.looking import Look
from services.map.membership import Membership
from services.map.repository import Maps, Records, Usages
from services.map.requests import DeleteMap, DeleteMapBatch
from services.map.revisions import check_revision
from services.map.sharing import editor_of, may_run
from services.map.work import BATCH
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.ids import is_id
from services.shared.limits.meter import Meter
from services.shared.policy import Policy
from services.shared.problems import Forbidden, InvalidInput, NotFound


class Deletion:
    """The use cases of who deletes.

    Args:
        database: where maps and jobs are kept.
        clock: the present moment.
        policy: knows what viewers may do.
        charging: looks at maps for who pays.
        background: what batches were paid from.
    """

    def __init__(
        self, database: Database, clock: Clock, policy: Policy, charging: Charging, background: Meter
    ) -> None:
        self._database = database
        self._clock = clock
        self._membership = Membership(database, policy)
        self._charging = charging
        self._background = background

    async def map(self, viewer: Viewer, asked: DeleteMap, key: str | None) -> str:
        """Delete a map with its edits and files: one's own, or as GM any of the campaign.

        Its stored files and drawn pictures are removed within a day.

        Returns:
            Its id.

        Raises:
            NotFound: no map that the viewer may see.
            Forbidden: another one's.
            MapChanged: they would see another revision than the one that they named.
            InvalidInput: a running scene leads it.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent.
        """
        access = await self._membership.of_maps(viewer, [asked.id])
        seen = await self._seen(access, asked.id)
        if seen is not None and asked.revision is not None:
            # Before the unit of work, which keeps all others from writing.
            await self._charging.revision(viewer, seen)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if done.before:
                return asked.id
            if seen is None:
                raise NotFound.of("map", "id")
            await Usages(session).held(seen.row.owner)
            row = await Maps(session, access).held(asked.id)
            if row is None:
                raise NotFound.of("map", "id")
            if not may_run(access, row.owner, row.campaign):
                raise Forbidden.because("Only who owns a map, or a GM, may delete it.", "id")
            await check_revision(Look(row, editor_of(access, row)), asked.revision)
            if row.scene is not None:
                message = "A scene that runs leads this map: end or delete the scene first."
                raise InvalidInput.single("MAP_IN_USE", message, "id", found=row.scene)
            await Removals(session, moment).map(row)
            done.answer = row.id
        return asked.id

    async def batch(self, viewer: Viewer, asked: DeleteMapBatch, key: str | None) -> str:
        """Delete a batch with its job and files: one's own, or as GM any of the campaign.

        What has not ended of it ends; what was charged for parts that were not begun is given back to who
        ordered it. Maps that were kept of it stay. Its stored files are removed within a day. Of a long one
        the rest ends and goes in steps (``batches``), and nobody sees it meanwhile.

        Returns:
            Its id.

        Raises:
            NotFound: no batch that the viewer may know of.
            Forbidden: another one's.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent.
        """
        access = await self._membership.of_job(viewer, asked.id)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if done.before:
                return asked.id
            job = await Maps(session, access).job(asked.id) if is_id(asked.id, "job") else None
            if job is None or job.kind != BATCH:
                raise NotFound.of("batch", "id")
            if not may_run(access, job.owner, job.campaign):
                raise Forbidden.because("Only who asked for a batch, or a GM, may delete it.", "id")
            points = await Removals(session, moment).batch(job.id, job.owner)
            await Records(session).tell(job_deleted(job.id), moment)
            done.answer = job.id
        await self._background.give_back(job.owner, points)
        return asked.id

    async def _seen(self, access: Access, map_id: str) -> Look | None:
        if not is_id(map_id, "map"):
            return None
        async with self._database.read() as session:
            row = await Maps(session, access).one(map_id)
        return None if row is None else Look(row, editor_of(access, row))
