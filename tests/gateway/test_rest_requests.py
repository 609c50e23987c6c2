"""How requests are read: what is refused at the door, and what operations are asked with."""

from collections.abc import AsyncIterator
from typing import Any, cast

import httpx
import jsonschema_rs
import orjson
import pytest
from starlette.requests import Request

from services.character.building.sheets import published_sheet
from services.character.packs.library import form
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.rest.app import contract, rest_app
from services.gateway.rest.endpoint import JSON, Call
from services.gateway.rest.graph_endpoints import GraphEndpoint
from services.gateway.rest.operation import SCHEMA
from services.gateway.rest.problems import Refusal
from services.gateway.rest.requests import Reader
from services.gateway.rest.subgraphs import Subgraphs
from services.rules.engine.registry import systems
from services.shared.auth import Viewer
from services.shared.wording import camel
from tests.character.desk import somebody
from tests.gateway.rest_face import Keys, fits_problem


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    """Give the REST face, with no service behind it."""
    door = Keys({"mara": somebody()}).doorkeeper()
    app = rest_app(door, cast(SignUpDesk, None), Subgraphs({}))
    own = {"authorization": "Bearer mara"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://front", headers=own
    ) as client:
        yield client


async def issues(http: httpx.AsyncClient, method: str, path: str, **options: Any) -> list[dict[str, Any]]:
    """Send a request that is wrong, and give what is wrong."""
    answer = await http.request(method, path, **options)
    assert answer.status_code == 422, answer.text
    found: list[dict[str, Any]] = fits_problem(answer)["issues"]
    return found


async def test_a_mistyped_key_is_answered_with_the_nearest_right_one(http: httpx.AsyncClient) -> None:
    (issue,) = await issues(http, "POST", "/v1/rolls", json={"expresion": "d6"})
    assert issue == {
        "code": "UNKNOWN_MEMBER",
        "message": "There is no such member here; is `expression` meant?",
        "path": ["expresion"],
        "found": "expresion",
        "allowed": "expression",
    }
    build = {"dungeonteller": {"name": "Asha", "rle": "dungeonteller:role/warrior"}}
    found = await issues(http, "POST", "/v1/characters", json={"build": build})
    told = {".".join(issue["path"]): (issue["code"], issue.get("allowed")) for issue in found}
    assert told == {
        "build.dungeonteller.rle": ("UNKNOWN_MEMBER", "role"),
        "build.dungeonteller.role": ("REQUIRED", None),
    }


async def test_a_key_that_is_like_no_other_is_answered_with_all_there_are(http: httpx.AsyncClient) -> None:
    (issue,) = await issues(http, "POST", "/v1/campaigns/join", json={"code": "A", "hat": 1})
    assert (issue["found"], issue["allowed"]) == ("hat", "code")
    assert "meant" not in issue["message"]


async def test_an_unknown_parameter_is_refused_and_the_nearest_told(http: httpx.AsyncClient) -> None:
    (issue,) = await issues(http, "GET", "/v1/rolls?campain=cmp_1")
    assert (issue["code"], issue["path"], issue["allowed"]) == (
        "UNKNOWN_PARAMETER",
        ["campain"],
        "campaign",
    )
    (issue,) = await issues(http, "GET", "/v1/campaigns/cmp_1?verbose=1")
    assert (issue["code"], issue["found"]) == ("UNKNOWN_PARAMETER", "verbose")
    (issue,) = await issues(http, "POST", "/v1/campaigns/join?dry=1", json={"code": "A"})
    assert issue["path"] == ["dry"]


async def test_everything_wrong_is_told_at_once_each_in_its_place(http: httpx.AsyncClient) -> None:
    sent = {"name": 7, "faces": [{"label": "a"}, {"label": "b", "value": 1.5}, 3], "campaignId": ["x"]}
    found = await issues(http, "POST", "/v1/dice", json=sent)
    told = {".".join(issue["path"]): (issue["code"], issue["message"]) for issue in found}
    assert told == {
        "name": ("WRONG_TYPE", "This must be a text."),
        "faces.0.value": ("REQUIRED", "This is required."),
        "faces.1.value": ("WRONG_TYPE", "This must be a whole number."),
        "faces.2": ("WRONG_TYPE", "This must be an object."),
        "campaignId": ("WRONG_TYPE", "This must be a text or null."),
    }
    (issue,) = await issues(http, "POST", "/v1/rolls", json={"expression": "d6", "dialect": "FOUNDRI"})
    assert (issue["code"], issue["allowed"]) == ("UNKNOWN_VALUE", "HEARTHFORGE, D20, FOUNDRY, ROLL20")
    assert "`FOUNDRY`" in issue["message"]
    (issue,) = await issues(http, "POST", "/v1/campaigns/cmp_1/invitations", json={"uses": 51})
    assert (issue["code"], issue["allowed"]) == ("OUT_OF_RANGE", "50")


