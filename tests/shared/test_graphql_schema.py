"""What a schema says of errors, entities and inputs."""

from typing import Any

import pytest
import strawberry
from graphql import GraphQLError
from starlette.applications import Starlette
from strawberry.federation import type as federated_type
from structlog.testing import capture_logs

from services.shared.graphql.errors import guarded
from services.shared.graphql.schema import build_schema, export_sdl
from tests.shared.graphql_toy import Mutation, Query, Subscription, toy_app, toy_client, toy_schema

ENTITIES = "query($all:[_Any!]!){_entities(representations:$all){__typename ...on Tool{id}}}"


async def ask(query: str, variables: dict[str, Any] | None = None, app: Starlette | None = None) -> Any:
    """Send an operation and give the answer."""
    async with toy_client(app) as client:
        return (await client.post("/graphql", json={"query": query, "variables": variables})).json()


async def test_public_errors_keep_their_words_and_others_are_masked_and_logged() -> None:
    with capture_logs() as logs:
        answer = await ask("{public secret}")
    assert answer["data"] == {"public": None, "secret": None}
    assert [(error["message"], error["extensions"]) for error in answer["errors"]] == [
        ("Not for you.", {"code": "FORBIDDEN"}),
        ("Something went wrong on our side.", {"code": "INTERNAL"}),
    ]
    assert [(entry["event"], entry["path"]) for entry in logs] == [("resolver_failed", ["secret"])]
    assert "swordfish" in str(logs[0]["exc_info"])


def test_an_accident_is_masked_however_often_it_was_wrapped() -> None:
    accident = GraphQLError("swordfish", original_error=RuntimeError("swordfish"))
    shown = guarded(GraphQLError("swordfish", original_error=accident))
    assert "swordfish" not in shown.message
    assert shown.extensions == {"code": "INTERNAL"}


async def test_what_the_domain_refuses_is_the_client_s_error() -> None:
    answer = await ask('mutation{act(deed:{strike:{toolId:"hammer",times:0}})}')
    assert answer["errors"][0]["message"] == "strike at least once"
    assert answer["errors"][0]["extensions"] == {"code": "BAD_USER_INPUT"}


async def test_a_value_that_the_type_forbids_is_masked() -> None:
    @strawberry.type
    class Broken:
        @strawberry.field
        def never(self) -> str:
            """Break the promise not to be null."""
            return None  # type: ignore[return-value]

    answer = await ask("{never}", app=toy_app(build_schema(Broken)))
    assert answer["errors"][0]["extensions"] == {"code": "INTERNAL"}
    assert "null" not in answer["errors"][0]["message"]


async def test_each_null_in_an_answer_has_its_error() -> None:
    many = "{" + " ".join(f"a{i}: public" for i in range(9)) + "}"
    assert [error["path"] for error in (await ask(many))["errors"]] == [[f"a{i}"] for i in range(9)]


async def test_one_exception_at_many_places_is_logged_once() -> None:
    broken = RuntimeError("the loader broke")

    @strawberry.type
    class Root:
        @strawberry.field
        def loaded(self) -> str | None:
            """Fail as a loader does: with one exception for all its keys."""
            raise broken

    with capture_logs() as logs:
        answer = await ask("{a:loaded b:loaded c:loaded}", app=toy_app(build_schema(Root)))
    assert len(answer["errors"]) == 3
    assert [entry["exc_info"] for entry in logs] == [broken]


async def test_at_most_five_errors_of_a_document_are_told() -> None:
    wrong = "{" + " ".join(f"nothing{i}" for i in range(9)) + "}"
    assert len((await ask(wrong))["errors"]) == 5


async def test_what_is_wrong_with_variables_is_the_client_s_error() -> None:
    answer = await ask("query($v:Fraction){half(value:$v)}", {"v": "a third"})
    assert answer["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"
    assert "data" not in answer


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("query($n:String!){hello(name:$n)}", {"n": "a\0b"}),
        ("mutation($d:Deed!){act(deed:$d)}", {"d": {"strike": {"toolId": "\0"}}}),
        (ENTITIES, {"all": [{"__typename": "Tool", "id": "\0"}]}),
        ('{hello(name:"a\0b")}', None),
        (r'{hello(name:"a\u0000b")}', None),
        (r'{hello(name:"a\u{0}b")}', None),
        ('{hello(name:"""a\0b""")}', None),
        (r'{_entities(representations:[{__typename:"Tool",id:"\u0000"}]){__typename}}', None),
    ],
)
async def test_the_character_nul_goes_nowhere(query: str, variables: dict[str, Any] | None) -> None:
    answer = await ask(query, variables)
    assert "data" not in answer
    assert "BAD_USER_INPUT" in {error["extensions"]["code"] for error in answer["errors"]}


async def test_what_only_looks_like_nul_is_text() -> None:
    said = await ask("query($n:String!){hello(name:$n)}", {"n": r"C:\u0000"})
    assert said["data"] == {"hello": r"hello C:\u0000"}


