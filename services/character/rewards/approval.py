"""Who decides about the rewards of a character: the GM of the table where it sits, or at none its player."""

from dataclasses import dataclass
from typing import Any

from services.character.rewards.advancement import unapproved
from services.rules.engine.system import AnySystem
from services.shared.auth import Viewer
from services.shared.policy import Policy
from services.shared.problems import Unavailable


@dataclass(frozen=True, slots=True)
class Approval:
    """Whether who edits a character may approve rewards by that.

    Attributes:
        theirs: whether the character sits at no table, or at one that the viewer runs.
        unknown: why nobody knows; None where it is known.
    """

    theirs: bool
    unknown: Unavailable | None = None

    @classmethod
    async def of(cls, policy: Policy, viewer: Viewer, character: str) -> "Approval":
        """Ask at whose table a character sits."""
        try:
            access = await policy.access(viewer, characters=[character])
        except Unavailable as error:
            return cls(theirs=False, unknown=error)
        return cls(theirs=character not in access.characters or access.runs_table_of(character))

    def allowed(self, system: AnySystem, before: Any | None, wanted: Any) -> Any:
        """Return the choices that an edit may make: each reward waits that the viewer may not approve.

        Args:
            system: the character's game.
            before: the choices there are; None when they cannot be read.
            wanted: the choices that the viewer asks for.

        Raises:
            Unavailable: they approve a reward, and nobody knows whether the viewer may.
        """
        if self.theirs:
            return wanted
        allowed = unapproved(system, before, wanted)
        if self.unknown is not None and allowed != wanted:
            raise self.unknown
        return allowed
