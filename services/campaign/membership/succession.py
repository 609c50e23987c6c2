"""Who runs a campaign that has lost its last GM: the player who has been there longest, if they accept.

The players are asked in the order in which they joined. The next one is asked as well when one declines, and
with every three days that pass; who was asked stays asked, also after declining. Whoever accepts first is the
GM. Spectators are never asked. Until a player accepts nobody has the rights of a GM: everything that only GMs
may see stays closed, and the rest goes on. While nobody accepts, the campaign stays as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.membership.events import account_erased
from services.campaign.membership.models import Campaign, Member
from services.campaign.membership.repository import Campaigns
from services.campaign.membership.requests import AcceptGameMaster, DeclineGameMaster
from services.campaign.membership.service import existing
from services.campaign.tables import OUTBOX
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.outbox import publish
from services.shared.policy import Right, demand
from services.shared.problems import Forbidden, InvalidInput

ASK_NEXT_AFTER = timedelta(days=3)
"""How long a player has the offer before the next one is asked as well."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Whom a campaign without a GM asks to run it.

    Attributes:
        since: when it lost its last GM.
        asked: accounts of the players who are asked, in the order in which they joined; they may accept.
        open: those of them who have not declined.
        next_at: when the next player is asked as well; None where all are.
    """

    since: datetime
    asked: tuple[str, ...]
    open: tuple[str, ...]
    next_at: datetime | None


def offer_of(since: datetime, members: Sequence[Member], moment: datetime) -> Offer:
    """Compute whom a campaign without a GM asks.

    Args:
        since: when it lost its last GM.
        members: all of them, in the order in which they joined.
        moment: the present moment.
    """
    periods = max(0, (moment - since) // ASK_NEXT_AFTER)
    players = [member for member in members if member.rank is Role.PLAYER]
    asked: list[Member] = []
    willing = 0
    for player in players:
        if willing > periods:
            break
        asked.append(player)
        willing += not player.declined
    return Offer(
        since,
        tuple(one.account for one in asked),
        tuple(one.account for one in asked if not one.declined),
        since + (periods + 1) * ASK_NEXT_AFTER if len(asked) < len(players) else None,
    )


class Succession:
    """The use cases of campaigns that have lost their last GM.

    Args:
        database: where campaigns are kept.
        clock: the present moment.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def offer(self, since: datetime, members: Sequence[Member]) -> Offer:
        """Return whom a campaign asks that has no GM since a moment; see ``offer_of``."""
        return offer_of(since, members, self._clock())

    async def accept(self, viewer: Viewer, asked: AcceptGameMaster, key: str | None = None) -> Campaign:
        """Run the game of a campaign that has no GM, and return it.

        Raises:
            NotFound: no member.
            Forbidden: a spectator, or a player who is not asked yet.
            InvalidInput: ``GM_PRESENT``: the campaign has a GM.
            IdempotencyConflict: the key was used for another request.
        """
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            campaigns = Campaigns(session)
            if not done.before:
                campaign, members = await self._asked(campaigns, viewer, asked.campaign_id, moment)
                campaign.vacant_since = None
                for member in members:
                    member.declined = False
                    if member.account == viewer.account:
                        await campaigns.change_role(member, Role.GM, moment)
                await Log(session).write(
                    campaign.id,
                    "member.changed",
                    "A player runs the game from now on.",
                    moment,
                    account=viewer.account,
                    subject=viewer.account,
                )
                await _hand_over_estates(session, campaign.id, viewer.account, moment)
                done.answer = campaign.id
            return await existing(campaigns, viewer, asked.campaign_id)

    async def decline(self, viewer: Viewer, asked: DeclineGameMaster, key: str | None = None) -> Campaign:
        """Pass the offer to run a campaign on to the next player, and return the campaign.

        Raises:
            NotFound: no member.
            Forbidden: a spectator, or a player who is not asked yet.
            InvalidInput: ``GM_PRESENT``: the campaign has a GM.
            IdempotencyConflict: the key was used for another request.
        """
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            campaigns = Campaigns(session)
            if not done.before:
                campaign, members = await self._asked(campaigns, viewer, asked.campaign_id, moment)
                own = next(member for member in members if member.account == viewer.account)
                if not own.declined:
                    own.declined = True
                    await Log(session).write(
                        campaign.id,
                        "game_master.declined",
                        "A player will not run the game.",
                        moment,
                        account=viewer.account,
                        subject=viewer.account,
                    )
                done.answer = campaign.id
            return await existing(campaigns, viewer, asked.campaign_id)

    async def _asked(
        self, campaigns: Campaigns, viewer: Viewer, campaign_id: str, moment: datetime
    ) -> tuple[Campaign, list[Member]]:
        """Hold a campaign whose offer the viewer may answer; return it with its members.

        Raises:
            NotFound: no member.
            Forbidden: a spectator, or a player who is not asked yet.
            InvalidInput: ``GM_PRESENT``: the campaign has a GM.
        """
        demand(await campaigns.held(campaign_id, viewer.account), Right.WRITE)
        campaign, members = await campaigns.row(campaign_id), await campaigns.members([campaign_id])
        if campaign.vacant_since is None:
            raise InvalidInput.single("GM_PRESENT", "This campaign has a GM.", "campaignId")
        if viewer.account not in offer_of(campaign.vacant_since, members, moment).asked:
            raise Forbidden.because("Players who have been here longer are asked first.", "campaignId")
        return campaign, members


async def open_succession(session: AsyncSession, campaign: str, moment: datetime) -> None:
    """Ask the players of a campaign, which is held, to run it, unless they are asked already.

    Args:
        session: the unit of work.
        campaign: id of a campaign that has no GM.
        moment: the present moment.
    """
    row = await Campaigns(session).row(campaign)
    if row.vacant_since is None:
        row.vacant_since = moment
        await Campaigns(session).note_changed(campaign)
        text = "The campaign has no GM; its players are asked to run it, who has been here longest first."
        await Log(session).write(campaign, "game_master.sought", text, moment, subject=campaign)


async def _hand_over_estates(session: AsyncSession, campaign: str, heir: str, moment: datetime) -> None:
    """Publish that what deleted accounts shared with a campaign is its new GM's."""
    campaigns = Campaigns(session)
    accounts = await campaigns.estates_in(campaign)
    await campaigns.delete_estates(campaign)
    for account in accounts:
        waiting = await campaigns.estates_of(account)
        await publish(session, OUTBOX, account_erased(account, {campaign: heir}, waiting), moment)
