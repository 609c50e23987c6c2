"""Scenes: a game's rules at a table. ``/v1/campaigns/{campaign}/scenes`` and ``/v1/scenes``."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import REVALIDATE, made, page, shown, tagged
from services.gateway.rest.campaigns import CampaignId
from services.gateway.rest.contract import (
    After,
    First,
    IdempotencyKey,
    Listed,
    changing,
    id_path,
    reading,
)
from services.gateway.rest.map_pictures import DRAW, SECONDS, SVG_POLICY
from services.gateway.rest.scene_shapes import (
    BotMove,
    Moved,
    NewMove,
    NewScene,
    Scene,
    SceneLine,
    SceneMove,
    Undoing,
)
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LIST, WRITE, Doorkeeper, paged, require
from services.shared.auth import Viewer

SceneId = Annotated[str, id_path("scn", "Id of the scene.")]


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of scenes."""
    router = APIRouter(prefix="/v1", tags=["scenes"])
    _add_table(router, door, graphs)
    _add_campaign_state(router, door, graphs)
    _add_looking(router, door, graphs)
    _add_moving(router, door, graphs)
    return router


def _add_table(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "/campaigns/{campaign}/scenes",
        operation_id="startScene",
        summary="Start a scene",
        status_code=201,
        responses=changing(Scene, 404, 409, description="The scene has begun.", located=True),
    )
    async def start(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        campaign: CampaignId,
        body: NewScene,
        key: IdempotencyKey = None,
    ) -> Response:
        """Start a scene by the rules of a game, with characters that sit at the table (GM)."""
        form = "named" if isinstance(body.setup, str) else "json"
        given: dict[str, Any] = {
            "campaignId": campaign,
            "system": body.system,
            "setup": {form: body.setup},
            "characters": body.characters,
            "mapId": body.map_id,
            "title": body.title,
            "idempotencyKey": key,
        }
        scene = await graphs.change(viewer, "campaign.startScene", wrapper=f"setup.{form}", input=given)
        return made(scene, location=f"/v1/scenes/{scene['id']}")

    @router.get(
        "/campaigns/{campaign}/scenes",
        operation_id="listScenes",
        summary="List scenes",
        responses=reading(Listed[SceneLine], 404, 422, description="A page, newest first."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        campaign: CampaignId,
        first: First = 20,
        after: After = None,
    ) -> Response:
        """The scenes of a campaign that you are a member of."""
        found = await graphs.read(
            viewer, "campaign.campaignScenes", "campaign", id=campaign, first=first, after=after
        )
        return shown(request, page(found["scenes"]))


def _add_campaign_state(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/campaigns/{campaign}/state",
        operation_id="getCampaignState",
        summary="Look at what a game keeps of a campaign",
        responses=reading(Scene, 404, 422),
    )
    async def state(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LIST))],
        campaign: CampaignId,
        system: Annotated[str, Query(max_length=40, description="Slug of the game.")],
    ) -> Response:
        """What a game keeps of the campaign between scenes: a scene of its own, moved like any other."""
        found = await graphs.read(viewer, "campaign.campaignState", "campaign", id=campaign, system=system)
        scene = (found["state"] or {}).get("id", "")
        return shown(request, await graphs.read(viewer, "campaign.scene", "state", id=scene, actor=None))


def _add_looking(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/scenes/{scene}",
        operation_id="getScene",
        summary="Look at a scene",
        responses=reading(Scene, 404, 422),
    )
    async def one(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LIST))],
        scene: SceneId,
        actor: Annotated[
            str | None, Query(max_length=80, description="Legal moves of this actor of yours alone.")
        ] = None,
    ) -> Response:
        """Where a scene stands and what your actors may do now, as far as you may know."""
        return shown(request, await graphs.read(viewer, "campaign.scene", "scene", id=scene, actor=actor))

    @router.get(
        "/scenes/{scene}/board.svg",
        operation_id="getSceneBoard",
        summary="Read a scene's picture",
        responses=reading(
            {"type": "string"}, 404, 422, description="The picture.", media_type="image/svg+xml"
        ),
    )
    async def board(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(DRAW))], scene: SceneId
    ) -> Response:
        """The scene drawn as you may know it now; not every game draws its scenes."""
        require(viewer, "read")
        content, etag = await graphs.file(
            viewer,
            "campaign",
            "picture",
            "scenes",
            scene,
            "board.svg",
            held=request.headers.get("if-none-match"),
            seconds=SECONDS,
        )
        policy = {"content-security-policy": SVG_POLICY}
        return tagged(request, content, "image/svg+xml", cache=REVALIDATE, etag=etag, headers=policy)

    @router.get(
        "/scenes/{scene}/moves",
        operation_id="listSceneMoves",
        summary="Read what was done",
        responses=reading(Listed[SceneMove], 404, 422, description="A page, oldest first."),
    )
    async def moves(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        scene: SceneId,
        first: First = 20,
        after: Annotated[
            str | None,
            Query(
                max_length=120,
                description="Cursor: of the last move that you have, or of the scene as you saw it.",
                examples=[None],
            ),
        ] = None,
    ) -> Response:
        """The moves of a scene as you may know them; ask again behind the last one to hear what is new."""
        found = await graphs.read(viewer, "campaign.sceneMoves", "scene", id=scene, first=first, after=after)
        return shown(request, page(found["moves"]))


def _add_moving(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "/scenes/{scene}/moves",
        operation_id="performMove",
        summary="Make a move",
        status_code=201,
        responses=changing(Moved, 404, 409, description="It was done."),
    )
    async def perform(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        scene: SceneId,
        body: NewMove,
        key: IdempotencyKey = None,
    ) -> Response:
        """Make a move; a move that the rules do not allow is answered with the rules and what they allow."""
        given: dict[str, Any] = {
            "sceneId": scene,
            "expectedSeq": body.expected_seq,
            "move": {"json": body.move},
            "entropy": body.entropy,
            "idempotencyKey": key,
        }
        return made(await graphs.change(viewer, "campaign.performMove", wrapper="move.json", input=given))

    @router.post(
        "/scenes/{scene}/bot",
        operation_id="playBot",
        summary="Have a bot move",
        status_code=201,
        responses=changing(Moved, 404, 409, description="It was done."),
    )
    async def bot(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        scene: SceneId,
        body: BotMove,
        key: IdempotencyKey = None,
    ) -> Response:
        """Have a bot move an actor of yours; it knows what the actor may know, and no more."""
        given = body.model_dump(by_alias=True)
        return made(
            await graphs.change(viewer, "campaign.playBot", sceneId=scene, idempotencyKey=key, **given)
        )

    @router.post(
        "/scenes/{scene}/undo",
        operation_id="undoMove",
        summary="Take back the last move",
        status_code=201,
        responses=changing(Moved, 404, 409, description="It was taken back."),
    )
    async def undo(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        scene: SceneId,
        body: Undoing,
        key: IdempotencyKey = None,
    ) -> Response:
        """Take back the last move that still stands, with its answers (GM); what was rolled stays rolled."""
        given = body.model_dump(by_alias=True)
        return made(
            await graphs.change(viewer, "campaign.undoMove", sceneId=scene, idempotencyKey=key, **given)
        )
