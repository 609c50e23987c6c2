"""What is told of the maps of a campaign, or of an account's own, when one is made, shared otherwise, led by
another scene or deleted; what is played on a map is told by ``mapChanges`` alone."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.models import UPDATES, MapRow
from services.map.play.state import FogMode
from services.shared.updates import GMS, OWN, TABLE, Change, PlaceUpdates


class Listed(NamedTuple):
    """Where a map is listed, and for whom.

    Attributes:
        id: of the map.
        owner: account id.
        campaign: its id, if any.
        sharing: how it is shared.
    """

    id: str
    owner: str
    campaign: str | None
    sharing: str


async def note_listed(
    session: AsyncSession, rows: Sequence[MapRow | Listed], *, shown_before: bool = False
) -> None:
    """Write that maps have changed in the lists of those who see them.

    Args:
        session: the unit of work that changes them.
        rows: the maps as they are now.
        shown_before: whether those that are hidden now were seen by the whole table before.
    """
    await PlaceUpdates(session, UPDATES).note([_listed(row, shown_before) for row in rows])


async def note_gone(session: AsyncSession, maps: Collection[str]) -> None:
    """Write that maps are deleted."""
    await PlaceUpdates(session, UPDATES).withdraw(maps)


def _listed(row: MapRow | Listed, shown_before: bool) -> Change:
    if row.campaign is None:
        return Change(row.owner, row.id, (OWN,))
    if row.sharing == FogMode.HIDDEN:
        gone_for = (TABLE,) if shown_before else ()
        return Change(row.campaign, row.id, (GMS, row.owner), gone_for)
    return Change(row.campaign, row.id, (TABLE, GMS, row.owner))
