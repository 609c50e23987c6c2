"""Answers are compressed at the door, once, for who takes it; and say nothing of secrets by their length."""

import base64
import gzip
import json
import socket
import subprocess
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.gateway.federation.toy_house import FEDERATION, Gateway, ToyHouse

EVERY = ("zstd", "br", "gzip")
LONG = 97_000


def text(
    gateway: Gateway, accepted: str, *, method: str = "GET", length: int = LONG, **more: Any
) -> httpx.Response:
    """Read a text from the app behind; ``asked`` are headers that it is to answer with."""
    headers = {"accept-encoding": accepted, **more.pop("headers", {})}
    params = {"length": str(length), **more}
    return httpx.request(method, f"{gateway.url}/v1/text", params=params, headers=headers)


@contextmanager
def undecoded(
    gateway: Gateway, path: str, accepted: str, body: bytes | None = None
) -> Iterator[httpx.Response]:
    """Ask for something whose bytes are read as they come."""
    headers = {"accept-encoding": accepted, "content-type": "application/json", "accept": "*/*"}
    if body is not None:
        headers["accept"] = "text/event-stream"
    with httpx.stream(
        "GET" if body is None else "POST", f"{gateway.url}{path}", content=body, headers=headers, timeout=20
    ) as answer:
        yield answer


@dataclass(frozen=True)
class NodeCodings:
    """A process of Node that is asked line by line."""

    process: subprocess.Popen[str]

    def _ask(self, *question: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def preferred(self, accepted: str | None) -> str | None:
        """Ask the negotiation itself."""
        found: str | None = self._ask("preferred", accepted, EVERY)
        return found

    def plain(self, answer: httpx.Response) -> bytes:
        """Decode an answer; httpx has decoded gzip, and knows no other coding here."""
        coding = answer.headers.get("content-encoding", "gzip")
        if coding == "gzip":
            return answer.content
        return base64.b64decode(self._ask(coding, base64.b64encode(answer.content).decode()))


@pytest.fixture(scope="module")
def codings(toys: ToyHouse) -> Iterator[NodeCodings]:
    """Node, to ask about codings."""
    code = """
        import { createInterface } from 'node:readline';
        import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib';
        import { preferredCoding } from './codings.mjs';
        const bytes = (text) => Buffer.from(text, 'base64');
        const answers = {
            preferred: (accepted, offered) => preferredCoding(accepted, offered) ?? null,
            br: (text) => brotliDecompressSync(bytes(text)).toString('base64'),
            zstd: (text) => zstdDecompressSync(bytes(text)).toString('base64'),
        };
        console.log('ready');
        for await (const line of createInterface({ input: process.stdin })) {
            const [what, ...question] = JSON.parse(line);
            console.log(JSON.stringify(answers[what](...question)));
        }
    """
    with toys.node(code, FEDERATION) as (process, _ready):
        yield NodeCodings(process)


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        (None, None),
        ("", None),
        ("identity", None),
        ("gzip", "gzip"),
        ("gzip, deflate, br", "br"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("GZip", "gzip"),
        ("*", "zstd"),
        ("*;q=0", None),
        ("zstd;q=0, *", "br"),
        ("br;q=0.5, gzip;q=0.8", "gzip"),
        ("br ; q=1.0 , gzip ;q=0.999", "br"),
        ("identity, gzip;q=0.5", None),
        ("identity;q=0.1, gzip;q=0.5", "gzip"),
        ("gzip;q=0", None),
        ("gzip;q=0.000", None),
        ("gzip;q=2", None),
        ("gzip;q=banana", None),
        ("deflate", None),
    ],
)
def test_coding_is_the_one_that_the_client_likes_best(
    codings: NodeCodings, accepted: str | None, coding: str | None
) -> None:
    assert codings.preferred(accepted) == coding


@pytest.mark.parametrize("coding", EVERY)
def test_long_answers_of_the_app_are_compressed(gateway: Gateway, codings: NodeCodings, coding: str) -> None:
    answer = text(gateway, coding)
    plain = text(gateway, "identity")
    assert answer.headers["content-encoding"] == coding
    assert int(answer.headers["content-length"]) < LONG / 20
    assert answer.headers["vary"] == plain.headers["vary"] == "accept-encoding"
    assert codings.plain(answer) == plain.content
    assert "content-encoding" not in plain.headers
    assert int(plain.headers["content-length"]) == LONG


@pytest.mark.parametrize("coding", EVERY)
def test_answers_of_the_graph_are_compressed(gateway: Gateway, codings: NodeCodings, coding: str) -> None:
    answer = gateway.ask("{ long(length: 5000) }", headers={"accept-encoding": coding})
    assert answer.headers["content-encoding"] == coding
    assert int(answer.headers["content-length"]) < 1000
    assert json.loads(codings.plain(answer))["data"]["long"] == "x" * 5000


@pytest.mark.parametrize(
    "more",
    [
        {"length": 1023},
        {"type": "image/png"},
        {"type": "application/zip"},
        {"type": "font/woff2"},
        {"type": "image/webp"},
        {"content-encoding": "gzip2"},
        {"cache-control": "private, no-transform"},
        {"headers": {"range": "bytes=0-4000"}},
        {"x-hearthforge-secret": "1"},
    ],
)
def test_what_is_not_worth_it_or_must_not_be_leaves_as_it_is(gateway: Gateway, more: dict[str, Any]) -> None:
    answer = text(gateway, "gzip, br, zstd", **more)
    assert answer.headers.get("content-encoding") == more.get("content-encoding")
    assert int(answer.headers["content-length"]) == more.get("length", LONG)
    assert "x-hearthforge-secret" not in answer.headers


