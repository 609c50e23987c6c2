"""Rolls that are much work: their numbers are taken first, then they are evaluated, then they are kept.

A database has room for few writers, and SQLite for one: nothing long is done in a unit of work. But a number
that is taken must not be given back, or a roll that looks bad could be made again. So there are two units of
work, and between them a reservation that holds everything the roll follows from: expression, number, client
entropy. It can be evaluated as often as need be, by whichever process, and comes to the same. Nobody else
draws at the place meanwhile, so that its chain goes on in order. A process that dies leaves its reservation
to the next one that looks; a roll whose evaluation has to be ended is kept as a void. Many rolls are kept a
few at a time, and their reservation holds those that are still to be kept: whoever writes waits for a few.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any

import orjson
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.chain.ledger import Ledger, Reserved
from services.dice.chain.models import ReservationRow
from services.dice.chain.repository import Chains
from services.dice.rolls.evaluation import Evaluated, Stream, evaluate_all, given_up, prepare
from services.dice.rolls.keeper import Keeper, count
from services.dice.rolls.pending import PendingRoll
from services.dice.rolls.pricing import KEPT_AT_ONCE, KEPT_DRAWS_AT_ONCE
from services.dice.rolls.replay import Recorded
from services.dice.rolls.requests import ExternalMessage
from services.rules.dice.vr1 import Chain, Entropy
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.limits.turns import OWNER
from services.shared.problems import Unavailable
from services.shared.workers import Busy, Lost, OutOfMemory, OutOfTime, Workers

LEASE = timedelta(seconds=5)
"""After so long others may evaluate a reservation too; that does no harm, and is seldom needed."""

LOOK_AGAIN = 0.05
"""Seconds between two looks at a reservation that another process works on."""

SWEEP = 5.0
"""Seconds between two looks for reservations that nobody works on."""

PATIENCE = 4.0
"""Seconds that a request waits for rolls that are being evaluated; those who pass it on wait 5."""

log = structlog.get_logger(__name__)

Pledge = tuple[PendingRoll, Reserved]
"""A roll and its number."""


class StillRolling(Unavailable):
    """Rolls are being evaluated, and will be kept; whoever asked need not wait so long."""

    def __init__(self) -> None:
        super().__init__(
            "UNAVAILABLE",
            "Other dice are still being rolled here. What you asked for may yet be done: look again, or send "
            "it again with the same idempotency key.",
        )


class Reservations:
    """Evaluates rolls between two units of work.

    Args:
        database: where rolls are kept.
        clock: the present moment.
        ledger: the verifiable source of all faces.
        workers: the processes that evaluate.
    """

    def __init__(self, database: Database, clock: Clock, ledger: Ledger, workers: Workers) -> None:
        self._database = database
        self._clock = clock
        self._ledger = ledger
        self._keeper = Keeper(ledger)
        self._workers = workers
        self._warm = False
        self._running: dict[str, asyncio.Task[None]] = {}

    async def reserve(
        self,
        session: AsyncSession,
        rolls: Sequence[tuple[PendingRoll, bytes | None, str | None]],
        moment: datetime,
    ) -> None:
        """Take the numbers of a request's rolls, and keep what they follow from.

        Args:
            session: a unit of work.
            rolls: each with the client entropy and the epoch that were sent along, if they were.
            moment: the present one.

        Raises:
            EpochMoved: an epoch that was named is not the live one.
            NumbersReserved: other rolls of a place are being evaluated.
        """
        by_place: dict[str, list[tuple[PendingRoll, bytes | None, str | None]]] = {}
        for roll in rolls:
            by_place.setdefault(roll[0].place, []).append(roll)
        # In order, so that two requests over the same places never wait for each other.
        for place, own in sorted(by_place.items()):
            pledges: dict[str, Reserved] = {}
            for chain in Chain:
                drawn = [roll for roll in own if roll[0].chain is chain]
                if not drawn:
                    continue
                named = next((epoch for _, _, epoch in drawn if epoch is not None), None)
                clients = [client for _, client, _ in drawn]
                numbers = await self._ledger.reserve(session, place, chain, clients, moment, epoch=named)
                pledges |= {
                    wanted.roll: number for (wanted, _, _), number in zip(drawn, numbers, strict=True)
                }
            session.add(
                ReservationRow(
                    place=place,
                    batch=own[0][0].batch,
                    account=own[0][0].account,
                    rolls=_plain([(wanted, pledges[wanted.roll]) for wanted, _, _ in own]),
                    lease_until=moment + LEASE,
                    created_at=moment,
                )
            )

    async def finish(self, places: Sequence[str], batch: str, *, light: bool = False) -> None:
        """Evaluate and keep the rolls of a request, or wait until another process has.

        It goes on when whoever waits goes away.

        Args:
            places: where they are rolled.
            batch: name of the request.
            light: whether they are quickly evaluated, so that no worker is asked.

        Raises:
            StillRolling: it takes long; they will be kept all the same.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                for place in places:
                    await asyncio.shield(self._task(place, batch, light))
        except TimeoutError:
            raise StillRolling() from None

    async def wait(self, place: str, batch: str, seconds: float | None = None) -> None:
        """Wait until the rolls of another request at a place are kept; evaluate them if nobody does.

        Args:
            place: where they are rolled.
            batch: name of the other request.
            seconds: how long to wait; as long as requests do when None.

        Raises:
            StillRolling: that takes long.
        """
        try:
            async with asyncio.timeout(PATIENCE if seconds is None else seconds):
                while f"{place} {batch}" not in self._running:
                    row = await self._row(place)
                    if row is None or row.batch != batch:
                        return
                    if row.lease_until <= self._clock():
                        break
                    await asyncio.sleep(LOOK_AGAIN)
                await asyncio.shield(self._task(place, batch))
        except TimeoutError:
            raise StillRolling() from None

    async def sweep(self) -> None:
        """Evaluate, once, what was reserved by processes that are gone, and take a pause.

        The first time, after the pause, a worker is started, so that no roll has to wait for that.
        """
        async with self._database.read() as session:
            left = await Chains(session).left_behind(self._clock())
        for row in left:
            await asyncio.shield(self._task(row.place, row.batch))
        await asyncio.sleep(SWEEP)
        if not self._warm:
            self._warm = True
            await self._workers.run("", prepare)

    async def close(self) -> None:
        """End the evaluations; what is reserved stays so, and is found again."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._workers.close()

    def _task(self, place: str, batch: str, light: bool = False) -> asyncio.Task[None]:
        key = f"{place} {batch}"
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(self._finish(place, batch, light))
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return task

    async def _finish(self, place: str, batch: str, light: bool) -> None:
        # Another process may keep some of them meanwhile: what is left is then looked up again.
        while (row := await self._row(place)) is not None and row.batch == batch:
            OWNER.set(row.account)
            pledges = [_pledge(each) for each in orjson.loads(row.rolls)]
            found = await self._evaluated(row.account, pledges, light)
            start = 0
            while start < len(pledges):
                until = start + _few(found[start:])
                if not await self._settle(row, pledges[start:until], found[start:until], pledges[until:]):
                    break
                start = until
                await asyncio.sleep(0)  # SQLite is written within the loop: others have their turn

    async def _row(self, place: str) -> ReservationRow | None:
        async with self._database.read() as session:
            return await Chains(session).reservation(place)

    async def _evaluated(self, account: str, pledges: Sequence[Pledge], light: bool) -> list[Evaluated]:
        async with self._database.read() as session:
            questions = [
                (
                    wanted.expression,
                    wanted.definitions,
                    Stream(
                        await self._ledger.seed(session, number),
                        bytes.fromhex(number.epoch),
                        number.number,
                        bytes.fromhex(number.client),
                    ),
                )
                for wanted, number in pledges
            ]
        while True:
            try:
                if light:
                    return evaluate_all(questions)
                return await self._workers.run(account, evaluate_all, questions)
            except (OutOfTime, OutOfMemory) as error:
                log.warning("roll_given_up", account=account, reason=type(error).__name__)
                return [given_up(expression, definitions) for expression, definitions, _ in questions]
            except (Busy, Lost):
                await asyncio.sleep(LOOK_AGAIN)
            except Exception:
                # Whatever it is, it would happen again: the number is used up.
                log.exception("roll_failed", account=account)
                return [given_up(expression, definitions) for expression, definitions, _ in questions]

    async def _settle(
        self,
        row: ReservationRow,
        pledges: Sequence[Pledge],
        found: Sequence[Evaluated],
        rest: Sequence[Pledge],
    ) -> bool:
        """Keep rolls, the next ones of a reservation, unless another process has; tell whether it was here.

        Args:
            row: the reservation.
            pledges: the rolls.
            found: what they came to.
            rest: those that are kept after them.
        """
        async with self._database.write() as session:
            await Chains(session).hold(row.place)
            held = await Chains(session).reservation(row.place)
            if held is None or held.batch != row.batch:
                return False
            if len(orjson.loads(held.rolls)) != len(pledges) + len(rest):
                return False  # Another process has kept these already.
            rolls: list[Recorded] = []
            for (wanted, number), evaluated in zip(pledges, found, strict=True):
                draw = await self._ledger.take(session, wanted.place, wanted.chain, number)
                rolls.append(await self._keeper.keep(session, wanted, draw, evaluated, row.created_at))
            await count(session, rolls)
            if rest:
                held.rolls = _plain(rest)
                held.lease_until = self._clock() + LEASE
                session.add(held)
            else:
                await session.delete(held)
        return True


def _few(found: Sequence[Evaluated]) -> int:
    """Return how many of these rolls, from the first one on, one unit of work keeps."""
    draws = accumulate(sum(count for _, count in each.told.sizes) for each in found[:KEPT_AT_ONCE])
    return max(1, sum(1 for each in draws if each <= KEPT_DRAWS_AT_ONCE))


def _plain(pledges: Sequence[Pledge]) -> str:
    return orjson.dumps(
        [{"wanted": asdict(wanted), "number": asdict(number)} for wanted, number in pledges]
    ).decode()


def _pledge(plain: Mapping[str, Any]) -> Pledge:
    number, external = plain["number"], plain["wanted"].pop("external", None)
    message = None if external is None else ExternalMessage(**external)
    return PendingRoll(**plain["wanted"], external=message), Reserved(
        number["epoch"], number["number"], number["client"], Entropy(number["entropy"])
    )
