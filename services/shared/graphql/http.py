"""Serves a schema over HTTP, SSE and WebSocket, and turns away what is malformed.

Each override of Strawberry's view answers a trap that was met:

- ``decode_json``: deep nesting, NaN, endless integers and bad UTF-8 are a client's error, not ours.
- ``parse_http_body``: bodies that are JSON but no object; operation names that are no strings.
- ``process_result`` / ``create_response``: media types and statuses as GraphQL over HTTP wants them.
- ``LineFeedSSE``: the federation gateway drops events whose lines end in CRLF.
- ``GuardedFrames``: WebSocket frames that are JSON but no message must close the socket, not break it.
- ``BodyLimit``: a body is measured while it arrives, whatever its headers say.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
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
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler
from strawberry.types import ExecutionResult

from services.shared.graphql.body import read_body
from services.shared.graphql.errors import Refused
from services.shared.graphql.schema import guarded

JSON = "application/json"
GRAPHQL_JSON = "application/graphql-response+json"
INIT_TIMEOUT = timedelta(seconds=3)
MAX_SUBSCRIPTIONS = 100
Count = Callable[[str, float, bool], None]


class LineFeedSSE(SSETransport):
    """Server-sent events whose lines end in LF."""

    def encode_event(self, event: str, data: str | None = None) -> str:
        """Encode one event."""
        return f"event: {event}\ndata: {data or ''}\n\n"

    def encode_comment(self, comment: str) -> str:
        """Encode a heartbeat."""
        return f": {comment}\n\n"


class GuardedFrames(BaseGraphQLTransportWSHandler[Any, Any]):
    """Closes a socket with 4400 at the first frame that is no message."""

    async def handle_message(self, message: Any) -> None:
        """Check a frame's shape before Strawberry relies on it."""
        if not isinstance(message, dict):
            await self.handle_invalid_message("A message must be an object")
        elif "id" in message and not isinstance(message["id"], str):
            await self.handle_invalid_message("A message's id must be a string")
        elif message.get("type") == "subscribe" and not _is_operation(message.get("payload")):
            await self.handle_invalid_message("A subscribe message needs an operation")
        elif message.get("type") == "connection_init" and not isinstance(
            message.get("payload", {}), dict | None
        ):
            await self.handle_invalid_message("The payload must be an object")
        else:
            await super().handle_message(message)  # type: ignore[arg-type]


class GraphQLApp(GraphQL[Any, None]):
    """A schema as an ASGI application.

    Args:
        schema: what is served.
        context: makes a request's context; may raise ``Refused``.
        on_operation: hears of each operation: its kind, its seconds, whether it had errors.
    """

    graphql_transport_ws_handler_class = GuardedFrames
    stream_transport_classes_by_protocol: Mapping[str, type[HTTPStreamTransport]] = {
        GRAPHQL_SSE_PROTOCOL: LineFeedSSE
    }

    def __init__(
        self,
        schema: Schema,
        *,
        context: Callable[[HTTPConnection], Awaitable[Any]],
        on_operation: Count | None = None,
    ) -> None:
        super().__init__(
            schema,
            graphql_ide=None,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL),
            connection_init_wait_timeout=INIT_TIMEOUT,
            max_subscriptions_per_connection=MAX_SUBSCRIPTIONS,
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
            limited = await read_body(scope, receive)
            response = await self.run(Request(scope, limited))
        except Refused as refusal:
            response = _error(refusal.status, refusal.code, str(refusal))
        except HTTPException as error:
            response = _error(error.status_code, "BAD_REQUEST", error.reason)
        await response(scope, receive, send)

    async def _answer_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive=receive, send=send)
        try:
            await self._context(socket)
        except Refused:
            await socket.accept()
            await socket.close(4403, "Forbidden")
            return
        await self.run(socket)

    async def get_context(self, request: Request | WebSocket, response: Any) -> Any:
        """Make the context of a request."""
        return await self._context(request)

    async def get_sub_response(self, request: Request | WebSocket) -> Response:
        """Remember which media type the client prefers."""
        response = await super().get_sub_response(request)
        response.headers["x-prefers"] = (
            GRAPHQL_JSON if prefers_graphql_json(request.headers.get("accept", "")) else JSON
        )
        return response

    def decode_json(self, data: str | bytes) -> object:
        """Read JSON strictly; anything odd is a bad request."""
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError as error:
            raise HTTPException(400, "The body is not valid JSON") from error

    def encode_json(self, data: object) -> bytes:
        """Write JSON."""
        return orjson.dumps(data)

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> Any:
        """Read the operation, checked to be one."""
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        if request.method == "POST" and content_type != JSON:
            raise HTTPException(415, f"Send the operation as {JSON}")
        try:
            data = await super().parse_http_body(request)
        except (AttributeError, TypeError) as error:
            raise HTTPException(400, "The body must be a JSON object") from error
        if not isinstance(data, GraphQLRequestData):
            raise HTTPException(400, "Batching is not supported")
        if not isinstance(data.operation_name, str | None):
            raise HTTPException(400, "`operationName` must be a string or null")
        return data

    async def execute_operation(self, *arguments: Any, **named: Any) -> Any:
        """Execute, and tell how long it took."""
        started = time.perf_counter()
        result = await super().execute_operation(*arguments, **named)
        if self._on_operation is not None:
            streaming = not isinstance(result, ExecutionResult)
            kind = "subscription" if streaming else "operation"
            failed = isinstance(result, ExecutionResult) and bool(result.errors)
            self._on_operation(kind, time.perf_counter() - started, failed)
        return result

    async def process_result(self, request: Any, result: ExecutionResult) -> GraphQLHTTPResponse:
        """Guard the errors of streams too; a request that was never executed has no ``data``."""
        if result.errors:
            result.errors = [guarded(error) for error in result.errors]
        out = await super().process_result(request, result)
        if result.data is None and result.errors and all(error.path is None for error in result.errors):
            out.pop("data", None)
        return out

    def create_response(self, response_data: Any, sub_response: Response) -> Response:
        """Answer in the media type asked for, with the status that it demands."""
        media = sub_response.headers.get("x-prefers", JSON)
        del sub_response.headers["x-prefers"]
        response = super().create_response(response_data, sub_response)
        if media == GRAPHQL_JSON:
            response.headers["content-type"] = f"{GRAPHQL_JSON}; charset=utf-8"
            if "data" not in response_data:
                response.status_code = 400
        return response


def prefers_graphql_json(accept: str) -> bool:
    """Tell whether an Accept header ranks the GraphQL media type at least as high as plain JSON."""
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


def _is_operation(payload: Any) -> bool:
    return (
        isinstance(payload, dict)
        and isinstance(payload.get("query"), str)
        and isinstance(payload.get("variables"), dict | None)
        and isinstance(payload.get("operationName"), str | None)
    )


def _error(status: int, code: str, message: str) -> Response:
    body = orjson.dumps({"errors": [{"message": message, "extensions": {"code": code}}]})
    return Response(body, status, media_type=JSON)
