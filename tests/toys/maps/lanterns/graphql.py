"""Lanterns in the graph."""

from typing import Any

import strawberry

from services.map.graphql.context import MapInfo
from services.map.graphql.kind import Graph
from services.map.graphql.shown import shown
from services.map.kinds.lanterns.kind import Lantern, LanternMap, LanternWish
from services.shared.mirror import mirror, mirror_input

mirror(Lantern, name="ToyLantern")


async def _lanterns(root: Any, info: MapInfo) -> tuple[Lantern, ...] | None:
    def lanterns(model: LanternMap) -> tuple[Lantern, ...]:
        return model.lanterns

    found: tuple[Lantern, ...] | None = await shown(info, root.look, "lanterns", lanterns)
    return found


GRAPH = Graph(
    wish=mirror_input(LanternWish, name="ToyLanternsInput"),
    fields={
        "lanterns": strawberry.field(
            _lanterns, description="Its lanterns.", graphql_type=list[mirror(Lantern)] | None
        )
    },
)
