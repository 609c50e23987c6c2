"""Reads a request and checks it, address, headers and body, against the schemas that describe them.

What is checked is what is described, so the two cannot differ. Nothing that nobody knows is taken: neither a
member of a body nor a parameter of the address; the nearest name that is known is told.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

import jsonschema_rs
import orjson
from starlette.requests import Request

from services.gateway.rest.endpoint import Call, Endpoint, Parameter, Schema
from services.gateway.rest.problems import Refusal, refuse_beyond
from services.gateway.rest.shapes import REFERENCE
from services.shared.auth import Viewer
from services.shared.graphql.misfits import REQUIRED
from services.shared.limits.values import count_values
from services.shared.wording import clipped, nearest, with_nearest

MOST_ISSUES, MOST_STEPS, LONGEST_STEP, MOST_NAMED = 50, 12, 120, 20

Issue = dict[str, Any]

_INTEGER = re.compile(r"[+-]?\d{1,19}")
_FLOAT = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
_TRUTH = {
    "true": True,
    "1": True,
    "yes": True,
    "on": True,
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}
_MOMENT = re.compile(r"\d{4}-")
_KINDS = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "boolean": "true or false",
} | {
    "object": "an object",
    "array": "a list",
    "null": "null",
}


class Reader:
    """Reads the requests of one endpoint.

    Args:
        endpoint: whose requests they are.
        named: the schemas that others refer to.
    """

    def __init__(self, endpoint: Endpoint, named: Mapping[str, Schema]) -> None:
        self._endpoint = endpoint
        self._named = named
        self._query = {one.name: one for one in endpoint.parameters if one.place == "query"}

    async def read(self, request: Request, viewer: Viewer) -> Call:
        """Returns a sound request.

        Raises:
            Refusal: ``INVALID_INPUT``, with everything that is wrong with it; ``TOO_MANY_VALUES``.
        """
        given, issues = self._parameters(request)
        issues += self._parameter_check.issues(given)
        body = None
        if self._body_check is not None:
            content = await request.body()
            if content:
                refuse_beyond(count_values(content), self._endpoint.values)
                body = orjson.loads(content)
                issues += self._body_check.issues(body)
            else:
                issues.append(_issue("REQUIRED", "The request needs a body.", ["body"]))
        if issues:
            refuse(issues)
        for one in self._endpoint.parameters:
            if "default" in one.schema:
                given.setdefault(one.name, one.schema["default"])
        return Call(request, viewer, given, body)

    @cached_property
    def _parameter_check(self) -> "Check":
        properties = {one.name: one.schema for one in self._endpoint.parameters}
        required = [one.name for one in self._endpoint.parameters if one.required]
        return Check({"type": "object", "properties": properties, "required": required}, self._named)

    @cached_property
    def _body_check(self) -> "Check | None":
        body = self._endpoint.body
        return None if body is None or body.json is None else Check(body.json, self._named)

    def _parameters(self, request: Request) -> tuple[dict[str, Any], list[Issue]]:
        given: dict[str, Any] = {}
        issues: list[Issue] = []
        texts: dict[str, list[str]] = {}
        for name, text in request.query_params.multi_items():
            texts.setdefault(name, []).append(text)
        for one in self._endpoint.parameters:
            match one.place:
                case "path":
                    found = [request.path_params[one.name]]
                case "header":
                    found = request.headers.getlist(one.name)[:1]
                case _:
                    found = texts.pop(one.name, [])
            if found:
                _take(one, found, given, issues)
        known = list(self._query)
        issues += [_unknown("UNKNOWN_PARAMETER", "parameter", name, known, [name]) for name in texts]
        return given, issues


def _take(one: Parameter, texts: Sequence[str], given: dict[str, Any], issues: list[Issue]) -> None:
    """Read the texts of a parameter into what its schema asks for."""
    shape = _sort_of(one.schema)
    item = shape.get("items", shape)
    try:
        read = [_value(text, item) for text in texts]
    except ValueError as error:
        found = clipped(texts[-1])
        issues.append(_issue("WRONG_TYPE", f"This must be {error}.", [one.name], found=found))
        return
    given[one.name] = read if shape.get("type") == "array" else read[-1]


def _sort_of(schema: Schema) -> Schema:
    """What a schema asks for where it takes null as well."""
    return (
        next((one for one in schema["anyOf"] if one.get("type") != "null"), schema)
        if "anyOf" in schema
        else schema
    )


def _value(text: str, schema: Schema) -> Any:
    match schema.get("type"):
        case "integer":
            if _INTEGER.fullmatch(text) is None:
                raise ValueError(_KINDS["integer"])
            return int(text)
        case "number":
            if _FLOAT.fullmatch(text) is None:
                raise ValueError(_KINDS["number"])
            return float(text)
        case "boolean":
            if text.lower() not in _TRUTH:
                raise ValueError(_KINDS["boolean"])
            return _TRUTH[text.lower()]
    return _moment(text) if schema.get("format") == "date-time" else text


def _moment(text: str) -> str:
    """Read a moment, with its offset; a date alone, or seconds since 1970, is none."""
    error = ValueError("a moment with its offset, such as 2026-11-21T20:00:00Z")
    if _MOMENT.match(text) is None:
        raise error
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise error from None
    if found.tzinfo is None:
        raise error
    return found.isoformat()


def referred(schema: Schema, named: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the schemas that a schema refers to, and those that these refer to.

    A validator takes room for whatever schemas it is given; all of them take 4 MB, for each endpoint.
    """
    found: dict[str, Schema] = {}
    waiting: list[Any] = [schema]
    while waiting:
        match waiting.pop():
            case {"$ref": str(reference), **rest} if reference.startswith(REFERENCE):
                name = reference.removeprefix(REFERENCE).partition("/")[0]
                if name not in found:
                    found[name] = named[name]
                    waiting.append(named[name])
                waiting.extend(rest.values())
            case dict(members):
                waiting.extend(members.values())
            case list(items) | tuple(items):
                waiting.extend(items)
    return found


