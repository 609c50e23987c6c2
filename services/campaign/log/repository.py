"""All SQL of the log."""

from datetime import datetime

from sqlalchemy import update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.events import logged
from services.campaign.log.models import LogEntry
from services.campaign.membership.models import Member
from services.campaign.membership.repository import Campaigns
from services.campaign.tables import METADATA, OUTBOX
from services.shared.outbox import publish
from services.shared.problems import NotFound
from services.shared.pruning import remove_step
from services.shared.sequence import forget, next_value, take_turns


class Log:
    """The logs of all campaigns, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def entries(
        self, campaign: str, account: str, *, after: int | None = None, limit: int, newest_first: bool = False
    ) -> list[LogEntry]:
        """Read entries of a log by number, from the one behind ``after`` in the order asked for.

        Membership belongs into the same statement: between two, a member may be sent away, and would still be
        shown what was written after that.
        """
        seq = col(LogEntry.seq)
        query = (
            select(LogEntry)
            .join(Member, col(Member.campaign) == col(LogEntry.campaign))
            .where(LogEntry.campaign == campaign, Member.account == account)
        )
        if after is not None:
            query = query.where(seq < after if newest_first else seq > after)
        query = query.order_by(seq.desc() if newest_first else seq.asc()).limit(limit)
        return list((await self._session.exec(query)).all())

    async def write(
        self,
        campaign: str,
        kind: str,
        text: str,
        moment: datetime,
        *,
        account: str | None = None,
        subject: str | None = None,
        external_author: str | None = None,
    ) -> LogEntry:
        """Append an entry, numbered in the order of commits, and publish that the log has grown.

        Raises:
            NotFound: the campaign was deleted while this unit of work waited for its turn.
        """
        seq = await next_value(self._session, _scope(campaign))
        if seq == 1 and not await Campaigns(self._session).exists(campaign):
            raise NotFound.of("campaign")
        entry = LogEntry(
            campaign=campaign,
            seq=seq,
            kind=kind,
            account=account,
            subject=subject,
            external_author=external_author,
            text=text,
            created_at=moment,
        )
        self._session.add(entry)
        await publish(self._session, OUTBOX, logged(campaign, seq, kind), moment)
        return entry

    async def hold(self, campaign: str) -> None:
        """Take turns with every other unit of work that writes into a campaign's log."""
        await take_turns(self._session, _scope(campaign))

    async def entry(self, campaign: str, seq: int) -> LogEntry | None:
        """Read an entry by its number, whoever may see it."""
        return await self._session.get(LogEntry, (campaign, seq))

    async def remove_next(self, campaign: str) -> bool:
        """Take a step of deleting a campaign's log; tell whether more waits."""
        entry = METADATA.tables["log_entry"]
        return await remove_step(self._session, (entry, entry.c.campaign == campaign))

    async def forget_external(self, account: str) -> None:
        """Forget for whom elsewhere an account did what the logs tell of it."""
        external = col(LogEntry.external_author)
        query = update(LogEntry).where(col(LogEntry.account) == account, external.is_not(None))
        await self._session.execute(query.values(external_author=None))

    async def forget(self, campaign: str) -> None:
        """Begin the numbers of a campaign anew, once all who write into its log are done: nobody writes into
        the log of one that is deleted.
        """
        await self.hold(campaign)
        await forget(self._session, [_scope(campaign)])


def _scope(campaign: str) -> str:
    return f"log:{campaign}"
