"""Areas about who may cast what, and what a hero gains."""

from __future__ import annotations

from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.casting import SpellSource, casting_problem, power_problems
from services.rules.systems.dungeonteller.checks import Actor, Moment, power_pool
from services.rules.systems.dungeonteller.rewards import (
    SPECIALITY_DICE,
    Reward,
    RewardKind,
    grow,
    reward_problems,
)
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    SETTINGS,
    Answer,
    Given,
    action_called,
    find,
    pool_answer,
    refused,
)


def cast_right(given: Given) -> Answer:
    """Who may cast, and what."""
    caster = find(CATALOG.roles, given["role"])
    actor = Actor.of_role(caster, SETTINGS, given.get("luck"))
    if "power" not in given:
        problem = casting_problem(caster, SpellSource(given["source"]))
        if problem is not None:
            return refused(problem)
        return pool_answer(power_pool(actor, (Action.MAGIC,), Moment(), SETTINGS))
    power = find(CATALOG.powers, given["power"])
    problems = power_problems(
        power,
        caster,
        given.get("luck", caster.luck),
        known=(*caster.powers, *caster.extra_powers),
        malicious=bool(given.get("malicious")),
    )
    if problems:
        return refused(problems[0])
    return pool_answer(power_pool(actor, power.roll, Moment(), SETTINGS)) if power.roll else {"legal": True}


def rewards(given: Given) -> Answer:
    """What a session gives."""
    hero = find(CATALOG.roles, given["role"])
    picks = given["pick"] if isinstance(given["pick"], list) else [given["pick"]]
    gained = tuple(_reward(given, pick) for pick in picks)
    problems = reward_problems(gained, hero, CATALOG, malicious=bool(given.get("malicious")))
    if problems:
        return refused(problems[0])
    growth = grow(hero, gained, CATALOG)
    answer: Answer = {action.label: growth.ratings.of(action) for action in Action}
    answer |= {"legal": True, "luck": growth.luck, "max": growth.luck}
    if any(reward.kind is RewardKind.SPECIALITY for reward in gained):
        answer["bonus"] = SPECIALITY_DICE
    return answer


def _reward(given: Given, pick: str) -> Reward:
    action = given.get("action")
    power = given.get("power")
    return Reward(
        session=1,
        kind=RewardKind(pick),
        action=None if action is None else action_called(action),
        when=given.get("when", ""),
        power=None if power is None else find(CATALOG.powers, power).id,
        gm_leave=bool(given.get("gm_leave")),
    )
