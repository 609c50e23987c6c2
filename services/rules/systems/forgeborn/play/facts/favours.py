"""The Forest and the Prince."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.effects import Effect
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.forgeborn.pools import DieSize


@dataclass(frozen=True, slots=True, kw_only=True)
class Communed:
    """The Spirits of the Forest answered a wish.

    Attributes:
        smith: Id of the one who wished.
        dice: The dice that were offered.
        total: What they showed together.
        gained: Whether the wish was granted.
    """

    smith: ActorId
    dice: tuple[DieSize, ...]
    total: int
    gained: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class CastOut:
    """The Forest led a Smith out.

    Attributes:
        smith: Id of the one who was in the Forest.
        to: Id of the place where they are now.
    """

    smith: ActorId
    to: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Swayed:
    """The Prince is won over for the rest of the game.

    Attributes:
        smith: Id of the one who won him over.
    """

    smith: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """The Prince granted an Artifact.

    Attributes:
        smith: Id of the one it is granted to.
        artifact: Id of the Artifact.
    """

    smith: ActorId
    artifact: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantEnded:
    """A grant is used, or worth nothing any more: the Artifact has left the Vault.

    Attributes:
        smith: Id of the one it was granted to.
        artifact: Id of the Artifact.
    """

    smith: ActorId
    artifact: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan:
    """Something that lasts was laid on a Smith or Heroine.

    Attributes:
        who: Id of the one it lies on.
        effect: What lies on them, and how long.
    """

    who: ActorId
    effect: Effect
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded:
    """Something that lasted on a Smith or Heroine is over.

    Attributes:
        who: Id of the one it lay on.
        effect: Id of the effect.
    """

    who: ActorId
    effect: str
    audience: Audience = EVERYONE
