"""What scenes change about characters: kept while the scenes run, taken in once they are over."""

from collections.abc import Mapping
from typing import Any

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.edits import keep_anew
from services.character.building.models import CharacterRow
from services.character.building.repository import living
from services.character.history.lines import Deed, HistoryKind
from services.character.history.models import SceneChangeRow
from services.character.history.repository import SceneChanges
from services.character.history.scene_changes import SceneChange, Unbuildable, absorbed, builds_upon
from services.character.packs.editions import Edition, Editions
from services.character.tables import UPDATES
from services.rules.engine.campaign import SUFFIX
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.outbox import Event
from services.shared.updates import TABLE, PlaceUpdates

log = structlog.get_logger(__name__)

CHANGED, ENDED = "scene.changed", "scene.ended"


class SceneEvents:
    """Handles the events of the campaign service that tell of scenes; see ``services.shared.consumer``.

    The reader's position moves in the same unit of work, so each event is handled once. Of what is told
    twice, late or out of its order all the same, the scene's latest move holds, and its end above all.

    What an ended scene has changed becomes the character's own at once, but for what builds upon the changes
    of an older scene that still runs, say by spending what was found there: that waits for the older one.

    Args:
        clock: the present moment.
        editions: makes the games that characters were built by.

    Attributes:
        handlers: what to do, by kind of event.
    """

    def __init__(self, clock: Clock, editions: Editions) -> None:
        self._clock = clock
        self._editions = editions
        self.handlers: Mapping[str, Handler] = {CHANGED: self, ENDED: self}

    async def __call__(self, session: AsyncSession, event: Event) -> None:
        """Keep what a running scene has changed so far, or build anew whom an ended one has changed.

        A character that is gone, or that its game cannot build with the change, is left as it is.
        """
        if event.kind == CHANGED:
            characters = await self._keep(session, event.payload)
        else:
            characters = await self._end(session, event.payload)
        for character in characters:
            await self._settle(session, character)

    async def drop(
        self, session: AsyncSession, *, scene: str | None = None, campaign: str | None = None
    ) -> None:
        """Forget what a scene that was deleted, or all of a campaign, had changed so far: it never happened.

        What is left of scenes that have ended, and waited for those, becomes the characters' own.
        """
        dropped = sorted(await SceneChanges(session).drop(scene=scene, campaign=campaign))
        await PlaceUpdates(session, UPDATES).changed(dropped)
        for one in dropped:
            character = await living(session, one)
            if character is not None:
                await self._settle(session, character)

    async def _keep(self, session: AsyncSession, told: Mapping[str, Any]) -> list[CharacterRow]:
        """Keep what a running scene tells, and return the characters about whom it was new."""
        kept, found = SceneChanges(session), []
        for change in told["changes"]:
            character = await _character(session, change["character"], told)
            if character is None:
                continue
            row = await kept.of(character.id, told["scene"])
            if row is None:
                row = _row(character.id, told)
                kept.add(row)
            elif row.ended or row.number >= told["number"]:
                continue
            before, row.number = row.shown, told["number"]
            row.own, row.shown = change["own"], change["open"]
            await _note(session, row, before)
            found.append(character)
        return found

    async def _end(self, session: AsyncSession, told: Mapping[str, Any]) -> list[CharacterRow]:
        """Keep what an ended scene tells, and return the characters about whom it was new."""
        changes = {change["character"]: change for change in told["changes"]}
        kept, found = SceneChanges(session), []
        for one in dict.fromkeys((*told.get("characters", ()), *changes)):
            character = await _character(session, one, told)
            if character is None:
                continue
            row = await kept.of(one, told["scene"])
            if row is None:
                row = _row(one, told)
                kept.add(row)
            elif row.ended:
                continue
            change = changes.get(one)
            before = row.shown
            row.own = row.shown = change and {"data": change["data"], "text": change["text"]}
            row.ended, row.settled = True, change is None
            await _note(session, row, before)
            found.append(character)
        return found

    async def _settle(self, session: AsyncSession, character: CharacterRow) -> None:
        """Make the changes of ended scenes the character's own, in the order in which the scenes began."""
        rows = await SceneChanges(session).unsettled([character.id])
        if not any(row.ended for row in rows):
            return
        edition = await self._editions.of_row(character, character.system, session)
        older: list[SceneChange] = []
        for row in rows:
            if row.own is None:
                continue
            change = SceneChange(row.scene, row.system, row.own["data"], row.own["text"])
            if not row.ended or (
                edition is not None and builds_upon(edition.system, character.choices, change, older)
            ):
                older.append(change)
                continue
            row.settled, row.own, row.shown = True, None, None
            await self._build(session, character, edition, change)

    async def _build(
        self, session: AsyncSession, row: CharacterRow, edition: Edition | None, change: SceneChange
    ) -> None:
        """Build a character anew with a change, under its own packs."""
        try:
            if edition is None:
                raise Unbuildable("its game, or a pack that it was built under, is not there")
            built = edition.mark(absorbed(edition.system, change.system, row.choices, change.data))
        except Unbuildable as error:
            log.error("change_skipped", scene=change.scene, character=row.id, reason=str(error))
            return
        await keep_anew(session, row, built, Deed(HistoryKind.SCENE, None), self._clock())


async def _character(session: AsyncSession, character: str, told: Mapping[str, Any]) -> CharacterRow | None:
    """Read a character that a scene tells of; None where it is gone, or of another game."""
    row = await living(session, character)
    if row is None or told["system"] not in (row.system, row.system + SUFFIX):
        log.warning("change_skipped", scene=told["scene"], character=character, reason="gone")
        return None
    return row


async def _note(session: AsyncSession, row: SceneChangeRow, before: Any) -> None:
    """Write that a sheet has changed, for those who may know it: what is not open, its player and the GMs."""
    hidden_from = () if row.shown != before else (TABLE,)
    await PlaceUpdates(session, UPDATES).changed([row.character], hidden_from=hidden_from)


def _row(character: str, told: Mapping[str, Any]) -> SceneChangeRow:
    return SceneChangeRow(
        character=character,
        scene=told["scene"],
        campaign=told["campaign"],
        system=told["system"],
        number=told.get("number", 0),
    )
