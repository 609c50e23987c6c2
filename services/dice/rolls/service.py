"""What can be done with rolls: make them, one or many at once, reveal secret ones, and read what was rolled.

Each roll is drawn from the verifiable chain of its place. Little work is evaluated in the transaction that
keeps it, much work in a worker process between two of them, and many rolls are kept in several
(``reservations``). Dice that fall so that the
expression means nothing (a division by zero) are a roll all the same, with the outcome ``void``: it is kept,
told and counted like any other, so that nobody hides a bad roll by writing it so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.chain.ledger import Ledger
from services.dice.chain.repository import Chains, NumbersReserved
from services.dice.rolls import pricing
from services.dice.rolls.evaluation import Stream, evaluate, prepare
from services.dice.rolls.events import recorded
from services.dice.rolls.keeper import Keeper, content_of, count
from services.dice.rolls.pending import pending_rolls
from services.dice.rolls.reader import Asked, Reader
from services.dice.rolls.replay import Recorded
from services.dice.rolls.repository import Narrowed, Rolls, places_of_rolls, tables_of_scene
from services.dice.rolls.requests import BATCH, ROLLS, NewRoll, NewRolls, RevealRoll
from services.dice.rolls.reservations import PATIENCE, Reservations
from services.dice.rolls.scene_draws import Draws
from services.dice.tables import OUTBOX
from services.rules.dice.vr1 import RollContent
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import new_id
from services.shared.limits.meter import Meter, points_beyond
from services.shared.outbox import publish
from services.shared.pagination import Page
from services.shared.policy import Policy, Right, campaigns_of, demand
from services.shared.problems import IdempotencyConflict, InvalidInput, Issue, NotFound, Problem
from services.shared.sequence import next_value
from services.shared.workers import MUTATION_PATIENCE, Workers

T = TypeVar("T")

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


@dataclass(frozen=True, slots=True)
class _Request:
    """A request whose rolls may be made.

    Attributes:
        viewer: who asks.
        asked: what, as it was sent: the idempotency key is its own.
        key: of idempotency.
        rolls: what it means.
    """

    viewer: Viewer
    asked: NewRoll | NewRolls
    key: str | None
    rolls: Sequence[Asked]


class RollService:
    """The use cases of rolls.

    Args:
        database: where rolls are kept.
        clock: the present moment.
        policy: who may do what.
        reader: finds out what requests mean.
        ledger: the verifiable source of all faces.
        meter: charges for rolls that are much work; None charges nobody.
        workers: the processes that evaluate such rolls; of its own when omitted.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        reader: Reader,
        ledger: Ledger,
        meter: Meter | None = None,
        workers: Workers | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._reader = reader
        self._ledger = ledger
        self._keeper = Keeper(ledger)
        self._meter = meter
        self._reservations = Reservations(
            database,
            clock,
            ledger,
            workers
            or Workers(
                prepare,
                loaded=["services.rules.engine.loaded", prepare.__module__],
                seconds=SECONDS,
                patience=MUTATION_PATIENCE,
                name="rolls",
            ),
        )

    async def roll(
        self, viewer: Viewer, asked: NewRoll, key: str | None = None, *, lists: int = 0
    ) -> Recorded:
        """Roll dice and keep the roll.

        Args:
            viewer: who rolls.
            asked: what.
            key: of idempotency.
            lists: in how many lists its dice will be told, which is paid for beforehand.

        Raises:
            InvalidInput: it breaks rules; or the dice came to nothing as they fell, and are kept as a void.
            NotFound: the campaign, the character or the saved roll is unknown to the viewer.
            Forbidden: the viewer may not roll there, for this character, or in secret.
            IdempotencyConflict: the key was used for another request.
            Unavailable: a service that is needed does not answer, or dice are still being rolled there.
            LimitReached: it costs more than may be spent; nothing was rolled.
        """
        made = await self._before(viewer, asked, key, lists)
        if made is None:
            roll = await self._reader.read(viewer, asked)
            made = await self._make(_Request(viewer, asked, key, [roll]), lists)
        if made.rolls:
            return made.rolls[0]
        raise InvalidInput.single(made.voids[0].code, made.voids[0].message, "expression")

    async def roll_many(
        self, viewer: Viewer, asked: NewRolls, key: str | None = None, *, lists: int = 0
    ) -> Made:
        """Roll up to 100 times in one go; nothing is rolled unless every roll may be. See ``roll``.

        Dice that came to nothing are no problem here, but voids of what was made.
        """
        made = await self._before(viewer, asked, key, lists)
        if made is not None:
            return made
        InvalidInput.check(*ROLLS.issues(asked.rolls, "rolls"))
        rolls: list[Asked] = []
        issues: list[Issue] = []
        for place, new in enumerate(asked.rolls):
            where = ["rolls", str(place)]
            try:
                rolls.append(await self._reader.read(viewer, new))
            except InvalidInput as refused:
                issues += [replace(issue, path=[*where, *issue.path]) for issue in refused.issues]
            except Problem as refused:
                refused.path = [*where, *refused.path]
                raise
        InvalidInput.check(*issues)
        return await self._make(_Request(viewer, asked, key, rolls), lists)

    async def draw_for_service(self, viewer: Viewer, asked: Draws) -> Sequence[Recorded]:
        """Roll the dice of a move in a scene, or of a rest, or return those that were rolled before, however
        long ago.

        The service that asks has checked that the viewer may make the move.

        Raises:
            IdempotencyConflict: other dice were rolled for this move.
            Unavailable: dice are still being rolled there.
        """
        many = list(asked.rolls(viewer.account))

        async def draw() -> Sequence[Recorded]:
            moment = self._clock()
            async with self._database.write() as session:
                kept = Rolls(session, Access(viewer.account, {}))
                await kept.hold(asked.turn)
                before = await kept.of_batch(asked.batch)
                if not before:
                    return await self._draw_all(session, viewer, many, asked.batch, moment)
            if not asked.gave(before):
                raise IdempotencyConflict.of("key")
            return [Recorded.of(row) for row in before]

        return await self.in_turn(draw)

    async def reveal(self, viewer: Viewer, asked: RevealRoll, key: str | None = None) -> Recorded:
        """Show a secret roll to the whole table; one that is open already stays as it is.

        Raises:
            NotFound: no such roll.
            Forbidden: no GM of its table.
            IdempotencyConflict: the key was used for another request.
            Unavailable: nobody knows who the GMs are.
        """
        access = await self.access_to(viewer, [asked.id])
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            row = await Rolls(session, access).for_change(asked.id)
            if row is None:
                raise NotFound.of("roll", "id")
            done.answer = row.id
            shown = Recorded.of(row)
            if shown.secret:
                demand(access.roles.get(row.place), Right.RUN, "id")
                row.seq = await next_value(session, f"rolls:{row.place}")
                row.revealed_at = moment
                session.add(row)
                await self._ledger.reveal(session, row.id)
                await publish(session, OUTBOX, recorded(row, shown.told.text), moment)
                await count(session, [shown])
        return shown

    async def by_id(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Recorded]:
        """Read those of the rolls that the viewer may see."""
        access = await self.access_to(viewer, ids)
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
        found = (await self.by_id(viewer, [roll_id])).get(roll_id)
        if found is None:
            return None
        await self._charge(viewer, pricing.verification(found.row.draws))
        return content_of(found.row, found.told)

    async def page(
        self, viewer: Viewer, wanted: Narrowed, *, first: int, after: str | None
    ) -> Page[Recorded]:
        """Read a page of the rolls that the viewer may see, newest first, narrowed by what is given."""
        access = await self._access_for(viewer, wanted)
        async with self._database.read() as session:
            page = await Rolls(session, access).page(wanted, first=first, after=after)
        return Page([Recorded.of(row) for row in page.items], page.has_next, page.has_previous)

    async def access_to(self, viewer: Viewer, rolls: Sequence[str]) -> Access:
        """Return the viewer's access, as far as it concerns rolls."""
        async with self._database.read() as session:
            campaigns = campaigns_of(viewer, rolls, await places_of_rolls(session, rolls))
        return await self._policy.access(viewer, campaigns=campaigns)

    async def _access_for(self, viewer: Viewer, wanted: Narrowed) -> Access:
        """Return the viewer's access to the campaign or scene that a list of rolls is of; to all without."""
        if wanted.campaign is not None:
            return await self._policy.access(viewer, campaigns=[wanted.campaign])
        if wanted.scene is None:
            return await self._policy.access(viewer)
        async with self._database.read() as session:
            campaigns = await tables_of_scene(session, wanted.scene)
        return await self._policy.access(viewer, campaigns=campaigns)

    async def behind(
        self, viewer: Viewer, campaign: str | None, seq: int, *, secret: bool = False
    ) -> list[Recorded]:
        """Read rolls behind number ``seq``, in order, of a campaign or of the viewer's own outside of any.

        Raises:
            NotFound: the viewer is no member of the campaign (any more), or no GM of it where the secret
                rolls are asked for.
            Unavailable: nobody knows who the members are.
        """
        access = await self._policy.access(viewer, campaigns=() if campaign is None else (campaign,))
        if campaign is not None:
            demand(access.roles.get(campaign), Right.READ)
        if secret and not access.runs(campaign or ""):
            raise NotFound.of("campaign", "campaignId")
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

    async def _before(
        self, viewer: Viewer, asked: NewRoll | NewRolls, key: str | None, lists: int
    ) -> Made | None:
        """Return what was made under the same key before; whatever changed since, that is the answer."""
        if key is None:
            return None
        async with self._database.read() as session:
            batch = await answered(session, viewer, key, asked, self._clock())
        if batch is None:
            return None
        made = await self._made_before(viewer, batch)
        await self._charge(viewer, pricing.telling((roll.row.draws for roll in made.all), lists))
        return made

    async def _make(self, request: _Request, lists: int) -> Made:
        """Draw, keep and tell all rolls of a request, or return those that its double made meanwhile."""
        efforts = [roll.ready.effort for roll in request.rolls]
        work = pricing.evaluation(efforts)
        telling = pricing.telling((effort.draws for effort in efforts), lists)
        await self._charge(
            request.viewer, work + telling + pricing.KEEP_MILLISECONDS * (len(request.rolls) - 1)
        )
        light = work <= pricing.HEAVY_MILLISECONDS
        if light and len(request.rolls) <= pricing.KEPT_AT_ONCE:
            return await self.in_turn(lambda: self._make_at_once(request))
        return await self.in_turn(lambda: self._reserve(request, light))

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

    async def _make_at_once(self, request: _Request) -> Made:
        """Carry a request out in one transaction."""
        moment, batch = self._clock(), new_id("bat")
        async with (
            self._database.write() as session,
            once(session, request.viewer, request.key, request.asked, moment) as done,
        ):
            if not done.before:
                done.answer = batch
                return Made(await self._draw_all(session, request.viewer, request.rolls, batch, moment))
        return await self._made_before(request.viewer, done.answer or "")

    async def _reserve(self, request: _Request, light: bool) -> Made:
        """Carry a request out that is much work: take its numbers, evaluate its rolls, keep them.

        Args:
            request: what is asked.
            light: whether its rolls are quickly evaluated, and it is only their number that is much.
        """
        moment, batch = self._clock(), new_id("bat")
        pending = pending_rolls(request.viewer, request.rolls, batch, moment)
        async with (
            self._database.write() as session,
            once(session, request.viewer, request.key, request.asked, moment) as done,
        ):
            if not done.before:
                done.answer = batch
                rolls = [
                    (each, roll.entropy, roll.epoch)
                    for each, roll in zip(pending, request.rolls, strict=True)
                ]
                await self._reservations.reserve(session, rolls, moment)
        if done.before:
            return await self._made_before(request.viewer, done.answer or "")
        await self._reservations.finish(sorted({each.place for each in pending}), batch, light=light)
        return await self._kept(request.viewer, batch)

    async def _made_before(self, viewer: Viewer, batch: str) -> Made:
        """Return what was made under the same key, once it is kept."""
        async with self._database.read() as session:
            places = await Chains(session).reserved(batch)
        for place in places:
            await self._reservations.wait(place, batch)
        return await self._kept(viewer, batch)

    async def _kept(self, viewer: Viewer, batch: str) -> Made:
        async with self._database.read() as session:
            rows = await Rolls(session, Access(viewer.account, {})).of_batch(batch)
        return Made([Recorded.of(row) for row in rows])

    async def _charge(self, viewer: Viewer, milliseconds: float) -> None:
        """Charge for work beyond the price of the request itself.

        Raises:
            LimitReached: it costs more than may be spent.
        """
        if self._meter is not None:
            await self._meter.charge(viewer, points_beyond(milliseconds))

    async def _draw_all(
        self, session: AsyncSession, viewer: Viewer, many: Sequence[Asked], batch: str, moment: datetime
    ) -> list[Recorded]:
        """Draw, keep, tell and count the rolls of a batch."""
        rolls: list[Recorded] = []
        for wanted, asked in zip(pending_rolls(viewer, many, batch, moment), many, strict=True):
            draw = await self._ledger.draw(
                session, wanted.place, wanted.chain, asked.entropy, moment, epoch=asked.epoch
            )
            stream = Stream(draw.seed, bytes.fromhex(draw.epoch), draw.number, draw.client)
            found = evaluate(wanted.expression, wanted.definitions, stream)
            rolls.append(await self._keeper.keep(session, wanted, draw, found, moment))
        await count(session, rolls)
        return rolls
