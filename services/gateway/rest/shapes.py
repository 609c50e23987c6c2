"""JSON Schemas (draft 2020-12) out of the graph: of what requests hold, and of what an operation selects.

Requests are exact: members that nobody knows are refused. Answers may get new members at any time, so nothing
here says that they have no others.
"""

from collections.abc import Mapping
from typing import Any, Protocol, cast

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLScalarType,
    SelectionSetNode,
    Undefined,
    get_nullable_type,
)

from services.gateway.rest.operation import Operation, Target, default_of, items_of, service_schema
from services.gateway.rest.published import published

Schema = dict[str, Any]
Hints = Mapping[str, Any]

INT = {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}
SCALARS: Mapping[str, Schema] = {
    "ID": {"type": "string"},
    "String": {"type": "string"},
    "Boolean": {"type": "boolean"},
    "Float": {"type": "number"},
    "Int": {"type": "integer"},
    "DateTime": {"type": "string", "format": "date-time"},
    "Date": {"type": "string", "format": "date"},
    "Fraction": {"type": "string"},
    "JSON": {"type": "object", "additionalProperties": True},
}
REFERENCE = "#/components/schemas/"
PERSON = "What the account is called; null where that cannot be read just now."
SAID = "x-said"
"""Keywords that are described, while the owning service holds a value to them: it tells more."""


class Special(Protocol):
    """Whatever knows the JSON forms that differ from the graph's."""

    def __call__(self, kind: GraphQLInputType, hints: Hints, shapes: "Shapes") -> Schema | None:
        """Returns the schema of such a form; None where it is as the graph's."""


class ShapeClash(Exception):
    """Two shapes of one name differ; the message names it."""


def nullable(schema: Schema) -> Schema:
    """Returns a schema that takes null too."""
    about = {"description": schema["description"]} if "description" in schema else {}
    return {
        "anyOf": [{name: value for name, value in schema.items() if name != "description"}, {"type": "null"}],
        **about,
    }


def enum_of(service: str, name: str) -> Schema:
    """Returns the schema of an enum of a service."""
    kind = service_schema(service).type_map[name]
    assert isinstance(kind, GraphQLEnumType)
    return {"type": "string", "enum": list(kind.values)}


def listed(items: Schema) -> Schema:
    """Returns the schema of one page of a list."""
    following = {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "Ask for the next page with `after` set to this; null at the end.",
    }
    return {
        "type": "object",
        "properties": {"items": {"type": "array", "items": items}, "next": following},
        "required": ["items", "next"],
    }


