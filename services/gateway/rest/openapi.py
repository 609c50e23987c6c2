"""The OpenAPI 3.1 description of all endpoints."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from services.gateway.rest.endpoint import Answer, Body, Endpoint, Parameter, Schema
from services.gateway.rest.problems import MEDIA_TYPE
from services.gateway.rest.shapes import REFERENCE, as_described, nullable
from services.gateway.rest.visitor import DRAWN, FILE, LIST, LOOK, OWN, PAGE, WRITE
from services.shared.map_extent import EXTENT_HEADER
from services.shared.problems import MAX_DIFFERING

TITLE = "Hearthforge REST API"
VERSION = "1.0.0"
DESCRIPTION = f"""\
The everyday requests of Hearthforge for clients that speak plain HTTP. The whole of it, with subscriptions,
is the GraphQL API at `/graphql`; both show the same things under the same ids.

**Keys.** Sign up with `POST /v1/accounts`, then send `Authorization: Bearer hf_live_...`. A key has scopes:
`READ` looks, `WRITE` changes things, `ADMIN` manages the account's keys. Make one key for each device.

**Versions.** The path names the version. Within `/v1` members and paths are added, never taken away or given
another meaning: ignore members that you do not know. What is to go is marked `deprecated` at least six months
before, with its date.

**Limits.** Each account has a bucket of 2,000 points that refills by 100 a second; GraphQL and all keys of
the account share it. Reading costs {min(OWN, LOOK, LIST, FILE)} to {max(OWN, LOOK, LIST, FILE)} points, a
page of a list {PAGE} and one for each ten that it may hold, a card or a chart {DRAWN}, changing {WRITE}; what
is heavy costs more, as much as its work.
Requests without a key are charged to the network that they come from, an address or an IPv6 /64, and all
requests from a network share a second bucket of 20,000 that refills by 1,000 a second. An empty bucket is
answered with 429 and `Retry-After`; what no bucket could ever pay with 400 and `QUERY_TOO_EXPENSIVE`. A
request has 256 KiB at most.

**Repeating.** Send an `Idempotency-Key` with what must not happen twice, made anew for each request; the same
request under the same key gets the same answer for 24 hours. An API key that was made is shown again only to
the API key that asked for it, and never to a visitor who signs up. Reading answers carry an `ETag`: send it
as `If-None-Match` and get 304 while nothing has changed.

**Texts** are Unicode without NUL; JSON is as RFC 8259 has it.

**Problems** are `application/problem+json` (RFC 9457) with a stable `code`. An unknown id and one that you
may not see are the same 404. While a part of the house is away, the door may also answer 502 or 504.
"""
TAGS = [
    {"name": "accounts", "description": "Signing up, and your own account."},
    {"name": "keys", "description": "API keys of your account."},
    {"name": "rolls", "description": "Dice, rolled and kept; receipts, and how they fell."},
    {"name": "odds", "description": "How likely rolls are."},
    {"name": "macros", "description": "Saved rolls."},
    {
        "name": "dice",
        "description": "A table's own dice and settings, and the keys that receipts are signed with.",
    },
    {"name": "characters", "description": "Characters and their sheets, cards and rewards."},
    {"name": "content", "description": "What games offer, to be looked through."},
    {"name": "content packs", "description": "Content of a table's own, to build characters under."},
    {"name": "tools", "description": "Questions that the games' own arithmetic answers."},
    {"name": "campaigns", "description": "Tables of people who play together, and their logs."},
    {
        "name": "scenes",
        "description": "A game's rules at the table: who stands where, what may be done, what was done.",
    },
    {
        "name": "simulations",
        "description": "Scenes that bots play by the thousand: who wins, and what a point is worth.",
    },
    {"name": "maps", "description": "Maps, made on demand."},
    {"name": "jobs", "description": "Long work: progress, result, cancelling."},
]

_EXAMPLES: dict[int, tuple[str, str, str, dict[str, Any]]] = {
    400: (
        "The request cannot be read.",
        "BAD_CURSOR",
        "The cursor `after` does not belong to this list.",
        {},
    ),
    401: (
        "No API key, or one that opens nothing.",
        "UNAUTHENTICATED",
        "This API key was revoked.",
        {"reason": "KEY_REVOKED"},
    ),
    403: (
        "The key lacks the scope, your role does not allow it, or signing up is not open to you.",
        "FORBIDDEN",
        "This API key lacks the scope WRITE.",
        {},
    ),
    404: (
        "There is no such thing, or you may not see it.",
        "NOT_FOUND",
        "There is no such roll, or you may not see it.",
        {"path": ["id"]},
    ),
    406: (
        "The answer has none of the forms that were asked for.",
        "NOT_ACCEPTABLE",
        "A portrait is given out as image/webp or image/png.",
        {},
    ),
    409: (
        "It was changed since you looked, or the idempotency key was used before.",
        "IDEMPOTENCY_CONFLICT",
        "This idempotency key was already used for another request.",
        {"path": ["idempotencyKey"]},
    ),
    413: ("More than 256 KiB.", "BODY_TOO_LARGE", "A request can have 262,144 bytes at most.", {}),
    415: (
        "The content is of a kind that is not taken here.",
        "UNSUPPORTED_MEDIA_TYPE",
        "Send JSON, as `Content-Type: application/json`.",
        {},
    ),
    422: (
        "The request breaks rules; all of them are listed.",
        "INVALID_INPUT",
        "`name` must have 1 to 120 characters.",
        {
            "path": ["name"],
            "issues": [
                {
                    "code": "LENGTH",
                    "message": "`name` must have 1 to 120 characters.",
                    "path": ["name"],
                    "found": "0",
                    "allowed": "1..120",
                }
            ],
        },
    ),
    429: ("The bucket is empty.", "RATE_LIMITED", "Too many requests; try again in 3 s.", {}),
    500: (
        "A fault of ours; please report the request id.",
        "INTERNAL",
        "Something went wrong here; the request id leads us to it.",
        {},
    ),
    503: (
        "A part of the house does not answer.",
        "UNAVAILABLE",
        "The dice service does not answer; try again.",
        {},
    ),
}
# In the words of Python 3.11: later ones have others.
_TITLES = {
    413: "Request Entity Too Large",
    422: "Unprocessable Entity",
}
_HEADERS: dict[str, dict[str, Any]] = {
    "x-request-id": {"description": "Names this request in our logs.", "schema": {"type": "string"}},
    "x-ratelimit-remaining": {
        "description": "Points left in your bucket of 2,000, which refills by 100 a second.",
        "schema": {"type": "integer"},
    },
    "etag": {"description": "Send it as `If-None-Match`.", "schema": {"type": "string"}},
    "cache-control": {"description": "For how long to keep it.", "schema": {"type": "string"}},
    EXTENT_HEADER: {
        "description": "What part of the map this is of, in cells or the units of the map: under fog, what "
        "you know of it. Positions in the file are counted from its first column and row.",
        "schema": {"type": "string", "examples": ["x=12, y=4, width=20, height=16"]},
    },
    "location": {"description": "Where it is.", "schema": {"type": "string"}},
    "retry-after": {"description": "Whole seconds to wait.", "schema": {"type": "integer"}},
    "www-authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
}
_EVERY = ("x-request-id", "x-ratelimit-remaining")
_ASKING = frozenset((400, 429, 500, 503))
_KEYED = frozenset((401, 403))
_SENDING = frozenset((413, 415, 422))
_OWN_HEADERS = {401: ("www-authenticate",), 429: ("retry-after",), 503: ("retry-after",)}


def describe(endpoints: Iterable[Endpoint], named: Mapping[str, Schema]) -> dict[str, Any]:
    """Writes the description.

    Args:
        endpoints: all there are.
        named: the schemas that others refer to, by name.
    """
    paths: dict[str, dict[str, Any]] = {}
    statuses: set[int] = set()
    for one in endpoints:
        told = problems_of(one)
        statuses |= told
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, told)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": TITLE,
            "version": VERSION,
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": TAGS,
        "paths": paths,
        "components": {
            "schemas": as_described({**named, **_problem_schemas(named)}),
            "headers": _HEADERS,
            "responses": {f"Problem{status}": _problem(status) for status in sorted(statuses)},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "hf_live_<id>_<secret>"}
            },
        },
        "security": [{"bearer": []}],
    }


def problems_of(endpoint: Endpoint) -> set[int]:
    """Lists the statuses with which an endpoint may refuse a request."""
    found = set(_ASKING | endpoint.problems) | (set() if endpoint.open else _KEYED)
    if endpoint.body is not None:
        found |= _SENDING
    elif endpoint.method in ("POST", "PUT", "PATCH"):
        found |= _SENDING  # a body that is sent all the same is looked at
    # The parts of a path take any text, unless they are numbers.
    if any(one.place != "path" or one.schema.get("type") != "string" for one in endpoint.parameters):
        found.add(422)
    if endpoint.method in ("GET", "DELETE"):
        found.add(422)  # what nobody knows behind the question mark
    return found


def _operation(endpoint: Endpoint, told: Iterable[int]) -> dict[str, Any]:
    scopes = [scope.name for scope in (endpoint.scope, *endpoint.also)]
    described: dict[str, Any] = {
        "operationId": endpoint.id,
        "summary": endpoint.summary,
        "description": endpoint.description,
        "tags": [endpoint.tag],
        "responses": _answers(endpoint.answer)
        | {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(told)},
        "security": [] if endpoint.open else [{"bearer": scopes}],
    }
    if endpoint.parameters:
        described["parameters"] = [_parameter(one) for one in endpoint.parameters]
    if endpoint.body is not None:
        described["requestBody"] = _request(endpoint.body)
    return described


def _parameter(one: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"name": one.name, "in": one.place, "schema": as_described(dict(one.schema))}
    if one.required:
        found["required"] = True
    if one.description:
        found["description"] = one.description
    if one.examples:
        found["example"] = one.examples[0]
    return found


def _request(body: Body) -> dict[str, Any]:
    examples = {"example": body.examples[0]} if body.examples else {}
    content = {
        kind: {"schema": _as_branches(as_described(dict(schema))), **examples}
        for kind, schema in body.content.items()
    }
    return {
        "required": True,
        "content": content,
        **({"description": body.description} if body.description else {}),
    }


def _as_branches(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns a schema whose rules "if this kind, then these parameters" are told as branches.


    The two say the same; the rules name what is wrong more exactly, and branches are what tools that read
    descriptions know how to fill in.
    """
    rules = schema.get("allOf")
    if rules is None:
        return schema
    branches = [{"properties": {**rule["if"]["properties"], **rule["then"]["properties"]}} for rule in rules]
    unnamed = {"properties": {name: {"type": "null"} for name in rules[0]["if"]["properties"]}}
    return {**{name: one for name, one in schema.items() if name != "allOf"}, "anyOf": [*branches, unnamed]}


