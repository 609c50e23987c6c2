"""What can be done with characters. Each use case is one unit of work; a problem that it raises undoes it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import orjson
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building import tasks
from services.character.building.builds import Build, Built, unknown_system
from services.character.building.choices_merge import ChoicesMerge, merged_packs, pack_ids
from services.character.building.drafts import Draft, draft
from services.character.building.edits import bury, editing, held, keep_anew, keep_new, owned
from services.character.building.models import CharacterRow
from services.character.building.random_characters import Drawn, draw, fresh_seed
from services.character.building.repository import CharacterHead, Characters, living
from services.character.building.requests import (
    CreateCharacter,
    CreateRandomCharacter,
    DeleteCharacter,
    UpdateCharacter,
)
from services.character.history.lines import Deed, HistoryKind
from services.character.history.repository import History
from services.character.packs.editions import Cost, Edition, Editions
from services.character.packs.service import PackService
from services.character.rewards.advancement import claims_approval
from services.character.rewards.approval import Approval
from services.character.tables import UPDATES
from services.rules.engine.codec import CodecError
from services.rules.engine.system import AnySystem
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import is_id
from services.shared.pagination import Page
from services.shared.policy import Policy
from services.shared.problems import InvalidInput, NotFound, Unavailable, VersionConflict
from services.shared.quotas import CHARACTER_DEFAULTS, CharacterQuotas
from services.shared.updates import PlaceUpdates, Since, Told, audiences_of

DRAWING = Cost(alone=15.0)
T = TypeVar("T")

log = structlog.get_logger(__name__)


class CharacterService:
    """The use cases of characters.

    Args:
        database: where characters are kept.
        clock: the present moment.
        policy: knows which characters a viewer meets at the tables of their campaigns.
        editions: the games, alone and with packs in them.
        packs: knows the packs that characters are built under.
        draw_seed: draws a seed for those who name none.
        quotas: what accounts may have.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        editions: Editions,
        packs: PackService,
        draw_seed: Callable[[], str] = fresh_seed,
        quotas: CharacterQuotas = CHARACTER_DEFAULTS,
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._editions = editions
        self._packs = packs
        self._draw_seed = draw_seed
        self._quotas = quotas

    @property
    def systems(self) -> Mapping[str, AnySystem]:
        """The games as their books have them, by slug."""
        return self._editions.systems

    # Reading

    async def characters(
        self, viewer: Viewer, ids: Sequence[str]
    ) -> Mapping[str, CharacterRow | Unavailable]:
        """Read those of the characters that the viewer may see; why nobody knows, in the place of one that
        they may or may not.
        """
        return await self._seen_each(viewer, ids, Characters.by_id)

    async def head(self, viewer: Viewer, character: str) -> CharacterHead | None:
        """Read which version of a character there is; None when the viewer may not see it.

        Raises:
            Unavailable: it is not theirs, and nobody knows whether they may see it.
        """
        found = (await self._seen_each(viewer, [character], Characters.heads)).get(character)
        if isinstance(found, Unavailable):
            raise found
        return found

    async def _seen_each(
        self,
        viewer: Viewer,
        ids: Sequence[str],
        read: Callable[[Characters, list[str]], Awaitable[dict[str, T]]],
    ) -> Mapping[str, T | Unavailable]:
        wanted = list(dict.fromkeys(character for character in ids if is_id(character, "chr")))
        if viewer.anonymous or not wanted:
            return {}
        async with self._database.read() as session:
            found = await read(Characters(session, Access(viewer.account)), wanted)
        # The campaign service need not be asked about one's own.
        others = [character for character in wanted if character not in found]
        if not others:
            return found
        access = await self._policy.own_at_least(viewer, characters=others)
        if access.characters:
            async with self._database.read() as session:
                found |= await read(Characters(session, access), others)
        return access.found_each(wanted, found)

    async def character(self, viewer: Viewer, character: str) -> CharacterRow | None:
        """Read a character; None when the viewer may not see it.

        Raises:
            Unavailable: it is not theirs, and nobody knows whether they may see it.
        """
        row = (await self.characters(viewer, [character])).get(character)
        if isinstance(row, Unavailable):
            raise row
        return row

    async def seen(self, viewer: Viewer, character: str, path: str = "characterId") -> CharacterRow:
        """Read a character that the viewer must see.

        Args:
            viewer: who asks.
            character: its id.
            path: where the request names it.

        Raises:
            NotFound: there is none, or not for the viewer.
            Unavailable: it is not theirs, and nobody knows whether they may see it.
        """
        row = await self.character(viewer, character)
        if row is None:
            raise NotFound.of("character", path)
        return row

    async def page(self, viewer: Viewer, *, first: int, after: str | None) -> Page[CharacterRow]:
        """Read a page of the viewer's own characters, newest first."""
        async with self._database.read() as session:
            return await Characters(session, Access(viewer.account)).own_page(first=first, after=after)

    async def party(
        self, viewer: Viewer, campaign: str, *, first: int, after: str | None
    ) -> Page[CharacterRow] | None:
        """Read a page of the characters at a campaign's table, newest first; None for who is no member.

        Raises:
            Unavailable: the campaign service is silent.
        """
        if not is_id(campaign, "cmp"):
            return None
        access = await self._policy.access(viewer, campaigns=[campaign])
        if campaign not in access.roles:
            return None
        seated = [one for one, table in access.characters.items() if table == campaign]
        async with self._database.read() as session:
            return await Characters(session, access).page(seated, first=first, after=after)

    async def updates(
        self, viewer: Viewer, campaign: str | None, cursor: str | None, *, first: int
    ) -> Told[CharacterRow] | None:
        """Read what has changed among the viewer's own characters, or those at the table of a campaign.

        Args:
            viewer: who asks.
            campaign: id of the campaign; None for their own characters, wherever these sit.
            cursor: how far they have read; None from the beginning.
            first: how many changes at most.

        Returns:
            The changes; None for who is no member of the campaign.

        Raises:
            PublicError: ``BAD_CURSOR``.
            Unavailable: the campaign service is silent.
        """
        seat = await self._policy.seat_to_read(viewer, campaign)
        if seat is None or seat.past:
            return None
        since = None if cursor is None else Since.of(cursor, seat.place)
        async with self._database.read() as session:
            page = await PlaceUpdates(session, UPDATES).page(
                seat.place, audiences_of(seat), since, first=first
            )
        there = [line.thing for line in page.lines if not line.gone]
        # Only now, so that who has just sat down is seen; one's own need no campaign.
        access = Access(viewer.account)
        if campaign is not None:
            access = await self._policy.access(viewer, campaigns=[campaign], characters=there)
        async with self._database.read() as session:
            found = await Characters(session, access).by_id(there)
            return Told(page, found, await PlaceUpdates(session, UPDATES).moved(page))

    async def campaigns(self, viewer: Viewer, characters: Sequence[str]) -> Mapping[str, str]:
        """Return at whose table characters sit that the viewer sees, by id, as far as it can be read now."""
        return (await self._policy.own_at_least(viewer, characters=characters)).characters

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

    # Looking ahead

    async def draw(self, viewer: Viewer, wish: CreateRandomCharacter) -> Drawn:
        """Draw a character by chance without keeping it.

        Raises:
            InvalidInput: the game draws none, or the wish breaks rules.
            Unavailable: nobody knows whether the viewer may see one of the packs.
        """
        check(wish)
        if wish.system not in self.systems:
            raise unknown_system(self.systems, wish.system, "system")
        edition = await self._packs.edition(viewer, wish.system, wish.packs)
        await self._editions.reckoner.charge(viewer, DRAWING.of(0))
        drawn = draw({**self.systems, **edition.alone}, wish, self._draw_seed())
        return replace(drawn, built=edition.mark(drawn.built))

    async def draft(
        self, viewer: Viewer, wanted: Build, packs: Sequence[str] = (), step: str | None = None
    ) -> Draft:
        """Look at choices that are not finished; nothing is kept.

        Raises:
            InvalidInput: the choices cannot be read, or there is no such step.
            Unavailable: nobody knows whether the viewer may see one of the packs.
        """
        system = self.systems.get(wanted.system)
        if system is None:
            return draft(self.systems, wanted, step)
        document = system.choices_codec.dump(wanted.choices)
        cost = drafting(document)
        return await self._packs.ask(viewer, wanted.system, packs, cost, tasks.drafted, document, step)

    # Making and editing

    async def create(self, viewer: Viewer, asked: CreateCharacter, key: str | None) -> CharacterRow:
        """Build a character.

        Raises:
            InvalidInput: every broken rule is named; or the account has as many as it may have.
            NotFound: the character that the key made was deleted.
            Unavailable: nobody knows whether the viewer may see one of the packs.
        """
        earlier = await self._earlier(viewer, asked, key)
        if earlier is not None:
            return earlier
        edition = await self._packs.edition(viewer, asked.build.system, asked.packs)
        return await self._keep(viewer, asked, key, edition.build(asked.build.choices))

    async def create_random(
        self, viewer: Viewer, asked: CreateRandomCharacter, key: str | None
    ) -> CharacterRow:
        """Draw a character by chance and keep it; raises as ``draw`` and ``create``."""
        earlier = await self._earlier(viewer, asked, key)
        if earlier is not None:
            return earlier
        return await self._keep(viewer, asked, key, (await self.draw(viewer, asked)).built)

    async def update(self, viewer: Viewer, asked: UpdateCharacter, key: str | None) -> CharacterRow:
        """Build one's character anew from other choices, from the version that was seen.

        From a version that was replaced, choices that nobody else has changed since merge.
        At a table that somebody else runs, a reward that was not approved before stays waiting.

        Raises:
            NotFound, Forbidden: it is not the viewer's.
            VersionConflict: the same was changed since the viewer looked, or what was merged breaks rules.
            InvalidInput: every broken rule is named.
            Unavailable: it claims rewards, and nobody knows whether the viewer may approve them.
        """
        seen = owned(await self.seen(viewer, asked.id, "id"), viewer)
        earlier = await self._earlier(viewer, asked, key)
        if earlier is not None:
            return earlier
        edition = await self._edition_for(viewer, seen, asked)
        # Built before the unit of work, which keeps all others from writing, unless it must be merged there.
        built = edition.build(asked.build.choices) if asked.version == seen.version else None
        claims = claims_approval(edition.system, asked.build.choices)
        approval = await Approval.of(self._policy, viewer, seen.id) if claims else None
        moment = self._clock()
        async with editing(self._database, viewer, asked, key, seen, moment, "id", merging=True) as (
            session,
            row,
            before,
        ):
            if before:
                return row
            merge, choices = None, asked.build.choices
            if row.version != asked.version:
                merge = await _merge(session, seen, row, asked, edition)
                choices = merge.choices()
                if merge.is_made(choices):
                    return row
            if approval is not None:
                choices = approval.allowed(edition.system, self.choices(row), choices)
            if merge is not None:
                built = merge.build(choices)
            elif built is None or choices != asked.build.choices:
                built = edition.build(choices)
            deed = Deed(HistoryKind.EDITED, viewer.account)
            return await keep_anew(session, row, built, deed, moment)

    async def delete(self, viewer: Viewer, asked: DeleteCharacter, key: str | None) -> str:
        """Delete one's character, from the version that was seen; a tombstone stays.

        Raises:
            NotFound, Forbidden: it is not the viewer's.
            VersionConflict: it was changed since the viewer looked.
        """
        moment = self._clock()
        async with self._database.read() as session:
            if await answered(session, viewer, key, asked, moment) is not None:
                return asked.id
        seen = owned(await self.seen(viewer, asked.id, "id"), viewer)
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if not done.before:
                row = await held(session, seen, "id")
                VersionConflict.check(asked.version, row.version)
                await bury(session, row, moment)
                done.answer = row.id
            return asked.id

    # Steps

    async def _earlier(self, viewer: Viewer, asked: object, key: str | None) -> CharacterRow | None:
        """Read the viewer's character of a request that was carried out before; None where it was not."""
        async with self._database.read() as session:
            character = await answered(session, viewer, key, asked, self._clock())
            characters = Characters(session, Access(viewer.account))
            return None if character is None else await _again(characters, character)

    async def _edition_for(self, viewer: Viewer, seen: CharacterRow, asked: UpdateCharacter) -> Edition:
        """Return the game that a character is to be built anew by."""
        if asked.build.system != seen.system:
            text, found = "A character stays in its game; create another one.", asked.build.system
            raise InvalidInput.single("SYSTEM_FIXED", text, "build", found=found, allowed=seen.system)
        if asked.packs is None:
            return await self._packs.kept(viewer, seen)
        async with self._database.read() as session:
            base = await History(session).line(seen.id, asked.version)
        return await self._packs.edition(viewer, seen.system, merged_packs(asked, seen, base))

    async def _keep(self, viewer: Viewer, asked: object, key: str | None, built: Built) -> CharacterRow:
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if done.answer is not None:
                return await _again(Characters(session, Access(viewer.account)), done.answer)
            self._quotas.check_characters(await Characters(session, Access(viewer.account)).count_own())
            row = await keep_new(session, viewer.account, built, moment)
            done.answer = row.id
            return row


async def _merge(
    session: AsyncSession, seen: CharacterRow, row: CharacterRow, asked: UpdateCharacter, edition: Edition
) -> ChoicesMerge:
    """Prepare to merge an edit with what was changed since.

    Raises:
        VersionConflict: the packs were changed while the edition was made.
    """
    if pack_ids(row) != pack_ids(seen):
        VersionConflict.check(asked.version, row.version)
    return ChoicesMerge(asked, row, await History(session).line(row.id, asked.version), edition)


async def _again(characters: Characters, character: str) -> CharacterRow:
    """Read a character that an earlier request with the same key made or changed."""
    row = (await characters.by_id([character])).get(character)
    if row is None:
        raise NotFound.of("character", "idempotencyKey")
    return row


def drafting(document: Mapping[str, Any]) -> Cost:
    """Estimate a draft: each of its choices stands in a step, and all that could be chosen is told."""
    try:
        kilobytes = len(orjson.dumps(document)) / 1024
    except orjson.JSONEncodeError:
        kilobytes = 1.0  # Half a surrogate pair; it goes no further than that.
    return Cost(alone=14.0 + kilobytes * 1.2, per_entry=0.05)
