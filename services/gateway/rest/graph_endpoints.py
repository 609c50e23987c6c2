"""Endpoints out of operations of the graph: each file of ``schema/operations`` with ``@rest`` is one."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from http import HTTPMethod
from typing import Any, cast

import orjson
from graphql import (
    FieldNode,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLUnionType,
    SelectionSetNode,
    Undefined,
    get_named_type,
    get_nullable_type,
)
from starlette.responses import Response

from services.gateway.rest import forms
from services.gateway.rest.answers import A_WHILE, REVALIDATE, Shaper, fields_of, made, shown
from services.gateway.rest.endpoint import (
    IDEMPOTENCY_KEY,
    JSON,
    Answer,
    Body,
    Call,
    Endpoint,
    Parameter,
    Schema,
)
from services.gateway.rest.operation import INPUT, VALUE, Member, Operation, OperationError, is_problem
from services.gateway.rest.problems import Refusal, not_found
from services.gateway.rest.shapes import Shapes, as_described, is_required, listed, nullable
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DRAWN, LIST, LOOK, ORDER, WRITE, Price, paged
from services.shared.pagination import cursor_of_number

PRICES: Mapping[str, Price] = {
    "LOOK": LOOK,
    "LIST": LIST,
    "PAGE": paged,
    "DRAWN": DRAWN,
    "WRITE": WRITE,
    "ORDER": ORDER,
}
STATUS_OF_PROBLEM: Mapping[str, int] = {
    "NotFound": 404,
    "Forbidden": 403,
    "InvalidInput": 422,
    "VersionConflict": 409,
    "IdempotencyConflict": 409,
    "MapChanged": 409,
    "Unavailable": 503,
    "OddsTooLarge": 422,
    "MoveRejected": 422,
}
KEY_EXAMPLE = "0b0e7a52-2a3d-4c8f-9b57-1f6f0f3c9d11"
LONGEST_ID, LONGEST_CURSOR, LONGEST_KEY = 40, 120, 255
FIRST = Parameter(
    "first", "query", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}, "How many, 1 to 100."
)
AFTER = Parameter(
    "after",
    "query",
    {"type": "string", "maxLength": LONGEST_CURSOR},
    "Cursor: `next` of the page before.",
)
AFTER_NUMBER = Parameter(
    "after",
    "query",
    {"type": "integer", "minimum": 0, "maximum": 2**31 - 1, "default": 0},
    "Number of the last one that you have.",
)

_PART = re.compile(r"\{(?P<name>\w+)(?::(?P<member>\w+))?\}")


def idempotency_key(shortest: int = 1) -> Parameter:
    """Returns the header under which a request is carried out once."""
    return Parameter(
        IDEMPOTENCY_KEY,
        "header",
        {"type": "string", "minLength": shortest, "maxLength": LONGEST_KEY},
        "The same key with the same request gives the same answer for 24 hours.",
        examples=(KEY_EXAMPLE,),
    )


@dataclass(frozen=True, slots=True)
class Bound:
    """A member of an operation's variables, and what carries it.

    Attributes:
        member: of the variables.
        name: of the parameter or of the body's member; empty for the whole body.
        place: which of them.
    """

    member: Member
    name: str
    place: str


@dataclass(frozen=True)
class GraphEndpoint:
    """An operation as an endpoint.

    Attributes:
        operation: with ``@rest``.
        shapes: makes and keeps schemas.
    """

    operation: Operation
    shapes: Shapes

    @property
    def rest(self) -> Mapping[str, Any]:
        """What the operation says of itself."""
        assert self.operation.rest is not None
        return self.operation.rest

    @property
    def method(self) -> str:
        """Of HTTP."""
        return str(self.rest["method"])

    @cached_property
    def parts(self) -> dict[str, Member | None]:
        """The parts of the path, each with the member that it is; None where one is made from several."""
        members = {one.name: one for one in self.operation.members}
        found: dict[str, Member | None] = {}
        for part in _PART.finditer(self.rest["path"]):
            name = part["name"]
            found[name] = members.get(part["member"] or name) or members.get(f"{name}Id")
            if found[name] is None and not any(
                f"{{{name}}}" in one.hints.get("from", "") for one in members.values()
            ):
                raise OperationError(f"{self.operation.name}: the path names {name}, which is no member")
        return found

    @property
    def path(self) -> str:
        """With its parameters in braces."""
        return _PART.sub(lambda part: f"{{{part['name']}}}", str(self.rest["path"]))

    @cached_property
    def bound(self) -> tuple[Bound, ...]:
        """What carries each member; a hidden one is not sent."""
        in_path = {one.target: name for name, one in self.parts.items() if one is not None}
        found = []
        for one in self.operation.members:
            hints = one.hints
            if hints.get("hidden") or "from" in hints:
                continue
            name = str(hints.get("name") or one.name)
            if one.target in in_path:
                found.append(Bound(one, in_path[one.target], "path"))
            elif one.name == "idempotencyKey":
                found.append(Bound(one, IDEMPOTENCY_KEY, "header"))
            elif self.method in (HTTPMethod.GET, HTTPMethod.DELETE):
                found.append(
                    Bound(one, str(hints.get("name") or one.name.removesuffix("Id") or one.name), "query")
                )
            else:
                found.append(
                    Bound(one, name, str(hints["form"]) if hints.get("form") in ("WHOLE", "KIND") else "body")
                )
        return tuple(found)

    # What is asked for

    def parameters(self) -> tuple[Parameter, ...]:
        """Describes the address and the headers."""
        made = [
            Parameter(name, "path", {"type": "string"}, f"Part of the id: the {name}.", True)
            for name, member in self.parts.items()
            if member is None
        ]
        for one in self.bound:
            match one.place:
                case "path":
                    made.append(self._in_path(one))
                case "query":
                    made.append(self._in_query(one))
                case "header":
                    made.append(idempotency_key())
        return tuple(made)

    def _in_path(self, one: Bound) -> Parameter:
        schema = dict(self.shapes.input(one.member.type, one.member.hints, {}))
        described = schema.pop("description", "")
        about = f"Id of the {one.name}." if one.member.name.lower().endswith("id") else described
        examples = tuple(schema.pop("examples", ()))
        return Parameter(one.name, "path", _never_null(schema), about, True, examples)

    def _in_query(self, one: Bound) -> Parameter:
        member = one.member
        if member.name == "first":
            return FIRST
        if member.name == "after":
            about = member.hints.get("description") or AFTER.description
            return AFTER_NUMBER if self.numbered is not None else replace(AFTER, description=about)
        described = forms.in_address(member.type, member.hints)
        schema = dict(described or self.shapes.input(member.type, member.hints, {}, "", member.default))
        about = str(member.hints.get("description") or member.description)
        schema.pop("description", None)
        examples = tuple(schema.pop("examples", ()))
        bounded = _bounded(as_described(_never_null(schema)), member.type)
        return Parameter(
            one.name, "query", bounded, about, is_required(member.type, member.default), examples
        )

    def body(self) -> Body | None:
        """Describes what the request holds."""
        if self.method in (HTTPMethod.GET, HTTPMethod.DELETE):
            return None
        whole = next((one for one in self.bound if one.place == "WHOLE"), None)
        example = (orjson.loads(self.rest["example"]),) if "example" in self.rest else ()
        if whole is not None:
            schema = self.shapes.input(whole.member.type, whole.member.hints, {}, whole.member.description)
            return Body({JSON: schema}, str(schema.get("description", "")), example)
        members = [one for one in self.bound if one.place in ("body", "KIND")]
        if not members:
            return None
        properties, required, rules = {}, [], []
        for one in members:
            if one.place == "KIND":
                kinds, of_kinds = self.kinds(one).describe(one.member.type, self.shapes)
                properties.update(kinds)
                rules += of_kinds
                continue
            member = one.member
            nested = {
                place[1:]: hint for place, hint in self.operation.nested.items() if place[0] == member.name
            }
            schema = self.shapes.input(member.type, member.hints, nested, member.description, member.default)
            properties[one.name] = nullable(schema) if _may_be_left_out(member) else schema
            if is_required(member.type, member.default):
                required.append(one.name)
        schema = {"type": "object", "properties": properties, "additionalProperties": False}
        more = ({"required": required} if required else {}) | ({"allOf": rules} if rules else {})
        return Body({JSON: schema | more}, "", example)

    def kinds(self, one: Bound) -> forms.Kinds:
        """Returns the kinds that a member chooses among."""
        return forms.Kinds.of(one.member.name, one.member.type)

    # What is answered

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
        get = self.method == HTTPMethod.GET
        headers = ("location",) if "location" in self.rest else ()
        return Answer(
            int(self.rest["status"]), str(self.rest["answer"]), {JSON: self._shown()}, headers, kept=get
        )

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

    def problems(self) -> frozenset[int]:
        """Lists the statuses of what can go wrong, beyond those that every endpoint has."""
        told = {STATUS_OF_PROBLEM[one] for one in self.operation.problems}
        asked = {404} if self.parts or self.rest["absent"] else set()
        return frozenset(told | asked)

    def price(self) -> Price:
        """Returns what it costs."""
        named = self.rest.get("price")
        if named is None:
            named = (
                "WRITE"
                if self.operation.mutates
                else "PAGE"
                if self.is_page
                else "LIST"
                if self.is_list
                else "LOOK"
            )
        return PRICES[named]

    # Doing it

    def variables(self, call: Call) -> dict[str, Any]:
        """Returns the operation's variables; what was not sent is left to the service."""
        found: dict[str, Any] = (
            {INPUT: {}} if any(one.target[0] == INPUT for one in self.operation.members) else {}
        )

        def put(member: Member, value: Any) -> None:
            (found[INPUT] if len(member.target) > 1 else found)[member.name] = value

        for one in self.bound:
            member = one.member
            if one.place == "KIND":
                put(member, self.kinds(one).read(call.body))
            elif one.place == "WHOLE":
                put(member, call.body)
            elif one.place == "body":
                # Many clients send null for what they leave out.
                if one.name in call.body and not (call.body[one.name] is None and _may_be_left_out(member)):
                    put(member, self._read(member, call.body[one.name]))
            elif member.name == "after" and self.numbered is not None:
                put(member, cursor_of_number(call.given["after"]))
            elif one.name in call.given:
                put(member, forms.read(call.given[one.name], member.hints, [one.name]))
        for member in self.operation.members:
            if "from" in member.hints:
                put(member, str(member.hints["from"]).format(**call.given))
        return found

    def _read(self, member: Member, value: Any) -> Any:
        nested = {place[1:]: hint for place, hint in self.operation.nested.items() if place[0] == member.name}
        for place, hints in nested.items():
            _each(value, place, hints)
        return forms.read(value, member.hints, [member.name])

    def told(self, call: Call) -> Callable[[list[str]], list[str]]:
        """Returns how paths of the graph are told to who sent a request."""
        bound = {one.member.name: one for one in self.bound}

        def tell(path: list[str]) -> list[str]:
            one = bound.get(path[0]) if path else None
            if one is None:
                return path
            match one.place:
                case "WHOLE":
                    return path[1:]
                case "KIND":
                    return self.kinds(one).told(path, call.body)
                case "path" if one.member.name == "id":
                    return path
                case "header":
                    return path
            among = one.member.hints.get("among", ())
            return [one.name, *(path[2:] if path[1:2] and path[1] in among else path[1:])]

        return tell

    def endpoint(self, graphs: Subgraphs) -> Endpoint:
        """Makes the endpoint."""
        rest, shaper = self.rest, Shaper(self.thing[1], self.operation.fragments, self.numbered)
        get, location = self.method == HTTPMethod.GET, rest.get("location")

        async def handle(call: Call) -> Response:
            try:
                found = await graphs.ask(
                    call.viewer, self.operation, self.variables(call), told=self.told(call)
                )
            except Refusal as refusal:
                codes = {issue["code"] for issue in refusal.more.get("issues", ())}
                raise (
                    not_found(self.operation.steps[0]) if codes & set(rest["absent"]) else refusal
                ) from refusal
            value = shaper.shape(found)
            if get:
                lasting = rest["lasting"] and not any(name in call.given for name in rest["unless"])
                return shown(call.request, value, cache=A_WHILE if lasting else REVALIDATE)
            return made(value, status=rest["status"], location=location and location.format(**value))

        return Endpoint(
            id=self.operation.word[:1].lower() + self.operation.word[1:],
            method=self.method,
            path=self.path,
            tag=str(rest["tag"]),
            summary=str(rest["summary"]),
            description=self.operation.description,
            price=self.price(),
            answer=self.answer(),
            handle=handle,
            problems=self.problems(),
            scope="write" if self.operation.mutates else "read",
            parameters=self.parameters(),
            body=self.body(),
            open=bool(rest["open"]),
        )


