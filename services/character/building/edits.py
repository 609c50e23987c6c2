"""The steps that every use case which keeps a character is made of, inside its unit of work."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Protocol

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.builds import Built
from services.character.building.events import changed, created, deleted
from services.character.building.models import CharacterRow
from services.character.building.repository import Characters
from services.character.history.lines import MAX_NOTE, Deed, HistoryKind
from services.character.history.models import CharacterVersionRow
from services.character.history.repository import History, SceneChanges
from services.character.packs.repository import forget_versions_of_deleted
from services.character.tables import BAGS, OUTBOX, UPDATES
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.ids import new_id
from services.shared.metadata.bags import Bags
from services.shared.outbox import Event, publish
from services.shared.problems import Forbidden, NotFound, VersionConflict
from services.shared.updates import OWN, Change, PlaceUpdates

KEPT_VERSIONS = 200
"""How many versions of a character are kept; what it was before is forgotten."""


class FromVersion(Protocol):
    """A request to edit a character."""

    @property
    def version(self) -> int:
        """The version that was seen."""


def owned(seen: CharacterRow, viewer: Viewer, path: str = "id") -> CharacterRow:
    """Return a character that the viewer sees, and must own.

    Args:
        seen: the character.
        viewer: who asks.
        path: where the request names it.

    Raises:
        Forbidden: it is somebody else's.
    """
    if seen.owner != viewer.account:
        raise Forbidden.because("Only its player may do this.", path)
    return seen


async def held(session: AsyncSession, seen: CharacterRow, path: str) -> CharacterRow:
    """Read a character that may be edited anew, and hold it until the unit of work ends.

    Raises:
        NotFound: it was deleted meanwhile.
    """
    row = await Characters(session, Access(seen.owner)).to_edit(seen.id)
    if row is None:
        raise NotFound.of("character", path)
    return row


@asynccontextmanager
async def editing(
    database: Database,
    viewer: Viewer,
    asked: FromVersion,
    key: str | None,
    seen: CharacterRow,
    moment: datetime,
    path: str = "characterId",
    *,
    merging: bool = False,
) -> AsyncIterator[tuple[AsyncSession, CharacterRow, bool]]:
    """Hold a character while one request edits it.

    Args:
        database: where characters are kept.
        viewer: who asks.
        asked: the request.
        key: its idempotency key.
        seen: the character, which the viewer may edit so.
        moment: the present moment.
        path: where the request names the character.
        merging: whether the request may come from an older version, and the caller merges it.

    Yields:
        The unit of work, the character, and whether the request was carried out before: then the character is
        the answer as it is.

    Raises:
        NotFound: it was deleted meanwhile.
        VersionConflict: it was changed since the viewer looked.
        IdempotencyConflict: the key was used for another request.
    """
    async with database.write() as session, once(session, viewer, key, asked, moment) as done:
        row = await held(session, seen, path)
        if not done.before and not (merging and asked.version < row.version):
            VersionConflict.check(asked.version, row.version)
        yield session, row, done.before
        done.answer = row.id


async def keep_new(session: AsyncSession, account: str, built: Built, moment: datetime) -> CharacterRow:
    """Keep a new character of an account, and the first line of its history."""
    row = CharacterRow(
        id=new_id("chr"),
        owner=account,
        system=built.system,
        name=built.name,
        choices=built.choices,
        sheet=built.sheet,
        packs=[pack.document() for pack in built.packs],
        created_at=moment,
        updated_at=moment,
    )
    Characters(session, Access(account)).add(row)
    await _tell(session, created, row, moment)
    await PlaceUpdates(session, UPDATES).note([Change(account, row.id, (OWN,))])
    await _write_down(session, row, Deed(HistoryKind.CREATED, account))
    return row


async def keep_anew(
    session: AsyncSession, row: CharacterRow, built: Built, deed: Deed, moment: datetime
) -> CharacterRow:
    """Keep what a character was built anew into, and a line of its history."""
    row.name, row.choices, row.sheet = built.name, built.choices, built.sheet
    row.packs = [pack.document() for pack in built.packs]
    await _keep(session, row, deed, moment)
    return row


async def keep_portrait(
    session: AsyncSession, row: CharacterRow, version: str | None, deed: Deed, moment: datetime
) -> None:
    """Keep which portrait a character has, and a line of its history; None for no portrait any more."""
    row.portrait = version
    await _keep(session, row, deed, moment)


async def bury(session: AsyncSession, row: CharacterRow, moment: datetime) -> None:
    """Leave a tombstone where a character was: its id, owner, game and version; all else of it goes."""
    name = row.name
    row.deleted_at = row.updated_at = moment
    row.name, row.choices, row.sheet, row.packs, row.portrait = "", {}, {}, [], None
    await SceneChanges(session).remove(row.id)
    await Bags(session, BAGS).remove_beside([row.id])
    packs = await History(session).remove(row.id)
    await forget_versions_of_deleted(session, packs)
    await _tell(session, lambda gone: deleted(gone, name), row, moment)
    await PlaceUpdates(session, UPDATES).withdraw([row.id])


async def _keep(session: AsyncSession, row: CharacterRow, deed: Deed, moment: datetime) -> None:
    row.updated_at = moment
    await _tell(session, changed, row, moment)
    await PlaceUpdates(session, UPDATES).changed([row.id])
    await _write_down(session, row, deed)


async def _write_down(session: AsyncSession, row: CharacterRow, deed: Deed) -> None:
    line = CharacterVersionRow(
        character=row.id,
        version=row.version,
        what=deed.what.value,
        note=deed.note[:MAX_NOTE],
        account=deed.account,
        name=row.name,
        choices=row.choices,
        packs=row.packs,
        created_at=row.updated_at,
    )
    await History(session).add(line, kept=KEPT_VERSIONS)


async def _tell(
    session: AsyncSession, event: Callable[[CharacterRow], Event], row: CharacterRow, moment: datetime
) -> None:
    # The row counts its version up when it is sent, and the event names the new one.
    await session.flush()
    await publish(session, OUTBOX, event(row), moment)
