"""Campaigns, who plays in them, and what has happened: ``/v1/campaigns``."""

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
    Listed,
    Ref,
    Shown,
    Whole,
    changing,
    id_path,
    reading,
    said,
)
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LOOK, WRITE, Doorkeeper, paged
from services.shared.auth import Viewer
from services.shared.pagination import cursor_of_number

Role = Literal["GM", "PLAYER", "SPECTATOR"]
CampaignId = Annotated[str, id_path("cmp", "Id of the campaign.")]


class NewCampaign(Asked):
    """A campaign to be founded."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "The Ember Road"}]})

    name: str = said("What it is called.", minLength=1, maxLength=120, pattern=r"\S")
    description: str = Field("", description="What it is about.", json_schema_extra={"maxLength": 2000})


class NewInvitation(Asked):
    """An invitation to be written."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"role": "PLAYER", "uses": 4}]})

    role: Role = Field("PLAYER", description="What those who come will be.")
    uses: Whole = Field(1, ge=1, le=50, description="How many may come, 1 to 50.")
    days: Whole = Field(7, ge=1, le=90, description="How long it holds, 1 to 90.")


class Joining(Asked):
    """The code of an invitation."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"code": "7KQ2M9XWPA"}]})

    code: str = Field(description="As it was handed to you; capitals, spaces and hyphens do not matter.")


class Seating(Asked):
    """A character of yours that is to play."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"characterId": "chr_01jd8x6m3v5q7r9t0w2y4z6a8c"}]}
    )

    character_id: str


class NewNote(Asked):
    """A note for the log."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "We crossed the river at dusk."}]})

    text: str = said("What is to be remembered.", minLength=1, maxLength=4000, pattern=r"\S")


class CampaignLine(Shown):
    """A campaign in a list."""

    id: str
    name: str
    description: str
    created_at: datetime
    version: int = Field(description="Grows with each edit.")
    my_role: Role | None = Field(description="What you are at this table.")


class Member(Shown):
    """One account's place in a campaign."""

    role: Role
    joined_at: datetime
    account: Ref | None
    characters: list[Ref]


class Campaign(CampaignLine):
    """A group of people who play together; seen by its members only."""

    members: list[Member]


class Invitation(Shown):
    """Hand out the code; whoever sends it becomes a member."""

    id: str
    code: str
    role: Role
    uses_left: int
    created_at: datetime
    expires_at: datetime


class LogEntry(Shown):
    """Something that happened; written once, never changed."""

    seq: int = Field(description="Counts 1, 2, 3, ... without gaps.")
    kind: str = Field(description="Dotted, for programs: `note`, `roll.recorded`, `member.joined`, ...")
    text: str = Field(description="For people.")
    subject: str | None = Field(description="Id of what it is about, if anything.")
    account: Ref | None = Field(description="Who did it, if anybody.")
    created_at: datetime


class Log(Shown):
    """One page of a log, oldest first."""

    items: list[LogEntry]
    next: int | None = Field(description="Ask for the next page with `after` set to this; null at the end.")


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of campaigns."""
    router = APIRouter(prefix="/v1/campaigns", tags=["campaigns"])
    _add_founding(router, door, graphs)
    _add_table(router, door, graphs)
    _add_log(router, door, graphs)
    return router


def _add_founding(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "",
        operation_id="createCampaign",
        summary="Found a campaign",
        status_code=201,
        responses=changing(Campaign, 409, description="You are its first GM.", located=True),
    )
    async def create(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewCampaign, key: IdempotencyKey = None
    ) -> Response:
        """Found a campaign; you are its first GM."""
        given: dict[str, Any] = body.model_dump(by_alias=True)
        if key is not None:
            given["idempotencyKey"] = key
        campaign = await graphs.change(viewer, "campaign.createCampaign", input=given)
        return made(campaign, location=f"/v1/campaigns/{campaign['id']}")

    @router.get(
        "",
        operation_id="listCampaigns",
        summary="List your campaigns",
        responses=reading(Listed[CampaignLine], 422, description="A page, newest first."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        first: First = 20,
        after: After = None,
    ) -> Response:
        """The campaigns that you are a member of."""
        found = await graphs.read(viewer, "campaign.campaigns", "list", first=first, after=after)
        return shown(request, page(found))

    @router.get(
        "/{campaign}",
        operation_id="getCampaign",
        summary="Read a campaign",
        responses=reading(Campaign, 404),
    )
    async def one(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))], campaign: CampaignId
    ) -> Response:
        """A campaign that you are a member of, with everyone at its table."""
        return shown(request, await graphs.read(viewer, "campaign.campaign", "campaign", id=campaign))


def _add_table(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "/join",
        operation_id="joinCampaign",
        summary="Join by an invitation",
        responses=changing(Campaign, 404, status=200, description="You are a member."),
    )
    async def join(viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: Joining) -> Response:
        """Become a member by the code of an invitation; who is one already stays as they are.

        `QUOTA_EXCEEDED` among the issues tells that the campaign has as many members as it may have.
        """
        return made(await graphs.change(viewer, "campaign.joinCampaign", code=body.code), status=200)

    @router.post(
        "/{campaign}/invitations",
        operation_id="createInvitation",
        summary="Invite",
        status_code=201,
        responses=changing(Invitation, 404, description="Hand out the code."),
    )
    async def invite(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], campaign: CampaignId, body: NewInvitation
    ) -> Response:
        """Write an invitation (GM).

        `QUOTA_EXCEEDED` among the issues tells that as many are open as may be.
        """
        given = {"campaignId": campaign, **body.model_dump(by_alias=True)}
        return made(await graphs.change(viewer, "campaign.createInvitation", input=given))

    @router.post(
        "/{campaign}/characters",
        operation_id="seatCharacter",
        summary="Bring a character",
        responses=changing(Campaign, 404, status=200, description="The character plays here."),
    )
    async def seat(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], campaign: CampaignId, body: Seating
    ) -> Response:
        """Bring a character of yours to the table; it can sit at one table at a time."""
        found = await graphs.change(
            viewer, "campaign.seatCharacter", campaignId=campaign, characterId=body.character_id
        )
        return made(found, status=200)


def _add_log(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/{campaign}/log",
        operation_id="readLog",
        summary="Read the log",
        responses=reading(Log, 404, 422, description="A page, oldest first."),
    )
    async def log(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        campaign: CampaignId,
        first: First = 20,
        after: Annotated[
            int, Query(ge=0, le=2**31 - 1, description="Number of the last entry that you have.")
        ] = 0,
    ) -> Response:
        """What has happened, behind the entry that you name; ask again later to hear what is new."""
        found = await graphs.read(
            viewer, "campaign.log", "campaign", id=campaign, first=first, after=cursor_of_number(after)
        )
        log = found["log"]
        following = log["nodes"][-1]["seq"] if log["pageInfo"]["hasNextPage"] else None
        return shown(request, {"items": log["nodes"], "next": following})

    @router.post(
        "/{campaign}/notes",
        operation_id="writeNote",
        summary="Write a note",
        status_code=201,
        responses=changing(LogEntry, 404, 409, description="The note is in the log."),
    )
    async def note(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        campaign: CampaignId,
        body: NewNote,
        key: IdempotencyKey = None,
    ) -> Response:
        """Write a note into the log (GMs and players)."""
        return made(
            await graphs.change(
                viewer, "campaign.writeNote", campaignId=campaign, text=body.text, idempotencyKey=key
            )
        )
