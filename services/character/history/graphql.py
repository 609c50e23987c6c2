"""Taking characters back to what they were, in the graph; ``types`` shows histories."""

import strawberry

from services.character.building.graphql.types import CharacterSaved
from services.character.context import CharacterCall
from services.character.history.requests import UndoCharacterEdit
from services.shared.graphql.changes import change
from services.shared.graphql.features import Feature
from services.shared.problems import VersionConflict


@strawberry.type
class Mutation:
    """Taking back."""

    @change(VersionConflict)
    async def undo_character_edit(call: CharacterCall, asked: UndoCharacterEdit) -> CharacterSaved:
        """Take a character back to what it was, with the content packs it had: yours, or as a GM one that
        sits at your table. It is built anew, and becomes a new version, which can be undone as well. A player
        at somebody else's table approves no reward by it: what is not approved now waits.
        """
        return CharacterSaved.of(await call.service.history.undo(call.viewer, asked, call.key))


FEATURE = Feature(mutation=Mutation)
