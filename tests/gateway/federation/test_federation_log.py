"""The gateway's lines of requests that succeeded are written together or left out; all others at once."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from infra.launch.bootstrap import node_binary
from tests.gateway.federation.toy_house import ToyHouse, until

FEDERATION = Path("services/gateway/federation").resolve()

LAST_WORDS = """
import { createLog } from './log.mjs';
const log = createLog({ logLevel: 'info', logFormat: 'json' });
log.request('first', true, { request_id: 'one', ms: 3 });
log.warning('second');
log.request('third', true, { request_id: 'two', ms: 3 });
log.request('fourth', false, { request_id: 'three', ms: 3 });
log.request('fifth', true, { request_id: 'four', ms: 3 });
"""
TOLD = ["first", "second", "third", "fourth"]


@pytest.mark.parametrize(
    ("end", "code", "told"),
    [
        ("", 0, [*TOLD, "fifth"]),
        ("process.exit(3);", 3, [*TOLD, "fifth"]),
        ("process.kill(process.pid, 'SIGKILL');", -signal.SIGKILL, TOLD),
    ],
    ids=["at the end", "exit", "killed"],
)
def test_a_process_that_ends_has_told_all_and_a_killed_one_all_but_the_last_that_succeeded(
    end: str, code: int, told: list[str]
) -> None:
    run = subprocess.run(
        [str(node_binary()), "--input-type=module", "-e", LAST_WORDS + end],
        cwd=FEDERATION,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == code, run.stderr
    assert [json.loads(line)["event"] for line in run.stdout.splitlines()] == told


def test_outside_the_share_only_what_failed_is_told(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_LOG_SHARE="0") as gateway:
        for number in range(5):
            assert gateway.ask("{ hello }", headers={"x-request-id": f"successful-{number}"}).is_success
        gateway.ask("{ hello", headers={"x-request-id": "not-a-document"})

        def requests() -> list[dict[str, object]]:
            return [line for line in gateway.lines() if line["event"] == "request"]

        (line,) = until(requests)
        assert (line["request_id"], line["status"]) == ("not-a-document", 200)
        assert "share" not in line


def test_a_share_is_a_number_from_0_to_1(toys: ToyHouse) -> None:
    for wrong in ("2", "-1", "half", "1e-1"):
        ended = toys.run("gateway.mjs", HEARTHFORGE_LOG_SHARE=wrong)
        assert ended.returncode == 2
        assert f'HEARTHFORGE_LOG_SHARE must be a number from 0 to 1, not "{wrong}"' in ended.stderr