class Shapes:
    """Makes schemas, and keeps those that have a name.

    Args:
        special: knows the forms that differ from the graph's.

    Attributes:
        named: the schemas that others refer to, by name.
    """

    def __init__(self, special: Special) -> None:
        self.named: dict[str, Schema] = {}
        self._special = special
        self._begun: set[str] = set()

    def refer(self, name: str, schema: Schema) -> Schema:
        """Keeps a schema under a name, and returns a reference to it.

        Raises:
            ShapeClash: another one has the name.
        """
        if self.named.setdefault(name, schema) != schema:
            raise ShapeClash(f"there are two shapes of the name {name}")
        return {"$ref": REFERENCE + name}

    def published(self, kind: str, *, exact: bool) -> Schema:
        """Returns the schema of what each game has published in a form of its own: ``sheet``, ``move``."""
        schema, named = published(kind, REFERENCE, exact=exact)
        for name, one in named.items():
            self.refer(name, dict(one))
        return dict(schema)

    # Requests

    def input(
        self,
        kind: GraphQLInputType,
        hints: Hints,
        nested: Mapping[Target, Hints],
        description: str = "",
        default: Any = Undefined,
    ) -> Schema:
        """Returns the schema of a part of a request.

        Args:
            kind: as the service declares it.
            hints: what else is said of it.
            nested: what is said of parts of it, by place.
            description: in the service's words.
            default: what it is when it is left out.
        """
        schema = self._special(kind, hints, self) or self._bounded(self._of_input(kind, nested), hints)
        if "published" in hints:
            schema = self._of_games(schema, str(hints["published"]))
        about = hints.get("description") or description
        if about:
            schema = {**schema, "description": about}
        if default is not Undefined and default is not None:
            schema["default"] = default
        if "example" in hints:
            schema["examples"] = [hints["example"]]
        return schema

    def _of_games(self, schema: Schema, kind: str) -> Schema:
        """Describe JSON as its game does, which holds it to that."""
        games = self.published(kind, exact=True)
        return _said_of_objects(schema, games)

    def _bounded(self, schema: Schema, hints: Hints) -> Schema:
        if "anyOf" in schema:
            first, *others = schema["anyOf"]
            return {**schema, "anyOf": [self._bounded(first, hints), *others]}
        array = schema.get("type") == "array"
        whole = schema.get("type") == "integer"
        numbers = {"least": "minimum", "most": "maximum"}
        sizes = {
            "shortest": "minItems" if array else "minLength",
            "longest": "maxItems" if array else "maxLength",
            "pattern": "pattern",
        }
        bounds = {
            word: int(hints[name]) if whole else hints[name]
            for name, word in numbers.items()
            if name in hints
        }
        most = {"maxItems": hints["items"]} if array and "items" in hints else {}
        said = most | {word: hints[name] for name, word in sizes.items() if name in hints}
        return {**schema, **bounds, **({SAID: said} if said else {})}

    def _of_input(self, kind: GraphQLInputType, nested: Mapping[Target, Hints]) -> Schema:
        if isinstance(kind, GraphQLNonNull):
            return self._of_whole(kind.of_type, nested)
        return nullable(self._of_whole(kind, nested))

    def _of_whole(self, kind: GraphQLInputType, nested: Mapping[Target, Hints]) -> Schema:
        match kind:
            case GraphQLList():
                return {"type": "array", "items": self._of_input(kind.of_type, nested)}
            case GraphQLEnumType():
                return {"type": "string", "enum": list(kind.values)}
            case GraphQLInputObjectType():
                return self._of_object(kind, nested)
        name = cast(GraphQLScalarType, kind).name
        return dict(INT if name == "Int" else SCALARS[name])

    def _of_object(self, kind: GraphQLInputObjectType, nested: Mapping[Target, Hints]) -> Schema:
        if nested:
            return self._object(kind, nested)
        if kind.name not in self._begun:
            self._begun.add(kind.name)  # a type may hold itself
            self.refer(kind.name, self._object(kind, {}))
        return {"$ref": REFERENCE + kind.name}

    def _object(self, kind: GraphQLInputObjectType, nested: Mapping[Target, Hints]) -> Schema:
        properties, required = {}, []
        for name, declared in kind.fields.items():
            hints = {**items_of(declared), **nested.get((name,), {})}
            if hints.get("hidden"):
                continue
            within = {
                place[1:]: hint for place, hint in nested.items() if place[0] == name and len(place) > 1
            }
            one_of = get_nullable_type(declared.type) if kind.is_one_of else declared.type
            kind_of = GraphQLNonNull(one_of) if kind.is_one_of else declared.type
            properties[name] = self.input(
                kind_of, hints, within, declared.description or "", default_of(declared)
            )
            if is_required(declared.type, default_of(declared)):
                required.append(name)
        schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        if kind.description:
            schema["description"] = kind.description
        if required:
            schema["required"] = required
        return {**schema, "minProperties": 1, "maxProperties": 1} if kind.is_one_of else schema

    # Answers

    def selection(
        self,
        operation: Operation,
        kind: GraphQLObjectType | GraphQLInterfaceType,
        selected: SelectionSetNode,
        left_out: frozenset[str] = frozenset(),
    ) -> Schema:
        """Returns the schema of what is selected of a type; a fragment alone has a name of its own.

        Args:
            operation: whose selection it is.
            kind: of what it is selected.
            selected: what.
            left_out: members that are shown otherwise.
        """
        first = selected.selections[0]
        if len(selected.selections) == 1 and isinstance(first, FragmentSpreadNode) and not left_out:
            fragment = operation.fragments[first.name.value]
            return self.refer(first.name.value, self._of_fragment(operation, kind, fragment))
        schema: Schema = {"type": "object", "properties": {}, "required": []}
        if kind.description:
            schema["description"] = kind.description
        for one in selected.selections:
            if isinstance(one, FragmentSpreadNode):
                inner = self._of_fragment(operation, kind, operation.fragments[one.name.value])
                _merge(schema, inner)
            elif isinstance(one, FieldNode) and (one.alias or one.name).value not in left_out:
                self._add(operation, kind, one, schema)
        return schema

    def _of_fragment(
        self,
        operation: Operation,
        kind: GraphQLObjectType | GraphQLInterfaceType,
        fragment: FragmentDefinitionNode,
    ) -> Schema:
        return self.selection(operation, kind, fragment.selection_set)

    def _add(
        self,
        operation: Operation,
        kind: GraphQLObjectType | GraphQLInterfaceType,
        node: FieldNode,
        schema: Schema,
    ) -> None:
        name = (node.alias or node.name).value
        if name == "__typename":
            return
        declared = kind.fields[node.name.value]
        marks = {one.name.value for one in node.directives or ()}
        found = declared.type
        if "needed" in marks and not isinstance(found, GraphQLNonNull):
            found = GraphQLNonNull(found)
        if "spread" in marks:
            inner = self.output(operation, found, node.selection_set)
            _merge(schema, {"properties": {}, "required": [], **inner})
            return
        if "game" in marks:
            about = {"description": f"One member, the game: {declared.description or 'its own JSON.'}"}
            shape = {**self._of_one_game(operation, node), **about}
            schema["properties"][name] = shape if isinstance(found, GraphQLNonNull) else nullable(shape)
        else:
            kind_of = self._published_as(node)
            shape = kind_of or self.output(operation, found, node.selection_set)
            if "person" in marks:
                shape = _with_name(shape)
            if kind_of and not isinstance(found, GraphQLNonNull):
                shape = nullable(shape)
            about = {"description": declared.description} if declared.description else {}
            schema["properties"][name] = {**shape, **about}
        schema["required"].append(name)

    def _of_one_game(self, operation: Operation, node: FieldNode) -> Schema:
        """Describe an object whose one member is the game: as the graph takes it, where an input does."""
        name = _arguments(node, "game").get("input")
        if name is None:
            return {"type": "object", "additionalProperties": {"type": "object"}}
        taken = cast(GraphQLInputObjectType, service_schema(operation.service).type_map[name])
        return self.input(GraphQLNonNull(taken), {}, {})

    def _published_as(self, node: FieldNode) -> Schema | None:
        """What a field's JSON is, where the games have published that."""
        said = _arguments(node, "published")
        return self.published(str(said["kind"]), exact=bool(said.get("sent"))) if said else None

    def output(
        self, operation: Operation, kind: GraphQLOutputType, selected: SelectionSetNode | None
    ) -> Schema:
        """Returns the schema of what a field answers."""
        if not isinstance(kind, GraphQLNonNull):
            return nullable(self._of_answer(operation, kind, selected))
        return self._of_answer(operation, kind.of_type, selected)

    def _of_answer(
        self, operation: Operation, kind: GraphQLOutputType, selected: SelectionSetNode | None
    ) -> Schema:
        match kind:
            case GraphQLList():
                return {"type": "array", "items": self.output(operation, kind.of_type, selected)}
            case GraphQLEnumType():
                return {"type": "string", "enum": list(kind.values)}
            case GraphQLObjectType() | GraphQLInterfaceType() if selected is not None:
                return self.selection(operation, kind, selected)
        return dict(SCALARS[cast(GraphQLScalarType, kind).name])


