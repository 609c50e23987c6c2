"""Everything that can be done in a game of Forgeborn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.steps import ActorId, ItemId, PlaceId
from services.rules.systems.forgeborn.catalog import Form, Function
from services.rules.systems.forgeborn.pools import DieSize


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactUse:
    """An Artifact put to use, and how it helps, in the player's words.

    Attributes:
        artifact: Id of the Artifact.
        how: How it helps, in the player's words.
    """

    artifact: ItemId
    how: str


class Payment(Enum):
    """What pays for an Artifact's form or function: the die that stands for it, or a token."""

    DIE = "die"
    TOKEN = "token"


class Favour(Enum):
    """What those who swayed the Prince may take."""

    SECRET = "secret"
    RESOURCE = "resource"
    DIE = "die"
    GRANT = "grant"


# The realm


@dataclass(frozen=True, slots=True, kw_only=True)
class DropDice:
    """Let the dice that make the realm fall on the sheet."""

    actor: str


# The turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """Go along a Road or Trail to the next place."""

    actor: str
    to: PlaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """End the turn."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceDragon:
    """Face the Dragon in its Lair.

    Attributes:
        dice: Dice of her own, one to three.
        sacrificed: More of them, lost on a win; only on top of three.
        artifacts: Artifacts she holds, and how each helps.
        description: How she faces it.
    """

    actor: str
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()
    artifacts: tuple[ArtifactUse, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreRuins:
    """Explore the Ruins she stands in; the fields are those of `FaceDragon`."""

    actor: str
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()
    artifacts: tuple[ArtifactUse, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistVillage:
    """Solve the problem of the Village she is in; the fields are those of `FaceDragon`."""

    actor: str
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()
    artifacts: tuple[ArtifactUse, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeseechPrince:
    """Try to sway the Prince; the fields are those of `FaceDragon`."""

    actor: str
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()
    artifacts: tuple[ArtifactUse, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeTested:
    """A Heroine asks to be found worthy of an Artifact in the Vault, whose dice help her.

    Attributes:
        artifact: Id of the Artifact.
    """

    actor: str
    artifact: ItemId
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateArtifact:
    """Begin an Artifact at the Citadel: pay for its form and function, and ask others to join.

    Attributes:
        form_by: A die is the one that stands for the form; a token is a Resource token.
        function_by: A die is the one that stands for the function; a token is a Secret token.
        invite: Ids of Smiths at the Citadel who are asked to join.
    """

    actor: str
    name: str
    form: Form
    form_by: Payment
    function: Function
    function_by: Payment
    invite: tuple[ActorId, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recruit:
    """Recruit a Heroine in a Village or the City; dice and Artifacts as in `FaceDragon`.

    Attributes:
        name: What she is called.
        description: Who she is, and what convinces her.
    """

    actor: str
    name: str
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()
    artifacts: tuple[ArtifactUse, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskVault:
    """Ask the others for an Artifact in the Vault."""

    actor: str
    artifact: ItemId
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectGrant:
    """Take an Artifact from the Vault that the Prince has granted."""

    actor: str
    artifact: ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class Commune:
    """Wish for dice in the Forest: a low total brings them.

    Attributes:
        dice: Any dice, in any number.
    """

    actor: str
    dice: tuple[DieSize, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeFavour:
    """Take a favour of the Prince, once he is swayed.

    Attributes:
        promote: With a die as favour: the die to promote; none for a d4 more.
        artifact: With a grant as favour: the Artifact in the Vault.
    """

    actor: str
    favour: Favour
    promote: DieSize | None = None
    artifact: ItemId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Give:
    """A Smith hands an Artifact to a Heroine at her place; free in one's own turn."""

    actor: str
    artifact: ItemId
    to: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """A Smith takes an Artifact from a Heroine of hers at her place; free in one's own turn."""

    actor: str
    artifact: ItemId


# Answers to what a move asks


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """Say which Artifacts help in a roll; those not named do not.

    Attributes:
        artifacts: Ids of those that help.
    """

    actor: str
    artifacts: tuple[ItemId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Join another Smith's creation with dice of one's own, or stay out.

    Attributes:
        dice: One to three dice; none to stay out.
        sacrificed: More of them, on top of three.
    """

    actor: str
    dice: tuple[DieSize, ...] = ()
    sacrificed: tuple[DieSize, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Imbue:
    """Roll one's own dice for the Artifact, with those of everybody who joined."""

    actor: str
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bestow:
    """Buy the dice of the new Artifact or Heroine; what is not spent is lost."""

    actor: str
    dice: tuple[DieSize, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """Say whether another Smith may take an Artifact; nobody hears how before all have voted."""

    actor: str
    agree: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Roll against the Power of an Artifact that the others refused; see `FaceDragon`."""

    actor: str
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()
    artifacts: tuple[ArtifactUse, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Leave a refused Artifact where it is; the action is used all the same."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseReward:
    """After a loss: promote a die, or gain a d4.

    Attributes:
        promote: The die to promote; none for a d4 more.
    """

    actor: str
    promote: DieSize | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoseDie:
    """Say which die the Forest takes."""

    actor: str
    die: DieSize


# The game master


@dataclass(frozen=True, slots=True, kw_only=True)
class Describe:
    """Describe what guards or troubles a place, or what is to be seen.

    Attributes:
        place: Id of the place; empty for the scene as a whole.
        text: In plain words.
    """

    actor: str
    text: str
    place: PlaceId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTimeLimit:
    """Say how long the others have to vote or to join.

    Attributes:
        seconds: 0 for no limit.
    """

    actor: str
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOff:
    """End the game; the points stand as they are."""

    actor: str
    reason: str = ""


Answer = Approve | Join | Imbue | Bestow | Vote | Claim | Decline | ChooseReward | LoseDie
"""Answers to questions; refused as moves where nothing is asked."""

ConflictMove = FaceDragon | ExploreRuins | AssistVillage | BeseechPrince
Move = (
    DropDice
    | Journey
    | Pass
    | FaceDragon
    | ExploreRuins
    | AssistVillage
    | BeseechPrince
    | BeTested
    | CreateArtifact
    | Recruit
    | AskVault
    | CollectGrant
    | Commune
    | TakeFavour
    | Give
    | Take
    | Join
    | Imbue
    | Bestow
    | Vote
    | Claim
    | Decline
    | ChooseReward
    | LoseDie
    | Approve
    | Describe
    | SetTimeLimit
    | CallOff
)
