"""A task for tests that makes a map like the real one, but halts half-way until the test lets it go on.

A worker loads it by ``--include``. At the barrier it leaves a file ``arrived-...`` in the folder ``barrier``
of the data directory and waits for the file ``open`` there.
"""

import os
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celery import shared_task

from services.shared.settings import Settings
from workers.making import Steps
from workers.maps import STEPS, map_steps, work_on

HELD = "maps.held"
PATIENCE_SECONDS = 120.0


def barrier(data_dir: Path) -> Path:
    """Give the folder of the barrier."""
    return data_dir / "barrier"


def held_steps(params: Mapping[str, Any]) -> Steps:
    """Make a realm, with a halt after the first step."""
    steps = map_steps(params)
    yield next(steps)
    folder = barrier(Settings().data_dir)
    (folder / f"arrived-{os.getpid()}-{os.getppid()}-{uuid.uuid4().hex}").touch()
    end = time.monotonic() + PATIENCE_SECONDS
    while not (folder / "open").exists():
        if time.monotonic() > end:
            raise TimeoutError("nobody opened the barrier")
        time.sleep(0.01)
    return (yield from steps)


STEPS[HELD] = held_steps


@shared_task(name=HELD)  # type: ignore[untyped-decorator]
def held(_job_id: str) -> None:
    """Come to work, as for any other map."""
    work_on()
