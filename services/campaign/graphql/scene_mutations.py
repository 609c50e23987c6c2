"""What can be done with scenes."""

from typing import Annotated, Any

import strawberry
from strawberry.federation import type as federated_type

from services.campaign import models
from services.campaign.graphql.context import CampaignInfo
from services.campaign.graphql.scene_types import LegalMove, Scene, SceneMove
from services.campaign.graphql.systems import Reflection
from services.campaign.scenes.asking import Answer, BotMove, Performed, Refusal, Rejected, WantedMove
from services.campaign.scenes.starting import NewScene
from services.shared.idempotency import checked_key
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    IssueType,
    NotFound,
    Problem,
    Unavailable,
    VersionConflict,
)


@strawberry.type(description="The scene has begun.")
class SceneStarted:
    """The answer of ``startScene``."""

    scene: Scene


@strawberry.type(description="It was done.")
class MovePerformed:
    """The answer of what moves a scene on, or back."""

    scene: Scene = strawberry.field(description="As it is now.")
    move: SceneMove = strawberry.field(description="What was written into its log.")


@federated_type(description="The rules do not allow it; nothing was changed.")
class MoveRejected(Problem):
    """Every broken rule, as far as you may know of it, and what may be done instead."""

    issues: list[Issue] = strawberry.field(default_factory=list, graphql_type=list[IssueType])
    legal: list[LegalMove] = strawberry.field(default_factory=list, description="What the actor may do now.")

    @classmethod
    def of(cls, rejected: Rejected) -> "MoveRejected":
        """Show a rejection; the first issue gives the message."""
        return cls(
            code="MOVE_REJECTED",
            message=rejected.issues[0].message,
            path=rejected.issues[0].path,
            issues=rejected.issues,
            legal=[LegalMove.of(move) for move in rejected.legal],
        )


StartSceneResult = Annotated[
    SceneStarted | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("StartSceneResult"),
]
PerformMoveResult = Annotated[
    MovePerformed
    | MoveRejected
    | InvalidInput
    | VersionConflict
    | NotFound
    | Forbidden
    | IdempotencyConflict
    | Unavailable,
    strawberry.union("PerformMoveResult"),
]
Key = Annotated[str | None, strawberry.argument(description="The same key does it once, for 24 hours.")]
Seq = Annotated[int, strawberry.argument(description="The scene's `seq` that you saw.")]


