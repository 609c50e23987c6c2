"""What can be done with maps: have one made, watch and cancel the work, read what came of it; and, for the
worker, what is noted of a job while it is done. Each use case is one unit of work; it gives a result or a
problem."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field

import orjson
import structlog
from redis.asyncio import Redis

from services.map.events import made
from services.map.generation.realm import RealmParameters
from services.map.models import IDEMPOTENCY, OUTBOX, MapFile, MapRow
from services.map.repository import BOOK, Maps, Records
from services.map.wishes import RealmWish, checked
from services.rules.engine.codec import Codec
from services.shared.access import Access, AccessSource
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id, new_id
from services.shared.jobs import Job
from services.shared.outbox import Relay
from services.shared.pagination import Page
from services.shared.peers import PeerUnavailable
from services.shared.problems import Forbidden, IdempotencyConflict, InvalidInput, NotFound, Unavailable
from services.shared.storage import Storage

TASK = "maps.generate"
FORGEBORN_REALM = "forgeborn_realm"
REALM_PARAMETERS: Codec[RealmParameters] = Codec(RealmParameters, "map/forgeborn-realm-parameters")
BATCH = 100

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class NewMap:
    """A map to be made.

    Attributes:
        wish: what it is to be.
        campaign: id of the campaign it is for, if any.
        idempotency_key: the same key gives the same job.
    """

    wish: RealmWish
    campaign: str | None = None
    idempotency_key: str | None = None


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
        access: knows the campaigns of a viewer.
        storage: where the files are.
        send: sends a job's message; whatever it cannot send, the sweeper sends later.
        draw_seed: draws a seed from 0 to 2**63 - 1 for those who name none.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        access: AccessSource,
        storage: Storage,
        send: Callable[[Job], Awaitable[None]],
        draw_seed: Callable[[], int],
    ) -> None:
        self._database = database
        self._clock = clock
        self._access = access
        self._storage = storage
        self._send = send
        self._draw_seed = draw_seed

    # Having maps made

    async def generate(
        self, viewer: Viewer, new: NewMap
    ) -> Job | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable:
        """Have a map made, for oneself or as GM or player for a campaign."""
        refusal = await self._refusal(viewer, new.campaign)
        if refusal is not None:
            return refusal
        parameters = checked(new.wish, self._draw_seed())
        if isinstance(parameters, list):
            return InvalidInput.of(parameters)
        if new.idempotency_key is not None and not new.idempotency_key.isprintable():
            return InvalidInput.single(
                "BAD_CHARACTER", "`idempotencyKey` has printable characters only.", "idempotencyKey"
            )
        moment = self._clock()
        request = {"generate": [new.campaign, asdict(new.wish)]}
        async with self._database.write() as session:
            claimed = await claim(session, IDEMPOTENCY, viewer.account, new.idempotency_key, request, moment)
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            if isinstance(claimed, Replay):
                known = await BOOK.get(session, claimed.answer)
                return known or NotFound.of("job", "idempotencyKey")
            job = await BOOK.add(
                session,
                new_id("job"),
                TASK,
                {"kind": FORGEBORN_REALM, "parameters": REALM_PARAMETERS.dump(parameters)},
                owner=viewer.account,
                campaign=new.campaign,
                moment=moment,
            )
            await Records(session).note(job, moment)
            await remember(session, IDEMPOTENCY, viewer.account, new.idempotency_key, job.id)
        await self._try_to_send(job)
        return job

    async def cancel(self, viewer: Viewer, job_id: str) -> Job | NotFound | Forbidden | Unavailable:
        """End one's own job, or as GM any of the campaign; one that has ended stays as it is."""
        try:
            access = await self._access_of(viewer)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        moment = self._clock()
        async with self._database.write() as session:
            job = await Maps(session, access).job(job_id) if is_id(job_id, "job") else None
            if job is None:
                return NotFound.of("job", "id")
            if job.owner != viewer.account and not access.runs(job.campaign or ""):
                return Forbidden.because("Only who asked for it, or a GM, may cancel a job.", "id")
            cancelled = await BOOK.cancel(session, job_id, moment)
            return job if cancelled is None else await Records(session).note(cancelled, moment)

    # Reading

    async def maps(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, MapRow]:
        """Read those of the maps that the viewer may see."""
        wanted = [one for one in dict.fromkeys(ids) if is_id(one, "map")]
        if viewer.anonymous or not wanted:
            return {}
        access = await self._readable(viewer)
        async with self._database.read() as session:
            return await Maps(session, access).by_id(wanted)

    async def page(
        self, viewer: Viewer, campaign: str | None, *, first: int, after: str | None
    ) -> Page[MapRow] | None:
        """Read a page of a campaign's maps, newest first, or of the viewer's own that belong to no campaign.

        Gives None when the viewer is no member of the campaign.
        """
        if viewer.anonymous:
            return None
        access = await self._readable(viewer, campaign) if campaign is not None else Access(viewer.account)
        if campaign is not None and campaign not in access.roles:
            return None
        async with self._database.read() as session:
            return await Maps(session, access).page(campaign, first=first, after=after)

    async def files(self, viewer: Viewer, ids: Sequence[str]) -> list[MapFile]:
        """Read the list of files of those of the maps that the viewer may see."""
        access = await self._readable(viewer)
        async with self._database.read() as session:
            return await Maps(session, access).files(ids)

    async def file(self, viewer: Viewer, map_id: str, name: str) -> StoredFile | None:
        """Read a map's file; None when there is none, or the viewer may not see the map."""
        if viewer.anonymous or not is_id(map_id, "map") or not name.isprintable():
            return None
        access = await self._readable(viewer)
        async with self._database.read() as session:
            row = await Maps(session, access).file(map_id, name)
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
        access = await self._readable(viewer)
        async with self._database.read() as session:
            return await Maps(session, access).job(job_id)

    async def job_changes(self, viewer: Viewer, job_id: str, after: int) -> list[Job] | None:
        """Read the versions of a job behind number ``after``, in order; behind 0 only the present one.

        Gives None when the viewer may not see the job (any more).

        Raises:
            PeerUnavailable: the campaign service, which knows the members, does not answer.
        """
        if viewer.anonymous or not is_id(job_id, "job"):
            return None
        access = await self._access_of(viewer)
        async with self._database.read() as session:
            maps = Maps(session, access)
            job = await maps.job(job_id)
            if job is None:
                return None
            return [job] if after <= 0 else await maps.changes(job, after, limit=BATCH)

    async def _access_of(self, viewer: Viewer, campaign: str | None = None) -> Access:
        return await self._access.of(viewer, campaign=campaign)

    async def _readable(self, viewer: Viewer, campaign: str | None = None) -> Access:
        """Give the viewer's access; without the campaign service one still sees what is one's own."""
        try:
            return await self._access_of(viewer, campaign)
        except PeerUnavailable as error:
            log.warning("access_unknown", account=viewer.account, reason=str(error))
            return Access(viewer.account)

    async def _refusal(
        self, viewer: Viewer, campaign: str | None
    ) -> NotFound | Forbidden | Unavailable | None:
        if campaign is None:
            return None
        try:
            access = await self._access_of(viewer, campaign)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if campaign not in access.roles:
            return NotFound.of("campaign", "campaignId")
        if not access.plays(campaign):
            return Forbidden.because("Spectators watch; ask the GM to make you a player.", "campaignId")
        return None

    async def _try_to_send(self, job: Job) -> None:
        try:
            await self._send(job)
        except Exception as error:  # the job is safe in its table, whatever became of the message
            log.warning("message_unsent", job=job.id, reason=f"{type(error).__name__}: {error}")


