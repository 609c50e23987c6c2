"""Dice, tokens and points."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.forgeborn.play.state import Token, Why
from services.rules.systems.forgeborn.pools import DieSize


class Reason(Enum):
    """Why a Smith's or Heroine's dice become more, fewer or larger.

    Attributes:
        REWARD: A Conflict was won.
        SACRIFICE: They were given up for a creation.
        FORM: They were given for the form of an Artifact.
        FUNCTION: They were given for the function of an Artifact.
        FOREST: The Spirits of the Forest gave or took them.
        FAVOUR: The Prince is favourable.
    """

    REWARD = "reward"
    SACRIFICE = "sacrifice"
    FORM = "form"
    FUNCTION = "function"
    FOREST = "forest"
    FAVOUR = "favour"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceChanged:
    """A Smith's or Heroine's own dice changed.

    Attributes:
        who: Id of the one whose dice they are.
        gained: Sizes of the dice that came.
        lost: Sizes of the dice that went.
        why: By what.
    """

    who: ActorId
    gained: tuple[DieSize, ...]
    lost: tuple[DieSize, ...]
    why: Reason
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChanged:
    """A Smith gained or spent tokens.

    Attributes:
        smith: Id of the one whose tokens they are.
        token: Of which kind.
        change: How many more; negative for spent ones.
    """

    smith: ActorId
    token: Token
    change: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A Smith gained victory points.

    Attributes:
        smith: Id of the one who gained them.
        points: How many.
        why: What for.
        what: Id of the Artifact, or of the place; empty for a favour.
    """

    smith: ActorId
    points: int
    why: Why
    what: str = ""
    audience: Audience = EVERYONE
