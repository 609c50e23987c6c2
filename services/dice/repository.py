"""All SQL of the dice service. Every query that answers a viewer is cut to what the viewer may see: their own
rolls, and those of the campaigns they are members of."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.models import RollRow
from services.shared.access import Access
from services.shared.pagination import Page, read_page


def visible_to(access: Access) -> ColumnElement[bool]:
    """Give the condition that cuts rolls to those the viewer may see."""
    return or_(
        col(RollRow.campaign).in_(list(access.roles)),
        (col(RollRow.account) == access.account) & col(RollRow.campaign).is_(None),
    )


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

    async def own(self, roll_id: str) -> RollRow:
        """Read a roll that this very account is known to have made."""
        return (await self._session.exec(select(RollRow).where(RollRow.id == roll_id))).one()

    async def page(
        self,
        *,
        campaign: str | None = None,
        character: str | None = None,
        account: str | None = None,
        first: int,
        after: str | None,
    ) -> Page[RollRow]:
        """Read a page of rolls, newest first, narrowed by what is given."""
        query = select(RollRow).where(self._visible)
        for column, wanted in (
            (RollRow.campaign, campaign),
            (RollRow.character, character),
            (RollRow.account, account),
        ):
            if wanted is not None:
                query = query.where(col(column) == wanted)
        return await read_page(self._session, query, RollRow.id, first=first, after=after)

    async def behind(self, place: str, seq: int, *, limit: int) -> list[RollRow]:
        """Read the rolls of a place by number, from the one behind ``seq``."""
        query = (
            select(RollRow)
            .where(RollRow.place == place, RollRow.seq > seq, self._visible)
            .order_by(col(RollRow.seq))
            .limit(limit)
        )
        return list((await self._session.exec(query)).all())

    def add(self, roll: RollRow) -> None:
        """Add a new roll."""
        self._session.add(roll)
