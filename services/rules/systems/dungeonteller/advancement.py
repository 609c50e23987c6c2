"""What a hero may gain next, and in which words (Rewards)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.system import Advancement
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.choices import HeroChoices
from services.rules.systems.dungeonteller.own_role import role_of
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind, reward_problems, reward_text

OWN_WORDS = "something you choose"


def reward_options(choices: HeroChoices, catalog: Catalog) -> tuple[Reward, ...]:
    """Everything a hero can pick after the next session, without what asks for the game master's leave."""
    role = role_of(choices, catalog)
    if role is None:
        return ()
    session = max((reward.session for reward in choices.rewards), default=0) + 1
    powers = tuple(Reward(session=session, kind=RewardKind.POWER, power=power.id) for power in catalog.powers)
    # What is wrong with the rewards there are is said when the choices are built.
    known = set(reward_problems(choices.rewards, role, catalog, malicious=choices.malicious))
    return (
        *(Reward(session=session, kind=RewardKind.DIE, action=action) for action in Action),
        *(Reward(session=session, kind=RewardKind.SPECIALITY, action=action) for action in Action),
        *(
            power
            for power in powers
            if known.issuperset(
                reward_problems((*choices.rewards, power), role, catalog, malicious=choices.malicious)
            )
        ),
        Reward(session=session, kind=RewardKind.LUCK),
    )


def reward_line(reward: Reward, catalog: Catalog) -> str:
    """What a reward brings, and what the game master lets it have beyond the role."""
    if reward.kind is RewardKind.SPECIALITY and not reward.when.strip():
        reward = replace(reward, when=OWN_WORDS)
    text = reward_text(reward, catalog)
    asks_leave = reward.kind is RewardKind.POWER and reward.gm_leave
    return f"{text}, with the game master's leave" if asks_leave else text


ADVANCEMENT = Advancement(reward=Reward, field="rewards", text=reward_line, options=reward_options)