class Check:
    """Holds values to a schema.

    Args:
        schema: what is asked for.
        named: the schemas that it may refer to, by name.
    """

    def __init__(self, schema: Schema, named: Mapping[str, Schema]) -> None:
        self._whole = {**schema, "components": {"schemas": referred(schema, named)}}
        self._validator = jsonschema_rs.validator_for(self._whole)

    def issues(self, value: Any) -> list[Issue]:
        """Lists what is wrong with a value, 50 things at most."""
        if self._validator.is_valid(value):
            return []
        found: list[Issue] = []
        for error in self._validator.iter_errors(value):
            found += self._of_error(error)
            if len(found) >= MOST_ISSUES:
                break
        return found[:MOST_ISSUES]

    def _of_error(self, error: Any) -> Iterator[Issue]:
        path, more = list(error.instance_path), error.kind.as_dict()
        match error.kind.name:
            case "anyOf":
                yield from self._of_branches(error, more["context"])
            case "required":
                yield _issue("REQUIRED", REQUIRED, [*path, more["property"]])
            case "additionalProperties":
                known = list(self._at(error.schema_path[:-1]).get("properties", ()))
                for name in more["unexpected"]:
                    yield _unknown("UNKNOWN_MEMBER", "member", name, known, [*path, name])
            case "enum":
                words = [str(one) for one in more["options"]]
                text = with_nearest(
                    "This is none of the words that may stand here.", str(error.instance), words
                )
                yield _issue("UNKNOWN_VALUE", text, path, found=_found(error.instance), allowed=_names(words))
            case "maxProperties" if more["limit"] == 1:
                names = ", ".join(f"`{name}`" for name in sorted(map(str, error.instance))[:MOST_NAMED])
                text = f"This takes exactly one member; {clipped(names)} are several."
                yield _issue("TOO_MANY", text, path, found=clipped(names), allowed="1")
            case "type":
                wanted = " or ".join(_KINDS[kind] for kind in more["types"])
                yield _issue("WRONG_TYPE", f"This must be {wanted}.", path, found=_found(error.instance))
            case kind:
                code, text = _LIMITS.get(kind, ("NOT_ALLOWED", error.message))
                allowed = str(more.get("limit", more.get("pattern", ""))) or None
                text = text.format(_number(more.get("limit")))
                yield _issue(code, text, path, found=_found(error.instance), allowed=allowed)

    def _of_branches(self, error: Any, branches: Sequence[Sequence[Any]]) -> Iterator[Issue]:
        """Tell what is wrong in the branch that was meant: the one that takes the value's own type."""

        def strange(branch: Sequence[Any]) -> bool:
            return any(one.kind.name == "type" and one.instance_path == error.instance_path for one in branch)

        meant = next((branch for branch in branches if not strange(branch)), None)
        if meant is not None:
            for one in meant:
                yield from self._of_error(one)
            return
        wanted = list(
            dict.fromkeys(
                kind
                for branch in branches
                for one in branch
                if one.kind.name == "type"
                for kind in one.kind.as_dict()["types"]
            )
        )
        text = f"This must be {' or '.join(_KINDS[kind] for kind in wanted)}."
        yield _issue("WRONG_TYPE", text, list(error.instance_path), found=_found(error.instance))

    def _at(self, steps: Sequence[str | int]) -> Any:
        place: Any = self._whole
        for step in steps:
            place = place[step]
        return place


