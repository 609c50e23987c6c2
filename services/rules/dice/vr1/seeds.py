"""The seeds of an epoch, and the bytes that dice are drawn from.

An epoch of length L has the seeds s_0 ... s_L, with s_{i-1} = SHA-256("VR1-chain" | epoch | s_i). s_0, the
anchor, is published before play: from then on every seed is fixed, and none can be told before it is shown.
Roll number i is drawn from the blocks B_j = HMAC-SHA256(s_i, "VR1-roll" | epoch | i | length of c | c | j),
where c is the entropy of the roller's client; i has 8 bytes, the length 2 and j 4, all big-endian.

Whoever knows s_i knows all seeds before it. What keeps an earlier roll secret then is its c alone, which must
be random and used once.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable

from services.rules.dice.stream import ByteStream

SEED_BYTES = 32
EPOCH_BYTES = 16
CLIENT_BYTES = range(16, 65)
"""How many bytes of entropy a client may send."""
MAX_LENGTH = 2**20
"""The longest chain that anybody has to follow."""

_CHAIN = b"VR1-chain"
_ROLL = b"VR1-roll"


class Seeds:
    """All seeds of one epoch, from the anchor, number 0, to the last one.

    Args:
        last: s_L, 32 random bytes.
        epoch: the epoch's 16 bytes.
        length: L, how many rolls the epoch is good for.

    Raises:
        ValueError: One of them has a wrong size.
    """

    __slots__ = ("_all",)

    def __init__(self, last: bytes, epoch: bytes, length: int) -> None:
        if len(last) != SEED_BYTES or len(epoch) != EPOCH_BYTES or not 1 <= length <= MAX_LENGTH:
            raise ValueError("a chain has a seed of 32 bytes, an epoch of 16, and from 1 to 2**20 rolls")
        prefix = _CHAIN + epoch
        sha256 = hashlib.sha256
        seed = last
        backwards = [seed]
        for _ in range(length):
            seed = sha256(prefix + seed).digest()
            backwards.append(seed)
        backwards.reverse()
        # One piece of memory instead of thousands: chains are kept between rolls.
        self._all = b"".join(backwards)

    def __len__(self) -> int:
        """How many seeds there are: one more than rolls."""
        return len(self._all) // SEED_BYTES

    def __getitem__(self, number: int) -> bytes:
        """Seed s_number; the anchor is number 0.

        Raises:
            IndexError: There is no such seed.
        """
        if not 0 <= number < len(self):
            raise IndexError(f"there is no seed {number}")
        return self._all[number * SEED_BYTES : (number + 1) * SEED_BYTES]


def rewind(seed: bytes, epoch: bytes, steps: int) -> bytes:
    """The seed that comes so many steps before another one."""
    prefix = _CHAIN + epoch
    for _ in range(steps):
        seed = hashlib.sha256(prefix + seed).digest()
    return seed


class Vr1Bytes:
    """The bytes of one roll, from the first one on.

    Args:
        seed: s_i, 32 bytes.
        epoch: the epoch's 16 bytes.
        number: i, from 1.
        client: c, 16 to 64 bytes.

    Raises:
        ValueError: One of them has a wrong size.
    """

    __slots__ = ("_block", "_prefix", "_rest", "_seed")

    def __init__(self, seed: bytes, epoch: bytes, number: int, client: bytes) -> None:
        if len(seed) != SEED_BYTES or len(epoch) != EPOCH_BYTES or not 1 <= number <= MAX_LENGTH:
            raise ValueError("a roll has a seed of 32 bytes, an epoch of 16, and a number from 1 to 2**20")
        if len(client) not in CLIENT_BYTES:
            raise ValueError(f"client entropy has 16 to 64 bytes, not {len(client)}")
        self._seed = seed
        self._prefix = b"".join(
            (_ROLL, epoch, number.to_bytes(8, "big"), len(client).to_bytes(2, "big"), client)
        )
        self._block = 0
        self._rest = b""

    def read(self, n: int) -> bytes:
        """The next `n` bytes."""
        found = self._rest
        while len(found) < n:
            message = self._prefix + self._block.to_bytes(4, "big")
            found += hmac.digest(self._seed, message, "sha256")
            self._block += 1
        self._rest = found[n:]
        return found[:n]


def redraw(dice: Iterable[int], read: Callable[[int], bytes]) -> tuple[int, ...]:
    """Draws faces anew: of dice with these sizes, in this order, from these bytes.

    Args:
        dice: How many faces each die has, 1 to 2**32.
        read: Gives as many further bytes as it is asked for.
    """
    stream = ByteStream(read)
    return tuple([stream.draw(sides) for sides in dice])
