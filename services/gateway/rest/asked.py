"""What an operation asks for: which part of a request carries each member of its variables."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from http import HTTPMethod
from typing import Any

from graphql import GraphQLInputType, GraphQLNonNull, Undefined, get_named_type

from services.gateway.rest import forms
from services.gateway.rest.endpoint import IDEMPOTENCY_KEY, JSON, Body, Call, Parameter, Schema
from services.gateway.rest.operation import INPUT, Member, Operation, OperationError
from services.gateway.rest.shapes import Shapes, as_described, is_required, nullable
from services.shared.pagination import cursor_of_number

SAME_ANSWER = (
    "The same key with the same request gives the same answer for 24 hours. "
    "Make a random UUID for each request."
)
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


def idempotency_key(description: str = SAME_ANSWER, *, shortest: int = 1) -> Parameter:
    """Return the header under which a request is carried out once.

    It has no example: tools that read descriptions send examples as they stand, and all of their users would
    share one key.
    """
    return Parameter(
        IDEMPOTENCY_KEY,
        "header",
        {"type": "string", "minLength": shortest, "maxLength": LONGEST_KEY},
        description,
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
class Asked:
    """The requests of an operation.

    Attributes:
        operation: with ``@rest``.
        shapes: makes and keeps schemas.
        numbered: whether its pages go by numbers instead of cursors.
    """

    operation: Operation
    shapes: Shapes
    numbered: bool

    @property
    def _rest(self) -> Mapping[str, Any]:
        return self.operation.said

    @property
    def _by_address(self) -> bool:
        """Whether all that is asked for stands in the address."""
        return self._rest["method"] in (HTTPMethod.GET, HTTPMethod.DELETE)

    @cached_property
    def parts(self) -> dict[str, Member | None]:
        """The parts of the path, each with the member that it is; None where one is made from several."""
        members = {one.name: one for one in self.operation.members}
        found: dict[str, Member | None] = {}
        for part in _PART.finditer(self._rest["path"]):
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
        return _PART.sub(lambda part: f"{{{part['name']}}}", str(self._rest["path"]))

    @cached_property
    def bound(self) -> tuple[Bound, ...]:
        """What carries each member; a hidden one is not sent."""
        in_path = {one.target: name for name, one in self.parts.items() if one is not None}
        sent = (
            one for one in self.operation.members if not one.hints.get("hidden") and "from" not in one.hints
        )
        return tuple(self._bound(one, in_path.get(one.target)) for one in sent)

    def _bound(self, member: Member, part: str | None) -> Bound:
        if part is not None:
            return Bound(member, part, "path")
        if member.name == "idempotencyKey":
            return Bound(member, IDEMPOTENCY_KEY, "header")
        named = member.hints.get("name")
        if self._by_address:
            return Bound(member, named or member.name.removesuffix("Id") or member.name, "query")
        form = member.hints.get("form")
        return Bound(member, named or member.name, form if form in ("WHOLE", "KIND") else "body")

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
            return AFTER_NUMBER if self.numbered else replace(AFTER, description=about)
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
        if self._by_address:
            return None
        whole = next((one for one in self.bound if one.place == "WHOLE"), None)
        example = (self._rest["example"],) if "example" in self._rest else ()
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

    def variables(self, call: Call) -> dict[str, Any]:
        """Returns the operation's variables; what was not sent is left to the service."""
        found: dict[str, Any] = (
            {INPUT: {}} if any(one.target[0] == INPUT for one in self.operation.members) else {}
        )

        def put(member: Member, value: Any) -> None:
            taker = forms.taker(member.name, member.hints, value)
            (found[INPUT] if len(member.target) > 1 else found)[taker] = value

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
            elif member.name == "after" and self.numbered:
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
        bound = {
            name: one for one in self.bound for name in (one.member.name, *one.member.hints.get("among", ()))
        }

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
            return [one.name, *path[1:]]

        return tell


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
