"""Sockets and streams: bad frames are closed with their code, the protocols' own clients are served.

A socket that misbehaves is closed with the code that ``services/gateway/federation/websocket.mjs`` lists,
never without one (1006). What needs a service that plays along is tested with such a one:
``tests/gateway/federation/test_federation_websocket.py``.
"""

import contextlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure, GateFailure
from infra.gates.frame.house import House
from infra.launch.bootstrap import FEDERATION, node_binary
from tests.e2e.documents import SUBSCRIPTIONS
from tests.e2e.product import EVENT_SECONDS, PROTOCOL, Person
from tests.e2e.table import World, roll

CLOSE_SECONDS = 15.0
CLIENT_SECONDS = 120
INIT = '{"type":"connection_init"}'
ASK = '{"id":"1","type":"subscribe","payload":{"query":"{ __typename }"}}'
DEEP = '{"id":"1","type":"subscribe","payload":{"query":"{ __typename }","variables":{"a":%s}}}'
LONG = '{"id":"1","type":"subscribe","payload":{"query":"{ __typename }%s"}}'
# Ends by itself only with the campaign.
ENDLESS = {"query": SUBSCRIPTIONS["campaignLog"], "variables": {"campaignId": "{campaign}"}}
FOLLOW = json.dumps({"id": "1", "type": "subscribe", "payload": ENDLESS})
FLOOD = 20_000


@dataclass(frozen=True, slots=True)
class Bad:
    """One way to misbehave.

    Attributes:
        codes: one of which closes the socket.
        frames: that are sent; bytes as a binary frame. ``{campaign}`` is filled in.
        greeted: whether the socket introduces itself first.
        protocols: that it offers.
        origin: that it says it comes from.
    """

    codes: frozenset[int]
    frames: tuple[str | bytes, ...] = ()
    greeted: bool = True
    protocols: tuple[str, ...] = (PROTOCOL,)
    origin: str | None = None


def bad(code: int, *frames: str | bytes, greeted: bool = True) -> Bad:
    """Returns a way to misbehave that is closed with one code."""
    return Bad(frozenset([code]), frames, greeted)


WAYS: Mapping[str, Bad] = {
    "an array": bad(4400, "[]"),
    "a string": bad(4400, '"hello"'),
    "a number": bad(4400, "7"),
    "null": bad(4400, "null"),
    "nothing": bad(4400, ""),
    "no JSON": bad(4400, "{"),
    "deep JSON": bad(4400, "[" * 100_000),
    "deep variables": bad(4400, DEEP % ("[" * 60_000 + "]" * 60_000)),
    "no type": bad(4400, "{}"),
    "an unknown type": bad(4400, '{"type":"start","id":"1"}'),
    "a type that is no string": bad(4400, '{"type":["ping"]}'),
    "an operation without id": bad(4400, '{"type":"subscribe","payload":{"query":"{ __typename }"}}'),
    "an operation without payload": bad(4400, '{"type":"subscribe","id":"1"}'),
    "a query that is a number": bad(4400, '{"type":"subscribe","id":"1","payload":{"query":1}}'),
    "complete without id": bad(4400, '{"type":"complete"}'),
    "an array before the introduction": bad(4400, "[]", greeted=False),
    "binary": bad(1003, INIT.encode()),
    "1 MB": bad(1009, LONG % (" " * 1_000_000)),
    "257 KiB": bad(1009, LONG % (" " * 257 * 1024)),
    "an operation before the introduction": bad(4401, ASK, greeted=False),
    "no introduction": bad(4408, greeted=False),
    "a bad token": bad(
        4403,
        '{"type":"connection_init","payload":{"authorization":"Bearer hf_live_nobody_nothing"}}',
        greeted=False,
    ),
    "a token that is an object": bad(
        4403, '{"type":"connection_init","payload":{"authorization":{}}}', greeted=False
    ),
    "a second introduction": bad(4429, INIT),
    "an id twice": bad(
        4409,
        *(FOLLOW, FOLLOW),
    ),
    "an old protocol": Bad(frozenset([4406]), greeted=False, protocols=("graphql-ws",)),
    "no protocol": Bad(frozenset([4406]), greeted=False, protocols=()),
    # 1008 is the general code of a policy, 4429 the protocol's own for too many requests.
    "a flood of pings": Bad(frozenset([1008, 4429]), ('{"type":"ping"}',) * FLOOD),
    # Any origin may connect, since keys are never sent by a browser on its own: it is closed for its frame.
    "an evil origin": Bad(frozenset([4400]), ("[]",), origin="https://evil.example"),
}


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields what was not closed with its code, and which claims of the clients do not hold."""
    world = house.world
    wrong = {}
    for name, way in WAYS.items():
        code = closed_with(world.player, way, world.campaign)
        if code not in way.codes:
            wrong[name] = code
    told = tuple(f"{name}: closed with {code}" for name, code in wrong.items())
    yield Figure("protocols.frames", len(WAYS), "ways to misbehave")
    yield Figure("protocols.codes", len(wrong), "wrong codes", 0, findings=told)
    *missed, sum_of_them = clients(world)
    held, _, all_of_them = sum_of_them.removesuffix(" ok").partition("/")
    yield Figure("protocols.clients", int(held), "claims", int(all_of_them), findings=tuple(missed))


def closed_with(person: Person, way: Bad, campaign: str) -> int | None:
    """Misbehaves; returns the code by which the socket is closed, None while it stays open."""
    address = person.product.url.replace("http", "ws", 1) + "/graphql"
    offered = list(way.protocols) or None
    with connect(
        address,
        subprotocols=offered,  # type: ignore[arg-type]
        additional_headers=person.headers,
        origin=way.origin,  # type: ignore[arg-type]
        proxy=None,
        max_size=2**22,
    ) as opened:
        # What is sent to a socket that is closing is lost: its code is what matters.
        with contextlib.suppress(ConnectionClosed):
            if way.greeted:
                opened.send(INIT)
                opened.recv(timeout=EVENT_SECONDS)
            for frame in way.frames:
                opened.send(frame.replace("{campaign}", campaign) if isinstance(frame, str) else frame)
        return _code(opened)


def _code(opened: ClientConnection) -> int | None:
    try:
        while True:
            opened.recv(timeout=CLOSE_SECONDS)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006
    except TimeoutError:
        return None


def clients(world: World) -> list[str]:
    """Has the clients of the npm packages try the product; returns what they found, a line each, and the sum.

    Raises:
        GateFailure: they did not run.
    """
    for _ in range(3):
        roll(world.player, "1d6", campaignId=world.campaign)
    following = f'subscription {{ campaignLog(campaignId: "{world.campaign}") {{ seq }} }}'
    done = subprocess.run(
        [
            *(str(node_binary()), str(FEDERATION / "clients.mjs"), f"{world.product.url}/graphql"),
            *(world.player.key or "", "{ me { id } }", following),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=CLIENT_SECONDS,
        cwd=FEDERATION,
    )
    if not done.stdout.endswith(" ok\n"):
        raise GateFailure(f"the clients did not run: {(done.stdout + done.stderr)[-1_000:]}")
    return done.stdout.splitlines()
