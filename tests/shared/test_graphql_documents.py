"""How large a document may be, and that it is read only once."""

from typing import Any

import pytest
from graphql import get_introspection_query, parse

from services.shared.graphql.documents import Documents
from services.shared.graphql.limits import CAP, Limits, Measurer, excesses
from tests.shared.graphql_toy import toy_app, toy_client, toy_schema

DOUBLED = "query{...A0}" + "".join(f"fragment A{i} on Query{{...A{i + 1} ...A{i + 1}}}" for i in range(25))
DOUBLED += "fragment A25 on Query{hello}"


def nested(depth: int) -> str:
    """Write a query of that depth."""
    return "{tools" + "{parts" * (depth - 2) + "{id}" + "}" * (depth - 1)


def complaints(text: str, **limits: int) -> list[str]:
    """Give the messages about a document's size."""
    return [error.message for error in excesses(parse(text), Limits(**limits))]


@pytest.mark.parametrize(
    ("within", "beyond", "word"),
    [
        (nested(12), nested(13), "depth (13)"),
        (
            "{tools{" + "".join(f"a{i}:id " for i in range(30)) + "}}",
            "{tools{" + "".join(f"a{i}:id " for i in range(31)) + "}}",
            "aliases (31)",
        ),
        ("{" + "hello " * 20 + "}", "{" + "hello " * 21 + "}", "root fields (21)"),
        (
            "{hello" + " @skip(if:false)" * 10 + "}",
            "{hello" + " @skip(if:false)" * 11 + "}",
            "directives (11)",
        ),
        ("{tools{" + "id " * 499 + "}}", "{tools{" + "id " * 500 + "}}", "fields (501)"),
    ],
    ids=["depth", "aliases", "root fields", "directives", "fields"],
)
def test_a_document_may_reach_a_limit_but_not_exceed_it(within: str, beyond: str, word: str) -> None:
    assert complaints(within) == []
    [message] = complaints(beyond)
    assert word in message


def test_fields_of_the_root_are_counted_through_fragments() -> None:
    document = "{...R}fragment R on Query{" + "hello " * 21 + "}"
    assert any("root fields (21)" in message for message in complaints(document))


def test_directives_on_spreads_and_on_the_operation_count() -> None:
    document = "query @a @a @a{...R @skip(if:false) ... @skip(if:false){hello}}fragment R on Query{hello}"
    assert complaints(document, directives=4) == ["The operation's directives (5) exceed the limit of 4."]


def test_doubled_fragments_are_measured_without_expanding_them() -> None:
    document = parse(DOUBLED)
    measurer = Measurer(document)
    found = measurer.measure(document.definitions[0])
    assert found.fields == CAP  # 2 ** 25 in truth
    assert measurer.visits == 1 + 25 * 2 + 1


def test_what_is_too_large_is_refused_before_it_is_validated() -> None:
    schema = toy_schema()
    document = schema.documents.prepare(DOUBLED)
    assert {error.extensions["code"] for error in document.errors if error.extensions} == {
        "QUERY_TOO_COMPLEX"
    }
    assert (schema.documents.parsed, schema.documents.validated) == (1, 0)


def test_fragments_that_spread_themselves_end() -> None:
    assert complaints("{...A}fragment A on Query{hello ...B}fragment B on Query{hello ...A}") == []


def test_fragments_that_nobody_spreads_are_measured_too() -> None:
    assert complaints("{hello}fragment A on Query{tools{" + "id " * 500 + "}}")


async def test_tools_may_ask_for_the_whole_schema() -> None:
    async with toy_client() as client:
        answer = (await client.post("/graphql", json={"query": get_introspection_query()})).json()
    assert answer["data"]["__schema"]["queryType"]["name"] == "Query"
    assert "errors" not in answer


async def test_introspection_cannot_walk_in_circles() -> None:
    circle = "{__schema{types" + "{fields{type" * 5 + "{name}" + "}}" * 5 + "}}"
    async with toy_client() as client:
        answer = (await client.post("/graphql", json={"query": circle})).json()
    assert answer["errors"][0]["message"] == "Maximum introspection depth exceeded"


