"""Answers conformance cases of Duel with its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.conformance import Area
from services.rules.engine.effects import Effect, parts
from tests.toys.duel.catalog import BRACED, EFFECTS
from tests.toys.duel.choices import DuelStyle
from tests.toys.duel.mechanics import guard_dice, read_strike, strike_dice

BRACING = parts((Effect(id="brace", kind=BRACED, bearer="x"),), EFFECTS, "x", "guard")

Given = Mapping[str, Any]
Answer = dict[str, Any]


def _dice(given: Given) -> Answer:
    style = DuelStyle(given["style"])
    return {
        "strike": strike_dice(style).value,
        "guard": guard_dice(style, *(BRACING if given.get("braced", False) else ())).value,
    }


def _strike(given: Given) -> Answer:
    reading = read_strike(tuple(given["attack"]), tuple(given["guard"]))
    return {"ahead": reading.total, "hit": reading.outcome == "hit"}


AREAS: Mapping[str, Area] = {"dice": _dice, "strike": _strike}
