"""What can be done with packs of a table's own content.

A pack belongs to who wrote it, who may share it with a table that they run. Its owner sees it, and so does
everyone at that table; its owner edits it, and so does whoever runs that table. Characters are built under a
version of it, which is kept as long as one of their histories needs it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

import orjson
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.builds import PackRef
from services.character.building.models import CharacterRow
from services.character.packs.editions import Cost, Edition, Editions, refs_of
from services.character.packs.inspection import SoundPack, choice_issues, document_of, inspected
from services.character.packs.models import PackRow, PackVersionRow
from services.character.packs.pack_merge import merge_pack
from services.character.packs.repository import Packs, bury, documents, newest_versions, tables_of
from services.character.packs.requests import (
    KEEP,
    MAX_PACKS,
    CreateContentPack,
    DeleteContentPack,
    PackContent,
    UpdateContentPack,
)
from services.rules.engine.codec import CodecError
from services.rules.engine.packs import PackKind, PackReport
from services.rules.engine.system import AnySystem
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.bounds import broken
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import is_id, new_id
from services.shared.pagination import Page
from services.shared.policy import Policy, Right
from services.shared.problems import Forbidden, InvalidInput, Issue, NotFound, Unavailable, VersionConflict
from services.shared.quotas import CHARACTER_DEFAULTS, CharacterQuotas
from services.shared.wording import clipped

CHECKED_PER_KILOBYTE = 1.0
"""Milliseconds that reading, checking and writing a kilobyte of a pack takes."""

MAX_SHARED = 50
"""The newest packs of a campaign that its scenes may be played with."""

KEPT_UNUSED = 20
"""So many of the newest versions are kept even if no character was built under them."""

log = structlog.get_logger(__name__)
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class PackVersion:
    """A version of a kept pack.

    Attributes:
        id: of the pack.
        version: which one.
        system: slug of its game system.
    """

    id: str
    version: int
    system: str


class PackService:
    """The use cases of packs.

    Args:
        database: where they are kept.
        clock: the present moment.
        policy: knows who may do what at a table.
        editions: knows the games, and makes them with packs in them.
        quotas: what accounts may have.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        editions: Editions,
        quotas: CharacterQuotas = CHARACTER_DEFAULTS,
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._editions = editions
        self._quotas = quotas

    # Reading

    async def packs(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, PackRow]:
        """Read those of the packs that the viewer may see.

        Raises:
            Unavailable: nobody knows whether the viewer sits at the tables of those that are not theirs.
        """
        wanted = list(dict.fromkeys(pack for pack in ids if is_id(pack, "pck")))
        if viewer.anonymous or not wanted:
            return {}
        async with self._database.read() as session:
            found = await Packs(session, Access(viewer.account)).by_id(wanted)
            others = [pack for pack in wanted if pack not in found]
            campaigns = await tables_of(session, others) if others else set()
        if not campaigns:
            return found
        access = await self._policy.access(viewer, campaigns=campaigns)
        async with self._database.read() as session:
            return found | await Packs(session, access).by_id(others)

    async def page(
        self, viewer: Viewer, campaign: str | None, system: str | None, *, first: int, after: str | None
    ) -> Page[PackRow] | None:
        """Read a page of a campaign's packs, or of the viewer's own; None for who is no member.

        Raises:
            Unavailable: nobody knows whether the viewer is a member.
        """
        access = Access(viewer.account)
        if campaign is not None:
            access = await self._policy.access(viewer, campaigns=[campaign])
            if campaign not in access.roles:
                return None
        async with self._database.read() as session:
            return await Packs(session, access).page(campaign, system, first=first, after=after)

    async def shared(self, viewer: Viewer, campaign: str, system: str) -> list[dict[str, Any]]:
        """Read the packs of a game that are shared with a campaign, with what they hold in their newest
        versions, the oldest pack first; none for who is no member.

        Raises:
            Unavailable: nobody knows whether the viewer is a member.
        """
        found = await self.page(viewer, campaign, system, first=MAX_SHARED, after=None)
        rows = [] if found is None else found.items[::-1]
        async with self._database.read() as session:
            held = await documents(session, [(row.id, row.version) for row in rows])
        return [
            {"id": row.id, "version": row.version, "name": row.name, "document": held[row.id, row.version]}
            for row in rows
            if (row.id, row.version) in held
        ]

    async def contents(self, packs: Sequence[PackVersion]) -> dict[PackVersion, Any]:
        """Return what packs hold, in their games' own types; those that a game cannot read are left out."""
        async with self._database.read() as session:
            held = await documents(session, list({(pack.id, pack.version) for pack in packs}))
        found: dict[PackVersion, Any] = {}
        for pack in dict.fromkeys(packs):
            kind, document = self.kind(pack.system), held.get((pack.id, pack.version))
            if kind is None or document is None:
                continue
            try:
                found[pack] = kind.codec.load(document)
            except CodecError as error:
                log.error("pack_unreadable", pack=pack.id, version=pack.version, reason=str(error))
        return found

    async def report(self, viewer: Viewer, system: str, pack: Any) -> PackReport | None:
        """Return what there is to say about a pack; None when the game would not take it any more."""
        kind = self.kind(system)
        if kind is None:
            return None
        try:
            return await self._inspected(viewer, system, kind.codec.dump(pack))
        except InvalidInput:
            return None

    async def check(self, viewer: Viewer, content: PackContent) -> PackReport:
        """Look at a pack that is not kept.

        Raises:
            InvalidInput: every broken rule is named at once.
        """
        return (await self._sound(viewer, content)).report

    def kind(self, system: str) -> PackKind[Any, Any] | None:
        """Return the kind of a game's packs; None for a game that takes none."""
        found = self._editions.systems.get(system)
        return None if found is None else found.packs

    async def newest(self, packs: Sequence[str]) -> dict[str, int]:
        """Read the newest versions of packs, those that are deleted left out."""
        async with self._database.read() as session:
            return await newest_versions(session, packs)

    # Keeping

    async def create(self, viewer: Viewer, asked: CreateContentPack, key: str | None) -> PackRow:
        """Keep a pack, for oneself or as GM for a table.

        Raises:
            NotFound, Forbidden: the viewer does not run the table that it is to be shared with.
            InvalidInput: it breaks rules, or the account has too many.
            Unavailable: nobody knows whether the viewer runs that table.
        """
        access, moment = Access(viewer.account), self._clock()
        earlier = await self._earlier(viewer, asked, key, access)
        if earlier is not None:
            return earlier
        await self._policy.seat(viewer, asked.campaign_id, Right.RUN)
        sound = await self._sound(viewer, asked.pack, *broken(asked))
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            packs = Packs(session, access)
            if done.answer is not None:
                return await _again(packs, done.answer)
            await packs.take_turn()
            self._quotas.check_packs(await packs.count())
            row = _new(viewer, asked, moment)
            packs.add(row)
            await _keep_version(session, row, sound.document)
            done.answer = row.id
            return row

    async def update(self, viewer: Viewer, asked: UpdateContentPack, key: str | None) -> PackRow:
        """Change a pack, from the version that was seen; characters stay built under theirs.

        From a version that was replaced, fields that nobody else has changed since merge.

        Raises:
            NotFound: there is no such pack, or no such table to share it with, for the viewer.
            Forbidden: the viewer may not change it, or does not run that table.
            InvalidInput: it breaks rules.
            VersionConflict: the same was changed since the viewer looked.
            Unavailable: nobody knows what the viewer may do.
        """
        seen, access = await self._to_change(viewer, asked.id)
        earlier = await self._earlier(viewer, asked, key, access)
        if earlier is not None:
            return earlier
        sound, moment = await self._edit(viewer, asked, seen), self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            packs = Packs(session, access)
            if done.answer is not None:
                return await _again(packs, done.answer)
            row = await _held(packs, asked)
            held = (await documents(session, [(row.id, row.version)]))[row.id, row.version]
            document = held if sound is None else sound.document
            done.answer = row.id
            if not merge_pack(row, asked, held, None if sound is None else document, self.kind(row.system)):
                return row
            _change(row, asked, moment)
            await _keep_version(session, row, document)
            await session.flush()
            await packs.forget_unused(row.id, below=row.version - KEPT_UNUSED)
            return row

    async def delete(self, viewer: Viewer, asked: DeleteContentPack, key: str | None) -> str:
        """Delete a pack, from the version that was seen; characters that were built under it stay.

        Raises:
            NotFound, Forbidden, VersionConflict, Unavailable: as for ``update``.
        """
        moment = self._clock()
        async with self._database.read() as session:
            if await answered(session, viewer, key, asked, moment) is not None:
                return asked.id
        _, access = await self._to_change(viewer, asked.id)
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if not done.before:
                packs = Packs(session, access)
                row = await _held(packs, asked)
                VersionConflict.check(asked.version, row.version)
                bury(row, moment)
                await packs.forget_unused(row.id, below=asked.version - KEPT_UNUSED)
                done.answer = row.id
            return asked.id

    # Building by them

    async def edition(self, viewer: Viewer, system: str, ids: Sequence[str]) -> Edition:
        """Return a game with the newest versions of packs in it.

        Raises:
            InvalidInput: there is no such game, or something is wrong with the packs.
            Unavailable: nobody knows whether the viewer may see one of them.
        """
        return await self._editions.edition(system, await self._newest(viewer, system, ids), viewer=viewer)

    async def ask(
        self,
        viewer: Viewer,
        system: str,
        ids: Sequence[str],
        cost: Cost,
        task: Callable[Concatenate[AnySystem, P], R],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """Ask a game that there is, with the newest versions of packs in it; see ``Editions.ask``.

        Raises:
            InvalidInput: something is wrong with the packs; or what the task raises.
            Unavailable: nobody knows whether the viewer may see one of them.
        """
        refs = await self._newest(viewer, system, ids)
        return await self._editions.ask(viewer, system, refs, cost, task, *args, **kwargs)

    async def kept(self, viewer: Viewer, row: CharacterRow) -> Edition:
        """Return a character's game with its packs in it: the newest versions of those that the viewer sees.

        While nobody knows what the viewer sees, the packs of others stay in the version that they have.

        Raises:
            InvalidInput: the packs cannot be put into the game any more.
        """
        refs = refs_of(row)
        try:
            seen = await self.packs(viewer, [ref.id for ref in refs])
        except Unavailable:
            seen = {}
        newest = [_ref(seen[ref.id]) if ref.id in seen else ref for ref in refs]
        return await self._editions.edition(row.system, newest, viewer=viewer)

    # Steps

    async def _earlier(
        self, viewer: Viewer, asked: object, key: str | None, access: Access
    ) -> PackRow | None:
        """Read the pack of a request that was carried out before; None where it was not."""
        async with self._database.read() as session:
            pack = await answered(session, viewer, key, asked, self._clock())
            return None if pack is None else await _again(Packs(session, access), pack)

    async def _newest(self, viewer: Viewer, system: str, ids: Sequence[str]) -> list[PackRef]:
        seen = await self.packs(viewer, ids[:MAX_PACKS])
        InvalidInput.check(*choice_issues(system, ids, seen))
        return [_ref(seen[pack]) for pack in ids]

    async def _inspected(self, viewer: Viewer, system: str, document: dict[str, Any]) -> PackReport:
        kilobytes = len(orjson.dumps(document)) / 1024
        cost = Cost(alone=kilobytes * CHECKED_PER_KILOBYTE)
        return await self._editions.ask(viewer, system, (), cost, inspected, document)

    async def _sound(self, viewer: Viewer, content: PackContent, *issues: Issue) -> SoundPack:
        """Look at a pack that is to be kept; what is wrong besides is told together with it."""
        try:
            sound = await self._checked(viewer, content)
        except InvalidInput as refused:
            raise InvalidInput([*issues, *refused.issues]) from refused
        InvalidInput.check(*issues)
        return sound

    async def _checked(self, viewer: Viewer, content: PackContent) -> SoundPack:
        kind = self.kind(content.system)
        if kind is None:
            able = ", ".join(slug for slug, system in self._editions.systems.items() if system.packs)
            message, found = "This game takes no packs.", clipped(content.system)
            raise InvalidInput.single("NO_PACKS", message, "pack", found=found, allowed=able)
        document = document_of(content, kind)
        return SoundPack(document, await self._inspected(viewer, content.system, document))

    async def _edit(self, viewer: Viewer, asked: UpdateContentPack, seen: PackRow) -> SoundPack | None:
        """Look at an edit of a pack that the viewer may change; None where it holds what it held."""
        if asked.campaign_id not in (KEEP, None, seen.campaign):
            if seen.owner != viewer.account:
                raise Forbidden.because("Only its owner may do this.", "campaignId")
            await self._policy.seat(viewer, asked.campaign_id, Right.RUN)
        issues = broken(asked)
        if asked.pack is None:
            InvalidInput.check(*issues)
            return None
        if asked.pack.system != seen.system:
            message = "A pack stays in its game; create another one."
            found, allowed = clipped(asked.pack.system), seen.system
            raise InvalidInput.single("SYSTEM_FIXED", message, "pack", found=found, allowed=allowed)
        return await self._sound(viewer, asked.pack, *issues)

    async def _to_change(self, viewer: Viewer, pack: str) -> tuple[PackRow, Access]:
        """Read a pack that the viewer may change, and the access by which they may."""
        row = (await self.packs(viewer, [pack])).get(pack)
        if row is None:
            raise NotFound.of("content pack", "id")
        if row.owner == viewer.account:
            return row, Access(viewer.account)
        access = await self._policy.access(viewer, campaigns=[row.campaign] if row.campaign else ())
        if row.campaign is None or not access.runs(row.campaign):
            raise Forbidden.because("Only its owner, or a GM of its table, may do this.", "id")
        # Should it move to another table meanwhile, it is one that the viewer may not see.
        return row, Access(viewer.account, {row.campaign: access.roles[row.campaign]})


async def _held(packs: Packs, asked: UpdateContentPack | DeleteContentPack) -> PackRow:
    """Read a pack that may be changed anew, and hold it until the unit of work ends."""
    row = await packs.to_edit(asked.id)
    if row is None:
        raise NotFound.of("content pack", "id")
    return row


async def _again(packs: Packs, pack: str) -> PackRow:
    """Read a pack that an earlier request with the same key made or changed."""
    row = (await packs.by_id([pack])).get(pack)
    if row is None:
        raise NotFound.of("content pack", "idempotencyKey")
    return row


def _new(viewer: Viewer, asked: CreateContentPack, moment: datetime) -> PackRow:
    return PackRow(
        id=new_id("pck"),
        owner=viewer.account,
        campaign=asked.campaign_id,
        system=asked.pack.system,
        name=asked.name,
        description=asked.description,
        created_at=moment,
        updated_at=moment,
    )


def _change(row: PackRow, asked: UpdateContentPack, moment: datetime) -> None:
    row.name = row.name if asked.name is None else asked.name
    row.description = row.description if asked.description is None else asked.description
    row.campaign = row.campaign if asked.campaign_id is KEEP else asked.campaign_id
    row.updated_at = moment


async def _keep_version(session: AsyncSession, row: PackRow, document: dict[str, Any]) -> None:
    # The row counts its version up when it is sent, and what it holds is kept under the new one.
    await session.flush()
    session.add(
        PackVersionRow(pack=row.id, version=row.version, document=document, created_at=row.updated_at)
    )


def _ref(row: PackRow) -> PackRef:
    return PackRef(row.id, row.version, row.name)
