"""Dangers of the place: cold, falls, climbs and jumps (Hazards; Powers for Everyone).

Every function takes faces or successes already rolled; none rolls.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Gear
from services.rules.systems.dungeonteller.powers import Power

FEET_PER_PACE = 5

CLIMB_ACTIONS = (Action.MUSCLE, Action.STUNT)


class Climate(Enum):
    """How cold a place is; the Luck it takes each day from whoever is not dressed for it.

    Attributes:
        MILD: Costs no Luck.
        COLD: Costs 1 Luck a day.
        FREEZING: Costs 2 Luck a day.
    """

    MILD = "mild"
    COLD = "cold"
    FREEZING = "freezing"


DAILY_LOSS = {Climate.MILD: 0, Climate.COLD: 1, Climate.FREEZING: 2}


def cold_loss(climate: Climate, days: int, gear: Gear | None) -> int:
    """Luck lost to the cold (Hazards / Cold and Freezing).

    It is counted apart, since it does not come back until out of the cold (ruling P29).

    Args:
        climate: How cold it is.
        days: Days spent there.
        gear: What is worn against it, if anything.
    """
    loss = DAILY_LOSS[climate]
    worn = None
    if gear is not None and climate is not Climate.MILD:
        worn = gear.cold_loss if climate is Climate.COLD else gear.freezing_loss
    return days * (loss if worn is None else min(worn, loss))


def warmed(rune: Power, paces: int) -> bool:
    """Whether a rune keeps a being this far away warm (Dwarf / Hearth Rune)."""
    return rune.figures.warm_radius is not None and paces <= rune.figures.warm_radius


def fall_dice(feet: int) -> int:
    """Dice of a fall from a measured height: one for each whole pace (Hazards / Falling; ruling P8)."""
    return feet // FEET_PER_PACE


def fall_loss(successes: int, soft_landing: int = 0) -> int:
    """Luck a fall takes: one for each success, less those of Soft Landing, never below none."""
    return max(successes - soft_landing, 0)


@dataclass(frozen=True, slots=True)
class Climb:
    """A climber on a wall.

    Attributes:
        track: The action each step asks for, from the bottom up.
        at: Steps climbed.
    """

    track: tuple[Action, ...]
    at: int = 0

    @property
    def done(self) -> bool:
        """Whether the climber is over the last step."""
        return self.at >= len(self.track)


@dataclass(frozen=True, slots=True)
class ClimbOutcome:
    """A turn of climbing: where the climber is now, and what a fall took."""

    climb: Climb
    fell: bool
    luck_lost: int


def climb(wall: Climb, roll: Action, successes: int) -> ClimbOutcome | RuleProblem:
    """A turn of climbing (Powers for Everyone / Climb; ruling P8).

    Each success passes one step of the action rolled, up to the first step of the other. Without a success a
    Muscle step keeps its climber in place, and a Stunt step drops them: one Luck for each step climbed.
    """
    if wall.done:
        return RuleProblem("climb_done", "There is nothing left to climb.", "Climb", ("at",), wall.at)
    needed = wall.track[wall.at]
    if roll is not needed:
        return RuleProblem(
            "wrong_action",
            f"This step needs {needed.label}.",
            "Powers for Everyone / Climb",
            ("roll",),
            roll.value,
            needed.value,
        )
    if successes == 0 and needed is Action.STUNT:
        return ClimbOutcome(Climb(wall.track, 0), fell=True, luck_lost=wall.at)
    at = wall.at
    while successes > 0 and at < len(wall.track) and wall.track[at] is roll:
        at += 1
        successes -= 1
    return ClimbOutcome(Climb(wall.track, at), fell=False, luck_lost=0)


@dataclass(frozen=True, slots=True)
class JumpOutcome:
    """A jump: how far, and whether the jumper landed on their feet."""

    paces: int
    on_feet: bool


def jump(muscle_successes: int, stunt_successes: int | None = None) -> JumpOutcome:
    """A jump: one pace for each Muscle success (Powers for Everyone / Jump).

    Args:
        muscle_successes: How far.
        stunt_successes: On a landing that is small or shaky, which needs one; None on firm ground.
    """
    return JumpOutcome(muscle_successes, on_feet=stunt_successes is None or stunt_successes >= 1)
