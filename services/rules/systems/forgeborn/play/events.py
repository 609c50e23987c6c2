"""Everything that can happen in a game of Forgeborn, as facts that the state folds in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.play import EVERYONE, Audience
from services.rules.systems.forgeborn.drop import DroppedDie
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.state import (
    Artifact,
    Ground,
    Heroine,
    Rank,
    Spot,
    Token,
    Turn,
    Way,
    Why,
)
from services.rules.systems.forgeborn.play.waiting import (
    Ballot,
    Foe,
    Making,
    Question,
)
from services.rules.systems.forgeborn.pools import DieSize


class Reason(Enum):
    """Why somebody's dice become more, fewer or larger."""

    REWARD = "reward"
    SACRIFICE = "sacrifice"
    FORM = "form"
    FUNCTION = "function"
    FOREST = "forest"
    FAVOUR = "favour"


class Passing(Enum):
    """How an Artifact comes to somebody."""

    VOTE = "vote"
    CONFLICT = "conflict"
    TEST = "test"
    GRANT = "grant"
    GIVEN = "given"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceLanded:
    """Dice of the realm came to rest; more of them are still to fall."""

    dice: tuple[DroppedDie, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmMade:
    """All dice of the realm lie on the sheet, and the game begins."""

    ground: Ground
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinFound:
    """A Ruin became known, with a Trail to it."""

    die: DroppedDie
    spot: Spot
    way: Way
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinMissed:
    """The die of the new Ruin landed where no die may lie; it is dropped again."""

    smith: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinSpent:
    """A Ruin was explored: its number is erased."""

    place: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class VillageTroubled:
    """A Village has a new problem."""

    place: str
    power: int
    danger: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """Somebody's turn begins."""

    turn: Turn
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """Somebody is the one who acts in this turn."""

    who: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Journeyed:
    """Somebody went to the next place."""

    who: str
    to: str
    by: LinkKind
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """Somebody let the rest of the turn go."""

    who: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The turn waits for an answer."""

    question: Question
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The turn waits no longer."""

    question: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The game master said which Artifacts help."""

    who: str
    approved: tuple[str, ...]
    refused: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceFell:
    """Dice were rolled.

    Attributes:
        by: Who rolled them.
        label: What for.
    """

    roll: str
    by: str
    label: str
    sides: int
    faces: tuple[int, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought:
    """A Conflict is decided.

    Attributes:
        target: Id of the place or Artifact.
        total: Of her dice.
        opposition: Of the dice against her.
    """

    who: str
    foe: Foe
    target: str
    total: int
    opposition: int
    won: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceChanged:
    """Somebody's own dice changed."""

    who: str
    gained: tuple[DieSize, ...]
    lost: tuple[DieSize, ...]
    why: Reason
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChanged:
    """A Smith gained or spent tokens."""

    smith: str
    token: Token
    change: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A Smith was given victory points."""

    smith: str
    points: int
    why: Why
    what: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpAnswered:
    """A Smith joined a creation, or stayed out."""

    smith: str
    joins: bool
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Forged:
    """The dice of a creation or recruiting are counted."""

    smith: str
    what: Making
    name: str
    total: int
    failed: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactMade:
    """An Artifact lies in the Vault for the first time."""

    artifact: Artifact
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroineJoined:
    """A Heroine was recruited."""

    heroine: Heroine
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactMoved:
    """An Artifact has another holder."""

    artifact: str
    holder: str
    how: Passing
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCast:
    """Somebody has voted.

    Attributes:
        agree: What they said; none for those who may not know.
    """

    smith: str
    agree: bool | None
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesCounted:
    """All votes are in.

    Attributes:
        ballots: How each voted; none where that stays secret.
    """

    smith: str
    artifact: str
    yes: int
    no: int
    granted: bool
    ballots: tuple[Ballot, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """Somebody left a refused Artifact where it is."""

    smith: str
    artifact: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Communed:
    """The Spirits of the Forest answered a wish."""

    smith: str
    dice: tuple[DieSize, ...]
    total: int
    gained: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class CastOut:
    """The Forest led somebody out."""

    smith: str
    to: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Swayed:
    """The Prince is won over for the rest of the game."""

    smith: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """The Prince granted an Artifact."""

    smith: str
    artifact: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class DragonFell:
    """The Dragon is dead, and every other player has one last turn.

    Attributes:
        who: Who slew it.
        smith: Whose player that is.
        order: Who has a last turn, in this order.
    """

    who: str
    smith: str
    order: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """The game master described something."""

    place: str
    text: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSet:
    """The others have another time to answer in."""

    seconds: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver:
    """The game is over."""

    text: str
    ranking: tuple[Rank, ...]
    audience: Audience = EVERYONE


Event = (
    DiceLanded
    | RealmMade
    | RuinFound
    | RuinMissed
    | RuinSpent
    | VillageTroubled
    | TurnBegan
    | Acted
    | Journeyed
    | Passed
    | Asked
    | Answered
    | Judged
    | DiceFell
    | Fought
    | DiceChanged
    | TokenChanged
    | Scored
    | HelpAnswered
    | Forged
    | ArtifactMade
    | HeroineJoined
    | ArtifactMoved
    | VoteCast
    | VotesCounted
    | Declined
    | Communed
    | CastOut
    | Swayed
    | Granted
    | DragonFell
    | Described
    | LimitSet
    | GameOver
)
