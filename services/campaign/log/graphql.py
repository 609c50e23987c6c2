"""The log's part of the graph."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated

import strawberry

from services.campaign.context import CampaignInfo, CampaignUseCases
from services.campaign.log import models
from services.campaign.log.requests import DeleteNote, WriteNote
from services.campaign.references import Account
from services.shared.graphql.changes import Call, change
from services.shared.graphql.features import Feature
from services.shared.pagination import cursor_of_number, number_of_cursor


@strawberry.type(
    description="Something that happened in a campaign; written once, and never changed but for a note that "
    "is deleted: it keeps its number, and neither its words nor its author (`note.gone`)."
)
class LogEntry:
    """``seq`` counts 1, 2, 3, ... without gaps."""

    cursor: str = strawberry.field(description="Names its place: ask for what comes after it with `after`.")
    seq: int = strawberry.field(description="Its number: 1, 2, 3, ... without gaps.")
    kind: str = strawberry.field(
        description="Dotted, for programs: `note`, `roll.recorded`, `member.joined`, ..."
    )
    text: str = strawberry.field(description="For people.")
    subject: strawberry.ID | None = strawberry.field(
        description="Id of what it is about, if anything; of `note.deleted`, the number of the note."
    )
    account: Account | None = strawberry.field(description="Who did it, if anybody.")
    external_author: str | None = strawberry.field(
        description="For whom, by name, where `account` is a bot that posts for people without an account."
    )
    created_at: datetime = strawberry.field(description="When it happened.")

    @classmethod
    def of(cls, row: models.LogEntry) -> "LogEntry":
        """Show a row."""
        return cls(
            cursor=cursor_of_number(row.seq),
            seq=row.seq,
            kind=row.kind,
            text=row.text,
            subject=strawberry.ID(row.subject) if row.subject else None,
            account=Account(id=strawberry.ID(row.account)) if row.account else None,
            external_author=row.external_author,
            created_at=row.created_at,
        )


@strawberry.type(description="The note is in the log.")
class NoteWritten:
    """The answer of ``writeNote``."""

    entry: LogEntry = strawberry.field(description="Of the note.")


@strawberry.type(description="The note is gone.")
class NoteDeleted:
    """The answer of ``deleteNote``."""

    seq: int = strawberry.field(description="The number of its entry, which stays.")


@strawberry.type
class Mutation:
    """What changes a log."""

    @change()
    async def write_note(call: Call[CampaignUseCases], asked: WriteNote) -> NoteWritten:
        """Write a note into the campaign's log (GMs and players)."""
        return NoteWritten(entry=LogEntry.of(await call.service.log.note(call.viewer, asked, call.key)))

    @change()
    async def delete_note(call: Call[CampaignUseCases], asked: DeleteNote) -> NoteDeleted:
        """Delete a note: your own, or as GM any. Its entry keeps its number and loses its words and its
        author (`note.gone`); another one (`note.deleted`) tells of it.
        """
        return NoteDeleted(seq=await call.service.log.delete_note(call.viewer, asked, call.key))


@strawberry.type
class Subscription:
    """What can be followed of a log."""

    @strawberry.subscription(
        description="A campaign's log: all entries behind the cursor `after`, then each new one, once."
    )
    async def campaign_log(
        self,
        info: CampaignInfo,
        campaign_id: Annotated[strawberry.ID, strawberry.argument(description="Whose log.")],
        after: Annotated[
            str | None,
            strawberry.argument(description="Cursor of the last entry that you have; all when omitted."),
        ] = None,
    ) -> AsyncIterator[LogEntry]:
        """Replay, then tail the log."""
        viewer = info.context.signed_in()
        behind = 0 if after is None else number_of_cursor(after)
        async for row in info.context.service.log.follow(viewer, str(campaign_id), after=behind):
            yield LogEntry.of(row)


FEATURE = Feature(mutation=Mutation, subscription=Subscription)
