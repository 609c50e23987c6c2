"""What the dice service answers to other services."""

import orjson
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.dice.rolls.scene_draws import read_scene_draw, was_secret
from services.dice.rolls.service import RollService
from services.shared.app import internal
from services.shared.auth import Signer, Viewer
from services.shared.problems import IdempotencyConflict, InvalidInput


def internal_routes(rolls: RollService, signer: Signer) -> list[Route]:
    """Make the ``/internal`` paths: dice for a move in a scene, drawn on behalf of the viewer.

    The caller has checked that the viewer may make the move.
    """

    async def draws(request: Request, viewer: Viewer) -> Response:
        if viewer.anonymous:
            return _refused(422, "INVALID", "Dice are drawn on behalf of an account.")
        try:
            asked = read_scene_draw(request.path_params["scene"], await request.body())
            made = await rolls.draw_for_scene(viewer, asked)
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

    return [Route("/internal/scenes/{scene}/draws", internal(signer, draws), methods=["POST"])]


def _refused(status: int, code: str, message: str, *path: str) -> Response:
    return JSONResponse({"code": code, "message": message, "path": list(path)}, status)
