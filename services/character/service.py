"""What can be done with characters. Each use case is one unit of work; it gives a result or a problem."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building import Build, build, unwritable
from services.character.events import changed, created, deleted
from services.character.models import IDEMPOTENCY, OUTBOX, CharacterRow
from services.character.repository import Characters, living
from services.rules.engine.codec import CodecError
from services.rules.engine.sheet import SheetBase, variables
from services.rules.engine.system import AnySystem
from services.shared.access import Access, AccessSource
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id, new_id
from services.shared.outbox import Event, publish
from services.shared.pagination import Page
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    VersionConflict,
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SheetDocument:
    """A sheet in its published JSON form.

    Attributes:
        document: type, version and data, as the system's codec writes them; none where the viewer has it.
        etag: strong entity tag; another one for each edit and for each version of the form.
    """

    document: Mapping[str, Any] | None
    etag: str


class CharacterService:
    """The use cases of the character service.

    Args:
        database: where characters are kept.
        clock: the present moment.
        access: knows which characters a viewer meets at the tables of their campaigns.
        systems: the games that can be played, by slug.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        access: AccessSource,
        systems: Mapping[str, AnySystem],
    ) -> None:
        self._database = database
        self._clock = clock
        self._access = access
        self.systems = systems

    # Reading

    async def characters(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, CharacterRow]:
        """Read those of the characters that the viewer may see."""
        wanted = list(dict.fromkeys(character for character in ids if is_id(character, "chr")))
        if viewer.anonymous or not wanted:
            return {}
        async with self._database.read() as session:
            found = await Characters(session, Access(viewer.account)).by_id(wanted)
        # The campaign service need not be asked about one's own.
        others = [character for character in wanted if character not in found]
        if not others:
            return found
        access = await self._access_to(viewer, others)
        if access.characters:
            async with self._database.read() as session:
                found |= await Characters(session, access).by_id(others)
        return found

    async def page(self, viewer: Viewer, *, first: int, after: str | None) -> Page[CharacterRow]:
        """Read a page of the viewer's own characters, newest first."""
        async with self._database.read() as session:
            return await Characters(session, Access(viewer.account)).own_page(first=first, after=after)

    async def existing(self, character: str) -> CharacterRow | None:
        """Read a character on behalf of another service, whoever may see it."""
        if not is_id(character, "chr"):
            return None
        async with self._database.read() as session:
            return await living(session, character)

    def sheet(self, row: CharacterRow) -> SheetBase | None:
        """Read a character's sheet; None when its game, or its newer form, is not known here."""
        sheet: SheetBase | None = self._read(row, "sheet")
        return sheet

    def choices(self, row: CharacterRow) -> Any | None:
        """Read what was chosen for a character, in the type of its game; None as for its sheet."""
        return self._read(row, "choices")

    async def sheet_document(
        self, viewer: Viewer, character: str, *, held: str | None = None
    ) -> SheetDocument | None:
        """Give a sheet in its published JSON form; None when the viewer may not see it.

        Args:
            viewer: who asks.
            character: its id.
            held: entity tag of the form that the viewer has; when it is the newest, it is not made again.
        """
        row = (await self.characters(viewer, [character])).get(character)
        system = None if row is None else self.systems.get(row.system)
        if row is None or system is None:
            return None
        codec = system.sheet_codec
        etag = f'"{row.id}-{row.version}-{codec.version}"'
        if held == etag:
            return SheetDocument(None, etag)
        if row.sheet.get("version") == codec.version:
            return SheetDocument(row.sheet, etag)
        sheet = self.sheet(row)
        return None if sheet is None else SheetDocument(codec.dump(sheet), etag)

    async def variables(self, viewer: Viewer, character: str) -> dict[str, int] | None:
        """Give the numbers of a sheet that dice notation can name; None when the viewer may not see it."""
        row = (await self.characters(viewer, [character])).get(character)
        sheet = None if row is None else self.sheet(row)
        return None if sheet is None else variables(sheet)

    def _read(self, row: CharacterRow, part: Literal["sheet", "choices"]) -> Any | None:
        system = self.systems.get(row.system)
        if system is None:
            return None
        try:
            return (
                system.sheet_codec.load(row.sheet)
                if part == "sheet"
                else system.choices_codec.load(row.choices)
            )
        except CodecError as error:
            log.error("character_unreadable", character=row.id, part=part, reason=str(error))
            return None

    # Making and editing

    async def create(
        self, viewer: Viewer, wanted: Build, key: str | None
    ) -> CharacterRow | InvalidInput | NotFound | IdempotencyConflict:
        """Build a character; the same key gives the same character."""
        issues = list(unwritable(key, ["idempotencyKey"]))
        built = build(self.systems, wanted)
        if issues or isinstance(built, InvalidInput):
            return InvalidInput.of([*issues, *(built.issues if isinstance(built, InvalidInput) else ())])
        moment = self._clock()
        async with self._database.write() as session:
            request = {"create": built.choices}
            claimed = await claim(session, IDEMPOTENCY, viewer.account, key, request, moment)
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            characters = Characters(session, Access(viewer.account))
            if isinstance(claimed, Replay):
                made = (await characters.by_id([claimed.answer])).get(claimed.answer)
                return NotFound.of("character", "idempotencyKey") if made is None else made
            row = CharacterRow(
                id=new_id("chr"),
                owner=viewer.account,
                system=built.system.slug,
                name=built.name,
                choices=built.choices,
                sheet=built.sheet,
                created_at=moment,
                updated_at=moment,
            )
            characters.add(row)
            await _tell(session, created, row, moment)
            await remember(session, IDEMPOTENCY, viewer.account, key, row.id)
            return row

    async def update(
        self, viewer: Viewer, character: str, version: int, wanted: Build
    ) -> CharacterRow | InvalidInput | NotFound | Forbidden | VersionConflict:
        """Build one's character anew from other choices, from the version that was seen."""
        built = build(self.systems, wanted)
        visible = await self.characters(viewer, [character])
        async with self._database.write() as session:
            row = await self._to_edit(session, viewer, character, version, visible)
            if not isinstance(row, CharacterRow):
                return row
            if row.system != wanted.system:
                return InvalidInput.single(
                    "SYSTEM_FIXED",
                    "A character stays in its game; create another one.",
                    "build",
                    found=wanted.system,
                    allowed=row.system,
                )
            if isinstance(built, InvalidInput):
                return built
            row.name, row.choices, row.sheet = built.name, built.choices, built.sheet
            row.updated_at = self._clock()
            await _tell(session, changed, row, row.updated_at)
            return row

    async def delete(
        self, viewer: Viewer, character: str, version: int
    ) -> str | NotFound | Forbidden | VersionConflict:
        """Delete one's character, from the version that was seen; a tombstone stays."""
        visible = await self.characters(viewer, [character])
        async with self._database.write() as session:
            row = await self._to_edit(session, viewer, character, version, visible)
            if not isinstance(row, CharacterRow):
                return row
            row.deleted_at = row.updated_at = self._clock()
            await _tell(session, deleted, row, row.updated_at)
            return row.id

    async def _to_edit(
        self,
        session: AsyncSession,
        viewer: Viewer,
        character: str,
        version: int,
        visible: Mapping[str, CharacterRow],
    ) -> CharacterRow | NotFound | Forbidden | VersionConflict:
        if character not in visible:
            return NotFound.of("character", "id")
        row = await Characters(session, Access(viewer.account)).to_edit(character)
        if row is None:
            return (
                NotFound.of("character", "id")
                if visible[character].owner == viewer.account
                else Forbidden.because("Only its player may do this.", "id")
            )
        if row.version != version:
            return VersionConflict.between(version, row.version, "version")
        return row

    async def _access_to(self, viewer: Viewer, characters: Sequence[str]) -> Access:
        """Give the viewer's access, at most a second old, fresh where it lacks one of the characters."""
        try:
            access = await self._access.of(viewer, character=characters[0])
            missed = next((one for one in characters[1:] if one not in access.characters), None)
            return access if missed is None else await self._access.of(viewer, character=missed)
        except PeerUnavailable as error:
            log.warning("access_unknown", account=viewer.account, reason=str(error))
            return Access(viewer.account)


async def _tell(
    session: AsyncSession, event: Callable[[CharacterRow], Event], row: CharacterRow, moment: datetime
) -> None:
    # The row counts its version up when it is sent, and the event names the new one.
    await session.flush()
    await publish(session, OUTBOX, event(row), moment)
