"""What characters gain between sessions: proposed by the player, approved or refused by the game master.

A player may write anything into the choices of a character that sits at no table. At a table a reward that
its game master has not approved stays waiting, whatever the player's edit says of it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from services.character.building.builds import Build, Built, broken_rules, build
from services.character.rewards.requests import Proposal
from services.rules.engine.problem import Problems
from services.rules.engine.system import Advancement, AnySystem
from services.shared.problems import InvalidInput
from services.shared.wording import camel

Verdict = Literal["approve", "refuse"]


@dataclass(frozen=True, slots=True)
class RewardLine:
    """A reward among a character's choices, or one that could be.

    Attributes:
        index: its place among the character's rewards, from 0; an offer's is the one it would take.
        text: what it gives, in plain words.
        approved: whether it has been approved; until then it gives nothing.
        reward: the system's own reward.
    """

    index: int
    text: str
    approved: bool
    reward: Any


def reward_lines(system: AnySystem, choices: Any) -> list[RewardLine]:
    """Give the rewards among the choices, in the order they were proposed."""
    advance = system.advance
    if advance is None:
        return []
    return _lines(advance, system, enumerate(advance.rewards(choices)))


def reward_offers(system: AnySystem, choices: Any) -> list[RewardLine]:
    """Give the rewards that could be proposed next."""
    advance = system.advance
    if advance is None:
        return []
    place = len(advance.rewards(choices))
    return _lines(advance, system, ((place, reward) for reward in advance.offers(choices, system.content)))


def reward_text(system: AnySystem, reward: Any) -> str:
    """Say what a reward gives, in plain words."""
    return "" if system.advance is None else system.advance.text(reward, system.content)


def claims_approval(system: AnySystem, choices: Any) -> bool:
    """Tell whether choices hold a reward that they say is approved."""
    advance = system.advance
    return advance is not None and any(reward.approved for reward in advance.rewards(choices))


def unapproved(system: AnySystem, before: Any | None, wanted: Any) -> Any:
    """Return choices in which each reward waits that was not approved before.

    Args:
        system: the game.
        before: the choices there are; None when they cannot be read, and so nothing is known to be approved.
        wanted: the choices that replace them.
    """
    return wanted if system.advance is None else system.advance.unapproved(before, wanted)


def proposed(system: AnySystem, before: Any | None, proposal: Proposal) -> Built:
    """Build a character with one more reward, which waits.

    Args:
        system: the character's game.
        before: its choices; None when they cannot be read.
        proposal: the reward.

    Raises:
        InvalidInput: the reward is of another game, or it breaks rules.
    """
    slug, advance = system.slug, system.advance
    if proposal.system != slug:
        text, found = "The reward is one of another game.", proposal.system
        raise InvalidInput.single("SYSTEM_FIXED", text, "reward", found=found, allowed=slug)
    if advance is None or before is None:
        raise _no_rewards()
    field, place = camel(advance.field), str(len(advance.rewards(before)))
    own = ["reward", camel(slug)]

    def path(found: list[str]) -> list[str]:
        match found[2:]:
            case [first, index, *rest] if (first, index) == (field, place):
                return [*own, *rest]
            case [first] if first == field:
                return own
            case _:
                return ["characterId"]

    return _built(system, advance.propose(before, proposal.reward), path)


def judged(system: AnySystem, before: Any | None, index: int, verdict: Verdict) -> Built:
    """Build a character with a waiting reward approved, or without it.

    Args:
        system: the character's game.
        before: its choices; None when they cannot be read.
        index: place of the reward.
        verdict: what is done with it.

    Raises:
        InvalidInput: no such reward waits, or the character cannot be built with it.
    """
    advance = system.advance
    if advance is None or before is None:
        raise _no_rewards()
    choices = advance.approve(before, index) if verdict == "approve" else advance.refuse(before, index)
    if isinstance(choices, Problems):
        raise broken_rules(choices, [])
    return _built(system, choices, lambda _: ["characterId"])


def _lines(
    advance: Advancement[Any, Any, Any], system: AnySystem, rewards: Iterable[tuple[int, Any]]
) -> list[RewardLine]:
    return [
        RewardLine(index, advance.text(reward, system.content), reward.approved, reward)
        for index, reward in rewards
    ]


def _built(system: AnySystem, choices: Any, path: Callable[[list[str]], list[str]]) -> Built:
    try:
        return build({system.slug: system}, Build(system.slug, choices))
    except InvalidInput as refused:
        # The path of an issue leads through the build that the caller has never seen.
        raise InvalidInput([replace(found, path=path(found.path)) for found in refused.issues]) from refused


def _no_rewards() -> InvalidInput:
    text = "Characters of this game are given no rewards here."
    return InvalidInput.single("NO_REWARDS", text, "characterId")
