"""Odds and the games' own rolls over REST, in front of the dice service's graph."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast
from xml.etree import ElementTree

import httpx
import pytest
import strawberry

from services.dice.odds import pricing
from services.dice.odds.engine import Engine
from services.dice.odds.graphql import OddsQuery
from services.dice.odds.service import OddsService
from services.gateway.rest.subgraphs import Subgraphs
from services.rules.dice.notation import Dialect, Lexicon
from services.rules.dice.pool import Face
from services.rules.engine.registry import mechanics
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.graphql.schema import build_schema
from services.shared.ids import new_id
from services.shared.limits.meter import Meter, RateLimited, points_beyond
from services.shared.peers import Peer
from services.shared.policy import Policy
from services.shared.settings import Settings
from tests.gateway.rest_face import Guest, fits, guests
from tests.inside import Campaigns, Graph

pytestmark = pytest.mark.databases("account")

TOO_LARGE = "1000d20kh500!"


@strawberry.type
class Query(OddsQuery):
    """What is asked here."""


@strawberry.type
class Mutation:
    """A schema has one."""

    @strawberry.mutation
    def nothing(self) -> bool:
        """Do nothing."""
        return True


@dataclass(frozen=True)
class UseCases:
    """What the resolvers are handed."""

    odds: OddsService


class Words:
    """What texts mean: tables have a die of their own."""

    async def lexicon(self, place: str, dialect: Dialect | None = None) -> Lexicon:
        own = {"boon": (Face("hit", 2), Face("miss", 0))} if place.startswith("cmp_") else {}
        return Lexicon(dialect or Dialect.HEARTHFORGE, own, mechanics())


class Desk:
    """Somebody with a key, in front of the paths."""

    def __init__(self, guest: Guest, tables: Campaigns, graph: Graph) -> None:
        self.guest, self.tables, self.graph = guest, tables, graph

    async def ask(
        self, path: str, status: int = 200, headers: Mapping[str, str] | None = None, **query: Any
    ) -> httpx.Response:
        return await self.guest.ask("GET", path, status, params=query, headers=dict(headers or {}))

    async def refused(self, path: str, status: int, code: str, **query: Any) -> Any:
        return await self.guest.refused("GET", path, status, code, params=query)


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    tables = Campaigns()
    service = OddsService(Words(), Policy(tables))
    graph = Graph(build_schema(Query, Mutation), UseCases(service))
    async with guests(settings, Subgraphs({"dice": cast(Peer, graph)}), "Mara") as (mara,):
        yield Desk(mara, tables, graph)
    await service.close()


async def test_odds_are_read_with_fractions_and_quantiles(desk: Desk) -> None:
    answer = await desk.ask("/v1/odds", expression="2d6", quantile=[0.1, 0.9])
    found = fits(answer)
    assert (found["kind"], found["error"], found["mean"], found["meanExact"]) == ("EXACT", 0, 7, "7/1")
    assert found["quantiles"] == [{"p": 0.1, "value": 4}, {"p": 0.9, "value": 10}]
    five = found["outcomes"][3]
    assert (five["text"], five["probability"]["exact"], five["atLeast"]["exact"]) == ("5", "1/9", "5/6")
    assert sum(Fraction(outcome["probability"]["exact"]) for outcome in found["outcomes"]) == 1
    kept = await desk.ask(
        "/v1/odds", 304, {"if-none-match": answer.headers["etag"]}, expression="2d6", quantile=[0.1, 0.9]
    )
    assert kept.content == b""


async def test_variables_are_given_by_name_and_value(desk: Desk) -> None:
    found = (
        await desk.ask("/v1/odds", expression="@muscle d6 + @bonus", variable=["muscle:4", "bonus:-2"])
    ).json()
    assert found["mean"] == 12
    problem = await desk.refused(
        "/v1/odds", 422, "INVALID_INPUT", expression="@muscle d6 + @luck", variable="muscle:4"
    )
    assert problem["issues"][0]["code"] == "UNKNOWN_VARIABLE"
    for wrong in ("muscle", "muscle:", "muscle:1.5", ":4", "muscle:9999999999"):
        problem = await desk.refused("/v1/odds", 422, "INVALID_INPUT", expression="1d6", variable=wrong)
        assert problem["path"] == ["variable"]


async def test_a_games_own_roll_tells_its_words(desk: Desk) -> None:
    found = fits(await desk.ask("/v1/odds", expression="forge_engine:opposed(1, 1)"))
    assert [(word["word"], word["probability"]["exact"]) for word in found["words"]] == [
        ("success", "11/20"),
        ("failure", "9/25"),
        ("critical_failure", "9/100"),
    ]


async def test_samples_have_a_seed_and_standard_errors(desk: Desk) -> None:
    query = {"expression": "4d6kh3", "sample": 2_000}
    first, again, other = [fits(await desk.ask("/v1/odds", **query, seed=seed)) for seed in (1, 1, 2)]
    assert first == again != other
    assert (first["kind"], first["samples"], first["meanExact"]) == ("SAMPLED", 2_000, None)
    assert first["meanError"] > 0 and first["outcomes"][5]["probability"]["standardError"] > 0


async def test_explosions_say_how_far_they_may_be_off(desk: Desk) -> None:
    found = fits(await desk.ask("/v1/odds", expression="3d6!"))
    assert found["kind"] == "TRUNCATED"
    assert 0 < found["error"] < 1e-12
    assert found["mean"] == pytest.approx(12.6)


async def test_too_much_is_a_problem_of_its_own(desk: Desk) -> None:
    problem = await desk.refused("/v1/odds", 422, "ODDS_TOO_LARGE", expression=TOO_LARGE)
    assert (problem["limit"], problem["allowed"], problem["path"]) == ("STATES", 1_000_000, ["expression"])
    assert problem["cost"] > problem["allowed"]
    await desk.refused("/v1/odds.svg", 422, "ODDS_TOO_LARGE", expression=TOO_LARGE)
    await desk.refused("/v1/odds.svg", 422, "ODDS_TOO_LARGE", expression=[TOO_LARGE, TOO_LARGE])


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"expression": "2d6 ++"},
        {"expression": "1d6", "sample": 0},
        {"expression": "1d6", "sample": 1_000_001},
        {"expression": "1d6", "quantile": 2},
        {"expression": "1d6", "quantile": "nan"},
        {"expression": "1d6", "quantile": [0.5] * 21},
        {"expression": "1d6", "dialect": "LATIN"},
        {"expression": "1d6", "seed": -1},
        {"expression": "1 / (1d6 // 7)"},
    ],
)
async def test_what_breaks_rules_is_refused(desk: Desk, query: dict[str, Any]) -> None:
    problem = await desk.refused("/v1/odds", 422, "INVALID_INPUT", **query)
    assert problem["issues"]


@pytest.mark.parametrize(
    "query",
    [
        {"expression": ["1d6"] * 9},
        {"expression": ["1d6", "x"]},
        {"expression": "1d6", "width": 100},
        {"expression": "1d6", "width": 5_000},
    ],
)
async def test_pictures_that_cannot_be_are_refused(desk: Desk, query: dict[str, Any]) -> None:
    await desk.refused("/v1/odds.svg", 422, "INVALID_INPUT", **query)


async def test_a_picture_runs_and_loads_nothing(desk: Desk) -> None:
    for expressions in ("4d6kh3", ["4d6kh3", "3d6", "1d20"]):
        answer = await desk.ask("/v1/odds.svg", expression=expressions, width=360)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        root = ElementTree.fromstring(answer.content)
        assert root.get("width") == "360"
        assert "4d6kh3" in {element.text for element in root.iter()}


async def test_a_tables_own_dice_are_its_members_alone(desk: Desk) -> None:
    campaign = new_id("cmp")
    await desk.refused("/v1/odds", 404, "NOT_FOUND", expression="3dboon", campaign=campaign)
    await desk.refused("/v1/odds", 422, "INVALID_INPUT", expression="3dboon")
    desk.tables.roles[desk.guest.id] = {campaign: Role.PLAYER}
    assert (await desk.ask("/v1/odds", expression="3dboon", campaign=campaign)).json()["mean"] == 3


async def test_the_games_own_rolls_are_listed(desk: Desk) -> None:
    every = fits(await desk.ask("/v1/mechanics"))["items"]
    forge = fits(await desk.ask("/v1/mechanics", system="forge_engine"))["items"]
    assert len(every) > len(forge) > 0
    opposed = next(item for item in forge if item["name"] == "forge_engine:opposed")
    assert opposed["outcomes"] == ["success", "failure", "critical_failure"]
    assert [parameter["kind"] for parameter in opposed["parameters"]][:2] == ["NUMBER", "NUMBER"]
    conflict = next(item for item in every if item["name"] == "forgeborn:conflict")
    assert "DICE" in {parameter["kind"] for parameter in conflict["parameters"]}
    assert fits(await desk.ask("/v1/mechanics", system="none"))["items"] == []


@pytest.mark.parametrize("path", ["/v1/odds?expression=1d6", "/v1/odds.svg?expression=1d6", "/v1/mechanics"])
async def test_nobody_without_a_key_is_answered(desk: Desk, path: str) -> None:
    assert (await desk.guest.http.get(path)).status_code == 401


@pytest.mark.parametrize(
    "query",
    [
        '{ odds(expression: "1d6") { __typename } }',
        '{ compareOdds(expressions: ["1d6"]) { __typename } }',
        "{ mechanics { name } }",
    ],
)
async def test_the_graph_answers_nobody_without_a_key(desk: Desk, query: str) -> None:
    answer = await desk.graph.graphql(Viewer(), query, {})
    assert answer["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


async def test_the_graph_compares_expressions(desk: Desk) -> None:
    query = """
      query ($texts: [String!]!) {
        compareOdds(expressions: $texts) {
          ... on OddsComparison {
            entries { expression odds { mean outcomes(first: 2) { text } } tooLarge { code cost } }
            higher { value exact }
            equal { exact }
            svg(width: 400)
          }
        }
      }
    """
    viewer = Viewer(desk.guest.id, frozenset({"read"}))
    answer = await desk.graph.graphql(viewer, query, {"texts": ["1d6", "1d8", TOO_LARGE]})
    found = answer["data"]["compareOdds"]
    assert [entry["odds"] and entry["odds"]["mean"] for entry in found["entries"]] == [3.5, 4.5, None]
    assert found["entries"][0]["odds"]["outcomes"] == [{"text": "1"}, {"text": "2"}]
    assert found["entries"][2]["tooLarge"]["code"] == "ODDS_TOO_LARGE"
    assert found["higher"][0][1] == {"value": 0.3125, "exact": "5/16"}
    assert found["higher"][0][2] is None
    assert found["equal"][0][0] == {"exact": "1/6"}
    assert found["svg"].startswith("<svg")


class Noting:
    """A meter that notes what is charged, and has no more than so many points."""

    def __init__(self, points: int) -> None:
        self.points = points
        self.charged: list[int] = []

    async def charge(self, _viewer: Viewer, points: int) -> None:
        self.charged.append(points)
        if points > self.points:
            raise RateLimited(1)


async def test_charts_are_paid_for_by_what_they_show_before_they_are_drawn() -> None:
    meter = Noting(12)
    service = OddsService(Words(), Policy(Campaigns()), Engine(mechanics), cast(Meter, meter))
    graph = Graph(build_schema(Query, Mutation), UseCases(service))
    compared = "query ($of: [String!]!) { compareOdds(expressions: $of) { ... on OddsComparison { svg } } }"

    async def spent(query: str, **variables: Any) -> tuple[int, dict[str, Any]]:
        meter.charged.clear()
        answer = await graph.graphql(Viewer(new_id("acc"), frozenset({"read"})), query, variables)
        return sum(meter.charged), answer

    one = "query ($of: String!) { odds(expression: $of) { ... on Odds { svg } } }"
    for count, outcomes in (("1d100", 100), ("1d1000", 1_000)):
        points, answer = await spent(one, of=count)
        assert points == points_beyond(pricing.drawing(outcomes))
        assert answer["data"]["odds"]["svg"].startswith("<svg")
    points, answer = await spent(compared, of=["1d1000", "1d1000"])
    assert points == points_beyond(pricing.drawing(2_000)) > 12
    assert answer["data"] is None or answer["data"]["compareOdds"]["svg"] is None
    assert answer["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
    await service.close()
