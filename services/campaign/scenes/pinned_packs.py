"""The packs of a table that a scene is played with: found when it begins, and kept with it as they were then.

The scene keeps what they hold, not only their names, so that it replays the same whatever becomes of them: an
edit or the deletion of a pack reaches no scene that has begun.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

from services.campaign.scenes.games import PackUnusable, edition
from services.campaign.scenes.requests import MAX_PACKS
from services.rules.engine.editions import plays_packs
from services.rules.engine.system import AnySystem
from services.shared.auth import Viewer
from services.shared.problems import InvalidInput, Issue
from services.shared.wording import clipped

MAX_BYTES = 256 * 1024
"""Bytes of the documents of all packs of a scene: each process that plays it reads and checks them once."""

PACKS = "packs"


class Source(Protocol):
    """The character service, as far as packs are asked for; see ``services.shared.peers``."""

    async def get(self, viewer: Viewer, *segments: str) -> Any | None:
        """Read a path between services; None when there is no such thing."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """A game as a scene plays it.

    Attributes:
        system: the game, with the packs in it.
        packs: id, version and name of each, in order.
        documents: what they hold, as ``Scene.pack_documents`` keeps it.
    """

    system: AnySystem
    packs: tuple[dict[str, Any], ...] = ()
    documents: str = ""


async def pinned(
    source: Source, viewer: Viewer, campaign: str, game: AnySystem, asked: Sequence[str] | None
) -> Pinned:
    """Return a game with the packs of a campaign in it, in their newest versions.

    Args:
        source: the character service.
        viewer: the GM who starts the scene.
        campaign: id of the campaign.
        game: the game, by its book alone.
        asked: ids of the packs, in order; None for all that are shared with the campaign, the oldest first.

    Raises:
        InvalidInput: the game takes no packs in scenes, a pack is not shared with the campaign, or they
            cannot be put into the game together.
        Unavailable: the character service does not answer.
    """
    if not plays_packs(game):
        if asked:
            message = "Scenes of this game are played by its book alone."
            raise InvalidInput.single("NO_PACKS", message, PACKS, found=game.slug)
        return Pinned(game)
    if asked is not None and not asked:
        return Pinned(game)
    found = await source.get(viewer, "campaigns", campaign, "packs", game.slug) or []
    shared = {pack["id"]: pack for pack in found}
    chosen = found if asked is None else _chosen(asked, shared)
    if not chosen:
        return Pinned(game)
    documents = orjson.dumps([pack["document"] for pack in chosen]).decode()
    _demand_few(chosen, documents)
    try:
        made = await asyncio.to_thread(edition, game, documents)
    except PackUnusable as error:
        message = f"This pack cannot be played with: {error.reason}"
        path = (PACKS,) if asked is None else (PACKS, str(error.place))
        pack = chosen[error.place]["id"]
        raise InvalidInput.single("PACK_UNUSABLE", message, *path, found=pack) from error
    names = tuple({"id": pack["id"], "version": pack["version"], "name": pack["name"]} for pack in chosen)
    return Pinned(made, names, documents)


def _chosen(asked: Sequence[str], shared: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    issues = []
    for place, pack in enumerate(asked):
        path = [PACKS, str(place)]
        if pack not in shared:
            message = "No such pack of this game is shared with the campaign."
            issues.append(
                Issue("PACK_UNKNOWN", message, path, found=clipped(pack), allowed=", ".join(shared))
            )
        elif pack in asked[:place]:
            issues.append(Issue("PACK_TWICE", "A pack is taken once.", path, found=pack))
    InvalidInput.check(*issues)
    return [shared[pack] for pack in asked]


def _demand_few(chosen: Sequence[object], documents: str) -> None:
    if len(chosen) > MAX_PACKS:
        message = f"A scene is played with {MAX_PACKS} packs at most: name them."
        raise InvalidInput.single(
            "TOO_MANY", message, PACKS, found=str(len(chosen)), allowed=f"0..{MAX_PACKS}"
        )
    if len(documents) > MAX_BYTES:
        message = f"The packs of a scene fit into {MAX_BYTES:,} bytes together: name fewer."
        raise InvalidInput.single("TOO_LARGE", message, PACKS, found=str(len(documents)))
