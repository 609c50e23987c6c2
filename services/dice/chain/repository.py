"""All SQL of the chains, and the guard that no seed is used and then forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import event, func, update
from sqlalchemy.orm import Session
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.chain.models import EpochRow, ReceiptRow, ReservationRow, SigningKeyRow
from services.rules.dice.vr1 import Chain
from services.shared.sequence import take_turns

_UNIT = "vr1 unit of work"


class DrawForgotten(RuntimeError):
    """A unit of work drew from a chain and did not say what came of it: an error of the program."""


class NumbersReserved(Exception):
    """The next numbers of a place are taken by rolls that are still being evaluated.

    Attributes:
        place: campaign or account.
        batch: names the request of those rolls.
    """

    def __init__(self, place: str, batch: str) -> None:
        super().__init__("numbers of this place are reserved")
        self.place = place
        self.batch = batch


@dataclass(frozen=True, slots=True)
class Live:
    """A live epoch and the key that signs for it at present."""

    epoch: EpochRow
    key: SigningKeyRow


@dataclass(slots=True)
class _Unit:
    """What a unit of work holds.

    Attributes:
        live: live epochs of places that it holds, so that nobody else changes them.
        begun: ids of epochs that it began: nobody has seen their commitments yet.
        draw: the draw that is neither recorded nor void.
    """

    live: dict[tuple[str, Chain], Live] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    draw: object | None = None


class Chains:
    """The chains of one database, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def live(self, place: str, chain: Chain) -> Live | None:
        """Read a place's live epoch; None before the first one."""
        query = (
            select(EpochRow, SigningKeyRow)
            .join(SigningKeyRow, col(SigningKeyRow.retired_at).is_(None))
            .where(EpochRow.place == place, EpochRow.live == chain.value)
            .order_by(col(SigningKeyRow.created_at).desc(), col(SigningKeyRow.id))
            .limit(1)
            # The session may know the epoch from before the place was held.
            .execution_options(populate_existing=True)
        )
        found = (await self._session.exec(query)).first()
        return None if found is None else Live(*found)

    async def hold_live(self, place: str, chain: Chain) -> Live | None:
        """Hold a place until the unit of work ends, and read its live epoch; None before the first one.

        Whoever else draws there or closes an epoch waits. A lock on the epoch itself would not do: whoever
        waits for it while it is closed finds no row. What is held already is not read again.
        """
        unit = self._unit()
        if (place, chain) not in unit.live:
            if not any(held == place for held, _ in unit.live):
                await self.hold(place)
            live = await self.live(place, chain)
            if live is None:
                return None
            unit.live[place, chain] = live
        return unit.live[place, chain]

    async def require_free(self, place: str) -> None:
        """Check that no rolls which are still being evaluated have taken numbers of a place that is held.

        Raises:
            NumbersReserved: some have.
        """
        row = await self.reservation(place)
        if row is not None:
            raise NumbersReserved(place, row.batch)

    async def reservation(self, place: str) -> ReservationRow | None:
        """Read the reservation of a place."""
        return await self._session.get(ReservationRow, place, populate_existing=True)

    async def reserved(self, batch: str) -> Sequence[str]:
        """Name the places at which rolls of a batch are still being evaluated."""
        query = select(ReservationRow.place).where(ReservationRow.batch == batch)
        return (await self._session.exec(query)).all()

    async def left_behind(self, moment: datetime, *, limit: int = 100) -> Sequence[ReservationRow]:
        """Read reservations that were not settled by the end of their lease."""
        query = select(ReservationRow).where(col(ReservationRow.lease_until) <= moment).limit(limit)
        return (await self._session.exec(query)).all()

    def begin(self, live: Live) -> None:
        """Add an epoch as the live one of a place that is held."""
        self._session.add(live.epoch)
        unit = self._unit()
        unit.live[live.epoch.place, Chain(live.epoch.chain)] = live
        unit.begun.add(live.epoch.id)

    def end(self, live: Live) -> None:
        """Note that an epoch is not the live one of its place any more."""
        self._unit().live.pop((live.epoch.place, Chain(live.epoch.chain)), None)

    def begun(self, epoch_id: str) -> bool:
        """Tell whether this unit of work began an epoch, so that nobody can know its commitment yet."""
        return epoch_id in self._unit().begun

    async def newest(self, place: str, chain: Chain) -> EpochRow | None:
        """Read the newest epoch of a chain."""
        query = (
            select(EpochRow)
            .where(EpochRow.place == place, EpochRow.chain == chain.value)
            .order_by(col(EpochRow.ordinal).desc())
            .limit(1)
        )
        return (await self._session.exec(query)).first()

    async def epoch(self, epoch_id: str) -> EpochRow | None:
        """Read an epoch."""
        return await self._session.get(EpochRow, epoch_id)

    async def epochs(self, place: str, chain: Chain, *, after: int, limit: int) -> list[EpochRow]:
        """Read epochs of a chain in order, from the one behind number ``after``."""
        query = (
            select(EpochRow)
            .where(EpochRow.place == place, EpochRow.chain == chain.value, EpochRow.ordinal > after)
            .order_by(col(EpochRow.ordinal))
            .limit(limit)
        )
        return list((await self._session.exec(query)).all())

    async def receipts(self, epoch: str, *, after: int, until: int, limit: int) -> list[ReceiptRow]:
        """Read receipts of an epoch in order, behind number ``after`` and up to ``until``."""
        query = (
            select(ReceiptRow)
            .where(ReceiptRow.epoch == epoch, ReceiptRow.number > after, ReceiptRow.number <= until)
            .order_by(col(ReceiptRow.number))
            .limit(limit)
        )
        return list((await self._session.exec(query)).all())

    async def receipt(self, epoch: str, number: int) -> ReceiptRow | None:
        """Read the receipt of a number."""
        return await self._session.get(ReceiptRow, (epoch, number))

    async def receipt_of(self, roll: str) -> ReceiptRow | None:
        """Read the receipt of a roll."""
        return (await self._session.exec(select(ReceiptRow).where(ReceiptRow.roll == roll))).first()

    async def last_revealed(self, epoch: str) -> int:
        """Return the greatest number whose receipt is not hidden; 0 when all are."""
        query = select(func.max(ReceiptRow.number)).where(
            ReceiptRow.epoch == epoch, col(ReceiptRow.hidden).is_(False)
        )
        return (await self._session.exec(query)).one() or 0

    async def hides(self, epoch: str) -> bool:
        """Tell whether any receipt of an epoch is hidden."""
        query = select(ReceiptRow.number).where(ReceiptRow.epoch == epoch, col(ReceiptRow.hidden)).limit(1)
        return (await self._session.exec(query)).first() is not None

    async def reveal(self, roll: str) -> None:
        """Hide the receipt of a roll no longer."""
        await self._session.execute(
            update(ReceiptRow).where(col(ReceiptRow.roll) == roll).values(hidden=False)
        )

    async def key(self) -> SigningKeyRow | None:
        """Read the key that signs at present."""
        query = (
            select(SigningKeyRow)
            .where(col(SigningKeyRow.retired_at).is_(None))
            .order_by(col(SigningKeyRow.created_at).desc(), col(SigningKeyRow.id))
            .limit(1)
        )
        return (await self._session.exec(query)).first()

    async def keys(self) -> Sequence[SigningKeyRow]:
        """Read every key that there ever was, oldest first."""
        query = select(SigningKeyRow).order_by(col(SigningKeyRow.created_at), col(SigningKeyRow.id))
        return (await self._session.exec(query)).all()

    async def retire_keys(self, moment: datetime) -> None:
        """Let no key sign any more that there is now."""
        await self._session.execute(
            update(SigningKeyRow).where(col(SigningKeyRow.retired_at).is_(None)).values(retired_at=moment)
        )

    async def hold(self, what: str) -> None:
        """Take turns with every other unit of work that holds the same: a place, or after it "key"."""
        await take_turns(self._session, f"vr1:{what}")

    def add(self, row: ReceiptRow | SigningKeyRow) -> None:
        """Add a new row."""
        self._session.add(row)

    async def flush(self) -> None:
        """Send what was changed and added."""
        await self._session.flush()

    def begin_draw(self, draw: object) -> None:
        """Remember that a seed is in use; the unit of work cannot be committed before it is settled.

        Raises:
            DrawForgotten: another one is in use.
        """
        unit = self._unit()
        if unit.draw is not None:
            raise DrawForgotten("record the draw before, or make it void, before drawing again")
        unit.draw = draw

    def settle_draw(self, draw: object) -> None:
        """Forget the seed in use.

        Raises:
            DrawForgotten: it is not this draw's.
        """
        unit = self._unit()
        if unit.draw is not draw:
            raise DrawForgotten("this draw is not the one that is open in this unit of work")
        unit.draw = None

    def _unit(self) -> _Unit:
        unit = self._session.info.get(_UNIT)
        if unit is None:
            unit = self._session.info[_UNIT] = _Unit()
            event.listen(self._session.sync_session, "before_commit", _end)
        return unit


def _end(session: Session) -> None:
    """Let a unit of work be committed only when it told what came of its draws; it holds nothing then."""
    unit = session.info[_UNIT]
    if unit.draw is not None:
        raise DrawForgotten("a draw must be recorded or made void before the unit of work is committed")
    unit.live.clear()
    unit.begun.clear()
