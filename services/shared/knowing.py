"""Worker processes that know something before they are asked: the games, say.

Nothing more is imported here than such a process needs.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from services.shared.workers import Workers

R = TypeVar("R")

_known: Any = None
"""What this worker process knows."""


def workers_knowing(load: Callable[[], object], *, loaded: Sequence[str] = (), **limits: Any) -> Workers:
    """Makes worker processes for tasks.

    Args:
        load: finds what they are to know; a function of a module, since processes look it up there.
        loaded: modules that are loaded once for all processes, as of ``Workers``, besides that of ``load``.
        limits: as of ``Workers``.
    """
    return Workers(partial(_know, load), loaded=[*loaded, load.__module__], **limits)


def knowing(task: Callable[..., R], *args: Any, **kwargs: Any) -> R:
    """Does a task in a worker process: it is handed what the process knows, then its arguments."""
    return task(_known, *args, **kwargs)


def nothing(_known: object) -> None:
    """Takes no time: a task that only waits until a process can be asked."""


def _know(load: Callable[[], object]) -> None:
    global _known
    _known = load()
