"""Maps that were there before outlive the migrations."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Connection, MetaData, create_engine, insert, select

from services.shared.migrate import upgrade

FILLERS: dict[type, Any] = {int: 1, float: 0.5, str: "x", datetime: datetime(2026, 11, 1, tzinfo=UTC)}


def filled(column: Column[Any]) -> Any:
    """Give a value for a column that must have one."""
    return FILLERS[column.type.python_type]


def write(connection: Connection, table: str, **known: Any) -> None:
    """Write a row with everything that must not be missing."""
    found = MetaData()
    found.reflect(connection, only=[table], resolve_fks=False)
    columns = found.tables[table].columns
    needed = {column.name: filled(column) for column in columns if not column.nullable}
    connection.execute(insert(found.tables[table]).values({**needed, **known}))


def everything(connection: Connection) -> dict[str, list[Any]]:
    found = MetaData()
    found.reflect(connection, only=["job", "map", "map_file"], resolve_fks=False)
    return {
        name: [row.map if name == "map_file" else row.id for row in connection.execute(select(table))]
        for name, table in found.tables.items()
    }


async def test_a_map_with_files_outlives_every_migration_of_sqlite(tmp_path: Path) -> None:
    file = tmp_path / "map.db"
    address = f"sqlite:///{file}"
    await upgrade("map", address, to="map_0001")
    plain = create_engine(f"sqlite:///{file}")
    with plain.begin() as connection:
        write(connection, "job", id="job_1")
        write(connection, "map", id="map_1", job="job_1")
        write(connection, "map_file", map="map_1", name="map.svg")
        before = everything(connection)
    await upgrade("map", address)
    with plain.begin() as connection:
        assert everything(connection) == before
        assert before == {"job": ["job_1"], "map": ["map_1"], "map_file": ["map_1"]}


async def test_a_migration_that_would_lose_what_rows_refer_to_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "map.db"
    address = f"sqlite:///{file}"
    await upgrade("map", address, to="map_0001")
    plain = create_engine(f"sqlite:///{file}")
    with plain.begin() as connection:
        write(connection, "map_file", map="map_gone", name="map.svg")
    with pytest.raises(RuntimeError, match="1 rows refer to rows that are not there"):
        await upgrade("map", address)
    with plain.begin() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").all() == [("map_0001",)]


async def test_usage_is_what_maps_and_batches_count_since_they_can_be_deleted(tmp_path: Path) -> None:
    file = tmp_path / "map.db"
    address = f"sqlite:///{file}"
    await upgrade("map", address, to="map_0005")
    plain = create_engine(f"sqlite:///{file}")
    with plain.begin() as connection:
        write(connection, "map", id="map_1", owner="acc_a", model="é" * 10)
        write(connection, "map_file", map="map_1", name="map.svg", bytes=7)
        write(connection, "map", id="map_2", owner="acc_a", model="x" * 3)
        write(connection, "job", id="job_b", owner="acc_b")
        # Of its parts' jobs one is forgotten.
        for part in ("job_p", "job_q"):
            write(connection, "batch_part", job=part, batch="job_b", bytes=11)
        for owner in ("acc_a", "acc_b", "acc_c"):
            write(connection, "map_usage", owner=owner, maps=9, bytes=999)
    await upgrade("map", address)
    with plain.begin() as connection:
        maps = connection.exec_driver_sql("SELECT id, bytes FROM map ORDER BY id").all()
        usage = connection.exec_driver_sql("SELECT owner, maps, bytes FROM map_usage ORDER BY owner").all()
    assert maps == [("map_1", 27), ("map_2", 3)]
    assert usage == [("acc_a", 2, 30), ("acc_b", 0, 22), ("acc_c", 0, 0)]
