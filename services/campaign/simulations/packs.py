"""The content packs that a question's scenes are played with: the table's, or those of a scene that is
played on. The question keeps what they hold, so that it is the same whatever becomes of them.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from services.campaign.scenes.games import Games, PackUnusable, edition
from services.campaign.scenes.models import Scene
from services.campaign.scenes.pinned_packs import MAX_BYTES, Pinned
from services.rules.engine.simulation.request import Member, PlayedPack, SimulationRequest
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput


async def pinned_to_scenes(game: AnySystem, scenes: Mapping[int, Scene]) -> Pinned:
    """Return a game with the packs of scenes that are played on.

    Args:
        game: the game, by its book alone.
        scenes: by their places in the question; at least one.

    Raises:
        InvalidInput: they are played with different packs, or the rules cannot play with these any more.
    """
    (first, scene), *others = scenes.items()
    for place, other in others:
        if other.pack_documents != scene.pack_documents:
            message = "All scenes of a question are played with the same packs; this one has others."
            raise InvalidInput.single("PACKS_UNFIT", message, *_path(place), found=other.id)
    try:
        made = await asyncio.to_thread(edition, game, scene.pack_documents)
    except PackUnusable as error:
        message = f"A pack of this scene cannot be played with: {error.reason}"
        raise InvalidInput.single("PACK_UNUSABLE", message, *_path(first), found=scene.id) from error
    return Pinned(made, tuple(scene.packs), scene.pack_documents)


def _path(place: int) -> tuple[str, ...]:
    return "scenes", str(place), "fromScene"


def packs_of_request(table: Pinned) -> tuple[PlayedPack, ...]:
    """Return the packs that a game has in it, as a request keeps them."""
    if not table.documents:
        return ()
    documents = orjson.loads(table.documents)
    return tuple(
        PlayedPack(document=document, **name) for document, name in zip(documents, table.packs, strict=True)
    )


def own_packs(table: Pinned, packs: Sequence[Mapping[str, Any]]) -> tuple[PlayedPack, ...]:
    """Return the packs that a character is built under; those of the table without what they hold.

    Args:
        table: the game with the packs that the scenes are played with.
        packs: id, version, name and document of each.
    """
    known = {(pack["id"], pack["version"]) for pack in table.packs}
    return tuple(
        PlayedPack(**{**pack, "document": None} if (pack["id"], pack["version"]) in known else pack)
        for pack in packs
    )


def demand_small_packs(cast: Sequence[Member]) -> None:
    """Raise where what a question keeps of the packs of its characters is too large."""
    held = [pack.document for member in cast for pack in member.packs or () if pack.document is not None]
    found = len(orjson.dumps(held))
    if found > MAX_BYTES:
        message = (
            f"Packs that characters are built under, and the scenes are not played with, fit into "
            f"{MAX_BYTES:,} bytes together."
        )
        raise InvalidInput.single("TOO_LARGE", message, "cast", found=str(found), allowed=f"0..{MAX_BYTES}")


def pinned_to_request(games: Games, request: SimulationRequest) -> Pinned:
    """Return the game of a request with its packs in it.

    Raises:
        PackUnusable: the rules cannot play with a pack of it any more.
    """
    packs = request.packs
    documents = orjson.dumps([pack.document for pack in packs]).decode() if packs else ""
    names = tuple({"id": pack.id, "version": pack.version, "name": pack.name} for pack in packs)
    return Pinned(edition(games[request.system], documents), names, documents)
