"""Windows: the points of a rule at which what lasts acts, and at which people may react.

A window is a frozen dataclass that says what is about to happen or has happened, running values among it. A
rule opens it and goes on with what became of it::

    hit = yield from turn.window(Hit(striker=..., target=..., damage=3))
    turn.happen(Hurt(hit.target, hit.damage))

First acts what always does there: a skill, a rule of the book that no effect stands for. Then each effect
acts whose kind has a function for this window, in the order in which the effects began and on the state as it
is by then; what begins meanwhile waits for the next window. Then those who may react are asked, group by
group; the asks are the game's, and whoever cannot react has none. A reaction is a move inside a move: it is
run to its end, with windows of its own to any depth, before the next group is asked.

A game says once what acts and who reacts, and its play has the result as `windows`::

    windows = Windows(lambda state: state.effects)
    windows.always(Hit, heavy_boots)
    windows.acts("duel:effect/ironclad", Hit, ironclad)
    windows.reacts(Hit, Reaction(who=struck_one, ask=parry_or_not, react=parry))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import GeneratorType
from typing import Any, Protocol, TypeVar

from services.rules.engine.effects import Effect
from services.rules.engine.steps import Ask, Step, Turn

WindowT = TypeVar("WindowT")

AnyTurn = Turn[Any, Any]

Act = Callable[[Any, Effect, Any], Any]
"""What an effect does in a window: takes the turn, the effect and the window; returns the window as it is
then, or None where it stays as it was. A generator where it needs dice or answers.
"""


Always = Callable[[Any, Any], Any]
"""What acts in a window whatever lasts: takes the turn and the window; returns as an `Act` does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """People's part in a window.

    Attributes:
        who: Takes the turn and the window; returns ids in groups: those of a group are asked side by side,
            and one group after the other.
        ask: Takes the turn, the window and an actor's id; returns the question on the state as it is by then,
            or None for those who cannot react.
        react: Takes the turn, the window and an answer; returns the window as it is then, or None where the
            answer declines. A generator where it needs dice or answers.
        again: Whether a group is asked again until nobody of it reacts any more.
    """

    who: Callable[[Any, Any], Iterable[tuple[str, ...]]]
    ask: Callable[[Any, Any, str], Ask | None]
    react: Callable[[Any, Any, Any], Any]
    again: bool = False


class HasWindows(Protocol):
    """Play whose rules open windows."""

    @property
    def windows(self) -> Windows:
        """What acts and who reacts."""


class Windows:
    """What acts in which window, and who may react there.

    Args:
        lasting: The effects of a state, in the order in which they began.
    """

    def __init__(self, lasting: Callable[[Any], Iterable[Effect]]) -> None:
        self._lasting = lasting
        self._always: dict[type, list[Always]] = {}
        self._acts: dict[type, dict[str, Act]] = {}
        self._reactions: dict[type, list[Reaction]] = {}

    def always(self, window: type, act: Always) -> None:
        """Registers what acts in a window whatever lasts, behind what is registered so already."""
        self._always.setdefault(window, []).append(act)

    def acts(self, kind: str, window: type, act: Act) -> None:
        """Registers what a kind of effect does in a window.

        Raises:
            ValueError: Two functions claim one place.
        """
        there = self._acts.setdefault(window, {})
        if kind in there:
            raise ValueError(f"{kind} acts twice in {window.__name__}")
        there[kind] = act

    def reacts(self, window: type, reaction: Reaction) -> None:
        """Registers people's part in a window, behind what is registered for it already."""
        self._reactions.setdefault(window, []).append(reaction)

    def open(self, turn: AnyTurn, window: WindowT) -> Step[WindowT]:
        """Lets rules and effects act and people react.

        Returns:
            The window as it is when all of them are through.
        """
        for always in self._always.get(type(window), ()):
            after = always(turn, window)
            if isinstance(after, GeneratorType):
                after = yield from after
            window = window if after is None else after
        acts = self._acts.get(type(window))
        if acts:
            window = yield from self._acted(turn, window, acts)
        for reaction in self._reactions.get(type(window), ()):
            for group in reaction.who(turn, window):
                window = yield from _asked(turn, window, reaction, group)
        return window

    def _acted(self, turn: AnyTurn, window: WindowT, acts: dict[str, Act]) -> Step[WindowT]:
        begun = tuple(effect.id for effect in self._lasting(turn.state) if effect.kind in acts)
        for name in begun:
            effect = next((each for each in self._lasting(turn.state) if each.id == name), None)
            if effect is not None:
                after = yield from _through(acts[effect.kind](turn, effect, window))
                window = window if after is None else after
        return window


def _asked(turn: AnyTurn, window: WindowT, reaction: Reaction, group: tuple[str, ...]) -> Step[WindowT]:
    reacted = True
    while reacted:
        reacted = False
        found = [ask for actor in group if (ask := reaction.ask(turn, window, actor)) is not None]
        if not found:
            return window
        answers = yield from turn.ask(*found)
        for answer in answers:
            after = yield from _through(reaction.react(turn, window, answer))
            if after is not None:
                window, reacted = after, reaction.again
    return window


def _through(found: Any) -> Step[Any]:
    """What part of a rule returns, which may be a generator or not."""
    return (yield from found) if isinstance(found, GeneratorType) else found
