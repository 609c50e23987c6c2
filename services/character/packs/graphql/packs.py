"""Packs of a table's own content, in the graph."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Any, TypeVar, cast

import strawberry

from services.character.building.graphql import loaders
from services.character.context import CharacterInfo
from services.character.packs.graphql.references import Account, Campaign
from services.character.packs.graphql.systems import PackContent, PackInput
from services.character.packs.models import PackRow
from services.character.packs.requests import KEEP, NewPack, PackEdit, PackVersion
from services.character.packs.requests import PackContent as Sent
from services.rules.engine.packs import FindingKind
from services.rules.engine.packs import PackFinding as Finding
from services.rules.engine.packs import PackReport as Report
from services.shared.graphql.enums import mirror_enum
from services.shared.graphql.errors import PublicError
from services.shared.idempotency import checked_key
from services.shared.mirror import chosen, to_domain
from services.shared.pagination import DEFAULT_PAGE, Connection, connect, decode_cursor, page_size
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Unavailable,
    VersionConflict,
)
from services.shared.wording import camel, finding

P = TypeVar("P")

FindingKindType = mirror_enum(FindingKind, "PackFindingKind")
SHARED = "Id of a campaign that you run: its members see the pack and can build characters under it."


@strawberry.type(description="Something to know about a content pack, which breaks no rule.")
class PackFinding:
    """A figure that is not what the book's formula gives, or something that the book warns of."""

    kind: FindingKindType  # type: ignore[valid-type]
    code: str = strawberry.field(description="Stable, for programs.")
    message: str = strawberry.field(description="A sentence for people.")
    rule: str = strawberry.field(description="Book section or ruling.")
    path: list[str] = strawberry.field(description="Where in the pack.")
    stated: str | None = strawberry.field(description="What the pack says.")
    computed: str | None = strawberry.field(description="What the book's formula gives; null for advice.")
    working: str = strawberry.field(description="How it is computed, in plain words; empty for advice.")

    @classmethod
    def of(cls, found: Finding) -> "PackFinding":
        """Show a finding."""
        return cls(
            kind=found.kind,
            code=found.code,
            message=found.message,
            rule=found.rule,
            path=[str(step) if isinstance(step, int) else camel(step) for step in found.path],
            stated=finding(found.stated),
            computed=finding(found.computed),
            working=found.working,
        )


@strawberry.type(description="What there is to say about a content pack that breaks no rule.")
class PackReport:
    """The answer of ``checkContentPack``, and what a kept pack says about itself."""

    adds: list[strawberry.ID] = strawberry.field(description="Content ids of what it adds, in its order.")
    findings: list[PackFinding]

    @classmethod
    def of(cls, report: Report) -> "PackReport":
        """Show a report."""
        return cls(
            adds=[strawberry.ID(added) for added in report.adds],
            findings=[PackFinding.of(found) for found in report.findings],
        )


@strawberry.type(description="Content of a table's own, to build characters under.")
class ContentPack:
    """Seen by its owner, and by the members of the campaign that it is shared with."""

    id: strawberry.ID
    name: str
    description: str
    system: str = strawberry.field(description="Slug of the game system.")
    version: int = strawberry.field(description="Counts the edits, from 1; edits name the one they saw.")
    owner: Account | None = strawberry.field(description="Whose it is.")
    campaign: Campaign | None = strawberry.field(description="The campaign that it is shared with.")
    created_at: datetime
    updated_at: datetime
    row: strawberry.Private[PackRow]

    @strawberry.field(description="What it holds; null when this installation cannot read it any more.")
    async def content(self, info: CharacterInfo) -> PackContent | None:
        """Give what it holds in its game's own type."""
        return cast(PackContent | None, await self._held(info))

    @strawberry.field(
        description="What there is to say about it beside the book; null when the game would not take it any "
        "more."
    )
    async def report(self, info: CharacterInfo) -> PackReport | None:
        """Look at it anew."""
        packs, content = info.context.service.characters.packs, await self._held(info)
        if content is None:
            return None
        report = await packs.report(info.context.viewer, self.row.system, content)
        return None if report is None else PackReport.of(report)

    async def _held(self, info: CharacterInfo) -> Any:
        version = PackVersion(self.row.id, self.row.version, self.row.system)
        return await loaders.pack_contents(info).load(version)

    @classmethod
    def of(cls, row: PackRow) -> "ContentPack":
        """Show a row."""
        return cls(
            id=strawberry.ID(row.id),
            name=row.name,
            description=row.description,
            system=row.system,
            version=row.version,
            owner=Account.of(row.owner),
            campaign=Campaign.of(row.campaign) if row.campaign else None,
            created_at=row.created_at,
            updated_at=row.updated_at,
            row=row,
        )


@strawberry.input(description="A content pack to be kept.")
class CreateContentPackInput:
    """For yourself, or for a table that you run."""

    pack: PackInput
    name: str = strawberry.field(description="What people call it: 1 to 120 characters on one line.")
    description: str = strawberry.field(default="", description="What it is about, up to 2,000 characters.")
    campaign_id: strawberry.ID | None = strawberry.field(default=None, description=SHARED)
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same pack for 24 hours."
    )


@strawberry.input(description="What to change about a content pack.")
class UpdateContentPackInput:
    """What is left out stays as it is."""

    id: strawberry.ID
    version: int = strawberry.field(description="The version you saw.")
    pack: PackInput | None = strawberry.field(default=None, description="What it holds, as a whole.")
    name: str | None = None
    description: str | None = None
    campaign_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description=f"{SHARED} Null takes it away from its table."
    )


