"""What the dice service answers to other services."""

from collections.abc import Callable

import orjson
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.dice.rolls.scene_draws import Draws, read_rest_draw, read_scene_draw, was_secret
from services.dice.rolls.service import RollService
from services.shared.app import internal
from services.shared.auth import Signer, Viewer
from services.shared.problems import IdempotencyConflict, InvalidInput


def internal_routes(rolls: RollService, signer: Signer) -> list[Route]:
    """Make the ``/internal`` paths: dice for a move in a scene, or for a rest, drawn on behalf of the viewer.

    The caller has checked that the viewer may make the move, or let the character rest.
    """

    async def scene_draws(request: Request, viewer: Viewer) -> Response:
        return await answer(viewer, request, lambda body: read_scene_draw(request.path_params["scene"], body))

    async def rest_draws(request: Request, viewer: Viewer) -> Response:
        return await answer(
            viewer, request, lambda body: read_rest_draw(request.path_params["character"], body)
        )

    async def answer(viewer: Viewer, request: Request, read: Callable[[bytes], Draws]) -> Response:
        if viewer.anonymous:
            return _refused(422, "INVALID", "Dice are drawn on behalf of an account.")
        try:
            made = await rolls.draw_for_service(viewer, read(await request.body()))
        except InvalidInput as refused:
            return _refused(422, "INVALID", refused.message, *refused.path)
        except IdempotencyConflict as refused:
            return _refused(409, refused.code, refused.message, *refused.path)
        return JSONResponse(
            {
                "rolls": [
                    # As it was rolled: a roll revealed since is answered as it was the first time.
                    {"id": roll.row.id, "faces": orjson.loads(roll.row.faces), "secret": was_secret(roll.row)}
                    for roll in made
                ]
            }
        )

    return [
        Route("/internal/scenes/{scene}/draws", internal(signer, scene_draws), methods=["POST"]),
        Route("/internal/characters/{character}/draws", internal(signer, rest_draws), methods=["POST"]),
    ]


def _refused(status: int, code: str, message: str, *path: str) -> Response:
    return JSONResponse({"code": code, "message": message, "path": list(path)}, status)
