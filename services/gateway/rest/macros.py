"""A table's own words: saved rolls, ``/v1/macros``, and dice with faces of their own, ``/v1/dice``."""

from datetime import datetime
from typing import Annotated, Any, Literal

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
    Int32,
    Listed,
    Ref,
    Shown,
    changing,
    id_path,
    reading,
    refusals,
    said,
)
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LIST, LOOK, WRITE, Doorkeeper, paged
from services.shared.auth import Viewer

Dialect = Literal["HEARTHFORGE", "D20", "FOUNDRY", "ROLL20"]

CampaignOfList = Annotated[
    str | None, Query(max_length=40, description="Those of this campaign's table; else your own.")
]
SeenVersion = Annotated[int, Query(alias="version", ge=1, le=2**31 - 1, description="The version you saw.")]
MacroId = Annotated[str, id_path("mac", "Id of the saved roll.")]
DieId = Annotated[str, id_path("die", "Id of the die.")]

_LABEL: dict[str, Any] = {"maxLength": 120}
_NAME: dict[str, Any] = {"minLength": 1, "maxLength": 80}


class VariableValue(Asked):
    """What a variable is where nothing else says so."""

    name: str = Field(description="As in the expression; the `@` may be left out.")
    value: Int32 = Field(description="From -1,000,000 to 1,000,000.")


class NewMacro(Asked):
    """A roll to be saved."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "Longsword",
                    "expression": "(@battle + @bonus)d6 >=5",
                    "variables": [{"name": "bonus", "value": 3}],
                }
            ]
        }
    )

    name: str = said("One of a kind at its place.", **_NAME)
    expression: str = Field(description="Dice notation, with `@variables` or without.")
    variables: list[VariableValue] = Field(
        default_factory=list, description="Defaults; other variables are filled in when it is rolled."
    )
    label: str | None = Field(
        None, description="What a roll of it is for, up to 120 characters.", json_schema_extra=_LABEL
    )
    dialect: Dialect | None = Field(
        None, description="Whose notation it is; the place's own setting without it."
    )
    campaign_id: str | None = Field(
        None, description="At whose table it is shared; without one it is your own."
    )


class ChangedMacro(Asked):
    """What to change about a saved roll; what is left out stays as it is."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1, "name": "Short sword"}]})

    version: Int32 = Field(description="The version you saw.")
    name: str | None = Field(None, description="One of a kind at its place.", json_schema_extra=_NAME)
    expression: str | None = Field(None, description="Dice notation.")
    variables: list[VariableValue] | None = Field(None, description="All defaults anew.")
    label: str | None = Field(None, description="An empty one takes it away.", json_schema_extra=_LABEL)
    dialect: Dialect | None = Field(None, description="Whose notation it is.")


class Variable(Shown):
    """A variable of a saved roll."""

    name: str
    value: int | None = Field(description="What it is where neither the request nor the sheet says.")


class Macro(Shown):
    """A saved roll: roll it with `POST /v1/rolls` and its id as `macroId`."""

    id: str
    name: str
    expression: str = Field(description="As it was written, in its dialect.")
    dialect: Dialect
    variables: list[Variable] = Field(description="In the order written.")
    label: str | None
    shared: bool = Field(description="Whether everyone at a table sees it.")
    version: int = Field(description="Grows with each edit.")
    created_at: datetime
    by: Ref | None


class Face(Asked):
    """One face of a die."""

    label: str = said("What is on it.", minLength=1, maxLength=20)
    value: Int32 = Field(description="What it counts, from -1,000,000 to 1,000,000.")


class NewDie(Asked):
    """A die to be defined."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "boon",
                    "faces": [{"label": "Boon", "value": 1}, {"label": "Nothing", "value": 0}],
                }
            ]
        }
    )

    name: str = said(
        "What the notation calls it behind the `d`; no word of the notation.",
        minLength=3,
        maxLength=40,
        pattern="^[a-z][a-z_]*$",
    )
    faces: list[Face] = said("Each comes as often as any other.", minItems=1, maxItems=1000)
    campaign_id: str | None = Field(None, description="At whose table; without one it is your own.")


class ChangedDie(Asked):
    """Other faces for a die."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"version": 1, "faces": [{"label": "Boon", "value": 2}]}]}
    )

    version: Int32 = Field(description="The version you saw.")
    faces: list[Face] = said("All of them anew.", minItems=1, maxItems=1000)


class ShownFace(Shown):
    """One face of a die."""

    label: str
    value: int


class TableDie(Shown):
    """A die of a table's own; roll it by name: `3dboon`."""

    id: str
    name: str
    faces: list[ShownFace]
    version: int = Field(description="Grows with each edit.")
    created_at: datetime
    by: Ref | None


class TableDice(Shown):
    """All dice of a place."""

    items: list[TableDie]


class NewSettings(Asked):
    """What a table is to write."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"dialect": "ROLL20", "version": 1}]})

    dialect: Dialect = Field(description="Whose notation rolls are written in, unless they say otherwise.")
    version: Int32 = Field(description="The version you saw.")
    campaign_id: str | None = Field(None, description="Of whose table; without one they are your own.")


class Settings(Shown):
    """What a table has chosen about its dice."""

    dialect: Dialect
    version: int = Field(description="Grows with each edit.")


class Gone(Shown):
    """What is no more."""

    id: str


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of saved rolls and of a table's own dice."""
    router = APIRouter()
    _add_macros(router, door, graphs)
    _add_macro_edits(router, door, graphs)
    _add_settings(router, door, graphs)
    _add_dice(router, door, graphs)
    return router


