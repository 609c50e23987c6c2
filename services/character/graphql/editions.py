"""Games as they are asked about: alone, or with packs of a table's own content beside them."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from services.character.editions import Edition
from services.character.graphql.context import CharacterInfo
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput, Unavailable

BesidePacks = Annotated[
    list[strawberry.ID] | None,
    strawberry.argument(
        description="Ids of content packs that stand beside the game's own content, in order, each in its "
        "newest version."
    ),
]


async def game_with(
    info: CharacterInfo, slug: str, packs: Sequence[strawberry.ID] | None
) -> AnySystem | InvalidInput | Unavailable | None:
    """Give a game with packs in it, for somebody who is signed in; None when there is no such game."""
    viewer = info.context.signed_in()
    ids = [str(pack) for pack in packs or ()]
    edition = await info.context.service.characters.packs.chosen(viewer, slug, ids)
    return edition.system if isinstance(edition, Edition) else edition
