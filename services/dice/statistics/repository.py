"""All SQL about how the dice fell: counting an open roll, and reading the counts.

A roll is counted in its own transaction, by upserts that add to what is there, so that none is lost and none
is counted that was not kept. Rolls of one place take turns before they come here (they take numbers from its
sequence), and the faces of one statement are in order, so two transactions never wait for each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson
from sqlalchemy import TextClause, func, text
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.statistics.counting import VOID_TOTAL, Fallen
from services.dice.statistics.models import FaceTallyRow, TotalTallyRow
from services.rules.dice.result import RollResult

MOST_KINDS = 50
"""Kinds of dice that are read, those rolled most."""

MOST_EXPRESSIONS = 100
"""Expressions that are read, those rolled most."""

MOST_TOTALS = 20_000
"""Rows of totals that are read."""

_Statements = Mapping[str, TextClause]
"""One statement for each kind of database."""

_ROWS: Mapping[str, tuple[str, str]] = {
    # How one member of a row of JSON is read, and where the rows come from.
    "sqlite": ("json_extract(value, '$[{}]')", "json_each(:rows)"),
    "postgresql": (
        "value->>{}",
        "jsonb_array_elements(CAST(CAST(:rows AS text) AS jsonb)) AS listed (value)",
    ),
}


def _upsert(table: str, columns: Sequence[str], numbers: Sequence[str], key: Sequence[str]) -> _Statements:
    """Write the statement, for each kind of database, that adds rows of JSON to the counts of a table.

    Args:
        table: its name.
        columns: in the order of a row; the last is the count.
        numbers: the columns that are whole numbers.
        key: the columns that a count is known by.
    """
    found = {}
    for dialect, (member, source) in _ROWS.items():
        parts = [
            f"CAST({member.format(place)} AS integer)" if column in numbers else member.format(place)
            for place, column in enumerate(columns)
        ]
        found[dialect] = text(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(parts)} FROM {source} WHERE true "
            f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET count = {table}.count + excluded.count"
        )
    return found


_FACES = _upsert(
    "face_tally",
    ("place", "account", "die", "face", "faces", "count"),
    ("face", "faces", "count"),
    ("place", "account", "die", "face"),
)
_TOTALS = _upsert(
    "total_tally",
    ("place", "account", "digest", "total", "expression", "definitions", "count"),
    ("total", "count"),
    ("place", "account", "digest", "total"),
)


@dataclass(frozen=True, slots=True)
class OpenRoll:
    """A roll that everybody at its place may see.

    Attributes:
        place: the campaign, or else the account.
        account: who rolled.
        result: what the dice came to, whole or as it is counted.
        expression: as it is stored with the roll.
        definitions: the named dice in it, as they are stored with the roll.
    """

    place: str
    account: str
    result: RollResult | Fallen
    expression: str
    definitions: str | None


async def tally(
    session: AsyncSession,
    place: str,
    account: str,
    result: RollResult,
    expression: str,
    definitions: str | None,
) -> None:
    """Count one roll as it becomes open; see ``OpenRoll`` and ``tally_all``."""
    await tally_all(session, [OpenRoll(place, account, result, expression, definitions)])


async def tally_all(session: AsyncSession, rolls: Iterable[OpenRoll]) -> None:
    """Count rolls as they become open, inside the unit of work that keeps or reveals them: two statements."""
    faces: Counter[tuple[str, str, str, int, int]] = Counter()
    totals: Counter[tuple[str, str, str, int, str, str | None]] = Counter()
    for roll in rolls:
        where = (roll.place, roll.account)
        fallen = roll.result if isinstance(roll.result, Fallen) else Fallen.of(roll.result)
        for (kind, face, sides), count in fallen.drawn.items():
            faces[(*where, kind, face, sides)] += count
        # What people note behind a `#` makes no other expression of it.
        rolled = fallen.bare if "#" in roll.expression else roll.expression
        digest = sha256(f"{rolled}\0{roll.definitions or ''}".encode()).hexdigest()
        totals[(*where, digest, fallen.total, rolled, roll.definitions)] += 1
    await _add(session, _FACES, faces)
    await _add(session, _TOTALS, totals)


async def _add(session: AsyncSession, statements: _Statements, counts: Counter[Any]) -> None:
    rows = sorted([[*key, count] for key, count in counts.items()], key=lambda row: row[:4])
    if rows:
        statement = statements[session.get_bind().dialect.name]
        await session.execute(statement, {"rows": orjson.dumps(rows).decode()})


@dataclass(frozen=True, slots=True)
class Kind:
    """How the dice of one kind fell.

    Attributes:
        die: as it is counted.
        counts: how often each face came, in the order of the faces.
    """

    die: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """What the rolls of one expression came to.

    Attributes:
        expression: in dice notation.
        definitions: the named dice in it; None for none.
        counts: how often, by total.
        voids: how often they came to nothing.
    """

    expression: str
    definitions: str | None
    counts: Mapping[int, int]
    voids: int


class Tallies:
    """The counts of one place that the viewer is known to see, inside a caller's session.

    Args:
        session: a reading session.
        place: the campaign, or else the account.
        account: only of this player; None for everybody.
    """

    def __init__(self, session: AsyncSession, place: str, account: str | None) -> None:
        self._session = session
        self._faces = [col(FaceTallyRow.place) == place]
        self._totals = [col(TotalTallyRow.place) == place]
        if account is not None:
            self._faces.append(col(FaceTallyRow.account) == account)
            self._totals.append(col(TotalTallyRow.account) == account)

    async def kinds(self) -> tuple[list[Kind], int]:
        """Read how the dice of the kinds rolled most fell, and the number of dice of all other kinds."""
        die, face, count = col(FaceTallyRow.die), col(FaceTallyRow.face), func.sum(FaceTallyRow.count)
        query = (
            select(die, func.max(FaceTallyRow.faces))
            .where(*self._faces)
            .group_by(die)
            .order_by(count.desc(), die)
            .limit(MOST_KINDS)
        )
        counts = {name: [0] * int(faces) for name, faces in (await self._session.execute(query)).all()}
        parts = select(die, face, count).where(*self._faces, die.in_(counts)).group_by(die, face)
        for name, number, often in (await self._session.execute(parts)).all():
            counts[name][number - 1] = int(often)
        everything = (await self._session.execute(select(count).where(*self._faces))).scalar_one()
        others = int(everything or 0) - sum(sum(faces) for faces in counts.values())
        return [Kind(name, tuple(faces)) for name, faces in counts.items()], others

    async def rolled(self) -> tuple[list[Rolled], int]:
        """Read what the expressions rolled most came to, and the number of rolls of all others."""
        digest, total, count = (
            col(TotalTallyRow.digest),
            col(TotalTallyRow.total),
            func.sum(TotalTallyRow.count),
        )
        expression, definitions = func.max(TotalTallyRow.expression), func.max(TotalTallyRow.definitions)
        query = (
            select(digest, expression, definitions, func.count(total.distinct()))
            .where(*self._totals)
            .group_by(digest)
            .order_by(count.desc(), digest)
            .limit(MOST_EXPRESSIONS)
        )
        asked: dict[str, tuple[str, str | None]] = {}
        counts: dict[str, dict[int, int]] = {}
        room = MOST_TOTALS
        for key, notation, named, rows in (await self._session.execute(query)).all():
            if rows > room:
                continue
            room -= int(rows)
            counts[key] = {}
            asked[key] = (notation, named)
        parts = select(digest, total, count).where(*self._totals, digest.in_(counts)).group_by(digest, total)
        for key, number, often in (await self._session.execute(parts)).all():
            counts[key][number] = int(often)
        everything = (await self._session.execute(select(count).where(*self._totals))).scalar_one()
        others = int(everything or 0) - sum(sum(totals.values()) for totals in counts.values())
        found = []
        for key, (notation, named) in asked.items():
            voids = counts[key].pop(VOID_TOTAL, 0)
            found.append(Rolled(notation, named, counts[key], voids))
        return found, others
