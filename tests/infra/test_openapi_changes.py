"""What counts as a breaking change of the REST face, and what does not."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from infra.checks.openapi_changes import breaking_changes

ROLL = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "total": {"type": "integer"},
        "label": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Roll"}},
    },
    "required": ["id", "total", "label", "parts"],
}
ASKED = {
    "type": "object",
    "properties": {
        "expression": {"type": "string", "maxLength": 80},
        "dialect": {"type": "string", "enum": ["D20", "ROLL20"]},
        "times": {"type": "number"},
    },
    "required": ["expression"],
    "additionalProperties": False,
}
FIRST = {"name": "first", "in": "query", "schema": {"type": "integer", "maximum": 100}}
BEFORE = {
    "paths": {
        "/v1/rolls/{roll}": {
            "post": {
                "parameters": [{"name": "roll", "in": "path", "required": True, "schema": {}}, FIRST],
                "requestBody": {"required": True, "content": {"application/json": {"schema": ASKED}}},
                "responses": {
                    "201": {
                        "headers": {"location": {}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Roll"}}},
                    },
                    "404": {},
                },
            }
        }
    },
    "components": {"schemas": {"Roll": ROLL}},
}
PLACE = "POST /v1/rolls/{roll}"


def body(document: Any) -> Any:
    """Give the schema of the request."""
    operation = document["paths"]["/v1/rolls/{roll}"]["post"]
    return operation["requestBody"]["content"]["application/json"]["schema"]


def changed(change: Callable[[Any], object]) -> list[str]:
    """Give what breaks when something is changed."""
    after = copy.deepcopy(BEFORE)
    change(after)
    return breaking_changes(BEFORE, after)


def operation(document: Any) -> Any:
    """Give the operation."""
    return document["paths"]["/v1/rolls/{roll}"]["post"]


def roll(document: Any) -> Any:
    """Give the schema of the answer."""
    return document["components"]["schemas"]["Roll"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda doc: doc["paths"].clear(), "is gone"),
        (lambda doc: operation(doc)["parameters"].pop(), "parameter first is gone"),
        (lambda doc: operation(doc)["parameters"][1].update(required=True), "parameter first is asked for"),
        (
            lambda doc: operation(doc)["parameters"][1].update(schema={"type": "integer", "maximum": 50}),
            "first: maximum is 50",
        ),
        (lambda doc: body(doc)["required"].append("times"), "body.times: is asked for"),
        (lambda doc: body(doc)["properties"].pop("times"), "body.times: is taken no more"),
        (lambda doc: body(doc)["properties"]["times"].update(type="integer"), "number is taken no more"),
        (lambda doc: body(doc)["properties"]["dialect"]["enum"].pop(), "values are taken no more"),
        (lambda doc: body(doc)["properties"]["expression"].update(minLength=1), "minLength is 1"),
        (lambda doc: roll(doc)["properties"].pop("total"), "201.total: is gone"),
        (lambda doc: roll(doc)["required"].remove("label"), "201.label: may be missing"),
        (lambda doc: roll(doc)["properties"]["total"].update(type=["integer", "null"]), "total: may be null"),
        (lambda doc: operation(doc)["responses"]["201"]["headers"].clear(), "header location is gone"),
        (
            lambda doc: (
                operation(doc)["responses"].update({"200": {}}) or operation(doc)["responses"].pop("201")
            ),
            "201",
        ),
    ],
)
def test_what_clients_would_lose_is_told(change: Callable[[Any], object], told: str) -> None:
    found = changed(change)
    assert found and all(line.startswith(PLACE) for line in found)
    assert any(told in line for line in found), found


@pytest.mark.parametrize(
    "change",
    [
        lambda doc: doc["paths"].update({"/v1/more": {"get": {"responses": {}}}}),
        lambda doc: doc["paths"].update({"/v1/rolls/{id}": doc["paths"].pop("/v1/rolls/{roll}")}),
        lambda doc: operation(doc)["parameters"].append({"name": "sort", "in": "query", "schema": {}}),
        lambda doc: body(doc)["properties"].update(label={"type": "string"}),
        lambda doc: body(doc)["required"].clear(),
        lambda doc: body(doc)["properties"]["dialect"]["enum"].append("FOUNDRY"),
        lambda doc: body(doc)["properties"]["expression"].update(maxLength=200),
        lambda doc: roll(doc)["properties"].update(text={"type": "string"}),
        lambda doc: roll(doc)["properties"].update(label={"type": "string"}),
        lambda doc: operation(doc)["responses"].pop("404"),
    ],
)
def test_what_takes_nothing_away_breaks_nothing(change: Callable[[Any], object]) -> None:
    assert changed(change) == []
