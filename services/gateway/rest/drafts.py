"""Characters in the making: ``/v1/characters/draft``. Nothing is kept."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import ConfigDict, Field
from starlette.responses import Response

from services.gateway.rest.answers import made
from services.gateway.rest.characters import BUILD_EXAMPLE, BUILD_MEANS, PACKS_MEAN
from services.gateway.rest.contract import Asked, Issue, Shown, changing
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LIST, Doorkeeper
from services.shared.auth import Viewer


class NewDraft(Asked):
    """Choices as they are."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"build": BUILD_EXAMPLE}]})

    build: dict[str, Any] = Field(min_length=1, max_length=1, description=BUILD_MEANS)
    step: str | None = Field(
        None, max_length=80, description="Id of one step to look at; all of them without it."
    )
    packs: list[str] | None = Field(None, max_length=100, description=PACKS_MEAN)


class Budget(Shown):
    """Points to spend."""

    id: str
    name: str
    allowed: int
    spent: int = Field(description="Below 0 where liabilities give points back.")
    remaining: int = Field(description="Below 0 when too many are spent.")
    rule: str


class Offer(Shown):
    """Something that could be taken next."""

    kind: str = Field(description="What it is, in the game's terms: `trait`, `attribute`, `skill`.")
    id: str = Field(description="Content id, or the game's name for what is no content.")
    name: str
    cost: int = Field(description="Points it takes; below 0 when it gives some.")
    budget: str = Field(description="Id of the budget that pays.")
    rating: int | None = Field(description="What its rating becomes; null for what has none.")
    note: str = Field(description="What to know about it; may be empty.")


class DraftStep(Shown):
    """One step of making a character."""

    id: str
    name: str
    text: str = Field(description="What is decided here, in plain words.")
    budgets: list[Budget]
    issues: list[Issue] = Field(description="Every rule that the choices of this step break.")
    offers: list[Offer] = Field(description="What is still affordable here.")


class Draft(Shown):
    """A character in the making."""

    system: str
    builds: bool = Field(description="Whether the choices make a character as they are.")
    issues: list[Issue] = Field(description="Every rule that they break.")
    steps: list[DraftStep] = Field(
        description="In the order of the book, or the one that was asked for; none where the game leads "
        "nobody through."
    )
    sheet: dict[str, Any] | None = Field(
        description="Type and version of the sheet, and its data; null while a rule is broken."
    )


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the path of characters in the making."""
    router = APIRouter(prefix="/v1/characters", tags=["characters"])

    @router.post(
        "/draft",
        operation_id="draftCharacter",
        summary="Look at a character in the making",
        responses=changing(Draft, status=200, description="What there is to say."),
    )
    async def draft(viewer: Annotated[Viewer, Depends(door.keyed(LIST))], body: NewDraft) -> Response:
        """Points left, rules broken so far, what is still affordable, and the sheet once there is one."""
        given = body.model_dump(by_alias=True, exclude_none=True)
        return made(await graphs.change(viewer, "character.draftCharacter", **given), status=200)

    return router
