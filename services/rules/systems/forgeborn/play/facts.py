"""What happens in a game of Forgeborn, as facts in its own words, which the state folds in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.effects import Effect
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.forgeborn.catalog import Form, Function
from services.rules.systems.forgeborn.drop import DroppedDie
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.moves import ArtifactUse
from services.rules.systems.forgeborn.play.state import Ending, Rank, Spot, Token, Way, Why
from services.rules.systems.forgeborn.pools import DieSize


class Foe(Enum):
    """What dice are rolled against, or for: six Conflicts, and the recruiting of a Heroine."""

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


class Reason(Enum):
    """Why a Smith's or Heroine's dice become more, fewer or larger."""

    REWARD = "reward"
    SACRIFICE = "sacrifice"
    FORM = "form"
    FUNCTION = "function"
    FOREST = "forest"
    FAVOUR = "favour"


class Passing(Enum):
    """How an Artifact comes to another holder."""

    VOTE = "vote"
    CONFLICT = "conflict"
    TEST = "test"
    GRANT = "grant"
    GIVEN = "given"
    TAKEN = "taken"


# The realm


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceLanded:
    """Dice of the realm came to rest."""

    dice: tuple[DroppedDie, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmMade:
    """All dice of the realm lie on the sheet: its places and ways are drawn, and the game begins."""

    spots: tuple[Spot, ...]
    ways: tuple[Way, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinSpent:
    """A Ruin was explored: its number is erased."""

    place: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinMissed:
    """The die of a new Ruin landed where no die may lie."""

    smith: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuinFound:
    """A Ruin became known, with a Trail to it; its Power and position are those of its die.

    Attributes:
        place: Its id.
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
    """A Village has a new problem."""

    place: str
    power: int
    danger: str
    audience: Audience = EVERYONE


# Turns


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """A Smith's turn begins.

    Attributes:
        number: Of the turn.
        round: Of the game.
    """

    smith: ActorId
    number: int
    round: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """A Smith or Heroine is the one who acts in this turn."""

    who: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Journeyed:
    """A Smith or Heroine went to the next place."""

    who: ActorId
    to: str
    by: LinkKind
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """The rest of a turn was let go."""

    who: ActorId
    audience: Audience = EVERYONE


# Conflict rolls


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A roll is declared, and its dice have not fallen.

    Attributes:
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
        target: Id of the place or Artifact.
        total: Of her dice.
        opposition: Of the dice against her.
    """

    who: ActorId
    foe: Foe
    target: str
    total: int
    opposition: int
    won: bool
    audience: Audience = EVERYONE


# Dice, tokens and points


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceChanged:
    """A Smith's or Heroine's own dice changed."""

    who: ActorId
    gained: tuple[DieSize, ...]
    lost: tuple[DieSize, ...]
    why: Reason
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChanged:
    """A Smith gained or spent tokens."""

    smith: ActorId
    token: Token
    change: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A Smith gained victory points.

    Attributes:
        what: Id of the Artifact, or of the place; empty for a favour.
    """

    smith: ActorId
    points: int
    why: Why
    what: str = ""
    audience: Audience = EVERYONE


# Artifacts and Heroines


@dataclass(frozen=True, slots=True, kw_only=True)
class CreationBegan:
    """A Smith begins an Artifact.

    Attributes:
        invited: Ids of those who are asked to join.
        description: In the player's words.
    """

    smith: ActorId
    name: str
    form: Form
    function: Function
    invited: tuple[ActorId, ...]
    description: str = ""
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpAnswered:
    """A Smith who was asked joined a creation with dice, or stayed out with none."""

    smith: ActorId
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Forged:
    """The dice of a creation or recruiting are counted."""

    smith: ActorId
    what: Making
    name: str
    total: int
    failed: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactMade:
    """An Artifact lies in the Vault for the first time; its Power is the number of its dice."""

    artifact: str
    name: str
    form: Form
    function: Function
    dice: tuple[DieSize, ...]
    maker: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroineJoined:
    """A Heroine was recruited.

    Attributes:
        heroine: Her id.
        place: Where she starts.
    """

    heroine: ActorId
    name: str
    description: str
    smith: ActorId
    dice: tuple[DieSize, ...]
    place: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactMoved:
    """An Artifact has another holder."""

    artifact: str
    holder: ActorId
    how: Passing
    audience: Audience = EVERYONE


# The Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultAsked:
    """A Smith asks the others for an Artifact.

    Attributes:
        description: In the player's words.
    """

    smith: ActorId
    artifact: str
    description: str = ""
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesCounted:
    """All votes are in.

    Attributes:
        in_favour: Ids of those who agreed; none where it stays secret how each one voted.
    """

    smith: ActorId
    artifact: str
    yes: int
    no: int
    granted: bool
    in_favour: tuple[ActorId, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """A Smith left a refused Artifact where it is."""

    smith: ActorId
    artifact: str
    audience: Audience = EVERYONE


# The Forest and the Prince


@dataclass(frozen=True, slots=True, kw_only=True)
class Communed:
    """The Spirits of the Forest answered a wish."""

    smith: ActorId
    dice: tuple[DieSize, ...]
    total: int
    gained: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class CastOut:
    """The Forest led a Smith out."""

    smith: ActorId
    to: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Swayed:
    """The Prince is won over for the rest of the game."""

    smith: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """The Prince granted an Artifact."""

    smith: ActorId
    artifact: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantEnded:
    """A grant is used, or worth nothing any more: the Artifact has left the Vault."""

    smith: ActorId
    artifact: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan:
    """Something that lasts was laid on a Smith or Heroine."""

    who: ActorId
    effect: Effect
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded:
    """Something that lasted on a Smith or Heroine is over.

    Attributes:
        effect: Id of the effect.
    """

    who: ActorId
    effect: str
    audience: Audience = EVERYONE


# The end, and the game master


@dataclass(frozen=True, slots=True, kw_only=True)
class DragonFell:
    """The Dragon is dead, and every other player has one last turn.

    Attributes:
        who: Who slew it.
        smith: Whose player that is.
        order: Who has a last turn, in this order.
    """

    who: ActorId
    smith: ActorId
    order: tuple[ActorId, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver:
    """The game is over.

    Attributes:
        reason: Why it was called off, in the game master's words.
        ranking: The final order.
    """

    ending: Ending
    ranking: tuple[Rank, ...]
    reason: str = ""
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """The game master described a place, or the scene."""

    place: str
    text: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSet:
    """The others have another time to answer in."""

    seconds: int
    audience: Audience = EVERYONE


Fact = (
    DiceLanded
    | RealmMade
    | RuinSpent
    | RuinMissed
    | RuinFound
    | VillageTroubled
    | TurnBegan
    | Acted
    | Journeyed
    | Passed
    | Declared
    | Judged
    | DiceFell
    | Fought
    | DiceChanged
    | TokenChanged
    | Scored
    | CreationBegan
    | HelpAnswered
    | Forged
    | ArtifactMade
    | HeroineJoined
    | ArtifactMoved
    | VaultAsked
    | VotesCounted
    | Declined
    | Communed
    | CastOut
    | Swayed
    | Granted
    | GrantEnded
    | EffectBegan
    | EffectEnded
    | DragonFell
    | GameOver
    | Described
    | LimitSet
)
