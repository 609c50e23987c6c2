"""Histories, as the graph shows them."""

from datetime import datetime

import strawberry

from services.character.history.lines import Change, ChangeKind, HistoryKind, HistoryLine
from services.character.packs.editions import refs_of
from services.character.packs.graphql.references import Account
from services.character.packs.graphql.types import CharacterPack
from services.shared.graphql.enums import mirror_enum
from services.shared.graphql.pages import Connection, connect
from services.shared.pagination import Page

HistoryKindType = mirror_enum(HistoryKind, "CharacterHistoryKind")
ChangeKindType = mirror_enum(ChangeKind, "CharacterChangeKind")


@strawberry.type(description="A value of the choices that an edit changed.")
class CharacterChange:
    """What was put into a list, or taken from one, is told as one change."""

    kind: ChangeKindType = strawberry.field(description="How it differs.")  # type: ignore[valid-type]
    path: list[str] = strawberry.field(
        description="Where it stands in the choices; of what was removed, where it stood."
    )
    before: str | None = strawberry.field(
        description="What it was, as JSON of the stored form, cut after 200 characters; null where it was "
        "not there."
    )
    after: str | None = strawberry.field(description="What it is, likewise; null where it is gone.")

    @classmethod
    def of(cls, change: Change) -> "CharacterChange":
        """Show a change."""
        return cls(kind=change.kind, path=list(change.path), before=change.before, after=change.after)


@strawberry.type(description="One edit of a character.")
class CharacterHistoryLine:
    """Go back to it with ``undoCharacterEdit(input: {to: version})``."""

    version: int = strawberry.field(description="The version that came of it.")
    at: datetime = strawberry.field(description="When it was done.")
    by: Account | None = strawberry.field(
        description="Who did it; null for a scene, and where the history begins."
    )
    what: HistoryKindType = strawberry.field(description="What was done.")  # type: ignore[valid-type]
    text: str = strawberry.field(description="The same in plain words.")
    name: str = strawberry.field(description="What the character was called.")
    packs: list[CharacterPack] = strawberry.field(description="The content packs it was built under.")
    changes: list[CharacterChange] = strawberry.field(
        description="How the choices differ from the version before, up to 200; none where that one is not "
        "kept any more."
    )
    more_changes: bool = strawberry.field(description="Whether there are more than those.")

    @classmethod
    def of(cls, line: HistoryLine) -> "CharacterHistoryLine":
        """Show a line."""
        row = line.row
        return cls(
            version=row.version,
            at=row.created_at,
            by=Account.of(row.account) if row.account else None,
            what=line.what,
            text=line.text,
            name=row.name,
            packs=[CharacterPack.of(ref) for ref in refs_of(row)],
            changes=[CharacterChange.of(change) for change in line.changes],
            more_changes=line.more,
        )


def lines(page: Page[HistoryLine]) -> Connection[CharacterHistoryLine]:
    """Show a page; its cursors name versions."""
    return connect(page, lambda line: f"#{line.row.version}", CharacterHistoryLine.of)
