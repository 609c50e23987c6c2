"""All SQL about rolls. Every query that answers a viewer is cut to what the viewer may see: their own rolls,
the open ones of the campaigns they are members of, and the secret ones of those that they run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Table, bindparam, or_, union_all, update
from sqlalchemy import select as select_columns
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.rolls.models import RollRow
from services.dice.tables import BAGS, METADATA
from services.shared.access import Access, Role
from services.shared.ids import first_id
from services.shared.pagination import Page, read_page
from services.shared.sequence import take_turns


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Which rolls are wanted, of those that may be seen; None = whichever.

    Attributes:
        campaign, character, account, scene: ids.
        external_message: the id that a message has elsewhere, by which a bot was asked for the roll.
        since: rolled at this moment or later.
        until: rolled before this moment.
    """

    campaign: str | None = None
    character: str | None = None
    account: str | None = None
    scene: str | None = None
    external_message: str | None = None
    since: datetime | None = None
    until: datetime | None = None


CLOCKS_APART = timedelta(minutes=1)
"""How much later than its moment a roll's id may be: that of its request's place, of a lock it waited for."""

MOST_BRANCHES = 200
"""Places that are paged one by one; SQLite has at most 500 of them in one query."""


VISIBLE = or_(
    col(RollRow.place) == bindparam("own"),
    col(RollRow.place).in_(bindparam("tables", expanding=True)) & col(RollRow.seq).is_not(None),
    col(RollRow.place).in_(bindparam("led", expanding=True)),
)
"""The condition that cuts rolls to those that a viewer may see, whose ``places_of`` are its parameters. Built
once, like the statements that most requests are answered by: to build them takes as long as to run them."""

_BY_ID = select(RollRow).where(col(RollRow.id).in_(bindparam("ids", expanding=True)), VISIBLE)
_FOR_CHANGE = select(RollRow).where(RollRow.id == bindparam("id"), VISIBLE).with_for_update()


def places_of(access: Access) -> Mapping[str, str | Sequence[str]]:
    """Returns the parameters of ``VISIBLE``: where a viewer's own rolls lie, the campaigns whose open rolls
    they see, and those whose secret ones they see too.
    """
    tables = tables_of(access)
    led = [campaign for campaign, role in tables.items() if role is Role.GM]
    return {"own": access.account, "tables": list(tables), "led": led}


def tables_of(access: Access) -> Mapping[str, Role]:
    """Returns the campaigns whose rolls a viewer may see: also those that were deleted, as their receipts
    stay to be checked."""
    return {**access.past, **access.roles} if access.past else access.roles


def _narrowing(wanted: Narrowed) -> list[ColumnElement[bool]]:
    found = [
        col(column) == value
        for column, value in (
            (RollRow.place, wanted.campaign),
            (RollRow.character, wanted.character),
            (RollRow.account, wanted.account),
            (RollRow.scene, wanted.scene),
            (RollRow.external_message, wanted.external_message),
        )
        if value is not None
    ]
    # Ids carry the moment, so that a span of time is found along the index that is read anyway.
    if wanted.since is not None:
        found.append(col(RollRow.created_at) >= wanted.since)
        found.append(col(RollRow.id) >= first_id("rol", _milliseconds(wanted.since)))
    if wanted.until is not None:
        found.append(col(RollRow.created_at) < wanted.until)
        found.append(col(RollRow.id) < first_id("rol", _milliseconds(wanted.until + CLOCKS_APART)))
    return found


def _milliseconds(moment: datetime) -> int:
    return int(moment.astimezone(UTC).timestamp() * 1000)


async def places_of_rolls(
    session: AsyncSession, rolls: Sequence[str]
) -> Mapping[str, tuple[str, str | None]]:
    """Read account and campaign of rolls, by id, to ask whether somebody sits at their tables."""
    query = select(RollRow.id, RollRow.account, RollRow.campaign).where(col(RollRow.id).in_(rolls))
    return {one: (account, campaign) for one, account, campaign in (await session.exec(query)).all()}


async def tables_of_scene(session: AsyncSession, scene: str) -> list[str]:
    """Read at which table a scene's rolls were made, likewise."""
    query = select(RollRow.campaign).where(RollRow.scene == scene).limit(1)
    return [campaign for campaign in (await session.exec(query)).all() if campaign is not None]


OF_A_PLACE = (
    "roll",
    "epoch",
    "reservation",
    "face_tally",
    "total_tally",
    "macro",
    "table_die",
    "table_settings",
)
"""The tables whose rows belong to a place, by which an account's own are found."""


