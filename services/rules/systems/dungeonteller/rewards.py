"""What a hero gains after a session (Rewards): one die, one speciality, one power or one Luck.

The game master has the last word. A table that wants it so writes a reward down as not yet approved: it is
then checked and shown like any other, and counts for nothing until it is approved. Who may approve is left to
whoever keeps the hero.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.catalog import Bonus, Catalog, Role, called
from services.rules.systems.dungeonteller.powers import Power

SPECIALITY_DICE = 2
RULE = "Rewards"


class RewardKind(Enum):
    """The four rewards.

    Attributes:
        DIE: One more die for an action.
        SPECIALITY: Bonus dice for an action when something holds.
        POWER: One more power.
        LUCK: One more Luck.
    """

    DIE = "die"
    SPECIALITY = "speciality"
    POWER = "power"
    LUCK = "luck"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """One pick at the end of one session.

    Attributes:
        session: Which session it is for, counted from 1; each gives one pick.
        kind: Which of the four rewards it is.
        action: For a die or a speciality.
        when: For a speciality: what it is for, in the table's words: "greatsword", "disguise".
        power: For a power: its content id.
        gm_leave: Whether the game master lets this hero have a power of another role.
        approved: Whether the game master has approved it; until then it is waiting, and gives nothing.
    """

    session: int
    kind: RewardKind
    action: Action | None = None
    when: str = ""
    power: str | None = None
    gm_leave: bool = False
    approved: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """A role with what was gained on top."""

    ratings: Ratings
    luck: int
    bonuses: tuple[Bonus, ...]
    powers: tuple[str, ...]


def grow(role: Role, rewards: tuple[Reward, ...], catalog: Catalog) -> Growth:
    """The role's figures with the approved rewards on top. What a reward leaves out, it does not give."""
    ratings, luck = role.ratings, role.luck
    bonuses: list[Bonus] = []
    powers: list[str] = []
    for reward in rewards:
        if not reward.approved:
            continue
        match reward.kind, reward.action:
            case RewardKind.DIE, Action() as action:
                ratings = ratings.raised(action)
            case RewardKind.SPECIALITY, Action() as action:
                bonuses.append(speciality(action, reward.when, catalog))
            case RewardKind.LUCK, _:
                luck += 1
            case RewardKind.POWER, _ if reward.power is not None:
                powers.append(reward.power)
    return Growth(ratings=ratings, luck=luck, bonuses=tuple(bonuses), powers=tuple(powers))


def speciality(action: Action, when: str, catalog: Catalog) -> Bonus:
    """Two dice for something narrow."""
    return narrow_bonus(action, SPECIALITY_DICE, when, "Rewards / Add Action Dice", catalog)


def narrow_bonus(action: Action, dice: int, when: str, rule: str, catalog: Catalog) -> Bonus:
    """Bonus dice for something narrow, in a table's own words.

    Words that name a weapon or a known situation count by themselves; any other words count when the table
    says so, by naming them as a situation.
    """
    weapon = called(catalog.weapons, when)
    weapons: tuple[str, ...] = ()
    situations: tuple[str, ...] = ()
    if weapon is not None:
        when, weapons = f"when you use the {weapon.name}", (weapon.id,)
    else:
        situation = catalog.situation_called(when)
        situations = (situation.id if situation is not None else when,)
    return Bonus(action=action, dice=dice, when=when, situations=situations, weapons=weapons, rule=rule)


def reward_text(reward: Reward, catalog: Catalog) -> str:
    """What a reward brings, in plain words; of one that names nothing, only its kind."""
    action = "" if reward.action is None else f"{reward.action.label} "
    match reward.kind:
        case RewardKind.DIE:
            return f"1 more {action}die"
        case RewardKind.SPECIALITY:
            return f"{SPECIALITY_DICE} more {action}dice: {reward.when}"
        case RewardKind.POWER:
            power = catalog.powers.get(reward.power or "")
            return "a new power" if power is None else f"the power {power.name}"
        case RewardKind.LUCK:
            return "1 more Luck"


def reward_problems(
    rewards: tuple[Reward, ...], role: Role | None, catalog: Catalog, *, malicious: bool
) -> tuple[RuleProblem, ...]:
    """Every rule the rewards break, with paths below `rewards`."""
    found: list[RuleProblem] = []
    per_session = Counter(reward.session for reward in rewards)
    for session, count in per_session.items():
        if count > 1:
            found.append(
                RuleProblem(
                    "one_reward_per_session",
                    f"Session {session} gives one reward, not {count}.",
                    RULE,
                    ("rewards",),
                    count,
                    1,
                )
            )
    known = set(role.powers) if role is not None else set()
    known.update(power.id for power in catalog.everyones_powers())
    for index, reward in enumerate(rewards):
        path: KeyPath = ("rewards", index)
        if reward.session < 1:
            found.append(
                RuleProblem(
                    "session_unknown", "Sessions count from 1.", RULE, (*path, "session"), reward.session, 1
                )
            )
        match reward.kind:
            case RewardKind.DIE | RewardKind.SPECIALITY:
                found.extend(_action_problems(reward, path))
            case RewardKind.POWER:
                found.extend(_power_problems(reward, role, catalog, known, path, malicious=malicious))
                known.add(reward.power or "")
            case RewardKind.LUCK:
                pass
    return tuple(found)


def _action_problems(reward: Reward, path: KeyPath) -> tuple[RuleProblem, ...]:
    found: list[RuleProblem] = []
    if reward.action is None:
        actions = tuple(action.value for action in Action)
        found.append(
            RuleProblem("action_missing", "Say which action.", RULE, (*path, "action"), None, actions)
        )
    if reward.kind is RewardKind.SPECIALITY and not reward.when.strip():
        found.append(
            RuleProblem("speciality_missing", "Say what the speciality is for.", RULE, (*path, "when"), "")
        )
    return tuple(found)


def _power_problems(
    reward: Reward,
    role: Role | None,
    catalog: Catalog,
    known: set[str],
    path: KeyPath,
    *,
    malicious: bool,
) -> tuple[RuleProblem, ...]:
    where = (*path, "power")
    power: Power | None = catalog.powers.get(reward.power or "")
    if power is None:
        allowed = role.extra_powers if role is not None else catalog.powers.ids
        return (RuleProblem("power_unknown", "There is no such power.", RULE, where, reward.power, allowed),)
    found: list[RuleProblem] = []
    if power.id in known:
        found.append(RuleProblem("power_known", f"The hero already has {power.name}.", RULE, where, power.id))
    elif role is not None and power.id not in role.extra_powers and not reward.gm_leave:
        found.append(
            RuleProblem(
                "power_of_another_role",
                f"{power.name} is not a power of this role; the game master may allow it.",
                "More Powers",
                where,
                power.id,
                role.extra_powers,
            )
        )
    if power.malicious and not malicious:
        found.append(
            RuleProblem(
                "not_malicious",
                f"{power.name} only works for malicious wizards.",
                power.source,
                where,
                power.id,
            )
        )
    return tuple(found)
