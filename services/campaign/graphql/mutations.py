"""What can be done through the campaign service."""

from typing import Annotated, TypeVar

import strawberry

from services.campaign import models
from services.campaign.checks import MAX_INVITATIONS, MAX_MEMBERS
from services.campaign.graphql.context import CampaignInfo
from services.campaign.graphql.types import Campaign, Invitation, LogEntry
from services.campaign.service import NewCampaign
from services.campaign.table import NewInvitation
from services.shared.access import Role
from services.shared.idempotency import checked_key
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Unavailable,
    VersionConflict,
)


@strawberry.input(description="A campaign to be founded.")
class CreateCampaignInput:
    """Name it; the rest can wait."""

    name: str = strawberry.field(description="1 to 120 characters.")
    description: str = strawberry.field(default="", description="Up to 2,000 characters.")
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same campaign for 24 hours."
    )


@strawberry.input(description="What to change about a campaign.")
class UpdateCampaignInput:
    """What is left out stays as it is."""

    id: strawberry.ID
    version: int = strawberry.field(description="The version you saw.")
    name: str | None = None
    description: str | None = None


@strawberry.input(description="An invitation to be written.")
class CreateInvitationInput:
    """Who comes by it takes the role."""

    campaign_id: strawberry.ID
    role: Role = Role.PLAYER
    uses: int = strawberry.field(default=1, description="How many may come, 1 to 50.")
    days: int = strawberry.field(default=7, description="How long it holds, 1 to 90.")


@strawberry.type(description="Here is the campaign as it is now.")
class CampaignSaved:
    """The answer of what changes a campaign."""

    campaign: Campaign


@strawberry.type(description="Hand out the code.")
class InvitationCreated:
    """The answer of ``createInvitation``."""

    invitation: Invitation


@strawberry.type(description="It is gone.")
class Removed:
    """The answer of what takes something away."""

    id: strawberry.ID


@strawberry.type(description="The note is in the log.")
class NoteWritten:
    """The answer of ``writeNote``."""

    entry: LogEntry


CreateCampaignResult = Annotated[
    CampaignSaved | InvalidInput | NotFound | IdempotencyConflict, strawberry.union("CreateCampaignResult")
]
UpdateCampaignResult = Annotated[
    CampaignSaved | InvalidInput | NotFound | Forbidden | VersionConflict,
    strawberry.union("UpdateCampaignResult"),
]
CreateInvitationResult = Annotated[
    InvitationCreated | InvalidInput | NotFound | Forbidden, strawberry.union("CreateInvitationResult")
]
JoinCampaignResult = Annotated[
    CampaignSaved | NotFound | InvalidInput, strawberry.union("JoinCampaignResult")
]
ChangeTableResult = Annotated[CampaignSaved | NotFound | Forbidden, strawberry.union("ChangeTableResult")]
RemoveResult = Annotated[Removed | NotFound | Forbidden, strawberry.union("RemoveResult")]
SeatCharacterResult = Annotated[
    CampaignSaved | NotFound | Forbidden | InvalidInput | Unavailable, strawberry.union("SeatCharacterResult")
]
WriteNoteResult = Annotated[
    NoteWritten | NotFound | Forbidden | InvalidInput | IdempotencyConflict,
    strawberry.union("WriteNoteResult"),
]

P = TypeVar("P")


def _saved(outcome: models.Campaign | P) -> CampaignSaved | P:
    return CampaignSaved(campaign=Campaign.of(outcome)) if isinstance(outcome, models.Campaign) else outcome


def _removed(outcome: str | P) -> Removed | P:
    return Removed(id=strawberry.ID(outcome)) if isinstance(outcome, str) else outcome


