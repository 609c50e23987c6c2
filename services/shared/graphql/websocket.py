"""Sockets that speak graphql-transport-ws, and close with the right code when a client does not.

Each override answers a trap that was met:

- ``Frames.iter_json``: binary frames, frames that are no JSON and frames that are too long.
- ``Frames.send_json``: bytes from the JSON writer would leave as binary frames, which browsers cannot read.
- ``Frames.close``: a reason longer than 123 bytes breaks the socket (1006), and reasons quote the client.
- ``GuardedMessages.handle_message``: JSON that is no message.
- ``GuardedMessages.handle_task_exception``: a client that left was a stack trace in the log.
- ``GuardedMessages._get_pre_execution_close_reason``: a typing error in one operation ended all others.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import Any

import orjson
import structlog
from graphql import GraphQLError
from starlette.websockets import WebSocketState
from strawberry.asgi import ASGIWebSocketAdapter
from strawberry.http.exceptions import (
    NonJsonMessageReceived,
    NonTextMessageReceived,
    WebSocketDisconnected,
)
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler

from services.shared.graphql.body import MAX_BODY, too_deep
from services.shared.graphql.errors import Refused
from services.shared.limits.values import USUAL, count_values

MAX_REASON = 123
MAX_ID = 128
BAD_REQUEST = 4400
TOO_BIG = 1009
INTERNAL_ERROR = 4500
_REFUSALS = {401: 4401, 403: 4403}

log = structlog.get_logger(__name__)


class Frames(ASGIWebSocketAdapter):
    """Reads and writes the frames of one socket."""

    async def iter_json(self, *, ignore_parsing_errors: bool = False) -> AsyncGenerator[object, None]:
        """Give each text frame's JSON until the socket closes."""
        while self.ws.application_state != WebSocketState.DISCONNECTED:
            frame = await self.ws.receive()
            if frame["type"] == "websocket.disconnect":
                return
            text = frame.get("text")
            if text is None:
                raise NonTextMessageReceived
            if len(text.encode()) > MAX_BODY:
                await self.close(TOO_BIG, "The message is too long")
                return
            try:
                message = orjson.loads(text)
            except orjson.JSONDecodeError as error:
                raise NonJsonMessageReceived from error
            if count_values(text.encode()).beyond(USUAL):
                await self.close(TOO_BIG, "The message holds too many values")
                return
            yield message

    async def send_json(self, message: Mapping[str, object]) -> None:
        """Write a message as a text frame."""
        if self.ws.application_state == WebSocketState.DISCONNECTED:
            raise WebSocketDisconnected
        await self.ws.send_text(self.view.encode_json_string(message))

    async def close(self, code: int, reason: str) -> None:
        """Close the socket, once."""
        if self.ws.application_state != WebSocketState.DISCONNECTED:
            await self.ws.close(code, reason.encode()[:MAX_REASON].decode(errors="ignore"))


class GuardedMessages(BaseGraphQLTransportWSHandler[Any, Any]):
    """Closes a socket with 4400 at the first frame that is no message of the protocol."""

    async def handle_message(self, message: Any) -> None:
        """Check a message's shape before Strawberry relies on it."""
        if wrong := _wrong(message):
            await self.handle_invalid_message(wrong)
            return
        if message.get("payload", ...) is None:
            message = {key: value for key, value in message.items() if key != "payload"}
        try:
            await super().handle_message(message)
        except WebSocketDisconnected:
            raise
        except Exception as error:
            log.error("socket_failed", exc_info=error)
            await self.websocket.close(INTERNAL_ERROR, "Internal error")

    async def handle_subscribe(self, message: Any) -> None:
        """Start an operation, unless the socket has its fill of them."""
        most = self.max_subscriptions_per_connection
        full = most is not None and len(self.operations) >= most and message["id"] not in self.operations
        if not (full and self.connection_acknowledged):
            await super().handle_subscribe(message)
            return
        error = GraphQLError(
            f"A socket carries {most} operations at the most.", extensions={"code": "TOO_MANY_SUBSCRIPTIONS"}
        )
        await self.send_message({"id": message["id"], "type": "error", "payload": [error.formatted]})

    async def handle_task_exception(self, error: Exception) -> None:
        """Log what ended an operation; that the client has gone is no news."""
        if not isinstance(error, WebSocketDisconnected):
            log.error("operation_failed", exc_info=error)

    @staticmethod
    def _get_pre_execution_close_reason(error: GraphQLError) -> str | None:
        return None


def close_code(refusal: Refused) -> int:
    """Give the code that closes a socket where an HTTP request would have been refused."""
    return _REFUSALS.get(refusal.status, BAD_REQUEST)


def _wrong(message: Any) -> str | None:
    """Say what is wrong with a message; None when it has the shape of one."""
    match message:
        case {"type": "subscribe", "id": str(name), "payload": dict(payload)}:
            if not 0 < len(name) <= MAX_ID:
                return f"An operation's id has 1 to {MAX_ID} characters"
            return None if _is_operation(payload) else "The payload must be an operation"
        case {"type": "complete", "id": str()}:
            return None
        case {"type": "connection_init" | "ping" | "pong"}:
            payload = message.get("payload")
            return None if isinstance(payload, dict | None) else "The payload must be an object"
        case {"type": "subscribe" | "complete"}:
            return "The message needs an id and, to subscribe, a payload"
        case _:
            return "This is no message of graphql-transport-ws"


def _is_operation(payload: dict[str, Any]) -> bool:
    return (
        isinstance(payload.get("query"), str)
        and isinstance(payload.get("variables"), dict | None)
        and isinstance(payload.get("operationName"), str | None)
        and isinstance(payload.get("extensions"), dict | None)
        and not too_deep(payload)
    )
