"""The whole product as a newcomer has it: ``infra/up`` in a process of its own, spoken to through its port.

``Product`` starts, stops and restarts it and knows its processes; ``Person`` is somebody with a key;
``listening`` follows a subscription by WebSocket or by server-sent events. Nothing here reaches past the public
port but what says so: ``environment``, ``pid`` and ``token``.
"""

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

import httpx
import redis
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from tests.patience import pause

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 150.0
STOP_SECONDS = 90.0
EVENT_SECONDS = 60.0
SHORT = len("/dev/shm")
"""Letters of a folder below which paths of sockets are short enough."""
OFTEN = 20
"""Times that a patient person asks: a limit that filling the buckets does not lift is a finding."""
EVERYTHING = frozenset({"read", "write", "admin"})
# How each process is found among the descendants of infra/up.
MARKS = {
    "account": "services.gateway.app:",
    "dice": "services.dice.app:",
    "character": "services.character.app:",
    "campaign": "services.campaign.app:",
    "map": "services.map.app:",
    "gateway": "gateway.mjs",
    "worker": "--queues maps",
    "player": "--queues simulations",
    "sweeper": "workers.sweeper",
    "valkey": "valkey-server",
    "postgres": "bin/postgres",
}
Transport = Literal["websocket", "sse"]
TRANSPORTS: tuple[Transport, ...] = ("websocket", "sse")
T = TypeVar("T")

_addresses = itertools.count(1)


def until(found: Callable[[], T | None], what: str, *, seconds: float = 60.0) -> T:
    """Poll until ``found`` gives something true; fail with ``what`` after a deadline."""
    began = time.monotonic()
    while not (value := found()):
        waited = time.monotonic() - began
        assert waited < seconds, f"waited {seconds} s in vain for {what}"
        time.sleep(pause(waited))
    return value


@dataclass(frozen=True, slots=True)
class Running:
    """One process of the machine."""

    pid: int
    parent: int
    command: str


def processes() -> list[Running]:
    """List the processes of this machine; those that have ended and wait to be reaped are left out."""
    shown = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=", "-o", "ppid=", "-o", "stat=", "-o", "command="],
        check=True,
        capture_output=True,
        text=True,
        errors="replace",
    )
    found = []
    for line in shown.stdout.splitlines():
        pid, parent, state, command = [*line.split(None, 3), "", ""][:4]
        if not state.startswith("Z"):
            found.append(Running(int(pid), int(parent), command))
    return found


class House(ABC):
    """All services together behind one address, and what every test may do with them.

    Attributes:
        url: of the public door.
        http: a client for many threads.
        postgres: whether its data is kept in PostgreSQL.
    """

    url: str
    http: httpx.Client
    postgres: bool

    @property
    @abstractmethod
    def environment(self) -> dict[str, str]:
        """Return the environment that the processes of the house share, secrets included."""

    @property
    @abstractmethod
    def private_keys(self) -> dict[str, str]:
        """Return the private key of each process that signs, by its name."""

    def token(self, service: str, viewer: Viewer) -> dict[str, str]:
        """Give the header that the gateway would send to a service on behalf of a viewer."""
        return {TOKEN_HEADER: self.signer("gateway").sign(service, viewer)}

    def signer(self, process: str) -> Signer:
        """Give what signs as a process of the product."""
        return Signer(process, self.private_keys[process], {})

    def fill_buckets(self) -> bool:
        """Fill everybody's bucket of points, as waiting would; tell whether there was one to be filled."""
        with redis.Redis.from_url(self.environment["REDIS_URL"]) as client:
            try:
                known = list(client.scan_iter("hf:bucket:*", count=1_000))
                return bool(known) and bool(client.delete(*known))
            except redis.RedisError:
                return False

    def inside(self, service: str) -> str:
        """Return the private address of a service, of its first replica where it has several."""
        return self.environment[f"HEARTHFORGE_{service.upper()}_URL"].partition(",")[0]

    # People

    def sign_up(self, name: str = "Mara") -> "Person":
        """Open an account over HTTP, from a network of its own."""
        # Many more accounts than a minute allows are opened in tests: patiently, as ``Person.send`` is.
        answer = self.anonymous().send("POST", "/v1/accounts", json={"name": name})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return Person(self, made["account"]["id"], made["key"], name, made["apiKey"]["id"])

    def holder(self, key: str) -> "Person":
        """Give the person that a key belongs to."""
        me = Person(self, "", key, "").get("/v1/me")
        assert me.status_code == 200, me.text
        found = me.json()
        return Person(self, found["id"], key, found["name"], found["keyId"])

    def anonymous(self) -> "Person":
        """Give somebody without a key, at an address of their own."""
        return Person(self, "anonymous", None, "Nobody", address=from_elsewhere())


