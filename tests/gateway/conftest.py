"""The Python gateway app of a file, built once: describing its REST face takes longer than most of its tests.

Its tests run in one event loop, ``pytest.mark.asyncio(loop_scope="module")``, and share a database: each has
accounts of its own and calls from an address that no other has.
"""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from services.gateway.app import create_app
from services.shared.settings import Settings
from tests.databases import Databases
from tests.gateway.front import Front, running, visit
from tests.house import installation


@pytest.fixture(scope="module")
def shared_settings(
    databases: Databases, valkey_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """Give the settings of an installation that has only the account service, for a whole file."""
    database = databases.take("account")
    yield installation(tmp_path_factory.mktemp("gateway"), valkey_url, {"account": database}, {})
    databases.give_back("account", database)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_app(shared_settings: Settings) -> AsyncIterator[ASGIApp]:
    """Run the app for a whole file, with no other service around."""
    app = create_app(shared_settings)
    async with running(app):
        yield app


@pytest_asyncio.fixture(loop_scope="module")
async def app(shared_app: ASGIApp, shared_settings: Settings) -> AsyncIterator[Front]:
    """Call the file's app from an address of one's own."""
    async with visit(shared_app, shared_settings) as found:
        yield found
