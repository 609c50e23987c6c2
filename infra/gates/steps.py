"""No step on an event loop takes longer than 100 ms while the dearest requests are asked.

Every service watches its own loop and logs what holds it, with its stack: ``services.shared.loop_watch``.
The gateway does so too, without a stack. The requests of ``infra/gates/costly`` are asked one by one, and the
log of every process is read after each.

A line counts where the loop's own thread was at work for 100 ms, or where the loop was held for a second
whatever the reason. What is held for less without being at work waits for a processor that others have: the
machine is told by that, and not the product.
"""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from infra.gates.frame.command import Options, say
from infra.gates.frame.figures import Figure, Wanted
from infra.gates.frame.house import House
from infra.gates.frame.requests import Asked, chosen_of, made_ready
from services.shared.loop_watch import HELD_SECONDS
from tests.e2e.product import Product
from tests.e2e.table import World

LEAST_REQUESTS = 30
ANSWER_SECONDS = 150.0
STOPPED_MS = 1_000
CALM_SECONDS = 0.2
"""How long after an answer the line of its last step may come."""


@dataclass(frozen=True, slots=True)
class HeldLine:
    """What a process logged of a step that held its loop.

    Attributes:
        process: its name.
        ms: how long the loop was held.
        processor_ms: how long its thread was at work meanwhile.
        stack: where, innermost first.
    """

    process: str
    ms: int
    processor_ms: int
    stack: tuple[str, ...]

    @property
    def counts(self) -> bool:
        """Whether the product is to be blamed, and not who else uses the machine."""
        return self.processor_ms > HELD_SECONDS * 1_000 or self.ms > STOPPED_MS

    def told(self, request: str) -> str:
        """Write the finding."""
        where = " < ".join(self.stack[:8])
        return f"{request}: {self.process} {self.ms} ms ({self.processor_ms} ms at work): {where}"


class Logs:
    """What the processes of a product have logged since it was looked at last.

    Args:
        folder: one file a process.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, int] = {}
        self.held()

    def held(self) -> list[HeldLine]:
        """Return the new lines about steps that held a loop."""
        found = []
        for path in sorted(self._folder.glob("*.log")):
            content = path.read_bytes()
            # A file that is shorter than it was has been begun anew.
            start = self._read.get(path.name, 0) if self._read.get(path.name, 0) <= len(content) else 0
            whole = content.rfind(b"\n") + 1
            self._read[path.name] = max(start, whole)
            found += [line for text in content[start:whole].splitlines() if (line := _held(path.stem, text))]
        return found


def run(house: House, options: Options) -> Iterable[Figure]:
    """Ask every request; yields how many were asked, and the steps that took too long."""
    chosen = chosen_of(house.world, options.only)
    yield from watched(house.world, chosen, least=0 if options.only else LEAST_REQUESTS)


def watched(world: World, requests: Iterable[tuple[str, Asked]], *, least: int = 0) -> Iterator[Figure]:
    """Ask requests one by one and read after each what held a loop.

    Args:
        world: the table that they are asked about.
        requests: with the file that each is from.
        least: how many there must be.
    """
    assert isinstance(world.product, Product), "what runs in this process logs nothing of its own"
    logs = Logs(world.product.data / "logs")
    asked, findings, longest = 0, list[str](), 0
    with httpx.Client(timeout=ANSWER_SECONDS, trust_env=False, base_url=world.product.url) as client:
        for ready in made_ready(world, requests):
            world.product.fill_buckets()
            said = _ask(client, ready.signed())
            time.sleep(CALM_SECONDS)
            asked += 1
            held = logs.held()
            longest = max([longest, *(line.processor_ms for line in held)])
            findings += [line.told(f"{ready.title} [{said}]") for line in held if line.counts]
    yield Figure("steps.requests", asked, "requests", least, Wanted.AT_LEAST)
    yield Figure("steps.held", len(findings), "steps", 0, findings=tuple(findings), more={"longest": longest})
    if not findings:
        say("no loop was held")


def _ask(client: httpx.Client, request: dict[str, Any]) -> str:
    try:
        return str(client.request(**request).status_code)
    except httpx.HTTPError as failure:
        return type(failure).__name__


def _held(process: str, text: bytes) -> HeldLine | None:
    if b'"loop_held"' not in text:
        return None
    try:
        line = json.loads(text)
        return HeldLine(process, line["ms"], line["processor_ms"], tuple(line["frames"]))
    except (ValueError, KeyError):
        return None
