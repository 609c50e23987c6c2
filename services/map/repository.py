"""All SQL of the map service. What a viewer may not see is not read: every query that answers a viewer is cut
to the maps and jobs of the campaigns they are members of, and to their own that belong to no campaign."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import ColumnElement, insert, or_, tuple_
from sqlalchemy import select as select_columns
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.events import job_changed
from services.map.models import (
    BAGS,
    JOB_CHANGES,
    JOBS,
    OUTBOX,
    SHARES,
    BatchPart,
    MapEdit,
    MapFile,
    MapRow,
    MapUsage,
    SceneBoard,
)
from services.map.play.state import FogMode
from services.map.updates import note_listed
from services.shared.access import Access, Role
from services.shared.database import insert_once
from services.shared.job_parts import PartBook
from services.shared.job_turns import JobTurns
from services.shared.jobs import Job, JobBook, JobState, job_of
from services.shared.metadata.bags import Bags
from services.shared.outbox import Event, publish, publish_all
from services.shared.pagination import Page, read_page

BOOK = JobBook(JOBS)
PARTS = PartBook(JOBS)
TURNS = JobTurns(JOBS, SHARES)


def visible_to(access: Access, owner: Any, campaign: Any) -> ColumnElement[bool]:
    """Give the condition that cuts rows with these two columns to those the viewer may see."""
    return or_(campaign.in_(list(access.roles)), (owner == access.account) & campaign.is_(None))


class Maps:
    """The maps of one database as one viewer sees them, inside a caller's session.

    Args:
        session: a reading session.
        access: the viewer's.
    """

    def __init__(self, session: AsyncSession, access: Access) -> None:
        self._session = session
        self._access = access
        # What is hidden from players is not read for them at all.
        mine = or_(
            col(MapRow.sharing) != FogMode.HIDDEN,
            col(MapRow.owner) == access.account,
            col(MapRow.campaign).in_([key for key, role in access.roles.items() if role is Role.GM]),
        )
        self._visible = visible_to(access, col(MapRow.owner), col(MapRow.campaign)) & mine

    async def by_id(self, ids: Sequence[str]) -> dict[str, MapRow]:
        """Read maps by id."""
        query = select(MapRow).where(col(MapRow.id).in_(ids), self._visible)
        return {row.id: row for row in (await self._session.exec(query)).all()}

    async def one(self, map_id: str) -> MapRow | None:
        """Read a map.

        Raises:
            Unavailable: there is none of the viewer's own, and nobody knows what else they may see.
        """
        return self._access.found((await self.by_id([map_id])).get(map_id))

    async def held(self, map_id: str) -> MapRow | None:
        """Read a map to change it, and keep others from doing so until the unit of work ends."""
        query = select(MapRow).where(MapRow.id == map_id, self._visible).with_for_update()
        return (await self._session.exec(query)).first()

    async def page(self, campaign: str | None, *, first: int, after: str | None) -> Page[MapRow]:
        """Read a page of the maps of a campaign, or of the viewer's own outside any, newest first."""
        query = select(MapRow).where(self._visible)
        query = query.where(
            col(MapRow.campaign).is_(None) if campaign is None else col(MapRow.campaign) == campaign
        )
        return await read_page(self._session, query, MapRow.id, first=first, after=after)

    async def files(self, ids: Sequence[str]) -> list[MapFile]:
        """Read the files of maps, by name."""
        query = (
            select(MapFile)
            .join(MapRow, col(MapRow.id) == col(MapFile.map))
            .where(col(MapFile.map).in_(ids), self._visible)
            .order_by(col(MapFile.name))
        )
        return list((await self._session.exec(query)).all())

    async def file(self, map_id: str, name: str) -> MapFile | None:
        """Read one file of a map."""
        query = (
            select(MapFile)
            .join(MapRow, col(MapRow.id) == col(MapFile.map))
            .where(MapFile.map == map_id, MapFile.name == name, self._visible)
        )
        return (await self._session.exec(query)).first()

    async def job(self, job_id: str) -> Job | None:
        """Read a job.

        Raises:
            Unavailable: there is none of the viewer's own, and nobody knows what else they may see.
        """
        visible = visible_to(self._access, JOBS.c.owner, JOBS.c.campaign)
        query = select_columns(JOBS.c.id).where(JOBS.c.id == job_id, visible)
        found = self._access.found((await self._session.execute(query)).first())
        return None if found is None else await BOOK.get(self._session, job_id)

    async def jobs(self, *, first: int, after: str | None) -> Page[Job]:
        """Read a page of the jobs that the viewer asked for, newest first; a batch without its parts."""
        query = select_columns(JOBS).where(JOBS.c.owner == self._access.account, JOBS.c.whole.is_(None))
        if after is not None:
            query = query.where(JOBS.c.id < after)
        rows = (await self._session.execute(query.order_by(JOBS.c.id.desc()).limit(first + 1))).all()
        return Page([job_of(row) for row in rows[:first]], len(rows) > first, after is not None)

    async def parts(self, batch: Job) -> list[BatchPart]:
        """Read what the parts of a visible batch have made so far, in the order of their maps."""
        query = select(BatchPart).where(BatchPart.batch == batch.id).order_by(col(BatchPart.first))
        return list((await self._session.exec(query)).all())

    async def changes(self, job: Job, after: int, *, limit: int) -> list[Job]:
        """Read the versions of a visible job behind number ``after``, in order."""
        query = (
            select_columns(JOB_CHANGES.c.version, JOB_CHANGES.c.snapshot)
            .where(JOB_CHANGES.c.job == job.id, JOB_CHANGES.c.version > after)
            .order_by(JOB_CHANGES.c.version)
            .limit(limit)
        )
        rows = await self._session.execute(query)
        return [_version(job, row.version, orjson.loads(row.snapshot)) for row in rows]


