"""Making, editing and deleting characters."""

import strawberry

from services.character.building.graphql.types import CharacterSaved
from services.character.building.requests import (
    CreateCharacter,
    CreateRandomCharacter,
    DeleteCharacter,
    UpdateCharacter,
)
from services.character.context import CharacterCall
from services.shared.graphql.changes import change
from services.shared.problems import VersionConflict


@strawberry.type(description="The character is gone.")
class CharacterDeleted:
    """The answer of ``deleteCharacter``."""

    id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.type
class Mutation:
    """Making, editing and deleting characters."""

    @change()
    async def create_random_character(call: CharacterCall, asked: CreateRandomCharacter) -> CharacterSaved:
        """Draw a character by chance and keep it: ready to play at once."""
        return CharacterSaved.of(await call.service.characters.create_random(call.viewer, asked, call.key))

    @change()
    async def create_character(call: CharacterCall, asked: CreateCharacter) -> CharacterSaved:
        """Build a character; every broken rule is named."""
        return CharacterSaved.of(await call.service.characters.create(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def update_character(call: CharacterCall, asked: UpdateCharacter) -> CharacterSaved:
        """Build your character anew from other choices. At a table that somebody else runs, a reward that was
        not approved before stays waiting.
        """
        return CharacterSaved.of(await call.service.characters.update(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def delete_character(call: CharacterCall, asked: DeleteCharacter) -> CharacterDeleted:
        """Delete your character."""
        gone = await call.service.characters.delete(call.viewer, asked, call.key)
        return CharacterDeleted(id=strawberry.ID(gone))
