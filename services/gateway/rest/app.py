"""Puts the REST face together: its endpoints, their routes, its answers to what goes wrong."""

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.export.desk import ExportDesk
from services.gateway.rest import (
    batch_files,
    chronicles,
    drawings,
    forms,
    map_pictures,
    portraits,
    receipts,
    sheets,
    simulation_tables,
)
from services.gateway.rest.endpoint import Endpoint
from services.gateway.rest.export import Exporting
from services.gateway.rest.graph_endpoints import GraphEndpoint
from services.gateway.rest.guard import ASTRAY, Guard
from services.gateway.rest.openapi import describe
from services.gateway.rest.operation import operations
from services.gateway.rest.problems import (
    Refusal,
    answer_away,
    answer_http_error,
    answer_limit,
    answer_problem,
    answer_refusal,
    answer_unexpected,
)
from services.gateway.rest.routes import route
from services.gateway.rest.shapes import REFERENCE, Shapes
from services.gateway.rest.sign_up import SigningUp
from services.gateway.rest.streaming import DOWNLOADS, StreamPlaces
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import Doorkeeper
from services.shared.clock import system_clock
from services.shared.limits.meter import LimitReached
from services.shared.problems import Problem


@cache
def contract() -> tuple[Shapes, tuple[GraphEndpoint, ...]]:
    """Reads what the operations say, once in a process: their shapes, and what each asks for and answers."""
    shapes = Shapes(forms.special)
    asked = tuple(GraphEndpoint(one, shapes) for one in operations().values() if one.rest is not None)
    return shapes, asked


def rest_app(door: Doorkeeper, desk: SignUpDesk, graphs: Subgraphs) -> Starlette:
    """Makes the paths; ``EverythingElse`` makes them fit for the world.

    Args:
        door: lets visitors in.
        desk: opens accounts.
        graphs: the services.
    """
    shapes, asked = contract()
    downloads = StreamPlaces(DOWNLOADS)
    endpoints: list[Endpoint] = [
        SigningUp(desk, graphs, shapes).endpoint(),
        *(one.endpoint(graphs) for one in asked),
        *sheets.endpoints(graphs, shapes),
        *portraits.endpoints(graphs, {"$ref": f"{REFERENCE}CharacterPortrait"}),
        *simulation_tables.endpoints(graphs),
        *chronicles.endpoints(graphs),
        *drawings.endpoints(graphs),
        *map_pictures.endpoints(graphs, {"$ref": f"{REFERENCE}Map"}),
        *batch_files.endpoints(door, graphs, downloads),
        *receipts.endpoints(door, graphs, downloads),
        Exporting(door, ExportDesk(door.bucket), graphs, shapes, system_clock).endpoint(),
    ]
    # What has a name of its own comes before the path that takes any id there.
    endpoints.sort(key=lambda one: [(part.startswith("{"), part) for part in one.path.split("/")])
    app = Starlette(
        routes=[route(one, door, shapes.named) for one in endpoints],
        exception_handlers={
            Refusal: answer_refusal,
            LimitReached: answer_limit,
            Problem: answer_problem,
            HTTPException: _astray(door),
            Exception: answer_unexpected,
            **dict.fromkeys((OperationalError, InterfaceError, PoolTimeout, OSError), answer_away),
        },
    )
    app.router.redirect_slashes = False
    app.state.paths = list(app.routes)
    app.state.endpoints = endpoints
    return app


def description(app: Starlette) -> dict[str, Any]:
    """Writes the OpenAPI 3.1 description of the paths."""
    shapes, _ = contract()
    return describe(app.state.endpoints, shapes.named)


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

    def __init__(self, app: Starlette, door: Doorkeeper) -> None:
        self._app = Guard(app, door.toll)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match every HTTP request."""
        return (Match.FULL if scope["type"] == "http" else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._app(scope, receive, send)
