"""Characters and their sheets: ``/v1/characters``, and the games they are made for: ``/v1/systems``."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import ConfigDict, Field, JsonValue
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import REVALIDATE, made, page, shown, tagged
from services.gateway.rest.contract import (
    After,
    Asked,
    First,
    IdempotencyKey,
    Listed,
    Shown,
    changing,
    id_path,
    reading,
)
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LIST, LOOK, WRITE, Doorkeeper, require
from services.shared.auth import Viewer

# What may be chosen is each game's own and checked by the service that knows the games.
BUILD_EXAMPLE: dict[str, JsonValue] = {
    "dungeonteller": {"name": "Asha", "role": "dungeonteller:role/warrior"}
}


class NewCharacter(Asked):
    """A character to be made by the rules of its game."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"build": BUILD_EXAMPLE}]})

    build: dict[str, Any] = Field(
        min_length=1,
        max_length=1,
        description="One member: the game, with the player's choices, as the graph's `CharacterBuild`.",
    )


class Character(Shown):
    """A character; seen by its player and at its table."""

    id: str
    name: str
    system: str = Field(description="The game it is made for.")
    version: int = Field(description="Grows with each edit.")
    created_at: datetime


class GameSystem(Shown):
    """A game that characters can be made for."""

    slug: str = Field(description="Stable; in camel case also the member of `build`.")
    name: str
    edition: str = Field(description="Which text is modelled.")
    licence: str = Field(description="Whose game it is, and on what terms it is modelled here.")


class GameSystems(Shown):
    """All the games."""

    items: list[GameSystem]


SHEET = {
    "type": "object",
    "description": "Type and version of the sheet, and its data, in the published form of its game.",
    "additionalProperties": True,
}


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of characters."""
    router = APIRouter(tags=["characters"])
    _add_characters(router, door, graphs)
    _add_reading(router, door, graphs)
    return router


def _add_characters(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/systems",
        operation_id="listSystems",
        summary="List the games",
        responses=reading(GameSystems, description="All the games."),
    )
    async def systems(request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))]) -> Response:
        """The games that characters can be made for; what each offers to choose from is in the graph."""
        require(viewer, "read")
        return shown(request, {"items": await graphs.read(viewer, "character.systems", "list")})

    @router.post(
        "/v1/characters",
        operation_id="createCharacter",
        summary="Make a character",
        status_code=201,
        responses=changing(Character, 404, 409, description="The character is yours.", located=True),
    )
    async def create(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewCharacter, key: IdempotencyKey = None
    ) -> Response:
        """Make a character from a player's choices; every broken rule of its game is named at once."""
        given: dict[str, Any] = {"build": body.build}
        if key is not None:
            given["idempotencyKey"] = key
        character = await graphs.change(viewer, "character.createCharacter", input=given)
        return made(character, location=f"/v1/characters/{character['id']}")

    @router.get(
        "/v1/characters",
        operation_id="listCharacters",
        summary="List your characters",
        responses=reading(Listed[Character], 422, description="A page, newest first."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LIST))],
        first: First = 20,
        after: After = None,
    ) -> Response:
        """Your own characters."""
        found = await graphs.read(viewer, "character.characters", "list", first=first, after=after)
        return shown(request, page(found))


def _add_reading(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/characters/{character}",
        operation_id="getCharacter",
        summary="Read a character",
        responses=reading(Character, 404),
    )
    async def one(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LOOK))],
        character: Annotated[str, id_path("chr", "Id of the character.")],
    ) -> Response:
        """A character of yours, or of somebody at your table."""
        return shown(request, await graphs.read(viewer, "character.character", "character", id=character))

    @router.get(
        "/v1/characters/{character}/sheet",
        operation_id="getSheet",
        summary="Read a character's sheet",
        responses=reading(SHEET, 404, description="The sheet.", media_type="application/json"),
    )
    async def sheet(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LOOK))],
        character: Annotated[str, id_path("chr", "Id of the character.")],
    ) -> Response:
        """The whole sheet with every derived number; ask with `If-None-Match` whether yours still holds."""
        require(viewer, "read")
        held = request.headers.get("if-none-match")
        content, etag = await graphs.file(
            viewer, "character", "character", "characters", character, "sheet", held=held
        )
        return tagged(request, content, "application/json", cache=REVALIDATE, etag=etag)