def _said_of_objects(schema: Schema, games: Schema) -> Schema:
    """Have a schema tell of the objects that it takes what the games have published of them."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [_said_of_objects(one, games) for one in schema["anyOf"]]}
    return {**schema, SAID: games} if schema.get("type") == "object" else schema


def _arguments(node: FieldNode, directive: str) -> Mapping[str, Any]:
    """Return the arguments of a field's directive by their names; none where it does not have it."""
    return {
        argument.name.value: cast(Any, argument.value).value
        for one in node.directives or ()
        if one.name.value == directive
        for argument in one.arguments or ()
    }


def _with_name(schema: Schema) -> Schema:
    """Return the schema of an account, or of a list of them, with its name beside its id."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [_with_name(schema["anyOf"][0]), *schema["anyOf"][1:]]}
    if "items" in schema:
        return {**schema, "items": _with_name(schema["items"])}
    name = {"anyOf": [{"type": "string"}, {"type": "null"}], "description": PERSON}
    return {
        **schema,
        "properties": {**schema["properties"], "name": name},
        "required": [*schema["required"], "name"],
    }


def _merge(schema: Schema, inner: Schema) -> None:
    schema["properties"].update(inner["properties"])
    schema["required"] += inner["required"]
    if inner.get("additionalProperties"):
        schema["additionalProperties"] = True


def as_described(schema: Any) -> Any:
    """Returns a schema with what services hold its values to among its own keywords."""
    if isinstance(schema, list):
        return [as_described(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: as_described(one) for name, one in schema.items() if name != SAID}
    return {**found, **schema.get(SAID, {})}


def is_required(kind: GraphQLInputType, default: Any) -> bool:
    """Tells whether something must be given."""
    return isinstance(kind, GraphQLNonNull) and default is Undefined
