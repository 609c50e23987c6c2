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
_DICE, _DUNGEONS = "@dice-roller/rpg-dice-roller", "rot-js"


class Talk:
    """A Node process that is asked and answers, a line of JSON each.

    Args:
        process: answers on its standard output what it is asked on its standard input.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Ask, and wait for the answer.

        Raises:
            BenchFailure: the process has ended, or tells of an error.
        """
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


class Peer:
    """Rolls dice with a library of its own.

    Args:
        talk: with its process.
    """

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    def totals(self, texts: Sequence[str], times: int) -> list[list[float]]:
        """Roll each text so many times; give the totals, by text."""
        found: list[list[float]] = self._talk.ask({"look": texts, "times": times})["totals"]
        return found

    def rolling(self, texts: Sequence[str], *, fresh: bool = False) -> Measure:
        """Measure rolling texts in turns.

        Args:
            texts: in the library's notation.
            fresh: each text is a new one: ``~`` in it stands for 1 to 12, ``#`` for a number not used before.
        """

        async def measure(seconds: float) -> Sample:
            told = self._talk.ask({"texts": texts, "seconds": seconds, "fresh": fresh})
            return Sample(told["seconds"], told["batches"], batch=told["size"])

        return measure


class DungeonPeer:
    """Digs dungeons with a library of its own.

    Args:
        talk: with its process.
    """

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    def look(self, side: int, seed: int) -> tuple[int, int]:
        """Dig one dungeon; give how many rooms and cells of floor it has."""
        told = self._talk.ask({"look": side, "seed": seed})
        return told["rooms"], told["floor"]

    def digging(self, side: int) -> Measure:
        """Measure digging dungeons of so many cells a side; what counts is time on a processor."""

        async def measure(seconds: float) -> Sample:
            told = self._talk.ask({"side": side, "seconds": seconds})
            return Sample(told["seconds"], [told["seconds"] * 1000 / told["done"]], batch=told["done"])

        return measure


def dice_peer_name() -> str:
    """Name the library that rolls dice, and its version."""
    return _name(_DICE)


def dungeon_peer_name() -> str:
    """Name the library that digs dungeons, and its version."""
    return _name(_DUNGEONS)


@contextmanager
def dice_peer(module: Path | None = None) -> Iterator[Peer]:
    """Run rpg-dice-roller; see ``_talking``."""
    with _talking("dice.mjs", module) as talk:
        yield Peer(talk)


@contextmanager
def dungeon_peer(module: Path | None = None) -> Iterator[DungeonPeer]:
    """Run rot-js; see ``_talking``."""
    with _talking("dungeons.mjs", module) as talk:
        yield DungeonPeer(talk)


def _name(library: str) -> str:
    version = json.loads((FOLDER / "package.json").read_text("utf-8"))["dependencies"][library]
    return f"{library.rpartition('/')[2]} {version}"


@contextmanager
def _talking(program: str, module: Path | None) -> Iterator[Talk]:
    """Run a program of the peers; their packages are installed first where they are missing.

    The process ends with its standard input, which is ours: it cannot outlive this one.

    Args:
        program: its file.
        module: what is used in place of the library.

    Raises:
        BootstrapFailure: the packages cannot be installed.
    """
    if module is None:
        install_node_project(FOLDER)
    script = [str(node_binary()), str(FOLDER / program), *([] if module is None else [str(module)])]
    with subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        try:
            yield Talk(process)
        finally:
            with contextlib.suppress(BrokenPipeError):  # it has ended, with something unread
                process.stdin.close()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
