"""All SQL about rolls. Every query that answers a viewer is cut to what the viewer may see: their own rolls,
the open ones of the campaigns they are members of, and the secret ones of those that they run."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.models import RollRow
from services.shared.access import Access
from services.shared.pagination import Page, read_page


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Which rolls are wanted, of those that may be seen; None = whichever.

    Attributes:
        campaign, character, account, scene: ids.
        since: rolled at this moment or later.
        until: rolled before this moment.
    """

    campaign: str | None = None
    character: str | None = None
    account: str | None = None
    scene: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def visible_to(access: Access) -> ColumnElement[bool]:
    """Give the condition that cuts rolls to those the viewer may see."""
    own = (col(RollRow.account) == access.account) & col(RollRow.campaign).is_(None)
    open_ones = col(RollRow.campaign).in_(list(access.roles)) & col(RollRow.seq).is_not(None)
    led = [campaign for campaign in access.roles if access.runs(campaign)]
    return or_(own, open_ones, col(RollRow.campaign).in_(led)) if led else or_(own, open_ones)


class Rolls:
    """The rolls of one database as one viewer sees them, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
        access: the viewer's.
    """

    def __init__(self, session: AsyncSession, access: Access) -> None:
        self._session = session
        self._visible = visible_to(access)

    async def by_id(self, ids: Sequence[str]) -> dict[str, RollRow]:
        """Read rolls by id."""
        query = select(RollRow).where(col(RollRow.id).in_(ids), self._visible)
        return {row.id: row for row in (await self._session.exec(query)).all()}

    async def for_change(self, roll_id: str) -> RollRow | None:
        """Read a roll and keep others from changing it until the unit of work ends."""
        query = select(RollRow).where(RollRow.id == roll_id, self._visible).with_for_update()
        return (await self._session.exec(query)).first()

    async def of_batch(self, batch: str) -> list[RollRow]:
        """Read the rolls of a batch, which this very account is known to have made, in their order."""
        query = select(RollRow).where(RollRow.batch == batch).order_by(col(RollRow.batch_place))
        return list((await self._session.exec(query)).all())

    async def page(self, wanted: Narrowed, *, first: int, after: str | None) -> Page[RollRow]:
        """Read a page of rolls, newest first."""
        query = select(RollRow).where(self._visible)
        for column, value in (
            (RollRow.campaign, wanted.campaign),
            (RollRow.character, wanted.character),
            (RollRow.account, wanted.account),
            (RollRow.scene, wanted.scene),
        ):
            if value is not None:
                query = query.where(col(column) == value)
        if wanted.since is not None:
            query = query.where(col(RollRow.created_at) >= wanted.since)
        if wanted.until is not None:
            query = query.where(col(RollRow.created_at) < wanted.until)
        return await read_page(self._session, query, RollRow.id, first=first, after=after)

    async def behind(self, place: str, seq: int, *, secret: bool, limit: int) -> list[RollRow]:
        """Read the open or the secret rolls of a place by number, from the one behind ``seq``."""
        number = col(RollRow.secret_seq if secret else RollRow.seq)
        query = (
            select(RollRow)
            .where(RollRow.place == place, number > seq, self._visible)
            .order_by(number)
            .limit(limit)
        )
        return list((await self._session.exec(query)).all())

    def add(self, roll: RollRow) -> None:
        """Add a new roll."""
        self._session.add(roll)
