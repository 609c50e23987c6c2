"""How likely rolls are: ``/v1/odds``, ``/v1/odds.svg``; the games' own rolls: ``/v1/mechanics``."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import Field, FiniteFloat
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import REVALIDATE, shown, tagged
from services.gateway.rest.contract import Shown, reading
from services.gateway.rest.problems import Refusal
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DRAWN, FILE, LIST, Doorkeeper
from services.shared.auth import Viewer

# A picture runs nothing and loads nothing, also where a browser opens it by itself.
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
SVG: dict[str, Any] = {"type": "string"}
NARROWEST, WIDEST = 240, 1_600
MOST_COMPARED = 8

_VARIABLE = re.compile(r"(?P<name>[^:]+):(?P<value>[+-]?\d{1,9})")

Dialect = Literal["HEARTHFORGE", "D20", "FOUNDRY", "ROLL20"]
Expression = Annotated[
    str, Query(description="Dice notation: `4d6kh3`, `6d10 vs 3d10`, `@muscle d6`.", examples=["4d6kh3"])
]
Expressions = Annotated[
    list[str],
    Query(
        alias="expression",
        min_length=1,
        max_length=MOST_COMPARED,
        description="Dice notation; given up to 8 times, the odds of all are compared.",
        examples=[["4d6kh3"]],
    ),
]
Variables = Annotated[
    list[str] | None,
    Query(alias="variable", description="A variable's value, `muscle:4`; once for each.", examples=[None]),
]
Campaign = Annotated[
    str | None, Query(max_length=40, description="Whose own dice and dialect are meant; else yours.")
]
Written = Annotated[Dialect | None, Query(description="Whose notation it is; the table's own without it.")]
Sampled = Annotated[
    int | None,
    Query(
        alias="sample",
        ge=1,
        le=1_000_000,
        description="Estimate from so many rolls of a seeded generator, where exact odds are too much work.",
    ),
]
Seed = Annotated[
    int, Query(ge=0, le=2**31 - 1, description="Names the generator: the same gives the same estimate.")
]
Quantiles = Annotated[
    list[FiniteFloat] | None,
    Query(
        alias="quantile",
        max_length=20,
        description="Where quantiles are wanted, 0 to 1; once for each.",
        examples=[None],
    ),
]


class Chance(Shown):
    """A probability."""

    value: float = Field(description="From 0 to 1.")
    exact: str | None = Field(
        description='The same as a fraction, "7/432"; null where it is not known exactly, or has more than '
        "300 digits."
    )
    standard_error: float | None = Field(description="Of a chance that was counted in samples.")


class OutcomeOdds(Shown):
    """One value that dice can come to."""

    value: float
    text: str = Field(description="The value without any rounding: `7`, `7/2`.")
    probability: Chance
    at_least: Chance
    at_most: Chance


class WordOdds(Shown):
    """One word in which a game's own roll can end."""

    word: str
    probability: Chance


class Quantile(Shown):
    """The smallest value that is not exceeded with a certain chance."""

    p: float
    value: float


class Odds(Shown):
    """How likely the totals of an expression are."""

    expression: str = Field(description="In canonical notation, its variables replaced by their values.")
    kind: Literal["EXACT", "TRUNCATED", "SAMPLED"] = Field(
        description="TRUNCATED left out what is too unlikely to be followed, within `error`; SAMPLED was "
        "counted in rolls of a seeded generator."
    )
    error: float = Field(description="How far any chance may be off; 0 for exact ones.")
    samples: int | None = Field(description="How many rolls were sampled.")
    can_fail: bool = Field(description="Whether dice can fall so that the roll comes to nothing.")
    failure: Chance = Field(
        description="The chance that the roll is refused, as for a division by zero. All others are those of "
        "a roll that is not."
    )
    outcomes: list[OutcomeOdds] = Field(
        description="Ascending: all, or the 1,000 in a row that hold most of the probability."
    )
    count: int = Field(description="How many values there are in all.")
    left_out: float = Field(description="The chance of all values that are not listed.")
    words: list[WordOdds] = Field(description="With a game's own roll, the words it ends in, best first.")
    mean: float
    mean_exact: str | None
    mean_error: float | None = Field(description="The standard error of the mean of samples.")
    deviation: float = Field(description="The standard deviation.")
    minimum: float
    maximum: float
    median: float
    quantiles: list[Quantile]


