"""The operations that the REST face sends, checked against the services' own schemas."""

import re

import pytest
from graphql import GraphQLInterfaceType, parse, validate
from strawberry.federation import Schema

from services.campaign.schema import SCHEMA as CAMPAIGN
from services.character.schema import SCHEMA as CHARACTER
from services.dice.schema import SCHEMA as DICE
from services.gateway.export.contents import FULLER
from services.gateway.rest.graph_endpoints import status_of
from services.gateway.rest.operation import (
    OPERATIONS,
    Operation,
    OperationError,
    directives,
    operations,
    read_operation,
)
from services.gateway.schema import SCHEMA as ACCOUNT
from services.map.graphql.schema import SCHEMA as MAP
from tests.house import ROOT

SCHEMAS: dict[str, Schema] = {
    "account": ACCOUNT,
    "campaign": CAMPAIGN,
    "character": CHARACTER,
    "dice": DICE,
    "map": MAP,
}
REST = ROOT / "services" / "gateway" / "rest"

each = pytest.mark.parametrize(
    "operation",
    [*operations().values(), *operations(FULLER).values()],
    ids=lambda operation: operation.word,
)


@each
def test_what_is_sent_fits_the_schema_of_its_service(operation: Operation) -> None:
    assert validate(SCHEMAS[operation.service]._schema, parse(operation.document)) == []


@each
def test_none_of_our_directives_is_sent(operation: Operation) -> None:
    assert not [name for name in directives() if f"@{name}" in operation.document]


@each
def test_whatever_can_go_wrong_is_asked_for(operation: Operation) -> None:
    for problem in operation.problems:
        assert f"...on {problem}{{code message path" in operation.document
    if operation.mutates:
        assert operation.problems and "__typename" in operation.document
    if "InvalidInput" in operation.problems:
        assert "issues{code message path rule found allowed}" in operation.document


def test_every_operation_is_asked_for_over_rest_or_named_in_the_code() -> None:
    code = "".join(path.read_text("utf-8") for path in REST.glob("*.py"))
    named = set(re.findall(r'"((?:account|dice|character|campaign|map)\.[a-z][A-Za-z]+)"', code))
    asked = {operation.name for operation in operations().values() if operation.rest is not None}
    known = {file.stem for file in OPERATIONS.glob("*.graphql")}
    assert known - asked <= named
    assert {
        name for name in named if name.partition(".")[2] not in ("json", "svg", "png", "webp")
    } <= known | {
        "map.uvtt",
        "map.tmj",
        "map.geojson",
    }


def test_every_problem_of_the_services_has_a_status() -> None:
    for name, schema in SCHEMAS.items():
        problem = schema._schema.type_map["Problem"]
        assert isinstance(problem, GraphQLInterfaceType)
        implementing = schema._schema.get_implementations(problem).objects
        assert all(400 <= status_of(kind.name) < 600 for kind in implementing), name


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("query A { result: campaigns { nodes { id } } } query B { me { id } }", "one operation"),
        ("query A { campaigns { nodes { id } } }", "is asked for as `result`"),
        ('query A @member(at: "b") { result: campaigns { nodes { id } } }', "no member"),
    ],
)
def test_a_file_that_does_not_say_what_it_must_is_refused(text: str, reason: str) -> None:
    with pytest.raises(OperationError, match=reason):
        read_operation("campaign.a", text)
