"""What is asked of a scene, and what is answered."""

import re
from dataclasses import dataclass

from services.campaign.models import Scene, SceneMove
from services.campaign.scenes.forms import Form
from services.campaign.scenes.standing import Standing
from services.rules.engine.play import LegalMove
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    NotFound,
    Unavailable,
    VersionConflict,
)

_ENTROPY = re.compile(r"[A-Za-z0-9_-]{22,128}={0,2}")


@dataclass(frozen=True, slots=True)
class BotMove:
    """A move that a bot is to choose.

    Attributes:
        actor: who moves.
        bot: id of one of the game's bots; its own simple player when None.
    """

    actor: str
    bot: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedMove:
    """A move to be made.

    Attributes:
        scene: id of the scene.
        expected_seq: the public number that its player saw.
        move: the move; or who is to choose one.
        entropy: the player's own random bytes for the dice, in hexadecimal or base64url.
        idempotency_key: the same key is the same move.
    """

    scene: str
    expected_seq: int
    move: Form | BotMove
    entropy: str | None = None
    idempotency_key: str | None = None

    def fault(self) -> InvalidInput | None:
        """Find out what is wrong with it whatever the scene."""
        if self.entropy is not None and not _ENTROPY.fullmatch(self.entropy):
            return InvalidInput.single(
                "ENTROPY", "Entropy is 16 to 64 random bytes, in hexadecimal or base64url.", "entropy"
            )
        return self.move.fault() if isinstance(self.move, Form) else None


@dataclass(frozen=True, slots=True)
class Performed:
    """A move that was made, or taken back.

    Attributes:
        scene: as it is now.
        move: what was written.
        standing: who is asking.
    """

    scene: Scene
    move: SceneMove
    standing: Standing


@dataclass(frozen=True, slots=True)
class Rejected:
    """A move that the rules do not allow.

    Attributes:
        issues: every rule it breaks, as far as its player may know of it.
        legal: what the actor may do instead.
    """

    issues: list[Issue]
    legal: tuple[LegalMove, ...] = ()


Refusal = InvalidInput | VersionConflict | NotFound | Forbidden | IdempotencyConflict | Unavailable
Answer = Performed | Rejected | Refusal
