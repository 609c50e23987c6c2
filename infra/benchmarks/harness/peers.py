"""Other people's libraries that run in Node, asked by lines of JSON; see ``infra/benchmarks/peers``."""

import contextlib
import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.benchmarks.harness.cases import BenchFailure, Sample
from infra.benchmarks.harness.rounds import Measure
from infra.launch.bootstrap import ROOT, install_node_project, node_binary

FOLDER = ROOT / "infra" / "benchmarks" / "peers"
STOP_SECONDS = 5.0
_LIBRARY = "@dice-roller/rpg-dice-roller"


class Peer:
    """A Node process that rolls dice with a library of its own.

    Args:
        process: talks JSON over its standard input and output, a line each.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def totals(self, texts: Sequence[str], times: int) -> list[list[float]]:
        """Roll each text so many times; give the totals, by text."""
        found: list[list[float]] = self._ask({"look": texts, "times": times})["totals"]
        return found

    def rolling(self, texts: Sequence[str], *, fresh: bool = False) -> Measure:
        """Measure rolling texts in turns.

        Args:
            texts: in the library's notation.
            fresh: each text is a new one: ``~`` in it stands for 1 to 12, ``#`` for a number not used before.
        """

        async def measure(seconds: float) -> Sample:
            told = self._ask({"texts": texts, "seconds": seconds, "fresh": fresh})
            return Sample(told["seconds"], told["batches"], batch=told["size"])

        return measure

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise BenchFailure("the peer in Node has ended") from None
        line = self._process.stdout.readline()
        if not line:
            raise BenchFailure("the peer in Node has ended")
        told: dict[str, Any] = json.loads(line)
        if "error" in told:
            raise BenchFailure(f"the peer in Node: {told['error']}")
        return told


def dice_peer_name() -> str:
    """Name the library and its version."""
    version = json.loads((FOLDER / "package.json").read_text("utf-8"))["dependencies"][_LIBRARY]
    return f"{_LIBRARY.partition('/')[2]} {version}"


@contextmanager
def dice_peer(module: Path | None = None) -> Iterator[Peer]:
    """Run rpg-dice-roller; its packages are installed first where they are missing.

    The process ends with its standard input, which is ours: it cannot outlive this one.

    Args:
        module: what is used in place of the library.

    Raises:
        BootstrapFailure: its packages cannot be installed.
    """
    if module is None:
        install_node_project(FOLDER)
    script = [str(node_binary()), str(FOLDER / "dice.mjs"), *([] if module is None else [str(module)])]
    with subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        try:
            yield Peer(process)
        finally:
            with contextlib.suppress(BrokenPipeError):  # it has ended, with something unread
                process.stdin.close()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
