"""JSON forms of a request that differ from the graph's: how they are described, and how they are read.

::

    PAIRS        {"bonus": 3}, in an address bonus:3    [{"name": "bonus", "value": 3}]
    CONDITIONS   gold:at_most:5                         {"field": "gold", "atMost": 5}
    NAMED        "bonfire", {...}                       setupName: "bonfire", setup: {...}
    KIND         kind and parameters beside the rest    {"dungeon": {...}}
    CAPITALS     "read", deprecated                     READ
    ANY          any JSON value                         the same
    WHOLE        the body                               a member of the variables
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from graphql import (
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    get_named_type,
    get_nullable_type,
)

from services.gateway.rest.problems import Refusal
from services.gateway.rest.shapes import Hints, Schema, Shapes, nullable

MOST_CONDITIONS, MOST_FOUND = 20, 120
TESTS = ("equals", "oneOf", "atLeast", "atMost", "has")
OLD_TESTS: Mapping[str, str] = {"one_of": "oneOf", "at_least": "atLeast", "at_most": "atMost"}
"""Spellings of before, which are read too."""

OF_JSON = ("object", "array", "string", "number", "boolean", "null")

SMALL_LETTERS = "Small letters are deprecated; they are read until 2027-05-23."

_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?")
_PAIR = re.compile(r"(?P<name>[^:]+):(?P<value>[+-]?\d{1,9})")


def special(kind: GraphQLInputType, hints: Hints, shapes: Shapes) -> Schema | None:
    """Returns the schema of a form in a body; None where it is as the graph's."""
    match hints.get("form"):
        case "PAIRS":
            value = cast(GraphQLInputObjectType, get_named_type(kind)).fields["value"].type
            return {"type": "object", "additionalProperties": shapes.input(value, {}, {})}
        case "NAMED":
            own = shapes.input(GraphQLNonNull(cast(Any, get_nullable_type(kind))), {}, {})
            return nullable({"anyOf": [{"type": "string"}, own]})
        case "ANY":
            if not isinstance(get_nullable_type(kind), GraphQLList):
                return {"type": [*OF_JSON]}
            most = {"maxItems": hints["items"]} if "items" in hints else {}
            return {"type": "array", "items": {}, **most}
        case "CAPITALS":
            own = shapes.input(kind, {name: value for name, value in hints.items() if name != "form"}, {})
            words = own["items"]["enum"]
            small = [word.lower() for word in words]
            items = {**own["items"], "enum": [*words, *small], "description": SMALL_LETTERS}
            return {**own, "items": items}
    return None


def in_address(kind: GraphQLInputType, hints: Hints) -> Schema | None:
    """Returns the schema of a form in an address: texts, each of which is read by itself."""
    if hints.get("form") in ("PAIRS", "CONDITIONS") and isinstance(get_nullable_type(kind), GraphQLList):
        most = MOST_CONDITIONS if hints["form"] == "CONDITIONS" else hints["items"]
        return {"type": "array", "items": {"type": "string"}, "maxItems": most}
    return None


def read(value: Any, hints: Hints, path: Sequence[str]) -> Any:
    """Reads a sound value into the graph's form.

    Args:
        value: as it was sent.
        hints: name the form.
        path: where it stands in the request.

    Raises:
        Refusal: a text in an address is not of the form.
    """
    match hints.get("form"), value:
        case "PAIRS", dict():
            return [{"name": name, "value": one} for name, one in value.items()]
        case "CAPITALS", list():
            return [text.upper() for text in value]
        case "PAIRS", list():
            return [_pair(text, path) for text in value]
        case "CONDITIONS", list():
            return _conditions(value, path)
    return value


def taker(name: str, hints: Hints, value: Any) -> str:
    """Returns the member of the graph that takes a value: another one where it is a name for the thing."""
    return str(hints["among"][0]) if hints.get("form") == "NAMED" and isinstance(value, str) else name


def _pair(text: str, path: Sequence[str]) -> dict[str, Any]:
    """Read ``muscle:4``."""
    found = _PAIR.fullmatch(text.strip())
    if found is None:
        message = f"A variable is written `name:whole number`, not {text[:60]!r}."
        issue = {"code": "BAD_VARIABLE", "message": message, "path": list(path), "found": text[:60]}
        raise Refusal("INVALID_INPUT", message, path=path, issues=[issue])
    return {"name": found["name"].strip(), "value": int(found["value"])}


