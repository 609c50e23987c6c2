"""Writing metadata beside rolls, in the graph; the field stands with the roll."""

import strawberry

from services.dice.context import DiceUseCases
from services.dice.metadata.requests import SetRollMetadata
from services.shared.graphql.changes import Call, change
from services.shared.graphql.features import Feature
from services.shared.metadata.graphql import MetadataSaved
from services.shared.problems import VersionConflict


@strawberry.type
class Mutation:
    """Writing metadata."""

    @change(VersionConflict)
    async def set_roll_metadata(call: Call[DiceUseCases], asked: SetRollMetadata) -> MetadataSaved:
        """Write what your app keeps beside a roll, or take it away: your own, or as GM or player one at the
        table. It is as secret as the roll."""
        written = await call.service.metadata.of_roll(call.viewer, asked, call.key)
        return MetadataSaved(metadata=written)


FEATURE = Feature(mutation=Mutation)
