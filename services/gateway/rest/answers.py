"""Answers with an entity tag: a client that has the newest gets 304 and no content (RFC 9110, 13.1.2)."""

import hashlib
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

REVALIDATE = "private, no-cache"
A_WHILE = "private, max-age=300"
FOR_EVER = "private, max-age=31536000, immutable"
NEVER = "no-store"


def shown(request: Request, value: Any, *, cache: str = REVALIDATE) -> Response:
    """Answer a reading request with JSON; clients may keep it and must ask whether it still holds.

    Args:
        request: may carry ``If-None-Match``.
        value: the content.
        cache: for how long and by whom it may be kept; what only a release changes is good for a while.
    """
    return tagged(request, orjson.dumps(value), "application/json", cache=cache)


def tagged(
    request: Request,
    content: bytes | None,
    media_type: str,
    *,
    cache: str,
    etag: str | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """Answer with content and its entity tag, or with 304 when the client has it already.

    Args:
        request: may carry ``If-None-Match``.
        content: the whole of it; none where its tag is known to be the one that the client has.
        media_type: of the content.
        cache: for how long and by whom it may be kept.
        etag: quoted; a hash of the content when omitted.
        headers: further ones.
    """
    tag = etag or f'"{hashlib.sha256(content or b"").hexdigest()[:32]}"'
    all_headers = {"etag": tag, "cache-control": cache, "vary": "authorization", **(headers or {})}
    if content is None or matches(request.headers.get("if-none-match"), tag):
        return Response(None, 304, all_headers)
    return Response(content, 200, all_headers, media_type)


def made(value: Any, *, location: str | None = None, status: int = 201, cache: str = NEVER) -> Response:
    """Answer a changing request with what came of it."""
    headers = {"cache-control": cache, **({"location": location} if location else {})}
    return Response(orjson.dumps(value), status, headers, "application/json")


def matches(if_none_match: str | None, etag: str) -> bool:
    """Compare weakly: a tag's ``W/`` does not count."""
    if if_none_match is None:
        return False
    known = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return "*" in known or etag.removeprefix("W/") in known


def page(connection: dict[str, Any]) -> dict[str, Any]:
    """Turn a connection of the graph into a page of the REST face: its items and the cursor of the next."""
    info = connection["pageInfo"]
    return {"items": connection["nodes"], "next": info["endCursor"] if info["hasNextPage"] else None}
