"""Case areas answered by the rules: each reads a case's words, asks the rule, and writes its answer."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

from services.rules.engine.conformance import Area

_MODULES = ("rolls", "wares", "world", "counts", "characters", "costing")

AREAS: Mapping[str, Area] = {
    area: answer
    for name in _MODULES
    if find_spec(f"{__name__}.{name}") is not None
    for area, answer in import_module(f"{__name__}.{name}").AREAS.items()
}
"""Every area of the game's cases."""
