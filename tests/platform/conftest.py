"""The product that these tests share with the walk of the first evening, and a table in it."""

from collections.abc import Callable, Iterator

import pytest

from tests.e2e.product import SHARED, Product
from tests.e2e.table import World, build_world


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here."""
    for item in items:
        if item.path.is_relative_to(__file__.rpartition("/")[0]):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def running() -> Iterator[Callable[[str], Product]]:
    """Give the running product of a kind; at the end it stops cleanly."""
    with SHARED.lease() as get:
        yield get


@pytest.fixture(scope="session")
def sqlite(running: Callable[[str], Product]) -> Product:
    """Give the product on SQLite, for what does not depend on the database."""
    return running("sqlite")


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def product(request: pytest.FixtureRequest, running: Callable[[str], Product]) -> Product:
    """Give the product on each kind of database in turn."""
    return running(request.param)


@pytest.fixture(scope="module")
def world(product: Product) -> World:
    """Set the table on each kind of database."""
    return build_world(product)
