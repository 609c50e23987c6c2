"""A small subgraph with every kind of thing a service serves, for tests of what all services share."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any

import httpx
import strawberry
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.routing import Route, WebSocketRoute
from strawberry.federation.schema_directives import Key
from strawberry.federation.types import FieldSet

from services.shared.graphql.errors import Refused
from services.shared.graphql.http import GraphQLApp
from services.shared.graphql.schema import HouseSchema, build_schema
from services.shared.mirror import chosen, mirror, mirror_input, mirror_union, one_of, to_domain
from services.shared.problems import PublicError
from tests.serving import served

# What the toy knows


class Metal(Enum):
    """What things are made of."""

    IRON = "iron"
    MITHRIL = "mithril"


@dataclass(frozen=True, slots=True)
class Tool:
    """Something to work with.

    Attributes:
        id: names it for ever.
        edge: how sharp it is.
    """

    id: str
    metal: Metal
    edge: Fraction
    marks: Mapping[str, int] = field(default_factory=dict)
    parts: tuple["Tool", ...] = ()

    @property
    def weight(self) -> int:
        """In pounds."""
        return 1 + sum(part.weight for part in self.parts)


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such tool."""

    asked: str


@dataclass(frozen=True, slots=True)
class Strike:
    """A blow with a tool.

    Attributes:
        times: how often.
    """

    tool_id: str
    times: int = 1
    metals: tuple[Metal, ...] = ()

    def __post_init__(self) -> None:
        if self.times < 1:
            raise ValueError("strike at least once")


@dataclass(frozen=True, slots=True)
class Rest:
    """A pause."""

    minutes: int


HAMMER = Tool("hammer", Metal.IRON, Fraction(1, 3), {"maker": 7}, (Tool("head", Metal.MITHRIL, Fraction(2)),))
TOOLS = {"hammer": HAMMER}

# How it shows it

mirror_union("ToolOrMissing", Tool, Missing)
ToolType = mirror(Tool, directives=[Key(fields=FieldSet("id"))])
MissingType = mirror(Missing)
Deed = one_of(
    "Deed", {"strike": mirror_input(Strike), "rest": mirror_input(Rest)}, description="What to do: one thing."
)
Found = Annotated[ToolType | MissingType, strawberry.union("ToolOrMissing")]


async def _find(id: strawberry.ID) -> Tool | None:
    if id == "cursed":
        raise RuntimeError("the curse of the forge")
    if id == "barred":
        raise PublicError("FORBIDDEN", "Not for you.")
    return TOOLS.get(id)


ToolType.resolve_reference = staticmethod(_find)


@strawberry.type
class Query:
    """Root of the queries."""

    @strawberry.field
    def hello(self, name: str = "you") -> str:
        """Greet."""
        return f"hello {name}"

    @strawberry.field
    def tool(self, id: strawberry.ID) -> ToolType | None:
        """Find a tool."""
        return TOOLS.get(id)

    @strawberry.field
    def tools(self, count: int = 1) -> list[ToolType]:
        """Give hammers."""
        return [HAMMER] * count

    @strawberry.field
    def found(self, id: strawberry.ID) -> Found:
        """Find a tool, or say that there is none."""
        return TOOLS.get(id) or Missing(id)

    @strawberry.field
    def public(self) -> str | None:
        """Fail with words for the client."""
        raise PublicError("FORBIDDEN", "Not for you.")

    @strawberry.field
    async def secret(self) -> str | None:
        """Fail with words that are nobody's business."""
        raise RuntimeError("the password is swordfish")

    @strawberry.field
    def half(self, value: Fraction | None = None, metal: Metal = Metal.IRON) -> int:
        """Take odd arguments."""
        return 0


@strawberry.type
class Mutation:
    """Root of the mutations."""

    @strawberry.mutation
    def act(self, deed: Deed) -> str:
        """Do one thing."""
        name, sent = chosen(deed)
        return f"{name}: {to_domain(sent)!r}"


@strawberry.type
class Subscription:
    """Root of the subscriptions."""

    @strawberry.subscription
    async def count(self, to: int = 3) -> AsyncIterator[int]:
        """Count."""
        for number in range(1, to + 1):
            yield number
        if to == 13:
            raise RuntimeError("the password is swordfish")

    @strawberry.subscription
    async def wait(self) -> AsyncIterator[int]:
        """Say one number and then no more."""
        yield 1
        await asyncio.Event().wait()


def toy_schema(**options: Any) -> HouseSchema:
    """Make the toy's schema."""
    return build_schema(Query, Mutation, Subscription, **options)


# How it is served


@dataclass
class Told:
    """What the application told about its operations."""

    operations: list[tuple[str, float, bool]] = field(default_factory=list)


async def toy_context(connection: HTTPConnection) -> dict[str, Any]:
    """Refuse what bears no token; give a context otherwise."""
    match connection.headers.get("x-token"):
        case "good":
            return {}
        case "barred":
            raise Refused(403, "FORBIDDEN", "not you")
        case _:
            raise Refused(401, "UNSIGNED", "the call is not signed")


def toy_app(schema: HouseSchema | None = None, told: Told | None = None) -> Starlette:
    """Serve the toy under ``/graphql``."""
    told = told or Told()
    app = GraphQLApp(
        schema or toy_schema(),
        context=toy_context,
        on_operation=lambda kind, seconds, failed: told.operations.append((kind, seconds, failed)),
        init_timeout=timedelta(seconds=0.3),
        max_subscriptions=3,
    )
    return Starlette(routes=[Route("/graphql", app), WebSocketRoute("/graphql", app)])


def toy_client(app: Starlette | None = None) -> httpx.AsyncClient:
    """Give a client that talks to the toy without a network."""
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app or toy_app()),
        base_url="http://toy",
        headers={"x-token": "good"},
    )


@contextlib.contextmanager
def running(app: Callable[..., Any]) -> Iterator[str]:
    """Serve an application on a free port of this machine and give its address without the scheme."""
    with served(app, ws_max_size=1 << 20) as port:
        yield f"127.0.0.1:{port}"
