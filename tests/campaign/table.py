"""The use cases around membership and the log as tests ask for them: by plain arguments, for outcomes."""

from typing import Any

from services.campaign.log.models import LogEntry
from services.campaign.log.requests import DeleteNote, WriteNote
from services.campaign.log.service import LogService
from services.campaign.membership.invitations import Invitations
from services.campaign.membership.members import Members
from services.campaign.membership.models import Campaign, Invitation
from services.campaign.membership.requests import (
    AcceptGameMaster,
    ChangeRole,
    CreateCampaign,
    CreateInvitation,
    DeclineGameMaster,
    DeleteCampaign,
    JoinCampaign,
    RemoveMember,
    SeatCharacter,
    UnseatCharacter,
    UpdateCampaign,
    WithdrawInvitation,
)
from services.campaign.membership.seats import Seats
from services.campaign.membership.service import CampaignService
from services.campaign.membership.succession import Succession
from services.campaign.scenes.games import Games
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.problems import Problem
from services.shared.quotas import TABLE_DEFAULTS, TableQuotas
from services.shared.stream import Wakes
from tests.campaign.outcomes import outcome


class Table:
    """Everything around membership; each answer is an outcome.

    Attributes:
        campaigns, invitations, members, succession, seats, log: the use cases.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        characters: Any,
        games: Games,
        quotas: TableQuotas = TABLE_DEFAULTS,
    ) -> None:
        self.campaigns = CampaignService(database, clock, quotas)
        self.invitations = Invitations(database, clock, quotas)
        self.members = Members(database, clock, games)
        self.succession = Succession(database, clock)
        self.seats = Seats(database, clock, characters, games, quotas)
        self.log = LogService(database, clock, Wakes())

    async def found(
        self, who: Viewer, name: str, description: str = "", key: str | None = None
    ) -> Campaign | Problem:
        return await outcome(self.campaigns.create(who, CreateCampaign(name, description), key))

    async def edit(
        self,
        who: Viewer,
        campaign: str,
        version: int,
        name: str | None = None,
        key: str | None = None,
        description: str | None = None,
    ) -> Campaign | Problem:
        asked = UpdateCampaign(campaign, version, name, description)
        return await outcome(self.campaigns.update(who, asked, key))

    async def delete(self, who: Viewer, campaign: str, version: int, key: str | None = None) -> str | Problem:
        return await outcome(self.campaigns.delete(who, DeleteCampaign(campaign, version), key))

    async def invite(
        self,
        who: Viewer,
        campaign: str,
        role: Role = Role.PLAYER,
        *,
        uses: int = 1,
        days: int = 7,
        key: str | None = None,
    ) -> Invitation | Problem:
        return await outcome(self.invitations.create(who, CreateInvitation(campaign, role, uses, days), key))

    async def withdraw(
        self, who: Viewer, campaign: str, invitation: str, key: str | None = None
    ) -> str | Problem:
        return await outcome(self.invitations.withdraw(who, WithdrawInvitation(campaign, invitation), key))

    async def join(self, who: Viewer, code: str, key: str | None = None) -> Campaign | Problem:
        return await outcome(self.invitations.join(who, JoinCampaign(code), key))

    async def change_role(
        self, who: Viewer, campaign: str, account: str, role: Role, key: str | None = None
    ) -> Campaign | Problem:
        return await outcome(self.members.change_role(who, ChangeRole(campaign, account, role), key))

    async def remove(self, who: Viewer, campaign: str, account: str, key: str | None = None) -> str | Problem:
        return await outcome(self.members.remove(who, RemoveMember(campaign, account), key))

    async def accept(self, who: Viewer, campaign: str, key: str | None = None) -> Campaign | Problem:
        return await outcome(self.succession.accept(who, AcceptGameMaster(campaign), key))

    async def decline(self, who: Viewer, campaign: str, key: str | None = None) -> Campaign | Problem:
        return await outcome(self.succession.decline(who, DeclineGameMaster(campaign), key))

    async def seat(
        self, who: Viewer, campaign: str, character: str, key: str | None = None
    ) -> Campaign | Problem:
        return await outcome(self.seats.take(who, SeatCharacter(campaign, character), key))

    async def unseat(
        self, who: Viewer, campaign: str, character: str, key: str | None = None
    ) -> Campaign | Problem:
        return await outcome(self.seats.leave(who, UnseatCharacter(campaign, character), key))

    async def note(self, who: Viewer, campaign: str, text: str, key: str | None = None) -> LogEntry | Problem:
        return await outcome(self.log.note(who, WriteNote(campaign, text), key))

    async def delete_note(
        self, who: Viewer, campaign: str, seq: int, key: str | None = None
    ) -> int | Problem:
        return await outcome(self.log.delete_note(who, DeleteNote(campaign, seq), key))
