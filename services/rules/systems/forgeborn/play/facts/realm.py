"""The realm: how it is made, and what becomes known of it."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.forgeborn.drop import DroppedDie
from services.rules.systems.forgeborn.play.state import Spot, Way


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceLanded:
    """Dice of the realm came to rest.

    Attributes:
        dice: Each with its size, its face and where it lies.
    """

    dice: tuple[DroppedDie, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmMade:
    """All dice of the realm lie on the sheet: its places and ways are drawn, and the game begins.

    Attributes:
        spots: Its places.
        ways: Its Roads and Trails.
    """

    spots: tuple[Spot, ...]
    ways: tuple[Way, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinSpent:
    """A Ruin was explored: its number is erased.

    Attributes:
        place: Id of the Ruin.
    """

    place: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinMissed:
    """The die of a new Ruin landed where no die may lie.

    Attributes:
        smith: Id of the one who dropped it.
    """

    smith: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinFound:
    """A Ruin became known, with a Trail to it; its Power and position are those of its die.

    Attributes:
        die: The die that it is.
        place: Its id.
        name: What it is called.
        danger: What guards it.
        near: Id of the place at the other end of the Trail.
    """

    die: DroppedDie
    place: str
    name: str
    danger: str
    near: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class VillageTroubled:
    """A Village has a new problem.

    Attributes:
        place: Id of the Village.
        power: How strong the problem is.
        danger: What it is.
    """

    place: str
    power: int
    danger: str
    audience: Audience = EVERYONE
