"""The door under attack, through the public port of the product that ``tests/platform`` shares.

Each file here is one topic: what strangers send, and what they must be answered. Raw sockets are opened to
``door``, which is never anything but an address of this machine.
"""

from urllib.parse import urlsplit

import pytest

from tests.e2e.product import Product
from tests.e2e.table import World, build_world


@pytest.fixture(scope="session")
def door(sqlite: Product) -> tuple[str, int]:
    """Return host and port of the public door, for raw sockets."""
    found = urlsplit(sqlite.url)
    assert found.hostname in ("127.0.0.1", "::1") and found.port
    return found.hostname, found.port


@pytest.fixture(scope="session")
def door_world(sqlite: Product) -> World:
    """Set a table once for all tests of the door; none of them takes anything from it away."""
    return build_world(sqlite)
