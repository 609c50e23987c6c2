"""Scenes that lead maps: what the campaign service tells of a game becomes the map that it is played on.

Each event is the whole board, so the last one is all that counts. A scene that leads a map is the only one
that is heard there; others wait until it has ended, and their next move finds the map free.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.board import Board
from services.map.events import edited
from services.map.led import led, released
from services.map.looking import board_of
from services.map.models import MapEdit, MapRow
from services.map.play.changes import changes_between, changes_to_data, tokens_gone
from services.map.play.state import MapState, to_bytes
from services.map.registry import KINDS, leading_of
from services.map.repository import Boards, Records
from services.map.updates import note_listed
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.ids import is_id
from services.shared.outbox import Event

SORT = "scene"
"""How the log of edits calls what a game has done."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a scene tells of its map.

    Attributes:
        scene: its id.
        map: id of the map.
        number: grows with each move, and with each that is taken back.
        leading: whether the scene goes on.
        site: the map's document.
        owners: accounts of characters, by character.
    """

    scene: str
    map: str
    number: int
    leading: bool
    site: Any
    owners: Mapping[str, str]


class Leading:
    """Handles the events of the campaign service that tell of maps.

    Args:
        clock: the present moment.

    Attributes:
        handlers: what they do here, by kind; see ``services.shared.consumer``.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.handlers: Mapping[str, Handler] = {"scene.board": self}

    async def __call__(self, session: AsyncSession, event: Event) -> None:
        """Make a map what the scene on it says that it is.

        What cannot be made is left out, and written to the log: one map must not keep all others from their
        games.
        """
        told = _told(event.payload)
        if told is None:
            log.error("board_skipped", position=event.position, reason="not as agreed")
            return
        boards = Boards(session)
        row = await boards.held(told.map)
        if row is None or leading_of(row.kind) is None:
            reason = "gone" if row is None else "of another kind"
            log.warning("board_skipped", scene=told.scene, map=told.map, reason=reason)
            return
        if row.scene not in (None, told.scene):
            log.info("board_skipped", scene=told.scene, map=told.map, reason="led by another scene")
            return
        if await boards.news(told.scene, told.map, told.number):
            await self._follow(session, row, told)

    async def _follow(self, session: AsyncSession, row: MapRow, told: _Told) -> None:
        before = await asyncio.to_thread(board_of, row)
        try:
            after = await asyncio.to_thread(_after, row.kind, before, told)
        except Exception:
            log.exception("board_failed", scene=told.scene, map=row.id)
            if told.leading:
                return
            # The end of a game frees its map, whatever became of the last board.
            after = before
        scene = told.scene if told.leading else None
        if not told.leading:
            after = Board(after.model, released(after.state))
        if (after.model, after.state, scene) == (before.model, before.state, row.scene):
            return
        grew = after.model != before.model
        model_before = row.model if grew else None
        if grew:
            row.model = KINDS[row.kind].filed.to_bytes(after.model).decode()
        moved, row.scene = row.scene != scene, scene
        if moved:
            await note_listed(session, [row])
        await write(session, row, (before.state, after.state), told.scene, self._clock(), model_before)


async def write(
    session: AsyncSession,
    row: MapRow,
    states: tuple[MapState, MapState],
    scene: str,
    moment: datetime,
    model_before: str | None = None,
) -> None:
    """Write down what a scene has made of its map, as an edit.

    Args:
        session: the unit of work.
        row: the map, held; all of it but its state is as the scene has it.
        states: its state of play before and after.
        scene: id of the scene.
        moment: now.
        model_before: the map before, as it is kept, where it grew.
    """
    before, after = states
    row.version += 1
    row.state = to_bytes(after).decode()
    edit = MapEdit(
        map=row.id,
        version=row.version,
        scene=scene,
        sort=SORT,
        changes=orjson.dumps(changes_to_data(changes_between(before, after))).decode(),
        model_before=model_before,
        made_at=moment,
    )
    await Records(session).add_edit(edit, tokens_gone(before, after), edited(row.id), moment)


def _told(payload: Mapping[str, Any]) -> _Told | None:
    """Read an event; None when it is not as agreed."""
    match payload:
        case {"scene": str(scene), "map": str(map_id), "number": int(number), "leading": bool(leading)}:
            if is_id(scene, "scn") and is_id(map_id, "map"):
                owners = payload.get("owners", {})
                return _Told(scene, map_id, number, leading, payload.get("site"), owners)
    return None


def _after(slug: str, before: Board, told: _Told) -> Board:
    leading = leading_of(slug)
    if leading is None:
        raise LookupError(f"no scene leads a map of the kind {slug}")
    return led(before, told.scene, leading, leading.codec.load(told.site), told.owners)