def _add_macros(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "/v1/macros",
        operation_id="createMacro",
        summary="Save a roll",
        tags=["macros"],
        status_code=201,
        responses=changing(Macro, 404, 409, description="The roll is saved.", located=True),
    )
    async def create(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewMacro, key: IdempotencyKey = None
    ) -> Response:
        """Save a roll for yourself, or (GMs and players) for a campaign's table."""
        given = body.model_dump(by_alias=True, exclude_none=True)
        if key is not None:
            given["idempotencyKey"] = key
        macro = await graphs.change(viewer, "dice.createMacro", input=given)
        return made(macro, location=f"/v1/macros/{macro['id']}")

    @router.get(
        "/v1/macros",
        operation_id="listMacros",
        summary="List saved rolls",
        tags=["macros"],
        responses=reading(Listed[Macro], 404, 422, description="A page, oldest first."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        campaign: CampaignOfList = None,
        first: First = 20,
        after: After = None,
    ) -> Response:
        """The saved rolls of a campaign of yours, or your own."""
        found = await graphs.read(
            viewer, "dice.macros", "campaign", campaignId=campaign, first=first, after=after
        )
        return shown(request, page(found))

    @router.get(
        "/v1/macros/{macro}",
        operation_id="getMacro",
        summary="Read a saved roll",
        tags=["macros"],
        responses=reading(Macro, 404),
    )
    async def one(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))], macro: MacroId
    ) -> Response:
        """A saved roll of yours, or of a campaign of yours."""
        return shown(request, await graphs.read(viewer, "dice.macro", "macro", id=macro))


def _add_macro_edits(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.patch(
        "/v1/macros/{macro}",
        operation_id="updateMacro",
        summary="Change a saved roll",
        tags=["macros"],
        responses=changing(Macro, 404, 409, status=200, description="The roll as it is now."),
    )
    async def update(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], macro: MacroId, body: ChangedMacro
    ) -> Response:
        """Change a saved roll of yours, or as GM any of the table."""
        given = {"id": macro, **body.model_dump(by_alias=True, exclude_none=True)}
        return made(await graphs.change(viewer, "dice.updateMacro", input=given), status=200)

    @router.delete(
        "/v1/macros/{macro}",
        operation_id="deleteMacro",
        summary="Delete a saved roll",
        tags=["macros"],
        responses=_removing("The roll is gone."),
    )
    async def delete(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], macro: MacroId, version: SeenVersion
    ) -> Response:
        """Delete a saved roll of yours, or as GM any of the table."""
        gone = await graphs.change(viewer, "dice.deleteMacro", input={"id": macro, "version": version})
        return made({"id": gone}, status=200)


def _add_settings(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/dice/settings",
        operation_id="getDiceSettings",
        summary="Read the settings of dice",
        tags=["dice"],
        responses=reading(Settings, 404),
    )
    async def read(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LOOK))],
        campaign: CampaignOfList = None,
    ) -> Response:
        """What a table has chosen about its dice, or you for your own rolls."""
        found = await graphs.read(viewer, "dice.diceSettings", "campaign", campaignId=campaign)
        return shown(request, found)

    @router.put(
        "/v1/dice/settings",
        operation_id="setDiceSettings",
        summary="Choose the settings of dice",
        tags=["dice"],
        responses=changing(Settings, 404, 409, status=200, description="The settings as they are now."),
    )
    async def write(viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewSettings) -> Response:
        """Choose whose notation a table writes (GM), or you for your own rolls."""
        given = body.model_dump(by_alias=True)
        return made(await graphs.change(viewer, "dice.setDiceDialect", input=given), status=200)


def _add_dice(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "/v1/dice",
        operation_id="defineDie",
        summary="Define a die",
        tags=["dice"],
        status_code=201,
        responses=changing(TableDie, 404, 409, description="The die can be rolled."),
    )
    async def define(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewDie, key: IdempotencyKey = None
    ) -> Response:
        """Define a die with faces of its own, for a table (GM) or for yourself."""
        given = body.model_dump(by_alias=True, exclude_none=True)
        if key is not None:
            given["idempotencyKey"] = key
        return made(await graphs.change(viewer, "dice.defineDie", input=given))

    @router.get(
        "/v1/dice",
        operation_id="listDice",
        summary="List a table's own dice",
        tags=["dice"],
        responses=reading(TableDice, 404, 422, description="All of them, by name."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LIST))],
        campaign: CampaignOfList = None,
    ) -> Response:
        """The dice that a campaign of yours defined, or your own."""
        found = await graphs.read(viewer, "dice.tableDice", "campaign", campaignId=campaign)
        return shown(request, {"items": found})

    @router.put(
        "/v1/dice/{die}",
        operation_id="changeDie",
        summary="Give a die other faces",
        tags=["dice"],
        responses=changing(TableDie, 404, 409, status=200, description="The die as it is now."),
    )
    async def change(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], die: DieId, body: ChangedDie
    ) -> Response:
        """Give a die other faces (GM, or its owner); rolls made before keep theirs."""
        given = body.model_dump(by_alias=True)
        return made(await graphs.change(viewer, "dice.changeDie", input={"id": die, **given}), status=200)

    @router.delete(
        "/v1/dice/{die}",
        operation_id="forgetDie",
        summary="Forget a die",
        tags=["dice"],
        responses=_removing("The die is forgotten."),
    )
    async def forget(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], die: DieId, version: SeenVersion
    ) -> Response:
        """Forget a die (GM, or its owner); rolls made before keep it."""
        gone = await graphs.change(viewer, "dice.forgetDie", input={"id": die, "version": version})
        return made({"id": gone}, status=200)


def _removing(description: str) -> dict[int | str, dict[str, Any]]:
    """Describe the answers of a path that takes something away."""
    good = {"model": Gone, "description": description}
    return {200: good, **refusals(400, 401, 403, 404, 409, 422, 429, 500, 503)}
