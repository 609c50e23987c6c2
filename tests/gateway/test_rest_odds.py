"""Odds and the games' own rolls over REST, in front of the dice service's graph."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
import strawberry
from pydantic import BaseModel
from starlette.applications import Starlette
from strawberry.federation import Schema

from services.dice.graphql.odds import OddsQuery
from services.dice.odds.service import OddsService
from services.gateway.identity import Identity
from services.gateway.rest import odds as paths
from services.gateway.rest.app import EverythingElse, rest_app
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import Doorkeeper
from services.gateway.service import AccountService, SignedUp
from services.rules.dice.notation import Dialect, Lexicon
from services.rules.dice.pool import Face
from services.rules.engine.registry import mechanics
from services.shared.access import Access, Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.context import Context
from services.shared.database import Database
from services.shared.graphql.schema import build_schema
from services.shared.ids import new_id
from services.shared.limits import Bucket
from services.shared.settings import Settings
from services.shared.valkey import connect

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


class Tables:
    """The campaign service, as far as it is asked."""

    def __init__(self) -> None:
        self.roles: dict[str, dict[str, Role]] = {}

    async def of(
        self, viewer: Viewer, *, campaign: str | None = None, character: str | None = None
    ) -> Access:
        return Access(viewer.account, self.roles.get(viewer.account, {}))


class Graph:
    """The dice service's graph in this process."""

    def __init__(self, schema: Schema, service: OddsService) -> None:
        self.schema = schema
        self._use_cases = UseCases(service)

    async def graphql(self, viewer: Viewer, operation: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        context: Context[UseCases] = Context(viewer, self._use_cases, "request")
        result = await self.schema.execute(operation, dict(variables), context_value=context)
        answer: dict[str, Any] = {"data": result.data}
        if result.errors:
            answer["errors"] = [error.formatted for error in result.errors]
        return answer


class Desk:
    """Somebody with a key, in front of the paths."""

    def __init__(self, http: httpx.AsyncClient, tables: Tables, graph: Graph, signed_up: SignedUp) -> None:
        self.http, self.tables, self.graph = http, tables, graph
        self.account = signed_up.account.id
        self._headers = {"authorization": f"Bearer {signed_up.key.credential.text}"}

    async def ask(
        self, path: str, status: int = 200, headers: Mapping[str, str] | None = None, **query: Any
    ) -> Any:
        answer = await self.http.get(path, params=query, headers={**self._headers, **(headers or {})})
        assert answer.status_code == status, answer.text
        return answer

    async def refused(self, path: str, status: int, code: str, **query: Any) -> Any:
        answer = await self.ask(path, status, **query)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["code"] == code
        return answer.json()


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    accounts, redis, tables = (
        Database(settings.database_url("account")),
        connect(settings.redis_url),
        Tables(),
    )
    service = OddsService(Words(), tables)
    graph = Graph(build_schema(Query, Mutation), service)
    people = AccountService(accounts, system_clock, "pepper")
    door = Doorkeeper(Identity(accounts, system_clock, "pepper"), Bucket(redis))
    graphs = Subgraphs({"dice": graph})  # type: ignore[dict-item]
    app = Starlette(routes=[EverythingElse(rest_app(door, people, graphs, [paths]))])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://front") as http:
        signed_up = await people.sign_up("Mara")
        assert isinstance(signed_up, SignedUp)
        yield Desk(http, tables, graph, signed_up)
    await service.close()
    await redis.aclose()
    await accounts.close()


def fits(model: type[BaseModel], answer: httpx.Response) -> Any:
    """Check that an answer is as its description says, and give it."""
    model.model_validate_json(answer.content)
    return answer.json()


async def test_odds_are_read_with_fractions_and_quantiles(desk: Desk) -> None:
    answer = await desk.ask("/v1/odds", expression="2d6", quantile=[0.1, 0.9])
    found = fits(paths.Odds, answer)
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
    found = fits(paths.Odds, await desk.ask("/v1/odds", expression="forge_engine:opposed(1, 1)"))
    assert [(word["word"], word["probability"]["exact"]) for word in found["words"]] == [
        ("success", "11/20"),
        ("failure", "9/25"),
        ("critical_failure", "9/100"),
    ]


async def test_samples_have_a_seed_and_standard_errors(desk: Desk) -> None:
    query = {"expression": "4d6kh3", "sample": 2_000}
    first, again, other = [
        fits(paths.Odds, await desk.ask("/v1/odds", **query, seed=seed)) for seed in (1, 1, 2)
    ]
    assert first == again != other
    assert (first["kind"], first["samples"], first["meanExact"]) == ("SAMPLED", 2_000, None)
    assert first["meanError"] > 0 and first["outcomes"][5]["probability"]["standardError"] > 0


async def test_explosions_say_how_far_they_may_be_off(desk: Desk) -> None:
    found = fits(paths.Odds, await desk.ask("/v1/odds", expression="3d6!"))
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
    desk.tables.roles[desk.account] = {campaign: Role.PLAYER}
    assert (await desk.ask("/v1/odds", expression="3dboon", campaign=campaign)).json()["mean"] == 3


async def test_the_games_own_rolls_are_listed(desk: Desk) -> None:
    every = fits(paths.Mechanics, await desk.ask("/v1/mechanics"))["items"]
    forge = fits(paths.Mechanics, await desk.ask("/v1/mechanics", system="forge_engine"))["items"]
    assert len(every) > len(forge) > 0
    opposed = next(item for item in forge if item["name"] == "forge_engine:opposed")
    assert opposed["outcomes"] == ["success", "failure", "critical_failure"]
    assert [parameter["kind"] for parameter in opposed["parameters"]][:2] == ["NUMBER", "NUMBER"]
    conflict = next(item for item in every if item["name"] == "forgeborn:conflict")
    assert "DICE" in {parameter["kind"] for parameter in conflict["parameters"]}
    assert fits(paths.Mechanics, await desk.ask("/v1/mechanics", system="none"))["items"] == []


@pytest.mark.parametrize("path", ["/v1/odds?expression=1d6", "/v1/odds.svg?expression=1d6", "/v1/mechanics"])
async def test_nobody_without_a_key_is_answered(desk: Desk, path: str) -> None:
    assert (await desk.http.get(path)).status_code == 401


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
    viewer = Viewer(desk.account, frozenset({"read"}))
    answer = await desk.graph.graphql(viewer, query, {"texts": ["1d6", "1d8", TOO_LARGE]})
    found = answer["data"]["compareOdds"]
    assert [entry["odds"] and entry["odds"]["mean"] for entry in found["entries"]] == [3.5, 4.5, None]
    assert found["entries"][0]["odds"]["outcomes"] == [{"text": "1"}, {"text": "2"}]
    assert found["entries"][2]["tooLarge"]["code"] == "ODDS_TOO_LARGE"
    assert found["higher"][0][1] == {"value": 0.3125, "exact": "5/16"}
    assert found["higher"][0][2] is None
    assert found["equal"][0][0] == {"exact": "1/6"}
    assert found["svg"].startswith("<svg")
