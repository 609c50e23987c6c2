"""Requests whose framing is doubtful, what a strict reader sees in them, and what came back on the wire.

The strict reader is h11, which shares no code with the parser of the gateway and of the app behind it.
"""

import random
import re
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

import h11

CRLF = "\r\n"
BLANKS = re.compile(rb"(?m)^([A-Z]+) +(\S+) +(HTTP/\d)")
METHODS = ["GET", "GET", "HEAD", "DELETE", "OPTIONS", "POST", "POST", "PUT", "PATCH", "TRACE"]
DISTURBING = [
    "\r",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\0",
    "\x0b",
    ":",
    ",",
    ";",
    "0",
    "\xff",
    "\r\n\r\n",
    "%00",
    "%0d%0a",
]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What one connection sends, and which requests may be seen there.

    Attributes:
        sent: the bytes, in the pieces in which they are written.
        targets: paths of the requests that the strict reader sees, in order; where it gives up, those it
            sees without doubled blanks in request lines, which RFC 9112 lets a server forgive, followed by
            what was meant to come.
        methods: their methods.
        complete: whether the last of them is whole and asks for the connection's end.
    """

    sent: tuple[bytes, ...]
    targets: tuple[str, ...]
    methods: tuple[str, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """One final answer, as it came."""

    status: int
    headers: dict[str, str]
    body: bytes


def exchange(
    sent: bytes, pieces: tuple[bytes, ...] | None = None, meant: Sequence[tuple[str, str]] = ()
) -> Exchange:
    """Read what is sent as a strict server would.

    Args:
        sent: all bytes.
        pieces: the same, cut into writes.
        meant: method and path of each request that was not meant to hide.
    """
    asked, complete, refused = _read(sent)
    if refused:
        lenient, *_ = _read(BLANKS.sub(rb"\1 \2 \3", sent))
        asked = max(asked, lenient, key=len)
        asked += meant[len(asked) :]
    methods, targets = tuple(method for method, _ in asked), tuple(path for _, path in asked)
    return Exchange(pieces or (sent,), targets, methods, complete)


def _read(sent: bytes) -> tuple[list[tuple[str, str]], bool, bool]:
    """Read what is sent; give method and path of each request, whether the last is whole and asks for the
    connection's end, and whether the reader gave up."""
    reader = h11.Connection(h11.SERVER)
    reader.receive_data(sent)
    asked: list[tuple[str, str]] = []
    complete = False
    try:
        while True:
            event = reader.next_event()
            if isinstance(event, h11.Request):
                complete = False
                asked.append((event.method.decode(), path_of(event.target.decode("latin-1"))))
            elif isinstance(event, h11.EndOfMessage):
                # A tunnel that is opened would end the reading; this house opens none.
                status = 405 if asked[-1][0] == "CONNECT" else 200
                reader.send(h11.Response(status_code=status, headers=[("content-length", "0")]))
                reader.send(h11.EndOfMessage())
                complete = reader.our_state is h11.MUST_CLOSE
                if complete:
                    break
            elif event is h11.PAUSED:
                reader.start_next_cycle()
            elif event is h11.NEED_DATA:
                break
    except h11.RemoteProtocolError:
        return asked, False, True
    return asked, complete, False


def path_of(target: str) -> str:
    """The path that an application sees of a request target."""
    if target.lower().startswith(("http://", "https://")):
        _, _, rest = target.partition("://")
        target = "/" + rest.partition("/")[2]
    return unquote(target.partition("?")[0])


def ask(port: int, sent: Exchange, patience: float = 10.0) -> list[Answer]:
    """Send, and read every answer until the server ends the connection.

    Raises:
        TimeoutError: it neither answers nor ends it.
    """
    received = bytearray()
    with socket.create_connection(("127.0.0.1", port), patience) as wire:
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for piece in sent.sent:
                wire.sendall(piece)
            if not sent.complete:
                wire.shutdown(socket.SHUT_WR)
            while chunk := wire.recv(65_536):
                received += chunk
        except TimeoutError:
            raise
        except OSError:  # reset, or gone before our half was closed
            pass
    try:
        return list(answers(bytes(received), sent.methods))
    except ValueError as error:
        raise ValueError(f"{error}; sent {sent}; received {bytes(received)!r}") from error


