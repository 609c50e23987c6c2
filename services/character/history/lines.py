"""What became of a character with each edit: lines of its history, and how two of them differ."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import orjson

from services.character.history.models import CharacterVersionRow
from services.rules.engine.codec import Codec, CodecError
from services.shared.wording import camel, clipped

MAX_NOTE = 400
MAX_CHANGES = 200
MAX_DEPTH = 12
"""Deeper than any game's choices: below that a value is told as a whole."""


class HistoryKind(Enum):
    """What happened to a character.

    Attributes:
        CREATED: It was made.
        KEPT: It was there before its history was written: the first line of such a character.
        EDITED: Its player built it anew.
        PROPOSED: Its player proposed a reward.
        APPROVED: A game master approved a reward.
        REFUSED: A game master refused a reward.
        SCENE: A scene that it took part in changed it.
        UNDONE: It was taken back to an earlier version.
        TRACKS: Tracks of it were moved outside scenes.
        RESTED: It rested outside scenes.
        PORTRAIT: Its portrait was set or removed.
    """

    CREATED = "created"
    KEPT = "kept"
    EDITED = "edited"
    PROPOSED = "proposed"
    APPROVED = "approved"
    REFUSED = "refused"
    SCENE = "scene"
    UNDONE = "undone"
    TRACKS = "tracks"
    RESTED = "rested"
    PORTRAIT = "portrait"


class ChangeKind(Enum):
    """How a value of the choices differs from what it was.

    Attributes:
        ADDED: It was not there before.
        REMOVED: It is not there any more.
        CHANGED: It was another.
    """

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Deed:
    """An edit about to be kept.

    Attributes:
        what: what is done.
        account: who does it; None for a scene.
        note: what it is about: the text of a reward, the version gone back to, the tracks that moved,
            what was done to the portrait.
    """

    what: HistoryKind
    account: str | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that an edit changed.

    Attributes:
        kind: how.
        path: where it stands in the choices, in the spelling of the API; of what was removed, where it stood.
        before: what it was, as JSON; None where it was not there.
        after: what it is, as JSON; None where it is gone.
    """

    kind: ChangeKind
    path: tuple[str, ...]
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One edit of a character.

    Attributes:
        row: what is kept of it.
        changes: how the choices differ from the version before; none where that is not known any more.
        more: whether there are further changes that are not listed.
    """

    row: CharacterVersionRow
    changes: tuple[Change, ...]
    more: bool

    @property
    def what(self) -> HistoryKind:
        """What happened."""
        return HistoryKind(self.row.what)

    @property
    def text(self) -> str:
        """Say in plain words what happened."""
        note = self.row.note
        match self.what:
            case HistoryKind.CREATED:
                return "Made."
            case HistoryKind.KEPT:
                return "Here its history begins."
            case HistoryKind.EDITED:
                return "Built anew."
            case HistoryKind.PROPOSED:
                return f"Reward proposed: {note}."
            case HistoryKind.APPROVED:
                return f"Reward approved: {note}."
            case HistoryKind.REFUSED:
                return f"Reward refused: {note}."
            case HistoryKind.SCENE:
                return "Changed by a scene."
            case HistoryKind.UNDONE:
                return f"Taken back to version {note}."
            case HistoryKind.TRACKS:
                return f"Moved: {note}."
            case HistoryKind.RESTED:
                return f"Rested: {note}."
            case HistoryKind.PORTRAIT:
                return f"Portrait {note}."


def line(
    row: CharacterVersionRow, before: CharacterVersionRow | None, codec: Codec[Any] | None
) -> HistoryLine:
    """Tell an edit.

    Args:
        row: what the character was after it.
        before: what it was before; None where that is not known any more.
        codec: of the game's choices; None when the game is not installed any more.
    """
    if before is None:
        return HistoryLine(row, (), False)
    found: list[Change] = []
    for change in _changes(_data(before.choices, codec), _data(row.choices, codec), ()):
        if len(found) == MAX_CHANGES:
            return HistoryLine(row, tuple(found), True)
        found.append(change)
    return HistoryLine(row, tuple(found), False)


def _data(document: dict[str, Any], codec: Codec[Any] | None) -> Any:
    """Give the choices in today's form, so that a newer form of the same ones is no change."""
    if codec is not None:
        try:
            return codec.dump(codec.load(document))["data"]
        except CodecError:
            pass
    return document.get("data")


def _changes(before: Any, after: Any, path: tuple[str, ...]) -> Iterator[Change]:
    # Compared as JSON: for Python 1 and true are the same.
    if _written(before) == _written(after):
        return
    if len(path) < MAX_DEPTH:
        match before, after:
            case dict(), dict():
                yield from _changed_members(before, after, path)
                return
            case list(), list():
                yield from _changed_items(before, after, path)
                return
    yield Change(ChangeKind.CHANGED, path, _told(before), _told(after))


def _changed_members(
    before: dict[str, Any], after: dict[str, Any], path: tuple[str, ...]
) -> Iterator[Change]:
    for key in [*before, *(key for key in after if key not in before)]:
        place = (*path, camel(key))
        if key not in after:
            yield _removed(before[key], place)
        elif key not in before:
            yield _added(after[key], place)
        else:
            yield from _changes(before[key], after[key], place)


def _changed_items(before: list[Any], after: list[Any], path: tuple[str, ...]) -> Iterator[Change]:
    """Compare lists by what is in them, so that one item more or less is one change."""
    old, new = [_written(one) for one in before], [_written(one) for one in after]
    start = _alike(old, new)
    end = min(_alike(old[::-1], new[::-1]), len(old) - start, len(new) - start)
    gone, come = before[start : len(before) - end], after[start : len(after) - end]
    both = min(len(gone), len(come))
    for place in range(both):
        yield from _changes(gone[place], come[place], (*path, str(start + place)))
    for place in range(both, len(gone)):
        yield _removed(gone[place], (*path, str(start + place)))
    for place in range(both, len(come)):
        yield _added(come[place], (*path, str(start + place)))


def _alike(before: list[bytes], after: list[bytes]) -> int:
    """Count the items at the beginning of two lists that are the same."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((place for place, (old, new) in pairs if old != new), min(len(before), len(after)))


def _added(value: Any, path: tuple[str, ...]) -> Change:
    return Change(ChangeKind.ADDED, path, None, _told(value))


def _removed(value: Any, path: tuple[str, ...]) -> Change:
    return Change(ChangeKind.REMOVED, path, _told(value), None)


def _written(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _told(value: Any) -> str:
    return clipped(orjson.dumps(value).decode())
