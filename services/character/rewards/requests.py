"""What is asked about rewards."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Proposal:
    """A reward that a player proposes.

    Attributes:
        system: Slug of the game system that it belongs to.
        reward: The system's own reward.
    """

    system: str
    reward: Any


@dataclass(frozen=True, slots=True)
class ProposeReward:
    """A reward to be proposed for your character.

    Attributes:
        character_id: Id of the character.
        version: The version you saw.
        reward: Its game, and what is to be gained.
    """

    character_id: str
    version: int
    reward: Proposal


@dataclass(frozen=True, slots=True)
class ApproveReward:
    """A waiting reward to be approved.

    Attributes:
        character_id: Id of the character.
        version: The version you saw.
        index: Place of the waiting reward among the character's, from 0.
    """

    character_id: str
    version: int
    index: int


@dataclass(frozen=True, slots=True)
class RefuseReward:
    """A waiting reward to be refused.

    Attributes:
        character_id: Id of the character.
        version: The version you saw.
        index: Place of the waiting reward among the character's, from 0.
    """

    character_id: str
    version: int
    index: int
