"""Games as they are asked about: alone, or with packs of a table's own content beside them."""

from collections.abc import Callable, Sequence
from typing import Annotated, Concatenate, ParamSpec, TypeVar

import strawberry

from services.character.context import CharacterInfo
from services.character.packs.editions import Cost
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput, Unavailable

P = ParamSpec("P")
R = TypeVar("R")

BesidePacks = Annotated[
    list[strawberry.ID] | None,
    strawberry.argument(
        description="Ids of content packs that stand beside the game's own content, in order, each in its "
        "newest version."
    ),
]


async def asked_with(
    info: CharacterInfo,
    slug: str,
    packs: Sequence[strawberry.ID] | None,
    cost: Cost,
    task: Callable[Concatenate[AnySystem, P], R],
    *args: P.args,
    **kwargs: P.kwargs,
) -> R | InvalidInput | Unavailable:
    """Ask a game that there is, with packs in it, for somebody who is signed in; see ``Editions.ask``."""
    viewer = info.context.signed_in()
    kept = info.context.service.characters.packs
    return await kept.asked(viewer, slug, ids(packs), cost, task, *args, **kwargs)


def ids(packs: Sequence[strawberry.ID] | None) -> tuple[str, ...]:
    """Give the ids of packs as text."""
    return tuple(str(pack) for pack in packs or ())