@dataclass(frozen=True, slots=True)
class MadeFile:
    """A file of a finished map, already in the storage.

    Attributes:
        name: as in its address, for instance ``map.svg``.
        key: where it lies in the storage.
        content_type: media type.
        content: the bytes.
    """

    name: str
    key: str
    content_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class MadeMap:
    """A finished map.

    Attributes:
        kind: what it is.
        name: for people.
        seed: in decimal digits.
        model: canonical JSON.
        generator_version: of the generator that made it.
        gates: each gate's name and faults.
        attempts: how many drops it took.
    """

    kind: str
    name: str
    seed: str
    model: str
    generator_version: int
    gates: Sequence[tuple[str, Sequence[str]]]
    attempts: int


def teller(database: Database, redis: Redis, clock: Clock) -> Relay:
    """Make what carries this service's events to its stream, for a worker that wants them heard at once."""
    return Relay(database, OUTBOX, redis, "map", clock)


def map_id(job: Job) -> str:
    """Name the map of a job: one job never makes two."""
    return f"map{job.id.removeprefix('job')}"


class MapWork:
    """What a worker notes of a job. Each call is one unit of work and is told to those who watch.

    Every call but ``begin`` raises ``LostLease`` when the job was cancelled or given to another worker, and
    writes nothing then.

    Args:
        database: where maps and jobs are kept.
        clock: the present moment.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def begin(self, job_id: str) -> Job | None:
        """Take a job: it comes back running, or dead when its last attempt died with its worker.

        Gives None when there is nothing to do: it is not due, somebody else's, ended, or unknown.
        """
        moment = self._clock()
        async with self._database.write() as session:
            job = await BOOK.bury(session, job_id, moment) or await BOOK.claim(session, job_id, moment)
            return None if job is None else await Records(session).note(job, moment)

    async def advance(self, job: Job, progress: float) -> Job:
        """Report progress, from 0 to 1, and keep the lease."""
        moment = self._clock()
        async with self._database.write() as session:
            return await Records(session).note(await BOOK.renew(session, job, progress, moment), moment)

    async def hold(self, job: Job) -> None:
        """Keep the lease during a long step."""
        async with self._database.write() as session:
            await BOOK.hold(session, job, self._clock())

    async def complete(self, job: Job, new: MadeMap, files: Sequence[MadeFile]) -> Job:
        """Commit the map, its files and the end of its job, all or nothing."""
        moment = self._clock()
        row = MapRow(
            id=map_id(job),
            kind=new.kind,
            name=new.name,
            seed=new.seed,
            params=orjson.dumps(dict(job.params)).decode(),
            model=new.model,
            generator_version=new.generator_version,
            gates=orjson.dumps(new.gates).decode(),
            attempts=new.attempts,
            owner=job.owner,
            campaign=job.campaign,
            job=job.id,
            created_at=moment,
        )
        stored = [
            MapFile(
                map=row.id,
                name=file.name,
                key=file.key,
                content_type=file.content_type,
                bytes=len(file.content),
                sha256=hashlib.sha256(file.content).hexdigest(),
            )
            for file in files
        ]
        async with self._database.write() as session:
            # First the lease: a worker that has lost it must not get as far as the map's own row.
            finished = await BOOK.finish(session, job, {"map": row.id}, moment)
            records = Records(session)
            await records.add_map(row, stored, made(row), moment)
            return await records.note(finished, moment)

    async def refuse(self, job: Job, code: str, message: str) -> Job:
        """End a job that can never succeed."""
        moment = self._clock()
        async with self._database.write() as session:
            ended = await BOOK.refuse(session, job, {"code": code, "message": message}, moment)
            return await Records(session).note(ended, moment)

    async def fail(self, job: Job, code: str, message: str) -> Job:
        """Note a failed attempt; it comes back queued, or dead after its last one."""
        moment = self._clock()
        async with self._database.write() as session:
            failed = await BOOK.fail(session, job, {"code": code, "message": message}, moment)
            return await Records(session).note(failed, moment)
