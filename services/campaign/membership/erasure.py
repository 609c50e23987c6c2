"""What becomes of the place that an account has at its tables when it is deleted.

Its campaigns live on with another GM, or end with it. Its characters leave the table; in scenes that run they
stay in the scene's own state, and a GM moves them. Nothing more is played for it.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.membership.deletion import clear
from services.campaign.membership.events import account_erased
from services.campaign.membership.members import part
from services.campaign.membership.models import Member
from services.campaign.membership.repository import Campaigns
from services.campaign.scenes.games import Games
from services.campaign.scenes.history import Author
from services.campaign.scenes.roster import Roster
from services.campaign.simulations.erasure import forget
from services.campaign.tables import OUTBOX
from services.shared.access import Role
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.outbox import Event, publish

ORDER = (Role.GM, Role.PLAYER, Role.SPECTATOR)
"""Who is asked first to run a campaign."""


class Erasure:
    """Takes accounts that are deleted from all their tables.

    Args:
        clock: the present moment.
        games: the games that are played here, and what they keep of campaigns, by slug.

    Attributes:
        handlers: what the account service's events do here, by kind; see ``services.shared.consumer``.
    """

    def __init__(self, clock: Clock, games: Games) -> None:
        self._clock = clock
        self._games = games
        self.handlers: Mapping[str, Handler] = {"account.deleted": self.record}

    async def record(self, session: AsyncSession, event: Event) -> None:
        """Take an account that was deleted in the account service from its tables, and publish who is a GM
        there now; told twice, the second time finds it at none.
        """
        account, moment = event.payload["account"], self._clock()
        campaigns, heirs = Campaigns(session), {}
        for campaign in await campaigns.joined_by(account):
            await campaigns.hold(campaign)
            heir = await self._leave(session, campaign, account, moment)
            if heir is not None:
                heirs[campaign] = heir
        await campaigns.forget_past(account)
        await forget(session, account, moment)
        await publish(session, OUTBOX, account_erased(account, heirs), moment)

    async def _leave(
        self, session: AsyncSession, campaign: str, account: str, moment: datetime
    ) -> str | None:
        """Take an account from a table; return a GM who stays there, or None where nobody does."""
        members = {member.account: member for member in await Campaigns(session).members([campaign])}
        leaving = members.pop(account, None)
        if leaving is None:
            return None
        if not members:
            await clear(session, campaign, moment)
            return None
        await part(session, Roster(session, self._games, moment), leaving, Author(account, False))
        text = "A member leaves the table for good."
        await Log(session).write(campaign, "member.left", text, moment, subject=account)
        heir = min(members.values(), key=lambda member: ORDER.index(member.rank))
        if heir.rank is not Role.GM:
            await self._crown(session, heir, moment)
        return heir.account

    async def _crown(self, session: AsyncSession, heir: Member, moment: datetime) -> None:
        """Make a member a GM."""
        heir.role = Role.GM
        text = "A member runs the game from now on."
        await Log(session).write(heir.campaign, "member.changed", text, moment, subject=heir.account)