class MechanicParameter(Shown):
    """One argument of a game's own roll."""

    name: str
    meaning: str
    minimum: int
    maximum: int
    default: str | None
    kind: Literal["NUMBER", "DICE"]
    sizes: list[int] = Field(description="The sides that its dice may have; empty = any.")


class Mechanic(Shown):
    """A game's own roll, written by name in dice notation."""

    name: str = Field(examples=["forge_engine:opposed"])
    system: str
    title: str
    meaning: str
    source: str = Field(description="Book section or ruling.")
    parameters: list[MechanicParameter]
    outcomes: list[str] = Field(description="Every word it can end in, best first.")


class Mechanics(Shown):
    """The games' own rolls."""

    items: list[Mechanic]


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of odds."""
    router = APIRouter(tags=["odds"])
    _add_odds(router, door, graphs)
    _add_picture(router, door, graphs)

    @router.get(
        "/v1/mechanics",
        operation_id="listMechanics",
        summary="List the games' own rolls",
        responses=reading(Mechanics),
    )
    async def mechanics(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LIST))],
        system: Annotated[str | None, Query(max_length=40, description="Only of this game.")] = None,
    ) -> Response:
        """The rolls that dice notation knows by name, with their arguments."""
        found = await graphs.read(viewer, "dice.mechanics", "system", system=system)
        return shown(request, {"items": found})

    return router


def _add_odds(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/odds",
        operation_id="getOdds",
        summary="Reckon odds",
        responses=reading(Odds, 404, 422),
    )
    async def odds(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(FILE))],
        expression: Expression,
        variable: Variables = None,
        campaign: Campaign = None,
        dialect: Written = None,
        sample: Sampled = None,
        seed: Seed = 0,
        quantile: Quantiles = None,
    ) -> Response:
        """How likely the totals of an expression are: exactly, or estimated from sampled rolls."""
        found = await graphs.change(
            viewer,
            "dice.odds",
            expression=expression,
            variables=_variables(variable or ()),
            campaignId=campaign,
            dialect=dialect,
            sample=sample,
            seed=seed,
            quantiles=quantile,
        )
        return shown(request, found)


def _add_picture(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/odds.svg",
        operation_id="drawOdds",
        summary="Draw odds",
        responses=reading(SVG, 404, 422, description="The picture.", media_type="image/svg+xml"),
    )
    async def picture(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(DRAWN))],
        expressions: Expressions,
        variable: Variables = None,
        campaign: Campaign = None,
        dialect: Written = None,
        sample: Sampled = None,
        seed: Seed = 0,
        width: Annotated[int, Query(ge=NARROWEST, le=WIDEST, description="In pixels.")] = 720,
    ) -> Response:
        """The odds of an expression as a picture, or of several below one another."""
        several = len(expressions) > 1
        wanted: Mapping[str, Any] = (
            {"expressions": expressions} if several else {"expression": expressions[0]}
        )
        svg = await graphs.change(
            viewer,
            "dice.oddsComparison" if several else "dice.oddsPicture",
            variables=_variables(variable or ()),
            campaignId=campaign,
            dialect=dialect,
            sample=sample,
            seed=seed,
            width=width,
            **wanted,
        )
        if svg is None:
            raise Refusal(
                "ODDS_TOO_LARGE", "The odds of none of these are known; ask for an estimate with `sample`."
            )
        policy = {"content-security-policy": SVG_POLICY}
        return tagged(request, str(svg).encode(), "image/svg+xml", cache=REVALIDATE, headers=policy)


def _variables(given: Sequence[str]) -> list[dict[str, Any]]:
    """Read ``muscle:4``.

    Raises:
        Refusal: something else is given.
    """
    found = []
    for text in given:
        read = _VARIABLE.fullmatch(text.strip())
        if read is None:
            message = f"A variable is written `name:whole number`, not {text[:60]!r}."
            issue = {"code": "BAD_VARIABLE", "message": message, "path": ["variable"], "found": text[:60]}
            raise Refusal("INVALID_INPUT", message, path=["variable"], issues=[issue])
        found.append({"name": read["name"].strip(), "value": int(read["value"])})
    return found
