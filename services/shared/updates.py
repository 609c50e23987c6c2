"""What has changed in a list since a client read it, deletions too: pages that neither skip nor repeat.

A list belongs to a place, a campaign or an account, and each place counts its changes: 1, 2, 3, ... A change
takes its number in the unit of work that makes it, which holds the place's counter until it is committed, so
that numbers become visible in their order (see ``services.shared.sequence``); no clock is asked. Of each
thing only the last change is kept: who asks what has changed since a number is told each thing once.

Who sees more of a place than others does, the game masters, is an audience of its own: what they alone see is
not even counted for the others. A thing that is hidden from an audience is gone for it.

A use case that shows what has changed reads a page, then the things on it as the viewer may see them, and
then leaves out what has ``moved`` meanwhile or was not found: a later change of the list tells of it.
"""

import asyncio
import contextlib
import re
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    MetaData,
    String,
    Table,
    bindparam,
    delete,
    or_,
    select,
    text,
)
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.database import notify_replicas
from services.shared.pagination import MAX_NUMBER, encode_cursor, text_of_cursor
from services.shared.policy import Right, Seat
from services.shared.problems import NotFound, PublicError
from services.shared.retention import WithOwner, state_life
from services.shared.sequence import forget, next_value
from services.shared.stream import POLL_SECONDS, Wakes

T = TypeVar("T")

TABLE = "table"
"""Everybody at the table of a campaign."""

GMS = "gms"
"""Its game masters, who see all of it."""

OWN = "own"
"""The account itself, of its own list."""

_CURSOR = re.compile(r"~(\w{1,40})\.(\w{1,40})\.(\d{1,10})\.(\d{1,10})")
_WRITE = text(
    "INSERT INTO place_update (place, audience, thing, number, gone) "
    "VALUES (:place, :audience, :thing, :number, :gone) "
    "ON CONFLICT (place, audience, thing) DO UPDATE SET number = excluded.number, gone = excluded.gone"
).bindparams(bindparam("gone", type_=Boolean))
_COUNTED = text("SELECT value FROM sequence WHERE scope = :scope")


def updates_table(metadata: MetaData) -> Table:
    """Add the table of last changes to a service's tables; it needs the counters of ``sequence_table``."""
    table = Table(
        "place_update",
        metadata,
        Column("place", String(40), primary_key=True),
        Column("audience", String(40), primary_key=True),
        Column("thing", String(40), primary_key=True),
        Column("number", BigInteger, nullable=False),
        Column("gone", Boolean, nullable=False),
        Index("ix_place_update_number", "place", "audience", "number"),
        Index("ix_place_update_thing", "thing"),
    )
    return state_life(table, WithOwner("the campaign or account whose list it stands in"))


@dataclass(frozen=True, slots=True)
class Change:
    """Something that a list is to tell of.

    Attributes:
        place: id of the campaign or account whose list it is.
        thing: id of what has changed.
        audiences: who has it in their list: ``TABLE``, ``GMS``, ``OWN`` or the id of a single account.
        gone_for: who has it in their list no more.
    """

    place: str
    thing: str
    audiences: tuple[str, ...]
    gone_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Since:
    """How far a client has read a list.

    Attributes:
        place: id of the campaign or account whose list it is.
        audience: as whom the client read it.
        number: of the last change that it has.
        began: the newest number when it began; what was gone by then, it has never had.
    """

    place: str
    audience: str
    number: int
    began: int

    def text(self) -> str:
        """Return it as the API writes cursors."""
        return encode_cursor(f"~{self.place}.{self.audience}.{self.number}.{self.began}")

    @classmethod
    def of(cls, cursor: str, place: str) -> "Since":
        """Read it back.

        Raises:
            PublicError: ``BAD_CURSOR`` when it was not made for this list.
        """
        found = _CURSOR.fullmatch(text_of_cursor(cursor))
        if found is None or found[1] != place or max(int(found[3]), int(found[4])) > MAX_NUMBER:
            raise PublicError("BAD_CURSOR", "The cursor `since` does not belong to this list.")
        return cls(found[1], found[2], int(found[3]), int(found[4]))


