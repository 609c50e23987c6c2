"""What keeps things is full, read-only or away: nothing is half done, and everybody is told to come back."""

from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import httpx
import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.dice.tables import IDEMPOTENCY, SEQUENCE
from services.shared.app import Frame, build_app
from services.shared.database import Database
from services.shared.outages import DatabaseUnavailable, StorageUnavailable
from services.shared.sequence import next_value
from services.shared.settings import Settings
from services.shared.storage import FolderStorage
from tests.databases import ON_BOTH
from tests.outages import FAULTS, broken_sqlite

pytestmark = pytest.mark.databases("dice")
POSTGRES = pytest.mark.backends("postgres")


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    made = Database(settings.database_url("dice"))
    yield made
    await made.close()


async def sequences(database: Database) -> int:
    async with database.read() as session:
        return int((await session.execute(select(func.count()).select_from(SEQUENCE))).scalar_one())


async def fill(database: Database, rows: int = 2_000) -> None:
    """Write more than a page holds, in one unit of work."""
    async with database.write() as session:
        for number in range(rows):
            await session.execute(insert(SEQUENCE).values(scope=f"scope-{number}", value=1))


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_database_that_cannot_be_written_is_unavailable_and_keeps_no_half(
    database: Database, fault: str
) -> None:
    with broken_sqlite(fault), pytest.raises(DatabaseUnavailable):
        await fill(database)
    assert await sequences(database) == 0
    await fill(database, 10)
    assert await sequences(database) == 10


async def test_a_file_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    away = Database(f"sqlite:///{tmp_path / 'no' / 'file.db'}")
    for use in (away.read, away.write):
        with pytest.raises(DatabaseUnavailable):
            async with use() as session:
                await session.execute(text("SELECT 1"))
    await away.close()


@ON_BOTH
async def test_faults_of_our_own_stay_what_they_are(database: Database) -> None:
    with pytest.raises(DBAPIError):
        async with database.read() as session:
            await session.execute(text("SELECT nothing FROM nowhere"))
    with pytest.raises(IntegrityError):
        async with database.write() as session:
            await session.execute(insert(SEQUENCE).values(scope="twice", value=1))
            await session.execute(insert(SEQUENCE).values(scope="twice", value=1))
    with pytest.raises(DBAPIError):
        async with database.write() as session:
            await session.execute(insert(IDEMPOTENCY).values(owner={"no": "text"}, key="k"))
    with pytest.raises(ZeroDivisionError):
        async with database.write() as session:
            await next_value(session, "half")
            raise ZeroDivisionError
    assert await sequences(database) == 0


RAISED = {
    "disk full": "53100",
    "too many connections": "53300",
    "shutdown": "57P01",
    "starting": "57P03",
    "input and output": "58030",
    "read-only": "25006",
    "deadlock": "40P01",
}


@POSTGRES
@pytest.mark.parametrize("state", RAISED.values(), ids=RAISED)
async def test_what_postgres_reports_of_an_outage_is_unavailable(database: Database, state: str) -> None:
    with pytest.raises(DatabaseUnavailable):
        async with database.write() as session:
            await next_value(session, "half")
            await session.execute(text(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{state}'; END $$"))
    assert await sequences(database) == 0


@POSTGRES
async def test_a_server_that_restarts_is_unavailable_and_then_answers_again(
    database: Database, settings: Settings
) -> None:
    with pytest.raises(DatabaseUnavailable):
        async with database.write() as session:
            await next_value(session, "half")
            await end_connections(settings)
            await next_value(session, "other half")
    assert await sequences(database) == 0
    async with database.write() as session:
        await next_value(session, "whole")
    assert await sequences(database) == 1


async def end_connections(settings: Settings) -> None:
    """End every other connection to a database, as a server does that stops."""
    url = make_url(settings.database_url("dice"))
    host = url.query["host"]
    assert isinstance(host, str)
    connection = await asyncpg.connect(host=host, user=url.username, database=url.database)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await connection.close()


@POSTGRES
async def test_a_server_that_is_away_is_unavailable(settings: Settings, tmp_path: Path) -> None:
    url = make_url(settings.database_url("dice")).update_query_dict({"host": str(tmp_path)})
    away = Database(url.render_as_string(hide_password=False))
    with pytest.raises(DatabaseUnavailable):
        async with away.read() as session:
            await session.execute(text("SELECT 1"))
    await away.close()


async def test_a_folder_that_cannot_be_written_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "maps").write_text("in the way")
    storage = FolderStorage(tmp_path)
    for use in (storage.put("maps/a.svg", b""), storage.get("maps/a.svg")):
        with pytest.raises(StorageUnavailable):
            await use
    assert (tmp_path / "maps").read_text() == "in the way"


async def test_a_path_of_the_house_tells_when_to_come_back(settings: Settings, database: Database) -> None:
    async def count(_request: Request) -> Response:
        await fill(database)
        return Response()

    app = build_app(Frame("dice", [Route("/count", count)], {}), settings)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://dice") as client:
        with broken_sqlite("full"):
            answer = await client.get("/count")
        assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE")
        assert answer.headers["retry-after"] == "1"
        assert (await client.get("/count")).status_code == 200
