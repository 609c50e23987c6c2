"""What can be done with scenes."""

import strawberry

from services.campaign.context import CampaignUseCases
from services.campaign.scenes.graphql.types import Scene, SceneMove
from services.campaign.scenes.moves import Performed
from services.campaign.scenes.problem import MoveRejected
from services.campaign.scenes.requests import DeleteScene, PerformMove, PlayBot, StartScene, UndoMove
from services.shared.graphql.changes import Call, change
from services.shared.problems import NotFound, VersionConflict


@strawberry.type(description="The scene has begun.")
class SceneStarted:
    """The answer of ``startScene``."""

    scene: Scene = strawberry.field(description="As it begins.")


@strawberry.type(description="The scene is gone.")
class SceneDeleted:
    """The answer of ``deleteScene``."""

    id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.type(description="It was done.")
class MovePerformed:
    """The answer of what moves a scene on, or back."""

    scene: Scene = strawberry.field(description="As it is now.")
    move: SceneMove = strawberry.field(description="What was written into its log.")


@strawberry.type
class Mutation:
    """What changes scenes."""

    @change()
    async def start_scene(call: Call[CampaignUseCases], asked: StartScene) -> SceneStarted:
        """Start a scene (GM)."""
        scenes = call.service.scenes
        made = await scenes.start.start(call.viewer, asked, call.key)
        look = (await scenes.reader.scenes(call.viewer, [made.id])).get(made.id)
        if look is None:
            raise NotFound.of("scene", "campaignId")
        return SceneStarted(scene=Scene.of(look))

    @change()
    async def delete_scene(call: Call[CampaignUseCases], asked: DeleteScene) -> SceneDeleted:
        """Delete a scene with its moves (GM). One that still runs has never been: its characters are as
        before it, and its map is free. `SCENE_IN_USE` among the issues tells that a scene which was begun
        from it still runs.
        """
        gone = await call.service.scenes.deletion.delete(call.viewer, asked, call.key)
        return SceneDeleted(id=strawberry.ID(gone))

    @change(MoveRejected, VersionConflict)
    async def perform_move(call: Call[CampaignUseCases], asked: PerformMove) -> MovePerformed:
        """Make a move, or answer a question that a move waits for: an answer is a move of whom is asked, one
        of their `legalMoves`. While a move waits nothing else can be done.
        """
        return await _shown(call, await call.service.scenes.moves.perform(call.viewer, asked, call.key))

    @change(MoveRejected, VersionConflict)
    async def play_bot(call: Call[CampaignUseCases], asked: PlayBot) -> MovePerformed:
        """Have a bot move an actor of yours; it knows what the actor may know, and no more."""
        return await _shown(call, await call.service.scenes.moves.play_bot(call.viewer, asked, call.key))

    @change(MoveRejected, VersionConflict)
    async def undo_move(call: Call[CampaignUseCases], asked: UndoMove) -> MovePerformed:
        """Take back the last move that still stands, whole: with all answers to it (GM)."""
        return await _shown(call, await call.service.scenes.moves.undo(call.viewer, asked, call.key))


async def _shown(call: Call[CampaignUseCases], performed: Performed) -> MovePerformed:
    look, move = await call.service.scenes.reader.shown(performed)
    return MovePerformed(scene=Scene.of(look), move=SceneMove.of(move))
