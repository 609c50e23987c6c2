"""What every request passes before it is looked at: sizes, encodings, characters that no part can store.

JSON is read strictly here (RFC 8259: UTF-8, no NaN, no lone surrogates) and no deeper than any request needs,
so that nothing behind has to fear it. NUL is refused everywhere, since PostgreSQL cannot keep it in a text.

To read a large body takes time, whoever sent it and whatever becomes of it: the network that it comes from
pays for its size before it is looked at. What is refused here is charged too.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.gateway.rest.problems import Refusal, refuse_beyond
from services.gateway.rest.streaming import WITHOUT_CONTENT
from services.shared.limits.meter import TALLY
from services.shared.limits.purses import CAPACITY
from services.shared.limits.values import MOST, count_values

MAX_BODY = 256 * 1024
# A body that is too large is read all the same, up to here, and thrown away: who is answered while sending
# sees a broken connection as a rule, not the answer.
MAX_READ = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Upload:
    """A path that takes a whole file; who reads it there trusts it in nothing.

    Attributes:
        method: of HTTP.
        path: the form of the path.
        most: bytes that the file may have.
        media_type: what it may be called; forms hold a file among other things, and are none of these.
        wanted: the same for people.
    """

    method: str
    path: re.Pattern[str]
    most: int
    media_type: re.Pattern[str]
    wanted: str


def _named(*media_types: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(media_types)})\s*(?:;.*)?", re.IGNORECASE)


UPLOADS = (
    Upload(
        "POST",
        re.compile("/v1/maps/import"),
        64 * 1024 * 1024,
        _named(r"application/(?:[a-z0-9.+-]+\+)?json", "application/octet-stream"),
        "`application/json` or `application/octet-stream`",
    ),
    Upload(
        "PUT",
        re.compile("/v1/characters/[^/]+/portrait"),
        4 * 1024 * 1024,
        _named(r"image/[a-z0-9.+-]+", "application/octet-stream"),
        "`image/png`, `image/jpeg`, `image/webp` or `application/octet-stream`",
    ),
)

MAX_DEPTH = 32
MAX_NUMBER = 2**63
REMAINING, BUCKET = "limit_remaining", "limit_capacity"
"""Of the emptiest bucket of a client's own: the points in it, and how many it holds when full."""

ASTRAY = 2
"""What a request costs that comes to nothing."""