class Product(House):
    """One data folder, and ``infra/up`` on it.

    Args:
        folder: a short path, because sockets lie in it; the product's data is kept in ``data`` below.
        postgres: whether to keep the data in PostgreSQL.
        replicas: how many processes of each service run, named ``dice``, ``dice-2``, ...
    """

    def __init__(self, folder: Path, *, postgres: bool = False, replicas: int = 1) -> None:
        self.folder = folder
        self.postgres = postgres
        self.data = folder / "data"
        self.url = ""
        self._arguments = ["--data", str(self.data), *(["--postgres"] if postgres else [])]
        if replicas > 1:
            self._arguments += ["--replicas", str(replicas)]
        self._process: subprocess.Popen[bytes] | None = None
        self._family: list[Running] = []
        # Many at once come from one machine here: wait for a connection rather than fail.
        self.http = httpx.Client(timeout=40, trust_env=False, limits=httpx.Limits(max_connections=100))

    # Starting and stopping

    def start(self, port: int = 0) -> None:
        """Start ``infra/up`` and wait for its ready line."""
        foreign = ("HEARTHFORGE_", "DATABASE_URL_", "REDIS_URL", "OTEL_")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        for kept in ("HEARTHFORGE_VENV",):
            if kept in os.environ:
                environment[kept] = os.environ[kept]
        # One trusted hop lets a request name the address it comes from, so that the tests' sign-ups do not all
        # empty one bucket. A request that names none still comes from its own address.
        environment["HEARTHFORGE_TRUSTED_PROXY_HOPS"] = "1"
        # The gates read the logs of the processes, so these are written for machines.
        environment["HEARTHFORGE_LOG_FORMAT"] = "json"
        environment["PATH"] = os.pathsep.join(
            [str(Path(sys.executable).parent), environment.get("PATH", os.defpath)]
        )
        log = self.folder / "up.log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [str(ROOT / "infra" / "up"), "--port", str(port), *self._arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=self.folder,
                start_new_session=True,  # a Ctrl-C at the tests' terminal is for the tests to pass on
            )
        self.url = until(self._ready_line, "the ready line of infra/up", seconds=START_SECONDS)

    def _ready_line(self) -> str | None:
        said = (self.folder / "up.log").read_text(errors="replace")
        assert self.process.poll() is None, f"infra/up ended with {self.process.returncode}:\n{said[-6000:]}"
        return next(
            (line.removeprefix("ready ") for line in said.splitlines() if line.startswith("ready ")), None
        )

    def stop(self) -> int:
        """Press Ctrl-C; give the exit code."""
        self._family = self.family()
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            said = (self.folder / "up.log").read_text(errors="replace")[-4000:]
            raise AssertionError(f"infra/up did not stop within {STOP_SECONDS} s:\n{said}") from None

    def restart(self) -> int:
        """Stop and start on the same port; give the exit code of the first run."""
        port = int(self.url.rpartition(":")[2])
        code = self.stop()
        self.start(port)
        return code

    def survivors(self) -> list[Running]:
        """Give what is left, after ``stop``, of the processes that ran before, or mentions the data folder."""
        known = {(one.pid, one.command) for one in self._family}
        return [
            one for one in processes() if (one.pid, one.command) in known or str(self.data) in one.command
        ]

    def discard(self) -> None:
        """End whatever still runs and remove the folder."""
        self.http.close()
        if self._process is not None and self._process.poll() is None:
            self._process.kill()  # its warden ends the rest
            self._process.wait()
            until(lambda: not self.survivors(), "the warden to end what was left", seconds=30)
        shutil.rmtree(self.folder, ignore_errors=True)

    # Looking inside

    @property
    def process(self) -> "subprocess.Popen[bytes]":
        """Give the process of ``infra/up``."""
        assert self._process is not None, "it was not started"
        return self._process

    @property
    def environment(self) -> dict[str, str]:
        """Give the environment that the product's processes share, secrets included."""
        found: dict[str, str] = json.loads((self.data / "run.json").read_text())["environment"]
        return found

    def family(self) -> list[Running]:
        """List ``infra/up`` and all of its descendants."""
        everyone = processes()
        known = {self.process.pid}
        while more := {one.pid for one in everyone if one.parent in known} - known:
            known |= more
        return [one for one in everyone if one.pid in known]

    def pid(self, name: str) -> int | None:
        """Give the process id of a part, the oldest of its processes; None while it does not run."""
        mark = self._mark(name)
        own = [one for one in self.family() if mark in one.command and "warden.py" not in one.command]
        pids = {one.pid for one in own}
        return next((one.pid for one in own if one.parent not in pids), None)

    def _mark(self, name: str) -> str:
        """Return what the command of a part has and no other's; of a service's replica, its port."""
        if name in MARKS:
            return MARKS[name]
        part, _, number = name.rpartition("-")
        if part in ("worker", "player"):
            return f"--hostname {MARKS[part].split()[-1]}-{number}@"
        ports: dict[str, int] = json.loads((self.data / "run.json").read_text())["ports"]
        return f"{MARKS[part]}create_app --port {ports[name]}"

    def kill(self, name: str) -> int:
        """Kill a part with SIGKILL; give the process id that it had."""
        pid = until(lambda: self.pid(name), f"a process of {name}")
        os.kill(pid, signal.SIGKILL)
        return pid

    def ready(self) -> bool:
        """Tell whether every part says that it is ready."""
        try:
            return self.http.get(f"{self.url}/readyz").status_code == 200
        except httpx.HTTPError:
            return False

    def wait_back(self, name: str, killed: int) -> None:
        """Wait until the supervisor has started a part again and all are ready."""
        until(lambda: (self.pid(name) or killed) != killed, f"{name} to be started again")
        until(self.ready, "every part to be ready", seconds=60)

    @property
    def private_keys(self) -> dict[str, str]:
        """Give the private keys of the processes that sign."""
        return {file.stem: file.read_text() for file in (self.data / "keys").iterdir()}


