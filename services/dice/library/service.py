"""The door to a table's own words.

``dice``, ``macros`` and ``settings`` hold the use cases of those who keep words; the rest of the service asks
``lexicon`` what a text means at a table, and ``macro`` for a saved roll.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from services.dice.library.dice import TableDice
from services.dice.library.lexicons import Lexicons, OwnDice
from services.dice.library.macros import Macro, Macros
from services.dice.library.settings import TableSettings
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.notation import Dialect, Lexicon
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.policy import Policy

__all__ = ["Library", "Macro"]


class Library:
    """The words of all tables.

    Args:
        database: where they are kept.
        clock: the present moment.
        policy: who may do what.
        mechanics: the games' own rolls by name.
        named: the games' own dice by name.
        monotonic: a clock in seconds that is never set back.

    Attributes:
        dice: the use cases of a table's own dice.
        macros: those of saved rolls.
        settings: those of a table's settings.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        mechanics: Mapping[str, Mechanic],
        named: OwnDice,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lexicons = Lexicons(database, mechanics, named, monotonic)
        self.dice = TableDice(database, clock, policy, self._lexicons, named)
        self.macros = Macros(database, clock, policy, self._lexicons)
        self.settings = TableSettings(database, clock, policy, self._lexicons)

    async def lexicon(self, place: str, dialect: Dialect | None = None) -> Lexicon:
        """Return what texts mean at a place; in its own dialect, unless another is named."""
        return await self._lexicons.lexicon(place, dialect)

    async def definitions(self, place: str) -> OwnDice:
        """Return the dice of a place's own, by name: as they are now."""
        return await self._lexicons.definitions(place)

    async def macro(self, viewer: Viewer, macro: str) -> Macro | None:
        """Return a saved roll that the viewer may see.

        Raises:
            Unavailable: nobody knows whether the viewer may.
        """
        return await self.macros.macro(viewer, macro)
