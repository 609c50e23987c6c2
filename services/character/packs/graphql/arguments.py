"""What the fields of games are asked by: a game, and packs of a table's own content beside it."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from services.character.packs.requests import PackId

System = Annotated[str, strawberry.argument(description="Slug of the game system.")]
BesidePacks = Annotated[
    list[strawberry.ID] | None,
    strawberry.argument(
        description="Ids of content packs that stand beside the game's own content, in order, each in its "
        "newest version."
    ),
]


def pack_ids(packs: Sequence[strawberry.ID] | None) -> tuple[PackId, ...]:
    """Return the ids of packs as the use cases take them."""
    return tuple(PackId(str(pack)) for pack in packs or ())