@dataclass(frozen=True, slots=True)
class Line:
    """A thing whose last change has this number.

    Attributes:
        thing: its id.
        number: of the change.
        gone: whether the list has it no more.
    """

    thing: str
    number: int
    gone: bool


@dataclass(frozen=True, slots=True)
class UpdatePage:
    """Some changes of a list.

    Attributes:
        lines: the changes, in their order.
        since: where the next page begins.
        more: whether there are more by now.
        anew: whether the list is read from its beginning: what a client had of it before counts no more.
        audiences: for whom it was read.
    """

    lines: Sequence[Line]
    since: Since
    more: bool
    anew: bool
    audiences: tuple[str, ...]


class PlaceUpdates:
    """The last changes of the lists of one service.

    Args:
        session: any; a unit of work for what writes.
        table: made by ``updates_table``.
    """

    def __init__(self, session: AsyncSession, table: Table) -> None:
        self._session = session
        self._table = table

    async def note(self, changes: Collection[Change]) -> None:
        """Write that things have changed, each with a number of its own in its place's list."""
        by_place: dict[str, list[Change]] = defaultdict(list)
        for change in changes:
            by_place[change.place].append(change)
        # In one order for everybody, as each place's counter is held until the end.
        for place in sorted(by_place):
            found = by_place[place]
            last = await next_value(self._session, scope_of(place), count=len(found))
            notify_replicas(self._session, scope_of(place))
            rows = [
                {"place": place, "audience": who, "thing": one.thing, "number": number, "gone": gone}
                for number, one in enumerate(found, last - len(found) + 1)
                for gone, told in ((False, one.audiences), (True, one.gone_for))
                for who in told
            ]
            await self._session.execute(_WRITE, rows)

    async def audiences(self, things: Collection[str]) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """Read who has things in their lists, by place and thing."""
        table = self._table
        query = select(table.c.place, table.c.thing, table.c.audience)
        query = query.where(table.c.thing.in_(things), table.c.gone.is_(False))
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        for place, thing, audience in (await self._session.execute(query)).all():
            found[place, thing] = (*found.get((place, thing), ()), audience)
        return found

    async def changed(self, things: Collection[str], *, hidden_from: Collection[str] = ()) -> None:
        """Write that things have changed, in each list that has them but those of who may not know it."""
        found = sorted((await self.audiences(things)).items())
        await self.note(
            [
                Change(place, one, tuple(who for who in told if who not in hidden_from))
                for (place, one), told in found
            ]
        )

    async def withdraw(self, things: Collection[str], place: str | None = None) -> None:
        """Write that things are gone, from one place's lists or from each that has them."""
        found = sorted((await self.audiences(things)).items())
        await self.note(
            [Change(where, one, (), told) for (where, one), told in found if place in (None, where)]
        )

    async def forget(self, place: str) -> None:
        """Delete a place's list and its counter: nobody reads it from now on."""
        await self._session.execute(delete(self._table).where(self._table.c.place == place))
        await forget(self._session, [scope_of(place)])

    async def page(
        self, place: str, audiences: tuple[str, ...], since: Since | None, *, first: int
    ) -> UpdatePage:
        """Read what has changed in a place's list.

        Args:
            place: id of the campaign or account.
            audiences: for whom it is read, first the one that says as whom; a thing stands in one of their
                lists, or in several with the same number.
            since: how far the client has read; another audience's counts as nothing, None.
            first: how many changes at most.
        """
        anew = since is None or since.audience != audiences[0]
        if since is None or anew:
            counted = (await self._session.execute(_COUNTED, {"scope": scope_of(place)})).scalar_one_or_none()
            since = Since(place, audiences[0], 0, int(counted or 0))
        table = self._table
        told = or_(table.c.gone.is_(False), table.c.number > since.began)
        query = (
            select(table.c.thing, table.c.number, table.c.gone)
            .where(table.c.place == place, table.c.audience.in_(audiences))
            .where(table.c.number > since.number, told)
            .order_by(table.c.number, table.c.gone.desc())
            .limit((first + 1) * len(audiences))
        )
        rows = (await self._session.execute(query)).all()
        # The last line of a thing counts; of two with one number, that by which the viewer has it.
        last = {row.thing: Line(row.thing, row.number, row.gone) for row in rows}
        lines = sorted(last.values(), key=lambda line: line.number)
        number = lines[:first][-1].number if lines else since.number
        following = Since(place, since.audience, number, since.began)
        return UpdatePage(lines[:first], following, len(lines) > first, anew, audiences)

    async def moved(self, page: UpdatePage) -> frozenset[str]:
        """Read which things of a page have changed again since it was read; ask after the things are read."""
        table, place = self._table, page.since.place
        numbers = {line.thing: line.number for line in page.lines}
        query = select(table.c.thing, table.c.number).where(
            table.c.place == place,
            table.c.audience.in_(page.audiences),
            table.c.thing.in_(numbers),
        )
        rows = (await self._session.execute(query)).all()
        return frozenset(row.thing for row in rows if row.number > numbers[row.thing])


