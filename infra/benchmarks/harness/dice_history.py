"""A history of a million rolls in a SQLite file, and readers that go through it page by page.

A thousand rows are made as the dice service makes them, and copied in SQL as often as it takes: whatever
columns there are, copies differ in id, numbers and time alone. The ids tell the time as real ones do.
"""

import asyncio
import gc
import sqlite3
import time
import tracemalloc
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.benchmarks.harness.cases import BenchFailure, Sample
from infra.benchmarks.harness.rounds import Measure
from services.dice.rolls.models import RollRow
from services.dice.rolls.repository import Narrowed, Rolls
from services.shared.access import Access, Role
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.migrate import upgrade
from services.shared.pagination import Page

ROWS = 1_000_000
SEEDS = 1_000
PAGE = 100
SCROLLED = 20
"""Pages a reader goes through, unless told otherwise, before it begins again where it began."""
BEGINNING = datetime(2025, 6, 1, tzinfo=UTC)
STEP = timedelta(seconds=20)
"""From one roll to the next."""
HEROES = 5
OTHER_TABLES = 49
SECRET = 50
"""Every so many rolls the GM's are secret."""
# What is filled in here is thrown away if anything goes wrong.
_FILLING = ("journal_mode=OFF", "synchronous=OFF", "temp_store=MEMORY", "cache_size=-100000")
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass(frozen=True, slots=True)
class History:
    """A filled database.

    Attributes:
        path: of the file.
        rows: how many rolls there are, half of them at one table, a tenth by one of its characters.
        campaign: that table.
        character: that character.
        player: one who plays there and nowhere else.
    """

    path: Path
    rows: int
    campaign: str
    character: str
    player: str

    @property
    def access(self) -> Access:
        """What the player may see."""
        return Access(self.player, {self.campaign: Role.PLAYER})

    def moment(self, share: float) -> datetime:
        """When so large a share of all rolls had been made."""
        return BEGINNING + STEP * round(self.rows * share)

    def id_at(self, share: float) -> str:
        """An id behind that of every roll made before that moment, and before all others."""
        return new_id("rol", milliseconds=_milliseconds(self.moment(share)))


