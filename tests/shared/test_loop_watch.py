"""The watch over event loops: it tells of a step that holds the loop, and where it was."""

import asyncio
import threading
import time
from typing import Any

import pytest
import structlog
from structlog.dev import ConsoleRenderer
from structlog.processors import JSONRenderer
from structlog.testing import capture_logs
from structlog.typing import Processor

from services.shared.loop_watch import HeldLoop, LoopWatch, log_held

PATIENCE = 60.0


def hold_the_loop(seconds: float) -> None:
    """Compute for some seconds, as a step would that forgets others."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


async def told(reported: threading.Event) -> None:
    """Wait until the watch has told of something."""
    assert await asyncio.to_thread(reported.wait, PATIENCE)


async def test_a_step_that_holds_the_loop_is_told_with_its_stack() -> None:
    found: list[HeldLoop] = []
    reported = threading.Event()

    def report(held: HeldLoop) -> None:
        if any("hold_the_loop" in line for line in held.stack):
            found.append(held)
            reported.set()

    with LoopWatch(report):
        await asyncio.sleep(0)
        hold_the_loop(0.5)
        await told(reported)
    held = found[0]
    assert held.seconds > 0.1
    assert 0 < held.processor_seconds <= held.seconds + 0.1
    assert held.stack[0].startswith("tests/shared/test_loop_watch.py:")
    assert "test_a_step_that_holds_the_loop_is_told_with_its_stack" in " ".join(held.stack)


async def test_a_step_that_waits_for_something_else_than_the_loop_is_told_too() -> None:
    reported, released = threading.Event(), threading.Event()

    def report(held: HeldLoop) -> None:
        if any("Event.wait" in line for line in held.stack):
            reported.set()

    with LoopWatch(report):
        await asyncio.sleep(0)
        released.wait(0.5)
        await told(reported)


async def test_what_is_shorter_is_not_told_and_the_thread_ends_with_the_watch() -> None:
    found: list[HeldLoop] = []
    with LoopWatch(found.append, most=PATIENCE) as watch:
        hold_the_loop(0.3)
        await asyncio.sleep(0)
        thread = watch._thread
        assert thread is not None and thread.is_alive()
    await asyncio.to_thread(thread.join, PATIENCE)
    assert not thread.is_alive() and found == []


async def test_the_line_in_the_log_tells_milliseconds_and_where() -> None:
    with capture_logs() as lines:
        with LoopWatch():
            await asyncio.sleep(0)
            hold_the_loop(0.5)
            async with asyncio.timeout(PATIENCE):
                while not any("hold_the_loop" in str(line.get("frames")) for line in lines):
                    await asyncio.sleep(0.01)
    line = next(line for line in lines if "hold_the_loop" in str(line.get("frames")))
    assert (line["event"], line["log_level"]) == ("loop_held", "warning")
    assert line["ms"] > 100 and line["processor_ms"] >= 0


@pytest.mark.parametrize("renderer", [ConsoleRenderer(colors=False), JSONRenderer()], ids=["console", "json"])
def test_the_line_can_be_written_for_people_and_for_machines(renderer: Processor) -> None:
    written: list[str] = []

    def write(logger: Any, name: str, event: Any) -> Any:
        written.append(str(renderer(logger, name, event)))
        raise structlog.DropEvent

    structlog.configure(processors=[write], cache_logger_on_first_use=False)
    try:
        log_held(HeldLoop(0.3, 0.25, ("a.py:1 work", "b.py:2 ask")))
    finally:
        structlog.reset_defaults()
    assert "loop_held" in written[0] and "a.py:1 work" in written[0]


async def test_a_report_that_fails_does_not_end_the_watch() -> None:
    reported = threading.Event()
    failed: list[HeldLoop] = []

    def report(held: HeldLoop) -> None:
        if not failed:
            failed.append(held)
            raise TypeError
        reported.set()

    with LoopWatch(report):
        await asyncio.sleep(0)
        hold_the_loop(0.3)
        async with asyncio.timeout(PATIENCE):
            while not failed:
                await asyncio.sleep(0.01)
        hold_the_loop(0.3)
        await told(reported)
