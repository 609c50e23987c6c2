"""What can be done with packs of a table's own content. Each use case gives a result or a problem.

A pack belongs to who wrote it, who may share it with a table that they run. Its owner sees it, and so does
everyone at that table; its owner edits it, and so does whoever runs that table. Characters are built under a
version of it, which is kept as long as one of their histories needs it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import orjson
import structlog

from services.character.building.builds import PackRef
from services.character.building.models import CharacterRow
from services.character.packs.editions import Cost, Edition, Editions, refs_of
from services.character.packs.models import PackRow, PackVersionRow
from services.character.packs.repository import Packs, documents, newest_versions, tables_of
from services.character.packs.requests import (
    KEEP,
    KEPT_UNUSED,
    MAX_OWN,
    MAX_PACKS,
    NewPack,
    PackContent,
    PackEdit,
    PackVersion,
    SoundPack,
    choice_issues,
    inspected,
    readable,
    text_issues,
    too_many,
)
from services.character.seats import Seats
from services.character.tables import IDEMPOTENCY
from services.rules.engine.codec import CodecError
from services.rules.engine.packs import PackKind, PackReport
from services.rules.engine.system import AnySystem
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id, new_id
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
from services.shared.wording import clipped, unwritable

CHECKED_PER_KILOBYTE = 1.0
"""Milliseconds that reading, checking and writing a kilobyte of a pack takes."""

log = structlog.get_logger(__name__)
P = ParamSpec("P")
R = TypeVar("R")


class PackService:
    """The use cases of packs.

    Args:
        database: where they are kept.
        clock: the present moment.
        seats: knows the tables of a viewer.
        editions: knows the games, and makes them with packs in them.
    """

    def __init__(self, database: Database, clock: Clock, seats: Seats, editions: Editions) -> None:
        self._database = database
        self._clock = clock
        self._seats = seats
        self._editions = editions

    # Reading

    async def packs(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, PackRow]:
        """Read those of the packs that the viewer may see.

        Raises:
            PeerUnavailable: nobody knows whether the viewer sits at the tables of those that are not theirs.
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
        access = await self._seats.access_at(viewer, campaigns)
        async with self._database.read() as session:
            return found | await Packs(session, access).by_id(others)

    async def page(
        self, viewer: Viewer, campaign: str | None, system: str | None, *, first: int, after: str | None
    ) -> Page[PackRow] | None:
        """Read a page of a campaign's packs, or of the viewer's own; None for who is no member.

        Raises:
            PeerUnavailable: nobody knows whether the viewer is a member.
        """
        access = await self._seats.access_at(viewer, () if campaign is None else (campaign,))
        if campaign is not None and campaign not in access.roles:
            return None
        async with self._database.read() as session:
            return await Packs(session, access).page(campaign, system, first=first, after=after)

    async def contents(self, packs: Sequence[PackVersion]) -> dict[PackVersion, Any]:
        """Give what packs hold, in their games' own types; those that a game cannot read are left out."""
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
        """Give what there is to say about a pack; None when the game would not take it any more."""
        kind = self.kind(system)
        if kind is None:
            return None
        found = await self._inspected(viewer, system, kind.codec.dump(pack))
        return found if isinstance(found, PackReport) else None

    async def check(self, viewer: Viewer, content: PackContent) -> PackReport | InvalidInput:
        """Look at a pack that is not kept; every broken rule is named at once."""
        sound = await self._checked(viewer, content)
        return sound if isinstance(sound, InvalidInput) else sound.report

    def kind(self, system: str) -> PackKind[Any, Any] | None:
        """Give the kind of a game's packs."""
        found = self._editions.systems.get(system)
        return None if found is None else found.packs

    async def newest(self, packs: Sequence[str]) -> dict[str, int]:
        """Give the newest versions of packs, those that are deleted left out."""
        async with self._database.read() as session:
            return await newest_versions(session, packs)

    # Keeping

    async def create(
        self, viewer: Viewer, new: NewPack
    ) -> PackRow | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable:
        """Keep a pack, for oneself or as GM for a table; the same key keeps the same one."""
        refusal = await self._may_share(viewer, new.campaign)
        if refusal is not None:
            return refusal
        issues = [*text_issues(new.name, new.description), *unwritable(new.key, ["idempotencyKey"])]
        sound = await self._checked(viewer, new.content)
        if issues or isinstance(sound, InvalidInput):
            broken = sound.issues if isinstance(sound, InvalidInput) else ()
            return InvalidInput.of([*issues, *broken])
        asked = [new.content.system, new.name, new.description, new.campaign, sound.document["data"]]
        moment, access = self._clock(), Access(viewer.account)
        async with self._database.write() as session:
            packs = Packs(session, access)
            await packs.take_turn()
            claimed = await claim(session, IDEMPOTENCY, viewer.account, new.key, {"pack": asked}, moment)
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            if isinstance(claimed, Replay):
                known = (await packs.by_id([claimed.answer])).get(claimed.answer)
                return NotFound.of("content pack", "idempotencyKey") if known is None else known
            if await packs.count() >= MAX_OWN:
                return too_many()
            row = PackRow(
                id=new_id("pck"),
                owner=viewer.account,
                campaign=new.campaign,
                system=new.content.system,
                name=new.name,
                description=new.description,
                created_at=moment,
                updated_at=moment,
            )
            packs.add(row)
            await session.flush()
            packs.add(_version(row, sound.document))
            await remember(session, IDEMPOTENCY, viewer.account, new.key, row.id)
            return row

    async def update(
        self, viewer: Viewer, pack: str, version: int, edit: PackEdit
    ) -> PackRow | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable:
        """Change a pack, from the version that was seen; characters stay built under theirs."""
        known = await self._to_change(viewer, pack)
        if not isinstance(known, tuple):
            return known
        seen, access = known
        if edit.campaign not in (KEEP, None, seen.campaign):
            if seen.owner != viewer.account:
                return Forbidden.because("Only its owner may do this.", "campaignId")
            refusal = await self._may_share(viewer, edit.campaign)
            if refusal is not None:
                return refusal
        if edit.content is not None and edit.content.system != seen.system:
            message = "A pack stays in its game; create another one."
            found, allowed = clipped(edit.content.system), seen.system
            return InvalidInput.single("SYSTEM_FIXED", message, "pack", found=found, allowed=allowed)
        issues = list(text_issues(edit.name, edit.description))
        sound = None if edit.content is None else await self._checked(viewer, edit.content)
        if issues or isinstance(sound, InvalidInput):
            broken = sound.issues if isinstance(sound, InvalidInput) else ()
            return InvalidInput.of([*issues, *broken])
        async with self._database.write() as session:
            packs = Packs(session, access)
            row = await packs.to_edit(pack)
            if row is None:
                return NotFound.of("content pack", "id")
            if row.version != version:
                return VersionConflict.between(version, row.version, "version")
            if sound is None:
                document = (await documents(session, [(pack, version)]))[pack, version]
            else:
                document = sound.document
            row.name = row.name if edit.name is None else edit.name
            row.description = row.description if edit.description is None else edit.description
            row.campaign = row.campaign if edit.campaign == KEEP else edit.campaign
            row.updated_at = self._clock()
            await session.flush()
            packs.add(_version(row, document))
            await session.flush()
            await packs.forget_unused(pack, below=row.version - KEPT_UNUSED)
            return row

    async def delete(
        self, viewer: Viewer, pack: str, version: int
    ) -> str | NotFound | Forbidden | VersionConflict | Unavailable:
        """Delete a pack, from the version that was seen; characters that were built under it stay."""
        known = await self._to_change(viewer, pack)
        if not isinstance(known, tuple):
            return known
        async with self._database.write() as session:
            packs = Packs(session, known[1])
            row = await packs.to_edit(pack)
            if row is None:
                return NotFound.of("content pack", "id")
            if row.version != version:
                return VersionConflict.between(version, row.version, "version")
            row.deleted_at = row.updated_at = self._clock()
            await packs.forget_unused(pack, below=version - KEPT_UNUSED)
            return pack

    # Building by them

    async def chosen(
        self, viewer: Viewer, system: str, ids: Sequence[str]
    ) -> Edition | InvalidInput | Unavailable | None:
        """Give a game with the newest versions of packs in it; None when there is no such game."""
        refs = await self._newest(viewer, system, ids)
        if isinstance(refs, InvalidInput | Unavailable):
            return refs
        return await self._editions.edition(system, refs, viewer=viewer)

    async def asked(
        self,
        viewer: Viewer,
        system: str,
        ids: Sequence[str],
        cost: Cost,
        task: Callable[Concatenate[AnySystem, P], R],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R | InvalidInput | Unavailable:
        """Ask a game that there is, with the newest versions of packs in it; see ``Editions.ask``."""
        refs = await self._newest(viewer, system, ids)
        if isinstance(refs, InvalidInput | Unavailable):
            return refs
        return await self._editions.ask(viewer, system, refs, cost, task, *args, **kwargs)

    async def _newest(
        self, viewer: Viewer, system: str, ids: Sequence[str]
    ) -> list[PackRef] | InvalidInput | Unavailable:
        try:
            seen = await self.packs(viewer, ids[:MAX_PACKS])
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        issues = list(choice_issues(system, ids, seen))
        return InvalidInput.of(issues) if issues else [_ref(seen[pack]) for pack in ids]

    async def kept(self, viewer: Viewer, row: CharacterRow) -> Edition | InvalidInput | None:
        """Give a character's game with its packs in it: the newest versions of those that the viewer sees."""
        refs = refs_of(row)
        try:
            seen = await self.packs(viewer, [ref.id for ref in refs])
        except PeerUnavailable:
            seen = {}
        newest = [_ref(seen[ref.id]) if ref.id in seen else ref for ref in refs]
        return await self._editions.edition(row.system, newest, viewer=viewer)

    async def _inspected(
        self, viewer: Viewer, system: str, document: dict[str, Any]
    ) -> PackReport | InvalidInput:
        kilobytes = len(orjson.dumps(document)) / 1024
        cost = Cost(alone=kilobytes * CHECKED_PER_KILOBYTE)
        return await self._editions.ask(viewer, system, (), cost, inspected, document)

    async def _checked(self, viewer: Viewer, content: PackContent) -> SoundPack | InvalidInput:
        kind = self.kind(content.system)
        if kind is None:
            able = ", ".join(slug for slug, system in self._editions.systems.items() if system.packs)
            message, found = "This game takes no packs.", clipped(content.system)
            return InvalidInput.single("NO_PACKS", message, "pack", found=found, allowed=able)
        document = readable(content, kind)
        if isinstance(document, InvalidInput):
            return document
        report = await self._inspected(viewer, content.system, document)
        return report if isinstance(report, InvalidInput) else SoundPack(document, report)

    async def _may_share(
        self, viewer: Viewer, campaign: str | None
    ) -> NotFound | Forbidden | Unavailable | None:
        """Refuse whoever does not run the table that a pack is to be shared with."""
        if campaign is None:
            return None
        try:
            access = await self._seats.access_at(viewer, (campaign,))
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if campaign not in access.roles:
            return NotFound.of("campaign", "campaignId")
        if not access.runs(campaign):
            return Forbidden.because("Only a GM of the campaign may do this.", "campaignId")
        return None

    async def _to_change(
        self, viewer: Viewer, pack: str
    ) -> tuple[PackRow, Access] | NotFound | Forbidden | Unavailable:
        """Read a pack that the viewer may change, and the access by which they may."""
        try:
            row = (await self.packs(viewer, [pack])).get(pack)
            if row is None:
                return NotFound.of("content pack", "id")
            if row.owner == viewer.account:
                return row, Access(viewer.account)
            access = await self._seats.access_at(viewer, (row.campaign,) if row.campaign else ())
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if row.campaign is None or not access.runs(row.campaign):
            return Forbidden.because("Only its owner, or a GM of its table, may do this.", "id")
        # Should it move to another table meanwhile, it is one that the viewer may not see.
        return row, Access(viewer.account, {row.campaign: access.roles[row.campaign]})


def _ref(row: PackRow) -> PackRef:
    return PackRef(row.id, row.version, row.name)


def _version(row: PackRow, document: dict[str, Any]) -> PackVersionRow:
    return PackVersionRow(pack=row.id, version=row.version, document=document, created_at=row.updated_at)
