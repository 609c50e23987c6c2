"""What a cave is made from, and what may be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from services.map.generation.limits import range_problems, title_problems
from services.rules.engine.problem import RuleProblem

SIDES = (21, 400)
ENTRANCES = (1, 3)
LONGEST_TITLE = 64


class CaveTheme(StrEnum):
    """What made the cave, and what is in it.

    Attributes:
        LIMESTONE: Dripstone and clear pools.
        ICE: A hollow in a glacier, lit through the ice.
        LAVA: Tubes of cooled lava, with embers and fire below.
        FUNGAL: Damp hollows where mushrooms glow.
        SEA: Hollows that the tide has cut.
    """

    LIMESTONE = "limestone"
    ICE = "ice"
    LAVA = "lava"
    FUNGAL = "fungal"
    SEA = "sea"


@dataclass(frozen=True, slots=True)
class CaveParameters:
    """What a cave is made from.

    Attributes:
        width: Columns of five feet, 21 to 400.
        height: Rows of five feet, 21 to 400.
        theme: What made the cave: it sets pools, growth, lights and words.
        openness: How much of the rock is hollow, 0 (narrow) to 1 (wide).
        roughness: How ragged the walls are, 0 to 1.
        water: How much of the floor is pools (of melt in a lava cave), 0 to 1.
        chasms: How much of the floor has fallen away, 0 to 1.
        growth: How much fungus, ice or sand there is, 0 to 1.
        lights: How many chambers shine by themselves, 0 to 1.
        entrances: Ways in, 1 to 3.
        title: Name of the cave, up to 64 characters, instead of a made one.
    """

    width: int = 61
    height: int = 51
    theme: CaveTheme = CaveTheme.LIMESTONE
    openness: float = 0.5
    roughness: float = 0.5
    water: float = 0.3
    chasms: float = 0.15
    growth: float = 0.3
    lights: float = 0.3
    entrances: int = 1
    title: str = ""


_outside = partial(range_problems, "cave_parameter_out_of_range")


def check_parameters(parameters: CaveParameters) -> tuple[RuleProblem, ...]:
    """Everything that is wrong with some parameters, with paths; nothing when they are fine."""
    return (
        *_outside("width", parameters.width, *SIDES),
        *_outside("height", parameters.height, *SIDES),
        *_outside("openness", parameters.openness, 0.0, 1.0),
        *_outside("roughness", parameters.roughness, 0.0, 1.0),
        *_outside("water", parameters.water, 0.0, 1.0),
        *_outside("chasms", parameters.chasms, 0.0, 1.0),
        *_outside("growth", parameters.growth, 0.0, 1.0),
        *_outside("lights", parameters.lights, 0.0, 1.0),
        *_outside("entrances", parameters.entrances, *ENTRANCES),
        *title_problems(parameters.title, "cave_title_malformed", LONGEST_TITLE),
    )
