"""What totals are compared with: the exact odds of their expressions."""

from __future__ import annotations

from typing import Protocol

from services.dice.statistics.luck import Expectation
from services.shared.auth import Viewer


class Odds(Protocol):
    """Knows what expressions are expected to come to."""

    async def expectation(
        self, viewer: Viewer, expression: str, definitions: str | None
    ) -> Expectation | None:
        """Return what an expression is expected to come to; None where that is too much to reckon.

        Args:
            viewer: who asks, and pays for it.
            expression: as it is stored with a roll.
            definitions: the named dice in it, as they are stored with a roll.
        """
