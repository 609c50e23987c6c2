"""A worker that nobody can end any more, its service gone and the lock held, ends all the same."""

from __future__ import annotations

import signal
from multiprocessing import get_context

import pytest

from services.shared.workers import _within


@pytest.mark.parametrize(
    ("processor", "clock", "ended_by"), [(0.5, 60, signal.SIGPROF), (60, 0.5, signal.SIGALRM)]
)
def test_the_system_ends_a_question_that_holds_the_lock_beyond_its_time(
    processor: float, clock: float, ended_by: signal.Signals
) -> None:
    # One power of giants is a single step for Python: no thread of the process gets a turn until it is done.
    child = get_context("spawn").Process(target=_within, args=(processor, clock, pow, (3, 10**9), {}))
    child.start()
    child.join(60)
    try:
        assert child.exitcode == -ended_by
    finally:
        child.kill()
        child.join()


def test_a_question_within_its_time_is_answered_and_both_alarms_put_off() -> None:
    assert _within(60, 60, pow, (3, 4), {}) == 81
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
