"""Lists are bounded in both faces, also for who says nothing of how much they want."""

import json
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLNonNull, GraphQLObjectType, IntValueNode, build_schema, get_named_type

from services.shared.pagination import DEFAULT_PAGE, MAX_PAGE, page_size

SCHEMA = Path(__file__).parents[2] / "schema"
LONGER = {"outcomes": 1_000}
"""Lists of plain figures, which may be longer than a page of things."""


def connections() -> list[tuple[str, Any]]:
    schema = build_schema((SCHEMA / "api.graphql").read_text("utf-8"), assume_valid=True)
    return [
        (f"{kind.name}.{name}", field)
        for kind in schema.type_map.values()
        if isinstance(kind, GraphQLObjectType)
        for name, field in kind.fields.items()
        if get_named_type(field.type).name.endswith("Connection")
    ]


def test_every_page_of_the_graph_has_a_size_of_its_own_and_a_most() -> None:
    found = connections()
    assert len(found) > 10
    for name, field in found:
        first = field.args["first"]
        assert isinstance(first.type, GraphQLNonNull), name
        given = first.ast_node.default_value
        assert isinstance(given, IntValueNode) and int(given.value) == DEFAULT_PAGE, name
        assert str(MAX_PAGE) in first.description, name


@pytest.mark.parametrize("size", [0, -1, MAX_PAGE + 1, 2**31])
def test_no_page_is_larger_than_the_most(size: int) -> None:
    with pytest.raises(Exception, match="`first` must be from 1 to 100"):
        page_size(size)


def test_every_page_of_the_rest_face_has_a_size_of_its_own_and_a_most() -> None:
    document = json.loads((SCHEMA / "openapi.json").read_text("utf-8"))
    found = [
        (path, parameter)
        for path, methods in document["paths"].items()
        for operation in methods.values()
        if isinstance(operation, dict)
        for parameter in operation.get("parameters", ())
        if parameter.get("name") == "first"
    ]
    assert len(found) >= 10
    for path, parameter in found:
        form = parameter["schema"]
        assert 1 <= form["default"] <= form["maximum"] <= LONGER.get(path.rpartition("/")[2], MAX_PAGE), path
