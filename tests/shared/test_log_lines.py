"""Lines of requests that succeeded are written together, or left out by their ids; all others at once."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from infra.launch.bootstrap import node_binary
from services.shared.app import Accounted, log_request
from services.shared.garbage import Pauses
from services.shared.log_lines import GATHER_BYTES, SLOW_SECONDS, LogLines, in_share
from services.shared.telemetry import GATHERED

FEDERATION = Path("services/gateway/federation").resolve()
IDS = [f"request-{number}" for number in range(2000)]


@pytest.fixture
def pipe() -> Iterator[tuple[int, LogLines]]:
    """Return the reading end of a pipe, which does not wait, and lines that are written to its other end."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    yield reader, LogLines(writer)
    os.close(reader)
    os.close(writer)


def written(reader: int) -> str:
    try:
        return os.read(reader, 1 << 16).decode()
    except BlockingIOError:
        return ""


async def test_a_line_of_another_kind_takes_those_along_that_wait(pipe: tuple[int, LogLines]) -> None:
    reader, lines = pipe
    lines.gather("first")
    lines.gather("second")
    assert written(reader) == ""
    lines.warning("third")
    assert written(reader) == "first\nsecond\nthird\n"
    lines.flush()
    assert written(reader) == ""


async def test_lines_that_wait_are_written_after_a_while_together(pipe: tuple[int, LogLines]) -> None:
    reader, lines = pipe
    for line in ("first", "second"):
        lines.gather(line)
        readable = asyncio.Event()
        asyncio.get_running_loop().add_reader(reader, readable.set)
        lines.gather(f"{line} again")
        assert written(reader) == ""
        async with asyncio.timeout(20):
            await readable.wait()
        asyncio.get_running_loop().remove_reader(reader)
        assert written(reader) == f"{line}\n{line} again\n"


async def test_so_many_lines_wait_and_no_more(pipe: tuple[int, LogLines]) -> None:
    reader, lines = pipe
    line = "x" * 1023
    for _ in range(GATHER_BYTES // 1024 - 1):
        lines.gather(line)
    assert written(reader) == ""
    lines.gather(line)
    assert len(written(reader)) == GATHER_BYTES


async def test_a_log_that_nobody_reads_any_more_is_no_error() -> None:
    reader, writer = os.pipe()
    lines = LogLines(writer)
    os.close(reader)
    lines.error("unheard")
    os.close(writer)


LAST_WORDS = """
import asyncio, logging, os, signal, sys
import structlog
from services.shared.app import log_request
from services.shared.settings import ProcessSettings
from services.shared.telemetry import configure_logging

configure_logging("toy", ProcessSettings())
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))

async def main():
    log_request({"path": "/first"}, True, 0.01, "first", 1.0)
    logging.getLogger("uvicorn").warning("second")
    log_request({"path": "/third"}, True, 0.01, "third", 1.0)
    structlog.get_logger().error("fourth", path="/\\udcff")
    log_request({"path": "/fifth"}, False, 0.01, "fifth", 1.0)
    log_request({"path": "/sixth"}, True, 0.01, "sixth", 1.0)
    os.kill(os.getpid(), signal.Signals[sys.argv[1]])

asyncio.run(main())
"""
TOLD = ["/first", "second", "/third", "/\udcff", "/fifth"]


@pytest.mark.parametrize(("end", "told"), [("SIGTERM", [*TOLD, "/sixth"]), ("SIGKILL", TOLD)])
def test_a_process_that_ends_has_told_all_and_a_killed_one_all_but_the_last_that_succeeded(
    end: str, told: list[str]
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LAST_WORDS, end], capture_output=True, check=False, timeout=60
    )
    assert run.returncode == (0 if end == "SIGTERM" else -signal.SIGKILL), run.stderr
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert [line.get("path", line["event"]) for line in lines] == told
    assert all(GATHERED not in line and line["service"] == "toy" for line in lines)


@pytest.mark.parametrize(
    ("succeeded", "seconds", "told"),
    [(True, SLOW_SECONDS / 2, False), (True, SLOW_SECONDS, True), (False, 0.0, True)],
)
def test_what_failed_or_was_slow_is_told_whatever_the_share(
    succeeded: bool, seconds: float, told: bool
) -> None:
    with capture_logs() as lines:
        log_request({"path": "/x"}, succeeded, seconds, IDS[0], 0.0)
    assert [line["path"] for line in lines] == ["/x"] * told
    assert all("share" not in line and GATHERED not in line for line in lines)


async def test_a_request_failed_by_its_status_or_by_the_errors_of_its_answer() -> None:
    async def app(scope: Any, _receive: object, send: Any) -> None:
        if scope["path"] == "/errors":
            scope["state"]["failed"] = True
        status = int(scope["path"][1:]) if scope["path"][1:].isdigit() else 200
        await send({"type": "http.response.start", "status": status, "headers": []})

    async def send(_message: object) -> None:
        return None

    accounted = Accounted(app, "toy", Pauses(), log_share=0.0)
    with capture_logs() as lines:
        for path in ("/200", "/304", "/errors", "/404", "/503"):
            scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "headers": []}
            await accounted(scope, send, send)  # type: ignore[arg-type]
    assert [(line["path"], line["status"]) for line in lines] == [
        ("/errors", 200),
        ("/404", 404),
        ("/503", 503),
    ]


def test_a_line_inside_the_share_tells_it_so_that_counts_can_be_scaled() -> None:
    share = 0.25
    with capture_logs() as lines:
        for one in IDS:
            log_request({}, True, 0.0, one, share)
    assert sum(1 / line["share"] for line in lines) == pytest.approx(len(IDS), rel=0.15)
    with capture_logs() as lines:
        log_request({}, True, 0.0, IDS[0], 1.0)
    assert [line.get("share") for line in lines] == [None]


def test_the_gateway_keeps_the_same_requests_as_the_services() -> None:
    shares = [0.0, 0.1, 0.5, 1.0]
    code = f"""
import {{ inShare }} from './log.mjs';
const kept = (share) => {json.dumps(IDS)}.filter((id) => inShare(id, share));
console.log(JSON.stringify({shares}.map(kept)));
"""
    run = subprocess.run(
        [str(node_binary()), "--input-type=module", "-e", code],
        cwd=FEDERATION,
        capture_output=True,
        check=True,
        timeout=60,
    )
    kept = json.loads(run.stdout)
    assert kept == [[one for one in IDS if in_share(one, share)] for share in shares]
    assert [len(kept[0]), len(kept[-1])] == [0, len(IDS)]