@strawberry.type(description="Here is the content pack as it is now.")
class ContentPackSaved:
    """The answer of what makes or changes a content pack."""

    pack: ContentPack


@strawberry.type(description="The content pack is gone; characters that were built under it stay.")
class ContentPackDeleted:
    """The answer of ``deleteContentPack``."""

    id: strawberry.ID


CheckContentPackResult = Annotated[PackReport | InvalidInput, strawberry.union("CheckContentPackResult")]
CreateContentPackResult = Annotated[
    ContentPackSaved | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("CreateContentPackResult"),
]
UpdateContentPackResult = Annotated[
    ContentPackSaved | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable,
    strawberry.union("UpdateContentPackResult"),
]
DeleteContentPackResult = Annotated[
    ContentPackDeleted | NotFound | Forbidden | VersionConflict | Unavailable,
    strawberry.union("DeleteContentPackResult"),
]


@strawberry.type
class PackQuery:
    """Looking at content packs."""

    @strawberry.field(description="A content pack of yours, or of a campaign that you are a member of.")
    async def content_pack(self, info: CharacterInfo, id: strawberry.ID) -> ContentPack | None:
        """Give one pack."""
        viewer = info.context.signed_in()
        with _told():
            row = (await info.context.service.characters.packs.packs(viewer, [str(id)])).get(str(id))
        return None if row is None else ContentPack.of(row)

    @strawberry.field(
        description="The content packs of a campaign that you are a member of, or your own; newest first. "
        "Null for who is no member."
    )
    async def content_packs(
        self,
        info: CharacterInfo,
        first: int = DEFAULT_PAGE,
        after: str | None = None,
        campaign_id: strawberry.ID | None = None,
        system: Annotated[str | None, strawberry.argument(description="Those of one game system.")] = None,
    ) -> Connection[ContentPack] | None:
        """Give a page of packs."""
        viewer = info.context.signed_in()
        size, last = page_size(first), None if after is None else decode_cursor(after, "pck")
        with _told():
            page = await info.context.service.characters.packs.page(
                viewer, None if campaign_id is None else str(campaign_id), system, first=size, after=last
            )
        return None if page is None else connect(page, lambda row: row.id, ContentPack.of)

    @strawberry.field(
        description="Look at a content pack before it is kept: every broken rule, or what differs from the "
        "book's formulas. Nothing is kept."
    )
    async def check_content_pack(self, info: CharacterInfo, pack: PackInput) -> CheckContentPackResult:
        """Check a pack."""
        viewer = info.context.signed_in()
        found = await info.context.service.characters.packs.check(viewer, _sent(pack))
        return PackReport.of(found) if isinstance(found, Report) else found


@strawberry.type
class PackMutation:
    """Keeping content packs."""

    @strawberry.mutation(description="Keep a content pack that breaks no rule; every broken rule is named.")
    async def create_content_pack(
        self, info: CharacterInfo, input: CreateContentPackInput
    ) -> CreateContentPackResult:
        """Make a pack."""
        viewer = info.context.signed_in("write")
        new = NewPack(
            content=_sent(input.pack),
            name=input.name,
            description=input.description,
            campaign=None if input.campaign_id is None else str(input.campaign_id),
            key=checked_key(input.idempotency_key),
        )
        return _saved(await info.context.service.characters.packs.create(viewer, new))

    @strawberry.mutation(
        description="Change a content pack of yours, or as a GM one of your table. Characters stay built "
        "under the version they have until they are edited."
    )
    async def update_content_pack(
        self, info: CharacterInfo, input: UpdateContentPackInput
    ) -> UpdateContentPackResult:
        """Change a pack."""
        viewer = info.context.signed_in("write")
        campaign = input.campaign_id
        edit = PackEdit(
            content=None if input.pack is None else _sent(input.pack),
            name=input.name,
            description=input.description,
            campaign=KEEP if campaign is strawberry.UNSET else None if campaign is None else str(campaign),
        )
        packs = info.context.service.characters.packs
        return _saved(await packs.update(viewer, str(input.id), input.version, edit))

    @strawberry.mutation(
        description="Delete a content pack of yours, or as a GM one of your table. Nothing new is built "
        "under it; what was built under it stays."
    )
    async def delete_content_pack(
        self,
        info: CharacterInfo,
        id: strawberry.ID,
        version: Annotated[int, strawberry.argument(description="The version you saw.")],
    ) -> DeleteContentPackResult:
        """Delete a pack."""
        viewer = info.context.signed_in("write")
        outcome = await info.context.service.characters.packs.delete(viewer, str(id), version)
        return ContentPackDeleted(id=strawberry.ID(outcome)) if isinstance(outcome, str) else outcome


def _sent(given: Any) -> Sent:
    system, pack = chosen(given)
    return Sent(system, to_domain(pack))


def _saved(outcome: PackRow | P) -> ContentPackSaved | P:
    return ContentPackSaved(pack=ContentPack.of(outcome)) if isinstance(outcome, PackRow) else outcome


@contextmanager
def _told() -> Iterator[None]:
    """Say which part of the house does not answer."""
    try:
        yield
    except PeerUnavailable as error:
        raise PublicError("UNAVAILABLE", f"The {error.peer} service does not answer; try again.") from error
