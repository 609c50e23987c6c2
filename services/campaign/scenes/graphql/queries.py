"""What can be asked of scenes."""

from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from services.campaign.context import CampaignInfo
from services.campaign.scenes.boards import leads
from services.campaign.scenes.graphql import loaders
from services.campaign.scenes.graphql.checks import MoveChecked
from services.campaign.scenes.graphql.types import Scene, SceneBot
from services.campaign.scenes.problem import MoveRejected
from services.campaign.scenes.schemas import move_schema, setup_schema
from services.rules.engine.bots import bots_of
from services.rules.engine.play import AnyPlay, MoveGroup
from services.rules.engine.setups import NamedSetup, Party, named_setups
from services.rules.engine.simulation.figures import Figure, figures_of
from services.rules.engine.simulation.rests import DayRest, rests_of
from services.rules.engine.site import PlayedOnSites
from services.rules.engine.system import AnySystem
from services.shared.graphql.changes import question
from services.shared.mirror import mirror
from services.shared.problems import Forbidden, InvalidInput, NotFound

SceneFigure = mirror(Figure, name="SceneFigure")
ScenePartyType = mirror(Party, name="SceneParty")
NamedSetupType = mirror(NamedSetup, name="SceneSetup")


@strawberry.type(description="A rest that characters can take between two scenes of a day.")
class SceneRest:
    """One rest of a game's rules."""

    key: str = strawberry.field(description="Names it within its game: the `rest` of a simulated scene.")
    name: str = strawberry.field(description="What a heading says.")
    text: str = strawberry.field(description="What it restores, in plain words.")
    source: str = strawberry.field(description="The section of the book.")
    most: int | None = strawberry.field(
        description="How often a day has it at most; null for as often as one likes."
    )

    @classmethod
    def of(cls, rest: DayRest) -> "SceneRest":
        """Show a rest."""
        return cls(key=rest.key, name=rest.name, text=rest.text, source=rest.source, most=rest.most)


@strawberry.type(description="Legal moves that are shown under one heading.")
class SceneMoveGroup:
    """One group of a game's kinds of moves."""

    key: str = strawberry.field(description="Names it within its game: the `group` of a legal move.")
    title: str = strawberry.field(description="What the heading says.")

    @classmethod
    def of(cls, group: MoveGroup) -> "SceneMoveGroup":
        """Show a group."""
        return cls(key=group.key, title=group.title)


@strawberry.type(description="What can be sent to the scenes of a game, in the game's own JSON form.")
class SceneRules:
    """The same for everyone: content, not anyone's own."""

    system: str = strawberry.field(description="Slug of the game system.")
    setups: list[str] = strawberry.field(
        description="The game's own setups: names for `setupName`.",
        deprecation_reason="`namedSetups` tells what they are; this goes after 2027-06-01.",
    )
    map_kinds: list[str] = strawberry.field(
        description="Slugs of the kinds of stored maps that its scenes can be set on; none for a game "
        "that is played on no map."
    )
    leads_maps: bool = strawberry.field(
        description="Whether the map that a scene is set on follows it: tokens, doors, light and fog."
    )
    game: strawberry.Private[AnySystem]
    play: strawberry.Private[AnyPlay]

    @strawberry.field(
        description="The bots that play its scenes, the weakest first; `key@version` is a policy, and so are "
        "`random` and `strong` without a version: `strong` is the last one, in every game."
    )
    def bots(self) -> list[SceneBot]:
        """Return the bots of the game."""
        return [SceneBot.of(bot) for bot in bots_of(self.play)]

    @strawberry.field(description="The game's own setups, as people choose them.")
    def named_setups(self) -> list[NamedSetupType]:  # type: ignore[valid-type]
        """Return the setups of the game."""
        return list(named_setups(self.play))

    @strawberry.field(description="The groups that legal moves are shown under, in order.")
    def move_groups(self) -> list[SceneMoveGroup]:
        """Return the groups of the game's moves."""
        return [SceneMoveGroup.of(group) for group in self.play.move_groups]

    @strawberry.field(description="What simulations measure of its scenes.")
    def figures(self) -> list[SceneFigure]:  # type: ignore[valid-type]
        """Return the figures of the game."""
        return list(figures_of(self.play))

    @strawberry.field(
        description="The rests between two scenes of a simulated day, the slightest first; none for a game "
        "whose rules have none. Without a rest the characters stay as a scene has left them."
    )
    def rests(self) -> list[SceneRest]:
        """Return the rests of the game."""
        return [SceneRest.of(rest) for rest in rests_of(self.play)]

    @strawberry.field(description="JSON Schema of its moves: of the `move` of `performMove`.")
    def move_schema(self) -> JSON:
        """Return the schema of the moves."""
        return JSON(move_schema(self.game))

    @strawberry.field(description="JSON Schema of its setups: of the `setup` of `startScene`.")
    def setup_schema(self) -> JSON:
        """Return the schema of the setups."""
        return JSON(setup_schema(self.game))


@strawberry.type
class Query:
    """What can be read of scenes."""

    @strawberry.field(description="A scene of a campaign that you are a member of.")
    async def scene(
        self,
        info: CampaignInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="Of the scene.")],
    ) -> Scene | None:
        """Return one scene."""
        info.context.signed_in()
        look = await loaders.scenes(info).load(str(id))
        return None if look is None else Scene.of(look)

    @strawberry.field(
        description="What can be sent to the scenes of a game; null for one that is not played in scenes."
    )
    async def scene_rules(
        self,
        info: CampaignInfo,
        system: Annotated[str, strawberry.argument(description="Slug of the game system.")],
    ) -> SceneRules | None:
        """Return the rules of one game's scenes."""
        info.context.signed_in()
        game = info.context.service.scenes.games.get(system)
        if game is None or game.play is None:
            return None
        play = game.play
        return SceneRules(
            system=game.slug,
            setups=list(play.setups),
            map_kinds=list(play.map_kinds) if isinstance(play, PlayedOnSites) else [],
            leads_maps=leads(play),
            game=game,
            play=play,
        )

    @question(InvalidInput, NotFound, Forbidden, MoveRejected)
    async def check_move(
        self,
        info: CampaignInfo,
        scene_id: Annotated[strawberry.ID, strawberry.argument(description="In which scene.")],
        move: Annotated[
            JSON,
            strawberry.argument(description="The move or the answer, as `performMove` takes it."),
        ],
    ) -> MoveChecked:
        """Try a move of yours: what would be paid and rolled first, or every rule that it breaks. Nothing is
        done, and no die falls. It goes by what you may know: what is hidden from you changes nothing of the
        answer, and may still stand in the way of the move itself.
        """
        info.context.signed_in()
        look = await loaders.scenes(info).load(str(scene_id))
        if look is None:
            raise NotFound.of("scene", "sceneId")
        return MoveChecked.of(look.row.seq, await info.context.service.scenes.reader.check(look, move))
