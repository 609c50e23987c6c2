"""What has changed among the rolls of a place since a client read them: rolls that were made, and secret ones
that were revealed.

Open and secret rolls are numbered in the order of their commits already (``seq``, ``secret_seq``), and rolls
are never deleted while anybody may see them; so a cursor holds how far a client has read of either.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from services.dice.rolls.replay import Recorded
from services.dice.rolls.repository import Rolls
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.pagination import MAX_NUMBER, encode_cursor, text_of_cursor
from services.shared.policy import Policy, Right, Seat
from services.shared.problems import PublicError

_CURSOR = re.compile(r"~(\w{1,40})\.(\d{1,10})\.(\d{1,10}|-)")
NO_SECRETS = "-"


@dataclass(frozen=True, slots=True)
class RollsRead:
    """How far a client has read the rolls of a place.

    Attributes:
        place: id of the campaign or account.
        open: number of the last open roll.
        secret: number of the last secret one; None for who sees none of these.
    """

    place: str
    open: int = 0
    secret: int | None = None

    def text(self) -> str:
        """Return it as the API writes cursors."""
        secret = NO_SECRETS if self.secret is None else self.secret
        return encode_cursor(f"~{self.place}.{self.open}.{secret}")

    @classmethod
    def of(cls, cursor: str, place: str) -> "RollsRead":
        """Read it back.

        Raises:
            PublicError: ``BAD_CURSOR`` when it was not made for this place.
        """
        found = _CURSOR.fullmatch(text_of_cursor(cursor))
        numbers = [] if found is None else [int(one) for one in found.groups()[1:] if one != NO_SECRETS]
        if found is None or found[1] != place or max(numbers) > MAX_NUMBER:
            raise PublicError("BAD_CURSOR", "The cursor `since` does not belong to this list.")
        return cls(place, *numbers)


@dataclass(frozen=True, slots=True)
class RollPage:
    """Rolls that are new to a client, or revealed.

    Attributes:
        rolls: the rolls, secret ones first, each once.
        read: how far the client has read with these.
        more: whether there are more by now.
        anew: whether this begins anew: what the client had of the list before counts no more.
    """

    rolls: Sequence[Recorded]
    read: RollsRead
    more: bool
    anew: bool


class RollUpdates:
    """Reads what has changed among rolls.

    Args:
        database: where rolls are kept.
        policy: knows what viewers may see.
    """

    def __init__(self, database: Database, policy: Policy) -> None:
        self._database = database
        self._policy = policy

    async def read(
        self, viewer: Viewer, campaign: str | None, cursor: str | None, *, first: int
    ) -> RollPage | None:
        """Read what has changed among a campaign's rolls, or the viewer's own outside of any.

        Args:
            viewer: who asks.
            campaign: id of the campaign, if any.
            cursor: how far they have read; None from the beginning.
            first: how many rolls at most.

        Returns:
            The rolls; None for who is no member of the campaign.

        Raises:
            PublicError: ``BAD_CURSOR``.
            Unavailable: the campaign service is silent.
        """
        seat = await self._policy.seat_to_read(viewer, campaign)
        if seat is None:
            return None
        begin = RollsRead(seat.place, 0, 0 if _sees_secrets(seat) else None)
        read = begin if cursor is None else RollsRead.of(cursor, seat.place)
        anew = cursor is None or (read.secret is None) != (begin.secret is None)
        if anew:
            read = begin
        access = await self._policy.access(viewer, campaigns=() if campaign is None else (campaign,))
        async with self._database.read() as session:
            return await _page(Rolls(session, access), read, anew=anew, first=first)


async def _page(kept: Rolls, read: RollsRead, *, anew: bool, first: int) -> RollPage:
    """Read the secret rolls first: one that is revealed meanwhile is among the open ones then."""
    secret = []
    if read.secret is not None:
        secret = await kept.behind(read.place, read.secret, secret=True, limit=first + 1)
    told = secret[:first]
    left = first - len(told)
    opened = await kept.behind(read.place, read.open, secret=False, limit=left + 1)
    more = len(secret) > first or len(opened) > left
    # What is revealed, and not told as that yet, comes once, as an open roll.
    hidden = [row for row in told if row.seq is None or row.seq <= read.open]
    rows = {row.id: row for row in (*hidden, *opened[:left])}
    following = RollsRead(
        read.place,
        (opened[:left][-1].seq or read.open) if opened[:left] else read.open,
        told[-1].secret_seq if told else read.secret,
    )
    return RollPage([Recorded.of(row) for row in rows.values()], following, more, anew)


def _sees_secrets(seat: Seat) -> bool:
    return seat.campaign is not None and seat.may(Right.RUN)
