"""Where faces come from: always a stream that has a name, never ambient chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Protocol

ONE_BYTE = 256
FOUR_BYTES = 2**32
CHUNK = 32


class StreamError(ValueError):
    """A stream has no face to give: it is used up, its next face is impossible, or the die is too big."""


class FaceStream(Protocol):
    """Gives faces, in one order, however many are asked for at a time."""

    def draw(self, n: int) -> int:
        """The next face of a die with `n` sides, from 1 to `n`.

        Raises:
            StreamError: There is none to give.
        """

    def draw_many(self, n: int, count: int) -> list[int]:
        """The next `count` faces of dice with `n` sides: as many draws as `count` times `draw`.

        Raises:
            StreamError: There are too few to give.
        """


class ByteStream:
    """Faces drawn from bytes by the rule of verifiable rolls, scheme VR1, point 4.

    One byte for up to 256 sides, else four, big-endian; a value in the last, incomplete run of faces is
    thrown away and drawn anew, so that every face is equally likely. Bytes are fetched ahead of their use.

    Args:
        read: Gives exactly as many further bytes of the stream as it is asked for.
    """

    __slots__ = ("_bytes", "_place", "_read")

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._bytes = b""
        self._place = 0

    def draw(self, n: int) -> int:
        """The next face of a die with `n` sides, from 1 to `n`; `n` is at most 2**32.

        Raises:
            StreamError: `n` is out of range, or the stream gave fewer bytes than asked for.
        """
        if not 1 <= n <= FOUR_BYTES:
            raise StreamError(f"a die has from 1 to {FOUR_BYTES} sides, not {n}")
        width, values = (1, ONE_BYTE) if n <= ONE_BYTE else (4, FOUR_BYTES)
        limit = values - values % n
        while True:
            value = int.from_bytes(self._take(width), "big")
            if value < limit:
                return value % n + 1

    def draw_many(self, n: int, count: int) -> list[int]:
        """The next `count` faces of dice with `n` sides.

        Raises:
            StreamError: `n` is out of range, or the stream gave fewer bytes than asked for.
        """
        if not 1 <= n < ONE_BYTE:
            return [self.draw(n) for _ in range(count)]
        # Faces below 256 fit a byte, so that a whole run of them is one translation; what it throws away
        # is drawn anew behind the run, which is where drawing one by one would have come to as well.
        table, thrown_away = _translation(n)
        faces = list(self._take(count).translate(table, thrown_away))
        while len(faces) < count:
            faces += self._take(count - len(faces)).translate(table, thrown_away)
        return faces

    def _take(self, count: int) -> bytes:
        place = self._place
        end = place + count
        if end > len(self._bytes):
            missing = end - len(self._bytes)
            wanted = missing if missing > CHUNK else CHUNK
            fetched = self._read(wanted)
            if len(fetched) != wanted:
                raise StreamError(f"asked for {wanted} bytes, got {len(fetched)}")
            self._bytes = self._bytes[place:] + fetched
            place, end = 0, count
        self._place = end
        return self._bytes[place:end]


@cache
def _translation(n: int) -> tuple[bytes, bytes]:
    limit = ONE_BYTE - ONE_BYTE % n
    return bytes(value % n + 1 for value in range(ONE_BYTE)), bytes(range(limit, ONE_BYTE))


class ListStream:
    """Faces given beforehand, for replays, for dice rolled on a real table, and for tests."""

    __slots__ = ("_faces", "_place")

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)
        self._place = 0

    @property
    def left(self) -> int:
        """How many faces have not been drawn."""
        return len(self._faces) - self._place

    def draw(self, n: int) -> int:
        """The next face of the list.

        Raises:
            StreamError: The list is used up, or its next face is not one of a die with `n` sides.
        """
        if self._place == len(self._faces):
            raise StreamError(f"all {len(self._faces)} faces are drawn")
        face = self._faces[self._place]
        if not 1 <= face <= n:
            raise StreamError(f"face {face} at {self._place} is none of a die with {n} sides")
        self._place += 1
        return face

    def draw_many(self, n: int, count: int) -> list[int]:
        """The next `count` faces of the list.

        Raises:
            StreamError: The list has too few left, or one of them is not one of a die with `n` sides.
        """
        return [self.draw(n) for _ in range(count)]
