"""What characters gain between sessions, in the graph; ``types`` shows rewards."""

import strawberry

from services.character.building.graphql.types import CharacterSaved
from services.character.context import CharacterCall
from services.character.rewards.requests import ApproveReward, ProposeReward, RefuseReward
from services.shared.graphql.changes import change
from services.shared.graphql.features import Feature
from services.shared.problems import VersionConflict


@strawberry.type
class Mutation:
    """Proposing rewards, and deciding about them."""

    @change(VersionConflict)
    async def propose_reward(call: CharacterCall, asked: ProposeReward) -> CharacterSaved:
        """Propose a reward for your character. It waits, and gives nothing, until it is approved."""
        return CharacterSaved.of(await call.service.rewards.propose(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def approve_reward(call: CharacterCall, asked: ApproveReward) -> CharacterSaved:
        """Approve a waiting reward of a character that sits at a table which you run."""
        return CharacterSaved.of(await call.service.rewards.approve(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def refuse_reward(call: CharacterCall, asked: RefuseReward) -> CharacterSaved:
        """Refuse a waiting reward of a character that sits at a table which you run: it is gone."""
        return CharacterSaved.of(await call.service.rewards.refuse(call.viewer, asked, call.key))


FEATURE = Feature(mutation=Mutation)
