"""What becomes of the place that an account has at its tables when it is deleted.

Its campaigns live on or end with it: one that has lost its last GM asks its players to follow, and what the
account shared with it waits for who accepts; see ``succession``. Its characters leave the table; in scenes
that run they stay in the scene's own state, and a GM moves them. Nothing more is played for it.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.membership.deletion import clear
from services.campaign.membership.events import account_erased, account_left
from services.campaign.membership.members import part
from services.campaign.membership.repository import Campaigns
from services.campaign.membership.succession import open_succession
from services.campaign.scenes.games import Games
from services.campaign.scenes.history import Author
from services.campaign.scenes.roster import Roster
from services.campaign.simulations.erasure import forget
from services.campaign.tables import BAGS, OUTBOX
from services.shared.access import Role
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.metadata.bags import Bags
from services.shared.outbox import Event, publish

TABLES_AT_ONCE = 10
"""The most that one unit of work takes an account from."""


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

    async def record(self, session: AsyncSession, event: Event) -> bool:
        """Take an account that was deleted in the account service from its next tables, and publish who is a
        GM there now: ``account.left``, or at the last tables ``account.erased``, which tells where nobody is
        too; told twice, the second time finds it at none.

        Returns:
            Whether it is at more tables, and another step is to be taken.
        """
        account, moment = event.payload["account"], self._clock()
        campaigns, heirs = Campaigns(session), {}
        joined = await campaigns.joined_by(account, limit=TABLES_AT_ONCE + 1)
        for campaign in joined[:TABLES_AT_ONCE]:
            await campaigns.hold(campaign)
            heir = await self._leave(session, campaign, account, moment)
            if heir is not None:
                heirs[campaign] = heir
        more = await campaigns.forget_past(account) or len(joined) > TABLES_AT_ONCE
        if more:
            await publish(session, OUTBOX, account_left(account, heirs), moment)
            return True
        if await Bags(session, BAGS).forget(account):
            return True
        await campaigns.forget_turns(account)
        await campaigns.forget_updates(account)
        await Log(session).forget_external(account)
        await forget(session, account, moment)
        waiting = await campaigns.estates_of(account)
        await publish(session, OUTBOX, account_erased(account, heirs, waiting), moment)
        return False

    async def _leave(
        self, session: AsyncSession, campaign: str, account: str, moment: datetime
    ) -> str | None:
        """Take an account from a table; return a GM who stays there, or None where none does."""
        campaigns = Campaigns(session)
        members = {member.account: member for member in await campaigns.members([campaign])}
        leaving = members.pop(account, None)
        if leaving is None:
            return None
        if not members:
            await clear(session, campaign, moment)
            return None
        await part(session, Roster(session, self._games, moment), leaving, Author(account, False), moment)
        text = "A member leaves the table for good."
        await Log(session).write(campaign, "member.left", text, moment, subject=account)
        heir = next((member.account for member in members.values() if member.rank is Role.GM), None)
        if heir is None:
            await campaigns.bequeath(account, campaign)
            await open_succession(session, campaign, moment)
        return heir
