"""The steps that every use case which keeps a character is made of, inside its unit of work."""

from collections.abc import Callable, Mapping
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.builds import Built
from services.character.building.events import changed, created, deleted
from services.character.building.models import CharacterRow
from services.character.building.repository import Characters
from services.character.history.lines import MAX_NOTE, Deed, HistoryKind
from services.character.history.models import CharacterVersionRow
from services.character.history.repository import History
from services.character.tables import OUTBOX
from services.shared.access import Access
from services.shared.ids import new_id
from services.shared.outbox import Event, publish
from services.shared.problems import Forbidden, NotFound, VersionConflict

KEPT_VERSIONS = 200
"""How many versions of a character are kept; what it was before is forgotten."""


async def hold(
    session: AsyncSession,
    account: str,
    character: str,
    version: int,
    visible: Mapping[str, CharacterRow],
    path: str = "id",
) -> CharacterRow | NotFound | Forbidden | VersionConflict:
    """Give a character of an account, held until the unit of work ends; or why it cannot be edited.

    Args:
        session: the unit of work.
        account: whose it must be.
        character: its id.
        version: the version that was seen.
        visible: what the viewer sees, by id.
        path: where the request names the character.
    """
    if character not in visible:
        return NotFound.of("character", path)
    row = await Characters(session, Access(account)).to_edit(character)
    if row is None:
        return (
            NotFound.of("character", path)
            if visible[character].owner == account
            else Forbidden.because("Only its player may do this.", path)
        )
    if row.version != version:
        return VersionConflict.between(version, row.version, "version")
    return row


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
    await _write_down(session, row, Deed(HistoryKind.CREATED, account))
    return row


async def keep_anew(
    session: AsyncSession, row: CharacterRow, built: Built, deed: Deed, moment: datetime
) -> CharacterRow:
    """Keep what a character was built anew into, and a line of its history."""
    row.name, row.choices, row.sheet = built.name, built.choices, built.sheet
    row.packs = [pack.document() for pack in built.packs]
    row.updated_at = moment
    await _tell(session, changed, row, moment)
    await _write_down(session, row, deed)
    return row


async def bury(session: AsyncSession, row: CharacterRow, moment: datetime) -> None:
    """Leave a tombstone where a character was."""
    row.deleted_at = row.updated_at = moment
    await _tell(session, deleted, row, moment)


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
