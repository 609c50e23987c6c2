"""A product whose files lie in a bucket: made, read, backed up, and restored into a folder."""

import asyncio
import dataclasses
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from services.shared.object_storage import ObjectStorage
from services.shared.settings import SERVICES
from services.shared.storage_address import storage_address
from tests.e2e.product import Person, Product, new_product
from tests.e2e.table import make_dungeon, make_map
from tests.e2e.test_backups import infra
from tests.matrix.in_process import in_process
from tests.object_store import CREDENTIALS, ObjectStore

NAMES = ("map.json", "map.svg")


@pytest.fixture
def bucket_product(object_store: ObjectStore) -> Iterator[Product]:
    """Start a product on a bucket that clients may read from."""
    variables = {"HEARTHFORGE_STORAGE_URL": object_store.url(public=True), **object_store.environment}
    made = new_product(variables=variables)
    try:
        made.start()
        yield made
        assert made.stop() == 0
    finally:
        made.discard()


def stored(product: Product) -> set[str]:
    """List the keys of a product's bucket."""
    address = storage_address(product.environment["HEARTHFORGE_STORAGE_URL"])

    async def keys() -> set[str]:
        walk = ObjectStorage(address, CREDENTIALS).stored(datetime.now(UTC))
        return {key async for key, _ in walk}

    return asyncio.run(keys())


def read(person: Person, map_id: str) -> list[bytes]:
    """Read files of a map over REST."""
    answers = [person.get(f"/v1/maps/{map_id}/{name}") for name in NAMES]
    assert [answer.status_code for answer in answers] == [200, 200]
    return [answer.content for answer in answers]


def assert_read_in_the_bucket(mara: Person) -> None:
    """Draw a picture, then read it in the bucket; what players see under fog is never stored there."""
    path = f"/v1/maps/{make_dungeon(mara, seed='33', sharing='FOGGED')}/map.png?px=10&redirect=true"
    drawn, sent = mara.get(path), mara.get(path)
    assert (drawn.status_code, sent.status_code) == (200, 307)
    assert sent.headers["cache-control"] == "private, no-store"
    found = httpx.get(sent.headers["location"], trust_env=False)
    assert (found.content, found.headers["content-type"]) == (drawn.content, "image/png")
    assert [mara.get(f"{path}&view=players").status_code for _ in range(2)] == [200, 200]
    assert mara.product.sign_up("Nobody").get(path).status_code == 404


def test_files_live_in_a_bucket_and_move_to_a_folder(
    bucket_product: Product, valkey_url: str, tmp_path: Path
) -> None:
    mara = bucket_product.sign_up("Mara")
    maps = [make_map(mara, seed=seed)["map"]["id"] for seed in (31, 32)]
    before = [read(mara, map_id) for map_id in maps]
    assert_read_in_the_bucket(mara)
    kept = stored(bucket_product)
    assert {key.split("/")[1] for key in kept if key.startswith("maps/")} > set(maps)
    assert not (bucket_product.data / "files").exists()

    data = bucket_product.folder / "twin"
    infra("backup", str(tmp_path / "backup.tar"), "--data", str(bucket_product.data))
    infra("restore", str(tmp_path / "backup.tar"), "--data", str(data))
    assert (data / "files" / "maps").is_dir()
    databases = {name: f"sqlite:///{data}/{name}.db" for name in SERVICES}
    secrets = json.loads((data / "secrets.json").read_text())
    valkey = valkey_url.replace("db=0", "db=8")
    with in_process(data, valkey, databases, postgres=False, secrets=secrets) as house:
        there = dataclasses.replace(mara, product=house)
        assert [read(there, map_id) for map_id in maps] == before
