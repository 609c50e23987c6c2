"""Characters, their sheets and cards: ``/v1/characters``, and the games they are for: ``/v1/systems``."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
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
    Whole,
    changing,
    id_path,
    reading,
    refusals,
)
from services.gateway.rest.problems import not_found
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DRAWN, LOOK, WRITE, Doorkeeper, paged, require
from services.shared.auth import Viewer
from services.shared.wording import camel

# What may be chosen is each game's own and checked by the service that knows the games.
BUILD_EXAMPLE: dict[str, JsonValue] = {
    "dungeonteller": {"name": "Asha", "role": "dungeonteller:role/warrior"}
}


BUILD_MEANS = "One member: the game, with the player's choices, as the graph's `CharacterBuild`."
PACKS_MEAN = "Ids of the content packs that it is built under, in order; each in its newest version."
MOST_PACKS = 100

CharacterId = Annotated[str, id_path("chr", "Id of the character.")]
SeenVersion = Annotated[int, Query(alias="version", ge=1, le=2**31 - 1, description="The version you saw.")]
Packs = Annotated[list[str] | None, Field(max_length=MOST_PACKS)]


class NewCharacter(Asked):
    """A character to be made by the rules of its game."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"build": BUILD_EXAMPLE}]})

    build: dict[str, Any] = Field(min_length=1, max_length=1, description=BUILD_MEANS)
    packs: Packs = Field(None, description=PACKS_MEAN)


class RebuiltCharacter(Asked):
    """A character to be built anew: the choices replace those of before as a whole."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1, "build": BUILD_EXAMPLE}]})

    version: Whole = Field(ge=1, le=2**31 - 1, description="The version you saw.")
    build: dict[str, Any] = Field(min_length=1, max_length=1, description=BUILD_MEANS)
    packs: Packs = Field(
        None,
        description="Ids of the content packs it is built under, in order, instead of those before. Without "
        "it the packs stay, each in its newest version that you may see.",
    )


class DrawnCharacter(Asked):
    """A character to be drawn by chance."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"system": "dungeonteller"}]})

    system: str = Field(description="Slug of the game.")
    name: str | None = Field(None, description="What it is called; drawn too when left out.")
    concept: str | None = Field(
        None,
        description="What kind of character, in the game's own terms; drawn too when left out. A wrong one "
        "is answered with all there are.",
    )
    seed: str | None = Field(None, description="The same seed draws the same character.")
    packs: Packs = Field(None, description=PACKS_MEAN)


class Character(Shown):
    """A character; seen by its player and at its table."""

    id: str
    name: str
    system: str = Field(description="The game it is made for.")
    version: int = Field(description="Grows with each edit.")
    created_at: datetime


class CharacterChoices(Shown):
    """What a player chose for a character."""

    version: int = Field(description="Of the character; edits name the one they saw.")
    build: dict[str, Any] = Field(
        description="One member: the game, with the choices. Send it back, changed."
    )


class Gone(Shown):
    """What is no more."""

    id: str


class GameSystem(Shown):
    """A game that characters can be made for."""

    slug: str = Field(description="Stable; in camel case also the member of `build`.")
    name: str
    edition: str = Field(description="Which text is modelled.")
    licence: str = Field(description="Whose game it is, and on what terms it is modelled here.")


class GameSystems(Shown):
    """All the games."""

    items: list[GameSystem]


CARD = {
    "type": "object",
    "description": "All that stands on the card, in the words of its game.",
    "additionalProperties": True,
}
SHEET = {
    "type": "object",
    "description": "Type and version of the sheet, and its data, in the published form of its game.",
    "additionalProperties": True,
}


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of characters."""
    router = APIRouter(tags=["characters"])
    _add_characters(router, door, graphs)
    _add_drawing(router, door, graphs)
    _add_reading(router, door, graphs)
    _add_papers(router, door, graphs)
    _add_editing(router, door, graphs)
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
        given = body.model_dump(by_alias=True, exclude_none=True)
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
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
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
        character: CharacterId,
    ) -> Response:
        """A character of yours, or of somebody at your table."""
        return shown(request, await graphs.read(viewer, "character.character", "character", id=character))


def _add_drawing(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "/v1/characters/random",
        operation_id="createRandomCharacter",
        summary="Make a character by chance",
        status_code=201,
        responses=changing(Character, 404, 409, description="The character is yours.", located=True),
    )
    async def drawn(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        body: DrawnCharacter,
        key: IdempotencyKey = None,
    ) -> Response:
        """Draw a character by chance and keep it: ready to play at once."""
        given = body.model_dump(by_alias=True, exclude_none=True)
        character = await graphs.change(
            viewer, "character.createRandomCharacter", idempotencyKey=key, **given
        )
        return made(character, location=f"/v1/characters/{character['id']}")


def _add_papers(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/characters/{character}/sheet",
        operation_id="getSheet",
        summary="Read a character's sheet",
        responses=reading(SHEET, 404, description="The sheet.", media_type="application/json"),
    )
    async def sheet(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LOOK))],
        character: CharacterId,
    ) -> Response:
        """The whole sheet with every derived number; ask with `If-None-Match` whether yours still holds."""
        require(viewer, "read")
        held = request.headers.get("if-none-match")
        content, etag = await graphs.file(
            viewer, "character", "character", "characters", character, "sheet", held=held
        )
        return tagged(request, content, "application/json", cache=REVALIDATE, etag=etag)

    @router.get(
        "/v1/characters/{character}/card",
        operation_id="getCard",
        summary="Read a character's card",
        responses=reading(CARD, 404, description="The card.", media_type="application/json"),
    )
    async def card(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(DRAWN))], character: CharacterId
    ) -> Response:
        """The character on paper; not every game prints cards."""
        found = await graphs.read(viewer, "character.characterCard", "character", id=character)
        if found["card"] is None:
            raise not_found("card")
        return shown(request, {"system": found["card"]["system"], **found["card"]["json"]})

    @router.get(
        "/v1/characters/{character}/choices",
        operation_id="getChoices",
        summary="Read what was chosen",
        responses=reading(CharacterChoices, 404),
    )
    async def choices(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))], character: CharacterId
    ) -> Response:
        """What was chosen for a character, as it is sent back to build it anew."""
        found = await graphs.read(viewer, "character.characterChoices", "character", id=character)
        chosen = found["choices"]
        if chosen is None:
            raise not_found("choice")
        return shown(
            request, {"version": found["version"], "build": {camel(chosen["system"]): chosen["json"]}}
        )


def _add_editing(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.put(
        "/v1/characters/{character}",
        operation_id="updateCharacter",
        summary="Build a character anew",
        responses=changing(Character, 404, 409, status=200, description="The character as it is now."),
    )
    async def update(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], character: CharacterId, body: RebuiltCharacter
    ) -> Response:
        """Build your character anew from other choices, from the version that you saw.

        At a table that somebody else runs, a reward that was not approved before stays waiting.
        """
        given = {"id": character, **body.model_dump(by_alias=True, exclude_none=True)}
        return made(await graphs.change(viewer, "character.updateCharacter", input=given), status=200)

    @router.delete(
        "/v1/characters/{character}",
        operation_id="deleteCharacter",
        summary="Delete a character",
        responses={
            200: {"model": Gone, "description": "The character is gone."},
            **refusals(400, 401, 403, 404, 409, 422, 429, 500, 503),
        },
    )
    async def delete(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], character: CharacterId, version: SeenVersion
    ) -> Response:
        """Delete your character, from the version that you saw."""
        gone = await graphs.change(viewer, "character.deleteCharacter", id=character, version=version)
        return made({"id": gone}, status=200)
