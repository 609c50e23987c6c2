"""What endpoints that give files out have in common: how they are described, tagged, kept from harm."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from services.gateway.rest.answers import REVALIDATE, sent_on, tagged
from services.gateway.rest.endpoint import Answer, Call, Parameter, Schema
from services.gateway.rest.subgraphs import Subgraphs

BINARY: Schema = {"type": "string", "format": "binary"}
TEXT: Schema = {"type": "string"}
OBJECT: Schema = {"type": "object", "additionalProperties": True}
SVG = "image/svg+xml"
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A picture runs nothing and loads nothing, also where a browser opens it by itself."""

PICTURE_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
"""The same, of pictures that hold what they are made of."""

SECONDS = 25.0
"""How long what has to be drawn first may take."""

REDIRECT = Parameter(
    "redirect",
    "query",
    {"type": "boolean", "default": False},
    "Whether 307 will do: `location` is then an address that reads the same file straight from the bucket "
    "that it is stored in, for a minute and without a key; pages of browsers follow it where the bucket "
    "allows their origin. What is stored in no such bucket comes all the same.",
)

STREAMED = ("cache-control", "x-request-id", "x-ratelimit-remaining")


def path_id(name: str, what: str) -> Parameter:
    """Describes an id in a path; one of another shape is simply not found."""
    return Parameter(name, "path", {"type": "string"}, what, required=True)


def query(name: str, schema: Schema, description: str, *examples: Any) -> Parameter:
    """Describes a parameter behind the question mark, which may be left out."""
    return Parameter(name, "query", schema, description, examples=examples)


def whole(number: int, most: int, **more: Any) -> Schema:
    """Returns the schema of a whole number within bounds."""
    return {"type": "integer", "minimum": number, "maximum": most, **more}


def text(longest: int, **more: Any) -> Schema:
    """Returns the schema of a text of a length."""
    return {"type": "string", "maxLength": longest, **more}


def file_answer(
    media_type: str,
    schema: Schema,
    description: str = "The file.",
    headers: tuple[str, ...] = (),
    *,
    linked: bool = False,
) -> Answer:
    """Describes a file that a client may keep and must ask about."""
    return Answer(200, description, {media_type: schema}, headers, kept=True, linked=linked)


async def given_out(
    call: Call,
    graphs: Subgraphs,
    *segments: str,
    service: str,
    kind: str,
    media_type: str,
    policy: str | None = None,
    query: Mapping[str, Any] | None = None,
    name: str | None = None,
    passed: tuple[str, ...] = (),
) -> Response:
    """Gives a file of a service out, or tells who has it already.

    Args:
        call: the request.
        graphs: where to read it.
        segments: of its path inside the service.
        service: whose it is.
        kind: what to call it when there is none.
        media_type: of its content.
        policy: what a browser may do with it.
        query: parameters of the service's own.
        name: what the file is called when it is kept, in plain letters; the end of its path without.
        passed: headers that the service tells the client of.

    Raises:
        Refusal: there is none, or the service does not answer.
    """
    held = call.request.headers.get("if-none-match")
    content, etag, told = await graphs.file(
        call.viewer, service, kind, *segments, held=held, query=query or {}, seconds=SECONDS
    )
    headers = {header: told[header] for header in passed if header in told}
    if "location" in told:
        return sent_on(told["location"], headers)
    if policy:
        headers["content-security-policy"] = policy
    if name is not None:
        headers["content-disposition"] = f'inline; filename="{name}"'
    return tagged(call.request, content, media_type, cache=REVALIDATE, etag=etag, headers=headers)
