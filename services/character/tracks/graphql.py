"""Moving tracks and resting, in the graph; ``types`` shows where tracks stand."""

import strawberry

from services.character.building.graphql.types import CharacterSaved
from services.character.context import CharacterCall
from services.character.tracks.requests import MoveCharacterTracks, RestCharacter
from services.shared.graphql.changes import change
from services.shared.graphql.features import Feature
from services.shared.problems import VersionConflict


@strawberry.type
class Mutation:
    """Moving tracks, and resting."""

    @change(VersionConflict)
    async def move_character_tracks(call: CharacterCall, asked: MoveCharacterTracks) -> CharacterSaved:
        """Move tracks of a character outside scenes, such as Luck or health: yours, or as a GM one that sits
        at your table. All else of it stays. It becomes a new version, which can be undone.
        """
        return CharacterSaved.of(await call.service.tracks.move(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def rest_character(call: CharacterCall, asked: RestCharacter) -> CharacterSaved:
        """Let a character rest outside scenes, as its book says: yours, or as a GM one that sits at your
        table. Dice fall where the book rolls, and are kept as rolls of the character.
        """
        return CharacterSaved.of(await call.service.tracks.rest(call.viewer, asked, call.key))


FEATURE = Feature(mutation=Mutation)
"""What is asked about tracks and rests."""
