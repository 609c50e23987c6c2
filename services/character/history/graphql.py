"""Taking characters back to what they were, in the graph."""

from typing import Annotated

import strawberry

from services.character.building.graphql.types import CharacterSaved, saved
from services.character.context import CharacterInfo
from services.shared.problems import Forbidden, InvalidInput, NotFound, Unavailable, VersionConflict

UndoCharacterEditResult = Annotated[
    CharacterSaved | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable,
    strawberry.union("UndoCharacterEditResult"),
]


@strawberry.type
class UndoMutation:
    """Taking back."""

    @strawberry.mutation(
        description="Take a character back to what it was, with the content packs it had: yours, or as a GM "
        "one that sits at your table. It is built anew, and becomes a new version, which can be undone as "
        "well. A player at somebody else's table approves no reward by it: what is not approved now waits."
    )
    async def undo_character_edit(
        self,
        info: CharacterInfo,
        character_id: strawberry.ID,
        version: Annotated[int, strawberry.argument(description="The version you saw.")],
        to: Annotated[
            int | None,
            strawberry.argument(
                description="The version of its history to go back to; the one before when left out."
            ),
        ] = None,
    ) -> UndoCharacterEditResult:
        """Undo edits."""
        viewer = info.context.signed_in("write")
        return saved(await info.context.service.undoing.undo(viewer, str(character_id), version, to))
