"""What characters gain between sessions: proposed by the player, approved or refused by the game master.

A player may write anything into the choices of a character that sits at no table. At a table a reward that
its game master has not approved stays waiting, whatever the player's edit says of it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from services.character.building.builds import Build, Built, build, issue
from services.rules.engine.problem import Problems
from services.rules.engine.system import Advancement, AnySystem
from services.shared.problems import InvalidInput
from services.shared.wording import camel

Verdict = Literal["approve", "refuse"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A reward that a player proposes.

    Attributes:
        system: slug of the game system that it belongs to.
        reward: the system's own reward.
    """

    system: str
    reward: Any


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


def claims_approval(systems: Mapping[str, AnySystem], wanted: Build) -> bool:
    """Tell whether choices hold a reward that they say is approved."""
    advance = _advance(systems, wanted.system)
    return advance is not None and any(reward.approved for reward in advance.rewards(wanted.choices))


def unapproved(systems: Mapping[str, AnySystem], before: Any | None, wanted: Build) -> Build:
    """Let each reward wait that was not approved before.

    Args:
        systems: the games that can be played, by slug.
        before: the choices there are; None when they cannot be read, and so nothing is known to be approved.
        wanted: the choices that replace them, of the same system.
    """
    advance = _advance(systems, wanted.system)
    return wanted if advance is None else replace(wanted, choices=advance.unapproved(before, wanted.choices))


def proposed(
    systems: Mapping[str, AnySystem], slug: str, before: Any | None, proposal: Proposal
) -> Built | InvalidInput:
    """Build a character with one more reward, which waits.

    Args:
        systems: the games that can be played, by slug.
        slug: the character's game system.
        before: its choices; None when they cannot be read.
        proposal: the reward.
    """
    if proposal.system != slug:
        return InvalidInput.single(
            "SYSTEM_FIXED",
            "The reward is one of another game.",
            "reward",
            found=proposal.system,
            allowed=slug,
        )
    advance = _advance(systems, slug)
    if advance is None or before is None:
        return no_rewards()
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

    return _built(systems, Build(slug, advance.propose(before, proposal.reward)), path)


def judged(
    systems: Mapping[str, AnySystem], slug: str, before: Any | None, index: int, verdict: Verdict
) -> Built | InvalidInput:
    """Build a character with a waiting reward approved, or without it.

    Args:
        systems: the games that can be played, by slug.
        slug: the character's game system.
        before: its choices; None when they cannot be read.
        index: place of the reward.
        verdict: what is done with it.
    """
    advance = _advance(systems, slug)
    if advance is None or before is None:
        return no_rewards()
    choices = advance.approve(before, index) if verdict == "approve" else advance.refuse(before, index)
    if isinstance(choices, Problems):
        return InvalidInput.of([issue(problem, []) for problem in choices])
    return _built(systems, Build(slug, choices), lambda _: ["characterId"])


def _advance(systems: Mapping[str, AnySystem], slug: str) -> Advancement[Any, Any, Any] | None:
    system = systems.get(slug)
    return None if system is None else system.advance


def _lines(
    advance: Advancement[Any, Any, Any], system: AnySystem, rewards: Iterable[tuple[int, Any]]
) -> list[RewardLine]:
    return [
        RewardLine(index, advance.text(reward, system.content), reward.approved, reward)
        for index, reward in rewards
    ]


def _built(
    systems: Mapping[str, AnySystem], wanted: Build, path: Callable[[list[str]], list[str]]
) -> Built | InvalidInput:
    built = build(systems, wanted)
    if isinstance(built, Built):
        return built
    # The path of an issue leads through the build that the caller has never seen.
    return InvalidInput.of([replace(found, path=path(found.path)) for found in built.issues])


def no_rewards() -> InvalidInput:
    """Say that there is nothing to propose or to judge."""
    return InvalidInput.single(
        "NO_REWARDS", "Characters of this game are given no rewards here.", "characterId"
    )
