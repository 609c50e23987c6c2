"""Look-ups gathered into one query per request."""

from collections import defaultdict
from datetime import datetime

from strawberry.dataloader import DataLoader

from services.map.graphql.context import MapInfo
from services.map.looking import Look
from services.map.models import MapFile
from services.shared.auth import KeyScope
from services.shared.problems import Unavailable


def maps(info: MapInfo) -> "DataLoader[str, Look | None]":
    """Load maps by id, as far as the viewer may see them."""
    context = info.context

    async def load(ids: list[str]) -> list[Look | Unavailable | None]:
        if not context.viewer.may(KeyScope.READ):
            return [None] * len(ids)
        found = await context.service.maps.maps(context.viewer, ids)
        return [found.get(one) for one in ids]

    return context.loader("maps", load)


def edited_at(info: MapInfo) -> "DataLoader[tuple[str, int], datetime | None]":
    """Load when edits were made, by map and version; for who sees all of these maps."""
    context = info.context

    async def load(versions: list[tuple[str, int]]) -> list[datetime | None]:
        found = await context.service.table.made_at(versions)
        return [found.get(one) for one in versions]

    return context.loader("edited_at", load)


def files(info: MapInfo) -> "DataLoader[str, list[MapFile] | None]":
    """Load the files of maps that the viewer sees."""
    context = info.context

    async def load(ids: list[str]) -> list[list[MapFile] | None]:
        grouped: dict[str, list[MapFile]] = defaultdict(list)
        for file in await context.service.maps.files(context.viewer, ids):
            grouped[file.map].append(file)
        return [grouped[one] for one in ids]

    return context.loader("files", load)
