"""Packs of a table's own content, as the graph shows them."""

from datetime import datetime
from typing import Any, cast

import strawberry

from services.character.building.builds import PackRef
from services.character.context import CharacterInfo
from services.character.packs.graphql import loaders
from services.character.packs.graphql.references import Account, Campaign
from services.character.packs.graphql.systems import PackContent
from services.character.packs.models import PackRow
from services.character.packs.service import PackVersion
from services.rules.engine.packs import FindingKind
from services.rules.engine.packs import PackFinding as Finding
from services.rules.engine.packs import PackReport as Report
from services.shared.graphql.enums import mirror_enum
from services.shared.wording import camel, finding

FindingKindType = mirror_enum(FindingKind, "PackFindingKind")


@strawberry.type(description="Something to know about a content pack, which breaks no rule.")
class PackFinding:
    """A figure that is not what the book's formula gives, or something that the book warns of."""

    kind: FindingKindType = strawberry.field(  # type: ignore[valid-type]
        description="Whether a figure differs or the book warns."
    )
    code: str = strawberry.field(description="Stable, for programs; in capitals.")
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
            code=found.code.upper(),
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
    findings: list[PackFinding] = strawberry.field(description="In the order of the pack.")

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

    id: strawberry.ID = strawberry.field(description="Its id: `pck_...`.")
    name: str = strawberry.field(description="What people call it.")
    description: str = strawberry.field(description="What it is about.")
    system: str = strawberry.field(description="Slug of the game system.")
    version: int = strawberry.field(description="Counts the edits, from 1; edits name the one they saw.")
    owner: Account | None = strawberry.field(description="Whose it is.")
    campaign: Campaign | None = strawberry.field(description="The campaign that it is shared with.")
    created_at: datetime = strawberry.field(description="When it was first kept.")
    updated_at: datetime = strawberry.field(description="When it was changed last.")
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
        packs, content = info.context.service.packs, await self._held(info)
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


@strawberry.type(description="Here is the content pack as it is now.")
class ContentPackSaved:
    """The answer of what makes or changes a content pack."""

    pack: ContentPack = strawberry.field(description="The pack.")


@strawberry.type(description="The content pack is gone; characters that were built under it stay.")
class ContentPackDeleted:
    """The answer of ``deleteContentPack``."""

    id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.type(description="A content pack that a character is built under.")
class CharacterPack:
    """Everyone who sees the character sees this much of the house rules that it follows."""

    id: strawberry.ID = strawberry.field(name="packId", description="Its id.")
    name: str = strawberry.field(description="What it was called then.")
    version: int = strawberry.field(description="The version that the character is built under.")

    @strawberry.field(description="Whether there is a newer version by now.")
    async def outdated(self, info: CharacterInfo) -> bool:
        """Compare with the newest."""
        newest = await loaders.newest_packs(info).load(str(self.id))
        return newest is not None and newest > self.version

    @classmethod
    def of(cls, ref: PackRef) -> "CharacterPack":
        """Show a pack of a character."""
        return cls(id=strawberry.ID(ref.id), name=ref.name, version=ref.version)
