"""Puts the REST face together: its paths, its answers to what goes wrong, its description."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from services.gateway.accounts.service import AccountService
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.rest import (
    accounts,
    batches,
    campaigns,
    characters,
    drafts,
    history,
    library,
    macros,
    map_pictures,
    maps,
    odds,
    packs,
    receipts,
    rewards,
    rolls,
    scenes,
    statistics,
    tools,
)
from services.gateway.rest.contract import Problem, header_components, refusals
from services.gateway.rest.guard import ASTRAY, Guard
from services.gateway.rest.problems import (
    MEDIA_TYPE,
    Refusal,
    answer_away,
    answer_http_error,
    answer_invalid,
    answer_limit,
    answer_problem,
    answer_refusal,
    answer_unexpected,
)
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DRAWN, FILE, LIST, LOOK, OWN, PAGE, WRITE, Doorkeeper
from services.shared import problem
from services.shared.limits.meter import LimitReached

TITLE = "Hearthforge REST API"
VERSION = "1.0.0"
DESCRIPTION = f"""\
The everyday requests of Hearthforge for clients that speak plain HTTP. The whole of it, with subscriptions,
is the GraphQL API at `/graphql`; both show the same things under the same ids.

**Keys.** Sign up with `POST /v1/accounts`, then send `Authorization: Bearer hf_live_...`. A key has scopes:
`read` looks, `write` changes things, `admin` manages the account's keys. Make one key for each device.

**Versions.** The path names the version. Within `/v1` members and paths are added, never taken away or given
another meaning: ignore members that you do not know. What is to go is marked `deprecated` at least six months
before, with its date.

**Limits.** Each account has a bucket of 2,000 points that refills by 100 a second; GraphQL and all keys of
the account share it. Reading costs {min(OWN, LOOK, LIST, FILE)} to {max(OWN, LOOK, LIST, FILE)} points, a
page of a list {PAGE} and one for each ten that it may hold, a card or a chart {DRAWN}, changing {WRITE}; what
is heavy costs more, as much as its work.
Requests without a key are charged to the network that they come from, an address or an IPv6 /64, and all
requests from a network share a second bucket of 20,000 that refills by 1,000 a second. An empty bucket is
answered with 429 and `Retry-After`; what no bucket could ever pay with 400 and `QUERY_TOO_EXPENSIVE`. A
request has 256 KiB at most.

**Repeating.** Send an `Idempotency-Key` with what must not happen twice; the same request under the same key
gets the same answer for 24 hours. Reading answers carry an `ETag`: send it as `If-None-Match` and get 304
while nothing has changed.

**Texts** are Unicode without NUL; JSON is as RFC 8259 has it.