async def test_several_operations_need_a_name() -> None:
    answer = await ask("query A{hello} query B{tools{id}}")
    assert "operationName" in answer["errors"][0]["message"]
    assert "data" not in answer


# Entities


async def test_each_entity_is_resolved_for_itself() -> None:
    wanted = [{"__typename": "Tool", "id": id} for id in ("hammer", "unknown", "cursed", "barred")]
    with capture_logs():
        answer = await ask(ENTITIES, {"all": wanted})
    assert answer["data"]["_entities"] == [{"__typename": "Tool", "id": "hammer"}, None, None, None]
    assert {(tuple(error["path"]), error["extensions"]["code"]) for error in answer["errors"]} == {
        (("_entities", 2), "INTERNAL"),
        (("_entities", 3), "FORBIDDEN"),
    }


@pytest.mark.parametrize(
    "representation",
    [
        *({"__typename": "Tool", "id": id} for id in (7, 1.5, True, None, ["hammer"], {"a": 1})),
        *({"__typename": name} for name in ("Missing", "Nothing", "Metal", "Query", "Tool", 7, [], None)),
        {"id": "hammer"},
        {},
        "hammer",
        [],
    ],
    ids=str,
)
async def test_what_is_no_entity_costs_only_its_own_place(representation: Any) -> None:
    hammer = {"__typename": "Tool", "id": "hammer", "of no account": 1}
    answer = await ask(ENTITIES, {"all": [representation, hammer]})
    assert answer["data"]["_entities"] == [None, {"__typename": "Tool", "id": "hammer"}]
    assert [error["extensions"]["code"] for error in answer["errors"]] == ["BAD_REPRESENTATION"]


async def test_entities_that_only_a_union_reaches_are_entities() -> None:
    @federated_type(keys=["id"])
    class Hidden:
        id: strawberry.ID

        @classmethod
        def resolve_reference(cls, id: strawberry.ID) -> "Hidden":
            """Find it."""
            return cls(id=id)

    @strawberry.type
    class Other:
        nothing: bool

    @strawberry.type
    class Root:
        either: Hidden | Other | None = None

    schema = build_schema(Root)
    assert "union _Entity = Hidden" in export_sdl(schema)
    # Two schemas of one process do not take each other's entities.
    assert "union _Entity = Tool" in export_sdl(toy_schema())
    query = '{_entities(representations:[{__typename:"Hidden",id:"h"}]){...on Hidden{id}}}'
    assert (await ask(query, app=toy_app(schema)))["data"] == {"_entities": [{"id": "h"}]}
    numbered = await ask(query.replace('"h"', "7"), app=toy_app(schema))
    assert [error["extensions"]["code"] for error in numbered["errors"]] == ["BAD_REPRESENTATION"]


def test_the_sdl_is_the_same_each_time_and_speaks_federation_2_9() -> None:
    first = export_sdl(build_schema(Query, Mutation, Subscription))
    assert first == export_sdl(build_schema(Query, Mutation, Subscription))
    assert 'url: "https://specs.apollo.dev/federation/v2.9"' in first


# Inputs


async def test_a_choice_arrives_as_the_domain_object() -> None:
    query = 'mutation{act(deed:{strike:{toolId:"hammer",metals:[MITHRIL]}})}'
    said = (await ask(query))["data"]["act"]
    assert said == "strike: Strike(tool_id='hammer', times=1, metals=(<Metal.MITHRIL: 'mithril'>,))"


async def test_a_list_without_bounds_of_its_own_holds_a_thousand() -> None:
    query = "mutation($d:Deed!){act(deed:$d)}"
    good = await ask(query, {"d": {"strike": {"toolId": "hammer", "metals": ["IRON"] * 1_000}}})
    assert "errors" not in good
    refused = await ask(query, {"d": {"strike": {"toolId": "hammer", "metals": [{}] * 1_001}}})
    told = [one["extensions"] for one in refused["errors"]]
    assert [(one["code"], one["path"], one["allowed"]) for one in told] == [
        ("BAD_USER_INPUT", ["deed", "strike", "metals"], "0..1000")
    ]


@pytest.mark.parametrize("deed", ["{}", '{strike:{toolId:"x"},rest:{minutes:1}}', "{rest:null}"])
async def test_exactly_one_thing_must_be_chosen(deed: str) -> None:
    literal = await ask(f"mutation{{act(deed:{deed})}}")
    assert literal["errors"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"


@pytest.mark.parametrize(
    "deed", [{}, {"strike": {"toolId": "x"}, "rest": {"minutes": 1}}, {"rest": None}], ids=str
)
async def test_exactly_one_thing_must_be_chosen_by_variable_too(deed: dict[str, Any]) -> None:
    answer = await ask("mutation($d:Deed!){act(deed:$d)}", {"d": deed})
    assert answer["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"
    assert not answer.get("data")
