"""Pictures that the services draw: of odds, of how dice fell, of scenes, of simulations."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from starlette.responses import Response

from services.gateway.rest import forms
from services.gateway.rest.answers import REVALIDATE, tagged
from services.gateway.rest.endpoint import Call, Endpoint, Handle, Parameter
from services.gateway.rest.files import (
    PICTURE_SVG_POLICY,
    SVG,
    SVG_POLICY,
    TEXT,
    file_answer,
    given_out,
    path_id,
    query,
    text,
    whole,
)
from services.gateway.rest.operation import argument_of, items_of
from services.gateway.rest.problems import Refusal, not_found
from services.gateway.rest.shapes import enum_of
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DRAWN, PICTURE

PAIRS: Mapping[str, Any] = {"form": "PAIRS"}
WIDTH = query("width", whole(240, 1_600, default=720), "In pixels.")
DIE = query("die", text(80), "Which kind, `d6`; without it, the luck of all totals.", "d6")
PLAYER = query("account", text(40), "Only the rolls of this player.")


def endpoints(graphs: Subgraphs) -> list[Endpoint]:
    """Makes the endpoints of drawings."""
    return [
        _drawing(
            "drawOdds",
            "/v1/odds.svg",
            ("odds", "Draw odds", "The odds of an expression as a picture, or of several below one another."),
            _odds_parameters(),
            partial(_odds, graphs),
        ),
        _drawing(
            "drawDiceStatistics",
            "/v1/campaigns/{campaign}/dice-statistics.svg",
            (
                "campaigns",
                "Draw how the dice fell",
                "How the dice of one kind fell at a table of yours, or how high the totals were, as a "
                "picture.",
            ),
            (path_id("campaign", "Id of the campaign."), DIE, PLAYER, WIDTH),
            partial(_statistics, graphs),
        ),
        _drawing(
            "drawOwnStatistics",
            "/v1/rolls/statistics.svg",
            (
                "rolls",
                "Draw how your dice fell",
                "How your own dice of one kind fell, or how high your totals were, as a picture.",
            ),
            (DIE, WIDTH),
            partial(_statistics, graphs),
        ),
        _drawing(
            "drawSimulation",
            "/v1/simulations/{simulation}/report.svg",
            (
                "simulations",
                "Draw a simulation",
                "The answer of a simulation as a picture, as far as it is known, with 95 % intervals. "
                "Without `plot` the one that suits the question: its sweep, its variants, its worth, else "
                "shares.",
            ),
            (path_id("simulation", "Id of the simulation."), *_plot_parameters(), WIDTH),
            partial(_simulation, graphs),
        ),
        _drawing(
            "getSceneBoard",
            "/v1/scenes/{scene}/board.svg",
            (
                "scenes",
                "Read a scene's picture",
                "The scene drawn as you may know it now.",
            ),
            (path_id("scene", "Id of the scene."),),
            partial(_board, graphs),
            price=PICTURE,
            checked=True,
        ),
    ]


def _drawing(
    name: str,
    path: str,
    about: tuple[str, str, str],
    parameters: tuple[Parameter, ...],
    handle: Handle,
    *,
    price: int = DRAWN,
    checked: bool = False,
) -> Endpoint:
    tag, summary, description = about
    return Endpoint(
        id=name,
        method="GET",
        path=path,
        tag=tag,
        summary=summary,
        description=description,
        price=price,
        answer=file_answer(SVG, TEXT, "The picture."),
        handle=handle,
        problems=frozenset((404, 422)),
        checked=checked,
        parameters=parameters,
    )


def _odds_parameters() -> tuple[Parameter, ...]:
    texts = {"type": "array", "items": TEXT}
    values = {**texts, "maxItems": items_of(argument_of("dice", "odds", "variables"))["items"]}
    sampled = "Estimate from so many rolls of a seeded generator, where exact odds are too much work."
    return (
        Parameter(
            "expression",
            "query",
            {**texts, "minItems": 1, "maxItems": 8},
            "Dice notation; given up to 8 times, the odds of all are compared.",
            required=True,
            examples=(["4d6kh3"],),
        ),
        query("variable", values, "A variable's value, `muscle:4`; once for each."),
        query("campaign", text(40), "Whose own dice and dialect are meant; else yours."),
        query("dialect", enum_of("dice", "DiceDialect"), "Whose notation it is; the table's own without it."),
        query("sample", whole(1, 1_000_000), sampled),
        query(
            "seed", whole(0, 2**31 - 1, default=0), "Names the generator: the same gives the same estimate."
        ),
        WIDTH,
    )


def _plot_parameters() -> tuple[Parameter, ...]:
    return (
        query("plot", enum_of("campaign", "SimulationPlot"), "What it shows."),
        query(
            "figure",
            text(200, minLength=1),
            "Name of the figure, or its key for that of every side.",
            "won@side:heroes",
        ),
        query("case", text(1_000, minLength=1), "Name of the case; the question itself without it."),
    )


async def _simulation(graphs: Subgraphs, call: Call) -> Response:
    given = {"id" if name == "simulation" else name: value for name, value in call.given.items()}
    found = await graphs.run(call.viewer, "campaign.simulationPlot", **given)
    return _drawn(call, found["svg"])


async def _odds(graphs: Subgraphs, call: Call) -> Response:
    given = call.given
    expressions = given["expression"]
    wanted = {"expression": expressions[0]} if len(expressions) == 1 else {"expressions": expressions}
    found = await graphs.run(
        call.viewer,
        "dice.oddsPicture" if len(expressions) == 1 else "dice.oddsComparison",
        variables=forms.read(given.get("variable", []), PAIRS, ["variable"]),
        campaignId=given.get("campaign"),
        **{name: given.get(name) for name in ("dialect", "sample", "seed", "width")},
        **wanted,
    )
    if found["svg"] is None:
        raise Refusal(
            "ODDS_TOO_LARGE", "The odds of none of these are known; ask for an estimate with `sample`."
        )
    return _drawn(call, found["svg"])


async def _statistics(graphs: Subgraphs, call: Call) -> Response:
    """Have the dice of one kind drawn, those with the present faces first, or the luck of all totals."""
    given = call.given
    scope = {"campaignId": given.get("campaign"), "accountId": given.get("account"), "width": given["width"]}
    if "die" not in given:
        found = await graphs.run(call.viewer, "dice.statisticsOfLuck", **scope)
        return _drawn(call, found["luck"]["svg"])
    found = await graphs.run(call.viewer, "dice.statisticsOfDie", die=given["die"], **scope)
    kinds = sorted(found["dice"]["kinds"], key=lambda kind: bool(kind["former"]))
    if not kinds:
        raise not_found("die")
    return _drawn(call, kinds[0]["svg"])


async def _board(graphs: Subgraphs, call: Call) -> Response:
    place = ("scenes", call.given["scene"], "board.svg")
    return await given_out(
        call,
        graphs,
        *place,
        service="campaign",
        kind="picture",
        media_type=SVG,
        policy=PICTURE_SVG_POLICY,
    )


def _drawn(call: Call, svg: str) -> Response:
    policy = {"content-security-policy": SVG_POLICY}
    return tagged(call.request, svg.encode(), SVG, cache=REVALIDATE, headers=policy)
