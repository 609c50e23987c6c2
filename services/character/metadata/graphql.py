"""Writing metadata beside characters, in the graph; the field stands with the character."""

import strawberry

from services.character.context import CharacterCall
from services.character.metadata.requests import SetCharacterMetadata
from services.shared.graphql.changes import change
from services.shared.graphql.features import Feature
from services.shared.metadata.graphql import MetadataSaved
from services.shared.problems import VersionConflict


@strawberry.type
class Mutation:
    """Writing metadata."""

    @change(VersionConflict)
    async def set_character_metadata(call: CharacterCall, asked: SetCharacterMetadata) -> MetadataSaved:
        """Write what your app keeps beside a character, or take it away: your own, or as GM or player one at
        the table."""
        written = await call.service.metadata.of_character(call.viewer, asked, call.key)
        return MetadataSaved(metadata=written)


FEATURE = Feature(mutation=Mutation)