def endpoint(name: str) -> GraphEndpoint:
    """Give an operation's endpoint."""
    return next(one for one in contract()[1] if one.operation.name == name)


def asked(name: str, body: Any = None, **given: Any) -> dict[str, Any]:
    """Give the variables of an operation."""
    call = Call(Request({"type": "http", "headers": []}), Viewer(), given, body)
    return endpoint(name).asked.variables(call)


def test_what_stands_in_the_path_the_body_and_the_header_comes_to_one_input() -> None:
    found = asked(
        "campaign.createInvitation",
        {"role": "GM", "uses": None},
        campaign="cmp_1",
        **{"Idempotency-Key": "x"},
    )
    assert found == {"input": {"campaignId": "cmp_1", "role": "GM", "idempotencyKey": "x"}}
    written = asked("campaign.writeNote", {"text": "Dusk."}, campaign="cmp_1", **{"Idempotency-Key": "x"})
    assert written == {"input": {"campaignId": "cmp_1", "text": "Dusk.", "idempotencyKey": "x"}}


def test_forms_of_json_are_read_into_the_graphs() -> None:
    pairs = [{"name": "bonus", "value": 3}]
    assert asked("dice.createRoll", {"variables": {"bonus": 3}}) == {"input": {"variables": pairs}}
    several = asked("dice.createRolls", {"rolls": [{"variables": {"bonus": 3}}, {"label": "x"}]})
    assert several == {"input": {"rolls": [{"variables": pairs}, {"label": "x"}]}}
    assert asked("dice.odds", variable=["bonus:3"], seed=0)["variables"] == pairs
    for setup in ("bonfire", {"title": "Ford"}):
        form = "setupName" if isinstance(setup, str) else "setup"
        assert asked("campaign.startScene", {"setup": setup}, campaign="c")["input"][form] == setup
    entry = asked("character.contentEntry", system="duel", kind="oath", slug="honour")
    assert entry == {"id": "duel:oath/honour"}
    where = asked("character.content", where=["gold:atMost:5", "use:one_of:A,B"], first=20)["where"]
    assert where == [{"field": "gold", "atMost": 5.0}, {"field": "use", "oneOf": ["A", "B"]}]


def test_a_kind_of_map_is_named_as_it_is_listed_or_by_its_own_member() -> None:
    size = {"width": 120}
    for body in (
        {"kind": "forgeborn_realm", "parameters": size},
        {"forgebornRealm": size},
        {"forgebornRealm": size, "kind": None},
    ):
        assert asked("map.generateMap", body)["input"]["map"] == {"forgebornRealm": size}
    assert asked("map.generateMap", {"kind": "cave"})["input"]["map"] == {"cave": {}}
    for wrong in ({}, {"kind": "cave", "dungeon": {}}, {"cave": {}, "dungeon": {}}):
        with pytest.raises(Refusal) as refused:
            asked("map.generateMap", wrong)
        assert refused.value.more["issues"][0]["code"] == "KIND_MISSING"


def test_paths_of_the_graph_are_told_by_the_names_of_rest() -> None:
    def told(name: str, path: list[str], body: Any = None) -> list[str]:
        call = Call(Request({"type": "http", "headers": []}), Viewer(), {}, body)
        return endpoint(name).asked.told(call)(path)

    assert told("character.content", ["orderBy"]) == ["order"]
    assert told("dice.macros", ["campaignId"]) == ["campaign"]
    assert told("dice.roll", ["id"]) == ["id"]
    assert told("campaign.performMove", ["move", "to", "x"]) == ["move", "to", "x"]
    assert told("campaign.performMove", ["expectedSeq"]) == ["expectedSeq"]
    assert told("campaign.writeNote", ["idempotencyKey"]) == ["idempotencyKey"]
    assert told("character.tool", ["given", "rivals", "0"]) == ["rivals", "0"]
    by_kind, by_name = {"kind": "cave"}, {"cave": {}}
    assert told("map.generateMap", ["map", "cave", "width"], by_kind) == ["parameters", "width"]
    assert told("map.generateMap", ["map", "cave", "width"], by_name) == ["cave", "width"]


