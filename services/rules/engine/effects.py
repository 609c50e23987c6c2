"""What lasts: conditions, stances, zones, boons; on a bearer, from a source, until it ends.

A state keeps `Effect`s. What a kind of effect does stands in its content entry, an `EffectRule`: parts that
it adds to named quantities, verbs that it forbids, what it is called. A game asks here, whatever lasts:

    parts(effects, rules, "chr-1", "guard")        what adds to a quantity of a bearer, and why
    forbidden(effects, rules, "chr-1", "move")     the first effect that forbids a verb, as a problem
    ending(effects, rules, TurnBegan("chr-1"))     what ends when something happens
    counted(effects, TurnEnded("chr-1"))           what goes on, its turns counted down
    going_on(effects, rules, TurnEnded("chr-1"))   both: what is left when something has happened

Quantities and verbs are the game's words; what a being resists and what keeping something up costs are
quantities like any other: `resist:fire`, `keep`. Code is needed only for what data cannot say: one function,
registered for the window in which it acts (`engine.windows`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from services.rules.engine.explain import Part
from services.rules.engine.frozen import replace
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import ActorId


class Until(Enum):
    """When an effect ends, at the latest with its scene.

    Attributes:
        SCENE: With the scene.
        TURNS: At the end of the n-th turn of an actor after the one in which it began.
        NEXT_TURN: When an actor's next turn begins.
        ROUNDS: At the end of the n-th round, the one in which it began counted.
        USED: When it is used up, or what it waits for happens.
        KEPT: When its source no longer keeps it up.
    """

    SCENE = "scene"
    TURNS = "turns"
    NEXT_TURN = "next_turn"
    ROUNDS = "rounds"
    USED = "used"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Duration:
    """How long an effect lasts.

    Attributes:
        until: When it ends.
        of: Whose turns count, where turns do.
        left: Turns or rounds left.
        fresh: Whether it began in the turn that is going on, which does not count.
    """

    until: Until = Until.SCENE
    of: ActorId = ""
    left: int = 0
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something that lasts.

    Attributes:
        id: Unique in the state.
        kind: Content id of its rule.
        bearer: Whom or what it is on.
        source: Who made it; empty for a hazard, or the game master.
        amount: What it counts, where its rule counts something: it multiplies the rule's parts.
        lasts: When it ends.
        cause: Content id of what made it: a power, a thing.
        about: Id of something else that it concerns: a place, a thing, an actor.
        strength: What it takes to end it before its time, where that can be done.
        words: What it stands for, in words of whoever made it.
        since: Number of the turn in which it began, where its rule asks for it.
        audience: Who may know of it.
    """

    id: str
    kind: str
    bearer: ActorId
    source: ActorId = ""
    amount: int = 1
    lasts: Duration = Duration()
    cause: str = ""
    about: str = ""
    strength: int = 0
    words: str = ""
    since: int = 0
    audience: Audience = EVERYONE


class Stacking(Enum):
    """What several effects of one kind on one bearer add up to.

    Attributes:
        SUM: All of them count.
        HIGHEST: The one that adds most counts.
        ONCE: The first counts.
    """

    SUM = "sum"
    HIGHEST = "highest"
    ONCE = "once"


