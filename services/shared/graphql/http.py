"""Serves a schema over HTTP and server-sent events, and turns away what is malformed.

Each override of Strawberry's view answers a trap that was met:

- ``__call__``: a body is measured while it arrives, whatever its headers say; refusals are GraphQL errors in
  JSON, where Strawberry sends plain text.
- ``should_render_graphql_ide``: a GET without a query was 404 for whoever accepts anything.
- ``decode_json``: deep nesting, NaN, endless integers and bad UTF-8 are a client's error, not ours.
- ``parse_http_body``: forms; bodies that are JSON but no object; operation names that are no strings.
- ``execute_operation``: mutations by GET; subscriptions without a stream, which Strawberry executes like
  queries; queries of clients that would take a stream too, which it answers with one.
- ``process_result`` / ``create_response``: media types and statuses as GraphQL over HTTP wants them.
- ``LineFeedSSE``: the federation gateway drops events whose lines end in CRLF.
"""

import dataclasses
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import orjson
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.federation import Schema
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.streaming import HTTPStreamTransport, SSETransport
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from services.shared.answer_secrecy import holds_secret
from services.shared.graphql.body import read_body, refuse_beyond, too_deep
from services.shared.graphql.errors import Refused
from services.shared.graphql.schema import HouseSchema
from services.shared.graphql.websocket import Frames, GuardedMessages, close_code
from services.shared.limits.values import MOST, USUAL, count_values, values_of

JSON = "application/json"
GRAPHQL_JSON = "application/graphql-response+json"
INIT_TIMEOUT = timedelta(seconds=3)
MAX_SUBSCRIPTIONS = 100
METHODS = frozenset({"GET", "POST"})
VALUES = "hearthforge.values"
"""In the scope of a request: how many values its body holds."""

Count = Callable[[str, float, bool], None]
MakeContext = Callable[[HTTPConnection], Awaitable[Any]]


class LineFeedSSE(SSETransport):
    """Server-sent events whose lines end in LF."""

    def encode_event(self, event: str, data: str | None = None) -> str:
        """Encode one event; the JSON writer never breaks a line."""
        return f"event: {event}\ndata: {data or ''}\n\n"

    def encode_comment(self, comment: str) -> str:
        """Encode a heartbeat."""
        return f": {comment}\n\n"


class _Draft(Response):
    """What is known of a response before its operation has run."""

    graphql_json = False


