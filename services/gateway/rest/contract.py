"""The pieces that every path's description is made of: shapes of requests and answers, headers, problems."""

from typing import Annotated, Any, Generic, Literal, TypeVar

from fastapi import Header, Path, Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from services.gateway.rest.problems import MEDIA_TYPE

T = TypeVar("T")


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


# For JSON and its schemas 7.0 is an integer as good as 7.
Whole = Annotated[int, BeforeValidator(_whole)]
# Bounds come before the validator: behind it they would not show in the description.
Int32 = Annotated[int, Field(ge=-(2**31), le=2**31 - 1), BeforeValidator(_whole)]
Version = Annotated[int, Field(ge=1, le=2**31 - 1), BeforeValidator(_whole)]
Days = Annotated[int, Field(ge=1, le=3650), BeforeValidator(_whole)]


def said(description: str, **keywords: Any) -> Any:
    """Describe a required member with schema keywords that the owning service, not this face, enforces."""
    return Field(description=description, json_schema_extra=keywords)


ID_CHARACTERS = "0-9a-hjkmnp-tv-z"


class Asked(BaseModel):
    """Content of a request: exact types, and no members that nobody knows."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", strict=True)


class Shown(BaseModel):
    """Content of an answer."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", serialize_by_alias=True)


class Ref(Shown):
    """Another thing, by its id."""

    id: str


class Listed(Shown, Generic[T]):
    """One page of a list."""

    items: list[T]
    next: str | None = Field(description="Ask for the next page with `after` set to this; null at the end.")


class Issue(Shown):
    """One broken rule of a request."""

    code: str
    message: str
    path: list[str]
    rule: str | None = Field(None, description="Book section or ruling that asks for it.")
    found: str | None = None
    allowed: str | None = None


class Square(Shown):
    """A square by column and row, counted from 0 at the top left."""

    x: int
    y: int


class Reason(Shown):
    """One step of a number."""

    value: int = Field(description="What it adds; negative when it takes away.")
    source: str
    rule: str


class Reasons(Shown):
    """A number, and the steps that make it."""

    value: int
    parts: list[Reason]


class Choice(Shown):
    """One of several values."""

    value: str = Field(description="What goes into the move.")
    label: str = Field(description="What a button says.")


class MoveField(Shown):
    """Something that is still to be decided about a move."""

    name: str = Field(description="Its member of the move.")
    label: str = Field(description="What to ask.")
    kind: Literal["CHOICE", "CHOICES", "NUMBER", "SQUARE", "SQUARES", "TEXT", "FLAG"] = Field(
        description="How to ask."
    )
    choices: list[Choice]
    squares: list[Square]
    least: int | None = Field(description="Smallest number; or how many must be chosen.")
    most: int | None = Field(description="Largest number; or how many may be chosen.")
    required: bool = Field(description="Whether the move is not whole without it.")


class MoveChance(Shown):
    """How likely something is that a player hopes for, or fears."""

    id: str = Field(description="Stable within the move: `win`.")
    label: str = Field(description="What, in plain words, with what is assumed.")
    chance: str = Field(description="Exactly, in lowest terms: `35/144`.")
    value: float = Field(description="The same, rounded.")


class LegalMove(Shown):
    """A move that may be made now, ready for a button."""

    id: str = Field(description="Stable within the list.")
    actor: str = Field(description="Who makes it.")
    label: str = Field(description="What the button says.")
    text: str = Field(description="What it does, in plain words.")
    rule: str = Field(description="Where the rule stands.")
    move: dict[str, Any] = Field(description="Send it back as `move`, its fields filled in.")
    fields: list[MoveField] = Field(description="What is still to be decided.")
    cost: str = Field(description="What it costs, in the game's words; empty when it is free.")
    dice: Reasons | None = Field(description="Dice of its own roll, and why so many.")
    odds: str | None = Field(description="That roll as an expression for `/v1/odds`.")
    chances: list[MoveChance] = Field(
        description="How likely what comes of it is, as far as the actor can know."
    )


class Problem(BaseModel):
    """Why a request was not carried out (RFC 9457)."""

    model_config = ConfigDict(alias_generator=to_camel, extra="allow")

    type: str = Field(examples=["about:blank"])
    title: str = Field(description="The status in words.")
    status: int
    code: str = Field(description="Stable, for programs.")
    detail: str = Field(description="A sentence for people.")
    path: list[str] | None = Field(None, description="The part of the request it concerns.")
    issues: list[Issue] | None = Field(None, description="Every broken rule, with 422.")
    legal: list[LegalMove] | None = Field(None, description="With MOVE_REJECTED: what the actor may do now.")
    reason: str | None = Field(
        None, description="With 401: NO_KEY, KEY_UNKNOWN, KEY_EXPIRED, KEY_REVOKED or KEY_MALFORMED."
    )
    expected_version: int | None = Field(None, description="With VERSION_CONFLICT: the one you named.")
    current_version: int | None = Field(None, description="With VERSION_CONFLICT: the one there is now.")


