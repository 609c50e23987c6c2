"""Replicas of a service behind the gateway: requests go where they are answered, and are done once."""

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.gateway.federation.toy_house import FEDERATION, ToyHouse, free_port, until

ALICE = "hf_live_alice_s3cret"
KEYED = 'mutation { throwOnce(input: { sides: 6, idempotencyKey: "k" }) { id } }'
UNKEYED = "mutation { throw(sides: 6) { id } }"
READING = "{ hello }"


class Breaking:
    """A replica that takes requests whole and is killed before it answers.

    Attributes:
        address: where it listens.
        heard: how many requests it took.
    """

    def __init__(self, listener: socket.socket) -> None:
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.heard = 0
        self._listener = listener

    def serve(self) -> None:
        """Take requests until the listener is closed."""
        with contextlib.suppress(OSError):
            while True:
                opened, _ = self._listener.accept()
                with opened:
                    read = b""
                    while b"\r\n\r\n" not in read or not _is_whole(read):
                        read += opened.recv(65_536)
                    self.heard += 1


def _is_whole(read: bytes) -> bool:
    head, _, body = read.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return len(body) >= (int(lengths[0].split(b":")[1]) if lengths else 0)


@pytest.fixture
def breaking() -> Iterator[Breaking]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Breaking(listener)
        serving = threading.Thread(target=made.serve)
        serving.start()
        yield made
        listener.shutdown(socket.SHUT_RDWR)
        serving.join(10)


def of(toys: ToyHouse, name: str) -> str:
    return f"http://127.0.0.1:{toys.ports[name]}"


def test_what_a_dead_replica_refuses_another_one_answers(toys: ToyHouse) -> None:
    dead = f"http://127.0.0.1:{free_port()}"
    changes = {
        "HEARTHFORGE_DICE_URL": f"{dead},{of(toys, 'dice')}",
        "HEARTHFORGE_ACCOUNT_URL": f"{dead}, {of(toys, 'account')}/",
    }
    with toys.gateway(**changes) as gateway:
        for _ in range(3):
            assert gateway.ask(READING, key=ALICE).json()["data"] == {"hello": "x"}
            assert gateway.ask(UNKEYED, key=ALICE).json()["data"]["throw"] == {"id": "rol_d6"}
            assert httpx.post(f"{gateway.url}/v1/echo", json={}).status_code < 500
        ready = httpx.get(f"{gateway.admin}/readyz")
        assert ready.status_code == 200
        checks = ready.json()["checks"]
        assert (checks["dice"], checks["dice-2"]) == ("ECONNREFUSED", "ok")


def test_without_a_replica_that_answers_the_service_is_away(toys: ToyHouse) -> None:
    dead = ",".join(f"http://127.0.0.1:{free_port()}" for _ in range(2))
    with toys.gateway(HEARTHFORGE_DICE_URL=dead) as gateway:
        assert gateway.ask(READING).status_code == 503
        assert httpx.get(f"{gateway.admin}/readyz").status_code == 503


def test_what_broke_off_is_done_again_only_where_it_is_done_once(toys: ToyHouse, breaking: Breaking) -> None:
    with toys.gateway(HEARTHFORGE_DICE_URL=f"{breaking.address},{of(toys, 'dice')}") as gateway:
        # Readiness has asked it, too.
        before = breaking.heard
        assert (
            gateway.ask(UNKEYED, key=ALICE).json()["errors"][0]["extensions"]["code"]
            == "SUBGRAPH_UNAVAILABLE"
        )
        assert breaking.heard == before + 1
        for asked in (READING, KEYED):
            heard = breaking.heard

            def answered(asked: str = asked, heard: int = heard) -> bool:
                """Ask until the one that breaks off has its turn again; each answer is whole."""
                answer = gateway.ask(asked, key=ALICE).json()
                assert "errors" not in answer, answer
                return breaking.heard > heard

            until(answered)


def test_a_file_of_the_rest_face_is_read_and_a_keyed_request_sent_again(
    toys: ToyHouse, breaking: Breaking
) -> None:
    with toys.gateway(HEARTHFORGE_ACCOUNT_URL=f"{breaking.address},{of(toys, 'account')}") as gateway:
        assert httpx.get(f"{gateway.url}/v1/echo").status_code != 502
        assert breaking.heard == 1
    for headers, passed in (({}, False), ({"idempotency-key": "k"}, True)):
        with toys.gateway(HEARTHFORGE_ACCOUNT_URL=f"{breaking.address},{of(toys, 'account')}") as gateway:
            heard = breaking.heard
            answer = httpx.post(f"{gateway.url}/v1/echo", json={}, headers=headers)
            assert (answer.status_code != 502) is passed
            assert breaking.heard == heard + 1


# Which operations may be repeated

VARIABLE = "mutation($i: I) { roll(input: $i) { id } }"
INSIDE = "mutation($k: String) { roll(input: { idempotencyKey: $k }) { id } }"
CASES: list[tuple[str, dict[str, Any], bool]] = [
    ("{ hello }", {}, True),
    ("subscription { ticks }", {}, True),
    ("mutation { throw(sides: 6) { id } }", {}, False),
    (VARIABLE, {"i": {"idempotencyKey": "k"}}, True),
    (VARIABLE, {"i": {"idempotencyKey": None}}, False),
    (VARIABLE, {"i": {}}, False),
    (VARIABLE, {}, False),
    (INSIDE, {"k": "k"}, True),
    (INSIDE, {"k": None}, False),
    (INSIDE, {}, False),
    ('mutation { roll(idempotencyKey: "k") { id } }', {}, True),
    ("mutation { roll(idempotencyKey: null) { id } }", {}, False),
    ('mutation { __typename a: roll(idempotencyKey: "k") { id } b: throw { id } }', {}, False),
    ('mutation { __typename a: roll(idempotencyKey: "k") { id } }', {}, True),
]


def test_an_operation_is_repeatable_that_reads_or_whose_every_field_has_a_key(
    toys: ToyHouse, tmp_path: Path
) -> None:
    told = [[query, variables] for query, variables, _ in CASES]
    code = f"""
        import {{ parse }} from 'graphql';
        import {{ isRepeatable }} from './repeating.mjs';
        const found = {json.dumps(told)}.map(([query, variables]) =>
          isRepeatable({{ document: parse(query), variables }}));
        console.log(JSON.stringify(found));
    """
    with toys.node(code, FEDERATION) as (_process, line):
        assert json.loads(line) == [expected for _, _, expected in CASES]
