"""Everything is looked through for garbage in pauses, and at the latest when it has been due for long."""

import gc
import subprocess
import sys

from services.shared.app import Accounted
from services.shared.garbage import DUE, PATIENCE_SECONDS, Pauses


class Heap:
    """A heap that counts how often it is looked through."""

    def __init__(self) -> None:
        self.now, self.since, self.looks = 0.0, DUE, 0
        self.pauses = Pauses(clock=lambda: self.now, since=lambda: self.since, collect=self.collect)

    def collect(self) -> None:
        self.looks += 1
        self.since = 0


def test_a_look_that_is_due_waits_until_nobody_waits_for_an_answer() -> None:
    heap = Heap()
    heap.pauses.under_way = 1
    heap.pauses.look()
    assert heap.looks == 0
    heap.pauses.under_way = 0
    heap.pauses.look()
    heap.pauses.look()
    assert heap.looks == 1


def test_nothing_is_looked_through_before_it_is_due() -> None:
    heap = Heap()
    heap.since = DUE - 1
    heap.pauses.look()
    assert heap.looks == 0


def test_who_is_never_idle_is_looked_through_all_the_same() -> None:
    heap = Heap()
    heap.pauses.under_way = 3
    heap.pauses.look()
    heap.now += PATIENCE_SECONDS - 1
    heap.pauses.look()
    assert heap.looks == 0
    heap.now += 1
    heap.pauses.look()
    assert heap.looks == 1
    # The time runs anew from when it is due again.
    heap.now += PATIENCE_SECONDS
    heap.since = DUE
    heap.pauses.look()
    assert heap.looks == 1


async def test_requests_are_under_way_until_they_are_answered_and_streams_until_they_begin() -> None:
    heap, seen = Heap(), list[int]()

    async def app(scope, receive, send) -> None:  # type: ignore[no-untyped-def]
        seen.append(heap.pauses.under_way)
        kind = scope["path"].removeprefix("/").encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})
        seen.append(heap.pauses.under_way)
        if kind == b"broken":
            raise RuntimeError(kind)

    async def send(_message: object) -> None:
        return None

    accounted = Accounted(app, "toy", heap.pauses)
    for kind, within in (("text/event-stream", 0), ("application/json", 1), ("broken", 1)):
        scope = {"type": "http", "method": "GET", "path": f"/{kind}", "headers": []}
        try:
            await accounted(scope, send, send)  # type: ignore[arg-type]
        except RuntimeError:
            assert kind == "broken"
        assert (seen, heap.pauses.under_way) == ([1, within], 0)
        seen.clear()


LARGE = """
import gc
from services.shared.garbage import look_in_pauses_only

class Loop:
    def __init__(self):
        self.own = self

looks = [0, 0, 0]
gc.callbacks.append(lambda phase, found: phase == "start" and looks.__setitem__(found["generation"], 1))
look_in_pauses_only()
answer = [[number] for number in range(200_000)]
loops = [Loop() for _ in range(100)]
del loops
print(looks)
"""


def test_a_large_answer_is_not_looked_through_while_it_is_made() -> None:
    run = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[1, 1, 0]"
    assert gc.get_threshold()[2] < 1_000_000
