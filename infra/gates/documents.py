"""What is too large or no request at all is refused with a 4xx and within 50 ms of processor time.

Sent to the gateway with a key, and to each service behind it with a signed token: none may lean on another.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import httpx

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure, Wanted
from infra.gates.frame.house import House
from infra.gates.frame.processor import Meter
from services.shared.settings import SERVICES

REFUSAL_MS = 50.0
TIMES = 5
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Sent:
    """One request that must be refused.

    Attributes:
        content: its body.
        media: its content type.
        method: POST, or GET with ``content`` as the query part of the address.
    """

    content: bytes
    media: str = JSON
    method: str = "POST"


def operation(query: str) -> Sent:
    """Returns a request that is sound but for its document."""
    return Sent(json.dumps({"query": query}).encode())


def nested(levels: int) -> str:
    """Returns a document that nests so many levels; what its fields are called does not matter."""
    return "{" + "{".join("a" for _ in range(levels)) + "}" * levels


def doubled(times: int) -> str:
    """Returns a document of a few hundred bytes that stands for two to the power of ``times`` fields."""
    chain = " ".join(f"fragment F{n} on Query {{ ...F{n + 1} ...F{n + 1} }}" for n in range(times))
    return f"{{ ...F0 }} {chain} fragment F{times} on Query {{ __typename }}"


CYCLE = "{ ...A } fragment A on Query { ...B } fragment B on Query { __typename ...A }"
TYPENAME = '{"query":"{__typename}"'
REFUSED: Mapping[str, Sent] = {
    "depth 13": operation(nested(13)),
    "31 aliases": operation("{" + " ".join(f"a{n}: __typename" for n in range(31)) + "}"),
    "11 directives": operation("{ __typename " + "@include(if: true) " * 11 + "}"),
    "21 root fields": operation("{" + "__typename " * 21 + "}"),
    "2,001 tokens": operation("{ a(b: [" + "1 " * 1994 + "]) }"),
    "a cycle of fragments": operation(CYCLE),
    "2^25 doubled spreads": operation(doubled(25)),
    "a body of 257 KiB": Sent(f'{TYPENAME},"x":"{"a" * 257 * 1024}"}}'.encode()),
    "100,000 levels of JSON": Sent(b"[" * 100_000 + b"]" * 100_000),
    "100,000 levels in the variables": Sent(f'{TYPENAME},"variables":{{"a":{"[" * 100_000}'.encode()),
    "an integer of 5,000 digits": Sent(f'{TYPENAME},"variables":{{"a":{"9" * 5000}}}}}'.encode()),
    "a literal of 5,000 digits": operation("{ a(b: " + "9" * 5000 + ") }"),
    "NaN": Sent(f'{TYPENAME},"variables":{{"a":NaN}}}}'.encode()),
    "a batch": Sent(f"[{TYPENAME}}}]".encode()),
    "half of a text": Sent(TYPENAME.encode()),
    "a form": Sent(b"query=%7B__typename%7D", FORM),
    "plain text": Sent(f"{TYPENAME}}}".encode(), "text/plain"),
    "multipart": Sent(
        b'--x\r\ncontent-disposition: form-data; name="query"\r\n\r\n{__typename}\r\n--x--\r\n',
        "multipart/form-data; boundary=x",
    ),
    "no media type": Sent(f"{TYPENAME}}}".encode(), ""),
    "a mutation by GET": Sent(b"query=mutation%7B__typename%7D", "", "GET"),
}
# Answered, so that what is refused above is refused for what it is.
AT_A_LIMIT = operation("{" + "__typename " * 20 + "}")


def send(client: httpx.Client, url: str, headers: Mapping[str, str], sent: Sent) -> httpx.Response:
    """Sends a request; what it accepts has errors of the document answered with a 4xx."""
    named = {**headers, "accept": "application/graphql-response+json"}
    if sent.method == "GET":
        return client.get(f"{url}?{sent.content.decode()}", headers=named)
    if sent.media:
        named["content-type"] = sent.media
    return client.post(url, content=sent.content, headers=named)


def refusals(client: httpx.Client, url: str, headers: Mapping[str, str]) -> dict[str, str]:
    """Sends every request that must be refused; returns what was answered to those that were not."""
    found = {}
    for name, sent in REFUSED.items():
        answer = send(client, url, headers, sent)
        if not answer.is_client_error or answer.status_code == 429:
            found[name] = f"{answer.status_code} {answer.text[:200]}"
    return found


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields, of the gateway and of each service, what was not refused, and what the dearest refusal cost."""
    product, viewer = house.product, house.world.outsider
    doors = {"gateway": (product.url, dict(viewer.headers))}
    for service in SERVICES:
        doors[service] = (product.inside(service), product.token(service, viewer.viewer))
    meter = Meter(product.process.pid)
    meter.settle(60)
    meter.learn_idle()
    with httpx.Client(timeout=30, trust_env=False) as client:
        for door, (address, headers) in doors.items():
            url = f"{address}/graphql"
            sound = send(client, url, headers, AT_A_LIMIT)
            wrong = {} if sound.status_code == 200 else {"20 root fields": sound.text[:200]}
            wrong |= refusals(client, url, headers)
            told = tuple(f"{name}: {answer}" for name, answer in wrong.items())
            yield Figure(f"documents.{door}.answered", len(wrong), "requests", 0, findings=told)
            dearest, cost = _dearest(client, url, headers, meter, product.fill_buckets)
            more = {"request": dearest}
            yield Figure(f"documents.{door}.refusal", cost, "ms", REFUSAL_MS, Wanted.AT_MOST, more=more)


def _dearest(
    client: httpx.Client, url: str, headers: Mapping[str, str], meter: Meter, fill: Callable[[], bool]
) -> tuple[str, float]:
    costs = {}
    for name, sent in REFUSED.items():
        fill()
        mark = meter.mark()
        for _ in range(TIMES):
            send(client, url, headers, sent)
        time.sleep(0.02)  # what is written after the answer, as the log, belongs to it
        costs[name] = meter.since(mark) / TIMES
    dearest = max(costs, key=lambda name: costs[name])
    return dearest, costs[dearest]
