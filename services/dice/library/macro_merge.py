"""An edit of a saved roll from a version that was replaced: fields that nobody else has changed merge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from services.dice.library.models import MacroRow
from services.dice.library.requests import UpdateMacro
from services.dice.library.variables import values_of
from services.shared.merging import merge_fields, note_fields
from services.shared.problems import DifferingField, VersionConflict

ROLLED = ("expression", "variables", "dialect")
"""The fields that only together can be rolled."""

EDITED = ("name", "label", *ROLLED)
"""The fields that an edit changes, as requests call them."""


def merge_macro(row: MacroRow, asked: UpdateMacro) -> bool:
    """Check what an edit changes against what was changed since, and write down which fields it changes.

    Args:
        row: the saved roll, held.
        asked: the edit.

    Returns:
        Whether there is anything left to do: not where others have made the same edit since.

    Raises:
        VersionConflict: others have changed the same since.
    """
    changed = merge_fields(row, asked.version, _yours(asked), _theirs(row))
    note_fields(row, EDITED, changed)
    return bool(changed) or asked.version == row.version


def unrollable(row: MacroRow, asked: UpdateMacro) -> VersionConflict:
    """Return the conflict of an edit that cannot be rolled with what was changed since its version."""
    theirs = _theirs(row)
    differing = [
        DifferingField([name], value, theirs[name]) for name, value in _yours(asked).items() if name in ROLLED
    ]
    return VersionConflict(asked.version, row.version, ("version",), differing)


def _theirs(row: MacroRow) -> dict[str, Any]:
    values: dict[str, int | None] = orjson.loads(row.variables)
    known = {name: value for name, value in values.items() if value is not None}
    return {
        "name": row.name,
        "label": row.label,
        "expression": row.expression,
        "variables": _variables(known),
        "dialect": row.dialect,
    }


def _yours(asked: UpdateMacro) -> dict[str, Any]:
    yours: dict[str, Any] = {}
    if asked.name is not None:
        yours["name"] = asked.name.strip()
    if asked.label is not None:
        yours["label"] = asked.label.strip() or None
    if asked.expression is not None:
        yours["expression"] = asked.expression
    if asked.variables is not None:
        yours["variables"] = _variables(values_of(asked.variables))
    if asked.dialect is not None:
        yours["dialect"] = asked.dialect.name
    return yours


def _variables(values: Mapping[str, int]) -> list[dict[str, Any]]:
    """Write defaults as requests do, in the order of their names."""
    return [{"name": name, "value": values[name]} for name in sorted(values)]
