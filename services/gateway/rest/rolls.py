"""Rolls of dice: ``/v1/rolls``."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import ConfigDict, Field
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
    changing,
    id_path,
    reading,
)
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LIST, LOOK, WRITE, Doorkeeper
from services.shared.auth import Viewer


class NewRoll(Asked):
    """Dice to be rolled."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"expression": "4d6kh3+2", "label": "Strength"}]}
    )

    expression: str = Field(description="Dice notation: `2d6+3`, `4d6kh3`, `d20 - 1`, `d%`.")
    campaign_id: str | None = Field(None, description="At whose table, if any.")
    character_id: str | None = Field(
        None, description="For which character, if any; one that sits at a table rolls there."
    )
    label: str | None = Field(
        None, description="What it is for, up to 120 characters.", json_schema_extra={"maxLength": 120}
    )


class Roll(Shown):
    """A roll of dice; kept for ever, never changed."""

    id: str
    seq: int = Field(description="Counts 1, 2, 3, ... at this table.")
    expression: str
    label: str | None
    total: int
    text: str = Field(description="The roll in one line.")
    rolled_at: datetime
    by: Ref | None
    campaign: Ref | None
    character: Ref | None


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of rolls."""
    router = APIRouter(prefix="/v1/rolls", tags=["rolls"])

    @router.post(
        "",
        operation_id="createRoll",
        summary="Roll dice",
        status_code=201,
        responses=changing(Roll, 404, 409, description="The dice are cast.", located=True),
    )
    async def create(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewRoll, key: IdempotencyKey = None
    ) -> Response:
        """Roll dice and keep the roll; everyone at the table hears of it."""
        given = body.model_dump(by_alias=True, exclude_none=True)
        if key is not None:
            given["idempotencyKey"] = key
        roll = await graphs.change(viewer, "dice.createRoll", input=given)
        return made(roll, location=f"/v1/rolls/{roll['id']}")

    @router.get(
        "",
        operation_id="listRolls",
        summary="List rolls",
        responses=reading(Listed[Roll], 404, 422, description="A page, newest first."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LIST))],
        campaign: Annotated[str | None, Query(max_length=40, description="Only at this table.")] = None,
        character: Annotated[str | None, Query(max_length=40, description="Only for this one.")] = None,
        first: First = 20,
        after: After = None,
    ) -> Response:
        """The rolls that you may see: your own, and those of your campaigns."""
        found = await graphs.read(
            viewer,
            "dice.rolls",
            "list",
            campaignId=campaign,
            characterId=character,
            first=first,
            after=after,
        )
        return shown(request, page(found))

    @router.get(
        "/{roll}",
        operation_id="getRoll",
        summary="Read a roll",
        responses=reading(Roll, 404),
    )
    async def one(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LOOK))],
        roll: Annotated[str, id_path("rol", "Id of the roll.")],
    ) -> Response:
        """A roll that you may see."""
        return shown(request, await graphs.read(viewer, "dice.roll", "roll", id=roll))

    return router
