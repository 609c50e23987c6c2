"""Content of a table's own: ``/v1/content-packs``."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import ConfigDict, Field, JsonValue
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import made, page, shown
from services.gateway.rest.contract import (
    After,
    Asked,
    First,
    IdempotencyKey,
    Listed,
    Ref,
    Shown,
    Whole,
    changing,
    id_path,
    reading,
    refusals,
    said,
)
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LIST, LOOK, WRITE, Doorkeeper, paged
from services.shared.auth import Viewer
from services.shared.wording import camel

# What a pack holds is each game's own and checked by the service that knows the games.
PACK_EXAMPLE: dict[str, JsonValue] = {
    "forgeEngine": {
        "damage": [{"key": "gravitic", "name": "Gravitic", "group": "ELEMENTAL"}],
    }
}
PACK_MEANS = "One member: the game, with what the pack holds, as the graph's `ContentPackInput`."

PackId = Annotated[str, id_path("pck", "Id of the content pack.")]
CampaignOfList = Annotated[
    str | None, Query(max_length=40, description="Those of this campaign's table; else your own.")
]
SystemOfList = Annotated[str | None, Query(max_length=40, description="Those of one game.")]
SeenVersion = Annotated[int, Query(alias="version", ge=1, le=2**31 - 1, description="The version you saw.")]

_NAME: dict[str, Any] = {"minLength": 1, "maxLength": 120}
_DESCRIPTION: dict[str, Any] = {"maxLength": 2000}


class NewPack(Asked):
    """A content pack to be kept."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "Weight of the stars", "pack": PACK_EXAMPLE}]}
    )

    pack: dict[str, Any] = Field(min_length=1, max_length=1, description=PACK_MEANS)
    name: str = said("What people call it.", **_NAME)
    description: str = Field("", description="What it is about.", json_schema_extra=_DESCRIPTION)
    campaign_id: str | None = Field(
        None, description="The campaign that it is shared with, which you run; without one it is your own."
    )


class ChangedPack(Asked):
    """What to change about a content pack; what is left out stays as it is."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1, "name": "Stars"}]})

    version: Whole = Field(ge=1, le=2**31 - 1, description="The version you saw.")
    pack: dict[str, Any] | None = Field(None, min_length=1, max_length=1, description=PACK_MEANS)
    name: str | None = Field(None, description="What people call it.", json_schema_extra=_NAME)
    description: str | None = Field(None, description="What it is about.", json_schema_extra=_DESCRIPTION)
    campaign_id: str | None = Field(
        None, description="The campaign to share it with, which you run; null takes it away from its table."
    )


class PackToCheck(Asked):
    """A content pack that is not kept yet."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pack": PACK_EXAMPLE}]})

    pack: dict[str, Any] = Field(min_length=1, max_length=1, description=PACK_MEANS)


class PackFinding(Shown):
    """Something to know about a content pack, which breaks no rule."""

    kind: Literal["DIFFERENCE", "ADVICE"]
    code: str = Field(description="Stable, for programs.")
    message: str
    rule: str = Field(description="Book section or ruling.")
    path: list[str] = Field(description="Where in the pack.")
    stated: str | None = Field(description="What the pack says.")
    computed: str | None = Field(description="What the book's formula gives; null for advice.")
    working: str = Field(description="How it is computed; empty for advice.")


class PackReport(Shown):
    """What there is to say about a content pack that breaks no rule."""

    adds: list[str] = Field(description="Content ids of what it adds.")
    findings: list[PackFinding]


class PackLine(Shown):
    """A content pack in a list."""

    id: str
    name: str
    description: str
    system: str = Field(description="The game it is for.")
    version: int = Field(description="Grows with each edit.")
    campaign: Ref | None = Field(description="The campaign that it is shared with.")
    by: Ref | None
    created_at: datetime
    updated_at: datetime


class ContentPack(PackLine):
    """A content pack; name its id in `packs` when you make a character."""

    pack: dict[str, Any] | None = Field(
        description="What it holds, as it is sent; null when this installation cannot read it any more."
    )
    report: PackReport | None = Field(
        description="What there is to say about it; null when its game would not take it any more."
    )