class Lasting(Protocol):
    """What a content entry says of the effect that it is: an `EffectRule`, or an entry that says more."""

    @property
    def name(self) -> str:
        """What its bearer is."""

    @property
    def rule(self) -> str:
        """Where it stands in the book."""

    @property
    def adds(self) -> Mapping[str, int]:
        """What it adds to named quantities."""

    @property
    def forbids(self) -> tuple[str, ...]:
        """Verbs that its bearer may not do."""

    @property
    def tags(self) -> tuple[str, ...]:
        """What its bearer counts as."""

    @property
    def ends(self) -> tuple[str, ...]:
        """Names of what ends it at once."""

    @property
    def stacking(self) -> Stacking:
        """What several of its kind add up to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectRule:
    """What a kind of effect does: its content entry.

    Attributes:
        id: Content id: `duel:effect/braced`.
        name: What its bearer is, in plain words: "braced".
        rule: Where it stands in the book.
        adds: What it adds to named quantities.
        forbids: Verbs that its bearer may not do; `*` for everything.
        tags: What its bearer counts as, where other rules ask.
        ends: Names of what ends it at once, where it ends by being used: "moved", "hurt".
        stacking: What several of its kind add up to.
    """

    id: str
    name: str
    rule: str
    adds: Mapping[str, int] = field(default_factory=dict)
    forbids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    stacking: Stacking = Stacking.SUM


Rules = Mapping[str, Lasting]
"""The content entries, by id."""


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """An actor's turn begins."""

    actor: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """An actor's turn is over."""

    actor: str


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over."""


@dataclass(frozen=True, slots=True)
class Triggered:
    """Something happens to an actor, or is done by them, that may end what lasts on them.

    Attributes:
        actor: To whom; empty where it may end effects on anyone.
        what: One of the names in `EffectRule.ends`.
        about: What it happens to; where it is said, effects end that concern the same thing, and no others.
    """

    actor: str
    what: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Used:
    """An actor uses what they bear of a kind: it ends where it lasts until it is used.

    Attributes:
        actor: Who uses it.
        kind: Content id of its rule.
    """

    actor: str
    kind: str


@dataclass(frozen=True, slots=True)
class LetGo:
    """An actor keeps up no longer what they made.

    Attributes:
        source: Who made it.
        effect: Id of the one effect that is let go; empty for all.
    """

    source: str
    effect: str = ""


Moment = TurnBegan | TurnEnded | RoundEnded | Triggered | Used | LetGo


def on(effects: Iterable[Effect], bearer: str, *kinds: str) -> tuple[Effect, ...]:
    """The effects on a bearer, of some kinds or of any."""
    return tuple([each for each in effects if each.bearer == bearer and (not kinds or each.kind in kinds)])


def parts(effects: Iterable[Effect], rules: Rules, bearer: str, quantity: str) -> tuple[Part, ...]:
    """What the effects on a bearer add to a quantity, one part for each that counts."""
    found: dict[str, list[Part]] = {}
    for effect in effects:
        rule = rules[effect.kind]
        value = rule.adds.get(quantity, 0) * effect.amount
        if value and effect.bearer == bearer:
            found.setdefault(effect.kind, []).append(Part(value, rule.name.capitalize(), rule.rule))
    if not found:
        return ()
    return tuple(part for kind, each in found.items() for part in _stacked(rules[kind].stacking, each))


def forbidden(
    effects: Iterable[Effect], rules: Rules, bearer: str, verb: str, name: str
) -> RuleProblem | None:
    """The rule that keeps a bearer from doing something; None where nothing does.

    Args:
        effects: What lasts.
        rules: What it does.
        bearer: Who would do it.
        verb: What they would do.
        name: What they are called.
    """
    for effect in effects:
        rule = rules[effect.kind]
        if effect.bearer == bearer and (verb in rule.forbids or "*" in rule.forbids):
            code = effect.kind.rpartition("/")[2].replace("-", "_")
            return RuleProblem(code, f"{name} is {rule.name}.", rule.rule, ("actor",))
    return None


def tagged(effects: Iterable[Effect], rules: Rules, bearer: str, tag: str) -> bool:
    """Whether an effect makes its bearer count as something."""
    for effect in effects:  # noqa: SIM110 - asked of each offer, and twice as fast as a generator
        if tag in rules[effect.kind].tags and effect.bearer == bearer:
            return True
    return False


def ending(effects: Iterable[Effect], rules: Rules, moment: Moment) -> tuple[Effect, ...]:
    """The effects that end at a moment."""
    ends = _ends(rules, moment)
    return tuple(each for each in effects if ends(each))


COUNTED = (Until.TURNS, Until.ROUNDS)
"""What is counted down."""

COUNTING = TurnEnded | RoundEnded
"""Moments at which something is counted down."""

TIMED = (*COUNTED, Until.NEXT_TURN)
"""What ends with a turn or a round."""


def counted(effects: Iterable[Effect], moment: TurnEnded | RoundEnded) -> tuple[Effect, ...]:
    """The effects that go on behind a turn or a round, with one turn or round less where they count them."""
    return tuple(
        replace(each, lasts=counted_down(each.lasts, moment)) if each.lasts.until in COUNTED else each
        for each in effects
    )


def going_on(effects: Iterable[Effect], rules: Rules, *moments: Moment) -> tuple[Effect, ...]:
    """The effects that are left when these moments have passed one after the other, turns counted down."""
    left = tuple(effects)
    for moment in moments:
        ends = _ends(rules, moment)
        left = tuple(each for each in left if not ends(each))
        if isinstance(moment, COUNTING):
            left = counted(left, moment)
    return left


def over(lasts: Duration, moment: Moment) -> bool:
    """Whether something that lasts so long is over at a moment; what lies on a map has durations as well."""
    match moment:
        case TurnBegan(actor):
            return lasts.until is Until.NEXT_TURN and lasts.of == actor
        case TurnEnded(actor):
            return lasts.until is Until.TURNS and lasts.of == actor and not lasts.fresh and lasts.left <= 1
        case RoundEnded():
            return lasts.until is Until.ROUNDS and lasts.left <= 1
        case Triggered() | Used() | LetGo():
            return False


def counted_down(lasts: Duration, moment: TurnEnded | RoundEnded) -> Duration:
    """How long something goes on lasting behind a turn or a round."""
    match moment:
        case TurnEnded(actor) if lasts.until is Until.TURNS and lasts.of == actor:
            return replace(lasts, fresh=False) if lasts.fresh else replace(lasts, left=lasts.left - 1)
        case RoundEnded() if lasts.until is Until.ROUNDS:
            return replace(lasts, left=lasts.left - 1)
    return lasts


def _ends(rules: Rules, moment: Moment) -> Callable[[Effect], bool]:
    """Tells of an effect whether a moment ends it."""
    match moment:
        case Triggered(actor, what, about):
            return lambda it: (
                what in rules[it.kind].ends and actor in ("", it.bearer) and about in ("", it.about)
            )
        case Used(actor, kind):
            return lambda it: it.kind == kind and it.bearer == actor and it.lasts.until is Until.USED
        case LetGo(source, one):
            return lambda it: it.lasts.until is Until.KEPT and it.source == source and one in ("", it.id)
        case TurnBegan() | TurnEnded() | RoundEnded():
            return lambda it: it.lasts.until in TIMED and over(it.lasts, moment)


def _stacked(stacking: Stacking, found: list[Part]) -> list[Part]:
    match stacking:
        case Stacking.SUM:
            return found
        case Stacking.HIGHEST:
            return [max(found, key=lambda part: part.value)]
        case Stacking.ONCE:
            return found[:1]
