"""Keeping content packs."""

import strawberry

from services.character.context import CharacterCall
from services.character.packs.graphql.types import ContentPack, ContentPackDeleted, ContentPackSaved
from services.character.packs.requests import CreateContentPack, DeleteContentPack, UpdateContentPack
from services.shared.graphql.changes import change
from services.shared.problems import VersionConflict


@strawberry.type
class Mutation:
    """Keeping content packs."""

    @change()
    async def create_content_pack(call: CharacterCall, asked: CreateContentPack) -> ContentPackSaved:
        """Keep a content pack that breaks no rule; every broken rule is named."""
        row = await call.service.packs.create(call.viewer, asked, call.key)
        return ContentPackSaved(pack=ContentPack.of(row))

    @change(VersionConflict)
    async def update_content_pack(call: CharacterCall, asked: UpdateContentPack) -> ContentPackSaved:
        """Change a content pack of yours, or as a GM one of your table. Characters stay built under the
        version they have until they are edited.
        """
        row = await call.service.packs.update(call.viewer, asked, call.key)
        return ContentPackSaved(pack=ContentPack.of(row))

    @change(VersionConflict)
    async def delete_content_pack(call: CharacterCall, asked: DeleteContentPack) -> ContentPackDeleted:
        """Delete a content pack of yours, or as a GM one of your table. Nothing new is built under it; what
        was built under it stays.
        """
        gone = await call.service.packs.delete(call.viewer, asked, call.key)
        return ContentPackDeleted(id=strawberry.ID(gone))
