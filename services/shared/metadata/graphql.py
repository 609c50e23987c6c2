"""Metadata in the graph: the field ``metadata`` of things, and the answer of what writes it."""

from typing import Annotated, Any

import strawberry
from strawberry.dataloader import DataLoader
from strawberry.federation import type as federated_type
from strawberry.types import Info

from services.shared.context import Context
from services.shared.metadata.bags import Thing
from services.shared.metadata.requests import MAX_BAGS, Metadata
from services.shared.metadata.service import MetadataService
from services.shared.mirror import mirror

MetadataType = mirror(Metadata, shareable=True)
METADATA = (
    "What apps keep beside it, by namespace: what everybody reads who sees it, and what your own app alone "
    f"reads; at most {MAX_BAGS} of each."
)
"""The description of the field ``metadata``."""

Namespace = Annotated[str | None, strawberry.argument(description="Only of this namespace.")]
"""The argument of the field ``metadata``."""


@federated_type(shareable=True, description="The metadata are written.")
class MetadataSaved:
    """The answer of what writes a bag."""

    metadata: Metadata | None = strawberry.field(
        graphql_type=MetadataType | None, description="As they are now; null where they were taken away."
    )


async def metadata_beside(
    info: Info[Context[Any], None],
    service: MetadataService,
    thing: str,
    namespace: str | None,
    part: str = "",
) -> list[Metadata]:
    """Load the bags beside a thing that is shown, or a part of it, those of many in one look-up."""
    context = info.context

    async def load(things: list[Thing]) -> list[list[Metadata] | None]:
        found = await service.beside(context.viewer, things)
        return [found[each] for each in things]

    loader: DataLoader[Thing, list[Metadata] | None] = context.loader("metadata", load)
    bags = await loader.load((thing, part)) or []
    return [bag for bag in bags if namespace is None or bag.namespace == namespace]
