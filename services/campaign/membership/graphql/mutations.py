"""What can be done with campaigns and their tables."""

import strawberry

from services.campaign.context import CampaignUseCases
from services.campaign.membership import models, requests
from services.campaign.membership.graphql.types import Campaign, Invitation
from services.campaign.membership.invitations import MAX_INVITATIONS, MAX_MEMBERS
from services.shared.graphql.changes import Call, change
from services.shared.problems import VersionConflict


@strawberry.type(description="Here is the campaign as it is now.")
class CampaignSaved:
    """The answer of what changes a campaign."""

    campaign: Campaign = strawberry.field(description="As it is now.")


@strawberry.type(description="The campaign is gone.")
class CampaignDeleted:
    """The answer of ``deleteCampaign``."""

    id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.type(description="Hand out the code.")
class InvitationCreated:
    """The answer of ``createInvitation``."""

    invitation: Invitation = strawberry.field(description="With its code.")


@strawberry.type(description="It is gone.")
class Removed:
    """The answer of what takes something away."""

    id: strawberry.ID = strawberry.field(description="Of what is gone.")


@strawberry.type
class Mutation:
    """What changes campaigns and their tables."""

    @change()
    async def create_campaign(call: Call[CampaignUseCases], asked: requests.CreateCampaign) -> CampaignSaved:
        """Found a campaign; you are its first GM."""
        return _saved(await call.service.campaigns.create(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def update_campaign(call: Call[CampaignUseCases], asked: requests.UpdateCampaign) -> CampaignSaved:
        """Change a campaign's name or description (GM)."""
        return _saved(await call.service.campaigns.update(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def delete_campaign(
        call: Call[CampaignUseCases], asked: requests.DeleteCampaign
    ) -> CampaignDeleted:
        """Delete a campaign (GM) for all who are at its table: its log, its scenes, its invitations.
        Characters stay their players', maps and content packs their owners'; rolls stay, to be read by who
        was a member.
        """
        gone = await call.service.campaigns.delete(call.viewer, asked, call.key)
        return CampaignDeleted(id=strawberry.ID(gone))

    @change(
        description=f"Write an invitation (GM). A campaign may have {MAX_INVITATIONS} that are open; "
        "`QUOTA_EXCEEDED` among the issues tells that it has."
    )
    async def create_invitation(
        call: Call[CampaignUseCases], asked: requests.CreateInvitation
    ) -> InvitationCreated:
        """Write an invitation."""
        made = await call.service.invitations.create(call.viewer, asked, call.key)
        return InvitationCreated(invitation=Invitation.of(made))

    @change()
    async def withdraw_invitation(
        call: Call[CampaignUseCases], asked: requests.WithdrawInvitation
    ) -> Removed:
        """Take an invitation back (GM)."""
        return _removed(await call.service.invitations.withdraw(call.viewer, asked, call.key))

    @change(
        description=f"Join a campaign by an invitation's code. A campaign may have {MAX_MEMBERS} members; "
        "`QUOTA_EXCEEDED` among the issues tells that it has."
    )
    async def join_campaign(call: Call[CampaignUseCases], asked: requests.JoinCampaign) -> CampaignSaved:
        """Become a member."""
        return _saved(await call.service.invitations.join(call.viewer, asked, call.key))

    @change()
    async def change_role(call: Call[CampaignUseCases], asked: requests.ChangeRole) -> CampaignSaved:
        """Give a member another role (GM); the last GM stays one."""
        return _saved(await call.service.members.change_role(call.viewer, asked, call.key))

    @change()
    async def accept_game_master(
        call: Call[CampaignUseCases], asked: requests.AcceptGameMaster
    ) -> CampaignSaved:
        """Run the game of a campaign that has lost its last GM, as one of the players who are asked to: see
        `gameMasterOffer` of the campaign. `GM_PRESENT` among the issues tells that it has a GM.
        """
        return _saved(await call.service.succession.accept(call.viewer, asked, call.key))

    @change()
    async def decline_game_master(
        call: Call[CampaignUseCases], asked: requests.DeclineGameMaster
    ) -> CampaignSaved:
        """Pass the offer to run a campaign that has lost its last GM on to the next player; while nobody has
        accepted, you still can. `GM_PRESENT` among the issues tells that it has a GM.
        """
        return _saved(await call.service.succession.decline(call.viewer, asked, call.key))

    @change()
    async def remove_member(call: Call[CampaignUseCases], asked: requests.RemoveMember) -> Removed:
        """Leave a campaign, or send a member away (GM); their characters leave with them."""
        return _removed(await call.service.members.remove(call.viewer, asked, call.key))

    @change()
    async def seat_character(call: Call[CampaignUseCases], asked: requests.SeatCharacter) -> CampaignSaved:
        """Bring your character to the table; it can sit at one table at a time."""
        return _saved(await call.service.seats.take(call.viewer, asked, call.key))

    @change()
    async def unseat_character(
        call: Call[CampaignUseCases], asked: requests.UnseatCharacter
    ) -> CampaignSaved:
        """Take a character from the table: your own, or as GM any."""
        return _saved(await call.service.seats.leave(call.viewer, asked, call.key))


def _saved(row: models.Campaign) -> CampaignSaved:
    return CampaignSaved(campaign=Campaign.of(row))


def _removed(gone: str) -> Removed:
    return Removed(id=strawberry.ID(gone))
