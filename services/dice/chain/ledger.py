"""Drawing from chains, and keeping what came of it, inside a caller's unit of work."""

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.chain.entropy import draw_entropy
from services.dice.chain.keys import SigningKeys
from services.dice.chain.models import EpochRow, ReceiptRow, SigningKeyRow
from services.dice.chain.repository import Chains, Live
from services.dice.chain.seal import Seal
from services.rules.dice.stream import ByteStream
from services.rules.dice.vr1 import (
    EPOCH_BYTES,
    SEED_BYTES,
    Chain,
    Closing,
    Commitment,
    Entropy,
    Receipt,
    RollContent,
    Seeds,
    Statement,
    Void,
    Vr1Bytes,
    read_line,
)
from services.shared.problems import InvalidInput, Issue

LENGTH = 4096
"""How many rolls an epoch is good for."""
KEPT_CHAINS = 64
"""Chains of seeds in memory, 128 KiB each; another one costs about two milliseconds."""


class EpochMoved(InvalidInput):
    """The client named an epoch that is no longer the live one.

    Attributes:
        live: id of the one that is; None before there is any.
    """

    def __init__(self, live: str | None) -> None:
        message = "The epoch of verifiable rolls has ended; look at the commitment of the next one first."
        super().__init__([Issue("EPOCH_MOVED", message, ["epoch"], allowed=live)])
        self.live = live


@dataclass(frozen=True, slots=True)
class Draw:
    """A number of a live epoch, taken for one roll. Record it or make it void in the same unit of work.

    Attributes:
        place: campaign or account.
        chain: which of its two.
        epoch: id of the epoch.
        number: of the roll in it.
        client: the client entropy that counts.
        entropy: who drew it.
        seed: s_number; a secret until it is recorded.
        live: the epoch as the unit of work knows it.
    """

    place: str
    chain: Chain
    epoch: str
    number: int
    client: bytes
    entropy: Entropy
    seed: bytes = field(repr=False)
    live: Live = field(repr=False)

    def stream(self) -> ByteStream:
        """Return the faces of this roll, from the first one on."""
        return ByteStream(Vr1Bytes(self.seed, bytes.fromhex(self.epoch), self.number, self.client).read)


@dataclass(frozen=True, slots=True)
class Reserved:
    """A number of an epoch that is taken for a roll before the roll is evaluated.

    Attributes:
        epoch: id of the epoch.
        number: of the roll in it.
        client: the client entropy that counts, in hexadecimal.
        entropy: who drew it.
    """

    epoch: str
    number: int
    client: str
    entropy: Entropy


