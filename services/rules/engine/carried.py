"""Fields that a frozen value carries along and that are no part of what it says.

A state carries the content that it is played by: its rules find it at hand, and it is neither written, shown
nor compared. A codec hands what is read the values to carry (`Codec.carries`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields
from types import MappingProxyType
from typing import Any

CARRIED: Mapping[str, bool] = MappingProxyType({"carried": True})
"""The metadata of a field that is carried along: `field(compare=False, repr=False, metadata=CARRIED)`."""


def stated_fields(kind: Any) -> tuple[Field[Any], ...]:
    """Return the fields of a dataclass without those that are carried along, in their order."""
    return tuple(one for one in fields(kind) if "carried" not in one.metadata)
