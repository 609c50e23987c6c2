"""Character points that a session earns (Rewards And Progression; checklist S2)."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine.bounds import MOST, out_of_bounds
from services.rules.systems.forge_engine.rolls import against_target
from services.rules.systems.forge_engine.settings import TableSettings

SESSIONS = "Gaining Character Points"
BONUS = "Bonus Character Points"
BONUS_ROLL = "When to Award Bonus XP"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deeds:
    """What a character has done that earns CP.

    Attributes:
        sessions: Sessions played.
        minor_quests: Minor quests or missions completed.
        major_quests: Major ones.
        campaigns: Whole campaigns.
        role_play: How often it was played exceptionally well.
        bonus_combats: Fights of a day after its first, or risked while hurt or short of energy.
        other: CP that the game master gives or takes for anything else.
        bonus_stage: How far the rewards for a behaviour have come: 0 while it is rewarded every time, then 1
            for the first target of a bonus roll, and on; None where no roll is asked about.
    """

    sessions: int = 0
    minor_quests: int = 0
    major_quests: int = 0
    campaigns: int = 0
    role_play: int = 0
    bonus_combats: int = 0
    other: int = 0
    bonus_stage: int | None = None


def award(settings: TableSettings, deeds: Deeds) -> Explained | Problems:
    """The CP that deeds earn, with a step for each kind of them; or every number that is out of bounds."""
    numbers = {
        "sessions": (deeds.sessions, 0, MOST),
        "minor_quests": (deeds.minor_quests, 0, MOST),
        "major_quests": (deeds.major_quests, 0, MOST),
        "campaigns": (deeds.campaigns, 0, MOST),
        "role_play": (deeds.role_play, 0, MOST),
        "bonus_combats": (deeds.bonus_combats, 0, MOST),
        "other": (deeds.other, -MOST, MOST),
        "bonus_stage": (deeds.bonus_stage or 0, 0, MOST),
    }
    problems = tuple(out_of_bounds(numbers, SESSIONS))
    if problems:
        return Problems(problems)
    earned = Explained(0, ())
    for count, each, words, rule in (
        (deeds.sessions, settings.session_cp, "sessions", SESSIONS),
        (deeds.minor_quests, settings.minor_quest_cp, "minor quests", SESSIONS),
        (deeds.major_quests, settings.major_quest_cp, "major quests", SESSIONS),
        (deeds.campaigns, settings.campaign_cp, "campaigns", SESSIONS),
        (deeds.role_play, settings.role_play_cp, "role-play", BONUS),
        (deeds.bonus_combats, settings.bonus_combat_cp, "further fights", BONUS),
    ):
        if count:
            earned = earned.plus(count * each, f"{words}: {count} at {each} CP", rule)
    return earned.plus(deeds.other, "the game master", BONUS) if deeds.other else earned


def bonus_target(settings: TableSettings, stage: int) -> int | None:
    """What the d10 of a bonus roll must reach.

    Args:
        settings: The targets in their order.
        stage: 0 while the behaviour is rewarded every time, 1 for the first target, and on; the last target
            holds for every later stage.

    Returns:
        The target; None where no roll is made, since everybody is rewarded.
    """
    if stage <= 0 or not settings.bonus_targets:
        return None
    return settings.bonus_targets[min(stage, len(settings.bonus_targets)) - 1]


def bonus_earned(settings: TableSettings, stage: int, face: int) -> bool:
    """Whether the face of a bonus roll earns the reward at a stage."""
    target = bonus_target(settings, stage)
    return target is None or against_target((face,), target).successes > 0
