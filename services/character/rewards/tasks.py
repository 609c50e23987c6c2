"""What the rules are asked about rewards in a worker process: functions of a game."""

from collections.abc import Mapping
from typing import Any

from services.character.rewards.advancement import RewardLine, reward_lines, reward_offers
from services.rules.engine.system import AnySystem

Document = Mapping[str, Any]


def rewards(system: AnySystem, choices: Document) -> list[RewardLine]:
    """List the rewards among choices, given as their document."""
    return reward_lines(system, system.choices_codec.load(choices))


def offers(system: AnySystem, choices: Document) -> list[RewardLine]:
    """List the rewards that could be proposed next."""
    return reward_offers(system, system.choices_codec.load(choices))