def answers(received: bytes, methods: tuple[str, ...]) -> Iterator[Answer]:
    """Split what came into final answers.

    Raises:
        ValueError: it is no row of whole answers, or holds more than was asked.
    """
    count = 0
    while received:
        head, end, rest = received.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split(CRLF)
        version, status = first.split(" ")[:2]
        if not end or version != "HTTP/1.1":
            raise ValueError(f"no answer begins like this: {received[:60]!r}")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if int(status) < 200:
            received = rest
            continue
        is_head = count < len(methods) and methods[count] == "HEAD"
        # Before the method was understood, nobody could know that a body is not wanted.
        ends = headers.get("connection") == "close"
        body, received = (b"", rest) if is_head and not ends else _body(headers, rest)
        count += 1
        yield Answer(int(status), headers, body)


def _body(headers: dict[str, str], rest: bytes) -> tuple[bytes, bytes]:
    if "transfer-encoding" not in headers:
        length = int(headers.get("content-length", 0))
        return rest[:length], rest[length:]
    body = b""
    while True:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size, 16)
        body, rest = body + rest[:length], rest[length + 2 :]
        if length == 0:
            return body, rest


class Doubtful:
    """Makes connections full of doubtful requests, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._number = 0

    def connection(self) -> Exchange:
        """Make what one connection sends: a few requests, some of them disturbed, cut into a few writes."""
        self._number += 1
        any_of = self._random
        parts, meant = [], []
        for index in range(any_of.randint(1, 3)):
            method = any_of.choice(METHODS)
            meant.append((method, self._path(str(index))))
            parts.append(self._request(method, index))
        meant.append(("GET", self._path("end")))
        text = "".join(parts)
        if any_of.random() < 0.2:
            at = any_of.randrange(len(text))
            text = text[:at] + any_of.choice(DISTURBING) + text[at + any_of.randint(0, 2) :]
        text += f"GET {self._path('end')} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        sent = text.encode("latin-1")
        cuts = sorted(any_of.randrange(len(sent)) for _ in range(any_of.choice([0, 0, 1, 3])))
        pieces = [sent[a:b] for a, b in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
        return exchange(sent, tuple(piece for piece in pieces if piece), meant)

    def _path(self, name: str) -> str:
        return f"/v1/fuzz/{self._number}/{name}"

    def _hidden(self) -> str:
        """A request that hides in another one's body."""
        head = f"POST {self._path('hidden')} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.9.9.9\r\n"
        return f"{head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"

    def _request(self, method: str, index: int) -> str:
        """A sound request, or one that is odd in one place, so that it is refused for nothing else."""
        pick = self._random.choice
        odd = pick(["nothing", "line", "framing", "framing", "framing", "framing", "header", "ending"])
        framing, body = self._framed(self._hidden()) if odd == "framing" else self._sound(method)
        line = (
            self._odd_line(method, index) if odd == "line" else f"{method} {self._path(str(index))} HTTP/1.1"
        )
        lines = [line, "Host: x", *framing, *([self._odd_header()] if odd == "header" else [])]
        ending = pick(["\n", "\r", " \r\n", "\r\r\n"]) if odd == "ending" else CRLF
        return ending.join(lines) + ending + CRLF + body

    def _sound(self, method: str) -> tuple[list[str], str]:
        if method not in {"POST", "PUT", "PATCH"}:
            return [], ""
        content = self._hidden()
        if self._random.random() < 0.5:
            return [f"Content-Length: {len(content)}"], content
        return ["Transfer-Encoding: chunked"], f"{len(content):x}{CRLF}{content}{CRLF}0{CRLF}{CRLF}"

    def _odd_line(self, method: str, index: int) -> str:
        path = self._path(str(index))
        return self._random.choice(
            [
                *(
                    f"{method} {path} {version}"
                    for version in ("HTTP/1.0", "HTTP/2.0", "HTTP/1.2", "http/1.1", "")
                ),
                *(
                    f"{method} {form} HTTP/1.1"
                    for form in (
                        f"http://other.example{path}",
                        f"/{path}",
                        f"{path}?a=%0d%0aX:1",
                        "*",
                        f"{path} x",
                    )
                ),
                f"{method}  {path} HTTP/1.1",
                f" {method} {path} HTTP/1.1",
                f"{method.lower()} {path} HTTP/1.1",
                f"CONNECT other.example:443 HTTP/1.1{CRLF}Host: other.example:443",
            ]
        )

    def _framed(self, content: str) -> tuple[list[str], str]:
        """Header lines that say how long a body is, and the body."""
        pick = self._random.choice
        length, size = len(content), f"{len(content):x}"
        extension = pick(["", "", ";a", ";a=b", ';a="\r\n"', ";" + "x" * 200])
        odd_size = pick(
            [size, size.upper(), f"000{size}", f"{size} ", f" {size}", f"0x{size}", f"-{size}", f"+{size}"]
        )
        odd_end = pick([CRLF, CRLF, "\n", "", "\r"])
        chunked = f"{size}{extension}{CRLF}{content}{CRLF}0{CRLF}{CRLF}"
        odd_chunks = f"{odd_size}{extension}{odd_end}{content}{odd_end}0{CRLF}{CRLF}"
        trailer = f"{size}{CRLF}{content}{CRLF}0{CRLF}Content-Length: 7{CRLF}{CRLF}"
        coding = pick(
            [
                *("chunked", "Chunked", "identity", "chunked, identity", "identity, chunked", "xchunked"),
                *("chunked, chunked", "\tchunked", "chunked\x0b", "gzip, chunked", '"chunked"', ""),
            ]
        )
        odd_length = pick(
            [
                f"+{length}",
                f"{length}, {length}",
                f"0x{length:x}",
                "-1",
                f"{length} 0",
                f"{length}_0",
                "9" * 25,
            ]
        )
        named = pick(
            [
                "content-length",
                "transfer-encoding",
                "host",
                "x-forwarded-for",
                "authorization",
                "x-request-id",
            ]
        )
        return pick(
            [
                ([], ""),
                ([f"Content-Length: {length}"], content),
                (["Content-Length: 0"], ""),
                (["Transfer-Encoding: chunked"], chunked),
                (["Transfer-Encoding: chunked"], odd_chunks),
                (["Transfer-Encoding: chunked"], trailer),
                ([f"Transfer-Encoding: {coding}"], chunked),
                (["Transfer-Encoding: chunked", f"Content-Length: {len(chunked)}"], chunked),
                (["Content-Length: 4", "Transfer-Encoding: chunked"], chunked),
                ([f"Content-Length: {length}", f"Transfer-Encoding: {coding}"], content),
                (["Transfer-Encoding : chunked"], chunked),
                (["Transfer-Encoding:\r\n chunked"], chunked),
                ([f"Content-Length:\r\n\t{length}"], content),
                (["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], chunked),
                ([f"Content-Length: {odd_length}"], content),
                ([f"Content-Length: {length}", "Content-Length: 0"], content),
                ([f"Content-Length: {length}", f"Content-Length: {length}"], content),
                ([f"Content-Length: {length}", f"Connection: keep-alive, {named}"], content),
                ([f"Content_Length: {length}"], ""),
                ([f"X: y\nContent-Length: {length}"], content),
                ([f"Content-Length: {length}", "Expect: 100-continue"], content),
                (["Expect: 200-ok"], ""),
                (["Transfer-Encoding: chunked", "Expect: 100-continue"], chunked),
            ]
        )

    def _odd_header(self) -> str:
        return self._random.choice(
            [
                *("X: a\r\n b", "X : a", " X: a", "X", ": a", "X\0: a", "X: a\0b", "X: \xff\xfe", "Host: y"),
                *(
                    "Upgrade: h2c\r\nConnection: upgrade, http2-settings",
                    "Connection: close, close",
                    "TE: trailers",
                ),
                *("X-Hearthforge-Token: forged", "Connection: x-hearthforge-token", "Keep-Alive: max=1"),
                *(
                    "X: " + "y" * 5000,
                    "Authorization: Bearer hf_live_bob_s3cret",
                    "X-HTTP-Method-Override: DELETE",
                ),
                "Trailer: Content-Length",
            ]
        )