@pytest.mark.parametrize("kind", ["image/svg+xml", "text/html; charset=utf-8", "text/css", "text/javascript"])
def test_texts_of_other_kinds_are_compressed(gateway: Gateway, kind: str) -> None:
    assert text(gateway, "gzip", type=kind).headers["content-encoding"] == "gzip"


def test_tags_of_compressed_answers_are_weak_and_found_again(gateway: Gateway) -> None:
    packed, plain = (text(gateway, coding, etag='"v7"') for coding in ("gzip", "identity"))
    assert (packed.headers["etag"], plain.headers["etag"]) == ('W/"v7"', '"v7"')
    for accepted, held in (("gzip", 'W/"v7"'), ("gzip", '"v7"'), ("identity", 'W/"v7"')):
        known = text(gateway, accepted, etag='"v7"', headers={"if-none-match": held})
        assert (known.status_code, known.headers["etag"], known.content) == (304, held, b"")
        assert known.headers["vary"] == "accept-encoding"
    assert text(gateway, "gzip", etag='"v8"', headers={"if-none-match": 'W/"v7"'}).status_code == 200


def test_vary_keeps_what_the_app_varies_by(gateway: Gateway) -> None:
    assert text(gateway, "gzip", vary="authorization").headers["vary"] == "authorization, accept-encoding"


def test_head_tells_what_get_would_without_a_body(gateway: Gateway) -> None:
    head, got = (text(gateway, "gzip", method=method, etag='"v"') for method in ("HEAD", "GET"))
    told = ("content-encoding", "etag", "vary", "content-type")
    assert [head.headers[name] for name in told] == [got.headers[name] for name in told]
    assert head.content == b""
    assert "content-length" not in head.headers
    assert text(gateway, "identity", method="HEAD").headers["content-length"] == str(LONG)


def test_answer_longer_than_one_piece_is_compressed_while_it_is_sent(gateway: Gateway) -> None:
    length = 3_000_000
    answer = text(gateway, "gzip, br", length=length)
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.content) == length
    with undecoded(gateway, f"/v1/text?length={length}", "gzip") as raw:
        assert len(b"".join(raw.iter_raw())) < length / 50


def test_each_piece_of_a_stream_leaves_at_once(gateway: Gateway) -> None:
    with undecoded(gateway, "/v1/stream", "gzip") as answer:  # the whole would take 200 s
        assert answer.headers["content-encoding"] == "gzip"
        assert next(answer.iter_lines()) == "0"


def test_events_are_compressed_and_leave_at_once(gateway: Gateway) -> None:
    body = json.dumps({"query": "subscription { quiet }"}).encode()
    with undecoded(gateway, "/graphql", "gzip, br", body) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        found = ""
        for piece in answer.iter_text():
            found += piece
            if '"quiet":0' in found:
                break  # the stream itself never ends


def test_long_stream_of_events_comes_whole(gateway: Gateway) -> None:
    body = json.dumps({"query": 'subscription { ticks(count: 500, text: "a word and another") }'}).encode()
    with undecoded(gateway, "/graphql", "gzip", body) as answer:
        packed = b"".join(answer.iter_raw())
    plain = gzip.decompress(packed).decode()
    assert plain.count("event: next") == 500
    assert "a word and another 499" in plain
    assert len(packed) < len(plain) / 3


def test_secret_leaves_the_graph_uncompressed(gateway: Gateway) -> None:
    answer = gateway.ask(
        "{ invitation(length: 5000) long(length: 5000) }", headers={"accept-encoding": "gzip"}
    )
    assert "content-encoding" not in answer.headers
    assert answer.json()["data"]["invitation"] == "k" * 5000
    assert "secret" not in answer.json()["extensions"]


def test_stream_leaves_off_compressing_where_a_secret_comes(gateway: Gateway) -> None:
    body = json.dumps({"query": "subscription { codes }"}).encode()
    with undecoded(gateway, "/graphql", "gzip", body) as answer:
        packed = b"".join(answer.iter_raw())
    plain = gzip.decompress(packed)
    assert b"a" * 2000 in plain
    assert b"a" * 300 not in packed
    for letter in (b"b", b"c"):
        assert letter * 2000 in packed
    assert b"secret" not in plain


def test_answers_that_many_wait_for_at_once_all_come(gateway: Gateway) -> None:
    with httpx.Client(limits=httpx.Limits(max_connections=100)) as client, ThreadPoolExecutor(100) as pool:
        url, params = f"{gateway.url}/v1/text", {"length": "200000"}
        asked = {"accept-encoding": "gzip"}
        answers = pool.map(lambda _: client.get(url, params=params, headers=asked), range(150))
        assert {(each.status_code, len(each.content)) for each in answers} == {(200, 200_000)}


def test_compressed_answers_share_a_connection_in_order(gateway: Gateway) -> None:
    with socket.create_connection(("127.0.0.1", gateway.port), 10) as wire:
        for length, last in ((50_000, "keep-alive"), (2_000, "close")):
            head = f"GET /v1/text?length={length} HTTP/1.1\r\nhost: x\r\nconnection: {last}"
            wire.sendall(f"{head}\r\naccept-encoding: gzip\r\n\r\n".encode())
        found = b""
        while chunk := wire.recv(65_536):
            found += chunk
    lengths = []
    while found:
        head, _, rest = found.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        lengths.append(len(zlib.decompress(rest[:length], wbits=31)))
        found = rest[length:]
    assert lengths == [50_000, 2_000]
