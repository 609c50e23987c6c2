"""The types of chronicles."""

from datetime import datetime

import strawberry

from services.campaign.context import CampaignInfo
from services.campaign.scenes import chronicle
from services.campaign.scenes.chronicle import BEGINNING, ChronicleCursor, Search
from services.campaign.scenes.looks import Look
from services.shared.graphql.pages import Connection, Edge, connection
from services.shared.pagination import page_size


@strawberry.type(description="Something that happened in a campaign, as you may know it.")
class ChronicleEntry:
    """Told in the game's own words when it happened."""

    cursor: str = strawberry.field(description="Names the place behind it.")
    heading: str = strawberry.field(description="What it belongs to, in the game's words: `Quests`.")
    text: str = strawberry.field(description="What happened, in a sentence.")
    about: list[str] = strawberry.field(
        description="Ids of the characters, places, forces and quests that it is about."
    )
    opens: bool = strawberry.field(description="Whether a chapter of the story begins with it.")
    created_at: datetime = strawberry.field(description="When it happened.")

    @classmethod
    def of(cls, entry: chronicle.ChronicleEntry) -> "ChronicleEntry":
        """Show an entry."""
        return cls(
            cursor=entry.cursor.text(),
            heading=entry.note.heading,
            text=entry.text,
            about=list(entry.note.about),
            opens=entry.note.opens,
            created_at=entry.created_at,
        )


async def chronicle_page(
    info: CampaignInfo, look: Look, search: Search, first: int, after: str | None
) -> Connection[ChronicleEntry]:
    """Return a page of the chronicle of a campaign's own scene.

    Raises:
        PublicError: ``BAD_CURSOR`` where ``after`` names no entry.
    """
    size, start = page_size(first), BEGINNING if after is None else ChronicleCursor.of(after)
    chronicles = info.context.service.scenes.chronicles
    found = await chronicles.entries(look, search, after=start, limit=size + 1)
    nodes = [ChronicleEntry.of(each) for each in found[:size]]
    edges = [Edge(cursor=node.cursor, node=node) for node in nodes]
    return connection(edges, has_next=len(found) > size, has_previous=after is not None)
