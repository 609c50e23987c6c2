"""An exception that nobody caught, and a process that dies: what clients notice of it."""

import asyncio
import contextlib
import json
import os
import random
import signal
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from infra.launch.guard import running_warden
from infra.launch.logs import Console
from infra.launch.probes import HttpReady
from infra.launch.supervisor import Process, Supervisor
from tests.gateway.federation.framing import Answer, ask, exchange
from tests.gateway.federation.toy_house import FEDERATION, HERE, NODE, Gateway, ToyHouse, until

INJECTED = {"NODE_OPTIONS": f"--import={HERE / 'crash_on_signal.mjs'}"}


def uncaught(log: str) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == "uncaught"]


@contextlib.asynccontextmanager
async def supervised(toys: ToyHouse, folder: Path) -> AsyncIterator[tuple[Supervisor, str, Path]]:
    """A gateway as infra/up runs it; yields its supervisor, its address and its log."""
    env = toys.environment(**INJECTED) | {"PATH": os.environ["PATH"]}
    address = f"http://127.0.0.1:{env['HEARTHFORGE_PORT']}"
    process = Process(
        "gateway",
        (str(NODE), str(FEDERATION / "gateway.mjs")),
        env,
        FEDERATION,
        ready=HttpReady(f"{address}/v1/ready"),
        listen=("127.0.0.1", int(env["HEARTHFORGE_PORT"])),
    )
    with running_warden() as warden:
        console = Console(["gateway"], output=os.open(folder / "console", os.O_CREAT | os.O_WRONLY))
        supervisor = Supervisor([process], folder, console, warden)
        try:
            await supervisor.start(40)
            yield supervisor, address, folder / "gateway.log"
        finally:
            await supervisor.stop()
            console.close()


def pid_of(supervisor: Supervisor) -> int:
    child = supervisor._parts["gateway"].child
    assert child is not None
    return child.pid


async def test_broken_process_is_replaced_beside_its_clients(toys: ToyHouse, tmp_path: Path) -> None:
    async with (
        supervised(toys, tmp_path) as (supervisor, address, log),
        httpx.AsyncClient(timeout=20) as client,
        connect(
            f"{address.replace('http', 'ws')}/graphql",
            subprotocols=["graphql-transport-ws"],  # type: ignore[list-item]
        ) as web_socket,
    ):
        await web_socket.send(json.dumps({"type": "connection_init"}))
        first = pid_of(supervisor)
        slow = asyncio.create_task(client.post(f"{address}/graphql", json={"query": "{ slow(seconds: 2) }"}))
        stream_began = asyncio.Event()

        async def whole_stream() -> int:
            async with client.stream("GET", f"{address}/v1/stream", params={"count": 100}) as stream:
                count = 0
                async for _ in stream.aiter_lines():
                    stream_began.set()
                    count += 1
                return count

        stream = asyncio.create_task(whole_stream())
        await stream_began.wait()
        os.kill(first, signal.SIGUSR2)
        # Every new request is answered, before, while and after the successor takes over.
        statuses = []
        while supervisor._parts["gateway"].relieved or pid_of(supervisor) == first:
            async with httpx.AsyncClient(timeout=60) as stranger:
                statuses.append((await stranger.get(f"{address}/v1/echo")).status_code)
        assert set(statuses) == {200}
        assert (await slow).json()["data"] == {"slow": "anonymous"}
        assert await stream == 100
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await web_socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
        assert pid_of(supervisor) != first
        assert (await client.get(f"{address}/v1/echo")).status_code == 200
        (entry,) = uncaught(await asyncio.to_thread(log.read_text))
        assert entry["error"] == "injected"
        assert "Error: injected" in str(entry["stack"])


async def test_clients_of_a_killed_process_wait_for_the_next(toys: ToyHouse, tmp_path: Path) -> None:
    async with (
        supervised(toys, tmp_path) as (supervisor, address, _),
        httpx.AsyncClient(timeout=30) as client,
    ):
        os.kill(pid_of(supervisor), signal.SIGKILL)
        await asyncio.to_thread(until, lambda: supervisor._parts["gateway"].child is None)
        assert (await client.get(f"{address}/v1/echo")).status_code == 200


def test_without_a_supervisor_a_broken_process_drains_and_exits_70(toys: ToyHouse) -> None:
    with toys.gateway(**INJECTED) as alone, httpx.Client(timeout=20) as client:
        with client.stream("GET", f"{alone.url}/v1/stream", params={"count": 50}) as stream:
            lines = stream.iter_lines()
            next(lines)
            alone.process.send_signal(signal.SIGUSR2)
            assert sum(1 for _ in lines) == 49
        assert alone.process.wait(60) == 70
        assert len(uncaught(alone.log.read_text())) == 1


TARGETS = [
    "/%25",
    "/%E0%A4%A",
    "/%ff",
    "/%",
    "/%2",
    "/%zz",
    "/%25%",
    "/%c0%ae",
    "//",
    "/\\",
    "/;",
    "/?%",
    "*",
    "",
    "\xff",
]


def random_targets(count: int) -> list[str]:
    """Targets of the pieces that decoders stumble over, the same ones each time."""
    chance = random.Random(14)
    pieces = [
        *(
            "%",
            "%2",
            "%25",
            "%2525",
            "%ff",
            "%00",
            "%0a",
            "%c3%a4",
            "%ed%a0%80",
            "%5c",
            "%2f",
            "%2e",
            "%3b",
            "/",
            "//",
        ),
        *(
            "\\",
            ".",
            "..",
            ";",
            "?",
            "#",
            "internal",
            "graphql",
            "metrics",
            "a",
            "http://x",
            "@",
            ":",
            "[",
            "\xe4",
            "|",
        ),
    ]
    return [
        "/" * chance.randint(0, 2) + "".join(chance.choices(pieces, k=chance.randint(1, 9)))
        for _ in range(count)
    ]


def test_no_target_ends_the_gateway_or_leads_inside(toys: ToyHouse, gateway: Gateway) -> None:

    def get(target: str) -> list[Answer]:
        head = f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        return ask(gateway.port, exchange(head.encode("latin-1")))

    targets = [*TARGETS, *random_targets(600)]
    with ThreadPoolExecutor(8) as askers:
        answered = list(askers.map(get, targets))
    for target, answers in zip(targets, answered, strict=True):
        for answer in answers:
            assert answer.status < 500, target
            # The toy answers so for whatever its router takes for /internal, /metrics or /graphql.
            assert b'"secret"' not in answer.body, target
    assert gateway.process.poll() is None
    assert uncaught(gateway.log.read_text()) == []
