"""Why Fortune is spent or gained, and why a Mark is taken."""

from __future__ import annotations

from enum import Enum


class Why(Enum):
    """What Fortune is spent for, or comes from.

    Attributes:
        AID: To help another.
        LUCKY: To make a roll Lucky.
        POINTS: To add to a roll.
        PREPARED: Prepared before.
        EFFECT: To raise an Effect.
        LIFT: To lift another in a Group Action.
        HARM_ROLL: To roll at all under heavy Harm.
        SAVE: For a Save.
        TALENT: For a talent.
        BREAK: For a Lucky Break.
        NATURAL_20: For a natural 20.
        MISS: For a Miss.
        HARM_TAKEN: For Harm that was taken.
        FINAL_ACT: For a Final Act.
        STORY: In the story.
    """

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
    """Why a Mark is taken (Marks; H2).

    Attributes:
        HARM_FULL: No slot was left for a Harm.
        FORTUNE_RAN_OUT: Fortune ran out.
        CLEAR_A_ROLL: The hero took it to clear a roll.
    """

    HARM_FULL = "harm_full"
    FORTUNE_RAN_OUT = "fortune_ran_out"
    CLEAR_A_ROLL = "clear_a_roll"