class GonePack(Shown):
    """What is no more."""

    id: str


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of content packs."""
    router = APIRouter(prefix="/v1/content-packs", tags=["content packs"])
    _add_reading(router, door, graphs)
    _add_changing(router, door, graphs)
    return router


def _add_reading(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "",
        operation_id="listContentPacks",
        summary="List content packs",
        responses=reading(Listed[PackLine], 404, 422, description="A page, newest first."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        campaign: CampaignOfList = None,
        system: SystemOfList = None,
        first: First = 20,
        after: After = None,
    ) -> Response:
        """The content packs of a campaign of yours, or your own."""
        found = await graphs.read(
            viewer,
            "character.contentPacks",
            "campaign",
            campaignId=campaign,
            system=system,
            first=first,
            after=after,
        )
        return shown(request, page(found))

    @router.post(
        "/check",
        operation_id="checkContentPack",
        summary="Check a content pack",
        responses=changing(PackReport, status=200, description="It breaks no rule."),
    )
    async def check(viewer: Annotated[Viewer, Depends(door.keyed(LIST))], body: PackToCheck) -> Response:
        """Every rule that a pack breaks, or what differs from the book's formulas; nothing is kept."""
        return made(await graphs.change(viewer, "character.checkContentPack", pack=body.pack), status=200)

    @router.get(
        "/{pack}",
        operation_id="getContentPack",
        summary="Read a content pack",
        responses=reading(ContentPack, 404),
    )
    async def one(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))], pack: PackId
    ) -> Response:
        """A content pack of yours, or of a campaign of yours, whole."""
        found = await graphs.read(viewer, "character.contentPack", "content pack", id=pack)
        return shown(request, _whole(found))


def _add_changing(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "",
        operation_id="createContentPack",
        summary="Keep a content pack",
        status_code=201,
        responses=changing(ContentPack, 404, 409, description="The pack is kept.", located=True),
    )
    async def create(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewPack, key: IdempotencyKey = None
    ) -> Response:
        """Keep a content pack that breaks no rule, for yourself, or as GM for a campaign's table."""
        given = _given(body)
        if key is not None:
            given["idempotencyKey"] = key
        kept = await graphs.change(viewer, "character.createContentPack", input=given)
        return made(_whole(kept), location=f"/v1/content-packs/{kept['id']}")

    @router.patch(
        "/{pack}",
        operation_id="updateContentPack",
        summary="Change a content pack",
        responses=changing(ContentPack, 404, 409, status=200, description="The pack as it is now."),
    )
    async def update(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], pack: PackId, body: ChangedPack
    ) -> Response:
        """Change a content pack of yours, or as GM one of your table; built characters stay as they are."""
        given = {"id": pack, **_given(body)}
        kept = await graphs.change(viewer, "character.updateContentPack", input=given)
        return made(_whole(kept), status=200)

    @router.delete(
        "/{pack}",
        operation_id="deleteContentPack",
        summary="Delete a content pack",
        responses={
            200: {"model": GonePack, "description": "The pack is gone; what was built under it stays."},
            **refusals(400, 401, 403, 404, 409, 422, 429, 500, 503),
        },
    )
    async def delete(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], pack: PackId, version: SeenVersion
    ) -> Response:
        """Delete a content pack of yours, or as GM one of your table."""
        gone = await graphs.change(viewer, "character.deleteContentPack", id=pack, version=version)
        return made({"id": gone}, status=200)


def _given(body: NewPack | ChangedPack) -> dict[str, Any]:
    """Give the members that were sent, null ones too: that may be what is asked for."""
    return {camel(name): getattr(body, name) for name in sorted(body.model_fields_set)}


def _whole(found: dict[str, Any]) -> dict[str, Any]:
    """Write what a pack holds as it is sent."""
    content = found.pop("content")
    return {**found, "pack": None if content is None else {camel(found["system"]): content["json"]}}
