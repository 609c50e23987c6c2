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
        MAGIC: Casting spells.
        MAKE: Crafting and mending.
        MUSCLE: Lifting, breaking, carrying.
        NOTICE: Finding what is hidden.
        RESIST: Withstanding poison, cold and spells.
        SHOOT: Fighting from afar.
        SNEAK: Hiding, stealing, opening locks.
        STUNT: Climbing, leaping, dodging.
        TALK: Persuading, bargaining, lying.
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

    # Each is one object only: by itself it is found in tables much faster than by its name, as enums are.
    __hash__ = object.__hash__

    @property
    def label(self) -> str:
        """The word on the hero card: "Battle"."""
        return self.value.capitalize()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Dice for each action; an action that is left out has none.

    Attributes:
        battle: Dice of Battle.
        magic: Dice of Magic.
        make: Dice of Make.
        muscle: Dice of Muscle.
        notice: Dice of Notice.
        resist: Dice of Resist.
        shoot: Dice of Shoot.
        sneak: Dice of Sneak.
        stunt: Dice of Stunt.
        talk: Dice of Talk.
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


def action_roll(dice: int, lucky_faces: tuple[int, ...] = LUCKY_FACES) -> str:
    """An action roll in dice notation: by its name, or with the faces counted that the player named."""
    if set(lucky_faces) == set(LUCKY_FACES):
        return f"dungeonteller:action({dice})"
    return f"{dice}d6" + "".join(f"cs={face}" for face in sorted(set(lucky_faces)))


def count_successes(faces: Iterable[int], lucky_faces: tuple[int, ...] = LUCKY_FACES) -> int:
    """How many dice succeed.

    Args:
        faces: The faces rolled.
        lucky_faces: The faces that succeed; a player may name two others (More About Action Rolls).
    """
    return sum(face in lucky_faces for face in faces)