**Problems** are `application/problem+json` (RFC 9457) with a stable `code`. An unknown id and one that you
may not see are the same 404. While a part of the house is away, the door may also answer 502 or 504.
"""
TAGS = [
    {"name": "accounts", "description": "Signing up, and your own account."},
    {"name": "keys", "description": "API keys of your account."},
    {"name": "rolls", "description": "Dice, rolled and kept; receipts, and how they fell."},
    {"name": "odds", "description": "How likely rolls are."},
    {"name": "macros", "description": "Saved rolls."},
    {
        "name": "dice",
        "description": "A table's own dice and settings, and the keys that receipts are signed with.",
    },
    {"name": "characters", "description": "Characters and their sheets, cards and rewards."},
    {"name": "content", "description": "What games offer, to be looked through."},
    {"name": "content packs", "description": "Content of a table's own, to build characters under."},
    {"name": "tools", "description": "Questions that the games' own arithmetic answers."},
    {"name": "campaigns", "description": "Tables of people who play together, and their logs."},
    {
        "name": "scenes",
        "description": "A game's rules at the table: who stands where, what may be done, what was done.",
    },
    {"name": "maps", "description": "Maps, made on demand."},
    {"name": "jobs", "description": "Long work: progress, result, cancelling."},
]


class Resource(Protocol):
    """A module with the paths of one thing."""

    def routes(self, door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
        """Make them."""


# What has a name of its own below `/v1/rolls` comes before the path that takes any id there.
RESOURCES: tuple[Resource, ...] = (
    receipts,
    statistics,
    odds,
    macros,
    rolls,
    drafts,
    characters,
    history,
    rewards,
    library,
    packs,
    tools,
    campaigns,
    scenes,
    map_pictures,
    maps,
    batches,
)


def rest_app(
    door: Doorkeeper,
    service: AccountService,
    desk: SignUpDesk,
    graphs: Subgraphs,
    resources: Sequence[Resource] = RESOURCES,
) -> FastAPI:
    """Make the paths; ``EverythingElse`` makes them fit for the world.

    Args:
        door: lets visitors in.
        service: accounts and keys.
        desk: opens accounts.
        graphs: the services.
        resources: what beside accounts has paths; all there are, but where a few are looked at.
    """
    app = FastAPI(
        title=TITLE, version=VERSION, docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False
    )
    routers = [accounts.routes(door, service, desk)]
    routers += [resource.routes(door, graphs) for resource in resources]
    for router in routers:
        app.include_router(router)
    app.state.paths = [route for router in routers for route in router.routes]
    app.add_exception_handler(Refusal, answer_refusal)
    app.add_exception_handler(RequestValidationError, answer_invalid)
    app.add_exception_handler(LimitReached, answer_limit)
    app.add_exception_handler(problem.Problem, answer_problem)
    app.add_exception_handler(HTTPException, _astray(door))
    for away in (OperationalError, InterfaceError, PoolTimeout, OSError):
        app.add_exception_handler(away, answer_away)
    app.add_exception_handler(Exception, answer_unexpected)
    return app


def _astray(door: Doorkeeper) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Answer those who come to no path, which none has charged for."""

    async def answer(request: Request, error: Exception) -> Response:
        try:
            await door.toll(request, ASTRAY)
        except Refusal as refusal:
            return refusal.response()
        return await answer_http_error(request, error)

    return answer


class EverythingElse(BaseRoute):
    """A route that takes whatever the routes before it left over, line breaks in the path included.

    Args:
        app: the paths; the guard is put in front of them.
        door: charges for what is refused before a path has charged for it.
    """

    def __init__(self, app: FastAPI, door: Doorkeeper) -> None:
        self._app = Guard(app, door.toll)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match every HTTP request."""
        return (Match.FULL if scope["type"] == "http" else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._app(scope, receive, send)


def describe(app: FastAPI) -> dict[str, Any]:
    """Write the OpenAPI 3.1 description of the paths."""
    described: dict[str, Any] = get_openapi(
        title=TITLE,
        version=VERSION,
        openapi_version="3.1.0",
        description=DESCRIPTION,
        routes=app.routes,
        tags=TAGS,
        servers=[{"url": "/"}],
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    components = described.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    problem = Problem.model_json_schema(by_alias=True, ref_template="#/components/schemas/{model}")
    schemas.update(problem.pop("$defs", {}))
    schemas["Problem"] = problem
    components["headers"] = header_components()
    components["responses"] = _shared_responses(described)
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "hf_live_<id>_<secret>"}
    }
    described["security"] = [{"bearer": []}]
    return described


def _shared_responses(described: dict[str, Any]) -> dict[str, Any]:
    """Move the problems, the same for every path, to one place.

    FastAPI supposes a 422 of its own wherever something is read from the request. It is right, in the form of
    ours, where there are parameters beside those in the path, which take any text.
    """
    shared: dict[str, Any] = {}
    for operations in described["paths"].values():
        for operation in operations.values():
            responses = operation["responses"]
            for status in list(responses):
                content = responses[status].get("content", {})
                if MEDIA_TYPE in content:
                    name = f"Problem{status}"
                    shared[name] = responses[status]
                    responses[status] = {"$ref": f"#/components/responses/{name}"}
                elif status == "422":
                    responses.pop(status)
                    if any(one["in"] != "path" for one in operation.get("parameters", ())):
                        shared["Problem422"] = refusals(422)[422]
                        responses[status] = {"$ref": "#/components/responses/Problem422"}
    return shared