@strawberry.type
class Mutation:
    """Root of the mutations."""

    @strawberry.mutation(description="Found a campaign; you are its first GM.")
    async def create_campaign(self, info: CampaignInfo, input: CreateCampaignInput) -> CreateCampaignResult:
        """Found a campaign."""
        viewer = info.context.signed_in("write")
        new = NewCampaign(input.name, input.description, checked_key(input.idempotency_key))
        return _saved(await info.context.service.campaigns.create(viewer, new))

    @strawberry.mutation(description="Change a campaign's name or description (GM).")
    async def update_campaign(self, info: CampaignInfo, input: UpdateCampaignInput) -> UpdateCampaignResult:
        """Edit a campaign."""
        viewer = info.context.signed_in("write")
        return _saved(
            await info.context.service.campaigns.update(
                viewer, str(input.id), input.version, input.name, input.description
            )
        )

    @strawberry.mutation(
        description=f"Write an invitation (GM). A campaign may have {MAX_INVITATIONS} that are open; "
        "`QUOTA_EXCEEDED` among the issues tells that it has."
    )
    async def create_invitation(
        self, info: CampaignInfo, input: CreateInvitationInput
    ) -> CreateInvitationResult:
        """Write an invitation."""
        viewer = info.context.signed_in("write")
        new = NewInvitation(str(input.campaign_id), input.role, input.uses, input.days)
        made = await info.context.service.table.invite(viewer, new)
        return (
            InvitationCreated(invitation=Invitation.of(made)) if isinstance(made, models.Invitation) else made
        )

    @strawberry.mutation(description="Take an invitation back (GM).")
    async def withdraw_invitation(
        self, info: CampaignInfo, campaign_id: strawberry.ID, invitation_id: strawberry.ID
    ) -> RemoveResult:
        """Delete an invitation."""
        viewer = info.context.signed_in("write")
        return _removed(
            await info.context.service.table.withdraw(viewer, str(campaign_id), str(invitation_id))
        )

    @strawberry.mutation(
        description=f"Join a campaign by an invitation's code. A campaign may have {MAX_MEMBERS} members; "
        "`QUOTA_EXCEEDED` among the issues tells that it has."
    )
    async def join_campaign(self, info: CampaignInfo, code: str) -> JoinCampaignResult:
        """Become a member."""
        return _saved(await info.context.service.table.join(info.context.signed_in("write"), code))

    @strawberry.mutation(description="Give a member another role (GM).")
    async def change_role(
        self, info: CampaignInfo, campaign_id: strawberry.ID, account_id: strawberry.ID, role: Role
    ) -> ChangeTableResult:
        """Change a role."""
        viewer = info.context.signed_in("write")
        table = info.context.service.table
        return _saved(await table.change_role(viewer, str(campaign_id), str(account_id), role))

    @strawberry.mutation(description="Leave a campaign, or send a member away (GM).")
    async def remove_member(
        self, info: CampaignInfo, campaign_id: strawberry.ID, account_id: strawberry.ID
    ) -> RemoveResult:
        """End a membership."""
        viewer = info.context.signed_in("write")
        return _removed(await info.context.service.table.remove(viewer, str(campaign_id), str(account_id)))

    @strawberry.mutation(description="Bring your character to the table.")
    async def seat_character(
        self, info: CampaignInfo, campaign_id: strawberry.ID, character_id: strawberry.ID
    ) -> SeatCharacterResult:
        """Seat a character."""
        viewer = info.context.signed_in("write")
        return _saved(await info.context.service.table.seat(viewer, str(campaign_id), str(character_id)))

    @strawberry.mutation(description="Take a character from the table: your own, or as GM any.")
    async def unseat_character(
        self, info: CampaignInfo, campaign_id: strawberry.ID, character_id: strawberry.ID
    ) -> ChangeTableResult:
        """Unseat a character."""
        viewer = info.context.signed_in("write")
        return _saved(await info.context.service.table.unseat(viewer, str(campaign_id), str(character_id)))

    @strawberry.mutation(description="Write a note of up to 4,000 characters into the campaign's log.")
    async def write_note(
        self, info: CampaignInfo, campaign_id: strawberry.ID, text: str, idempotency_key: str | None = None
    ) -> WriteNoteResult:
        """Write a note."""
        viewer = info.context.signed_in("write")
        entry = await info.context.service.campaigns.note(
            viewer, str(campaign_id), text, checked_key(idempotency_key)
        )
        return NoteWritten(entry=LogEntry.of(entry)) if isinstance(entry, models.LogEntry) else entry
