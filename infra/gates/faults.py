"""A hundred faults while simulations are played: nothing is lost, and nothing is counted twice.

The same question is asked by one account that nothing befalls, and by fresh accounts one after another while
parts of the product are killed with SIGKILL after random shares of the blocks: the process that plays, the
child of the worker that has forked it, the worker, the sweeper, Valkey, and the campaign service. Each answer
must be that of the first account, byte by byte: report and table.
"""

import json
import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

import httpx

from infra.gates.frame.command import Options, say
from infra.gates.frame.figures import Figure, Wanted
from infra.gates.frame.house import House
from tests.e2e.product import Person, Product, until
from tests.e2e.table import ENDED

FAULTS = 100
MOST_QUESTIONS = 60
FAULTS_OF_ONE = 8
"""Faults that befall one question, while it has some thirteen blocks."""

QUESTION = {
    "system": "dungeonteller",
    "scenes": [{"setupName": "locked-door"}],
    "cast": [{"id": "hero", "example": "warrior"}],
    "runs": 600,
}
MAKER, CHILD = "process that plays", "child of the worker"
WEIGHTS = {MAKER: 45, CHILD: 35, "player": 5, "sweeper": 5, "valkey": 5, "campaign": 5}
"""How often each is killed, of a hundred; parts of the product take seconds to be started again."""

ANSWER_SECONDS = 600.0
"""How long one question may take, on a machine that others use too."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A simulation that has ended.

    Attributes:
        state: how.
        report: the answer as JSON.
        table: the answer as CSV.
    """

    state: str
    report: bytes
    table: bytes


@dataclass(slots=True)
class Faults:
    """Kills parts of a product.

    Args:
        product: the product.
        chance: which part, and when.

    Attributes:
        killed: how often each was killed.
    """

    product: Product
    chance: random.Random
    killed: Counter[str] = field(default_factory=Counter)

    def strike(self) -> None:
        """Kill a part; nothing where it does not run just now."""
        (kind,) = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        pid = self._pid(kind)
        with suppress(ProcessLookupError):
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
                self.killed[kind] += 1
                say(f"fault {self.killed.total()}: {kind}")

    def _pid(self, kind: str) -> int | None:
        if kind not in (MAKER, CHILD):
            return self.product.pid(kind)
        family, worker = self.product.family(), self.product.pid("player")
        children = [one.pid for one in family if one.parent == worker]
        makers = [one.pid for one in family if one.parent in children]
        chosen = children if kind == CHILD else makers
        return self.chance.choice(chosen) if chosen else None


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many faults there were, and the answers that are not that of the undisturbed question."""
    yield from struck(house.product, random.Random(options.seed), faults=FAULTS)


def struck(product: Product, chance: random.Random, *, faults: int) -> Iterable[Figure]:
    """Ask until so many faults have befallen the questions; see ``run``."""
    undisturbed = _answered(product, product.sign_up("Undisturbed"), lambda _: None)
    assert undisturbed.state == "SUCCEEDED", undisturbed.state
    befalling, asked, findings = Faults(product, chance), 0, list[str]()
    while befalling.killed.total() < faults and asked < MOST_QUESTIONS:
        asked += 1
        left = min(FAULTS_OF_ONE, faults - befalling.killed.total())
        moments = sorted(chance.random() for _ in range(left))

        def strike(progress: float, moments: list[float] = moments) -> None:
            if moments and progress >= moments[0]:
                moments.pop(0)
                befalling.strike()

        answer = _answered(product, product.sign_up(f"Struck {asked}"), strike)
        if answer != undisturbed:
            findings.append(f"question {asked} ended {answer.state}: {answer.report[:300]!r}")
        say(f"{befalling.killed.total()} faults, {asked} questions, {len(findings)} of them not as they were")
    more = {name.replace(" ", "_"): count for name, count in sorted(befalling.killed.items())}
    yield Figure("faults.struck", befalling.killed.total(), "faults", faults, Wanted.AT_LEAST, more=more)
    yield Figure("faults.differing", len(findings), "answers", 0, findings=tuple(findings))


def _answered(product: Product, person: Person, watch: Callable[[float], None]) -> Answer:
    """Ask the question, tell how far it is as long as it is played, and return its answer."""

    def read(path: str) -> httpx.Response | None:
        product.fill_buckets()
        try:
            answer = person.get(path)
        except (httpx.HTTPError, AssertionError):
            return None
        return answer if answer.status_code == 200 else None

    def ask() -> str | None:
        try:
            answer = person.post("/v1/simulations", QUESTION, idempotency_key="the question")
        except (httpx.HTTPError, AssertionError):
            return None
        return str(answer.json()["id"]) if answer.status_code == 201 else None

    simulation = until(ask, "the question to be taken", seconds=ANSWER_SECONDS)

    def ended() -> httpx.Response | None:
        answer = read(f"/v1/simulations/{simulation}")
        if answer is None:
            return None
        found = answer.json()
        if found["state"] in ENDED:
            return answer
        watch(float(found["progress"]))
        return None

    last = until(ended, f"the answer of {simulation}", seconds=ANSWER_SECONDS).json()
    table = until(lambda: read(f"/v1/simulations/{simulation}/report.csv"), "its table", seconds=60)
    return Answer(last["state"], json.dumps(last["report"], sort_keys=True).encode(), table.content)
