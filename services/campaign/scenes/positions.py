"""Where a scene stands, read from its row and written into it: the state, and the move that waits for
answers.

Beside what the engine keeps of a move that waits (``services.rules.engine.position``), the row knows since
which public number its questions have been open, and which of the scene's rows hold answers that nobody may
read yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from services.rules.engine.campaign import CampaignPlay, SceneOrder
from services.rules.engine.play import AnyPlay
from services.rules.engine.position import Position, position

if TYPE_CHECKING:
    from services.campaign.scenes.models import Scene

SINCE, HELD = "since", "held"

Documents = tuple[Mapping[str, Any], Mapping[str, Any] | None]
"""The documents of a state, and of the move that waits there, if any."""


def documents(scene: Scene) -> Documents:
    """The documents of where a scene stands."""
    return scene.state, scene.waiting


def place(play: AnyPlay, scene: Scene) -> Position:
    """Reads where a scene stands.

    Raises:
        CodecError: the game no longer knows what was written.
    """
    return position(play, *documents(scene))


def put(scene: Scene, at: Position) -> None:
    """Writes where a scene stands now, behind a move or an answer whose row is counted already.

    Args:
        scene: the scene.
        at: where it stands.
    """
    scene.state, waiting = at.form()
    scene.waiting = None if waiting is None else {**waiting, SINCE: scene.seq, HELD: []}


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
