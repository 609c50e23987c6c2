"""What the federation gateway asks about keys, on paths for the house alone."""

import orjson
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.gateway.accounts.identity import Identity, KeyRefusal
from services.shared.app import internal
from services.shared.auth import Signer, Viewer


def key_routes(signer: Signer, identity: Identity) -> list[Route]:
    """Makes the paths: whose a key is, and which of many have ended."""

    async def principal(request: Request, _viewer: Viewer) -> Response:
        found = await identity.principal(request.headers.get("authorization"))
        if isinstance(found, KeyRefusal):
            return JSONResponse({"code": found.value, "message": found.message}, 401)
        return JSONResponse(found.shown())

    async def ended(request: Request, _viewer: Viewer) -> Response:
        try:
            asked = [str(key) for key in orjson.loads(await request.body())["keys"]]
        except (ValueError, KeyError, TypeError):
            return JSONResponse({"code": "BAD_REQUEST", "message": "send the ids of keys"}, 400)
        found = await identity.ended(asked)
        told = [{"key": key, "code": why.value, "message": why.message} for key, why in found.items()]
        return JSONResponse({"ended": told})

    return [
        Route("/internal/principal", internal(signer, principal)),
        Route("/internal/keys/ended", internal(signer, ended), methods=["POST"]),
    ]
