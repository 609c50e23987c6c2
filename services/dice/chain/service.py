"""The use cases of those who look at chains: commitments, receipts, keys, and whether a roll was honest."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from services.dice.chain.keys import published, verifier
from services.dice.chain.ledger import Ledger, commitment_of, kept
from services.dice.chain.models import EpochRow, SigningKeyRow
from services.dice.chain.repository import Chains
from services.dice.chain.requests import RotateRollEpoch
from services.dice.chain.sight import ShownEpoch, ShownReceipt, Sight, hash_before, show_epoch, show_receipt
from services.rules.dice.vr1 import (
    Chain,
    Check,
    PublishedKey,
    RollContent,
    RollProof,
    Statement,
    Step,
    verify_roll,
)
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.pagination import Page
from services.shared.policy import Policy, Right

T = TypeVar("T")

RollSource = Callable[[Viewer, str], Awaitable[RollContent | None]]
"""Reads a roll that the viewer may see and evaluates it anew from its expression and its faces."""


class InTurn(Protocol):
    """Does something that draws or closes an epoch, once the dice being rolled at its place are kept."""

    async def __call__(self, make: Callable[[], Awaitable[T]], /) -> T:
        """Do it.

        Raises:
            Unavailable: the dice take long.
        """


async def _at_once(make: Callable[[], Awaitable[T]], /) -> T:
    return await make()


_NO_RECEIPT = Step(
    Check.RECEIPT, False, "There is no receipt: the roll was made before rolls were verifiable."
)


@dataclass(frozen=True, slots=True)
class VerifiedRoll:
    """Whether a roll was drawn as it was committed to, step by step.

    Attributes:
        id: Of the roll.
        steps: Each step of the verification.
        epoch_id: Id of the epoch it was drawn in; null where there is no receipt.
        number: Its number there.
        commitment: Of the epoch.
        receipt: Of the roll.
    """

    id: str
    steps: tuple[Step, ...]
    epoch_id: str | None = None
    number: int | None = None
    commitment: Statement | None = None
    receipt: Statement | None = None

    @property
    def ok(self) -> bool:
        """Whether every step holds."""
        return all(step.ok for step in self.steps)


class ChainService:
    """The use cases of those who look at chains.

    Args:
        database: where chains are kept.
        clock: the present moment.
        policy: who may do what.
        ledger: keeps the chains.
        rolls: reads rolls.
        in_turn: waits for dice that are being rolled.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        ledger: Ledger,
        rolls: RollSource,
        in_turn: InTurn = _at_once,
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._ledger = ledger
        self._rolls = rolls
        self._in_turn = in_turn

    async def epoch(
        self, viewer: Viewer, campaign: str | None, chain: Chain, epoch: str | None = None
    ) -> ShownEpoch | None:
        """Show the live epoch of a campaign, or of the viewer's own place, or another one by its id.

        What is shown was committed before: a place that has no epoch yet gets its first ones. Of a campaign
        that was deleted the last one is shown.

        Raises:
            Unavailable: nobody can tell what the viewer may see.
        """
        sight = await self._sight(viewer, campaign)
        if sight is None:
            return None
        async with self._database.read() as session:
            chains = Chains(session)
            if epoch is not None:
                row = await self._own(chains, sight, chain, epoch)
                return None if row is None else await self._shown(chains, sight, row, await chains.key())
            live = await chains.live(sight.place, chain)
            if live is not None:
                return await self._shown(chains, sight, live.epoch, live.key)
            if sight.past:
                last = await chains.newest(sight.place, chain)
                return None if last is None else await self._shown(chains, sight, last, await chains.key())
        async with self._database.write() as session:
            begun = await self._ledger.ensure(session, sight.place, self._clock())
        return await self._begun(sight, begun[chain].epoch.id)

    async def epochs(
        self, viewer: Viewer, campaign: str | None, chain: Chain, *, first: int, after: int
    ) -> Page[ShownEpoch]:
        """Show a page of epochs, oldest first, from the one behind ordinal ``after``.

        Raises:
            Unavailable: nobody can tell what the viewer may see.
        """
        sight = await self._sight(viewer, campaign)
        if sight is None:
            return Page([], has_next=False)
        async with self._database.read() as session:
            chains = Chains(session)
            rows = await chains.epochs(sight.place, chain, after=after, limit=first + 1)
            key = await chains.key()
            shown = [await self._shown(chains, sight, row, key) for row in rows[:first]]
        return Page(shown, has_next=len(rows) > first, has_previous=after > 0)

    async def receipts(
        self, viewer: Viewer, campaign: str | None, chain: Chain, epoch: str | None, *, first: int, after: int
    ) -> Page[ShownReceipt]:
        """Show a page of what is published of an epoch's numbers, in order, behind number ``after``.

        Args:
            viewer: on whose behalf.
            campaign: whose rolls; the viewer's own outside of any when None.
            chain: which of the two.
            epoch: id of the epoch; the newest when None.
            first: how many.
            after: the last number that is known already.

        Raises:
            Unavailable: nobody can tell what the viewer may see.
        """
        sight = await self._sight(viewer, campaign)
        if sight is None:
            return Page([], has_next=False)
        async with self._database.read() as session:
            chains = Chains(session)
            row = await (
                chains.newest(sight.place, chain) if epoch is None else self._own(chains, sight, chain, epoch)
            )
            if row is None:
                return Page([], has_next=False)
            until = await sight.until(chains, row)
            found = await chains.receipts(row.id, after=after, until=until, limit=first + 1)
        shown = [show_receipt(sight, row, receipt) for receipt in found[:first]]
        return Page(shown, has_next=len(found) > first, has_previous=after > 0)

    async def keys(self) -> list[PublishedKey]:
        """Return every key that statements were ever signed with, oldest first."""
        async with self._database.read() as session:
            return [published(row) for row in await Chains(session).keys()]

    async def verify(self, viewer: Viewer, roll: str) -> VerifiedRoll | None:
        """Verify a roll that the viewer may see; None where there is none, or its receipt is hidden.

        Raises:
            Unavailable: nobody can tell what the viewer may see.
        """
        content = await self._rolls(viewer, roll)
        if content is None:
            return None
        async with self._database.read() as session:
            chains = Chains(session)
            row = await chains.receipt_of(roll)
            epoch = None if row is None else await chains.epoch(row.epoch)
        if row is None or epoch is None:
            return VerifiedRoll(roll, (_NO_RECEIPT,))
        seat = await self._policy.seat_at(viewer, epoch.place)
        if seat is None or (row.hidden and not Sight.of(seat).sees(epoch)):
            return None
        async with self._database.read() as session:
            chains = Chains(session)
            before = await hash_before(chains, epoch, row.number)
            keys = await chains.keys()
        proof = RollProof(commitment_of(epoch), before, kept(row.statement))
        found = Step(Check.RECEIPT, True, f"Receipt {row.number} of epoch {epoch.id} is of this roll.")
        return VerifiedRoll(
            roll,
            (found, *verify_roll(proof, content, verifier(keys))),
            epoch.id,
            row.number,
            proof.commitment,
            proof.receipt,
        )

    async def rotate(self, viewer: Viewer, asked: RotateRollEpoch, key: str | None = None) -> ShownEpoch:
        """Close the live epoch and begin the next one (GM; outside of campaigns, each for themselves).

        Raises:
            NotFound: no member of the campaign.
            Forbidden: no GM of it.
            IdempotencyConflict: the key was used for another request.
            Unavailable: dice are still being rolled there, or nobody knows who the GMs are.
        """
        seat = await self._policy.seat(viewer, asked.campaign_id, Right.RUN)
        chain = Chain.SECRET if asked.secret else Chain.OPEN

        async def close() -> str:
            moment = self._clock()
            async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
                if not done.before:
                    done.answer = (await self._ledger.rotate(session, seat.place, chain, moment)).epoch.id
                return done.answer or ""

        return await self._begun(Sight.of(seat), await self._in_turn(close))

    async def rotate_key(self) -> PublishedKey:
        """Make a new signing key and retire all others."""
        async with self._database.write() as session:
            return published(await self._ledger.rotate_key(session, self._clock()))

    async def _sight(self, viewer: Viewer, campaign: str | None) -> Sight | None:
        seat = await self._policy.seat_to_read(viewer, campaign)
        return None if seat is None else Sight.of(seat)

    async def _own(self, chains: Chains, sight: Sight, chain: Chain, epoch: str) -> EpochRow | None:
        """Read an epoch of this chain by its id."""
        row = await chains.epoch(epoch)
        return row if row is not None and (row.place, row.chain) == (sight.place, chain.value) else None

    async def _begun(self, sight: Sight, epoch: str) -> ShownEpoch:
        """Show an epoch that was begun in a unit of work, now that everybody can see it."""
        async with self._database.read() as session:
            chains = Chains(session)
            row = await chains.epoch(epoch)
            assert row is not None, "epochs are kept for ever"
            return await self._shown(chains, sight, row, await chains.key())

    async def _shown(
        self, chains: Chains, sight: Sight, epoch: EpochRow, key: SigningKeyRow | None
    ) -> ShownEpoch:
        if key is None:
            raise ValueError("there are epochs and no key that signs")
        return await show_epoch(chains, sight, epoch, partial(self._ledger.keys.sign, key), self._clock())
