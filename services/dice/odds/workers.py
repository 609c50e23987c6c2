"""The worker processes of odds: each knows the games' own rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from services.rules.dice.mechanic import Mechanic
from services.shared.workers import Workers

Loader = Callable[[], Mapping[str, Mechanic]]
"""Finds the games' own rolls; a function of a module, since worker processes look it up there."""

_mechanics: Mapping[str, Mechanic] = {}
"""The games' own rolls in a worker process."""


def odds_workers(mechanics: Loader, **limits: Any) -> Workers:
    """Make worker processes that know the games' own rolls.

    Args:
        mechanics: finds them in the worker.
        limits: as of `services.shared.workers.Workers`.
    """
    return Workers(partial(_know, mechanics), **limits)


def known_mechanics() -> Mapping[str, Mechanic]:
    """The games' own rolls that this worker process was given."""
    return _mechanics


def _know(mechanics: Loader) -> None:
    global _mechanics
    _mechanics = mechanics()