First = Annotated[int, Query(ge=1, le=100, description="How many, 1 to 100.")]
After = Annotated[
    str | None, Query(max_length=120, description="Cursor: `next` of the page before.", examples=[None])
]


def _repeated(least: int) -> Any:
    return Header(
        alias="Idempotency-Key",
        min_length=least,
        max_length=255,
        description="The same key with the same request gives the same answer for 24 hours.",
        examples=["0b0e7a52-2a3d-4c8f-9b57-1f6f0f3c9d11"],
    )


IdempotencyKey = Annotated[str | None, _repeated(1)]
SignUpKey = Annotated[str | None, _repeated(32)]

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
        "This API key lacks the scope 'write'.",
        {},
    ),
    404: (
        "There is no such thing, or you may not see it.",
        "NOT_FOUND",
        "There is no such roll, or you may not see it.",
        {"path": ["id"]},
    ),
    409: (
        "Somebody changed it since you looked, or the idempotency key was used for another request.",
        "IDEMPOTENCY_CONFLICT",
        "This idempotency key was already used for another request.",
        {"path": ["idempotencyKey"]},
    ),
    413: ("More than 256 KiB.", "BODY_TOO_LARGE", "A request can have 262,144 bytes at most.", {}),
    415: (
        "The content is no JSON.",
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
_TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    413: "Request Entity Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Entity",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
}
_HEADERS: dict[str, dict[str, Any]] = {
    "x-request-id": {"description": "Names this request in our logs.", "schema": {"type": "string"}},
    "x-ratelimit-remaining": {
        "description": "Points left in your bucket of 2,000, which refills by 100 a second.",
        "schema": {"type": "integer"},
    },
    "etag": {"description": "Send it as `If-None-Match`.", "schema": {"type": "string"}},
    "cache-control": {"description": "For how long to keep it.", "schema": {"type": "string"}},
    "location": {"description": "Where it is.", "schema": {"type": "string"}},
    "retry-after": {"description": "Whole seconds to wait.", "schema": {"type": "integer"}},
    "www-authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
}
_EVERY = ("x-request-id", "x-ratelimit-remaining")
_ASKING = (401, 403, 429, 500, 503)
_SENDING = (400, 413, 415, 422)

Responses = dict[int | str, dict[str, Any]]


def id_path(prefix: str, what: str) -> Any:
    """Describe the id in a path; one of another shape is simply not found."""
    return Path(description=what, examples=[f"{prefix}_01jd8x6m3v5q7r9t0w2y4z6a8c"])


def reading(
    shown: Any, *problems: int, description: str = "Here it is.", media_type: str | None = None
) -> Responses:
    """Describe the answers of a path that reads one thing or a list.

    Args:
        shown: model of the content; None with ``media_type`` for content that is no JSON of ours.
        problems: statuses beyond those that every path with a key has.
        description: of the good answer.
        media_type: of the content, when it is not described by a model.
    """
    good: dict[str, Any] = {
        "description": description,
        "headers": _headers("etag", "cache-control", *_EVERY),
    }
    if media_type is None:
        good["model"] = shown
    else:
        good["content"] = {media_type: {"schema": shown}}
    kept = {"description": "You have the newest.", "headers": _headers("etag", "cache-control", *_EVERY)}
    return {200: good, 304: kept, **refusals(400, *problems, *_ASKING)}


def changing(
    shown: Any, *problems: int, status: int = 201, description: str, located: bool = False
) -> Responses:
    """Describe the answers of a path that changes something.

    Args:
        shown: model of the content.
        problems: statuses beyond those that every changing path has.
        status: of the good answer.
        description: of the good answer.
        located: whether the answer says where the new thing is.
    """
    headers = _headers(*(("location",) if located else ()), *_EVERY)
    good = {"model": shown, "description": description, "headers": headers}
    return {status: good, **refusals(*problems, *_SENDING, *_ASKING)}


def refusals(*statuses: int) -> Responses:
    """Describe problems by their statuses."""
    return {status: _refusal(status) for status in sorted(set(statuses))}


def _refusal(status: int) -> dict[str, Any]:
    description, code, detail, more = _EXAMPLES[status]
    example = {
        "type": "about:blank",
        "title": _TITLES[status],
        "status": status,
        "code": code,
        "detail": detail,
        **more,
    }
    own = {401: ("www-authenticate",), 429: ("retry-after",), 503: ("retry-after",)}.get(status, ())
    return {
        "description": description,
        "headers": _headers(*own, "x-request-id"),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example}},
    }


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def header_components() -> dict[str, Any]:
    """Give the descriptions of the headers, by name."""
    return _HEADERS