def _value_of(selected: SelectionSetNode | None) -> FieldNode | None:
    """The field of a selection that is the thing itself."""
    return None if selected is None else fields_of(selected).get(VALUE)


def _may_be_left_out(member: Member) -> bool:
    """Whether a member has a default that is not null: its null says that it is left out."""
    return isinstance(member.type, GraphQLNonNull) and member.default is not Undefined


def _never_null(schema: Schema) -> Schema:
    """What an address can say: it has no null."""
    if "anyOf" not in schema:
        return schema
    kept = [one for one in schema["anyOf"] if one.get("type") != "null"]
    return {**{name: value for name, value in schema.items() if name != "anyOf"}, **kept[0]}


def _bounded(schema: Schema, kind: GraphQLInputType) -> Schema:
    """Bound what is looked for by its text: nothing has so long a name."""
    if get_named_type(kind).name == "ID" and schema.get("type") == "string":
        return {"maxLength": LONGEST_ID, **schema}
    return schema


def _each(value: Any, place: Sequence[str], hints: Mapping[str, Any]) -> None:
    """Read the form of a part of a value, in each element of a list."""
    if isinstance(value, list):
        for one in value:
            _each(one, place, hints)
    elif isinstance(value, dict) and place[0] in value:
        if len(place) == 1:
            value[place[0]] = forms.read(value[place[0]], hints, place)
        else:
            _each(value[place[0]], place[1:], hints)
