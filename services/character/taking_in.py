"""What scenes change about characters: kept while the scenes run, taken in once they are over."""

from collections.abc import Mapping
from typing import Any

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building import Built
from services.character.editions import Editions
from services.character.history import Deed, HistoryKind
from services.character.homecoming import absorbed
from services.character.keeping import keep_anew
from services.character.models import CharacterRow, SceneChangeRow
from services.character.repository import SceneChanges, living
from services.rules.engine.campaign import SUFFIX
from services.shared.clock import Clock
from services.shared.outbox import Event

log = structlog.get_logger(__name__)

CHANGED, ENDED = "scene.changed", "scene.ended"
HANDLED = frozenset({CHANGED, ENDED})
"""The kinds of the campaign service's events that are handled here."""


class TakingIn:
    """Handles the events of the campaign service; see ``services.shared.consumer``.

    The reader's position moves in the same unit of work, so each event is handled once. Of what is told
    twice, late or out of its order all the same, the scene's latest move holds, and its end above all.

    Args:
        clock: the present moment.
        editions: makes the games that characters were built by.
    """

    def __init__(self, clock: Clock, editions: Editions) -> None:
        self._clock = clock
        self._editions = editions

    async def __call__(self, session: AsyncSession, event: Event) -> None:
        """Keep what a running scene has changed so far, or build anew whom an ended one has changed.

        A character that is gone, or that its game cannot build with the change, is left as it is.
        """
        if event.kind == CHANGED:
            await self._keep(session, event.payload)
        else:
            await self._take_in(session, event.payload)

    async def _keep(self, session: AsyncSession, told: Mapping[str, Any]) -> None:
        kept = SceneChanges(session)
        for change in told["changes"]:
            if await _character(session, change["character"], told) is None:
                continue
            row = await kept.of(change["character"], told["scene"])
            if row is None:
                row = _row(change["character"], told)
                kept.add(row)
            elif row.over or row.number >= told["number"]:
                continue
            row.number, row.own, row.shown = told["number"], change["own"], change["open"]

    async def _take_in(self, session: AsyncSession, told: Mapping[str, Any]) -> None:
        changes = {change["character"]: change["data"] for change in told["changes"]}
        kept = SceneChanges(session)
        for character in dict.fromkeys((*told.get("characters", ()), *changes)):
            row = await kept.of(character, told["scene"])
            if row is None:
                row = _row(character, told)
                kept.add(row)
            elif row.over:
                continue
            row.over, row.own, row.shown = True, None, None
            if character in changes:
                await self._build(session, character, told, changes[character])

    async def _build(
        self, session: AsyncSession, character: str, told: Mapping[str, Any], data: Mapping[str, Any]
    ) -> None:
        """Build a character anew with a change, under its own packs."""
        row = await _character(session, character, told)
        if row is None:
            return
        edition = await self._editions.of_row(row, row.system, session)
        built: Built | str = "its game, or a pack that it was built under, is not there"
        if edition is not None:
            built = edition.mark(absorbed(edition.system, told["system"], row.choices, data))
        if not isinstance(built, Built):
            log.error("change_skipped", scene=told["scene"], character=row.id, reason=built)
            return
        await keep_anew(session, row, built, Deed(HistoryKind.SCENE, None), self._clock())


async def _character(session: AsyncSession, character: str, told: Mapping[str, Any]) -> CharacterRow | None:
    """Read a character that a scene tells of; None where it is gone, or of another game."""
    row = await living(session, character)
    if row is None or told["system"] not in (row.system, row.system + SUFFIX):
        log.warning("change_skipped", scene=told["scene"], character=character, reason="gone")
        return None
    return row


def _row(character: str, told: Mapping[str, Any]) -> SceneChangeRow:
    return SceneChangeRow(
        character=character,
        scene=told["scene"],
        campaign=told["campaign"],
        system=told["system"],
        number=told.get("number", 0),
    )