def from_elsewhere() -> dict[str, str]:
    """Give the header that names an address which no other request has."""
    number = next(_addresses)
    # A network of its own: addresses of one /64 are one client's.
    return {"x-forwarded-for": f"2001:db8:{os.getpid() & 0xFFFF:x}:{number:x}::1"}


@dataclass(frozen=True)
class Person:
    """Somebody with a key, or without one.

    Attributes:
        product: where they play.
        id: account id, or ``anonymous``.
        key: API key; None for nobody.
        name: of the account.
        key_id: id of the key.
        address: header that names where their requests come from.
    """

    product: House
    id: str
    key: str | None = field(repr=False)
    name: str
    key_id: str | None = None
    address: dict[str, str] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        """Give the headers that say who they are."""
        return {**self.address, **({"authorization": f"Bearer {self.key}"} if self.key else {})}

    @property
    def viewer(self) -> Viewer:
        """Give the viewer that they are to the services behind the gateway."""
        return Viewer(self.id, EVERYTHING if self.key else frozenset(), self.key_id)

    def send(self, method: str, path: str, *, patient: bool = True, **options: Any) -> httpx.Response:
        """Send a request to a path or to a whole address; again when told that the limit is used up."""
        url = path if path.startswith("http") else f"{self.product.url}{path}"
        headers = {**self.headers, **options.pop("headers", {})}
        for _ in range(OFTEN):
            response = self.product.http.request(method, url, headers=headers, **options)
            if response.status_code != 429 or not patient:
                return response
            # Tests ask more than people do; nobody need wait for the buckets to fill again by themselves.
            if not self.product.fill_buckets():
                time.sleep(min(float(response.headers["retry-after"]), 5))
        raise AssertionError(f"{method} {url} was refused {OFTEN} times: {response.text}")

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Read a path; headers are named with underscores."""
        return self.send(
            "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )

    def post(self, path: str, content: Any, **headers: str) -> httpx.Response:
        """Post JSON to a path."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.send("POST", path, json=content, headers=named)

    def graph(
        self, query: str, variables: dict[str, Any] | None = None, *, patient: bool = True
    ) -> httpx.Response:
        """Run an operation and give the response as it is; texts may hold anything, halves of letters too."""
        body = json.dumps({"query": query, "variables": variables or {}})
        return self.send(
            "POST",
            "/graphql",
            patient=patient,
            content=body.encode(),
            headers={"content-type": "application/json"},
        )

    def answer(self, query: str, **variables: Any) -> dict[str, Any]:
        """Run an operation and give the whole answer."""
        response = self.graph(query, variables)
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def ask(self, query: str, **variables: Any) -> Any:
        """Run an operation that must succeed and give its data."""
        answer = self.answer(query, **variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    def do(self, query: str, **variables: Any) -> Any:
        """Run a mutation of one field that must succeed and give what it answers."""
        (outcome,) = self.ask(query, **variables).values()
        assert "code" not in outcome, outcome
        return outcome


# Subscriptions

PROTOCOL = Subprotocol("graphql-transport-ws")


class Listener:
    """A subscription under way: ``next`` gives payload after payload, ``rest`` those until it ends."""

    def __init__(self, payloads: Iterator[dict[str, Any]]) -> None:
        self._payloads = payloads

    def answer(self) -> dict[str, Any] | None:
        """Give the next payload whole; None when the subscription has ended."""
        return next(self._payloads, None)

    def next(self) -> Any:
        """Give the one field of the next payload."""
        found = self.answer()
        assert found is not None, "the subscription has ended"
        assert not found.get("errors"), found["errors"]
        (value,) = found["data"].values()
        return value

    def take(self, count: int) -> list[Any]:
        """Give the fields of the next payloads."""
        return [self.next() for _ in range(count)]

    def rest(self) -> list[Any]:
        """Give the fields of all payloads until the end."""
        found = []
        while (payload := self.answer()) is not None:
            assert not payload.get("errors"), payload["errors"]
            found.extend(payload["data"].values())
        return found


@contextlib.contextmanager
def listening(person: Person, transport: Transport, query: str, **variables: Any) -> Iterator[Listener]:
    """Follow a subscription through the public port."""
    if transport == "websocket":
        with socket(person) as opened:
            operation = {"query": query, "variables": variables}
            opened.send(json.dumps({"id": "1", "type": "subscribe", "payload": operation}))
            yield Listener(_from_socket(opened))
    else:
        with person.product.http.stream(
            "POST",
            f"{person.product.url}/graphql",
            json={"query": query, "variables": variables},
            headers={**person.headers, "accept": "text/event-stream"},
        ) as response:
            if not response.headers["content-type"].startswith("text/event-stream"):
                response.read()
                yield Listener(iter([response.json()]))
                return
            yield Listener(_from_events(response))


@contextlib.contextmanager
def socket(person: Person) -> Iterator[ClientConnection]:
    """Open a WebSocket that has been acknowledged."""
    address = person.product.url.replace("http", "ws", 1) + "/graphql"
    with connect(
        address, subprotocols=[PROTOCOL], additional_headers=person.address, proxy=None, max_size=2**22
    ) as opened:
        payload = {"authorization": f"Bearer {person.key}"} if person.key else {}
        opened.send(json.dumps({"type": "connection_init", "payload": payload}))
        assert json.loads(opened.recv(timeout=EVENT_SECONDS)) == {"type": "connection_ack"}
        yield opened


def _from_socket(opened: ClientConnection) -> Iterator[dict[str, Any]]:
    while True:
        message = json.loads(opened.recv(timeout=EVENT_SECONDS))
        match message["type"]:
            case "next":
                yield message["payload"]
            case "error":
                yield {"errors": message["payload"]}
                return
            case "complete":
                return


def _from_events(response: httpx.Response) -> Iterator[dict[str, Any]]:
    event, heard = "", time.monotonic()
    for line in response.iter_lines():
        # Heartbeats keep the connection's own time limit from ever being reached.
        assert time.monotonic() < heard + EVENT_SECONDS, f"no event within {EVENT_SECONDS} s"
        name, _, value = line.partition(":")
        if name == "event":
            event = value.strip()
        elif name == "data" and event == "next":
            yield json.loads(value)
            heard = time.monotonic()
        elif name == "data" and event == "complete":
            return


def refused_socket(person: Person) -> int:
    """Introduce oneself to a server that refuses one, and give the code by which it closes."""
    address = person.product.url.replace("http", "ws", 1) + "/graphql"
    with connect(address, subprotocols=[PROTOCOL], proxy=None) as opened:
        opened.send(json.dumps({"type": "connection_init", "payload": {"apiKey": person.key}}))
        try:
            heard = opened.recv(timeout=EVENT_SECONDS)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
    raise AssertionError(f"it was not refused but answered {heard!r}")


# One product of each kind for all tests of a run


class Shared:
    """The products that tests share: each is started when first asked for and stopped with the last lease."""

    def __init__(self) -> None:
        self._leases = 0
        self._running: dict[str, Product] = {}

    @contextlib.contextmanager
    def lease(self) -> Iterator[Callable[[str], Product]]:
        """Give the function that gives the running product of a kind: ``sqlite`` or ``postgres``."""
        self._leases += 1
        try:
            yield self._get
        finally:
            self._leases -= 1
            if not self._leases:
                self._end()

    def _get(self, kind: str) -> Product:
        if kind not in self._running:
            product = new_product(postgres=kind == "postgres")
            try:
                product.start()
            except BaseException:
                product.discard()
                raise
            self._running[kind] = product
        return self._running[kind]

    def _end(self) -> None:
        running, self._running = self._running, {}
        with contextlib.ExitStack() as stack:
            for product in running.values():
                stack.callback(product.discard)
            for product in running.values():
                assert_clean_end(product)


SHARED = Shared()


def new_product(*, postgres: bool = False, replicas: int = 1) -> Product:
    """Make a product in a folder whose path is short enough for sockets."""
    usual = tempfile.gettempdir()
    base = "/tmp" if len(usual) > SHORT and Path("/tmp").is_dir() else usual
    folder = Path(tempfile.mkdtemp(prefix="hf-", dir=base))
    return Product(folder, postgres=postgres, replicas=replicas)


def assert_clean_end(product: Product) -> None:
    """Stop a product by Ctrl-C; it ends with 0 and leaves no process behind."""
    before = len(product.family())
    assert product.stop() == 0
    assert before > len(MARKS) - 2, "too few processes were seen to know that all are gone"
    assert product.survivors() == []
