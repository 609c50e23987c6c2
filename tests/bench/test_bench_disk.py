"""What the benchmark of the disk counts: pages in use, before anything is pruned and after."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import insert

from infra.benchmarks import disk
from infra.benchmarks.harness.product import Product
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.migrate import upgrade
from services.shared.settings import SERVICES
from services.shared.tables import metadata

ROWS = 2_000
WIDTH = 300


@pytest.fixture
def product(tmp_path: Path) -> Product:
    """Give what the benchmark knows of a product: where its databases are."""
    urls = {service: f"sqlite:///{tmp_path}/{service}.db" for service in SERVICES}
    for service, url in urls.items():
        asyncio.run(upgrade(service, url))
    databases = {f"DATABASE_URL_{service.upper()}": url for service, url in urls.items()}
    return Product("http://127.0.0.1:1", {}, {"HEARTHFORGE_DATA_DIR": str(tmp_path), **databases}, {})


def test_what_is_pruned_counts_at_once_and_not_in_the_long_run(
    product: Product, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fill() -> None:
        database = Database(product.environment["DATABASE_URL_DICE"], pooled=False)
        tables = metadata("dice").tables
        moment = system_clock()
        async with database.write() as session:
            lasting = [{"scope": f"{number:080}", "value": 1} for number in range(ROWS)]
            passing = [
                {
                    "owner": "acc_a",
                    "key": f"{number:0{WIDTH - 64}}",
                    "fingerprint": "0" * 64,
                    "created_at": moment,
                }
                for number in range(ROWS)
            ]
            await session.execute(insert(tables["sequence"]), lasting)
            await session.execute(insert(tables["idempotency"]), passing)
        await database.close()

    def work() -> int:
        asyncio.run(fill())
        (tmp_path / "files").mkdir()
        (tmp_path / "files" / "map.svg").write_bytes(b"x" * 50 * ROWS)
        return ROWS

    monkeypatch.setattr(disk, "settle", lambda product: None)
    case = disk.measured(product, "1,000 things", work)
    assert case.more["done"] == ROWS
    assert case.more["files_kB"] == 50
    assert 50 + 80 < case.value < 50 + 3 * 80 < 50 + 80 + WIDTH < case.more["at_once_kB"]
