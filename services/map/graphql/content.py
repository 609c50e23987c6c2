"""What maps hold: a union of what kinds show, and how it is shown to who may see it."""

import asyncio
from collections.abc import Callable
from typing import Any

from services.map.graphql.context import MapInfo
from services.map.graphql.kind import contents
from services.map.grid_view import GridView
from services.map.looking import Look
from services.shared.mirror import mirror, mirror_union

GRID, UNION = "GridMap", "MapContent"
GridType = mirror(GridView, name=GRID)


def content_type() -> Any:
    """Mirrors what every kind holds; returns the union of it."""
    return mirror_union(
        UNION, GridView, *contents(), description="What a map holds, by its kind: cells, or its game's own."
    )


async def shown(info: MapInfo, look: Look, show: Callable[[Any], Any]) -> Any:
    """Returns what a map shows as the viewer may know it.

    Args:
        info: of the request, whose viewer pays.
        look: the map as they see it.
        show: computes the view of a model.
    """
    model = await info.context.service.charging.model(info.context.viewer, look)
    return await asyncio.to_thread(show, model)