_JSON = re.compile(r"application/(?:[a-z0-9.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE)
FREE_BYTES = 16 * 1024
"""What a body may have before its size costs anything: reading less is part of every request's price."""

BYTES_PER_POINT = 4 * 1024
"""What reading and checking JSON for a point's worth of processor time comes to, at its slowest."""

UPLOADED_PER_POINT = 256 * 1024
"""The same for a file, which is passed on unread."""

Toll = Callable[[HTTPConnection, int], Awaitable[None]]

_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


class Guard:
    """Middleware around the REST face.

    It also answers HEAD as GET without its content, and tells each client what is left in its bucket.

    Args:
        app: what is guarded.
        toll: charges the network of a request; raises ``Refusal`` when it cannot pay.
    """

    def __init__(self, app: ASGIApp, toll: Toll) -> None:
        self._app = app
        self._toll = toll

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a sound request on; refuse any other."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        head = scope["method"] == "HEAD"
        state = scope.setdefault("state", {})

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                _mark(MutableHeaders(scope=message), state)
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            body = await self._sound_body(scope, receive)
        except Refusal as refusal:
            await refusal.response()(scope, receive, answer)
            return
        inner = {**scope, "method": "GET"} if head else scope
        state[WITHOUT_CONTENT] = head
        await self._app(inner, receive if body is None else _replay(body, receive), answer)

    async def _sound_body(self, scope: Scope, receive: Receive) -> bytes | None:
        """Read the body, and have it paid for before it is looked at."""
        connection = HTTPConnection(scope)
        try:
            _check_target(scope)
            if scope["method"] not in _WITH_BODY:
                return None
            body = await _read_body(scope, receive)
        except Refusal:
            await self._toll(connection, ASTRAY)
            raise
        upload = upload_of(scope)
        points = (len(body) - FREE_BYTES) // (BYTES_PER_POINT if upload is None else UPLOADED_PER_POINT)
        if points > 0:
            await self._toll(connection, points)
        try:
            _check_content(body, connection.headers.get("content-type", ""), upload)
        except Refusal:
            await self._toll(connection, ASTRAY)
            raise
        return body


def upload_of(scope: Scope) -> Upload | None:
    """Return the upload that a request is; None for any other request."""
    method, path = scope["method"], scope["path"]
    return next((one for one in UPLOADS if one.method == method and one.path.fullmatch(path)), None)


def _mark(headers: MutableHeaders, state: dict[str, Any]) -> None:
    if REMAINING in state:
        tally = TALLY.get()
        after_work = tally.remaining if tally else None
        headers["x-ratelimit-limit"] = str(state.get(BUCKET, CAPACITY))
        headers["x-ratelimit-remaining"] = str(state[REMAINING] if after_work is None else after_work)


def _check_target(scope: Scope) -> None:
    if "\0" in scope["path"] or b"\0" in unquote_to_bytes(scope["query_string"]):
        raise Refusal("BAD_REQUEST", "The address must not hold the character NUL.")


async def _read_body(scope: Scope, receive: Receive) -> bytes:
    headers = Headers(scope=scope)
    length = headers.get("content-length", "0")
    upload = upload_of(scope)
    most = MAX_BODY if upload is None else upload.most
    most_read = MAX_READ if upload is None else max(MAX_READ, 2 * most)
    if length.isascii() and length.isdigit() and (len(length) > 9 or int(length) > most_read):
        raise _too_large(most)
    chunks = bytearray()
    size, more = 0, True
    while more and size <= most_read:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        chunk = message.get("body", b"")
        more = message.get("more_body", False)
        size += len(chunk)
        if size <= most:
            chunks += chunk
    if size > most:
        raise _too_large(most)
    return bytes(chunks)


def _check_content(content: bytes, media_type: str, upload: Upload | None) -> None:
    if upload is not None:
        _check_file(media_type, upload)
    elif content:
        _check_json(content, media_type)


def _too_large(most: int) -> Refusal:
    return Refusal(
        "BODY_TOO_LARGE",
        f"A request can have {most:,} bytes at most here.",
        headers={"connection": "close"},
    )


def _check_file(media_type: str, upload: Upload) -> None:
    # Forms hold a file among other things: it would be kept with their boundaries, or not at all.
    if not upload.media_type.fullmatch(media_type.strip()):
        raise Refusal("UNSUPPORTED_MEDIA_TYPE", f"Send the file itself, as {upload.wanted}.")


def _check_json(content: bytes, media_type: str) -> None:
    if not _JSON.fullmatch(media_type.strip()):
        raise Refusal("UNSUPPORTED_MEDIA_TYPE", "Send JSON, as `Content-Type: application/json`.")
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        reason = str(error).split(":")[0][:120]
        raise Refusal("MALFORMED_JSON", f"The content is not JSON as RFC 8259 has it: {reason}.") from error
    refuse_beyond(count_values(content), MOST)
    if not _is_plain(value):
        _refuse(value)


def _is_plain(value: Any) -> bool:
    """Tell whether every part can keep a JSON value: level by level, much faster than by paths."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        kinds: dict[type, list[Any]] = {}
        for item in level:
            kinds.setdefault(type(item), []).append(item)
        numbers: Iterable[float] = kinds.get(int, []) + kinds.get(float, [])
        objects, arrays = kinds.get(dict, []), kinds.get(list, [])
        names = [name for found in objects for name in found]
        if any("\0" in text for text in kinds.get(str, [])) or any("\0" in name for name in names):
            return False
        if any(not -MAX_NUMBER < number < MAX_NUMBER for number in numbers):
            return False
        level = [item for found in objects for item in found.values()]
        level += [item for found in arrays for item in found]
        if not level:
            return True
    return False


def _refuse(value: Any) -> None:
    """Find what no part can keep, and where: without recursion."""
    waiting: list[tuple[Any, tuple[str, ...]]] = [(value, ())]
    while waiting:
        found, path = waiting.pop()
        if len(path) > MAX_DEPTH:
            raise Refusal("MALFORMED_JSON", f"The content is nested deeper than {MAX_DEPTH} levels.")
        match found:
            case str() if "\0" in found:
                raise _invalid("NUL_CHARACTER", "A text must not hold the character NUL.", path)
            case bool():
                pass
            case int() | float() if abs(found) >= MAX_NUMBER:
                raise _invalid("NUMBER_TOO_LARGE", "A number must be within 64 bits.", path)
            case dict():
                for key, item in found.items():
                    if "\0" in key:
                        raise _invalid("NUL_CHARACTER", "A name must not hold the character NUL.", path)
                    waiting.append((item, (*path, key)))
            case list():
                waiting.extend((item, (*path, str(place))) for place, item in enumerate(found))


def _invalid(code: str, message: str, path: tuple[str, ...]) -> Refusal:
    steps = [step[:120] for step in path]
    return Refusal(
        "INVALID_INPUT", message, path=steps, issues=[{"code": code, "message": message, "path": steps}]
    )


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed
