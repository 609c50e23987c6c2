"""The whole house in the tests' own process: every service by its own composition root, on a real database.

What is faked is what stands around the services: a ``Reception`` in place of the federation gateway, and in place
of Celery a process that makes what is queued, one job after the other; of a simulation it plays one turn.
"""

import asyncio
import contextlib
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from unittest.mock import patch

import httpx
import redis
import structlog
import uvloop
from starlette.types import ASGIApp
from yarl import URL

from services.campaign.app import create_app as create_campaign
from services.character.app import create_app as create_character
from services.dice.app import create_app as create_dice
from services.gateway.app import create_app as create_account
from services.map.app import create_app as create_map
from services.map.compiling import warm
from services.shared import peers
from services.shared.auth import Signer
from services.shared.callers import SIGNING
from services.shared.http_client import NoAnswer
from services.shared.process_keys import new_private_key, public_key_of
from services.shared.settings import SERVICES, ServiceName, Settings
from tests.e2e.product import House
from tests.house import environment, installation
from tests.matrix.reception import Reception
from tests.serving import listener, served_here
from tests.within import Within
from workers import maps, simulations

START_SECONDS = 150.0
MAPS, SIMULATIONS = "maps", "simulations"
LOOK_SECONDS = 5
FACTORIES: Mapping[ServiceName, Callable[[Settings], ASGIApp]] = {
    "account": create_account,
    "dice": create_dice,
    "character": create_character,
    "campaign": create_campaign,
    "map": create_map,
}


class InProcess(House):
    """The house, served on ports of this machine from a thread of this process.

    Args:
        settings: of the installation.
        keys: the private key of each process that signs, by its name.
        url: of the public door.
        away: services that answer nobody, as long as their names are in it.
        postgres: whether its databases are PostgreSQL's.
    """

    def __init__(
        self,
        settings: Settings,
        keys: Mapping[str, str],
        url: str,
        away: set[ServiceName],
        *,
        postgres: bool,
    ) -> None:
        self.settings = settings
        self._keys = dict(keys)
        self.url = url
        self.postgres = postgres
        self.away = away
        self.http = httpx.Client(timeout=40, trust_env=False, limits=httpx.Limits(max_connections=100))

    @property
    def environment(self) -> dict[str, str]:
        """Give the environment that the processes of such a house would share."""
        return environment(self.settings)

    @property
    def private_keys(self) -> dict[str, str]:
        """Return the private key of each process that signs, by its name."""
        return self._keys


@contextlib.contextmanager
def in_process(
    folder: Path,
    valkey_url: str,
    databases: Mapping[ServiceName, str],
    *,
    postgres: bool,
    secrets: Mapping[str, str] | None = None,
) -> Iterator[InProcess]:
    """Run the house while the block lasts.

    Args:
        folder: for its files.
        valkey_url: of a database of Valkey that nobody else uses.
        databases: migrated ones.
        postgres: whether they are PostgreSQL's.
        secrets: those that the databases were written under, by the names of their settings; the tests' own
            where the databases are empty.
    """
    with contextlib.ExitStack() as stack:
        # Forked before there are threads and sockets, which a child must not share.
        context = get_context("fork")
        warmed = context.Event()
        kept = dict(secrets or {})
        own = installation(folder, valkey_url, databases, {}).model_copy(update=kept)
        maker = context.Process(target=_make_what_is_queued, args=(own, os.getpid(), warmed))
        maker.start()
        stack.callback(maker.join)
        stack.callback(maker.kill)
        # Lines of requests that nobody reads would take as long as the requests.
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
        stack.callback(structlog.reset_defaults)
        door = stack.enter_context(listener())
        listeners = {name: stack.enter_context(listener()) for name in SERVICES}
        ports = {name: one.getsockname()[1] for name, one in listeners.items()}
        keys = {name: new_private_key() for name in SIGNING}
        public = {name: [public_key_of(key)] for name, key in keys.items()}
        settings = installation(folder, valkey_url, databases, ports).model_copy(
            update={**kept, "public_keys": public}
        )
        life = _Life(settings, keys, listeners, door)
        thread = threading.Thread(target=life.run)
        thread.start()
        stack.callback(thread.join)
        stack.callback(life.end)
        assert life.began.wait(START_SECONDS), "the house did not start"
        assert warmed.wait(START_SECONDS), "the kernels were not loaded"
        url = f"http://127.0.0.1:{door.getsockname()[1]}"
        house = InProcess(settings, keys, url, life.away, postgres=postgres)
        stack.callback(house.http.close)
        yield house


class _Life:
    """The house from its start to its end, in an event loop of its own."""

    def __init__(
        self,
        settings: Settings,
        keys: Mapping[str, str],
        listeners: Mapping[ServiceName, socket.socket],
        door: socket.socket,
    ) -> None:
        self._settings = {
            name: settings.model_copy(update={"private_key": key}) for name, key in keys.items()
        }
        self._listeners = listeners
        self._door = door
        self._loop = uvloop.new_event_loop()
        self._ended = asyncio.Event()
        self.away: set[ServiceName] = set()
        self.began = threading.Event()

    def run(self) -> None:
        """Serve until told to end."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    def end(self) -> None:
        """Tell it to end; from any thread."""
        self._loop.call_soon_threadsafe(self._ended.set)

    def _present(self, apps: Mapping[ServiceName, ASGIApp], called: ServiceName) -> ASGIApp:
        """Return the application of a service that another one asks.

        Raises:
            NoAnswer: it is away.
        """
        if called in self.away:
            raise NoAnswer("away")
        return apps[called]

    async def _serve(self) -> None:
        ports = {one.getsockname()[1]: name for name, one in self._listeners.items()}
        apps: dict[ServiceName, ASGIApp] = {}

        def within(address: str) -> Within:
            # They share one thread: the seconds that a service waits for another are too few for it on a busy
            # machine, and who may see what is then refused for want of an answer.
            called = ports[URL(address).port or 0]
            return Within(lambda: self._present(apps, called))

        with patch.object(peers, "HttpClient", within):
            apps |= {name: make(self._settings[name]) for name, make in FACTORIES.items()}
        reception = Reception(apps, Signer.of("gateway", self._settings["gateway"]))
        async with contextlib.AsyncExitStack() as stack:
            for name, app in apps.items():
                await stack.enter_async_context(served_here(app, self._listeners[name], lifespan="on"))
            await stack.enter_async_context(served_here(reception, self._door))
            stack.push_async_callback(reception.close)
            self.began.set()
            await self._ended.wait()


def _make_what_is_queued(settings: Settings, parent: int, warmed: Event) -> None:
    """Make what is queued as long as the parent lives."""
    # Else every maker that is forked from here would load the kernels for itself.
    warm()
    warmed.set()
    queue = redis.Redis.from_url(settings.redis_url, socket_timeout=2 * LOOK_SECONDS)
    while os.getppid() == parent:
        # A message may be lost on a busy machine: now and then it is looked without one.
        message = queue.blpop([MAPS, SIMULATIONS], timeout=LOOK_SECONDS)
        while maps.perform(settings) is not None:
            pass
        if message is None or SIMULATIONS.encode() in message:
            simulations.perform(settings)
