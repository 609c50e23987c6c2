"""Clients that open, listen and leave again and again, in every way there is to leave."""

import asyncio
import contextlib
import itertools
import json
import random
import socket as sockets
import struct
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.e2e.product import PROTOCOL, Person, from_elsewhere

WAYS_TO_LEAVE = ("complete", "close", "terminate", "vanish")
LISTENS_SECONDS = (0.2, 3.0)
VANISHED_SECONDS = 2.0
OPEN_SECONDS = 20.0
RESET = struct.pack("ii", 1, 0)
"""Closing sends a reset: the client's machine has gone."""


@dataclass(slots=True)
class Crowd:
    """What the clients did.

    Attributes:
        people: who they are, in turn.
        url: of the product.
        subscription: what all of them follow.
        left: how often each way to leave was taken, by transport.
        events: how many events were received.
        failures: what went wrong, counted.
    """

    people: Sequence[Person]
    url: str
    subscription: dict[str, object]
    left: Counter[str] = field(default_factory=Counter)
    events: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    async def throng(self, size: int, seconds: float, seed: int) -> None:
        """Keeps so many clients going for a time; returns when the last has left."""
        end = time.monotonic() + seconds
        await asyncio.gather(
            *(
                self._client(person, random.Random(f"{seed} {number}"), end)
                for number, person in zip(range(size), itertools.cycle(self.people), strict=False)
            )
        )

    async def _client(self, person: Person, chance: random.Random, end: float) -> None:
        address = from_elsewhere()
        while time.monotonic() < end:
            over_socket = chance.random() < 0.5
            way = chance.choice(WAYS_TO_LEAVE)
            seconds = chance.uniform(*LISTENS_SECONDS)
            try:
                async with asyncio.timeout(OPEN_SECONDS + seconds + VANISHED_SECONDS):
                    if over_socket:
                        await self._socket(person, address, way, seconds)
                    else:
                        await self._stream(person, address, way, seconds)
            except (OSError, WebSocketException, TimeoutError, ValueError) as failure:
                self.failures[f"{type(failure).__name__}: {failure}"[:120]] += 1
                await asyncio.sleep(0.2)  # what is refused is not asked again at once
            else:
                self.left[f"{'WebSocket' if over_socket else 'SSE'} {way}"] += 1

    async def _socket(self, person: Person, address: dict[str, str], way: str, seconds: float) -> None:
        opened = await connect(
            self.url.replace("http", "ws", 1) + "/graphql",
            subprotocols=[PROTOCOL],
            additional_headers=address,
            proxy=None,
            ping_interval=None,
        )
        try:
            greeting = {"type": "connection_init", "payload": {"authorization": f"Bearer {person.key}"}}
            await opened.send(json.dumps(greeting))
            said = json.loads(await opened.recv())
            if said["type"] != "connection_ack":
                raise ValueError(f"greeted with {said}")
            await opened.send(json.dumps({"id": "1", "type": "subscribe", "payload": self.subscription}))
            await self._listen(opened, seconds)
            if way == "complete":
                await opened.send(json.dumps({"id": "1", "type": "complete"}))
        finally:
            await self._leave_socket(opened, way)

    async def _listen(self, opened: ClientConnection, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for text in opened:
                    message = json.loads(text)
                    if message["type"] == "error" or message.get("payload", {}).get("errors"):
                        raise ValueError(str(message["payload"])[:100])
                    self.events += message["type"] == "next"

    async def _leave_socket(self, opened: ClientConnection, way: str) -> None:
        match way:
            case "terminate":
                opened.transport.abort()
            case "vanish":
                opened.transport.pause_reading()
                await asyncio.sleep(VANISHED_SECONDS)
                _reset(opened.transport)
            case _:
                await opened.close()

    async def _stream(self, person: Person, address: dict[str, str], way: str, seconds: float) -> None:
        found = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(found.hostname, found.port)
        try:
            body = json.dumps(self.subscription).encode()
            head = [
                "POST /graphql HTTP/1.1",
                f"host: {found.netloc}",
                *(f"{name}: {value}" for name, value in {**person.headers, **address}.items()),
                "content-type: application/json",
                "accept: text/event-stream",
                f"content-length: {len(body)}",
            ]
            writer.write("\r\n".join([*head, "", ""]).encode() + body)
            status = await reader.readline()
            if b" 200 " not in status:
                raise ValueError(status.decode().strip() or "no answer")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while line := await reader.readline():
                        self.events += line.startswith(b"event: next")
            if way == "vanish":
                assert isinstance(writer.transport, asyncio.Transport)
                writer.transport.pause_reading()
                await asyncio.sleep(VANISHED_SECONDS)
        finally:
            if way in ("terminate", "vanish"):
                _reset(writer.transport)
            else:
                writer.close()


def _reset(transport: asyncio.BaseTransport) -> None:
    own = transport.get_extra_info("socket")
    if own is not None:
        own.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, RESET)
    assert isinstance(transport, asyncio.WriteTransport)
    transport.abort()
