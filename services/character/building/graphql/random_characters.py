"""Characters drawn by chance, in the graph."""

from typing import Annotated

import strawberry

from services.character.building.random_characters import Drawn
from services.character.building.requests import CreateRandomCharacter
from services.character.context import CharacterInfo
from services.character.packs.graphql.arguments import System, pack_ids
from services.character.packs.graphql.systems import Choices
from services.shared.graphql.changes import question
from services.shared.graphql.hints import attribute_descriptions
from services.shared.problems import InvalidInput, Unavailable

_WORDS = attribute_descriptions(CreateRandomCharacter)
Name = Annotated[str | None, strawberry.argument(description=_WORDS["name"])]
Concept = Annotated[str | None, strawberry.argument(description=_WORDS["concept"])]
Seed = Annotated[str | None, strawberry.argument(description=_WORDS["seed"])]
Packs = Annotated[list[strawberry.ID] | None, strawberry.argument(description=_WORDS["packs"])]


@strawberry.type(description="A character drawn by chance, which is not kept.")
class RandomCharacter:
    """``createRandomCharacter`` keeps it, given the same name, concept and seed."""

    system: str = strawberry.field(description="Slug of the game system.")
    name: str = strawberry.field(description="What it is called.")
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


@strawberry.type
class RandomCharacterQuery:
    """Looking at what chance makes."""

    @question(InvalidInput, Unavailable)
    async def random_character(
        self,
        info: CharacterInfo,
        system: System,
        name: Name = None,
        concept: Concept = None,
        seed: Seed = None,
        packs: Packs = None,
    ) -> RandomCharacter:
        """A character drawn by chance, ready to be built. Nothing is kept."""
        wish = CreateRandomCharacter(system, name, concept, seed, pack_ids(packs))
        drawn = await info.context.service.characters.draw(info.context.signed_in(), wish)
        return RandomCharacter.of(drawn)
