"""Artifacts and Heroines, and the Vault."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.forgeborn.catalog import Form, Function
from services.rules.systems.forgeborn.pools import DieSize


class Making(Enum):
    """What dice are bought for.

    Attributes:
        ARTIFACT: A new Artifact.
        HEROINE: A new Heroine.
    """

    ARTIFACT = "artifact"
    HEROINE = "heroine"


class Passing(Enum):
    """How an Artifact comes to another holder.

    Attributes:
        VOTE: The other Smiths granted it.
        CONFLICT: A Conflict was rolled for it, and it was mastered.
        TEST: Who took it was found worthy of it.
        GRANT: By the word of the Prince.
        GIVEN: Its holder handed it over.
        TAKEN: A Smith took it from its holder.
    """

    VOTE = "vote"
    CONFLICT = "conflict"
    TEST = "test"
    GRANT = "grant"
    GIVEN = "given"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreationBegan:
    """A Smith begins an Artifact.

    Attributes:
        smith: Id of the maker.
        name: What it is to be called.
        form: What it is to be.
        function: What it is to do.
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
    """A Smith who was asked joined a creation with dice, or stayed out with none.

    Attributes:
        smith: Id of the one who was asked.
        dice: The dice that were put in; none for who stays out.
        sacrificed: Those of them that are gone for good.
    """

    smith: ActorId
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Forged:
    """The dice of a creation or recruiting are counted.

    Attributes:
        smith: Id of the maker.
        what: What they were bought for.
        name: What the Artifact or the Heroine is called.
        total: What the dice came to: points to spend.
        failed: Whether it came to nothing.
    """

    smith: ActorId
    what: Making
    name: str
    total: int
    failed: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactMade:
    """An Artifact lies in the Vault for the first time; its Power is the number of its dice.

    Attributes:
        artifact: Id of the Artifact.
        name: What its maker calls it.
        form: What it is.
        function: What it does.
        dice: The dice that it adds to a roll.
        maker: Id of the Smith who made it.
    """

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
        name: What she is called.
        description: In the player's words.
        smith: Id of the one she joins.
        dice: The dice that she begins with.
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
    """An Artifact has another holder.

    Attributes:
        artifact: Id of the Artifact.
        holder: Id of who has it now.
        how: By what.
    """

    artifact: str
    holder: ActorId
    how: Passing
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultAsked:
    """A Smith asks the others for an Artifact.

    Attributes:
        smith: Id of the one who asks.
        artifact: Id of the Artifact.
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
        smith: Id of the one who asked.
        artifact: Id of the Artifact.
        yes: How many agreed.
        no: How many refused.
        granted: Whether the Artifact may be taken.
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
    """A Smith left a refused Artifact where it is.

    Attributes:
        smith: Id of the one who had asked for it.
        artifact: Id of the Artifact.
    """

    smith: ActorId
    artifact: str
    audience: Audience = EVERYONE