async def test_introspection_can_be_switched_off() -> None:
    async with toy_client(toy_app(toy_schema(introspection=False))) as client:
        closed = (await client.post("/graphql", json={"query": "{__schema{types{name}}}"})).json()
        served = (await client.post("/graphql", json={"query": "{hello __typename _service{sdl}}"})).json()
    assert closed["errors"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
    assert served["data"]["hello"] == "hello you"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{" + "hello " * 2_000 + "}", "QUERY_TOO_COMPLEX"),
        ("{a" * 900 + "}" * 900, "QUERY_TOO_COMPLEX"),
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{hello(name:{a:[" + "[" * 900 + "]" * 900 + "]})}", "QUERY_TOO_COMPLEX"),
        ("{nothing}", "GRAPHQL_VALIDATION_FAILED"),
        ("{tools(count:" + "9" * 5_000 + "){id}}", "GRAPHQL_VALIDATION_FAILED"),
        ("{...A}fragment A on Query{...A}", "GRAPHQL_VALIDATION_FAILED"),
    ],
    ids=["tokens", "nested", "syntax", "nested values", "unknown", "digits", "cycle"],
)
async def test_a_bad_document_is_a_client_error_with_a_code(text: str, code: str) -> None:
    async with toy_client() as client:
        answer = await client.post(
            "/graphql", json={"query": text}, headers={"accept": "application/graphql-response+json"}
        )
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["extensions"]["code"] == code


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("{helo}", {}),
        ('{hello(nam:"x")}', {}),
        ("{half(metal:MITHRL)}", {}),
        ("query($m:Metl){half(metal:$m)}", {}),
        ("query($m:Metal!){half(metal:$m)}", {"m": "MITHRL"}),
        ('mutation{act(deed:{strik:{toolId:"x"}})}', {}),
    ],
    ids=["field", "argument", "enum", "type", "variable", "input field"],
)
async def test_no_name_is_suggested(text: str, variables: dict[str, Any]) -> None:
    async with toy_client() as client:
        answer = await client.post("/graphql", json={"query": text, "variables": variables})
    assert answer.json()["errors"]
    assert "Did you mean" not in answer.text


# Memory


async def test_the_same_document_is_parsed_and_validated_once() -> None:
    schema = toy_schema()
    async with toy_client(toy_app(schema)) as client:
        for name in ("Durin", "Thorin", "Balin"):
            body = {"query": "query($n:String!){hello(name:$n)}", "variables": {"n": name}}
            assert (await client.post("/graphql", json=body)).json()["data"]["hello"] == f"hello {name}"
    assert (schema.documents.parsed, schema.documents.validated) == (1, 1)


@pytest.mark.parametrize("text", ["{hello}", "{nothing}"], ids=["valid", "invalid"])
async def test_without_caches_each_request_is_read_anew_but_once(text: str) -> None:
    schema = toy_schema(caches=False)
    async with toy_client(toy_app(schema)) as client:
        for requests in (1, 2):
            await client.post("/graphql", json={"query": text})
            assert (schema.documents.parsed, schema.documents.validated) == (requests, requests)


def test_memory_is_bounded_and_keeps_what_was_used_last() -> None:
    documents = Documents(toy_schema()._schema, Limits(), characters=20)
    for text in ("{a:hello}", "{b:hello}", "{a:hello}", "{c:hello}"):
        documents.prepare(text)
    assert documents.parsed == 3
    documents.prepare("{a:hello}")
    assert documents.parsed == 3
    documents.prepare("{b:hello}")
    assert documents.parsed == 4


def test_nonsense_is_not_remembered() -> None:
    documents = toy_schema().documents
    documents.prepare("{hello}")
    for _ in range(2):
        documents.prepare("{nothing}")
    documents.prepare("{hello}")
    assert documents.parsed == 3
