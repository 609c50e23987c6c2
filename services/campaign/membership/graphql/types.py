"""The types of membership."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.federation import type as federated_type

from services.campaign.context import CampaignInfo
from services.campaign.log.graphql import LogEntry
from services.campaign.membership import models
from services.campaign.membership.graphql import loaders
from services.campaign.membership.invitations import MAX_INVITATIONS, MAX_MEMBERS
from services.campaign.membership.seats import MAX_CHARACTERS
from services.campaign.membership.succession import Offer
from services.campaign.references import Account, Character
from services.campaign.scenes.chronicle import Search
from services.campaign.scenes.graphql.chronicle import ChronicleEntry, chronicle_page
from services.campaign.scenes.graphql.types import Scene
from services.shared.access import Role
from services.shared.answer_secrecy import show_secret
from services.shared.graphql.pages import (
    After,
    Connection,
    Edge,
    First,
    connect,
    connection,
)
from services.shared.metadata.graphql import METADATA, MetadataType, Namespace, metadata_beside
from services.shared.metadata.requests import Metadata
from services.shared.mirror import mirror
from services.shared.pagination import DEFAULT_PAGE, decode_cursor, number_of_cursor, page_size

mirror(Role)


@strawberry.type(description="One account's place in a campaign.")
class Member:
    """A member and the characters they play here."""

    role: Role = strawberry.field(description="What they are at the table.")
    joined_at: datetime = strawberry.field(description="When they joined.")
    account: Account | None = strawberry.field(description="Who it is.")
    campaign_id: strawberry.Private[str]

    @strawberry.field(
        description="The member's characters at this table, in the order they sat down; "
        "null in the place of one that cannot be read just now. At most "
        f"{MAX_CHARACTERS} sit at a table in all."
    )
    async def characters(self, info: CampaignInfo) -> list[Character | None]:
        """Return the seats of this member."""
        owner = self.account.id if self.account else None
        seats = await loaders.seats(info).load(self.campaign_id)
        return [Character(id=strawberry.ID(seat.character)) for seat in seats or () if seat.account == owner]

    @classmethod
    def of(cls, row: models.Member) -> "Member":
        """Show a row."""
        return cls(
            role=row.rank,
            joined_at=row.joined_at,
            account=Account(id=strawberry.ID(row.account)),
            campaign_id=row.campaign,
        )


@strawberry.type(description="A code that lets others join; only GMs see it.")
class Invitation:
    """Hand out ``code``; whoever sends it with ``joinCampaign`` becomes a member."""

    id: strawberry.ID = strawberry.field(description="Of the invitation.")
    code: str = strawberry.field(description="What is handed out: `7KQ2M9XWPA`.")
    role: Role = strawberry.field(description="What those who come by it will be.")
    uses_left: int = strawberry.field(description="How many may still come.")
    created_at: datetime = strawberry.field(description="When it was written.")
    expires_at: datetime = strawberry.field(description="Until when it can be used.")
    revoked: bool = strawberry.field(
        description="Whether nobody can join by it any more because who wrote it may not invite any more."
    )

    @classmethod
    def of(cls, row: models.Invitation) -> "Invitation":
        """Show a row."""
        return cls(
            id=strawberry.ID(row.id),
            code=show_secret(row.code),
            role=Role(row.role),
            uses_left=row.uses_left,
            created_at=row.created_at,
            expires_at=row.expires_at,
            revoked=row.revoked_at is not None,
        )


@strawberry.type(description="The offer to run a campaign that has lost its last GM; no spectator gets it.")
class GameMasterOffer:
    """``acceptGameMaster`` and ``declineGameMaster`` answer it."""

    since: datetime = strawberry.field(description="When the campaign lost its last GM.")
    candidates: list[Account | None] = strawberry.field(
        description="The players who are asked and have not declined, in the order they joined; null in the "
        "place of one that cannot be read just now."
    )
    next_at: datetime | None = strawberry.field(
        description="When the next player is asked as well; null where all are."
    )
    mine: bool = strawberry.field(description="Whether you may accept.")

    @classmethod
    def of(cls, offer: Offer, viewer: str) -> "GameMasterOffer":
        """Show an offer to a viewer, by their account."""
        return cls(
            since=offer.since,
            candidates=[Account(id=strawberry.ID(account)) for account in offer.open],
            next_at=offer.next_at,
            mine=viewer in offer.asked,
        )


@federated_type(keys=["id"], description="A group of people who play together over many evenings.")
class Campaign:
    """Seen by its members only; to everyone else it does not exist."""

    id: strawberry.ID = strawberry.field(description="Of the campaign.")
    name: str = strawberry.field(description="What it is called.")
    description: str = strawberry.field(description="What it is about; may be empty.")
    created_at: datetime = strawberry.field(description="When it was founded.")
    updated_at: datetime = strawberry.field(
        description="When its name or description was edited last; when it was founded, before that."
    )
    version: int = strawberry.field(description="Grows with each edit; name it when you edit.")
    vacant_since: strawberry.Private[datetime | None]

    @strawberry.field(description="What you are at this table.")
    async def my_role(self, info: CampaignInfo) -> Role | None:
        """Return the viewer's role."""
        for member in await loaders.members(info).load(self.id) or ():
            if member.account == info.context.viewer.account:
                return member.rank
        return None

    @strawberry.field(description="Who is asked to run the campaign; null while it has a GM.")
    async def game_master_offer(self, info: CampaignInfo) -> GameMasterOffer | None:
        """Return the offer."""
        if self.vacant_since is None:
            return None
        members = await loaders.members(info).load(self.id) or ()
        offer = info.context.service.succession.offer(self.vacant_since, members)
        return GameMasterOffer.of(offer, info.context.viewer.account)

    @strawberry.field(description=f"Everyone at the table, in the order they joined: at most {MAX_MEMBERS}.")
    async def members(self, info: CampaignInfo) -> list[Member]:
        """Return the members."""
        return [Member.of(row) for row in await loaders.members(info).load(self.id) or ()]

    @strawberry.field(
        description=f"Invitations with uses and time left, at most {MAX_INVITATIONS}, those that are revoked "
        "among them; empty for anyone but GMs."
    )
    async def invitations(self, info: CampaignInfo) -> list[Invitation]:
        """Return the invitations."""
        rows = await info.context.service.invitations.read(info.context.viewer, self.id)
        return [Invitation.of(row) for row in rows]

    @strawberry.field(description="What has happened, oldest first unless asked otherwise.")
    async def log(
        self,
        info: CampaignInfo,
        first: First = DEFAULT_PAGE,
        after: After = None,
        newest_first: Annotated[
            bool, strawberry.argument(description="Whether what happened last comes first.")
        ] = False,
    ) -> Connection[LogEntry]:
        """Return a page of the log."""
        size = page_size(first)
        rows = await info.context.service.log.read(
            info.context.viewer,
            self.id,
            after=number_of_cursor(after) if after is not None else None,
            limit=size + 1,
            newest_first=newest_first,
        )
        nodes = [LogEntry.of(row) for row in rows[:size]]
        edges = [Edge(cursor=node.cursor, node=node) for node in nodes]
        return connection(edges, has_next=len(rows) > size, has_previous=after is not None)

    @strawberry.field(
        description="What is played here, newest first; with `running`, only what runs or what is over."
    )
    async def scenes(
        self,
        info: CampaignInfo,
        first: First = DEFAULT_PAGE,
        after: After = None,
        running: Annotated[
            bool | None,
            strawberry.argument(description="True for what runs, false for what is over; all when omitted."),
        ] = None,
    ) -> Connection[Scene]:
        """Return a page of the scenes."""
        page = await info.context.service.scenes.reader.page(
            info.context.viewer,
            self.id,
            running=running,
            first=page_size(first),
            after=decode_cursor(after, "scn") if after is not None else None,
        )
        return connect(page, lambda look: look.row.id, Scene.of)

    @strawberry.field(
        description="What a game keeps of the campaign between scenes: a scene of its own, begun with "
        "`startScene` for the system `<slug>_campaign`; null where the game keeps nothing, or not yet."
    )
    async def state(
        self,
        info: CampaignInfo,
        system: Annotated[str, strawberry.argument(description="Slug of the game: `forgeborn`.")],
    ) -> Scene | None:
        """Return the campaign's own scene."""
        look = await info.context.service.scenes.reader.campaign(info.context.viewer, self.id, system)
        return None if look is None else Scene.of(look)

    @strawberry.field(
        description="What a game has told of the campaign's story since its first day, oldest first, as you "
        "may know it: also when the story is over; null where the game tells nothing, or nothing yet."
    )
    async def chronicle(
        self,
        info: CampaignInfo,
        system: Annotated[str, strawberry.argument(description="Slug of the game: `fortunate_blades`.")],
        text: Annotated[
            str, strawberry.argument(description="Only entries that hold this, whatever its case.")
        ] = "",
        about: Annotated[
            str,
            strawberry.argument(description="Only entries about this: id of an actor of the state's card."),
        ] = "",
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[ChronicleEntry] | None:
        """Return a page of the chronicle."""
        chronicles = info.context.service.scenes.chronicles
        look = await chronicles.find(info.context.viewer, self.id, system)
        return None if look is None else await chronicle_page(info, look, Search(text, about), first, after)

    @strawberry.field(description=METADATA, graphql_type=list[MetadataType])
    async def metadata(self, info: CampaignInfo, namespace: Namespace = None) -> list[Metadata]:
        """Return the bags."""
        return await metadata_beside(info, info.context.service.metadata.bags, self.id, namespace)

    @classmethod
    async def resolve_reference(cls, info: CampaignInfo, id: strawberry.ID) -> "Campaign | None":
        """Find the campaign again for another subgraph, with the viewer's rights checked again."""
        row = await loaders.campaigns(info).load(str(id))
        return None if row is None else cls.of(row)

    @classmethod
    def of(cls, row: models.Campaign) -> "Campaign":
        """Show a row."""
        return cls(
            id=strawberry.ID(row.id),
            name=row.name,
            description=row.description,
            created_at=row.created_at,
            updated_at=row.edited_at or row.created_at,
            version=row.version,
            vacant_since=row.vacant_since,
        )
