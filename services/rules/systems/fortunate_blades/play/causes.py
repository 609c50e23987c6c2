"""Why Fortune is spent or gained, and why a Mark is taken."""

from __future__ import annotations

from enum import Enum


class Why(Enum):
    """What Fortune is spent for, or comes from."""

    AID = "aid"
    LUCKY = "lucky"
    POINTS = "points"
    PREPARED = "prepared"
    EFFECT = "effect"
    LIFT = "lift"
    HARM_ROLL = "harm_roll"
    SAVE = "save"
    TALENT = "talent"
    BREAK = "lucky_break"
    NATURAL_20 = "natural_20"
    MISS = "miss"
    HARM_TAKEN = "harm_taken"
    FINAL_ACT = "final_act"
    STORY = "story"


class Cause(Enum):
    """Why a Mark is taken (Marks; H2)."""

    HARM_FULL = "harm_full"
    FORTUNE_RAN_OUT = "fortune_ran_out"
    CLEAR_A_ROLL = "clear_a_roll"
