"""Many maps at once: up to ten thousand as one job, made in parts by as many workers as there are.

What comes of a batch are files, not rows: each part leaves one ZIP with the maps it made, which counts only
when its job's end is committed with it, so no map is lost or doubled whatever dies. The whole is read as one
ZIP or as lines of JSON, also while it is still growing; a map that somebody wants to play on is kept as a map
of its own.
"""

import io
import re
import unicodedata
import zipfile
from asyncio import to_thread
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import orjson
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.batch_archive import Archive, archive_of
from services.map.formats import FORMATS
from services.map.generation.kind import MAX_SEED
from services.map.generation.stream import Stream
from services.map.keeping import keep_map
from services.map.looking import Look
from services.map.membership import Membership
from services.map.models import BatchPart, MapRow
from services.map.ordering import Ordering, Placing
from services.map.pricing import JOB_MILLISECONDS, milliseconds_of
from services.map.quotas import Quotas
from services.map.registry import GENERATORS
from services.map.repository import PARTS, Maps
from services.map.requests import MAX_BATCH, ContinueMapBatch, GenerateMaps, KeepMap
from services.map.sharing import check_fog, may_run, opening
from services.map.wishes import MAX_ISSUES, Order, checked, seed_issues
from services.map.work import BATCH, PART_TASK
from services.shared.auth import Viewer
from services.shared.bounds import broken, check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.ids import is_id, new_id
from services.shared.job_parts import Part
from services.shared.jobs import Job, JobState, Line
from services.shared.limits.meter import (
    MILLISECONDS_PER_POINT,
    MOST_POINTS,
    Meter,
    TooExpensive,
    points_for,
)
from services.shared.policy import Policy, Right
from services.shared.problems import InvalidInput, Issue, NotFound
from services.shared.storage import Storage

PART_MILLISECONDS = 900
"""About how long a part takes: so long a single map waits for the one at work, and so much is done again when
a worker dies. Where other processes share the core it takes up to 2.5 times as long."""

MOST_IN_PART = 100
OWN_FORMAT = "json"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """One finished map of a batch.

    Attributes:
        number: its place in the batch, from 0.
        seed: in decimal digits.
        name: for people.
        attempts: how many it took to pass every gate.
        figures: what its gates measured, by name.
    """

    number: int
    seed: str
    name: str
    attempts: int
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch as it stands.

    Attributes:
        job: the whole; its progress is that of the batch.
        kind: slug of the kind.
        count: maps asked for.
        done: maps made so far.
        bytes: size of their files so far.
        formats: the files that each has.
        parts: what was made so far, by the number of their first map.
    """

    job: Job
    kind: str
    count: int
    done: int
    bytes: int
    formats: Sequence[str]
    parts: Sequence[BatchPart]


class Batches:
    """The use cases of batches.

    Args:
        database: where maps and jobs are kept.
        clock: the present moment.
        policy: knows what viewers may do.
        storage: where the files are.
        ordering: places orders.
        meter: what batches are paid from.
        quotas: what accounts may have.
        draw_seed: draws a seed for those who name none.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        storage: Storage,
        ordering: Ordering,
        meter: Meter,
        quotas: Quotas,
        draw_seed: Callable[[], int],
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._membership = Membership(database, policy)
        self._storage = storage
        self._ordering = ordering
        self._meter = meter
        self._quotas = quotas
        self._draw_seed = draw_seed

    async def generate(self, viewer: Viewer, asked: GenerateMaps, key: str | None) -> Job:
        """Have many maps made, for oneself or as GM or player for a campaign.

        Raises:
            NotFound: no member of the campaign.
            Forbidden: a spectator there.
            InvalidInput: such maps cannot be made, or the account has enough.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent.
            TooExpensive: one of the maps, or the batch, costs more than any may.
            RateLimited: the account's budget of background work does not hold enough for it now.
        """
        await self._policy.seat(viewer, asked.campaign_id, Right.WRITE)
        order = checked(asked.wish, self._draw_seed())
        issues = [*(order if isinstance(order, list) else ()), *broken(asked), *_issues(asked)]
        if issues or isinstance(order, list):
            raise InvalidInput.of(issues[:MAX_ISSUES])
        count = asked.count or len(asked.seeds)
        formats = list(dict.fromkeys((OWN_FORMAT, *asked.formats)))
        each = milliseconds_of(order, formats)
        if points_for(each) > MOST_POINTS:
            raise TooExpensive(
                points_for(each),
                f"Each of these maps costs {points_for(each):,} points, more than the {MOST_POINTS:,} "
                "that one may cost: make them smaller, or order fewer formats.",
            )
        # Before anything is written down for each part: a batch that nobody can pay for costs no memory.
        points = points_for(count * each + -(-count // part_size(each)) * JOB_MILLISECONDS)
        params = order.document() | {"count": count, "formats": formats}
        parts = partial(_parts, order, count, asked.seeds, formats)
        add = _adding(viewer, asked.campaign_id, params, parts, each, points)
        placing = Placing(asked, key, points, self._meter, Line.WHOLE, add)
        return await self._ordering.place(viewer, placing)

    async def go_on(self, viewer: Viewer, asked: ContinueMapBatch, key: str | None) -> Job:
        """Have the maps made that a batch has ended without, as a batch of their own, with the numbers and
        seeds that they were to have.

        Raises:
            NotFound: there is no such batch that the viewer may read.
            Forbidden: a spectator in its campaign.
            InvalidInput: it is still being made, or nothing of it is missing; or the account has enough.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent.
            RateLimited: the account's budget of background work does not hold enough for it now.
        """
        batch = await self.batch(viewer, asked.batch_id)
        if batch is None:
            raise NotFound.of("batch", "batchId")
        await self._policy.seat(viewer, batch.job.campaign, Right.WRITE)
        async with self._database.read() as session:
            parts = await PARTS.parts(session, batch.job.id)
        missing = [part.params for part in parts if part.state is not JobState.SUCCEEDED]
        if not batch.job.state.ended or not missing:
            raise InvalidInput.of([_nothing_to_go_on_with(batch)])
        count = sum(params["count"] for params in missing)
        each = milliseconds_of(Order.load(batch.job.params), batch.formats)
        points = points_for(count * each + len(missing) * JOB_MILLISECONDS)
        params = {**batch.job.params, "count": count}
        add = _adding(viewer, batch.job.campaign, params, lambda: missing, each, points)
        placing = Placing(asked, key, points, self._meter, Line.WHOLE, add)
        return await self._ordering.place(viewer, placing)

    async def batch(self, viewer: Viewer, job_id: str) -> Batch | None:
        """Read a batch; None when there is none, or the viewer may not see what was made for others.

        Its maps are whole, secrets included: only who asked for it, or a GM of the campaign, reads them.
        """
        if viewer.anonymous or not is_id(job_id, "job"):
            return None
        access = await self._membership.of_job_own_at_least(viewer, job_id)
        async with self._database.read() as session:
            maps = Maps(session, access)
            job = await maps.job(job_id)
            if job is None or job.kind != BATCH:
                return None
            if not may_run(access, job.owner, job.campaign):
                return None
            parts = await maps.parts(job)
        return Batch(
            job=job,
            kind=job.params["kind"],
            count=job.params["count"],
            done=sum(part.count for part in parts),
            bytes=sum(part.bytes for part in parts),
            formats=job.params["formats"],
            parts=parts,
        )

    async def archive(self, batch: Batch) -> Archive:
        """Return all files of a batch as one ZIP."""
        return await archive_of(batch.parts, self._content)

    async def lines(self, batch: Batch, after: int = -1) -> AsyncIterator[bytes]:
        """Write the maps of a batch as lines of JSON: number, seed, name, attempts, figures and the map.

        Args:
            batch: whose.
            after: number of the last map that is left out.
        """
        for part in batch.parts:
            wanted = [one for one in orjson.loads(part.summary) if one["number"] > after]
            if wanted:
                yield await to_thread(_lines, await self._content(part), wanted)

    async def file(self, batch: Batch, number: int, name: str) -> bytes | None:
        """Read the file of one map in a format; None where it was not made."""
        part = _part_of(batch, number)
        form = FORMATS.get(name)
        if part is None or form is None:
            return None
        return await to_thread(_file, await self._content(part), number, form.suffix)

    async def keep(self, viewer: Viewer, asked: KeepMap, key: str | None) -> Look:
        """Make one of a batch's maps a map of its own, for oneself or for a campaign.

        Raises:
            NotFound: no member of the campaign, or no such map in a batch that the viewer may read.
            Forbidden: a spectator in the campaign.
            InvalidInput: the map cannot be shared so, or the account has enough.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent.
        """
        seat = await self._policy.seat(viewer, asked.campaign_id, Right.WRITE)
        check(asked)
        batch = await self.batch(viewer, asked.batch_id)
        found = None if batch is None else await self._entry(batch, asked.number)
        if batch is None or found is None:
            raise NotFound.of("map in a batch", "number" if batch else "batchId")
        check_fog(batch.kind, asked.sharing)
        entry, file = found
        kind = GENERATORS[batch.kind]
        report = await to_thread(lambda: kind.inspect(kind.from_data(orjson.loads(file))))
        row = MapRow(
            id=new_id("map"),
            kind=batch.kind,
            name=entry.name,
            seed=entry.seed,
            params=orjson.dumps({**batch.job.params, "seed": entry.seed}).decode(),
            model=file.decode(),
            generator_version=kind.generator_version,
            gates=orjson.dumps([(gate.name, gate.faults) for gate in report.gates]).decode(),
            figures=orjson.dumps(report.figures).decode(),
            attempts=entry.attempts,
            owner=viewer.account,
            campaign=asked.campaign_id,
            created_at=self._clock(),
            sharing=opening(batch.kind, asked.sharing, seat),
        )
        return await keep_map(self._database, self._quotas, viewer, seat, row, asked, key)

    async def _entry(self, batch: Batch, number: int) -> tuple[Entry, bytes] | None:
        part = _part_of(batch, number)
        file = await self.file(batch, number, OWN_FORMAT)
        if part is None or file is None:
            return None
        return entries([part])[number - part.first], file

    async def _content(self, part: BatchPart) -> bytes:
        content = await self._storage.get(part.key)
        if content is None:
            log.error("file_missing", batch=part.batch, key=part.key)
            raise FileNotFoundError(part.key)
        return content


def _adding(
    viewer: Viewer,
    campaign: str | None,
    params: Mapping[str, Any],
    parts: Callable[[], Iterable[Mapping[str, Any]]],
    each: float,
    points: int,
) -> Callable[[AsyncSession, datetime], Awaitable[Job]]:
    """Return what adds a batch in a unit of work.

    Args:
        viewer: who asks.
        campaign: for whose table, if any.
        params: of the whole.
        parts: makes those of its parts.
        each: milliseconds that a map takes.
        points: what the batch costs.
    """

    async def add(session: AsyncSession, moment: datetime) -> Job:
        return await PARTS.add(
            session,
            new_id("job"),
            BATCH,
            params,
            [Part(new_id("job"), PART_TASK, one, points_of_part(each, one["count"])) for one in parts()],
            points=points,
            owner=viewer.account,
            campaign=campaign,
            moment=moment,
        )

    return add


def _nothing_to_go_on_with(batch: Batch) -> Issue:
    state = batch.job.state
    message = "All of its maps were made." if state.ended else "It is still being made: cancel it first."
    return Issue("BATCH_NOT_BROKEN_OFF", message, ["batchId"], found=state.name)


def entries(parts: Sequence[BatchPart]) -> list[Entry]:
    """Read what is told of each map of some parts."""
    return [Entry(**summary) for part in parts for summary in orjson.loads(part.summary)]


def seed_of_entry(params: Mapping[str, Any], number: int) -> int:
    """Give the seed of one map of a part."""
    seeds: Sequence[str] = params["seeds"]
    if seeds:
        return int(seeds[number - params["first"]])
    return Stream(int(params["seed"]), "batch", number).word() & MAX_SEED


def entry_name(number: int, title: str, suffix: str) -> str:
    """Name a map's file in a batch: `00042-the-crypt-of-ash.svg`."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60]
    return f"{number:05d}-{words or 'map'}{suffix}"


def part_size(each: float) -> int:
    """Computes how many maps a part has, where each takes so many milliseconds."""
    return max(1, min(MOST_IN_PART, int(PART_MILLISECONDS / each)))


def points_of_part(each: float, count: int) -> int:
    """Computes what a part costs of its batch's price, rounded down: no refund is more than was paid."""
    return int((JOB_MILLISECONDS + count * each) / MILLISECONDS_PER_POINT)


def _parts(
    order: Order, count: int, seeds: Sequence[str], formats: Sequence[str]
) -> Iterator[dict[str, Any]]:
    size = part_size(milliseconds_of(order, formats))
    document = order.document()
    for first in range(0, count, size):
        more = min(size, count - first)
        yield document | {
            "first": first,
            "count": more,
            "seeds": list(seeds[first : first + more]),
            "formats": list(formats),
        }


def _issues(asked: GenerateMaps) -> Iterator[Issue]:
    if not asked.seeds and asked.count is None:
        yield Issue(code="COUNT_MISSING", message="Say how many, or name their seeds.", path=["count"])
    if len(asked.seeds) > MAX_BATCH or (asked.seeds and asked.count not in (None, len(asked.seeds))):
        yield Issue(
            code="SEEDS_MISCOUNTED",
            message="Name one seed for each map.",
            path=["seeds"],
            found=str(len(asked.seeds)),
            allowed=str(asked.count or MAX_BATCH),
        )
    else:
        for place, seed in enumerate(asked.seeds):
            yield from seed_issues(seed, ("seeds", str(place)))
    for place, wanted in enumerate(asked.formats):
        form = FORMATS[wanted]
        if asked.wish.kind not in form.kinds or form.alone:
            yield Issue(
                code="FORMAT_UNFIT",
                message=f"No map of this kind can be written as {wanted}.",
                path=["formats", str(place)],
                found=wanted,
                allowed=", ".join(
                    one for one, form in FORMATS.items() if asked.wish.kind in form.kinds and not form.alone
                ),
            )


def _part_of(batch: Batch, number: int) -> BatchPart | None:
    return next((part for part in batch.parts if part.first <= number < part.first + part.count), None)


def _file(content: bytes, number: int, suffix: str) -> bytes | None:
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        for name in source.namelist():
            stem, dot, rest = name.partition(".")
            if stem.startswith(f"{number:05d}-") and dot + rest == suffix:
                return source.read(name)
    return None


def _lines(content: bytes, summaries: Sequence[dict[str, Any]]) -> bytes:
    written = bytearray()
    for summary in summaries:
        file = _file(content, summary["number"], FORMATS[OWN_FORMAT].suffix)
        assert file is not None, "each map of a batch has its own file"
        written += orjson.dumps(summary)[:-1] + b',"map":' + file + b"}\n"
    return bytes(written)
