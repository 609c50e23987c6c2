"""What every service is put together from, so that its composition root names only what is its own."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from redis.asyncio import Redis
from sqlalchemy import Table
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from strawberry.federation import Schema

from services.shared.app import Check, Frame, build_app
from services.shared.auth import TOKEN_HEADER, Signer, TokenRefused
from services.shared.backlog import Backlog
from services.shared.clock import Clock, system_clock
from services.shared.consumer import READERS, Consumer, Handler, events_route
from services.shared.context import Context
from services.shared.database import Database
from services.shared.exposition import Source
from services.shared.graphql.errors import Refused
from services.shared.graphql.http import GraphQLApp
from services.shared.limits.bucket import Bucket
from services.shared.limits.meter import Meter
from services.shared.limits.purses import background_purse
from services.shared.limits.turns import OWNER
from services.shared.metrics import GRAPHQL_OPERATIONS, GRAPHQL_SECONDS
from services.shared.outbox import Relay
from services.shared.peers import Peer
from services.shared.pool_figures import pool_figures
from services.shared.settings import ServiceName, ServiceSettings
from services.shared.stream import Wakes
from services.shared.valkey import connect

S = TypeVar("S")


@dataclass(frozen=True)
class Parts:
    """The common resources of one process.

    Attributes:
        name: of the service.
        settings: of the process.
        database: its own.
        redis: streams, buckets, the broker.
        signer: signs its calls, reads its callers' tokens.
        clock: the present moment.
        meter: charges accounts for heavy work.
        background: charges accounts for work that is done while nobody waits.
        wakes: signals for subscriptions.
        relay: carries its outbox to its stream.
        outbox: the table of events to publish.
    """

    name: ServiceName
    settings: ServiceSettings
    database: Database
    redis: Redis
    signer: Signer
    clock: Clock
    meter: Meter
    background: Meter
    wakes: Wakes
    relay: Relay
    outbox: Table

    def peer(self, name: ServiceName) -> Peer:
        """Give the client for another service."""
        return Peer(name, self.settings.service_url(name), self.signer)

    def peers(self, *names: ServiceName) -> tuple[Peer, ...]:
        """Return the clients for several other services."""
        return tuple(self.peer(name) for name in names)

    def reader(self, cursors: Table, producer: Peer, *handlers: Mapping[str, Handler]) -> Consumer:
        """Make the reader of another service's events.

        Args:
            cursors: this service's table of reading positions.
            producer: the other service.
            handlers: what to do, by kind of event.
        """
        by_kind = {kind: handler for each in handlers for kind, handler in each.items()}
        return Consumer(self.database, cursors, self.redis, producer, by_kind)

    def graphql_routes(self, schema: Schema, service: S) -> list[BaseRoute]:
        """Serve a subgraph under ``/graphql`` to signed callers only."""

        async def context(connection: HTTPConnection) -> Context[S]:
            try:
                viewer = self.signer.read(connection.headers.get(TOKEN_HEADER))
            except TokenRefused as error:
                raise Refused(401, "UNSIGNED", str(error)) from error
            OWNER.set(viewer.account)
            return Context(viewer, service, connection.scope.get("state", {}).get("request_id", ""))

        def count(kind: str, seconds: float, failed: bool) -> None:
            GRAPHQL_OPERATIONS.labels(self.name, kind, "error" if failed else "ok").inc()
            if kind != "subscription":
                GRAPHQL_SECONDS.labels(self.name, kind).observe(seconds)

        app = GraphQLApp(schema, context=context, on_operation=count)
        return [Route("/graphql", app), WebSocketRoute("/graphql", app)]

    def app(
        self,
        routes: Sequence[BaseRoute],
        *,
        checks: dict[str, Check] | None = None,
        consumers: Sequence[Consumer] = (),
        background: Sequence[Callable[[], Coroutine[Any, Any, None]]] = (),
        closing: Sequence[Callable[[], Awaitable[Any]]] = (),
        figures: Mapping[str, Source] | None = None,
    ) -> ASGIApp:
        """Assemble the process: its routes beside what every process serves and runs.

        Raises:
            ValueError: a consumer reads what it is not known to read, and what nobody would keep for it.
        """
        for consumer in consumers:
            if self.name not in READERS[consumer.producer]:
                raise ValueError(f"READERS does not name {self.name} as a reader of {consumer.producer}")

        async def ping_redis() -> None:
            await self.redis.ping()

        async def run_wakes() -> None:
            await self.wakes.run(self.redis, self.name)

        async def tell_replicas() -> None:
            await self.wakes.tell(self.redis, self.name)

        jobs = self.outbox.metadata.tables.get("job")
        backlog = Backlog(self.name, self.database, self.outbox, jobs, self.clock)
        frame = Frame(
            name=self.name,
            # Before the service's own, of which the last may take every path.
            routes=[events_route(self.database, self.outbox, self.signer), *routes],
            checks={"database": self.database.ping, "redis": ping_redis, **(checks or {})},
            background=[
                self.relay.run,
                run_wakes,
                tell_replicas,
                *(consumer.run for consumer in consumers),
                *background,
            ],
            closing=[*closing, self.redis.aclose, self.database.close],
            figures={"database": backlog.figures, "pools": pool_figures, **(figures or {})},
        )
        return build_app(frame, self.settings)


def assemble(
    name: ServiceName, settings: ServiceSettings, outbox: Table, *, clock: Clock = system_clock
) -> Parts:
    """Make the common resources of one process."""
    database = Database(settings.database_url(name))
    redis = connect(settings.redis_url)
    bucket = Bucket(redis)
    wakes = Wakes()
    relay = Relay(database, outbox, redis, name, clock)
    database.after_commit += [relay.poke, wakes.wake_topics]
    database.after_unpublished.append(wakes.tell_replicas)
    return Parts(
        name=name,
        settings=settings,
        database=database,
        redis=redis,
        signer=Signer.of(name, settings),
        clock=clock,
        meter=Meter(bucket),
        background=Meter(bucket, background_purse(settings.work_capacity, settings.work_refill)),
        wakes=wakes,
        relay=relay,
        outbox=outbox,
    )
