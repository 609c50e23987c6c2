"""Conflict rolls."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.forgeborn.play.moves import ArtifactUse


class Foe(Enum):
    """What dice are rolled against, or for: six Conflicts, and the recruiting of a Heroine.

    Attributes:
        DRAGON: The Dragon in its lair.
        RUIN: What guards a Ruin.
        VILLAGE: What troubles a Village.
        PRINCE: The Prince in his City, who is to be won over.
        VAULT: A refused Artifact, to be taken all the same.
        TEST: An Artifact that must find its bearer worthy.
        RECRUIT: Not a foe: a Heroine who is to join.
    """

    DRAGON = "dragon"
    RUIN = "ruin"
    VILLAGE = "village"
    PRINCE = "prince"
    VAULT = "vault"
    TEST = "test"
    RECRUIT = "recruit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A roll is declared, and its dice have not fallen.

    Attributes:
        who: Id of the one who rolls.
        foe: What is rolled against, or for.
        target: Id of the place, or of the Artifact.
        uses: Artifacts that are to help.
        description: How she goes about it, in the player's words.
    """

    who: ActorId
    foe: Foe
    target: str
    uses: tuple[ArtifactUse, ...] = ()
    description: str = ""
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The game master said which Artifacts help.

    Attributes:
        who: Id of the one who is to roll.
        approved: Ids of those that do.
        refused: Ids of those that do not.
    """

    who: ActorId
    approved: tuple[str, ...]
    refused: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceFell:
    """Dice of one size were rolled.

    Attributes:
        by: Who rolled them; `gm` for the dice against her.
        foe: What they were rolled for.
        sides: The size of the dice.
        faces: What they showed, in the order in which they fell.
    """

    by: ActorId
    foe: Foe | None
    sides: int
    faces: tuple[int, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought:
    """A Conflict is decided.

    Attributes:
        who: Id of the one who rolled.
        foe: What it was against.
        target: Id of the place or Artifact.
        total: Of her dice.
        opposition: Of the dice against her.
        won: Whether it was won.
    """

    who: ActorId
    foe: Foe
    target: str
    total: int
    opposition: int
    won: bool
    audience: Audience = EVERYONE
