"""What lasts: conditions, stances, zones, boons; on a bearer, from a source, until it ends.

A state keeps `Effect`s. What a kind of effect does stands in its content entry, an `EffectRule`: parts that
it adds to named quantities, verbs that it forbids, what it is called. A game asks here, whatever lasts:

    parts(effects, rules, "chr-1", "guard")        what adds to a quantity of a bearer, and why
    forbidden(effects, rules, "chr-1", "move")     the first effect that forbids a verb, as a problem
    ending(effects, TurnBegan("chr-1"))            what ends when something happens
    counted(effects, TurnEnded("chr-1"))           what goes on, its turns counted down

Code is needed only for what data cannot say: one function, registered for the window in which it acts
(`Windows`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from services.rules.engine.explain import Part
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


Rules = Mapping[str, EffectRule]
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
        actor: To whom.
        what: One of the names in `EffectRule.ends`.
    """

    actor: str
    what: str


Moment = TurnBegan | TurnEnded | RoundEnded | Triggered


def on(effects: Iterable[Effect], bearer: str, *kinds: str) -> tuple[Effect, ...]:
    """The effects on a bearer, of some kinds or of any."""
    return tuple(each for each in effects if each.bearer == bearer and (not kinds or each.kind in kinds))


def parts(effects: Iterable[Effect], rules: Rules, bearer: str, quantity: str) -> tuple[Part, ...]:
    """What the effects on a bearer add to a quantity, one part for each that counts."""
    found: dict[str, list[Part]] = {}
    for effect in on(effects, bearer):
        rule = rules[effect.kind]
        value = rule.adds.get(quantity, 0) * effect.amount
        if value:
            found.setdefault(effect.kind, []).append(Part(value, rule.name.capitalize(), rule.rule))
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
    for effect in on(effects, bearer):
        rule = rules[effect.kind]
        if verb in rule.forbids or "*" in rule.forbids:
            code = effect.kind.rpartition("/")[2].replace("-", "_")
            return RuleProblem(code, f"{name} is {rule.name}.", rule.rule, ("actor",))
    return None


def tagged(effects: Iterable[Effect], rules: Rules, bearer: str, tag: str) -> bool:
    """Whether an effect makes its bearer count as something."""
    return any(tag in rules[effect.kind].tags for effect in on(effects, bearer))


def ending(effects: Iterable[Effect], rules: Rules, moment: Moment) -> tuple[Effect, ...]:
    """The effects that end at a moment."""
    return tuple(each for each in effects if _ends(each, rules, moment))


def counted(effects: Iterable[Effect], moment: TurnEnded | RoundEnded) -> tuple[Effect, ...]:
    """The effects that go on behind a turn or a round, with one turn or round less where they count them."""
    return tuple(replace(each, lasts=counted_down(each.lasts, moment)) for each in effects)


def over(lasts: Duration, moment: Moment) -> bool:
    """Whether something that lasts so long is over at a moment; what lies on a map has durations as well."""
    match moment:
        case TurnBegan(actor):
            return lasts.until is Until.NEXT_TURN and lasts.of == actor
        case TurnEnded(actor):
            return lasts.until is Until.TURNS and lasts.of == actor and not lasts.fresh and lasts.left <= 1
        case RoundEnded():
            return lasts.until is Until.ROUNDS and lasts.left <= 1
        case Triggered():
            return False


def counted_down(lasts: Duration, moment: TurnEnded | RoundEnded) -> Duration:
    """How long something goes on lasting behind a turn or a round."""
    match moment:
        case TurnEnded(actor) if lasts.until is Until.TURNS and lasts.of == actor:
            return replace(lasts, fresh=False) if lasts.fresh else replace(lasts, left=lasts.left - 1)
        case RoundEnded() if lasts.until is Until.ROUNDS:
            return replace(lasts, left=lasts.left - 1)
    return lasts


def _ends(effect: Effect, rules: Rules, moment: Moment) -> bool:
    if isinstance(moment, Triggered):
        return effect.bearer == moment.actor and moment.what in rules[effect.kind].ends
    return over(effect.lasts, moment)


def _stacked(stacking: Stacking, found: list[Part]) -> list[Part]:
    match stacking:
        case Stacking.SUM:
            return found
        case Stacking.HIGHEST:
            return [max(found, key=lambda part: part.value)]
        case Stacking.ONCE:
            return found[:1]


Act = Callable[[Any, Effect, Any], Generator[Any, Any, Any]]
"""What an effect does in a window: takes the turn, the effect and what happens there; part of a rule."""


class Windows:
    """The functions of effects that data cannot say, by the kind of effect and the window in which they act.

        windows = Windows()

        @windows.acts("duel:effect/riposte", Missed)
        def riposte(turn, effect, missed): ...

    A rule opens a window with `yield from windows.open(turn, turn.state.effects, Missed(...))`.
    """

    def __init__(self) -> None:
        self._acts: dict[tuple[str, type], Act] = {}

    def acts(self, kind: str, window: type) -> Callable[[Act], Act]:
        """Registers what a kind of effect does in a window.

        Raises:
            ValueError: Two functions claim one place.
        """

        def register(act: Act) -> Act:
            if (kind, window) in self._acts:
                raise ValueError(f"{kind} acts twice in {window.__name__}")
            self._acts[kind, window] = act
            return act

        return register

    def open(self, turn: Any, effects: Iterable[Effect], window: Any) -> Generator[Any, Any, None]:
        """Lets every effect act that is registered for a window, in the order in which they began."""
        for effect in tuple(effects):
            act = self._acts.get((effect.kind, type(window)))
            if act is not None:
                yield from act(turn, effect, window)
