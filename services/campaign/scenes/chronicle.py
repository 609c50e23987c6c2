"""Chronicles: what a campaign's own scene has told of its story since its first day, as a viewer may know it.

A game says which of its events belong there (``services.rules.engine.chronicle``). The sentences are those
that were written down when the events happened, so a chronicle is whole however long a campaign is played;
what was taken back is not in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import structlog

from services.campaign.scenes.history import MOVE
from services.campaign.scenes.looks import START, Cursor, Look
from services.campaign.scenes.models import SceneMove
from services.campaign.scenes.narration import sentence
from services.campaign.scenes.reader import BATCH, SceneReader
from services.rules.engine.chronicle import Chronicled, ChronicleNote
from services.rules.engine.codec import CodecError
from services.shared.auth import Viewer
from services.shared.pagination import encode_cursor, text_of_cursor
from services.shared.problems import PublicError

READ_ROW = 0.1
"""Milliseconds to look through a move for a chronicle, about."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, order=True)
class ChronicleCursor:
    """Where an entry stands among those that one viewer may know of; see ``looks.Cursor``.

    Attributes:
        move: of the move.
        sentence: the entry's place among the sentences of the move that the viewer may read, from 1.
    """

    move: Cursor = START
    sentence: int = 0

    def text(self) -> str:
        """Return it as the API writes cursors."""
        return encode_cursor(f"@{self.move.since}.{self.move.place}.{self.sentence}")

    @classmethod
    def of(cls, text: str) -> "ChronicleCursor":
        """Read it back.

        Raises:
            PublicError: ``BAD_CURSOR`` when it names no entry.
        """
        found = re.fullmatch(r"@(\d{1,9})\.(\d{1,9})\.(\d{1,9})", text_of_cursor(text))
        if found is None:
            raise PublicError("BAD_CURSOR", "The cursor `after` does not belong to this list.")
        since, place, number = map(int, found.groups())
        return cls(Cursor(since, place), number)


BEGINNING = ChronicleCursor()


@dataclass(frozen=True, slots=True)
class Search:
    """Which entries of a chronicle are wanted.

    Attributes:
        text: what their sentences hold, whatever its case; empty for anything.
        about: id of an actor, or of another thing of the game, that they are about; empty for any.
    """

    text: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChronicleEntry:
    """Something that happened in a campaign, as one viewer may know it.

    Attributes:
        cursor: where it stands among what they may know of.
        note: its heading, and what it is about.
        text: what happened, in a sentence.
        created_at: when it happened.
    """

    cursor: ChronicleCursor
    note: ChronicleNote
    text: str
    created_at: datetime


class Chronicles:
    """The use cases of chronicles.

    Args:
        reader: looks at scenes, with the rights of their viewers.
    """

    def __init__(self, reader: SceneReader) -> None:
        self._reader = reader

    async def find(self, viewer: Viewer, campaign: str, system: str) -> Look | None:
        """Return the campaign's own scene of a game, the newest, over or not; None where there is none, or
        the game tells no chronicles.
        """
        look = await self._reader.campaign(viewer, campaign, system, over=True)
        return look if look is not None and isinstance(look.play, Chronicled) else None

    async def entries(
        self, look: Look, search: Search, *, after: ChronicleCursor = BEGINNING, limit: int | None = None
    ) -> list[ChronicleEntry]:
        """Return entries behind a cursor, oldest first; paid for as far as the campaign is read for them.

        Args:
            look: what ``find`` returned.
            search: which of them.
            after: behind which.
            limit: how many at most; all without it.

        Raises:
            LimitReached: the campaign is long, and the viewer's account cannot pay for reading it.
        """
        found: list[ChronicleEntry] = []
        read = 0
        async for cursor, row in self._reader.known(look.who, look.row.id, after.move.since):
            read += 1
            if read % BATCH == 0:
                await self._reader.workload.pay(look.who.account, BATCH * READ_ROW)
            if cursor < after.move:
                continue
            found += (each for each in _entries(look, cursor, row, search) if each.cursor > after)
            if limit is not None and len(found) >= limit:
                return found[:limit]
        return found


def _entries(look: Look, cursor: Cursor, row: SceneMove, search: Search) -> Iterator[ChronicleEntry]:
    """The entries of a move."""
    if row.kind != MOVE or row.undone_by is not None:
        return
    wanted, number = search.text.casefold(), 0
    for told, event in zip(row.told, row.events, strict=False):
        text = sentence(told, look.who.eyes)
        if not text:
            continue
        number += 1
        if wanted not in text.casefold():
            continue
        note = _note(look, row, event)
        if note is not None and (not search.about or search.about in note.about):
            at = ChronicleCursor(cursor, number)
            yield ChronicleEntry(cursor=at, note=note, text=text, created_at=row.created_at)


def _note(look: Look, row: SceneMove, document: dict[str, object]) -> ChronicleNote | None:
    """How an event stands in the chronicle, as a viewer may know it."""
    play = look.play
    if play is None or not isinstance(play, Chronicled):
        return None
    try:
        event = play.event_codec.load(document)
    except CodecError as error:
        log.error("move_unreadable", scene=row.scene, number=row.number, reason=str(error))
        return None
    seen = play.sees(event, look.who.eyes)
    return None if seen is None else play.chronicle(seen)
