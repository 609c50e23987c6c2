"""What a worker notes of the jobs it does: maps and parts of batches, each call one unit of work."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import orjson
from redis.asyncio import Redis

from services.map.events import made
from services.map.models import OUTBOX, BatchPart, MapFile, MapRow
from services.map.play.state import FogMode
from services.map.quotas import Quotas
from services.map.repository import BOOK, PARTS, TURNS, Records
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.jobs import Job
from services.shared.outbox import Relay

MAP_TASK = "maps.generate"
PART_TASK = "maps.part"
BATCH = "maps.batch"


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
        figures: what the gates measured, by name.
        attempts: how many drops it took.
    """

    kind: str
    name: str
    seed: str
    model: str
    generator_version: int
    gates: Sequence[tuple[str, Sequence[str]]]
    figures: Sequence[tuple[str, float]]
    attempts: int


@dataclass(frozen=True, slots=True)
class MadePart:
    """The maps of one part of a batch, already in the storage as one file.

    Attributes:
        first: number of its first map in the batch, from 0.
        summaries: of each map, what a list of them shows.
        key: where the file lies in the storage.
        content: its bytes.
    """

    first: int
    summaries: Sequence[dict[str, object]]
    key: str
    content: bytes = field(repr=False)


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
        quotas: what accounts may have.
    """

    def __init__(self, database: Database, clock: Clock, quotas: Quotas) -> None:
        self._database = database
        self._clock = clock
        self._quotas = quotas

    async def begin(self, job_id: str | None = None) -> Job | None:
        """Take the job whose turn it is: running now, or dead when its last attempt died with its worker.

        Args:
            job_id: take this one, whoever's turn it is.

        Returns:
            The job; None when there is nothing to do: nothing is due, or what was named is somebody else's,
            ended, or unknown.
        """
        moment = self._clock()
        async with self._database.write() as session:
            chosen = await TURNS.next(session, moment) if job_id is None else job_id
            if chosen is None:
                return None
            job = await BOOK.bury(session, chosen, moment) or await BOOK.claim(session, chosen, moment)
            if job is None:
                return None
            if not job.state.ended:
                await TURNS.begun(session, job, moment)
            records = Records(session)
            await self._move_on(records, job, moment)
            return await records.note(job, moment)

    async def waiting(self) -> Job | None:
        """Read any job that is due and that nobody works at."""
        async with self._database.read() as session:
            return await BOOK.waiting(session, self._clock())

    async def look(self, job: Job) -> None:
        """See whether the job is still this worker's."""
        async with self._database.read() as session:
            await BOOK.look(session, job)

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
            figures=orjson.dumps(new.figures).decode(),
            attempts=new.attempts,
            owner=job.owner,
            campaign=job.campaign,
            job=job.id,
            created_at=moment,
            sharing=job.params.get("sharing", FogMode.OPEN),
            bytes=len(new.model.encode()) + sum(len(file.content) for file in files),
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
            # Its campaign may have been deleted since it was begun.
            row.campaign = finished.campaign
            await self._quotas.count(session, job.owner, maps=1, size=row.bytes)
            records = Records(session)
            await records.add_map(row, stored, None if row.sharing == FogMode.HIDDEN else made(row), moment)
            return await records.note(finished, moment)

    async def complete_part(self, job: Job, part: MadePart) -> Job:
        """Commit a part of a batch and the end of its job, and move the batch on."""
        moment = self._clock()
        row = BatchPart(
            job=job.id,
            batch=job.whole or "",
            first=part.first,
            count=len(part.summaries),
            key=part.key,
            bytes=len(part.content),
            sha256=hashlib.sha256(part.content).hexdigest(),
            summary=orjson.dumps(part.summaries).decode(),
        )
        async with self._database.write() as session:
            finished = await BOOK.finish(session, job, {"maps": row.count}, moment)
            await self._quotas.count(session, job.owner, size=row.bytes)
            records = Records(session)
            records.add_part(row)
            await self._move_on(records, finished, moment)
            return await records.note(finished, moment)

    async def named(self, job: Job) -> set[str]:
        """Reads the keys of the stored files that the rows of what a job has made name."""
        async with self._database.read() as session:
            records = Records(session)
            return await (
                records.files_of_maps([map_id(job)])
                if job.whole is None
                else records.files_of_parts([job.id])
            )

    async def refuse(self, job: Job, code: str, message: str) -> Job:
        """End a job that can never succeed."""
        moment = self._clock()
        async with self._database.write() as session:
            ended = await BOOK.refuse(session, job, {"code": code, "message": message}, moment)
            records = Records(session)
            await self._move_on(records, ended, moment)
            return await records.note(ended, moment)

    async def fail(self, job: Job, code: str, message: str) -> Job:
        """Note a failed attempt; it comes back queued, or dead after its last one."""
        moment = self._clock()
        async with self._database.write() as session:
            failed = await BOOK.fail(session, job, {"code": code, "message": message}, moment)
            records = Records(session)
            await self._move_on(records, failed, moment)
            return await records.note(failed, moment)

    async def _move_on(self, records: Records, part: Job, moment: datetime) -> None:
        """Tell the whole, if the job is a part that has ended."""
        if part.whole is not None and part.state.ended:
            whole = await PARTS.moved(records.session, part.whole, moment)
            if whole is not None:
                await records.note(whole, moment)
