"""Waiting for migrations that another process makes."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from services.shared import migrate
from services.shared.migrate import is_migrated, upgrade, wait


async def test_a_database_is_migrated_once_it_has_the_newest_migration(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'dice.db'}"
    assert not await is_migrated("dice", url)
    await upgrade("dice", url, "dice_0001")
    assert not await is_migrated("dice", url)
    await upgrade("dice", url)
    assert await is_migrated("dice", url)


async def test_a_database_that_newer_code_has_migrated_holds_nobody_up(tmp_path: Path) -> None:
    file = tmp_path / "dice.db"
    await upgrade("dice", f"sqlite:///{file}")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'dice_9999'")
    assert await is_migrated("dice", f"sqlite:///{file}")


async def test_a_database_that_cannot_be_reached_is_not_migrated(tmp_path: Path) -> None:
    assert not await is_migrated("dice", "postgresql+asyncpg://hearthforge@127.0.0.1:1/dice")


async def test_waiting_ends_with_the_migrations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(migrate, "WAIT_SECONDS", 0.01)
    url = f"sqlite:///{tmp_path / 'dice.db'}"
    waiting = asyncio.create_task(wait({"dice": url}))
    while "waiting for the migrations of dice" not in capsys.readouterr().err:
        await asyncio.sleep(0.01)
    assert not waiting.done()
    await upgrade("dice", url)
    await asyncio.wait_for(waiting, 10)