_LIMITS: Mapping[str, tuple[str, str]] = {
    "minimum": ("OUT_OF_RANGE", "This must be at least {}."),
    "maximum": ("OUT_OF_RANGE", "This must be at most {}."),
    "minLength": ("LENGTH", "This must have at least {} characters."),
    "maxLength": ("LENGTH", "This must have at most {} characters."),
    "minItems": ("TOO_FEW", "This must have at least {} elements."),
    "maxItems": ("TOO_MANY", "This must have at most {} elements."),
    "minProperties": ("TOO_FEW", "This must have at least {} members."),
    "maxProperties": ("TOO_MANY", "This must have at most {} members."),
    "pattern": ("NOT_ALLOWED", "This is not written as it must be."),
}


def refuse(issues: Sequence[Issue]) -> None:
    """Refuses a request.

    Raises:
        Refusal: ``INVALID_INPUT``.
    """
    first = issues[0]
    where = ".".join(first["path"])
    detail = f"`{where}`: {first['message']}" if where else first["message"]
    raise Refusal("INVALID_INPUT", detail, path=first["path"], issues=list(issues[:MOST_ISSUES]))


def _issue(
    code: str, message: str, path: Sequence[Any], *, found: str | None = None, allowed: str | None = None
) -> Issue:
    steps = [str(step)[:LONGEST_STEP] for step in path][:MOST_STEPS]
    issue = {"code": code, "message": message, "path": steps}
    return issue | ({"found": found} if found else {}) | ({"allowed": allowed} if allowed else {})


def _unknown(code: str, sort: str, name: str, known: Sequence[str], path: Sequence[Any]) -> Issue:
    message = with_nearest(f"There is no such {sort} here.", name, known)
    return _issue(code, message, path, found=clipped(name), allowed=nearest(name, known) or _names(known))


def _names(known: Sequence[str]) -> str | None:
    return ", ".join([*known[:MOST_NAMED], *(["..."] if len(known) > MOST_NAMED else [])]) or None


def _found(value: Any) -> str:
    return clipped(value if isinstance(value, str) else orjson.dumps(value, default=str).decode())


def _number(limit: Any) -> str:
    return f"{limit:,}" if isinstance(limit, int | float) else ""
