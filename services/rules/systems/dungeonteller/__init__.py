"""DungeonTeller 1.0: ten actions, six-sided dice, and a pile of Luck; for ages 6 and up.

Read in this order: `README.md` (what is modelled, and the rulings), `actions`, `powers` and `catalog` (what
the content holds), `checks` (how many dice), `luck`, `movement`, `hazards`, `tasks`, `casting` and `wearing`
(the rules that are plain arithmetic), `rewards`, `build` (choices, and what is wrong with them), `hero`
(choices to sheet), `sheet`; `card` (a hero on paper) and `random_hero`; and `mechanics` (its rolls by name).
"""

from __future__ import annotations

from dataclasses import replace

from services.rules.dice.stream import FaceStream
from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.system import Advancement, Printable, System
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.build import HeroChoices, build
from services.rules.systems.dungeonteller.card import HeroCard, hero_card
from services.rules.systems.dungeonteller.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.dungeonteller.examples import EXAMPLES
from services.rules.systems.dungeonteller.mechanics import MECHANICS
from services.rules.systems.dungeonteller.own_role import role_of
from services.rules.systems.dungeonteller.play.scene import DungeonTellerPlay
from services.rules.systems.dungeonteller.random_hero import random_hero
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind, reward_problems, reward_text
from services.rules.systems.dungeonteller.sheet import HeroSheet

__all__ = ["MECHANICS", "SYSTEM"]

OWN_WORDS = "something you choose"


def _random(
    stream: FaceStream, catalog: Catalog, name: str | None, concept: str | None
) -> HeroChoices | Problems:
    """A hero drawn by chance; its concept is a role."""
    if concept is not None and concept not in catalog.roles:
        unknown = RuleProblem(
            "role_unknown",
            "There is no such role.",
            "List of Roles",
            ("concept",),
            concept,
            catalog.roles.ids,
        )
        return Problems((unknown,))
    return random_hero(stream, catalog, name=name, role=concept)


def _reward_options(choices: HeroChoices, catalog: Catalog) -> tuple[Reward, ...]:
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


def _reward_line(reward: Reward, catalog: Catalog) -> str:
    """What a reward gives, and what the game master lets it have beyond the role."""
    if reward.kind is RewardKind.SPECIALITY and not reward.when.strip():
        reward = replace(reward, when=OWN_WORDS)
    text = reward_text(reward, catalog)
    asks_leave = reward.kind is RewardKind.POWER and reward.gm_leave
    return f"{text}, with the game master's leave" if asks_leave else text


SYSTEM: System[HeroChoices, HeroSheet, Catalog] = System(
    slug=SLUG,
    name="DungeonTeller",
    edition="version 1.0, August 2011",
    licence=(
        "DungeonTeller is by Doug Anderson, all rights reserved; only names, numbers and mechanics are "
        "modelled here, in our own words."
    ),
    choices_codec=Codec(HeroChoices, f"{SLUG}/choices"),
    sheet_codec=Codec(HeroSheet, f"{SLUG}/sheet"),
    content=own_catalog(),
    examples=EXAMPLES,
    playthroughs=load_playthroughs(__name__),
    build=build,
    play=DungeonTellerPlay(own_catalog()),
    random=_random,
    printable=Printable(type=HeroCard, make=hero_card),
    advance=Advancement(reward=Reward, field="rewards", text=_reward_line, options=_reward_options),
)