def _answers(answer: Answer) -> dict[str, Any]:
    kept = ("etag", "cache-control") if answer.kept else ()
    headers = _headers(*dict.fromkeys((*answer.headers, *kept, *_EVERY)))
    content = {kind: {"schema": dict(schema)} for kind, schema in answer.content.items()}
    good: dict[str, Any] = {"description": answer.description, "headers": headers, "content": content}
    found = {str(answer.status): good}
    if answer.kept:
        found["304"] = {"description": "You have the newest.", "headers": headers}
    if answer.linked:
        where = _headers("location", *headers)
        found["307"] = {"description": "With `redirect=true`: where to read it.", "headers": where}
    return found


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _problem(status: int) -> dict[str, Any]:
    description, code, detail, more = _EXAMPLES[status]
    example = {
        "type": "about:blank",
        "title": _TITLES.get(status, HTTPStatus(status).phrase),
        "status": status,
        "code": code,
        "detail": detail,
        **more,
    }
    return {
        "description": description,
        "headers": _headers(*_OWN_HEADERS.get(status, ()), "x-request-id"),
        "content": {MEDIA_TYPE: {"schema": {"$ref": f"{REFERENCE}Problem"}, "example": example}},
    }


def _problem_schemas(named: Mapping[str, Schema]) -> dict[str, Schema]:
    """Describe problems (RFC 9457); what may be done instead of a move is described with the moves."""
    text: Schema = {"type": "string"}
    path: Schema = {"type": "array", "items": text}
    issue = {
        "type": "object",
        "description": "One broken rule of a request.",
        "properties": {
            "code": {
                **text,
                "description": "Stable, for programs; all of them are listed at `/docs/problems`.",
            },
            "message": {**text, "description": "A sentence for people."},
            "path": {**path, "description": "The part of the request it concerns."},
            "rule": nullable({**text, "description": "Book section or ruling that asks for it."}),
            "found": nullable({**text, "description": "What stands there."}),
            "allowed": nullable(
                {**text, "description": "What may stand there; of a slip of the pen, what was meant."}
            ),
        },
        "required": ["code", "message", "path"],
    }
    reasons = (
        "With 401: NO_KEY, KEY_UNKNOWN, KEY_EXPIRED, KEY_REVOKED, KEY_MALFORMED, TICKET_UNKNOWN or "
        "TICKET_EXPIRED."
    )
    legal = {"type": "array", "items": {"$ref": f"{REFERENCE}LegalMove"}} if "LegalMove" in named else {}
    number: Schema = {"type": "integer"}
    problem = {
        "type": "object",
        "description": "Why a request was not carried out (RFC 9457).",
        "properties": {
            "type": {**text, "examples": ["about:blank"]},
            "title": {**text, "description": "The status in words."},
            "status": number,
            "code": {
                **text,
                "description": "Stable, for programs; all of them are listed at `/docs/problems`.",
            },
            "detail": {**text, "description": "A sentence for people."},
            "path": {**path, "description": "The part of the request it concerns."},
            "issues": {
                "type": "array",
                "items": {"$ref": f"{REFERENCE}Issue"},
                "description": "Every broken rule, with 422.",
            },
            "legal": {**legal, "description": "With MOVE_REJECTED: what the actor may do now."},
            "reason": {**text, "description": reasons},
            "expectedVersion": {**number, "description": "With VERSION_CONFLICT: the one you named."},
            "currentVersion": {**number, "description": "With VERSION_CONFLICT: the one there is now."},
            "differing": {
                "type": "array",
                "items": {"$ref": f"{REFERENCE}DifferingField"},
                "maxItems": MAX_DIFFERING,
                "description": "With VERSION_CONFLICT and MAP_CHANGED: the fields that were changed since to "
                "other values than you ask for; none where you ask for the thing as a whole, as to delete "
                "it.",
            },
        },
        "required": ["type", "title", "status", "code", "detail"],
    }
    return {"DifferingField": _differing_field(path), "Issue": issue, "Problem": problem}


def _differing_field(path: Schema) -> Schema:
    """Return the schema of a field that is in conflict; its values are of any type."""
    told = {
        "yours": "What you ask for; null where you take the field away.",
        "theirs": "What stands there now; null where nothing does.",
        "base": "What stood there in the version that you named; null where nothing did, or it is not kept.",
    }
    return {
        "type": "object",
        "description": "A field that you and the edits since would change to different values.",
        "properties": {
            "path": {
                **path,
                "description": "The part of the request it concerns; of a map, the part of its `play`.",
            },
            **{name: {"description": text} for name, text in told.items()},
        },
        "required": ["path", *told],
    }
