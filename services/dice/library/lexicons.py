"""What a text means at a table: the dialect it writes, its own dice, and what every table knows.

A place's words are kept for a second. Whoever changes them in this process forgets what was kept; others hear
of it when the second is over. As long as nothing changes, the very same lexicon is handed out, so that
whoever keeps something by a lexicon need not compare dice face by face; places without dice of their own
share one for each dialect.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import orjson

from services.dice.library.models import TableDieRow
from services.dice.library.repository import Words
from services.rules.dice.lexicon import is_die_name
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.notation import Dialect, Lexicon
from services.rules.dice.pool import Face
from services.shared.database import Database

KEPT_SECONDS = 1.0
KEPT_PLACES = 10_000
KEPT_FACES = 200_000
"""Faces of own dice that are kept for all places together; one takes about 150 bytes."""

OwnDice = Mapping[str, tuple[Face, ...]]
"""Dice by the name that the notation uses, without its `d`."""

_State = tuple[str, tuple[tuple[str, int], ...]]


@dataclass(slots=True)
class _Kept:
    """The words of one place.

    Attributes:
        state: the dialect, and id and version of each die: another state, other words.
        dialect: which it writes.
        own: its own dice.
        faces: how many faces they have.
        until: moment of the monotonic clock from which on it is looked up again.
        lexicons: those that were handed out, by dialect.
    """

    state: _State
    dialect: Dialect
    own: OwnDice
    faces: int
    until: float
    lexicons: dict[Dialect, Lexicon] = field(default_factory=dict)


class Lexicons:
    """Knows what texts mean at every table.

    Args:
        database: where words are kept.
        mechanics: the games' own rolls by name.
        named: the games' own dice by name.
        monotonic: a clock in seconds that is never set back.
    """

    def __init__(
        self,
        database: Database,
        mechanics: Mapping[str, Mechanic],
        named: OwnDice,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._monotonic = monotonic
        self._mechanics = mechanics
        self._named = named
        self._plain = {
            dialect: Lexicon(dialect=dialect, dice=named, mechanics=mechanics) for dialect in Dialect
        }
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._faces = 0
        self._changes = 0

    async def lexicon(self, place: str, dialect: Dialect | None = None) -> Lexicon:
        """Return what texts mean at a place.

        Args:
            place: id of the campaign, or else of the account.
            dialect: whose notation they are written in; the place's own setting without it.
        """
        kept = await self._words(place)
        chosen = dialect or kept.dialect
        if not kept.own:
            return self._plain[chosen]
        if chosen not in kept.lexicons:
            kept.lexicons[chosen] = Lexicon(
                dialect=chosen, dice={**self._named, **kept.own}, mechanics=self._mechanics
            )
        return kept.lexicons[chosen]

    async def definitions(self, place: str) -> OwnDice:
        """Return the dice that a place made itself."""
        return (await self._words(place)).own

    def forget(self, place: str) -> None:
        """Look the words of a place up again; called when they were changed."""
        self._changes += 1
        self._drop(place)

    async def _words(self, place: str) -> _Kept:
        known = self._kept.get(place)
        if known is not None and known.until > self._monotonic():
            return known
        changes, until = self._changes, self._monotonic() + KEPT_SECONDS
        async with self._database.read() as session:
            words = Words(session)
            dice, settings = await words.dice(place), await words.settings(place)
        dialect = Dialect[settings.dialect] if settings is not None else Dialect.HEARTHFORGE
        state = (dialect.name, tuple((die.id, die.version) for die in dice))
        if known is not None and known.state == state:
            known.until = until
            return known
        # A name that was free when the die was defined may be a word of the notation by now.
        own = MappingProxyType({die.name: faces_of(die) for die in dice if is_die_name(die.name)})
        read = _Kept(state, dialect, own, sum(len(faces) for faces in own.values()), until)
        # What was read while something changed may be from before the change: it is not kept.
        if changes == self._changes:
            self._keep(place, read)
        return read

    def _keep(self, place: str, read: _Kept) -> None:
        self._drop(place)
        self._kept[place] = read
        self._faces += read.faces
        while len(self._kept) > KEPT_PLACES or self._faces > KEPT_FACES:
            self._drop(next(iter(self._kept)))

    def _drop(self, place: str) -> None:
        gone = self._kept.pop(place, None)
        if gone is not None:
            self._faces -= gone.faces


def faces_of(row: TableDieRow) -> tuple[Face, ...]:
    """Read the faces of a stored die."""
    return tuple(Face(label, value) for label, value in orjson.loads(row.faces))


def written(faces: tuple[Face, ...]) -> str:
    """Write faces as they are stored."""
    return orjson.dumps([[face.label, face.value] for face in faces]).decode()
