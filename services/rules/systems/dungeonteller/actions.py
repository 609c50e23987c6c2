"""The ten actions, a character's dice for them, and the faces that succeed (Basics / Actions)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

LUCKY_FACES = (5, 6)
"""Faces that succeed when a table names no others (Making an Action Roll)."""


class Action(Enum):
    """What a character can try.

    Attributes:
        BATTLE: Fighting hand to hand.
        MAGIC: Casting spells and using scrolls.
        MAKE: Making and mending things.
        MUSCLE: Lifting, breaking, pushing.
        NOTICE: Seeing, hearing and finding out.
        RESIST: Withstanding poison, sickness and magic.
        SHOOT: Shooting and throwing.
        SNEAK: Going unseen, and what needs quick fingers.
        STUNT: Jumping, climbing, dodging.
        TALK: Persuading, bluffing, frightening.
    """

    BATTLE = "battle"
    MAGIC = "magic"
    MAKE = "make"
    MUSCLE = "muscle"
    NOTICE = "notice"
    RESIST = "resist"
    SHOOT = "shoot"
    SNEAK = "sneak"
    STUNT = "stunt"
    TALK = "talk"

    @property
    def label(self) -> str:
        """The word on the hero card: "Battle"."""
        return self.value.capitalize()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Dice for each action; an action that is left out has none.

    Attributes:
        battle: Battle dice.
        magic: Magic dice.
        make: Make dice.
        muscle: Muscle dice.
        notice: Notice dice.
        resist: Resist dice.
        shoot: Shoot dice.
        sneak: Sneak dice.
        stunt: Stunt dice.
        talk: Talk dice.
    """

    battle: int = 0
    magic: int = 0
    make: int = 0
    muscle: int = 0
    notice: int = 0
    resist: int = 0
    shoot: int = 0
    sneak: int = 0
    stunt: int = 0
    talk: int = 0

    def of(self, action: Action) -> int:
        """The rating of one action."""
        rating: int = getattr(self, action.value)
        return rating

    def raised(self, action: Action, dice: int = 1) -> Ratings:
        """These ratings with more dice in one action."""
        return replace(self, **{action.value: self.of(action) + dice})


def count_successes(faces: Iterable[int], lucky_faces: tuple[int, ...] = LUCKY_FACES) -> int:
    """How many dice succeed.

    Args:
        faces: The faces rolled.
        lucky_faces: The faces that succeed; a player may name two others (More About Action Rolls).
    """
    return sum(face in lucky_faces for face in faces)
