"""Where a scene stands, read from its row and written into it: the state, and the move that waits for
answers.

Beside what the engine keeps of a move that waits (``services.rules.engine.position``), the row knows since
which public number its questions have been open, and which of the scene's rows hold answers that nobody may
read yet.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from services.rules.engine.campaign import CampaignPlay, SceneOrder
from services.rules.engine.play import AnyPlay
from services.rules.engine.position import Position, position, read_waiting

if TYPE_CHECKING:
    from services.campaign.scenes.models import Scene

SINCE, HELD = "since", "held"

REMEMBERED = 256
"""Positions that a process remembers: about as many tables play at once before their states are read anew."""

REMEMBERED_BYTES = 2 * 2**20
"""Bytes of the documents of all of them together. A state takes about ten times its document, and what it has
worked out for each pair of eyes as much again (``services.rules.engine.position.MOST_VIEWS``).
"""


class Documents(NamedTuple):
    """Where a scene stands, as it is written.

    Attributes:
        state: document of the state.
        waiting: of the move that waits there, if any.
        hash: of the state.
    """

    state: Mapping[str, Any]
    waiting: Mapping[str, Any] | None
    hash: str


class Remembered:
    """Positions without a move that waits, by their game and the hash of their state: it names the whole
    state, so none is ever out of date. What a position has worked out (views of it) is remembered with it.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, str], tuple[Position, int]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def get(self, play: AnyPlay, hashed: str) -> Position | None:
        found = self._known.get((id(play), hashed))
        if found is None:
            return None
        self._known.move_to_end((id(play), hashed))
        return found[0]

    def keep(self, at: Position, hashed: str, document: Mapping[str, Any]) -> Position:
        # The position holds its game, so the game's identity is not given to another.
        key, size = (id(at.play), hashed), len(orjson.dumps(document))
        _, before = self._known.pop(key, (at, 0))
        self._known[key] = at, size
        self._bytes += size - before
        # The newest stays, however large: a table that plays would read it anew at each move.
        while len(self._known) > 1 and (len(self._known) > REMEMBERED or self._bytes > REMEMBERED_BYTES):
            _, (_, freed) = self._known.popitem(last=False)
            self._bytes -= freed
        return at


_remembered = Remembered()


def documents(scene: Scene) -> Documents:
    """The documents of where a scene stands."""
    return Documents(scene.state, scene.waiting, scene.state_hash)


def place(play: AnyPlay, scene: Scene) -> Position:
    """Reads where a scene stands.

    Raises:
        CodecError: the game no longer knows what was written.
    """
    return read(play, documents(scene))


def read(play: AnyPlay, found: Documents) -> Position:
    """Reads where a scene stands from its documents.

    Raises:
        CodecError: the game no longer knows what was written.
    """
    at = _remembered.get(play, found.hash)
    if at is None:
        at = _remembered.keep(position(play, found.state), found.hash, found.state)
    return at if found.waiting is None else Position(play, at.state, read_waiting(play, found.waiting))


def put(scene: Scene, at: Position) -> None:
    """Writes where a scene stands now, behind a move or an answer whose row is counted already.

    Args:
        scene: the scene.
        at: where it stands.
    """
    scene.state, waiting = at.form()
    scene.waiting = None if waiting is None else {**waiting, SINCE: scene.seq, HELD: []}
    bare = at if at.waiting is None else replace(at, waiting=None)
    _remembered.keep(bare, scene.state_hash, scene.state)


def hold_answer(scene: Scene, at: Position, number: int, *, secret: bool) -> None:
    """Writes that an answer is in while others are not.

    Args:
        scene: the scene.
        at: where it stands, the answer among those that are in.
        number: of the answer's row.
        secret: whether even game masters may not read it yet.
    """
    before = scene.waiting or {}
    held = [*before.get(HELD, []), *([number] if secret else [])]
    scene.waiting = {**at.form()[1], SINCE: before.get(SINCE, scene.seq), HELD: held}


def openings(at: Position) -> Mapping[str, SceneOrder]:
    """The scenes that may be begun from a campaign's own now; none while a move of it waits, or from another
    scene.
    """
    if at.waiting is not None or not isinstance(at.play, CampaignPlay):
        return {}
    return at.play.scenes(at.state)


def held(scene: Scene) -> frozenset[int]:
    """Numbers of the rows whose answers nobody but those who sent them may read yet."""
    return frozenset() if scene.waiting is None else frozenset(scene.waiting[HELD])


def is_current(scene: Scene, seq: int) -> bool:
    """Whether who saw this public number knows where the scene stands, or which questions are open."""
    if scene.waiting is None:
        return seq == scene.seq
    since: int = scene.waiting[SINCE]
    return since <= seq <= scene.seq