@pytest.mark.parametrize("slug", systems())
def test_a_published_schema_of_sheets_holds_what_its_game_builds(slug: str) -> None:
    system = systems()[slug]
    schema = orjson.loads((SCHEMA / f"sheet-{slug.replace('_', '-')}.schema.json").read_bytes())
    for choices in system.examples.values():
        sheet = system.sheet_codec.dump(system.build(choices, system.content))
        jsonschema_rs.validate(schema, published_sheet(system, sheet))


def described(path: str, method: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read the schemas of what an operation takes and of what it answers."""
    operation = orjson.loads((SCHEMA / "openapi.json").read_bytes())["paths"][path][method]
    taken = operation.get("requestBody", {"content": {JSON: {"schema": {}}}})
    good = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
    return taken["content"][JSON]["schema"], good["content"][JSON]["schema"]


def branches(schema: dict[str, Any]) -> set[str]:
    """Name the components that a schema leads to."""
    found = {schema["$ref"].rpartition("/")[2]} if "$ref" in schema else set()
    return found.union(*(branches(one) for one in schema.get("anyOf", ())))


def of_games(kind: str) -> set[str]:
    """Name the components of all games that have published a kind of thing."""
    slugs = {file.name.split(".")[0].removeprefix(f"{kind}-") for file in SCHEMA.glob(f"{kind}-*.json")}
    return {"".join(map(str.capitalize, (*slug.split("-"), kind))) for slug in slugs}


def test_setups_moves_and_rewards_are_described_as_their_games_publish_them() -> None:
    scene, _ = described("/v1/campaigns/{campaign}/scenes", "post")
    simulation, _ = described("/v1/simulations", "post")
    simulated = simulation["properties"]["scenes"]["items"]["properties"]["setup"]
    assert branches(scene["properties"]["setup"]) == branches(simulated) == of_games("setup")
    _, moves = described("/v1/scenes/{scene}/moves", "get")
    (named,) = branches(moves["properties"]["items"]["items"])
    answered = orjson.loads((SCHEMA / "openapi.json").read_bytes())["components"]["schemas"][named]
    assert branches(answered["properties"]["move"]) == of_games("move")
    _, rewards = described("/v1/characters/{character}/rewards", "get")
    for part in ("items", "offers"):
        shown = rewards["properties"][part]["items"]["properties"]["reward"]
        assert branches(shown) == {"RewardProposal"}


@pytest.mark.parametrize("slug", systems())
def test_the_description_of_a_build_holds_what_its_game_answers(slug: str) -> None:
    components = orjson.loads((SCHEMA / "openapi.json").read_bytes())["components"]
    schema = {"$ref": "#/components/schemas/CharacterBuild", "components": components}
    for choices in systems()[slug].examples.values():
        jsonschema_rs.validate(schema, {camel(slug): form(choices, properties=False)})


async def test_parameters_are_read_by_what_their_schemas_ask_for() -> None:
    shapes, _ = contract()
    reader = Reader(endpoint("dice.rolls").endpoint(Subgraphs({})), shapes.named)

    async def read(query: str) -> dict[str, Any]:
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": query.encode()}
        return dict((await reader.read(Request(scope | {"path_params": {}}), Viewer())).given)

    assert await read("since=2026-11-21T20:00:00Z&campaign=a&campaign=b") == {
        "since": "2026-11-21T20:00:00+00:00",
        "campaign": "b",
        "first": 20,
    }
    for wrong in ("since=2026-11-21", "since=1700000000", "until=soon", "first=1e3", "first="):
        with pytest.raises(Refusal) as refused:
            await read(wrong)
        assert refused.value.path == [wrong.partition("=")[0]]
