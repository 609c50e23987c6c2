"""Whatever lies in the broker, a worker lives on and goes on working."""

import base64
import json
import uuid
from typing import Any

import pytest

from services.shared.ids import new_id
from services.shared.jobs import JobState
from tests.workers.shop import Shop
from workers.transport import Unusable, rewritten

JOB = new_id("job")


def message(
    body: bytes = json.dumps([[JOB], {}, {}]).encode(),
    *,
    headers: Any = None,
    properties: Any = None,
    **other: Any,
) -> dict[str, Any]:
    """Write a message as Celery does, but for what is given."""
    ident = str(uuid.uuid4())
    info = {"exchange": "", "routing_key": "maps"}
    return {
        "body": base64.b64encode(body).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {"lang": "py", "task": "maps.generate", "id": ident} if headers is None else headers,
        "properties": {"delivery_info": info, "delivery_tag": ident, "body_encoding": "base64"}
        if properties is None
        else properties,
        **other,
    }


def text(value: Any) -> bytes:
    """Write JSON."""
    return json.dumps(value).encode()


GARBAGE = {
    "no text": b"\xff\xfe\x00",
    "no json": b"hello",
    "a number": b"42",
    "null": b"null",
    "a list": b"[]",
    "an empty object": b"{}",
    "too deep": b"[" * 100_000,
    "a number too long": b'{"body":' + b"9" * 5_000 + b"}",
    "no properties": text({"body": "x"}),
    "a body that is no base64": text({**message(), "body": "%%%"}),
    "a body that is no json": text(message(b"{")),
    "a body that is a number": text(message(b"42")),
    "a body without arguments": text(message(b"[[]]")),
    "no job": text(message(text([["somebody"], {}, {}]))),
    "a job that is a number": text(message(text([[7], {}, {}]))),
    "a job with a zero byte": text(message(text([[JOB[:-1] + "\0"], {}, {}]))),
    "headers that are null": text({**message(), "headers": None}),
    "headers that are a list": text({**message(), "headers": []}),
    "no task": text(message(headers={})),
    "a task that is a list": text(message(headers={"task": ["maps.generate"], "id": "1"})),
    "a message of the first protocol": text(
        message(text({"task": "maps.generate", "id": "1", "args": 5}), headers={})
    ),
    "a pickle": text(message(b"\x80\x04.", **{"content-type": "application/x-python-serialize"})),
}
ODD = {
    "an unknown task": message(headers={"task": "nothing.known", "id": "1"}),
    "no id": message(headers={"task": "maps.generate"}),
    "odd time limits": message(headers={"task": "maps.generate", "id": "1", "timelimit": "soon"}),
    "odd retries": message(headers={"task": "maps.generate", "id": "1", "retries": "x"}),
    "an odd moment": message(headers={"task": "maps.generate", "id": "1", "eta": "yesterday"}),
    "an odd end": message(headers={"task": "maps.generate", "id": "1", "expires": [1]}),
    "an unknown compression": message(headers={"task": "maps.generate", "id": "1", "compression": "zip"}),
    "no delivery tag": message(properties={"delivery_info": {}}),
    "an odd delivery tag": message(properties={"delivery_info": None, "delivery_tag": [1]}),
    "an unknown body encoding": message(properties={"delivery_tag": "1", "body_encoding": "rot13"}),
    "odd callbacks": message(text([[JOB], {}, {"callbacks": [1], "errbacks": 2, "chord": 4}])),
}
NO_JSON = ("no text", "no json", "too deep", "a number too long")


def test_a_worker_outlives_everything_that_is_no_message(shop: Shop) -> None:
    worker = shop.worker()
    shop.wait_ready()
    for raw in (*GARBAGE.values(), *map(text, ODD.values())):
        shop.broker.lpush("maps", raw)
    job = shop.wait_ended(shop.generate())
    assert job.state is JobState.SUCCEEDED
    assert worker.poll() is None
    shop.wait_idle()


@pytest.mark.parametrize("raw", ODD.values(), ids=ODD.keys())
def test_of_a_message_only_task_and_job_reach_the_worker(raw: dict[str, Any]) -> None:
    made = rewritten(raw, "maps")
    assert made["headers"]["task"] == raw["headers"]["task"]
    assert json.loads(base64.b64decode(made["body"]))[:2] == [[JOB], {}]
    assert made["properties"]["delivery_tag"] == made["headers"]["id"]
    assert made["headers"]["timelimit"] == [None, None] and made["headers"]["retries"] == 0


@pytest.mark.parametrize("name", [name for name in GARBAGE if name not in NO_JSON])
def test_what_lacks_task_or_job_is_named_unusable(name: str) -> None:
    with pytest.raises(Unusable):
        rewritten(json.loads(GARBAGE[name]), "maps")
