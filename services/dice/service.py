"""What can be done with rolls: make them, one or many at once, reveal secret ones, and read what was rolled.

Each roll is drawn from the verifiable chain of its place. Little work is evaluated in the transaction that
keeps it, much work in a worker process between two of them (``reserving``). Dice that fall so that the
expression means nothing (a division by zero) are a roll all the same, with the outcome ``void``: it is kept,
told and counted like any other, so that nobody hides a bad roll by writing it so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice import pricing
from services.dice.asking import Asked, NewRoll, Reader
from services.dice.chain.ledger import EpochMoved, Ledger
from services.dice.chain.repository import NumbersReserved
from services.dice.evaluating import Stream, evaluate, prepare
from services.dice.events import recorded
from services.dice.keeping import Keeper, content_of, count
from services.dice.models import IDEMPOTENCY, OUTBOX
from services.dice.pending import pending_rolls
from services.dice.replay import Recorded
from services.dice.repository import Narrowed, Rolls
from services.dice.reserving import PATIENCE, Reservations, StillRolling
from services.dice.scenes import SceneAsked
from services.rules.dice.vr1 import RollContent
from services.shared.access import Access, AccessSource
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Fresh, Replay, claim, look_up, remember
from services.shared.ids import new_id
from services.shared.limits.meter import Meter, points_beyond
from services.shared.outbox import publish
from services.shared.pagination import Page
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    NotFound,
    Unavailable,
)
from services.shared.sequence import next_value
from services.shared.workers import Workers

T = TypeVar("T")

BATCH = 100
"""Rolls of one request, and of one step of a subscription."""

VOIDS = {
    "DIVISION_BY_ZERO": "The dice fell so that something would be divided by zero.",
    "NO_WHOLE_NUMBER": "The dice fell so that a number of dice, of sides or an exponent is none.",
    "TOO_MANY_DICE": "The dice would not come to an end.",
    "TOO_LARGE": "The total is too large.",
    "OUT_OF_TIME": "The dice took too long to be rolled.",
}
"""Why dice come to nothing."""

SECONDS = 10.0
"""Processor time that the rolls of one request may take, far more than is ever paid for."""


@dataclass(frozen=True, slots=True)
class Made:
    """The rolls that a request made.

    Attributes:
        all: every roll, in the order asked for, voids among them.
    """

    all: Sequence[Recorded]

    @property
    def rolls(self) -> list[Recorded]:
        """Those that came to a total."""
        return [roll for roll in self.all if roll.row.void is None]

    @property
    def voids(self) -> list[Issue]:
        """Say which rolls came to nothing, and why."""
        return [
            Issue(
                code=roll.row.void,
                message=VOIDS[roll.row.void],
                path=["rolls", str(roll.row.batch_place), "expression"],
            )
            for roll in self.all
            if roll.row.void is not None
        ]


Refusal = InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable


class DiceService:
    """The use cases of rolls.

    Args:
        database: where rolls are kept.
        clock: the present moment.
        access: who sees which campaigns.
        reader: finds out what requests mean.
        ledger: the verifiable source of all faces.
        meter: charges for rolls that are much work; None charges nobody.
        workers: the processes that evaluate such rolls; of its own when omitted.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        access: AccessSource,
        reader: Reader,
        ledger: Ledger,
        meter: Meter | None = None,
        workers: Workers | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._access = access
        self._reader = reader
        self._ledger = ledger
        self._keeper = Keeper(ledger)
        self._meter = meter
        self._reservations = Reservations(
            database, clock, ledger, workers or Workers(prepare, seconds=SECONDS)
        )

    async def roll(
        self, viewer: Viewer, new: NewRoll, key: str | None = None, *, lists: int = 0
    ) -> Recorded | Refusal:
        """Roll dice and keep the roll; under the same key, the same roll.

        Args:
            viewer: who rolls.
            new: what.
            key: of idempotency.
            lists: in how many lists its dice will be told, which is paid for beforehand.

        Raises:
            LimitReached: it costs more than may be spent; nothing was rolled.
        """
        asked = await self._read(viewer, new)
        if not isinstance(asked, Asked):
            return asked
        request: dict[str, object] = {"roll": asdict(new)}
        await self._charge(viewer, [asked], request, key, lists)
        made = await self._make(viewer, [asked], request, key)
        if not isinstance(made, Made):
            return made
        if made.rolls:
            return made.rolls[0]
        return InvalidInput.single(made.voids[0].code, made.voids[0].message, "expression")

    async def roll_many(
        self, viewer: Viewer, many: Sequence[NewRoll], key: str | None = None, *, lists: int = 0
    ) -> Made | Refusal:
        """Roll up to 100 times in one go; nothing is rolled unless every request may be. See ``roll``."""
        if not 1 <= len(many) <= BATCH:
            return InvalidInput.single(
                "TOO_MANY",
                f"From 1 to {BATCH} rolls go into one request.",
                "rolls",
                found=str(len(many)),
                allowed=f"1..{BATCH}",
            )
        asked = []
        issues: list[Issue] = []
        for place, new in enumerate(many):
            found = await self._read(viewer, new)
            if isinstance(found, Asked):
                asked.append(found)
            elif isinstance(found, InvalidInput):
                issues += [_inside(issue, place) for issue in found.issues]
            else:
                found.path[:0] = ["rolls", str(place)]
                return found
        if issues:
            return InvalidInput.of(issues)
        request: dict[str, object] = {"rolls": [asdict(new) for new in many]}
        await self._charge(viewer, asked, request, key, lists)
        return await self._make(viewer, asked, request, key)

    async def draw_for_scene(
        self, viewer: Viewer, asked: SceneAsked
    ) -> Sequence[Recorded] | IdempotencyConflict:
        """Rolls the dice of a move in a scene; returns those that were rolled before, however long ago.

        Whoever calls this has checked that the viewer may make the move.
        """
        many = list(asked.rolls())

        async def draw() -> Sequence[Recorded] | IdempotencyConflict:
            moment = self._clock()
            async with self._database.write() as session:
                kept = Rolls(session, Access(viewer.account, {}))
                await kept.hold_scene(asked.scene)
                before = await kept.of_batch(asked.batch)
                if before:
                    if not asked.gave(before):
                        return IdempotencyConflict.of("key")
                    return [Recorded.of(row) for row in before]
                return await self._draw_all(session, viewer, many, asked.batch, moment)

        return await self.in_turn(draw)

    async def reveal(self, viewer: Viewer, roll_id: str) -> Recorded | NotFound | Forbidden | Unavailable:
        """Show a secret roll to the whole table; one that is open already stays as it is."""
        try:
            access = await self._access.of(viewer)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        moment = self._clock()
        async with self._database.write() as session:
            row = await Rolls(session, access).for_change(roll_id)
            if row is None:
                return NotFound.of("roll", "id")
            if row.seq is not None:
                return Recorded.of(row)
            if row.campaign is None or not access.runs(row.campaign):
                return Forbidden.because("Only a GM reveals what was rolled in secret.", "id")
            row.seq = await next_value(session, f"rolls:{row.place}")
            row.revealed_at = moment
            session.add(row)
            shown = Recorded.of(row)
            await self._ledger.reveal(session, row.id)
            await publish(session, OUTBOX, recorded(row, shown.told.text), moment)
            await count(session, [shown])
        return shown

    async def rolls(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Recorded]:
        """Read those of the rolls that the viewer may see."""
        access = await self._access.of(viewer)
        async with self._database.read() as session:
            found = await Rolls(session, access).by_id(ids)
        return {key: Recorded.of(row) for key, row in found.items()}

    async def content(self, viewer: Viewer, roll_id: str) -> RollContent | None:
        """Evaluates a roll that the viewer may see anew, for its verification, which is paid for beforehand.

        Returns:
            None where there is no such roll.

        Raises:
            LimitReached: its verification costs more than may be spent.
        """
        found = (await self.rolls(viewer, [roll_id])).get(roll_id)
        if found is None:
            return None
        if self._meter is not None:
            await self._meter.charge(viewer, points_beyond(pricing.verification(found.row.draws)))
        return content_of(found.row, found.told)

    async def page(
        self, viewer: Viewer, wanted: Narrowed, *, first: int, after: str | None
    ) -> Page[Recorded]:
        """Read a page of the rolls that the viewer may see, newest first, narrowed by what is given."""
        access = await self._access.of(viewer, campaign=wanted.campaign, character=wanted.character)
        async with self._database.read() as session:
            page = await Rolls(session, access).page(wanted, first=first, after=after)
        return Page([Recorded.of(row) for row in page.items], page.has_next, page.has_previous)

    async def behind(
        self, viewer: Viewer, campaign: str | None, seq: int, *, secret: bool = False
    ) -> list[Recorded] | None:
        """Read rolls behind number ``seq``, in order, of a campaign or of the viewer's own outside of any.

        Returns None when the viewer is not a member of the campaign (any more), or does not run it where the
        secret rolls are asked for.
        """
        access = await self._access.of(viewer, campaign=campaign)
        if campaign is not None and campaign not in access.roles:
            return None
        if secret and not access.runs(campaign or ""):
            return None
        async with self._database.read() as session:
            rows = await Rolls(session, access).behind(
                campaign or viewer.account, seq, secret=secret, limit=BATCH
            )
        return [Recorded.of(row) for row in rows]

    async def sweep(self) -> None:
        """Finish, once, rolls that processes which are gone have left behind, and take a pause."""
        await self._reservations.sweep()

    async def close(self) -> None:
        """End the worker process."""
        await self._reservations.close()

    async def _read(
        self, viewer: Viewer, new: NewRoll
    ) -> Asked | InvalidInput | NotFound | Forbidden | Unavailable:
        try:
            return await self._reader.read(viewer, new)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)

    async def _make(
        self, viewer: Viewer, many: Sequence[Asked], request: dict[str, object], key: str | None
    ) -> Made | IdempotencyConflict | InvalidInput | Unavailable:
        """Draws, keeps and tells all rolls of a request, or returns those that it made before."""
        heavy = pricing.evaluation(asked.ready.effort for asked in many) > pricing.HEAVY_MILLISECONDS
        make = self._reserve if heavy else self._make_at_once
        try:
            return await self.in_turn(lambda: make(viewer, many, request, key))
        except EpochMoved as error:
            return InvalidInput.single(
                "EPOCH_MOVED",
                "The epoch of verifiable rolls has ended; look at the commitment of the next one first.",
                "epoch",
                allowed=error.live,
            )
        except StillRolling:
            return Unavailable(
                code="UNAVAILABLE",
                message="Other dice are still being rolled here. What you asked for may yet be rolled: look "
                "again, or send it again with the same idempotency key.",
                path=[],
            )

    async def in_turn(self, make: Callable[[], Awaitable[T]]) -> T:
        """Do something that draws, once the dice that are being rolled at its place are kept.

        Only waiting for other dice has a limit: what draws is never given up half way.

        Raises:
            StillRolling: that takes long.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + PATIENCE
        while True:
            try:
                return await make()
            except NumbersReserved as held:
                await self._reservations.wait(held.place, held.batch, max(0.0, end - clock()))

    async def _make_at_once(
        self, viewer: Viewer, many: Sequence[Asked], request: dict[str, object], key: str | None
    ) -> Made | IdempotencyConflict:
        """Carry a request out in one transaction."""
        moment = self._clock()
        batch = new_id("bat")
        async with self._database.write() as session:
            claimed = await claim(session, IDEMPOTENCY, viewer.account, key, request, moment)
            if isinstance(claimed, Fresh):
                rolls = await self._draw_all(session, viewer, many, batch, moment)
                await remember(session, IDEMPOTENCY, viewer.account, key, batch)
                return Made(rolls)
        return await self._made_before(viewer, claimed)

    async def _reserve(
        self, viewer: Viewer, many: Sequence[Asked], request: dict[str, object], key: str | None
    ) -> Made | IdempotencyConflict:
        """Carry a request out that is much work: take its numbers, evaluate its rolls, keep them."""
        moment = self._clock()
        batch = new_id("bat")
        wanted = pending_rolls(viewer, many, batch, moment)
        async with self._database.write() as session:
            claimed = await claim(session, IDEMPOTENCY, viewer.account, key, request, moment)
            if isinstance(claimed, Fresh):
                rolls = [
                    (each, asked.entropy, asked.new.epoch) for each, asked in zip(wanted, many, strict=True)
                ]
                await self._reservations.reserve(session, rolls, moment)
                await remember(session, IDEMPOTENCY, viewer.account, key, batch)
        if not isinstance(claimed, Fresh):
            return await self._made_before(viewer, claimed)
        await self._reservations.finish(sorted({each.place for each in wanted}), batch)
        return await self._kept(viewer, batch)

    async def _made_before(self, viewer: Viewer, claimed: Replay | Conflict) -> Made | IdempotencyConflict:
        """Returns what was made under the same key, once it is kept."""
        if isinstance(claimed, Conflict):
            return IdempotencyConflict.of()
        batch = claimed.answer.partition(":")[0]
        async with self._database.read() as session:
            places = await Rolls(session, Access(viewer.account, {})).reserved(batch)
        for place in places:
            await self._reservations.wait(place, batch)
        return await self._kept(viewer, batch)

    async def _kept(self, viewer: Viewer, batch: str) -> Made:
        async with self._database.read() as session:
            rows = await Rolls(session, Access(viewer.account, {})).of_batch(batch)
        return Made([Recorded.of(row) for row in rows])

    async def _charge(
        self,
        viewer: Viewer,
        many: Sequence[Asked],
        request: dict[str, object],
        key: str | None,
        lists: int,
    ) -> None:
        """Charge for rolling, keeping and telling; what was rolled under the key before is only told."""
        if self._meter is None:
            return
        efforts = [asked.ready.effort for asked in many]
        milliseconds = pricing.telling((effort.draws for effort in efforts), lists)
        async with self._database.read() as session:
            known = await look_up(session, IDEMPOTENCY, viewer.account, key, request, self._clock())
        if isinstance(known, Fresh):
            milliseconds += pricing.evaluation(efforts) + pricing.KEEP_MILLISECONDS * (len(many) - 1)
        await self._meter.charge(viewer, points_beyond(milliseconds))

    async def _draw_all(
        self, session: AsyncSession, viewer: Viewer, many: Sequence[Asked], batch: str, moment: datetime
    ) -> list[Recorded]:
        """Draw, keep, tell and count the rolls of a batch."""
        rolls: list[Recorded] = []
        for wanted, asked in zip(pending_rolls(viewer, many, batch, moment), many, strict=True):
            draw = await self._ledger.draw(
                session, wanted.place, wanted.chain, asked.entropy, moment, epoch=asked.new.epoch
            )
            stream = Stream(draw.seed, bytes.fromhex(draw.epoch), draw.number, draw.client)
            found = evaluate(wanted.expression, wanted.definitions, stream)
            rolls.append(await self._keeper.keep(session, wanted, draw, found, moment))
        await count(session, rolls)
        return rolls


def _inside(issue: Issue, place: int) -> Issue:
    return Issue(
        code=issue.code,
        message=issue.message,
        path=["rolls", str(place), *issue.path],
        rule=issue.rule,
        found=issue.found,
        allowed=issue.allowed,
    )
