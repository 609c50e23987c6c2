"""How the dice fell: ``/v1/campaigns/{campaign}/dice-statistics``, ``/v1/rolls/statistics``."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import REVALIDATE, shown, tagged
from services.gateway.rest.contract import Shown, id_path, reading
from services.gateway.rest.problems import not_found
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DRAWN, LIST, Doorkeeper
from services.shared.auth import Viewer

# A picture runs nothing and loads nothing, also where a browser opens it by itself.
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
SVG: dict[str, Any] = {"type": "string"}

Verdict = Literal["TOO_FEW", "ORDINARY", "UNUSUAL"]
CampaignId = Annotated[str, id_path("cmp", "Id of the campaign.")]
Player = Annotated[
    str | None, Query(alias="account", max_length=40, description="Only the rolls of this player.")
]
WhichDie = Annotated[
    str | None,
    Query(
        max_length=80, description="Which kind, `d6`; without it, the luck of all totals.", examples=["d6"]
    ),
]

Width = Annotated[int, Query(ge=240, le=1600, description="In pixels.")]


class FaceCount(Shown):
    """How often one face came."""

    face: int = Field(description="Counted from 1.")
    label: str = Field(description="What is on it.")
    count: int


class Fairness(Shown):
    """How counted faces compare with an honest die's (Pearson's chi-square test)."""

    dice: int = Field(description="How many dice were counted.")
    expected: float = Field(description="How many of each face an honest die shows, on average.")
    statistic: float
    degrees_of_freedom: int
    p_value: float | None = Field(
        description="Chance that honest dice are at least as uneven; null while there are too few."
    )
    verdict: Verdict = Field(description="UNUSUAL: fewer than one in 1,000 honest dice do so.")
    words: str = Field(description="The verdict in a sentence.")


class DieStatistics(Shown):
    """How the dice of one kind fell."""

    die: str
    former: bool = Field(description="Whether the table has changed or forgotten this die since.")
    faces: list[FaceCount]
    fairness: Fairness


class DiceStatistics(Shown):
    """How the dice fell, kind by kind."""

    kinds: list[DieStatistics] = Field(description="At most 50, those rolled most first.")
    other_dice: int = Field(description="How many dice of further kinds were rolled.")
    caution: str = Field(description="What to keep in mind when several kinds are tested.")


class Luck(Shown):
    """How high the totals were, compared with the exact odds; high counts as lucky."""

    rolls: int = Field(description="How many rolls were reckoned.")
    not_reckoned: int = Field(description="How many were not.")
    voids: int = Field(description="How many further rolls came to nothing as they fell.")
    mean_percentile: float | None = Field(description="From 0 to 1; honest dice come to 0.5.")
    percentiles: list[float] = Field(description="How many rolls stood in each tenth, lowest first.")
    z_score: float | None = Field(
        description="All totals together, in standard deviations above what was expected."
    )
    p_value: float | None = Field(
        description="Chance that honest dice are at least as far off; null while there are too few rolls."
    )
    verdict: Verdict
    words: str = Field(description="The verdict in a sentence.")


class Statistics(Shown):
    """How the dice fell in all open rolls; a secret one counts when it is revealed."""

    dice: DiceStatistics
    luck: Luck


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of statistics; they go before those of rolls, of which one takes any id."""
    router = APIRouter()
    _add_campaigns(router, door, graphs)
    _add_own(router, door, graphs)
    return router


def _add_campaigns(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/campaigns/{campaign}/dice-statistics",
        operation_id="getDiceStatistics",
        summary="Read how the dice fell",
        tags=["campaigns"],
        responses=reading(Statistics, 404, 422),
    )
    async def read(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LIST))],
        campaign: CampaignId,
        account: Player = None,
    ) -> Response:
        """How the dice fell at a table of yours, of everyone or of one player."""
        found = await graphs.read(
            viewer, "dice.statistics", "campaign", campaignId=campaign, accountId=account
        )
        return shown(request, found)

    @router.get(
        "/v1/campaigns/{campaign}/dice-statistics.svg",
        operation_id="drawDiceStatistics",
        summary="Draw how the dice fell",
        tags=["campaigns"],
        responses=reading(SVG, 404, 422, description="The picture.", media_type="image/svg+xml"),
    )
    async def draw(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(DRAWN))],
        campaign: CampaignId,
        die: WhichDie = None,
        account: Player = None,
        width: Width = 720,
    ) -> Response:
        """How the dice of one kind fell at a table of yours, or how high the totals were, as a picture."""
        svg = await _picture(graphs, viewer, die, width, campaignId=campaign, accountId=account)
        return _drawn(request, svg)


def _add_own(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/rolls/statistics",
        operation_id="getOwnStatistics",
        summary="Read how your dice fell",
        tags=["rolls"],
        responses=reading(Statistics),
    )
    async def read(request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LIST))]) -> Response:
        """How your own dice fell, outside of any campaign."""
        return shown(request, await graphs.read(viewer, "dice.statistics", "roll"))

    @router.get(
        "/v1/rolls/statistics.svg",
        operation_id="drawOwnStatistics",
        summary="Draw how your dice fell",
        tags=["rolls"],
        responses=reading(SVG, 404, 422, description="The picture.", media_type="image/svg+xml"),
    )
    async def draw(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(DRAWN))],
        die: WhichDie = None,
        width: Width = 720,
    ) -> Response:
        """How your own dice of one kind fell, or how high your totals were, as a picture."""
        return _drawn(request, await _picture(graphs, viewer, die, width))


async def _picture(
    graphs: Subgraphs, viewer: Viewer, die: str | None, width: int, **scope: str | None
) -> str:
    """Have the dice of one kind drawn, those with the present faces first, or the luck of all totals."""
    if die is None:
        found = await graphs.read(viewer, "dice.statisticsOfLuck", "campaign", width=width, **scope)
        return str(found["luck"]["svg"])
    found = await graphs.read(viewer, "dice.statisticsOfDie", "campaign", die=die, width=width, **scope)
    kinds = sorted(found["dice"]["kinds"], key=lambda kind: bool(kind["former"]))
    if not kinds:
        raise not_found("die")
    return str(kinds[0]["svg"])


def _drawn(request: Request, svg: str) -> Response:
    policy = {"content-security-policy": SVG_POLICY}
    return tagged(request, svg.encode(), "image/svg+xml", cache=REVALIDATE, headers=policy)