class GraphQLApp(GraphQL[Any, None]):
    """A schema as an ASGI application.

    Args:
        schema: what is served; made by ``build_schema``.
        context: makes a request's or a socket's context; may raise ``Refused``.
        on_operation: hears of each operation over HTTP: its kind, its seconds, whether it had errors. Of
            a subscription it hears when the stream begins.
        init_timeout: how long a socket may take to introduce itself.
        max_subscriptions: how many operations a socket may carry at once.
    """

    schema: HouseSchema
    graphql_transport_ws_handler_class = GuardedMessages
    websocket_adapter_class = Frames
    stream_transport_classes_by_protocol: Mapping[str, type[HTTPStreamTransport]] = {
        GRAPHQL_SSE_PROTOCOL: LineFeedSSE
    }

    def __init__(
        self,
        schema: Schema,
        *,
        context: MakeContext,
        on_operation: Count | None = None,
        init_timeout: timedelta = INIT_TIMEOUT,
        max_subscriptions: int = MAX_SUBSCRIPTIONS,
    ) -> None:
        if not isinstance(schema, HouseSchema):
            raise TypeError("a schema that is served has limits: make it with build_schema")
        super().__init__(
            schema,
            graphql_ide=None,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL),
            connection_init_wait_timeout=init_timeout,
            max_subscriptions_per_connection=max_subscriptions,
            # Whoever can open a socket here holds a signed token; browsers never come this far.
            allowed_origins=("*",),
        )
        self._context = context
        self._on_operation = on_operation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or a socket."""
        if scope["type"] == "websocket":
            await self._answer_socket(scope, receive, send)
            return
        response: Response
        try:
            if scope["method"] not in METHODS:
                raise Refused(405, "METHOD_NOT_ALLOWED", "Send GET or POST.")
            again, values = await read_body(scope, receive)
            request = Request({**scope, VALUES: values}, again)
            response = await self.run(request)
        except Refused as refusal:
            response = _error(refusal.status, refusal.code, str(refusal), refusal.details)
        except HTTPException as error:
            response = _error(error.status_code, "BAD_REQUEST", error.reason)
        await response(scope, receive, send)

    async def _answer_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive=receive, send=send)
        try:
            await self.run(socket)
        except Refused as refusal:
            # The socket has been accepted by now: before that, it could only be closed as 1006.
            await Frames(self, socket, socket).close(close_code(refusal), refusal.code)

    async def get_context(self, request: Request | WebSocket, response: Any) -> Any:
        """Make the context of a request."""
        return await self._context(request)

    async def get_sub_response(self, request: Request | WebSocket) -> Response:
        """Remember which media type the client prefers."""
        draft = _Draft()
        draft.status_code = None  # type: ignore[assignment]  # Strawberry's way to say: not decided
        del draft.headers["content-length"]
        draft.graphql_json = prefers_graphql_json(request.headers.get("accept", ""))
        return draft

    def should_render_graphql_ide(self, request: Any) -> bool:
        """Never render one: the gateway has its own."""
        return False

    def decode_json(self, data: str | bytes) -> object:
        """Read JSON strictly; anything odd is a bad request.

        What an operation may hold is known once it is read; here ends what none may, and a text, which
        stands in an address.
        """
        try:
            found = orjson.loads(data)
        except orjson.JSONDecodeError as error:
            raise HTTPException(400, "The body is not valid JSON") from error
        if isinstance(data, str):
            refuse_beyond(count_values(data.encode()), USUAL)
        else:
            refuse_beyond(count_values(data), MOST)
        return found

    def encode_json(self, data: object) -> bytes:
        """Write JSON."""
        return orjson.dumps(data)

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> Any:
        """Read the operation, checked to be one."""
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        if request.method == "POST" and content_type != JSON:
            raise Refused(415, "UNSUPPORTED_MEDIA_TYPE", f"Send the operation as {JSON}.")
        try:
            data = await super().parse_http_body(request)
        except (AttributeError, TypeError) as error:
            raise HTTPException(400, "The body must be a JSON object") from error
        if not isinstance(data, GraphQLRequestData):
            raise HTTPException(400, "Batching is not supported")
        if not isinstance(data.operation_name, str | None):
            raise HTTPException(400, "`operationName` must be a string or null")
        if too_deep(data.variables) or too_deep(data.extensions):
            raise HTTPException(400, "The body is nested too deeply")
        return data

    async def execute_operation(
        self, request: Request, request_adapter: Any, request_data: Any, *arguments: Any, **named: Any
    ) -> Any:
        """Execute what may be executed this way, and tell how long it took."""
        started = time.perf_counter()
        kind = self.schema.kind(request_data.query, request_data.operation_name)
        fields = self.schema.root_fields(request_data.query, request_data.operation_name)
        refuse_beyond(request.scope[VALUES], values_of(fields))
        if kind is OperationType.MUTATION and request.method == "GET":
            raise Refused(405, "METHOD_NOT_ALLOWED", "Send mutations by POST.")
        if kind is OperationType.SUBSCRIPTION and request_data.protocol == "http":
            raise Refused(406, "NOT_ACCEPTABLE", "Ask for subscriptions with `Accept: text/event-stream`.")
        if kind is not OperationType.SUBSCRIPTION and request_data.protocol != "http":
            accept = request.headers.get("accept", "")
            if JSON in accept or GRAPHQL_JSON in accept:
                request_data = dataclasses.replace(request_data, protocol="http")
        result = await super().execute_operation(request, request_adapter, request_data, *arguments, **named)
        failed = isinstance(result, ExecutionResult) and bool(result.errors)
        request.state.failed = failed  # for the log: the status may say 200
        if self._on_operation is not None:
            self._on_operation(kind.value if kind else "unknown", time.perf_counter() - started, failed)
        return result

    async def process_result(self, request: Any, result: ExecutionResult) -> GraphQLHTTPResponse:
        """Return the answer, marked where it holds a secret; without ``data`` where nothing was executed."""
        out = await super().process_result(request, result)
        if result.data is None and result.errors and all(error.path is None for error in result.errors):
            out.pop("data", None)
        if holds_secret():
            out["extensions"] = {**(out.get("extensions") or {}), "secret": True}
        return out

    def create_response(self, response_data: Any, sub_response: Response) -> Response:
        """Answer in the media type asked for, with the status that it demands."""
        response = super().create_response(response_data, sub_response)
        graphql_json = isinstance(sub_response, _Draft) and sub_response.graphql_json
        if graphql_json:
            response.headers["content-type"] = f"{GRAPHQL_JSON}; charset=utf-8"
        if "data" not in response_data and (graphql_json or _too_complex(response_data)):
            response.status_code = 400
        return response


def prefers_graphql_json(accept: str) -> bool:
    """Tell whether an Accept header ranks the GraphQL media type at least as high as plain JSON."""
    if GRAPHQL_JSON not in accept.lower():
        return False
    best: dict[str, float] = {}
    for part in accept.split(","):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = 1.0
        for parameter in parameters:
            if parameter.startswith("q="):
                try:
                    quality = float(parameter[2:])
                except ValueError:
                    quality = 0.0
        best[media] = max(best.get(media, 0.0), quality)
    wanted = best.get(GRAPHQL_JSON, 0.0)
    return wanted > 0 and wanted >= best.get(JSON, 0.0)


def _too_complex(response_data: Any) -> bool:
    """Tell whether a limit stopped the operation: 400 in every media type, as at the gateway."""
    errors = response_data.get("errors") or ()
    return any(error.get("extensions", {}).get("code") == "QUERY_TOO_COMPLEX" for error in errors)


def _error(
    status: int, code: str, message: str, details: Mapping[str, Any] = MappingProxyType({})
) -> Response:
    body = orjson.dumps({"errors": [{"message": message, "extensions": {"code": code, **details}}]})
    headers = {"allow": "GET, POST"} if status == 405 else None
    return Response(body, status, headers, media_type=JSON)