async def places_of_maps(
    session: AsyncSession, maps: Collection[str]
) -> Mapping[str, tuple[str, str | None]]:
    """Read owner and campaign of maps, by id, to ask whether somebody is at their tables."""
    query = select(MapRow.id, MapRow.owner, MapRow.campaign).where(col(MapRow.id).in_(maps))
    return {one: (owner, campaign) for one, owner, campaign in (await session.exec(query)).all()}


async def place_of_job(session: AsyncSession, job: str) -> Mapping[str, tuple[str, str | None]]:
    """Read owner and campaign of a job likewise."""
    query = select_columns(JOBS.c.id, JOBS.c.owner, JOBS.c.campaign).where(JOBS.c.id == job)
    rows = await session.execute(query)
    return {row.id: (row.owner, row.campaign) for row in rows}


class Edits:
    """What was done to maps, for who may see all of it.

    Args:
        session: any.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def standing(self, map_id: str, number: int | None) -> MapEdit | None:
        """Read an edit that was not taken back, and takes none back; the last one when none is named."""
        query = select(MapEdit).where(
            MapEdit.map == map_id, col(MapEdit.undone).is_(False), col(MapEdit.undoes).is_(None)
        )
        if number is not None:
            query = query.where(MapEdit.version == number)
        return (await self._session.exec(query.order_by(col(MapEdit.version).desc()).limit(1))).first()

    async def growth_after(self, map_id: str, number: int) -> MapEdit | None:
        """Read the first later edit by which the map itself has grown, and that stands."""
        query = select(MapEdit).where(
            MapEdit.map == map_id,
            MapEdit.version > number,
            col(MapEdit.undone).is_(False),
            col(MapEdit.undoes).is_(None),
            col(MapEdit.model_before).is_not(None),
        )
        return (await self._session.exec(query.order_by(col(MapEdit.version)).limit(1))).first()

    async def made_at(self, versions: Collection[tuple[str, int]]) -> dict[tuple[str, int], datetime]:
        """Read when edits were made, by map and version."""
        query = select(MapEdit.map, MapEdit.version, MapEdit.made_at).where(
            tuple_(col(MapEdit.map), col(MapEdit.version)).in_(versions)
        )
        return {(one, version): made_at for one, version, made_at in (await self._session.exec(query)).all()}

    async def since(self, map_id: str, number: int, moment: datetime) -> list[MapEdit]:
        """Read the edits from a moment on, up to one by its number, newest first."""
        query = select(MapEdit).where(
            MapEdit.map == map_id, MapEdit.version <= number, MapEdit.made_at >= moment
        )
        return list((await self._session.exec(query.order_by(col(MapEdit.version).desc()))).all())

    async def page(self, map_id: str, *, first: int, after: int | None) -> Page[MapEdit]:
        """Read a page of what was done to a map, newest first."""
        query = select(MapEdit).where(MapEdit.map == map_id)
        if after is not None:
            query = query.where(MapEdit.version < after)
        query = query.order_by(col(MapEdit.version).desc()).limit(first + 1)
        rows = (await self._session.exec(query)).all()
        return Page(rows[:first], has_next=len(rows) > first, has_previous=after is not None)


class Boards:
    """Maps as the scenes that lead them know them; nobody asks, so nothing is cut to what somebody may see.

    Args:
        session: a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def held(self, map_id: str) -> MapRow | None:
        """Read a map to change it, and keep others from doing so until the unit of work ends."""
        query = select(MapRow).where(MapRow.id == map_id).with_for_update()
        return (await self._session.exec(query)).first()

    async def news(self, scene: str, map_id: str, number: int) -> bool:
        """Note what number a scene tells of its map; give whether it had told no later one, nor this one."""
        told = await self._session.get(SceneBoard, scene)
        if told is None:
            self._session.add(SceneBoard(scene=scene, map=map_id, number=number))
            return True
        if number <= told.number:
            return False
        told.map, told.number = map_id, number
        return True


class Usages:
    """What accounts keep here.

    Args:
        session: a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def held(self, owner: str) -> MapUsage:
        """Reads what an account keeps, and holds off its other units of work until this one ends."""
        await self._session.execute(insert_once(self._session, MapUsage, owner=owner, maps=0, bytes=0))
        query = (
            select(MapUsage)
            .where(MapUsage.owner == owner)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
        return (await self._session.exec(query)).one()

    async def add(self, owner: str, *, maps: int = 0, size: int = 0) -> MapUsage:
        """Counts what was stored for an account, in bytes, or removed; returns all that it keeps now."""
        usage = await self.held(owner)
        usage.maps += maps
        usage.bytes += size
        return usage


class Records:
    """What is written: maps, files, and each version of each job with the event that tells of it.

    Args:
        session: a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def note(self, job: Job, moment: datetime) -> Job:
        """Note the new version of a job and publish it, in the unit of work that made it."""
        await self.note_all([job], moment)
        return job

    async def note_all(self, jobs: Sequence[Job], moment: datetime) -> None:
        """Note the new versions of jobs, one of each, and publish them, in two statements however many."""
        if not jobs:
            return
        rows = [{"job": job.id, "version": job.version, "snapshot": _snapshot(job)} for job in jobs]
        await self.session.execute(insert(JOB_CHANGES), rows)
        await publish_all(self.session, OUTBOX, [job_changed(job) for job in jobs], moment)

    async def add_map(
        self, row: MapRow, files: Sequence[MapFile], fact: Event | None, moment: datetime
    ) -> None:
        """Add a finished map with its files, and publish it if anybody is to know of it."""
        self.session.add(row)
        await self.session.flush()
        self.session.add_all(files)
        await note_listed(self.session, [row])
        if fact is not None:
            await publish(self.session, OUTBOX, fact, moment)

    async def present(self, maps: Collection[str]) -> set[str]:
        """Reads which of some maps there are, by id."""
        return set((await self.session.exec(select(MapRow.id).where(col(MapRow.id).in_(maps)))).all())

    async def files_of_maps(self, maps: Collection[str]) -> set[str]:
        """Reads the keys of the stored files that maps name: their pictures', and those made with them."""
        picture = select(col(MapRow.image)).where(col(MapRow.id).in_(maps), col(MapRow.image).is_not(None))
        files = select(col(MapFile.key)).where(col(MapFile.map).in_(maps))
        found = [*(await self.session.exec(picture)).all(), *(await self.session.exec(files)).all()]
        return {key for key in found if key is not None}

    async def files_of_parts(self, jobs: Collection[str]) -> set[str]:
        """Reads the keys of the stored files that parts of batches name, by the ids of their jobs."""
        return set((await self.session.exec(select(BatchPart.key).where(col(BatchPart.job).in_(jobs)))).all())

    async def add_edit(self, edit: MapEdit, gone: Collection[str], fact: Event, moment: datetime) -> None:
        """Add an edit of a map that is held, and publish it; the metadata of tokens that are gone go too."""
        if gone:
            await Bags(self.session, BAGS).remove_parts(edit.map, gone)
        self.session.add(edit)
        await self.session.flush()
        await publish(self.session, OUTBOX, fact, moment)

    async def tell(self, fact: Event, moment: datetime) -> None:
        """Publish a fact."""
        await publish(self.session, OUTBOX, fact, moment)

    def add_part(self, row: BatchPart) -> None:
        """Add what a part of a batch has made."""
        self.session.add(row)


def _snapshot(job: Job) -> str:
    return orjson.dumps(
        {
            "state": job.state,
            "progress": job.progress,
            "attempt": job.attempt,
            "result": job.result,
            "error": job.error,
            "ended_at": job.ended_at,
        }
    ).decode()


def _version(job: Job, version: int, snapshot: dict[str, Any]) -> Job:
    ended = snapshot["ended_at"]
    return replace(
        job,
        version=version,
        state=JobState(snapshot["state"]),
        progress=snapshot["progress"],
        attempt=snapshot["attempt"],
        result=snapshot["result"],
        error=snapshot["error"],
        ended_at=datetime.fromisoformat(ended) if ended else None,
    )
