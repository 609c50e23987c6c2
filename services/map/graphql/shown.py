"""Grid maps as GraphQL types, and how fields of `Map` show maps of their kind."""

import asyncio
from collections.abc import Callable
from typing import Any

from services.map.graphql.context import MapInfo
from services.map.grid_view import GridView
from services.map.looking import Look
from services.shared.mirror import mirror

GridType = mirror(GridView, name="GridMap")


async def shown(info: MapInfo, look: Look, slug: str, show: Callable[[Any], Any]) -> Any:
    """Returns what a map shows as the viewer may know it; None on a map of another kind.

    Args:
        info: of the request, whose viewer pays.
        look: the map as they see it.
        slug: the kind.
        show: computes the view of a model.
    """
    if look.row.kind != slug:
        return None
    model = await info.context.service.charging.model(info.context.viewer, look)
    return await asyncio.to_thread(show, model)
