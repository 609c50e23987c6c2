"""What every area needs to read a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.conformance import UnsupportedCaseError

Given = Mapping[str, Any]
Answer = dict[str, Any]


def only(given: Given, *keys: str) -> None:
    """Turn a case away that says more than its adapter reads.

    Raises:
        UnsupportedCaseError: It has a key that is not among these.
    """
    if not given.keys() <= set(keys):
        raise UnsupportedCaseError(f"nothing is known of {sorted(given.keys() - set(keys))}")
