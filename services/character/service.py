"""What can be done with characters. Each use case is one unit of work; it gives a result or a problem."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Literal

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building import Build, Built, build
from services.character.drawing import Drawn, Wish, draw, fresh_seed
from services.character.events import changed, created, deleted
from services.character.models import IDEMPOTENCY, OUTBOX, CharacterRow
from services.character.repository import Characters, living
from services.character.rewards import (
    Proposal,
    RewardLine,
    Verdict,
    claims_approval,
    judged,
    proposed,
    reward_lines,
    reward_offers,
    unapproved,
)
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
    Unavailable,
    VersionConflict,
)
from services.shared.wording import unwritable

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


class Seat(Enum):
    """Where a character sits, as one viewer sees it."""

    NONE = "at no table of the viewer's"
    OWN = "at one that the viewer runs"
    OTHERS = "at one that somebody else runs"
    UNKNOWN = "the campaign service does not answer"


class CharacterService:
    """The use cases of the character service.

    Args:
        database: where characters are kept.
        clock: the present moment.
        access: knows which characters a viewer meets at the tables of their campaigns.
        systems: the games that can be played, by slug.
        draw_seed: draws a seed for those who name none.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        access: AccessSource,
        systems: Mapping[str, AnySystem],
        draw_seed: Callable[[], str] = fresh_seed,
    ) -> None:
        self._database = database
        self._clock = clock
        self._access = access
        self.systems = systems
        self._draw_seed = draw_seed

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

    def card(self, row: CharacterRow) -> Any | None:
        """Give a character's card, in the type of its game; None when it has none, and as for its sheet."""
        system = self.systems.get(row.system)
        if system is None or system.printable is None:
            return None
        sheet = self.sheet(row)
        return None if sheet is None else system.printable.make(sheet, system.content)

    def rewards(self, row: CharacterRow) -> list[RewardLine]:
        """Give a character's rewards, approved and waiting; none as for its sheet."""
        choices = self.choices(row)
        return [] if choices is None else reward_lines(self.systems[row.system], choices)

    def reward_offers(self, row: CharacterRow) -> list[RewardLine]:
        """Give the rewards that could be proposed for a character; none as for its sheet."""
        choices = self.choices(row)
        return [] if choices is None else reward_offers(self.systems[row.system], choices)

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
        built = build(self.systems, wanted)
        request = {} if isinstance(built, InvalidInput) else {"create": built.choices}
        return await self._keep(viewer, built, key, request)

    def draw(self, wish: Wish) -> Drawn | InvalidInput:
        """Draw a character by chance without keeping it."""
        return draw(self.systems, wish, self._draw_seed())

    async def create_random(
        self, viewer: Viewer, wish: Wish, key: str | None
    ) -> CharacterRow | InvalidInput | NotFound | IdempotencyConflict:
        """Draw a character by chance and keep it; the same key gives the same character."""
        drawn = self.draw(wish)
        # A repeated request draws another character, which is forgotten: what was asked for is the same.
        return await self._keep(
            viewer,
            drawn if isinstance(drawn, InvalidInput) else drawn.built,
            key,
            {"random": [wish.system, wish.name, wish.concept, wish.seed]},
        )

    async def _keep(
        self, viewer: Viewer, built: Built | InvalidInput, key: str | None, request: Mapping[str, Any]
    ) -> CharacterRow | InvalidInput | NotFound | IdempotencyConflict:
        issues = list(unwritable(key, ["idempotencyKey"]))
        if issues or isinstance(built, InvalidInput):
            return InvalidInput.of([*issues, *(built.issues if isinstance(built, InvalidInput) else ())])
        moment = self._clock()
        async with self._database.write() as session:
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
    ) -> CharacterRow | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable:
        """Build one's character anew from other choices, from the version that was seen.

        At a table that somebody else runs, a reward that was not approved before stays waiting.
        """
        built = build(self.systems, wanted)
        visible = await self.characters(viewer, [character])
        claims = isinstance(built, Built) and claims_approval(self.systems, wanted)
        seat = await self._seat(viewer, character) if claims and character in visible else Seat.NONE
        async with self._database.write() as session:
            row = await self._to_edit(session, viewer.account, character, version, visible)
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
            if claims and seat in (Seat.OTHERS, Seat.UNKNOWN):
                allowed = unapproved(self.systems, self.choices(row), wanted)
                if allowed != wanted and seat is Seat.UNKNOWN:
                    return Unavailable.of("campaign")
                built = build(self.systems, allowed)
            if isinstance(built, InvalidInput):
                return built
            return await self._rebuild(session, row, built)

    async def propose_reward(
        self, viewer: Viewer, character: str, version: int, proposal: Proposal
    ) -> CharacterRow | InvalidInput | NotFound | Forbidden | VersionConflict:
        """Propose a reward for one's character, from the version that was seen; it waits for approval."""
        visible = await self.characters(viewer, [character])
        async with self._database.write() as session:
            row = await self._to_edit(session, viewer.account, character, version, visible, "characterId")
            if not isinstance(row, CharacterRow):
                return row
            built = proposed(self.systems, row.system, self.choices(row), proposal)
            return built if isinstance(built, InvalidInput) else await self._rebuild(session, row, built)

    async def judge_reward(
        self, viewer: Viewer, character: str, version: int, index: int, verdict: Verdict
    ) -> CharacterRow | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable:
        """Approve or refuse a waiting reward of a character, as a GM of the table where it sits."""
        seat = await self._seat(viewer, character)
        visible = await self.characters(viewer, [character])
        if seat is Seat.UNKNOWN:
            return Unavailable.of("campaign")
        if character not in visible:
            return NotFound.of("character", "characterId")
        if seat is not Seat.OWN:
            return Forbidden.because("Only a GM of the table where it sits may do this.", "characterId")
        async with self._database.write() as session:
            # The GM's right is known; the row is held as its player would hold it.
            owner = visible[character].owner
            row = await self._to_edit(session, owner, character, version, visible, "characterId")
            if not isinstance(row, CharacterRow):
                return row
            built = judged(self.systems, row.system, self.choices(row), index, verdict)
            return built if isinstance(built, InvalidInput) else await self._rebuild(session, row, built)

    async def delete(
        self, viewer: Viewer, character: str, version: int
    ) -> str | NotFound | Forbidden | VersionConflict:
        """Delete one's character, from the version that was seen; a tombstone stays."""
        visible = await self.characters(viewer, [character])
        async with self._database.write() as session:
            row = await self._to_edit(session, viewer.account, character, version, visible)
            if not isinstance(row, CharacterRow):
                return row
            row.deleted_at = row.updated_at = self._clock()
            await _tell(session, deleted, row, row.updated_at)
            return row.id

    async def _to_edit(
        self,
        session: AsyncSession,
        account: str,
        character: str,
        version: int,
        visible: Mapping[str, CharacterRow],
        path: str = "id",
    ) -> CharacterRow | NotFound | Forbidden | VersionConflict:
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

    async def _rebuild(self, session: AsyncSession, row: CharacterRow, built: Built) -> CharacterRow:
        row.name, row.choices, row.sheet = built.name, built.choices, built.sheet
        row.updated_at = self._clock()
        await _tell(session, changed, row, row.updated_at)
        return row

    async def _seat(self, viewer: Viewer, character: str) -> Seat:
        """Ask whose table the character sits at; a "no" is never out of date."""
        if not is_id(character, "chr"):
            return Seat.NONE
        try:
            access = await self._access.of(viewer, character=character)
        except PeerUnavailable as error:
            log.warning("access_unknown", account=viewer.account, reason=str(error))
            return Seat.UNKNOWN
        campaign = access.characters.get(character)
        if campaign is None:
            return Seat.NONE
        return Seat.OWN if access.runs(campaign) else Seat.OTHERS

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
