"""Answers conformance cases with the rules themselves, each area in the words of the cases.

What the rules refuse, they refuse with a code; `reasons` puts the codes into the cases' words.
"""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.conformance import Area
from tests.conformance.dwarf_dice import fighting, forging, odds, table

AREAS: Mapping[str, Area] = {**odds.AREAS, **forging.AREAS, **fighting.AREAS, **table.AREAS}