class Ledger:
    """Keeps the chains of this installation.

    Args:
        seal: keeps seeds and private keys.
        length: how many rolls a new epoch is good for.
    """

    def __init__(self, seal: Seal, *, length: int = LENGTH) -> None:
        self._seal = seal
        self._length = length
        self._seeds: OrderedDict[str, Seeds] = OrderedDict()
        self.keys = SigningKeys(seal)

    async def draw(
        self,
        session: AsyncSession,
        place: str,
        chain: Chain,
        client: bytes | None,
        moment: datetime,
        *,
        epoch: str | None = None,
    ) -> Draw:
        """Take the next number of a place's chain; whoever else draws there waits for this unit of work.

        Args:
            session: the unit of work.
            place: campaign or account.
            chain: SECRET for rolls of the GM that are to be hidden.
            client: 16 to 64 bytes from the roller's client; None has them drawn here. They do not count in
                an epoch that this unit of work began: what nobody had committed to could still be chosen to
                suit them.
            moment: the present one.
            epoch: the epoch whose commitment the client has seen, if it names one.

        Raises:
            EpochMoved: that epoch is not the live one; nothing was drawn.
            NumbersReserved: rolls that are being evaluated have taken the next numbers.
            DrawForgotten: the unit of work has an open draw.
        """
        chains = Chains(session)
        live = await chains.hold_live(place, chain)
        await chains.require_free(place)
        if epoch is not None and (live is None or live.epoch.id != epoch):
            raise EpochMoved(None if live is None else live.epoch.id)
        if live is None:
            live = (await self._ensure(chains, place, moment))[chain]
        if chains.begun(live.epoch.id):
            client = None
        number = live.epoch.used + 1
        draw = Draw(
            place=place,
            chain=chain,
            epoch=live.epoch.id,
            number=number,
            client=draw_entropy() if client is None else client,
            entropy=Entropy.SERVER if client is None else Entropy.CLIENT,
            seed=self._seeds_of(live.epoch)[number],
            live=live,
        )
        chains.begin_draw(draw)
        return draw

    async def reserve(
        self,
        session: AsyncSession,
        place: str,
        chain: Chain,
        clients: Sequence[bytes | None],
        moment: datetime,
        *,
        epoch: str | None = None,
    ) -> list[Reserved]:
        """Take the next numbers of a place's chain for rolls that are evaluated after this unit of work.

        Where the live epoch has not as many left, it is closed and the next one begun. Whoever calls this
        keeps a reservation of the place in the same unit of work; see ``draw`` for the arguments.

        Raises:
            EpochMoved: the epoch that was named is not the live one.
            NumbersReserved: other rolls that are being evaluated have taken the next numbers.
        """
        chains = Chains(session)
        live = await chains.hold_live(place, chain)
        await chains.require_free(place)
        if epoch is not None and (live is None or live.epoch.id != epoch):
            raise EpochMoved(None if live is None else live.epoch.id)
        if live is None:
            live = (await self._ensure(chains, place, moment))[chain]
        elif live.epoch.used + len(clients) > live.epoch.length:
            live = await self._close(chains, live, moment)
        fresh = chains.begun(live.epoch.id)
        found = []
        for number, client in enumerate(clients, start=live.epoch.used + 1):
            drawn = client is None or fresh
            entropy = draw_entropy() if client is None or fresh else client
            found.append(
                Reserved(live.epoch.id, number, entropy.hex(), Entropy.SERVER if drawn else Entropy.CLIENT)
            )
        return found

    async def take(self, session: AsyncSession, place: str, chain: Chain, reserved: Reserved) -> Draw:
        """Take a number that was reserved, the next one of its chain; see ``draw``.

        Raises:
            ValueError: it is not the next one.
        """
        chains = Chains(session)
        live = await chains.hold_live(place, chain)
        if live is None or (live.epoch.id, live.epoch.used + 1) != (reserved.epoch, reserved.number):
            raise ValueError(f"number {reserved.number} of epoch {reserved.epoch} is not the next one")
        draw = Draw(
            place=place,
            chain=chain,
            epoch=reserved.epoch,
            number=reserved.number,
            client=bytes.fromhex(reserved.client),
            entropy=reserved.entropy,
            seed=self._seeds_of(live.epoch)[reserved.number],
            live=live,
        )
        chains.begin_draw(draw)
        return draw

    async def seed(self, session: AsyncSession, reserved: Reserved) -> bytes:
        """Return the seed of a number that is reserved; a secret until it is recorded."""
        epoch = await Chains(session).epoch(reserved.epoch)
        if epoch is None:
            raise ValueError(f"there is no epoch {reserved.epoch}")
        return self._seeds_of(epoch)[reserved.number]

    async def record(
        self, session: AsyncSession, draw: Draw, content: RollContent, moment: datetime
    ) -> Statement:
        """Keep the receipt of a roll; on a secret chain it is hidden.

        The last number of an epoch closes it and begins the next one.

        Raises:
            DrawForgotten: the draw is not the open one of this unit of work.
        """
        receipt = Receipt(
            epoch=bytes.fromhex(draw.epoch),
            number=draw.number,
            client=draw.client,
            entropy=draw.entropy,
            roll=content.roll,
            expression=content.expression,
            dice=content.dice,
            faces=content.faces,
            tables=content.tables,
            total=content.total,
            seed=draw.seed,
            previous=bytes.fromhex(draw.live.epoch.head),
            at=moment,
        )
        return await self._append(session, draw, receipt, content.roll, moment)

    async def void(
        self, session: AsyncSession, draw: Draw, account: str, content: RollContent, moment: datetime
    ) -> Statement:
        """Keep that a number was used up without a total: who rolled what, and how the dice fell.

        Raises:
            DrawForgotten: the draw is not the open one of this unit of work.
        """
        void = Void(
            epoch=bytes.fromhex(draw.epoch),
            number=draw.number,
            client=draw.client,
            entropy=draw.entropy,
            reason=content.void or "",
            seed=draw.seed,
            previous=bytes.fromhex(draw.live.epoch.head),
            at=moment,
            roll=content.roll,
            account=account,
            expression=content.expression,
            dice=content.dice,
            faces=content.faces,
            tables=content.tables,
        )
        return await self._append(session, draw, void, content.roll, moment)

    async def reveal(self, session: AsyncSession, roll: str) -> None:
        """Hide a roll's receipt no longer; a roll without a receipt, or with an open one, stays as it is."""
        await Chains(session).reveal(roll)

    async def ensure(self, session: AsyncSession, place: str, moment: datetime) -> dict[Chain, Live]:
        """Return the live epochs of a place, and begin those that are missing.

        Both chains of a place begin together, so that nothing can be read from when the secret one began.
        """
        return await self._ensure(Chains(session), place, moment)

    async def rotate(self, session: AsyncSession, place: str, chain: Chain, moment: datetime) -> Live:
        """Close the live epoch of a chain and begin the next one; begin the first where there is none.

        Raises:
            NumbersReserved: rolls that are being evaluated have taken its next numbers.
        """
        chains = Chains(session)
        live = await chains.hold_live(place, chain)
        await chains.require_free(place)
        if live is None:
            return (await self._ensure(chains, place, moment))[chain]
        return await self._close(chains, live, moment)

    async def end(self, session: AsyncSession, place: str, moment: datetime) -> None:
        """Close the live epochs of a place at which nobody is to roll any more.

        Raises:
            NumbersReserved: rolls that are being evaluated have taken their next numbers.
        """
        chains = Chains(session)
        for chain in Chain:
            live = await chains.hold_live(place, chain)
            await chains.require_free(place)
            if live is not None:
                await self._end(chains, live, moment)

    async def rotate_key(self, session: AsyncSession, moment: datetime) -> SigningKeyRow:
        """Make a new signing key and retire all others; their public parts stay published."""
        chains = Chains(session)
        await chains.hold("key")
        await chains.retire_keys(moment)
        return self._new_key(chains, moment)

    async def _ensure(self, chains: Chains, place: str, moment: datetime) -> dict[Chain, Live]:
        found = {}
        for chain in Chain:
            live = await chains.hold_live(place, chain)
            found[chain] = live or await self._begin(chains, place, chain, moment)
        return found

    async def _append(
        self, session: AsyncSession, draw: Draw, body: Receipt | Void, roll: str | None, moment: datetime
    ) -> Statement:
        chains = Chains(session)
        chains.settle_draw(draw)
        statement = self.keys.sign(draw.live.key, body)
        chains.add(
            ReceiptRow(
                epoch=draw.epoch,
                number=draw.number,
                roll=roll,
                hidden=draw.chain is Chain.SECRET,
                statement=statement.line(),
                created_at=moment,
            )
        )
        epoch = draw.live.epoch
        epoch.used, epoch.head = draw.number, statement.hash
        if epoch.used == epoch.length:
            await self._close(chains, draw.live, moment)
        return statement

    async def _begin(self, chains: Chains, place: str, chain: Chain, moment: datetime) -> Live:
        key, before = await self._key(chains, moment), await chains.newest(place, chain)
        epoch, last = secrets.token_bytes(EPOCH_BYTES), secrets.token_bytes(SEED_BYTES)
        seeds = Seeds(last, epoch, self._length)
        ordinal = 1 if before is None else before.ordinal + 1
        statement = self.keys.sign(
            key,
            Commitment(
                epoch=epoch,
                place=place,
                chain=chain,
                ordinal=ordinal,
                anchor=seeds[0],
                length=self._length,
                previous=None if before is None else bytes.fromhex(closing_of(before).hash),
                at=moment,
            ),
        )
        row = EpochRow(
            id=epoch.hex(),
            place=place,
            chain=chain.value,
            live=chain.value,
            ordinal=ordinal,
            length=self._length,
            head=statement.hash,
            sealed=self._seal.close(last, f"epoch {epoch.hex()}"),
            commitment=statement.line(),
            created_at=moment,
        )
        live = Live(row, key)
        chains.begin(live)
        await chains.flush()
        return live

    async def _close(self, chains: Chains, live: Live, moment: datetime) -> Live:
        epoch = await self._end(chains, live, moment)
        return await self._begin(chains, epoch.place, Chain(epoch.chain), moment)

    async def _end(self, chains: Chains, live: Live, moment: datetime) -> EpochRow:
        epoch = live.epoch
        await chains.flush()
        # The last seed gives all others away, and with them rolls whose client entropy was not as random as
        # it should have been: no matter for what is known anyway, but for what is hidden.
        hides = Chain(epoch.chain) is Chain.SECRET and await chains.hides(epoch.id)
        closing = Closing(
            epoch=bytes.fromhex(epoch.id),
            used=epoch.used,
            seed=None if hides else self._seeds_of(epoch)[epoch.length],
            previous=bytes.fromhex(epoch.head),
            at=moment,
        )
        epoch.closing = self.keys.sign(live.key, closing).line()
        epoch.live, epoch.closed_at = None, moment
        # Before the next one: a place has one live epoch of each kind.
        await chains.flush()
        chains.end(live)
        self._seeds.pop(epoch.id, None)
        return epoch

    async def _key(self, chains: Chains, moment: datetime) -> SigningKeyRow:
        key = await chains.key()
        if key is None:
            await chains.hold("key")
            key = await chains.key() or self._new_key(chains, moment)
        return key

    def _new_key(self, chains: Chains, moment: datetime) -> SigningKeyRow:
        key = self.keys.fresh(moment)
        chains.add(key)
        return key

    def _seeds_of(self, epoch: EpochRow) -> Seeds:
        seeds = self._seeds.get(epoch.id)
        if seeds is None:
            last = self._seal.open(epoch.sealed, f"epoch {epoch.id}")
            seeds = self._seeds[epoch.id] = Seeds(last, bytes.fromhex(epoch.id), epoch.length)
            while len(self._seeds) > KEPT_CHAINS:
                self._seeds.popitem(last=False)
        self._seeds.move_to_end(epoch.id)
        return seeds


def commitment_of(epoch: EpochRow) -> Statement:
    """Return the commitment of an epoch."""
    return kept(epoch.commitment)


def closing_of(epoch: EpochRow) -> Statement:
    """Return the closing of an epoch that is closed."""
    if epoch.closing is None:
        raise ValueError(f"epoch {epoch.id} is not closed")
    return kept(epoch.closing)


def kept(line: str) -> Statement:
    """Read a statement as it was kept."""
    statement = read_line(line)
    if not isinstance(statement, Statement):
        raise ValueError("this is no statement")
    return statement
