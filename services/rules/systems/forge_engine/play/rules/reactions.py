"""Reactions: who may react in which window, by what, and what it does (Reactions; Resolving Attacks).

A window asks the attacker, then the bystanders, then the defenders. What a combatant may answer is put
together from the reactions that are registered here; who has none is not asked. Silence declines.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from services.rules.engine.buttons import button
from services.rules.engine.frozen import replace
from services.rules.engine.play import LegalMove
from services.rules.engine.steps import Ask, Step
from services.rules.engine.windows import Reaction, Windows
from services.rules.systems.forge_engine.play.moves import Decline
from services.rules.systems.forge_engine.play.rules.bonuses import lose_poise, poise
from services.rules.systems.forge_engine.play.rules.checks import can_react
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import (
    Declared,
    Entering,
    Harmed,
    Hits,
    Leaving,
    Resolved,
    Rolled,
)


class Role(Enum):
    """The role of a combatant in an attack.

    Attributes:
        ATTACKER: Who attacks.
        BYSTANDER: Anyone else.
        DEFENDER: Who is attacked.
    """

    ATTACKER = "attacker"
    BYSTANDER = "bystander"
    DEFENDER = "defender"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionRule:
    """One way of reacting.

    Attributes:
        window: The window it belongs to.
        role: Whose reaction it is.
        answer: The kind of move that it is.
        offers: The offers of a combatant, with what there is to decide; none where it cannot react so.
        react: What happens then; returns the window as it is afterwards.
        skill: Content id of the skill that it takes; empty for a default reaction.
        needs: Content id of another skill without which it is never offered; empty for none.
        running: Whether it can be done while one runs.
    """

    window: type
    role: Role
    answer: type
    offers: Callable[[Fight, Any, Combatant], Iterable[LegalMove]]
    react: Callable[[Any, Any, Any], Any]
    skill: str = ""
    needs: str = ""
    running: bool = False


PHRASES = {
    Declared: "An attack is declared. React?",
    Rolled: "The dice lie on the table. React?",
    Hits: "The attack hits. React?",
    Harmed: "Damage was dealt. React?",
    Leaving: "An enemy leaves your reach. React?",
    Entering: "An enemy comes into your reach. React?",
    Resolved: "The attack is over. React?",
}

STEPS = Leaving | Entering
"""Windows in which nobody attacks yet: who can is a defender."""

ON_ONE = Hits | Harmed
"""Windows of an attack that open for each target by itself."""


def sides_of(window: Any) -> tuple[str, tuple[str, ...]]:
    """The attacker of a window, empty for a step, and its defenders."""
    if isinstance(window, STEPS):
        return "", window.foes
    targets = (window.target,) if isinstance(window, ON_ONE) else window.strike.targets
    return window.strike.attacker, targets


def role_of(window: Any, who: str) -> Role:
    """The role of a combatant in a window."""
    attacker, defenders = sides_of(window)
    if who == attacker:
        return Role.ATTACKER
    return Role.DEFENDER if who in defenders else Role.BYSTANDER


def all_in(role: Role, window: Any, fight: Fight) -> list[Combatant]:
    """All who have a role in a window, in the order of the fight."""
    attacker, defenders = sides_of(window)
    if role is Role.ATTACKER:
        return [one for one in fight.combatants if one.id == attacker]
    defends = role is Role.DEFENDER
    return [one for one in fight.combatants if one.id != attacker and (one.id in defenders) is defends]


def once(one: Combatant, skill: str) -> str:
    """The mark in a window of what a combatant did there and does once."""
    return f"{one.id}:{skill}"


def registered(windows: Windows, rules: tuple[ReactionRule, ...]) -> None:
    """Registers ways of reacting, window by window."""
    for kind in dict.fromkeys(rule.window for rule in rules):
        own = tuple(rule for rule in rules if rule.window is kind)
        windows.reacts(kind, _reaction(kind, own))


def _through(found: Any) -> Step[Any]:
    """What a reaction returns, which may be a generator or not."""
    return (yield from found) if isinstance(found, Generator) else found


def _known(rules: tuple[ReactionRule, ...], one: Combatant) -> list[ReactionRule]:
    """The rules of a role for which a combatant has the skills."""
    learned = {each.skill for each in one.profile.skills if each.rating > 0}
    return [
        rule
        for rule in rules
        if (not rule.needs or rule.needs in learned) and (not rule.skill or rule.skill in learned)
    ]


def _reaction(kind: type, rules: tuple[ReactionRule, ...]) -> Reaction:
    by_role = {role: tuple(rule for rule in rules if rule.role is role) for role in Role}
    asked = tuple((role, own) for role, own in by_role.items() if own)

    def groups(turn: Any, window: Any) -> Iterator[tuple[str, ...]]:
        fight: Fight = turn.state
        for role, own in asked:
            yield tuple([one.id for one in all_in(role, window, fight) if _known(own, one)])

    def ask(turn: Any, window: Any, who: str) -> Ask | None:
        fight: Fight = turn.state
        if isinstance(window, Declared) and window.failed:
            return None
        one = fight.find(who)
        able = can_react(fight, one)
        if not able and not (one.running and can_react(fight, replace(one, running=False))):
            return None
        known = _known(by_role[role_of(window, who)], one)
        offers = [
            offer for rule in known if able or rule.running for offer in rule.offers(fight, window, one)
        ]
        if not offers:
            return None
        none = Decline(actor=who)
        offers.append(button(none, "decline", "Do nothing", "Let it happen.", "Reactions"))
        return Ask(
            id=f"{kind.__name__.lower()}:{who}:{len(turn.happened)}",
            actor=who,
            question=PHRASES[kind],
            offers=tuple(offers),
            silence=none,
            seconds=fight.patience,
        )

    def react(turn: Any, window: Any, answer: Any) -> Step[Any]:
        if isinstance(answer, Decline):
            return None
        role, skill = role_of(window, answer.actor), getattr(answer, "skill", "")
        rule = next(each for each in by_role[role] if each.answer is type(answer) and each.skill == skill)
        waiting = poise(turn.state, answer.actor)
        after = yield from _through(rule.react(turn, window, answer))
        lose_poise(turn, answer.actor, waiting)
        return after

    return Reaction(who=groups, ask=ask, react=react, again=True)