def audiences_of(seat: Seat) -> tuple[str, ...]:
    """Return in whose lists of a place what a viewer sees stands."""
    if seat.campaign is None:
        return (OWN,)
    return (GMS,) if seat.may(Right.RUN) else (TABLE, seat.account)


def scope_of(place: str) -> str:
    """Name the counter of a place's changes."""
    return f"updates:{place}"


@dataclass(frozen=True, slots=True)
class Told(Generic[T]):
    """Changes of a list as a viewer may see them.

    Attributes:
        page: what has changed.
        things: those that are there for the viewer, by id.
        moved: ids of those that are told later.
    """

    page: UpdatePage
    things: Mapping[str, T]
    moved: frozenset[str]

    def lines(self) -> list[tuple[str, T | None]]:
        """Return the id of each thing that is told of, and the thing unless it is gone."""
        return [(line.thing, thing) for line, thing in self._told()]

    def steps(self) -> list[tuple[str, T | None, Since]]:
        """Return the same with how far a client has read that has each."""
        since = self.page.since
        return [(line.thing, thing, replace(since, number=line.number)) for line, thing in self._told()]

    def _told(self) -> list[tuple[Line, T | None]]:
        found: list[tuple[Line, T | None]] = []
        for line in self.page.lines:
            if line.thing in self.moved:
                continue
            if line.gone:
                found.append((line, None))
            elif line.thing in self.things:
                found.append((line, self.things[line.thing]))
        return found


async def follow_updates(
    wakes: Wakes, place: str, fetch: Callable[[str | None], Awaitable[Told[T] | None]], after: str | None
) -> AsyncGenerator[tuple[str, T | None, Since, bool], None]:
    """Yield what has changed in a list since a cursor, then each new change, once.

    Args:
        wakes: signals of what was committed.
        place: id of the campaign or account whose list it is.
        fetch: reads a page since a cursor, with the viewer's rights checked anew.
        after: how far the client has read; None from the beginning.

    Yields:
        The id of the thing, the thing unless it is gone, how far the client has read with it, and whether
        the list begins anew with it.

    Raises:
        NotFound: the viewer may not, or no longer, see the list.
    """
    with wakes.watch(scope_of(place)) as signal:
        while True:
            signal.clear()
            told = await fetch(after)
            if told is None:
                raise NotFound.of("campaign", "campaignId")
            anew = told.page.anew
            for thing, found, since in told.steps():
                yield thing, found, since, anew
                anew = False
            after = told.page.since.text()
            if not told.page.more:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await signal.wait()