def _conditions(given: Sequence[str], path: Sequence[str]) -> list[dict[str, Any]]:
    """Read ``gold:atMost:5``, each of them."""
    found: list[dict[str, Any]] = []
    issues: list[dict[str, Any]] = []
    for place, text in enumerate(given):
        name, _, rest = text.partition(":")
        test, colon, value = rest.partition(":")
        member = OLD_TESTS.get(test, test)
        if name and colon and member in TESTS:
            found.append({"field": name, member: _value(member, value)})
        else:
            message = "A condition is written `field:test:value`."
            where = {"path": [*path, str(place)], "found": text[:MOST_FOUND], "allowed": ", ".join(TESTS)}
            issues.append({"code": "BAD_CONDITION", "message": message, **where})
    if issues:
        raise Refusal("INVALID_INPUT", issues[0]["message"], path=issues[0]["path"], issues=issues)
    return found


def _value(test: str, text: str) -> Any:
    if test == "oneOf":
        return text.split(",")
    if test in ("atLeast", "atMost") and _NUMBER.fullmatch(text):
        return float(text)
    # What is no number where one belongs is told by the graph.
    return text


def snake(name: str) -> str:
    """Spells a name of the graph as slugs are: ``forgebornRealm`` is ``forgeborn_realm``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@dataclass(frozen=True, slots=True)
class Kinds:
    """A choice of one among several, told as ``kind`` and ``parameters``, or by the kind's own member.

    Attributes:
        member: of the graph, a ``@oneOf`` input: ``map``.
        kinds: its members, by the kinds as they are listed and answered: ``DUNGEON``.
    """

    member: str
    kinds: Mapping[str, str]

    @classmethod
    def of(cls, member: str, kind: GraphQLInputType) -> "Kinds":
        """Reads the kinds out of the graph's type."""
        fields = cast(GraphQLInputObjectType, get_named_type(kind)).fields
        return cls(member, {snake(name).upper(): name for name in fields})

    def describe(self, kind: GraphQLInputType, shapes: Shapes) -> tuple[dict[str, Schema], list[Schema]]:
        """Returns the members of a body, and the rules that say what ``parameters`` holds for each kind."""
        fields = cast(GraphQLInputObjectType, get_named_type(kind)).fields
        shape = {
            name: shapes.input(GraphQLNonNull(get_nullable_type(one.type)), {}, {})
            for name, one in fields.items()
        }
        about = "Which kind; or send the member of its name instead, with its parameters. " + SMALL_LETTERS
        spellings = [*self.kinds, *(listed.lower() for listed in self.kinds)]
        what = "Of that kind; what is left out has its default."
        members: dict[str, Schema] = {
            "kind": nullable({"type": "string", "enum": spellings, "description": about}),
            "parameters": nullable({"type": "object", "description": what}),
        }
        for name, one in fields.items():
            text = {"description": one.description} if one.description else {}
            members[name] = nullable({**shape[name], **text})
        rules = [
            {
                "if": {
                    "properties": {"kind": {"enum": [listed, listed.lower()]}},
                    "required": ["kind"],
                },
                "then": {"properties": {"parameters": nullable(shape[name])}},
            }
            for listed, name in self.kinds.items()
        ]
        return members, rules

    def read(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Reads the choice out of a body.

        Raises:
            Refusal: nothing is chosen, or more than one thing.
        """
        own = [name for name in self.kinds.values() if body.get(name) is not None]
        kind = body.get("kind")
        if len(own) + (kind is not None) != 1:
            message = (
                f"Name either `kind` or one of {', '.join(f'`{name}`' for name in self.kinds.values())}."
            )
            issue = {"code": "KIND_MISSING", "message": message, "path": ["kind"]}
            raise Refusal("INVALID_INPUT", message, path=["kind"], issues=[issue])
        return (
            {own[0]: body[own[0]]} if own else {self.kinds[str(kind).upper()]: body.get("parameters") or {}}
        )

    def told(self, path: Sequence[str], body: Mapping[str, Any]) -> list[str]:
        """Returns where in the body something stands that the graph finds within its member."""
        inside = list(path[1:])
        if body.get("kind") is None or not inside:
            return inside or ["kind"]
        return ["parameters", *inside[1:]]
