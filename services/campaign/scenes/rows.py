"""Rows of a scene's moves, made of what is written down there; see ``models.SceneMove``."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from services.campaign.scenes.history import VOID, Author
from services.campaign.scenes.models import Scene, SceneMove
from services.campaign.scenes.narration import ANYBODY, Told, heard_by
from services.rules.engine.codec import encode
from services.rules.engine.play import EVERYONE, Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is written into a scene.

    Attributes:
        kind: ``move``, ``undo`` or ``void``.
        author: who sent it.
        actor: who moved.
        known_to: who may know that it was them.
        is_open: whether everybody at the table may know of it.
        told: what happened, in plain words.
        move: document of the move, if any.
        rolls: documents of its dice.
        events: documents of what happened.
        part_of: of an answer, the number of the move that waited for it.
        heard_from: of what was handed over, where it comes from.
        undoes: of an undo, the number of the move that it takes back.
        sealed: of an answer, whether it stays secret for good.
    """

    kind: str
    author: Author
    actor: str
    known_to: Audience = EVERYONE
    is_open: bool = False
    told: Told = field(default_factory=list)
    move: dict[str, Any] | None = None
    rolls: Sequence[dict[str, Any]] = ()
    events: Sequence[dict[str, Any]] = ()
    part_of: int | None = None
    heard_from: str | None = None
    undoes: int | None = None
    sealed: bool = False


def written(scene: Scene, entry: Entry, moment: datetime) -> SceneMove:
    """Returns the row of an entry, and counts it among the scene's open moves or its hidden ones.

    Args:
        scene: the scene, whose ``number`` and state are those behind the entry already.
        entry: what is written.
        moment: the present moment.
    """
    if entry.is_open:
        scene.seq += 1
    else:
        scene.secret_seq += 1
    heard = "" if entry.kind == VOID else heard_by(entry.told, entry.author.account)
    return SceneMove(
        scene=scene.id,
        number=scene.number,
        part_of=entry.part_of,
        kind=entry.kind,
        seq=scene.seq if entry.is_open else None,
        secret_seq=None if entry.is_open else scene.secret_seq,
        since=scene.seq,
        actor=entry.actor,
        known_to=cast(dict[str, Any], encode(Audience, entry.known_to)),
        account=entry.author.account,
        by_gm=entry.author.by_gm,
        lapsed=entry.author.lapses is not None,
        move=entry.move,
        rolls=list(entry.rolls),
        events=list(entry.events),
        told=entry.told,
        heard=ANYBODY if entry.is_open else heard,
        heard_from=entry.heard_from,
        undoes=entry.undoes,
        sealed=entry.sealed,
        state_hash=scene.state_hash,
        created_at=moment,
    )
