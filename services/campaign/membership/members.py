"""Members: their roles, and how they leave. No GM who is the last one leaves or steps down; a campaign whose
last GM has deleted their account waits for another one (``succession``), and ends with its last member."""

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.membership.deletion import clear
from services.campaign.membership.events import character_unseated, member_barred
from services.campaign.membership.models import Campaign, Member
from services.campaign.membership.repository import Campaigns
from services.campaign.membership.requests import ChangeRole, RemoveMember
from services.campaign.membership.service import existing
from services.campaign.scenes.games import Games
from services.campaign.scenes.history import Author
from services.campaign.scenes.roster import Roster
from services.campaign.tables import OUTBOX
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.outbox import publish, publish_all
from services.shared.policy import RIGHT_OF_ROLE, Right, demand
from services.shared.problems import Forbidden, NotFound


class Members:
    """The use cases of members.

    Args:
        database: where campaigns are kept.
        clock: the present moment.
        games: the games that are played here, and what they keep of campaigns, by slug.
    """

    def __init__(self, database: Database, clock: Clock, games: Games) -> None:
        self._database = database
        self._clock = clock
        self._games = games

    async def change_role(self, viewer: Viewer, asked: ChangeRole, key: str | None = None) -> Campaign:
        """Give a member another role, and return the campaign.

        Raises:
            NotFound: no member, or no such member.
            Forbidden: no GM, or the last one would step down.
            IdempotencyConflict: the key was used for another request.
        """
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            campaigns = Campaigns(session)
            if not done.before:
                demand(await campaigns.held(asked.campaign_id, viewer.account), Right.RUN)
                member = await campaigns.member(asked.campaign_id, asked.account_id)
                if member is None:
                    raise NotFound.of("member", "accountId")
                if asked.role is not Role.GM:
                    await _keep_a_gm(campaigns, member, "role")
                if member.rank is not asked.role:
                    await campaigns.change_role(member, asked.role, moment)
                    if RIGHT_OF_ROLE[asked.role] < Right.WRITE:
                        await publish(session, OUTBOX, member_barred(member.campaign, member.account), moment)
                    await Log(session).write(
                        asked.campaign_id,
                        "member.changed",
                        f"A member is now {asked.role}.",
                        moment,
                        account=viewer.account,
                        subject=asked.account_id,
                    )
                done.answer = asked.campaign_id
            return await existing(campaigns, viewer, asked.campaign_id)

    async def remove(self, viewer: Viewer, asked: RemoveMember, key: str | None = None) -> str:
        """Leave a campaign, or as GM send a member away; return their account id. Their characters leave too.

        Raises:
            NotFound: no member, or no such member.
            Forbidden: another one, and no GM; or the last GM would leave.
            IdempotencyConflict: the key was used for another request.
        """
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if done.answer is not None:
                return done.answer
            campaigns, leaves = Campaigns(session), asked.account_id == viewer.account
            role = await campaigns.held(asked.campaign_id, viewer.account)
            if not leaves:
                demand(role, Right.RUN)
            member = await campaigns.member(asked.campaign_id, asked.account_id)
            if member is None:
                raise NotFound.of("campaign" if leaves else "member", "accountId")
            await _keep_a_gm(campaigns, member, "accountId")
            author = Author(viewer.account, not leaves)
            await part(session, Roster(session, self._games, moment), member, author, moment)
            if await campaigns.member_count(asked.campaign_id) == 0:
                await clear(session, asked.campaign_id, moment)
            else:
                await Log(session).write(
                    asked.campaign_id,
                    "member.left",
                    "A member leaves the table.",
                    moment,
                    account=viewer.account,
                    subject=asked.account_id,
                )
            done.answer = asked.account_id
            return asked.account_id


async def part(
    session: AsyncSession, roster: Roster, member: Member, author: Author, moment: datetime
) -> None:
    """Delete a membership and its seats, publish it, and tell what games keep of the campaign, which is held.

    Args:
        session: the unit of work.
        roster: tells it, in that unit of work.
        member: who leaves.
        author: who it is told by.
        moment: the present moment.
    """
    campaigns = Campaigns(session)
    characters = [seat.character for seat in await campaigns.seats_of(member)]
    await campaigns.remove_member(member, moment)
    await publish(session, OUTBOX, member_barred(member.campaign, member.account), moment)
    gone = [character_unseated(member.campaign, character) for character in characters]
    await publish_all(session, OUTBOX, gone, moment)
    for character in characters:
        await roster.left(member.campaign, character, author)


async def _keep_a_gm(campaigns: Campaigns, member: Member, *path: str) -> None:
    """Raise where a campaign would lose its last GM.

    Raises:
        Forbidden: it would.
    """
    if member.rank is Role.GM and await campaigns.gm_count(member.campaign) == 1:
        raise Forbidden.because("A campaign needs a GM: name another one first.", *path)
