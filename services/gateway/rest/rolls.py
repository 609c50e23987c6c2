"""Rolls of dice: ``/v1/rolls``."""

import re
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import AwareDatetime, BeforeValidator, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import made, page, shown
from services.gateway.rest.contract import (
    After,
    Asked,
    First,
    IdempotencyKey,
    Int32,
    Issue,
    Listed,
    Ref,
    Shown,
    changing,
    id_path,
    reading,
)
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LOOK, WRITE, Doorkeeper, paged
from services.shared.auth import Viewer

Dialect = Literal["HEARTHFORGE", "D20", "FOUNDRY", "ROLL20"]


def _written_out(value: Any) -> Any:
    if isinstance(value, str) and not re.match(r"\d{4}-", value):
        raise ValueError("a moment is written as 2026-11-21T20:00:00Z")
    return value


# Seconds since 1970, which would be taken too, are not what the description says.
Moment = Annotated[AwareDatetime, BeforeValidator(_written_out)]
RollId = Annotated[str, id_path("rol", "Id of the roll.")]


class NewRoll(Asked):
    """Dice to be rolled: an expression, or a saved roll."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"expression": "4d6kh3+2", "label": "Strength"}]}
    )

    expression: str | None = Field(
        None, description="Dice notation: `2d6+3`, `4d6kh3`, `d20 - 1`, `@muscle d6 >=5`."
    )
    macro_id: str | None = Field(None, description="A saved roll instead.")
    variables: dict[str, Int32] = Field(
        default_factory=dict,
        description="Values of the notation's `@variables`; what is missing is read from the character's "
        "sheet, then from the macro.",
    )
    dialect: Dialect | None = Field(
        None, description="Whose notation it is written in; the table's own setting without it."
    )
    campaign_id: str | None = Field(None, description="At whose table, if any.")
    character_id: str | None = Field(
        None, description="For which character, if any; one that sits at a table rolls there."
    )
    label: str | None = Field(
        None, description="What it is for, up to 120 characters.", json_schema_extra={"maxLength": 120}
    )
    secret: bool = Field(False, description="Seen by the GMs alone until it is revealed; for GMs.")
    entropy: str | None = Field(
        None,
        description="16 to 64 random bytes of your own, in hexadecimal or base64url, made anew for each "
        "roll: with them nobody, nor the server, could have chosen the faces.",
    )
    epoch: str | None = Field(
        None, description="The epoch whose commitment you have seen; without it, whichever there is."
    )

    def given(self) -> dict[str, Any]:
        """Give it as the graph's input."""
        found = self.model_dump(by_alias=True, exclude_none=True)
        found["variables"] = [{"name": name, "value": value} for name, value in self.variables.items()]
        return found


class NewRolls(Asked):
    """Several rolls, made in one go: all of them may be made, or none is."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"rolls": [{"expression": "d20+5"}, {"expression": "2d6+3"}]}]}
    )

    rolls: list[NewRoll] = Field(description="1 to 100, in the order in which they are rolled.")


class RolledDie(Shown):
    """One die, as it lies."""

    kind: str = Field(description="`d6`, `dF`, or the name of a die of the table's own.")
    sides: int = Field(description="How many faces it has.")
    face: int = Field(description="The face it fell on, counted from 1.")
    value: int
    label: str | None = Field(description="What is on the face of a die of the table's own.")
    kept: bool = Field(description="Whether it counts.")
    marks: list[str] = Field(
        description="What was done to it: `REROLLED`, `EXPLODED`, `DROPPED`, `SUCCESS`, ..."
    )


class RollTerm(Shown):
    """One term of the sum at the top."""

    notation: str
    subtotal: int
    dice: list[RolledDie] = Field(description="As they lie; of one roll 1,000 are listed.")
    dice_left_out: int = Field(description="How many further dice there are; all are in the receipt.")


class Roll(Shown):
    """A roll of dice; kept for ever, never changed."""

    id: str
    seq: int = Field(
        description="Counts 1, 2, 3, ... at this table; secret rolls apart until they are revealed."
    )
    expression: str
    label: str | None
    total: int = Field(description="Rounded down where it is no whole number.")
    exact: str = Field(description="The total as a fraction: `17/2`, `8/1`.")
    outcome: str | None = Field(
        description="What it means in the game, for a game's own roll; `void` of dice that came to nothing."
    )
    void: str | None = Field(
        description="Why the dice came to nothing: `DIVISION_BY_ZERO`, ...; the total is then 0."
    )
    text: str = Field(description="The roll in one line.")
    terms: list[RollTerm] = Field(description="Where the total comes from.")
    secret: bool = Field(description="Whether only GMs may see it.")
    revealed_at: datetime | None
    rolled_at: datetime
    by: Ref | None
    campaign: Ref | None
    character: Ref | None
    scene_id: str | None


class Rolls(Shown):
    """What came of several rolls."""

    rolls: list[Roll] = Field(description="In the order asked for.")
    voids: list[Issue] = Field(
        description="Rolls whose dice came to nothing as they fell; kept too, with the outcome `void`."
    )


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
        """Roll dice and keep the roll; everyone at the table hears of it, unless it is secret."""
        given = body.given()
        if key is not None:
            given["idempotencyKey"] = key
        roll = await graphs.change(viewer, "dice.createRoll", input=given)
        return made(roll, location=f"/v1/rolls/{roll['id']}")

    @router.post(
        "/batch",
        operation_id="createRolls",
        summary="Roll dice several times",
        status_code=201,
        responses=changing(Rolls, 404, 409, description="The dice are cast, all of them."),
    )
    async def create_many(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewRolls, key: IdempotencyKey = None
    ) -> Response:
        """Roll up to 100 times in one go; nothing is rolled unless every roll may be."""
        given: dict[str, Any] = {"rolls": [roll.given() for roll in body.rolls]}
        if key is not None:
            given["idempotencyKey"] = key
        return made(await graphs.change(viewer, "dice.createRolls", input=given))

    @router.get(
        "",
        operation_id="listRolls",
        summary="List rolls",
        responses=reading(Listed[Roll], 404, 422, description="A page, newest first."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        campaign: Annotated[str | None, Query(max_length=40, description="Only at this table.")] = None,
        character: Annotated[str | None, Query(max_length=40, description="Only for this one.")] = None,
        account: Annotated[str | None, Query(max_length=40, description="Only by this player.")] = None,
        scene: Annotated[str | None, Query(max_length=40, description="Only in this scene.")] = None,
        since: Annotated[Moment | None, Query(description="Rolled then or later.")] = None,
        until: Annotated[Moment | None, Query(description="Rolled before then.")] = None,
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
            accountId=account,
            sceneId=scene,
            since=None if since is None else since.isoformat(),
            until=None if until is None else until.isoformat(),
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
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))], roll: RollId
    ) -> Response:
        """A roll that you may see."""
        return shown(request, await graphs.read(viewer, "dice.roll", "roll", id=roll))

    @router.post(
        "/{roll}/reveal",
        operation_id="revealRoll",
        summary="Reveal a secret roll",
        responses=changing(Roll, 404, description="Everyone at the table may see it now."),
    )
    async def reveal(viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], roll: RollId) -> Response:
        """Show a secret roll to the whole table; again is the same as once."""
        return made(await graphs.change(viewer, "dice.revealRoll", input={"id": roll}), status=200)

    return router
