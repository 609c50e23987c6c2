"""The games themselves, in the graph: who they are, what they offer, and examples to begin from."""

from typing import Annotated, Any, cast

import strawberry

from services.character.context import CharacterInfo
from services.character.packs.graphql.systems import Choices, Content, PackContent, Sheet
from services.character.tracks.types import GameRest, GameTrack, game_rests
from services.rules.engine.problem import Problems
from services.rules.engine.system import AnySystem


@strawberry.type(description="A character that comes with a game, to look at or to begin from.")
class ExampleCharacter:
    """Build one of your own from its choices."""

    key: str = strawberry.field(description="Stable within the game.")
    choices: Choices = strawberry.field(description="These choices break no rule.")
    system: strawberry.Private[AnySystem]
    chosen: strawberry.Private[Any]

    @strawberry.field(description="What the rules make of its choices.")
    def sheet(self) -> Sheet:
        """Build it."""
        built = self.system.build(self.chosen, self.system.content)
        if isinstance(built, Problems):
            raise ValueError(f"the example {self.key} of {self.system.slug} does not build")
        return cast(Sheet, built)


@strawberry.type(description="A content pack that comes with a game, to look at or to begin from.")
class ExamplePack:
    """Keep one of your own with what it holds."""

    key: str = strawberry.field(description="Stable within the game.")
    content: PackContent = strawberry.field(description="It breaks no rule beside the game's own content.")


@strawberry.type(description="A game that characters can be built for.")
class GameSystem:
    """Build a character of it with ``createCharacter(input: {build: {<slug>: ...}})``."""

    slug: str = strawberry.field(description="Stable; also the field of `CharacterBuild`, in camel case.")
    name: str = strawberry.field(description="The word for people.")
    edition: str = strawberry.field(description="Which text is modelled.")
    licence: str = strawberry.field(description="Whose game it is, and on what terms it is modelled here.")
    content: Content = strawberry.field(description="What there is to choose from.")
    system: strawberry.Private[AnySystem]

    @strawberry.field(description="Characters that come with it.")
    def examples(self) -> list[ExampleCharacter]:
        """List the examples, in the order of the game."""
        return [
            ExampleCharacter(key=key, choices=cast(Choices, choices), system=self.system, chosen=choices)
            for key, choices in self.system.examples.items()
        ]

    @strawberry.field(description="Content packs that come with it; none for a game that takes none.")
    def example_packs(self) -> list[ExamplePack]:
        """List the packs, in the order of the game."""
        packs = {} if self.system.packs is None else self.system.packs.examples
        return [ExamplePack(key=key, content=cast(PackContent, pack)) for key, pack in packs.items()]

    @strawberry.field(description="The tracks of its characters that move outside scenes too.")
    def tracks(self) -> list[GameTrack]:
        """List the tracks, in the order of the game."""
        return [GameTrack.of(kind) for kind in self.system.tracks.kinds]

    @strawberry.field(description="The rests of its characters outside scenes, the slightest first.")
    def rests(self) -> list[GameRest]:
        """List the rests."""
        return game_rests(self.system.tracks)

    @classmethod
    def of(cls, system: AnySystem) -> "GameSystem":
        """Show a system."""
        return cls(
            slug=system.slug,
            name=system.name,
            edition=system.edition,
            licence=system.licence,
            content=system.content,
            system=system,
        )


@strawberry.type
class GameQuery:
    """Looking at the games."""

    @strawberry.field(description="The games that characters can be built for.")
    def systems(self, info: CharacterInfo) -> list[GameSystem]:
        """List the game systems."""
        return [GameSystem.of(system) for system in info.context.service.systems.values()]

    @strawberry.field(description="One of these games, with all that there is to choose from.")
    def system(
        self,
        info: CharacterInfo,
        slug: Annotated[str, strawberry.argument(description="Of the game system.")],
    ) -> GameSystem | None:
        """Return one game system."""
        found = info.context.service.systems.get(slug)
        return None if found is None else GameSystem.of(found)
