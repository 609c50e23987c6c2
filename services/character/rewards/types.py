"""Rewards, as the graph shows them."""

from typing import cast

import strawberry

from services.character.packs.graphql.systems import Reward
from services.character.rewards.advancement import RewardLine


@strawberry.type(description="A reward of a character, approved or waiting.")
class CharacterReward:
    """A line of what the character gained."""

    index: int = strawberry.field(
        description="Its place among the character's rewards, from 0: what approval and refusal name."
    )
    text: str = strawberry.field(description="What it gives, in plain words.")
    approved: bool = strawberry.field(
        description="Whether a game master approved it; until then it gives nothing."
    )
    reward: Reward = strawberry.field(description="The reward itself.")

    @classmethod
    def of(cls, line: RewardLine) -> "CharacterReward":
        """Show a line."""
        return cls(index=line.index, text=line.text, approved=line.approved, reward=cast(Reward, line.reward))


@strawberry.type(description="A reward that could be proposed next.")
class RewardOffer:
    """Send its ``reward`` to ``proposeReward``, with what is left empty written out."""

    text: str = strawberry.field(description="What it would give, in plain words.")
    reward: Reward = strawberry.field(description="The reward itself.")

    @classmethod
    def of(cls, line: RewardLine) -> "RewardOffer":
        """Show an offer."""
        return cls(text=line.text, reward=cast(Reward, line.reward))
