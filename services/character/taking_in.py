"""What a scene changed about the characters that took part in it, taken in once it is over."""

from collections.abc import Mapping
from typing import Any

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building import Built
from services.character.editions import Editions
from services.character.history import Deed, HistoryKind
from services.character.keeping import keep_anew
from services.character.models import CharacterRow
from services.character.repository import living
from services.shared.clock import Clock
from services.shared.outbox import Event

log = structlog.get_logger(__name__)

HANDLED = frozenset({"scene.ended"})
"""The kinds of the campaign service's events that are handled here."""


class TakingIn:
    """Handles the events of the campaign service; see ``services.shared.consumer``.

    Args:
        clock: the present moment.
        editions: makes the games that characters were built by.
    """

    def __init__(self, clock: Clock, editions: Editions) -> None:
        self._clock = clock
        self._editions = editions

    async def __call__(self, session: AsyncSession, event: Event) -> None:
        """Build anew each character that an ended scene has changed.

        The reader's position moves in the same unit of work, so each change is taken in once. A character
        that is gone, or that its game cannot build with the change, is left as it is.
        """
        scene, system = event.payload["scene"], event.payload["system"]
        for change in event.payload["changes"]:
            row = await living(session, change["character"])
            if row is None or row.system != system:
                log.warning("change_skipped", scene=scene, character=change["character"], reason="gone")
                continue
            built = await self._built(session, row, change["data"])
            if not isinstance(built, Built):
                log.error("change_skipped", scene=scene, character=row.id, reason=built)
                continue
            await keep_anew(session, row, built, Deed(HistoryKind.SCENE, None), self._clock())

    async def _built(self, session: AsyncSession, row: CharacterRow, data: Mapping[str, Any]) -> Built | str:
        """Build a character with a change, under its own packs; a reason where that cannot be done."""
        edition = await self._editions.of_row(row, row.system, session)
        if edition is None or edition.system.play is None:
            return "its game, or a pack that it was built under, is not there"
        try:
            choices = edition.system.play.absorb(edition.system.choices_codec.load(row.choices), data)
            built = edition.build(choices)
        except Exception as error:
            # One character that its game cannot read must not keep all others from what happened to them.
            log.exception("change_failed", character=row.id)
            return f"{type(error).__name__}: {error}"
        return built if isinstance(built, Built) else built.message