def scene_mutation(reflection: Reflection) -> type:
    """Make the mutations of scenes with the moves and setups of these game systems."""

    @strawberry.input(description="A scene to be started (GM).")
    class StartSceneInput:
        """Name the game, the characters and what the game wants to know."""

        campaign_id: strawberry.ID
        system: str = strawberry.field(description="Slug of the game system.")
        setup: Any = strawberry.field(graphql_type=reflection.setup)
        characters: list[strawberry.ID] = strawberry.field(
            default_factory=list, description="Characters at the table that take part, up to 50."
        )
        map_id: strawberry.ID | None = strawberry.field(
            default=None,
            description="A map that the game is played on, and that you run: the scene is set there as the "
            "map is now. Some games lead their map from then on: it follows the scene until that is over.",
        )
        title: str | None = strawberry.field(
            default=None, description="Up to 120 characters; the game's own when omitted."
        )
        idempotency_key: str | None = strawberry.field(
            default=None, description="The same key gives the same scene for 24 hours."
        )

    @strawberry.input(description="A move to be made.")
    class PerformMoveInput:
        """Players move their own characters, GMs anybody."""

        scene_id: strawberry.ID
        expected_seq: int = strawberry.field(
            description="The scene's `seq` that you saw; for an answer, any since the question was asked."
        )
        move: Any = strawberry.field(graphql_type=reflection.move)
        entropy: str | None = strawberry.field(
            default=None,
            description="16 to 64 random bytes of your own for the dice, in hexadecimal or base64url.",
        )
        idempotency_key: str | None = strawberry.field(
            default=None, description="The same key is the same move for 24 hours."
        )

    @strawberry.type
    class SceneMutation:
        """The mutations of scenes."""

        @strawberry.mutation(description="Start a scene (GM).")
        async def start_scene(self, info: CampaignInfo, input: StartSceneInput) -> StartSceneResult:
            """Start a scene."""
            viewer = info.context.signed_in("write")
            spelled_for = reflection.setup_system(input.setup)
            if spelled_for not in (None, input.system):
                return InvalidInput.single(
                    "SYSTEM_DIFFERS", "The setup is of another game.", "setup", found=spelled_for
                )
            scenes = info.context.service.scenes
            made = await scenes.starting.start(
                viewer,
                NewScene(
                    campaign=str(input.campaign_id),
                    system=input.system,
                    setup=reflection.setup_form(input.setup),
                    map=input.map_id,
                    characters=[str(character) for character in input.characters],
                    title=input.title,
                    idempotency_key=checked_key(input.idempotency_key),
                ),
            )
            if not isinstance(made, models.Scene):
                return made
            look = (await scenes.reading.scenes(viewer, [made.id])).get(made.id)
            return NotFound.of("scene", "campaignId") if look is None else SceneStarted(scene=Scene.of(look))

        @strawberry.mutation(
            description="Make a move, or answer a question that a move waits for: an answer is a move of "
            "whom is asked, one of their `legalMoves`. While a move waits nothing else can be done."
        )
        async def perform_move(self, info: CampaignInfo, input: PerformMoveInput) -> PerformMoveResult:
            """Make a move."""
            viewer = info.context.signed_in("write")
            wanted = WantedMove(
                scene=str(input.scene_id),
                expected_seq=input.expected_seq,
                move=reflection.move_form(input.move),
                entropy=input.entropy,
                idempotency_key=checked_key(input.idempotency_key),
            )
            return await _shown(info, await info.context.service.scenes.playing.perform(viewer, wanted))

        @strawberry.mutation(
            description="Have a bot move an actor of yours; it knows what the actor may know, and no more."
        )
        async def play_bot(
            self,
            info: CampaignInfo,
            scene_id: strawberry.ID,
            expected_seq: Seq,
            actor: str,
            bot: Annotated[
                str | None,
                strawberry.argument(
                    description="Id of one of the scene's `bots`; the game's own simple player when omitted."
                ),
            ] = None,
            idempotency_key: Key = None,
        ) -> PerformMoveResult:
            """Make a move that a bot chooses."""
            viewer = info.context.signed_in("write")
            wanted = WantedMove(
                scene=str(scene_id),
                expected_seq=expected_seq,
                move=BotMove(actor, bot),
                idempotency_key=checked_key(idempotency_key),
            )
            return await _shown(info, await info.context.service.scenes.playing.perform(viewer, wanted))

        @strawberry.mutation(
            description="Take back the last move that still stands, whole: with all answers to it (GM)."
        )
        async def undo_move(
            self,
            info: CampaignInfo,
            scene_id: strawberry.ID,
            expected_seq: Seq,
            idempotency_key: Key = None,
        ) -> PerformMoveResult:
            """Take back a move."""
            viewer = info.context.signed_in("write")
            answer = await info.context.service.scenes.playing.undo(
                viewer, str(scene_id), expected_seq, checked_key(idempotency_key)
            )
            return await _shown(info, answer)

    return SceneMutation


async def _shown(info: CampaignInfo, answer: Answer) -> MovePerformed | MoveRejected | Refusal:
    if isinstance(answer, Rejected):
        return MoveRejected.of(answer)
    if not isinstance(answer, Performed):
        return answer
    look, move = await info.context.service.scenes.reading.shown(answer)
    assert move is not None, "who moved may know of it"
    return MovePerformed(scene=Scene.of(look), move=SceneMove.of(move))
