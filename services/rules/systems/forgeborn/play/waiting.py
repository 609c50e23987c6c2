"""What a game may wait for in the middle of a turn: rolls that are declared, votes, purchases, choices."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.systems.forgeborn.catalog import Form, Function
from services.rules.systems.forgeborn.pools import DieSize


class Foe(Enum):
    """What a roll is made against, or for: six Conflicts, and the recruiting of a Heroine."""

    DRAGON = "dragon"
    RUIN = "ruin"
    VILLAGE = "village"
    PRINCE = "prince"
    VAULT = "vault"
    TEST = "test"
    RECRUIT = "recruit"


class Making(Enum):
    """What dice are bought for."""

    ARTIFACT = "artifact"
    HEROINE = "heroine"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactUse:
    """An Artifact put to use, and how it helps, in the player's words."""

    artifact: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A Conflict, or the recruiting of a Heroine, that is declared and not yet rolled.

    Attributes:
        smith: Id of the Smith whose player made it.
        who: Who rolls: the Smith or a Heroine.
        target: Id of the place, or of the Artifact.
        power: Power of what stands against it; 0 where nothing does.
        dice: Dice of her own.
        sacrificed: Dice of her own on top, lost on a win.
        uses: Artifacts of hers that are to help.
        approved: Ids of those that may; the tested one is none of them.
        judged: Whether the game master has said which.
        name: Name of the Heroine to be.
        description: In the player's words.
    """

    id: str
    smith: str
    foe: Foe
    who: str
    target: str
    power: int
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()
    uses: tuple[ArtifactUse, ...] = ()
    approved: tuple[str, ...] = ()
    judged: bool = False
    name: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Helper:
    """Another Smith who was asked to join a creation.

    Attributes:
        joins: Whether she does; none until she has answered.
    """

    smith: str
    joins: bool | None = None
    dice: tuple[DieSize, ...] = ()
    sacrificed: tuple[DieSize, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """An Artifact that is paid for and not yet rolled for.

    Attributes:
        form_die: The die given up for the form; none where a token paid.
        function_die: The die given up for the function likewise.
        helpers: Those who were asked to join.
    """

    id: str
    smith: str
    name: str
    form: Form
    function: Function
    form_die: DieSize | None
    function_die: DieSize | None
    helpers: tuple[Helper, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """Points that wait to be spent on dice.

    Attributes:
        total: The points.
        what: Whether an Artifact or a Heroine gets the dice.
        form: Of the Artifact.
        function: Of the Artifact.
        helpers: Ids of the Smiths who helped.
    """

    id: str
    smith: str
    total: int
    what: Making
    name: str
    form: Form | None = None
    function: Function | None = None
    helpers: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """A vote on an Artifact.

    Attributes:
        cast: Whether it is in.
        agree: What it says; none until it is in, and for those who may not know.
    """

    smith: str
    cast: bool = False
    agree: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Voting:
    """Whether a Smith may take an Artifact from the Vault: every other player votes."""

    id: str
    smith: str
    artifact: str
    ballots: tuple[Ballot, ...]
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The others said no: the asker may roll for the Artifact, or leave it."""

    id: str
    smith: str
    artifact: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewarding:
    """A lost Conflict: a d4 more, or one die promoted, for whoever rolled."""

    id: str
    smith: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Losing:
    """The Forest takes a die: which one is the player's choice."""

    id: str
    smith: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinDrop:
    """A Ruin was explored: the die of the next one is to be dropped."""

    id: str
    smith: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A Village's problem is solved: a d4 says how bad the next one is."""

    id: str
    smith: str
    place: str


Question = Attempt | Creation | Purchase | Voting | Refused | Rewarding | Losing | RuinDrop | Trouble
"""What a game may wait for in the middle of a turn."""
