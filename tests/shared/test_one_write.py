"""Answers of the services leave in one write, in the order in which they were written."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvicorn

from services.shared.serve import one_write
from services.shared.serve.one_write import JoinedWrites, OneWriteProtocol

Asgi = Callable[[Any, Any, Any], Awaitable[None]]


class Wire:
    """A transport that remembers what it is told."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def write(self, data: bytes) -> None:
        self.heard.append(data)

    def writelines(self, pieces: list[bytes]) -> None:
        self.heard.append(b"".join(pieces))

    def close(self) -> None:
        self.heard.append("close")

    def set_protocol(self, protocol: object) -> None:
        self.heard.append(protocol)

    def is_closing(self) -> bool:
        return "close" in self.heard


async def test_what_is_written_in_one_turn_leaves_together_and_later_pieces_later() -> None:
    wire = Wire()
    joined: Any = JoinedWrites(wire)  # type: ignore[arg-type]
    joined.write(b"head ")
    joined.write(b"body")
    assert wire.heard == []
    await asyncio.sleep(0)
    joined.write(b"event")
    await asyncio.sleep(0)
    assert wire.heard == [b"head body", b"event"]


@pytest.mark.parametrize("end", ["close", "protocol"])
async def test_nothing_is_left_behind_when_a_connection_ends_or_is_handed_over(end: str) -> None:
    wire = Wire()
    joined: Any = JoinedWrites(wire)  # type: ignore[arg-type]
    joined.writelines([b"last ", b"words"])
    if end == "close":
        joined.close()
    else:
        joined.set_protocol("protocol")
    assert joined.is_closing() == (end == "close")
    await asyncio.sleep(0)
    assert wire.heard == [b"last words", end]


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer with a head and two pieces, the second on another turn of the loop."""
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"6")]})
    await send({"type": "http.response.body", "body": b"abc", "more_body": True})
    if scope["path"] == "/slow":
        await asyncio.sleep(0.01)
    await send({"type": "http.response.body", "body": b"def"})


@pytest.mark.parametrize(("path", "writes"), [("/", 1), ("/slow", 2)])
async def test_server_sends_head_and_body_in_one_write(
    monkeypatch: pytest.MonkeyPatch, path: str, writes: int
) -> None:
    sent: list[bytes] = []

    class Counted(JoinedWrites):
        def _flush(self) -> None:
            if self._waiting:
                sent.append(b"".join(self._waiting))
            super()._flush()

    monkeypatch.setattr(one_write, "JoinedWrites", Counted)
    config = uvicorn.Config(app, port=0, http=OneWriteProtocol, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    with contextlib.ExitStack() as ending:
        ending.enter_context(server.capture_signals())
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup()
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        await server.shutdown()
    assert answer.endswith(b"\r\n\r\nabcdef")
    assert len(sent) == writes
    assert b"".join(sent) == answer
