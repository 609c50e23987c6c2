"""Characters drawn by chance, in the graph."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from services.character.building.graphql.types import CharacterSaved, saved
from services.character.building.random_characters import Drawn, Wish
from services.character.context import CharacterInfo
from services.character.packs.graphql.systems import Choices
from services.shared.idempotency import checked_key
from services.shared.problems import IdempotencyConflict, InvalidInput, NotFound, Unavailable

System = Annotated[str, strawberry.argument(description="Slug of the game system.")]
Name = Annotated[str | None, strawberry.argument(description="What it is called; drawn too when left out.")]
Concept = Annotated[
    str | None,
    strawberry.argument(
        description="What kind of character, in the game's own terms, for instance the content id of a role; "
        "drawn too when left out. A wrong one is answered with all there are."
    ),
]
Seed = Annotated[
    str | None,
    strawberry.argument(
        description="1 to 200 characters. The same seed draws the same character; a fresh one when left out."
    ),
]
PACKS = "Ids of the content packs that it is built under, in order; each in its newest version."
PackIds = Annotated[list[strawberry.ID] | None, strawberry.argument(description=PACKS)]


@strawberry.type(description="A character drawn by chance, which is not kept.")
class RandomCharacter:
    """``createRandomCharacter`` keeps it, given the same name, concept and seed."""

    system: str = strawberry.field(description="Slug of the game system.")
    name: str
    seed: str = strawberry.field(description="Draws the same character again.")
    choices: Choices = strawberry.field(description="What was drawn: these choices break no rule.")

    @classmethod
    def of(cls, drawn: Drawn) -> "RandomCharacter":
        """Show what was drawn."""
        return cls(
            system=drawn.wanted.system,
            name=drawn.built.name,
            seed=drawn.seed,
            choices=drawn.wanted.choices,
        )


RandomCharacterResult = Annotated[
    RandomCharacter | InvalidInput | Unavailable, strawberry.union("RandomCharacterResult")
]
CreateRandomCharacterResult = Annotated[
    CharacterSaved | InvalidInput | NotFound | IdempotencyConflict | Unavailable,
    strawberry.union("CreateRandomCharacterResult"),
]


def _ids(packs: Sequence[strawberry.ID] | None) -> tuple[str, ...]:
    return tuple(str(pack) for pack in packs or ())


@strawberry.type
class DrawingQuery:
    """Looking at what chance gives."""

    @strawberry.field(description="A character drawn by chance, ready to be built. Nothing is kept.")
    async def random_character(
        self,
        info: CharacterInfo,
        system: System,
        name: Name = None,
        concept: Concept = None,
        seed: Seed = None,
        packs: PackIds = None,
    ) -> RandomCharacterResult:
        """Draw a character."""
        viewer = info.context.signed_in()
        wish = Wish(system, name, concept, seed, _ids(packs))
        drawn = await info.context.service.characters.draw(viewer, wish)
        return RandomCharacter.of(drawn) if isinstance(drawn, Drawn) else drawn


@strawberry.type
class DrawingMutation:
    """Keeping what chance gives."""

    @strawberry.mutation(description="Draw a character by chance and keep it: ready to play at once.")
    async def create_random_character(
        self,
        info: CharacterInfo,
        system: System,
        name: Name = None,
        concept: Concept = None,
        seed: Seed = None,
        packs: PackIds = None,
        idempotency_key: Annotated[
            str | None,
            strawberry.argument(description="The same key gives the same character for 24 hours."),
        ] = None,
    ) -> CreateRandomCharacterResult:
        """Make a character by chance."""
        viewer = info.context.signed_in("write")
        key = checked_key(idempotency_key)
        wish = Wish(system, name, concept, seed, _ids(packs))
        return saved(await info.context.service.characters.create_random(viewer, wish, key))
