"""What can be done through the character service."""

from collections.abc import Sequence
from typing import Annotated, Any

import strawberry

from services.character.building.builds import Build
from services.character.building.graphql.random_characters import PACKS, DrawingMutation
from services.character.building.graphql.types import CharacterSaved, saved
from services.character.context import CharacterInfo
from services.character.history.graphql import UndoMutation
from services.character.packs.graphql.packs import PackMutation
from services.character.packs.graphql.systems import CharacterBuild
from services.character.rewards.graphql import RewardMutation
from services.shared.idempotency import checked_key
from services.shared.mirror import chosen, to_domain
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Unavailable,
    VersionConflict,
)


@strawberry.input(description="A character to be made.")
class CreateCharacterInput:
    """Choose a game, and in it all that its rules let a player choose."""

    build: CharacterBuild
    packs: list[strawberry.ID] = strawberry.field(default_factory=list, description=PACKS)
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same character for 24 hours."
    )


@strawberry.input(description="A character to be built anew.")
class UpdateCharacterInput:
    """The choices replace those of before as a whole."""

    id: strawberry.ID
    version: int = strawberry.field(description="The version you saw.")
    build: CharacterBuild
    packs: list[strawberry.ID] | None = strawberry.field(
        default=None,
        description="Ids of the content packs it is built under, in order, instead of those before. Without "
        "it the packs stay, each in its newest version that you may see.",
    )


@strawberry.type(description="The character is gone.")
class CharacterDeleted:
    """The answer of ``deleteCharacter``."""

    id: strawberry.ID


CreateCharacterResult = Annotated[
    CharacterSaved | InvalidInput | NotFound | IdempotencyConflict | Unavailable,
    strawberry.union("CreateCharacterResult"),
]
UpdateCharacterResult = Annotated[
    CharacterSaved | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable,
    strawberry.union("UpdateCharacterResult"),
]
DeleteCharacterResult = Annotated[
    CharacterDeleted | NotFound | Forbidden | VersionConflict, strawberry.union("DeleteCharacterResult")
]


def _build(sent: Any, packs: Sequence[strawberry.ID] | None) -> Build:
    system, choices = chosen(sent)
    return Build(system, to_domain(choices), None if packs is None else tuple(str(pack) for pack in packs))


@strawberry.type
class Mutation(DrawingMutation, RewardMutation, PackMutation, UndoMutation):
    """Root of the mutations."""

    @strawberry.mutation(description="Build a character; every broken rule is named.")
    async def create_character(
        self, info: CharacterInfo, input: CreateCharacterInput
    ) -> CreateCharacterResult:
        """Make a character."""
        viewer = info.context.signed_in("write")
        key = checked_key(input.idempotency_key)
        return saved(
            await info.context.service.characters.create(viewer, _build(input.build, input.packs), key)
        )

    @strawberry.mutation(
        description="Build your character anew from other choices. At a table that somebody else runs, "
        "a reward that was not approved before stays waiting."
    )
    async def update_character(
        self, info: CharacterInfo, input: UpdateCharacterInput
    ) -> UpdateCharacterResult:
        """Change a character."""
        viewer = info.context.signed_in("write")
        return saved(
            await info.context.service.characters.update(
                viewer, str(input.id), input.version, _build(input.build, input.packs)
            )
        )

    @strawberry.mutation(description="Delete your character.")
    async def delete_character(
        self,
        info: CharacterInfo,
        id: strawberry.ID,
        version: Annotated[int, strawberry.argument(description="The version you saw.")],
    ) -> DeleteCharacterResult:
        """Delete a character."""
        viewer = info.context.signed_in("write")
        outcome = await info.context.service.characters.delete(viewer, str(id), version)
        return CharacterDeleted(id=strawberry.ID(outcome)) if isinstance(outcome, str) else outcome