@contextmanager
def filled(rows: int = ROWS) -> Iterator[History]:
    """Give a history of so many rolls, a multiple of a thousand, in a file that is thrown away.

    A million take 700 MB of the folder for temporary files.

    Raises:
        BenchFailure: they do not fit there.
    """
    with TemporaryDirectory(prefix="hearthforge-bench-") as folder:
        path = Path(folder) / "dice.db"
        asyncio.run(upgrade("dice", _url(path)))
        history = asyncio.run(_seed(path, rows))
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            try:
                _multiply(connection, rows // SEEDS)
            except sqlite3.OperationalError as error:
                raise BenchFailure(f"no history of {rows} rolls can be made in {folder}: {error}") from None
        yield history


class Readers:
    """Go through a history as a player's app does, page after page, through the service's own queries."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._database = Database(_url(history.path))

    async def close(self) -> None:
        """Close the file."""
        await self._database.close()

    async def page(self, wanted: Narrowed, after: str | None) -> Page[RollRow]:
        """Read one page of a hundred."""
        async with self._database.read() as session:
            return await Rolls(session, self._history.access).page(wanted, first=PAGE, after=after)

    def scrolling(self, wanted: Narrowed, after: str | None = None, *, pages: int = SCROLLED) -> Measure:
        """Measure reading so many pages one behind the other, again and again from the same place."""

        async def measure(seconds: float) -> Sample:
            took: list[float] = []
            began = now = time.perf_counter()
            while now < began + seconds or not took:
                place = after
                for _ in range(pages):
                    asked = time.perf_counter()
                    page = await self.page(wanted, place)
                    now = time.perf_counter()
                    took.append((now - asked) * 1000)
                    if not page.has_next or now >= began + seconds:
                        break
                    place = page.items[-1].id
            return Sample(sum(took) / 1000, took)

        return measure

    async def growth(self, pages: int, *, held: bool) -> float:
        """Read so many pages one behind the other; give by how many MB Python's memory grew at its peak.

        Args:
            pages: how many.
            held: keep all of them; without it, each is let go when the next one comes.
        """
        wanted = Narrowed(campaign=self._history.campaign)
        await self.page(wanted, None)  # what is made once for all pages is no growth

        async def read() -> None:
            kept = []
            place = None
            for _ in range(pages):
                page = await self.page(wanted, place)
                place = page.items[-1].id
                if held:
                    kept.append(page)

        return await _peak(read)


async def _peak(work: Callable[[], Awaitable[None]]) -> float:
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        await work()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (peak - before) / 1e6


def _url(path: Path) -> str:
    return f"sqlite:///{path}"


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


# Filling


async def _seed(path: Path, rows: int) -> History:
    """Make the first thousand rolls."""
    tables = [new_id("cmp") for _ in range(1 + OTHER_TABLES)]
    players = {table: [new_id("acc") for _ in range(HEROES)] for table in tables}
    heroes = {table: [new_id("chr") for _ in range(HEROES)] for table in tables}
    numbers: Counter[tuple[str, bool]] = Counter()
    seeds = []
    for place in range(SEEDS):
        table = tables[0] if place % 2 else tables[1 + place // 2 % OTHER_TABLES]
        hero = place // 2 % HEROES
        moment = BEGINNING + STEP * place
        secret = place % SECRET == 1
        numbers[table, secret] += 1
        roll_id = _id(place)
        seeds.append(
            RollRow(
                id=roll_id,
                place=table,
                seq=None if secret else numbers[table, False],
                secret_seq=numbers[table, True] if secret else None,
                account=players[table][hero],
                campaign=table,
                character=heroes[table][hero],
                label="Battle",
                expression="4d6kh3 + 2",
                faces="[3,1,6,5]",
                total=16,
                batch=roll_id,
                created_at=moment,
            )
        )
    database = Database(_url(path))
    async with database.write() as session:
        session.add_all(seeds)
    await database.close()
    return History(path, rows, tables[0], heroes[tables[0]][0], players[tables[0]][0])


def _multiply(connection: sqlite3.Connection, times: int) -> None:
    """Copy the thousand rolls until there are so many times as many."""
    for pragma in _FILLING:
        connection.execute(f"PRAGMA {pragma}")
    columns = [row[1] for row in connection.execute("PRAGMA table_info(roll)")]
    indexes = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'roll' AND sql IS NOT NULL"
    ).fetchall()
    ordinal = f"(copy * {SEEDS} + seed)"
    milliseconds = f"({_milliseconds(BEGINNING)} + {ordinal} * {_whole_milliseconds(STEP)})"
    changed = {
        "id": _id_in_sql(milliseconds, ordinal),
        "batch": _id_in_sql(milliseconds, ordinal),
        "seq": "seq + copy * open_ones",
        "secret_seq": "secret_seq + copy * secret_ones",
        "created_at": f"strftime('%Y-%m-%d %H:%M:%f000', {milliseconds} / 1000.0, 'unixepoch')",
    }
    connection.execute("BEGIN")
    for name, _ in indexes:
        connection.execute(f"DROP INDEX {name}")
    connection.execute(
        "CREATE TEMP TABLE seeds AS SELECT row_number() OVER (ORDER BY id) - 1 AS seed, "
        "count(seq) OVER (PARTITION BY place) AS open_ones, "
        "count(secret_seq) OVER (PARTITION BY place) AS secret_ones, * FROM roll"
    )
    connection.execute(
        "WITH RECURSIVE copies(copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < ?) "
        f"INSERT INTO roll ({', '.join(columns)}) "
        f"SELECT {', '.join(changed.get(column, column) for column in columns)} "
        "FROM copies CROSS JOIN temp.seeds WHERE copy < ?",
        (times - 1, times),
    )
    for _, statement in indexes:
        connection.execute(statement)
    connection.execute("COMMIT")


def _whole_milliseconds(span: timedelta) -> int:
    return span // timedelta(milliseconds=1)


def _id(ordinal: int) -> str:
    """The id of a roll: its moment, and its number in place of chance."""
    return f"{new_id('rol', milliseconds=_milliseconds(BEGINNING + STEP * ordinal))[:14]}{ordinal:016}"


def _id_in_sql(milliseconds: str, ordinal: str) -> str:
    """The same in SQL: 10 digits of 5 bits, then the number."""
    digits = [
        f"substr('{_ALPHABET}', (({milliseconds} >> {5 * place}) & 31) + 1, 1)" for place in range(9, -1, -1)
    ]
    return " || ".join(["'rol_'", *digits, f"printf('%016d', {ordinal})"])
