"""From an endpoint to a route: a visitor is let in, the request is read, the endpoint does it."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gateway.rest.endpoint import Endpoint, Schema
from services.gateway.rest.requests import Reader
from services.gateway.rest.visitor import Doorkeeper, require
from services.shared.limits.turns import OWNER


def route(endpoint: Endpoint, door: Doorkeeper, named: Mapping[str, Schema]) -> Route:
    """Makes the route of an endpoint.

    Args:
        endpoint: what is done there.
        door: lets visitors in.
        named: the schemas that others refer to, by name.
    """
    admit = door.open(endpoint.price) if endpoint.open else door.keyed(endpoint.price)
    reader = Reader(endpoint, named)

    async def answer(request: Request) -> Response:
        viewer = await admit(request)
        OWNER.set(viewer.account)
        call = await reader.read(request, viewer)
        if endpoint.checked:
            for scope in (endpoint.scope, *endpoint.also):
                require(viewer, scope)
        return await endpoint.handle(call)

    return Route(endpoint.path, answer, methods=[endpoint.method], name=endpoint.id)
