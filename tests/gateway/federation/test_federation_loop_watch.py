"""The gateway tells in its log what holds its loop, in the form that the gate ``steps`` reads."""

import subprocess
from pathlib import Path

from infra.gates.steps import Logs
from infra.launch.bootstrap import node_binary

FEDERATION = Path("services/gateway/federation").resolve()

HOLDING = """
import { createLog } from './log.mjs';
import { watchLoop } from './loop_watch.mjs';
const watch = watchLoop(createLog({ logLevel: 'info', logFormat: 'json' }));
let left = 3;
function step() {
  if (left === 0) return setTimeout(watch.stop, 100);
  const end = process.threadCpuUsage().user + (left === 3 ? 400_000 : 2_000);
  left -= 1;
  while (process.threadCpuUsage().user < end);
  return setTimeout(step, 50);
}
setTimeout(step, 50);
"""


def test_a_step_that_holds_the_gateways_loop_is_told(tmp_path: Path) -> None:
    logs = Logs(tmp_path)
    run = subprocess.run(
        [str(node_binary()), "--input-type=module", "-e", HOLDING],
        cwd=FEDERATION,
        capture_output=True,
        check=True,
        timeout=60,
    )
    (tmp_path / "gateway.log").write_bytes(run.stdout)
    working = [line for line in logs.held() if line.counts]
    assert len(working) == 1
    assert working[0].processor_ms >= 390
    assert working[0].process == "gateway"
