"""Answers conformance cases of Duel with its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.conformance import Area
from tests.toys.duel.duellists import DuelStyle, guard_dice, read_strike, strike_dice

Given = Mapping[str, Any]
Answer = dict[str, Any]


def _dice(given: Given) -> Answer:
    style = DuelStyle(given["style"])
    return {
        "strike": strike_dice(style).value,
        "guard": guard_dice(style, braced=given.get("braced", False)).value,
    }


def _strike(given: Given) -> Answer:
    reading = read_strike(tuple(given["attack"]), tuple(given["guard"]))
    return {"ahead": reading.total, "hit": reading.outcome == "hit"}


AREAS: Mapping[str, Area] = {"dice": _dice, "strike": _strike}
