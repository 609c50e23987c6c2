"""What can be done with characters. Each use case is one unit of work; it gives a result or a problem."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson
import structlog

from services.character.building.builds import Build, Built, build
from services.character.building.drafts import Draft, draft
from services.character.building.edits import bury, hold, keep_anew, keep_new
from services.character.building.models import CharacterRow
from services.character.building.random_characters import Drawn, Wish, draw, fresh_seed
from services.character.building.repository import Characters, living
from services.character.building.sheets import PRINTING, Changes, SheetDocument, Sheets
from services.character.history.lines import Deed, HistoryKind
from services.character.packs import games as tasks
from services.character.packs.editions import Cost, Edition, Editions, refs_of
from services.character.packs.games import Games
from services.character.packs.service import PackService
from services.character.rewards.advancement import RewardLine, claims_approval, unapproved
from services.character.seats import Seat, Seats
from services.character.tables import IDEMPOTENCY
from services.rules.engine.codec import CodecError
from services.rules.engine.system import AnySystem
from services.shared.access import Access, AccessSource
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id
from services.shared.pagination import Page
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Unavailable,
    VersionConflict,
)
from services.shared.reckoning import Reckoner
from services.shared.wording import unwritable

OFFERING = Cost(alone=15.0, per_entry=0.15)
DRAWING = Cost(alone=15.0)

log = structlog.get_logger(__name__)


class CharacterService:
    """The use cases of the character service.

    Args:
        database: where characters are kept.
        clock: the present moment.
        access: knows which characters a viewer meets at the tables of their campaigns.
        systems: the games that can be played, by slug.
        draw_seed: draws a seed for those who name none.
        reckoner: charges for what takes long, and has it done apart.

    Attributes:
        systems: the games as their books have them.
        editions: the same with packs in them.
        packs: the use cases of packs.
        sheets: reads sheets.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        access: AccessSource,
        systems: Mapping[str, AnySystem],
        draw_seed: Callable[[], str] = fresh_seed,
        reckoner: Reckoner[Games] | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._seats = Seats(access)
        self.systems = systems
        self.editions = Editions(database, systems, reckoner)
        self.packs = PackService(database, clock, self._seats, self.editions)
        self.sheets = Sheets(database, self._seats, self.editions)
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
        access = await self._seats.access_to(viewer, others)
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

    def choices(self, row: CharacterRow) -> Any | None:
        """Read what was chosen for a character, in the type of its game; None as for its sheet."""
        system = self.systems.get(row.system)
        if system is None:
            return None
        try:
            return system.choices_codec.load(row.choices)
        except CodecError as error:
            log.error("character_unreadable", character=row.id, part="choices", reason=str(error))
            return None

    async def rewards(self, viewer: Viewer, row: CharacterRow) -> list[RewardLine]:
        """Give a character's rewards, approved and waiting; none as for its card."""
        return await self._lines(viewer, row, PRINTING, tasks.rewards)

    async def reward_offers(self, viewer: Viewer, row: CharacterRow) -> list[RewardLine]:
        """Give the rewards that could be proposed for a character; none as for its card."""
        return await self._lines(viewer, row, OFFERING, tasks.offers)

    async def _lines(
        self,
        viewer: Viewer,
        row: CharacterRow,
        cost: Cost,
        task: Callable[[AnySystem, tasks.Document], list[RewardLine]],
    ) -> list[RewardLine]:
        if self.choices(row) is None:
            return []
        found = await self.editions.ask(viewer, row.system, refs_of(row), cost, task, row.choices)
        return [] if isinstance(found, InvalidInput) else found

    async def sheet_document(
        self, viewer: Viewer, character: str, *, held: str | None = None
    ) -> SheetDocument | None:
        """Give a sheet in its published JSON form; None when the viewer may not see it.

        Args:
            viewer: who asks.
            character: its id.
            held: entity tag of the form that the viewer has; when it is the newest, it is not made again.
        """
        found = await self._seen(viewer, character)
        return None if found is None else await self.sheets.document(viewer, *found, held)

    async def variables(self, viewer: Viewer, character: str) -> dict[str, int] | None:
        """Give the numbers of a sheet that dice notation can name; None when the viewer may not see it."""
        found = await self._seen(viewer, character)
        return None if found is None else await self.sheets.variables(viewer, *found)

    async def _seen(self, viewer: Viewer, character: str) -> tuple[CharacterRow, Changes] | None:
        """A character that the viewer may see, with what running scenes have changed about it."""
        row = (await self.characters(viewer, [character])).get(character)
        if row is None:
            return None
        return row, (await self.sheets.changes(viewer, {row.id: row.owner})).get(row.id, ())

    # Making and editing

    async def create(
        self, viewer: Viewer, wanted: Build, key: str | None
    ) -> CharacterRow | InvalidInput | NotFound | IdempotencyConflict | Unavailable:
        """Build a character; the same key gives the same character."""
        packs = wanted.packs or ()
        edition = await self.packs.chosen(viewer, wanted.system, packs)
        if isinstance(edition, InvalidInput | Unavailable):
            return edition
        built = build(self.systems, wanted) if edition is None else edition.build(wanted.choices)
        if isinstance(built, InvalidInput):
            return await self._keep(viewer, built, key, {})
        return await self._keep(viewer, built, key, _asked("create", built.choices, packs))

    async def draw(self, viewer: Viewer, wish: Wish) -> Drawn | InvalidInput | Unavailable:
        """Draw a character by chance without keeping it."""
        edition = await self.packs.chosen(viewer, wish.system, wish.packs)
        if isinstance(edition, InvalidInput | Unavailable):
            return edition
        await self.editions.reckoner.charge(viewer, DRAWING.of(0))
        if edition is None:
            return draw(self.systems, wish, self._draw_seed())
        drawn = draw({**self.systems, **edition.alone}, wish, self._draw_seed())
        return replace(drawn, built=edition.mark(drawn.built)) if isinstance(drawn, Drawn) else drawn

    async def draft(
        self, viewer: Viewer, wanted: Build, step: str | None
    ) -> Draft | InvalidInput | Unavailable:
        """Look at choices that are not finished; nothing is kept."""
        system = self.systems.get(wanted.system)
        if system is None:
            return draft(self.systems, wanted, step)
        document = system.choices_codec.dump(wanted.choices)
        cost = drafting(document)
        packs = wanted.packs or ()
        return await self.packs.asked(viewer, wanted.system, packs, cost, tasks.drafted, document, step)

    async def create_random(
        self, viewer: Viewer, wish: Wish, key: str | None
    ) -> CharacterRow | InvalidInput | NotFound | IdempotencyConflict | Unavailable:
        """Draw a character by chance and keep it; the same key gives the same character."""
        drawn = await self.draw(viewer, wish)
        if isinstance(drawn, Unavailable):
            return drawn
        # A repeated request draws another character, which is forgotten: what was asked for is the same.
        request = _asked("random", [wish.system, wish.name, wish.concept, wish.seed], wish.packs)
        return await self._keep(
            viewer, drawn if isinstance(drawn, InvalidInput) else drawn.built, key, request
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
            row = await keep_new(session, viewer.account, built, moment)
            await remember(session, IDEMPOTENCY, viewer.account, key, row.id)
            return row

    async def update(
        self, viewer: Viewer, character: str, version: int, wanted: Build
    ) -> CharacterRow | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable:
        """Build one's character anew from other choices, from the version that was seen.

        At a table that somebody else runs, a reward that was not approved before stays waiting.
        """
        visible = await self.characters(viewer, [character])
        seen = visible.get(character)
        edition: Edition | InvalidInput | Unavailable | None
        if wanted.packs is None and seen is not None and seen.system == wanted.system:
            edition = await self.packs.kept(viewer, seen)
        else:
            edition = await self.packs.chosen(viewer, wanted.system, wanted.packs or ())
        if isinstance(edition, Unavailable):
            return edition
        built: Built | InvalidInput
        if isinstance(edition, InvalidInput):
            built = edition
        else:
            built = build(self.systems, wanted) if edition is None else edition.build(wanted.choices)
        claims = isinstance(built, Built) and claims_approval(self.systems, wanted)
        seat = await self._seats.seat(viewer, character) if claims and character in visible else Seat.NONE
        async with self._database.write() as session:
            row = await hold(session, viewer.account, character, version, visible)
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
            if claims and isinstance(edition, Edition) and seat in (Seat.OTHERS, Seat.UNKNOWN):
                allowed = unapproved(self.systems, self.choices(row), wanted)
                if allowed != wanted and seat is Seat.UNKNOWN:
                    return Unavailable.of("campaign")
                built = edition.build(allowed.choices)
            if isinstance(built, InvalidInput):
                return built
            deed = Deed(HistoryKind.EDITED, viewer.account)
            return await keep_anew(session, row, built, deed, self._clock())

    async def delete(
        self, viewer: Viewer, character: str, version: int
    ) -> str | NotFound | Forbidden | VersionConflict:
        """Delete one's character, from the version that was seen; a tombstone stays."""
        visible = await self.characters(viewer, [character])
        async with self._database.write() as session:
            row = await hold(session, viewer.account, character, version, visible)
            if not isinstance(row, CharacterRow):
                return row
            await bury(session, row, self._clock())
            return row.id


def _asked(what: str, request: Any, packs: Sequence[str]) -> dict[str, Any]:
    """Give what an idempotency key stands for."""
    return {what: request, "packs": list(packs)} if packs else {what: request}


def drafting(document: Mapping[str, Any]) -> Cost:
    """Estimate a draft: each of its choices stands in a step, and all that could be chosen is told."""
    try:
        kilobytes = len(orjson.dumps(document)) / 1024
    except orjson.JSONEncodeError:
        kilobytes = 1.0  # Half a surrogate pair; it goes no further than that.
    return Cost(alone=14.0 + kilobytes * 1.2, per_entry=0.05)
