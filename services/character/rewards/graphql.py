"""What characters gain between sessions, in the graph."""

from typing import Annotated

import strawberry

from services.character.building.graphql.types import CharacterSaved, saved
from services.character.context import CharacterInfo
from services.character.packs.graphql.systems import RewardProposal
from services.character.rewards.advancement import Proposal
from services.shared.mirror import chosen, to_domain
from services.shared.problems import Forbidden, InvalidInput, NotFound, Unavailable, VersionConflict

Version = Annotated[int, strawberry.argument(description="The version you saw.")]
Index = Annotated[int, strawberry.argument(description="Place of the waiting reward among the character's.")]

ProposeRewardResult = Annotated[
    CharacterSaved | InvalidInput | NotFound | Forbidden | VersionConflict,
    strawberry.union("ProposeRewardResult"),
]
ApproveRewardResult = Annotated[
    CharacterSaved | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable,
    strawberry.union("ApproveRewardResult"),
]
RefuseRewardResult = Annotated[
    CharacterSaved | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable,
    strawberry.union("RefuseRewardResult"),
]


@strawberry.type
class RewardMutation:
    """Proposing rewards, and deciding about them."""

    @strawberry.mutation(
        description="Propose a reward for your character. It waits, and gives nothing, until it is approved."
    )
    async def propose_reward(
        self, info: CharacterInfo, character_id: strawberry.ID, version: Version, reward: RewardProposal
    ) -> ProposeRewardResult:
        """Propose a reward."""
        viewer = info.context.signed_in("write")
        system, sent = chosen(reward)
        proposal = Proposal(system, to_domain(sent))
        return saved(
            await info.context.service.advancing.propose(viewer, str(character_id), version, proposal)
        )

    @strawberry.mutation(
        description="Approve a waiting reward of a character that sits at a table which you run."
    )
    async def approve_reward(
        self, info: CharacterInfo, character_id: strawberry.ID, version: Version, index: Index
    ) -> ApproveRewardResult:
        """Approve a reward."""
        viewer = info.context.signed_in("write")
        return saved(
            await info.context.service.advancing.judge(viewer, str(character_id), version, index, "approve")
        )

    @strawberry.mutation(
        description="Refuse a waiting reward of a character that sits at a table which you run: it is gone."
    )
    async def refuse_reward(
        self, info: CharacterInfo, character_id: strawberry.ID, version: Version, index: Index
    ) -> RefuseRewardResult:
        """Refuse a reward."""
        viewer = info.context.signed_in("write")
        return saved(
            await info.context.service.advancing.judge(viewer, str(character_id), version, index, "refuse")
        )
