"""The product that these tests share with the walk of the first evening."""

from collections.abc import Callable, Iterator

import pytest

from tests.databases import on_each_kind
from tests.e2e.product import SHARED, Product


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what uses the product on the kinds of database that its marker names."""
    on_each_kind(metafunc, "product")


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


@pytest.fixture(scope="session")
def product(request: pytest.FixtureRequest, running: Callable[[str], Product]) -> Product:
    """Return the product on the kind of database that the test asks for."""
    return running(request.param)
