"""What an operation answers: the thing that is shown, and its JSON Schema."""

from dataclasses import dataclass
from functools import cached_property
from http import HTTPMethod
from typing import Any, cast

from graphql import (
    FieldNode,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLUnionType,
    SelectionSetNode,
    get_named_type,
    get_nullable_type,
)

from services.gateway.rest.answers import fields_of
from services.gateway.rest.endpoint import JSON, Answer, Schema
from services.gateway.rest.operation import VALUE, Operation, is_problem
from services.gateway.rest.shapes import Shapes, listed, nullable


@dataclass(frozen=True)
class Shown:
    """The answers of an operation.

    Attributes:
        operation: with ``@rest``.
        shapes: makes and keeps schemas.
    """

    operation: Operation
    shapes: Shapes

    @cached_property
    def thing(self) -> tuple[GraphQLOutputType, SelectionSetNode | None, FieldNode | None]:
        """The type of what is shown, what is selected of it, and the field that it stands in."""
        kind = get_named_type(self.operation.root.type)
        selected = self.operation.selection
        if isinstance(kind, GraphQLUnionType):
            success = next(one for one in kind.types if not is_problem(one))
            found: GraphQLOutputType = GraphQLNonNull(success)
        else:
            found = self.operation.root.type
        node = None
        while (value := _value_of(selected)) is not None:
            owner = cast(GraphQLObjectType, get_named_type(found))
            node, selected, found = value, value.selection_set, owner.fields[value.name.value].type
        return found, selected, node

    @property
    def numbered(self) -> str | None:
        """The number that its pages go by, if they do."""
        node = self.thing[2]
        marks = (
            [one for one in node.directives or () if one.name.value == "numbered"] if node is not None else []
        )
        return str(cast(Any, marks[0]).arguments[0].value.value) if marks else None

    @property
    def is_page(self) -> bool:
        """Whether it answers a page of a list."""
        selected = self.thing[1]
        return selected is not None and "pageInfo" in fields_of(selected)

    @property
    def is_list(self) -> bool:
        """Whether it answers a list that has no pages."""
        return isinstance(get_nullable_type(self.thing[0]), GraphQLList)

    def answer(self) -> Answer:
        """Describes the good answer."""
        rest = self.operation.said
        headers = ("location",) if "location" in rest else ()
        kept = rest["method"] == HTTPMethod.GET
        return Answer(int(rest["status"]), str(rest["answer"]), {JSON: self._shown()}, headers, kept)

    def _shown(self) -> Schema:
        kind, selected, _ = self.thing
        whole = cast(GraphQLOutputType, get_nullable_type(kind))
        if not self.is_page:
            schema = self.shapes.output(self.operation, GraphQLNonNull(cast(Any, whole)), selected)
            if not self.is_list:
                return schema
            return {"type": "object", "properties": {"items": schema}, "required": ["items"]}
        assert selected is not None
        owner = cast(GraphQLObjectType, whole)
        nodes = fields_of(selected)["nodes"]
        items = self.shapes.output(self.operation, owner.fields["nodes"].type, nodes.selection_set)
        page = listed(items["items"])
        if self.numbered is not None:
            page["properties"]["next"] = nullable(
                {"type": "integer", "description": page["properties"]["next"]["description"]}
            )
        more = self.shapes.selection(self.operation, owner, selected, frozenset(("nodes", "pageInfo")))
        page["properties"] |= more["properties"]
        page["required"] += more["required"]
        return page


def _value_of(selected: SelectionSetNode | None) -> FieldNode | None:
    """The field of a selection that is the thing itself."""
    return None if selected is None else fields_of(selected).get(VALUE)