def own_rows(account: str) -> list[tuple[Table, ColumnElement[bool]]]:
    """Return the tables in which an account has rows of its own, with the condition of those, in the order in
    which they go: receipts before their epochs.
    """
    epoch, receipt = METADATA.tables["epoch"], METADATA.tables["receipt"]
    epochs = select_columns(epoch.c.id).where(epoch.c.place == account)
    places = (METADATA.tables[name] for name in OF_A_PLACE)
    rolls = select_columns(col(RollRow.id)).where(col(RollRow.place) == account)
    return [
        (BAGS, BAGS.c.thing.in_(rolls)),
        (receipt, receipt.c.epoch.in_(epochs)),
        *((table, table.c.place == account) for table in places),
    ]


async def forget_external(session: AsyncSession, account: str, *, limit: int) -> bool:
    """Forget for which messages elsewhere an account made its next rolls; tell whether more wait."""
    query = select(RollRow.id).where(RollRow.account == account, col(RollRow.external_message).is_not(None))
    rolls = (await session.exec(query.limit(limit))).all()
    nothing = {"external_author": None, "external_message": None, "external_platform": None}
    await session.execute(update(RollRow).where(col(RollRow.id).in_(rolls)).values(**nothing))
    return len(rolls) == limit


class Rolls:
    """The rolls of one database as one viewer sees them, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
        access: the viewer's.
    """

    def __init__(self, session: AsyncSession, access: Access) -> None:
        self._session = session
        self._access = access
        self._places = places_of(access)

    async def by_id(self, ids: Sequence[str]) -> dict[str, RollRow]:
        """Read rolls by id."""
        rows = await self._session.exec(_BY_ID, params={**self._places, "ids": list(ids)})
        return {row.id: row for row in rows.all()}

    async def for_change(self, roll_id: str) -> RollRow | None:
        """Read a roll and keep others from changing it until the unit of work ends."""
        return (await self._session.exec(_FOR_CHANGE, params={**self._places, "id": roll_id})).first()

    async def of_batch(self, batch: str) -> list[RollRow]:
        """Read the rolls of a batch in their order; whoever asks is known to have a right to its answer."""
        query = select(RollRow).where(RollRow.batch == batch).order_by(col(RollRow.batch_place))
        return list((await self._session.exec(query)).all())

    async def hold(self, turn: str) -> None:
        """Take turns with every other unit of work of the same scene, or rest, until this one ends."""
        await take_turns(self._session, turn)

    async def page(self, wanted: Narrowed, *, first: int, after: str | None) -> Page[RollRow]:
        """Read a page of rolls, newest first."""
        narrowing = _narrowing(wanted)
        query = select(RollRow).where(VISIBLE, *narrowing)
        parameters = self._places
        single = wanted.campaign or wanted.character or wanted.scene
        if single is None and len(tables_of(self._access)) < MOST_BRANCHES:
            # Over several places at once a database would read and sort them whole: from each place its own
            # page is taken, along its index, and the page of the pages read.
            if after is not None:
                narrowing.append(col(RollRow.id) < after)
            newest = [
                select(RollRow.id)
                .where(*condition, *narrowing)
                .order_by(col(RollRow.id).desc())
                .limit(first + 1)
                for condition in self._conditions()
            ]
            pages = union_all(*(select(part.subquery().c.id) for part in newest))
            query, parameters = select(RollRow).where(col(RollRow.id).in_(pages)), {}
        return await read_page(
            self._session, query, RollRow.id, first=first, after=after, parameters=parameters
        )

    def _conditions(self) -> list[list[ColumnElement[bool]]]:
        """Returns the conditions of each place that the viewer may look at."""
        own: list[ColumnElement[bool]] = [col(RollRow.place) == self._access.account]
        found = [own]
        for campaign, role in tables_of(self._access).items():
            at_table: list[ColumnElement[bool]] = [col(RollRow.place) == campaign]
            if role is not Role.GM:
                at_table.append(col(RollRow.seq).is_not(None))
            found.append(at_table)
        return found

    async def behind(self, place: str, seq: int, *, secret: bool, limit: int) -> list[RollRow]:
        """Read the open or the secret rolls of a place by number, from the one behind ``seq``."""
        number = col(RollRow.secret_seq if secret else RollRow.seq)
        query = (
            select(RollRow).where(RollRow.place == place, number > seq, VISIBLE).order_by(number).limit(limit)
        )
        return list((await self._session.exec(query, params=self._places)).all())

    def add(self, roll: RollRow) -> None:
        """Add a new roll."""
        self._session.add(roll)
