"""A small HTTP/1.1 client that keeps servers busy: each connection asks again as soon as it is answered.

It does as little as it can for a request (the bytes are made once, an answer is looked over but not decoded),
because it shares the machine's processors with what it measures.
"""

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from infra.benchmarks.harness.cases import BenchFailure, Sample

PATIENCE = 30.0  # seconds beyond the turn in which all answers must be there
TOLERATED = 0.01  # share of failures beyond which there is nothing left to be measured
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_END_OF_HEAD = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it goes over the wire.

    Attributes:
        message: all of its bytes.
        status: of the answer that is expected; any other is a failure.
        unwanted: bytes that make an answer a failure; empty for none.
    """

    message: bytes = field(repr=False)
    status: int = 200
    unwanted: bytes = b""

    @classmethod
    def get(cls, path: str, *, status: int = 200, **headers: str) -> "Request":
        """Make a GET request; ``_`` in a header's name is written ``-``."""
        return cls(_head(f"GET {path}", headers), status)

    @classmethod
    def post(cls, path: str, content: object, *, status: int = 200, **headers: str) -> "Request":
        """Make a POST request with a body of JSON."""
        return cls(_with_body(path, content, headers), status)

    @classmethod
    def graphql(cls, query: str, variables: dict[str, object], **headers: str) -> "Request":
        """Make a GraphQL request whose answer must have no errors."""
        message = _with_body("/graphql", {"query": query, "variables": variables}, headers)
        return cls(message, unwanted=b'"errors":')


def _with_body(path: str, content: object, headers: dict[str, str]) -> bytes:
    body = orjson.dumps(content)
    fixed = {"content-type": "application/json", "content-length": str(len(body))}
    return _head(f"POST {path}", {**headers, **fixed}) + body


def _head(start: str, headers: dict[str, str]) -> bytes:
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(
        [f"{start} HTTP/1.1", "host: bench", "accept: application/json", *lines, "", ""]
    ).encode()


async def drive(port: int, requests: Sequence[Request], connections: int, seconds: float) -> Sample:
    """Keep a server on 127.0.0.1 busy.

    A turn ends when the last answer is there, so that a server is charged with all that it was asked.

    Args:
        port: where it listens.
        requests: connection after connection takes the next one of these, and keeps it.
        connections: how many ask at the same time.
        seconds: after which nothing new is asked.

    Raises:
        BenchFailure: the server does not answer, or too many answers are not as expected.
    """
    loop = asyncio.get_running_loop()
    lines = [_Line(requests[number % len(requests)], loop.create_future()) for number in range(connections)]
    try:
        async with asyncio.timeout(seconds + PATIENCE):
            for line in lines:
                await loop.create_connection(lambda line=line: line, "127.0.0.1", port)  # type: ignore[misc]
            began = time.perf_counter()
            for line in lines:
                line.start(began + seconds)
            await asyncio.gather(*(line.done for line in lines))
            ended = time.perf_counter()
    except TimeoutError:
        raise BenchFailure(f"port {port} did not answer within {PATIENCE:.0f} s") from None
    except OSError as error:
        raise BenchFailure(f"port {port} cannot be reached: {error}") from None
    finally:
        for line in lines:
            line.close()
    latencies = [latency for line in lines for latency in line.latencies]
    failures = [failure for line in lines for failure in line.failures]
    if len(failures) > max(1, len(latencies) * TOLERATED) or not latencies:
        raise BenchFailure(
            f"{len(failures)} of {len(failures) + len(latencies)} answers failed: {failures[0]}"
        )
    return Sample(ended - began, latencies, failures)


class _Line(asyncio.Protocol):
    """One connection that asks the same again and again."""

    def __init__(self, request: Request, done: "asyncio.Future[None]") -> None:
        self.latencies: list[float] = []
        self.failures: list[str] = []
        self.done = done
        self._request = request
        self._status = str(request.status).encode()
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._until = 0.0
        self._asked = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    def start(self, until: float) -> None:
        self._until = until
        self._ask()

    def close(self) -> None:
        self.done.cancel()
        if self._transport is not None:
            self._transport.abort()

    def _ask(self) -> None:
        assert self._transport is not None
        self._asked = time.perf_counter()
        self._transport.write(self._request.message)

    def data_received(self, data: bytes) -> None:
        answer = self._buffer + data if self._buffer else data
        if not is_whole(answer):
            self._buffer = answer
            return
        now = time.perf_counter()
        self._buffer = b""
        unwanted = self._request.unwanted
        if answer[9:12] != self._status or (unwanted and unwanted in answer):
            self.failures.append(" ".join(answer.decode(errors="replace").split())[:1000])
        else:
            self.latencies.append((now - self._asked) * 1000)
        if now < self._until:
            self._ask()
        elif not self.done.done():
            self.done.set_result(None)

    def connection_lost(self, _error: Exception | None) -> None:
        # Closed instead of an answer: the others go on without this line.
        if not self.done.done():
            self.failures.append("the connection was closed instead of an answer")
            self.done.set_result(None)


def is_whole(answer: bytes) -> bool:
    """Tell whether these bytes are a whole HTTP/1.1 answer to a request that may have a body."""
    head = answer.find(_END_OF_HEAD)
    if head < 0:
        return False
    body = head + len(_END_OF_HEAD)
    if length := _LENGTH.search(answer, 0, head):
        # An answer of 304 names the length of what it does not send.
        return answer[9:12] == b"304" or len(answer) >= body + int(length[1])
    return not _CHUNKED.search(answer, 0, head) or _last_chunk_is_there(answer, body)


def _last_chunk_is_there(answer: bytes, at: int) -> bool:
    while (line := answer.find(b"\r\n", at)) >= 0:
        size = int(answer[at:line].split(b";")[0], 16)
        at = line + 2 + size + 2
        if size == 0:
            return len(answer) >= at
    return False
