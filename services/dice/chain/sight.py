"""What a viewer may see of a chain.

Everything at an open chain is everybody's there. Of a secret chain, the GMs of the campaign (outside of any,
the account itself) see everything; anybody else sees

- of every epoch its commitment, and its closing once it is closed;
- of a live epoch the numbers up to the last one that was revealed: the revealed receipts whole, those in
  between as links, because without their hashes the later receipt could not be checked. Nothing is shown of
  numbers behind it, not even how many there are, and the head says that it is the view of what is revealed;
- of a closed epoch all its numbers, those that were not revealed as links.

Revealing a receipt shows its seed, and with it the seeds of the numbers before: those rolls then stay secret
by their client entropy alone. The last seed of an epoch is therefore not published while any receipt of it
is hidden.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from services.dice.chain.ledger import closing_of, commitment_of, kept
from services.dice.chain.models import EpochRow, ReceiptRow
from services.dice.chain.repository import Chains
from services.rules.dice.vr1 import Body, Chain, Commitment, Head, Statement, View, read_body
from services.shared.policy import Right, Seat


@dataclass(frozen=True, slots=True)
class Sight:
    """A viewer's view of the chains of one place.

    Attributes:
        place: campaign or account.
        whole: whether nothing of the secret chain is hidden from the viewer.
        past: whether the campaign was deleted: nobody begins an epoch there any more.
    """

    place: str
    whole: bool
    past: bool = False

    @classmethod
    def of(cls, seat: Seat) -> "Sight":
        """Look at the place where the viewer has a seat."""
        return cls(seat.place, whole=seat.may(Right.RUN), past=seat.past)

    def sees(self, epoch: EpochRow) -> bool:
        """Tell whether nothing of this epoch is hidden from the viewer."""
        return self.whole or epoch.chain == Chain.OPEN

    async def until(self, chains: Chains, epoch: EpochRow) -> int:
        """Return the last number of an epoch that the viewer may know of."""
        if self.sees(epoch) or epoch.closed_at is not None:
            return epoch.used
        return await chains.last_revealed(epoch.id)


@dataclass(frozen=True, slots=True)
class ShownEpoch:
    """An epoch of verifiable rolls: a chain of seeds that was committed to before its first roll.

    Attributes:
        id: Its 16 bytes in hexadecimal.
        secret: Whether it is of the chain of the GM's rolls.
        ordinal: 1, 2, 3, ... among the epochs of this chain here.
        anchor: Seed number 0 in hexadecimal, to which every later seed leads back.
        length: How many rolls it is good for.
        used: How many of its numbers are used; of a live epoch of the secret chain, up to the last revealed.
        statement: The signed commitment.
        closing: The signed end of it; null while it is live.
        head: Signed now: where the chain ends, as far as you may know.
        began_at: When it was committed to.
        closed_at: When it was closed.
    """

    id: str
    secret: bool
    ordinal: int
    anchor: str
    length: int
    used: int
    statement: Statement
    closing: Statement | None
    head: Statement
    began_at: datetime
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class ShownReceipt:
    """What is published of one number of an epoch: a receipt or a void, or a link while it is hidden.

    Attributes:
        number: In its epoch.
        hidden: Whether only its place in the chain is shown.
        body: Its exact text, JSON; null while it is hidden.
        hash: SHA-256 of "VR1-statement" and the text, in hexadecimal.
        key: Id of the key that signed it.
        signature: Ed25519 signature of "VR1-sign" and the hash, in hexadecimal.
    """

    number: int
    hidden: bool
    body: str | None
    hash: str
    key: str
    signature: str


async def show_epoch(
    chains: Chains, sight: Sight, epoch: EpochRow, sign: Callable[[Body], Statement], moment: datetime
) -> ShownEpoch:
    """Show an epoch, with a head signed at this moment."""
    used = await sight.until(chains, epoch)
    revealed = epoch.closed_at is None and not sight.sees(epoch)
    commitment = commitment_of(epoch)
    body = read_body(commitment.body)
    assert isinstance(body, Commitment)
    head = Head(
        epoch=body.epoch,
        used=used,
        head=bytes.fromhex(await _newest_hash(chains, epoch, used)),
        view=View.REVEALED if revealed else View.WHOLE,
        at=moment,
    )
    return ShownEpoch(
        id=epoch.id,
        secret=epoch.chain == Chain.SECRET,
        ordinal=epoch.ordinal,
        anchor=body.anchor.hex(),
        length=epoch.length,
        used=used,
        statement=commitment,
        closing=None if epoch.closing is None else closing_of(epoch),
        head=sign(head),
        began_at=epoch.created_at,
        closed_at=epoch.closed_at,
    )


def show_receipt(sight: Sight, epoch: EpochRow, row: ReceiptRow) -> ShownReceipt:
    """Show the receipt or void of a number, or the link in its place."""
    statement = kept(row.statement)
    hidden = row.hidden and not sight.sees(epoch)
    return ShownReceipt(
        number=row.number,
        hidden=hidden,
        body=None if hidden else statement.body,
        hash=statement.hash,
        key=statement.key,
        signature=statement.signature,
    )


async def hash_before(chains: Chains, epoch: EpochRow, number: int) -> str:
    """Return the hash of the statement before a number of an epoch."""
    if number == 1:
        return commitment_of(epoch).hash
    row = await chains.receipt(epoch.id, number - 1)
    if row is None:
        raise ValueError(f"epoch {epoch.id} has no number {number - 1}")
    return kept(row.statement).hash


async def _newest_hash(chains: Chains, epoch: EpochRow, used: int) -> str:
    if epoch.closing is not None:
        return closing_of(epoch).hash
    return epoch.head if used == epoch.used else await hash_before(chains, epoch, used + 1)
