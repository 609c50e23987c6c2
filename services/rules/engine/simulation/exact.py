"""Exact answers: where a game says that little is left to chance, every way its dice can fall is gone.

A game that can declares which of its positions are small enough, and which faces of a die mean the same
(`Enumerated`). From there on the same rules run, moved by the same bots, once for each way the dice can fall;
positions that are alike are gone on from once. Of each figure it is known how likely each value is, as a
fraction. Where a bot leaves anything to chance, or there are too many ways after all, no answer is exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Any, Protocol, runtime_checkable

from services.rules.engine.identity import Same
from services.rules.engine.matches import picked
from services.rules.engine.play import AnyPlay, Faces, Roll, Viewer
from services.rules.engine.simulation.cases import Case, Plan
from services.rules.engine.simulation.figures import MOVES, ROUNDS, UNFINISHED
from services.rules.engine.simulation.run import Runner
from services.rules.engine.steps import Ask, Happened, Results, run_through

MOST_RUNS = 5_000
"""Runs of rules that the exact answer of all cases together may take: a second or two."""

Kinds = Sequence[tuple[int, int]]
"""Faces of a die, one of each kind, with how many faces mean the same as it."""

Chances = Mapping[str, Mapping[int, Fraction]]
"""How likely each value of a figure is, by the name under which the figure is told."""


@runtime_checkable
class Enumerated(Protocol):
    """Play of which some positions are small enough for every way the dice can fall to be gone."""

    def is_enumerable(self, state: Any, moves: int) -> bool:
        """Whether few enough dice fall from a position on, within so many moves."""

    def kinds_of(self, state: Any, roll: Roll) -> Kinds:
        """Return which faces of the dice of a roll mean the same, whichever dice of it show them.

        Args:
            state: The position that it is rolled in.
            roll: The roll.
        """


class _NotExact(Exception):
    """There is no exact answer: chance moves a bot, or there are too many ways."""


def exact_answer(plan: Plan) -> tuple[Chances, ...] | None:
    """Return the exact answer of each case of a request; None where any of them has none."""
    play = plan.play
    if not isinstance(play, Enumerated):
        return None
    for case in plan.cases:
        opening = case.scenes[0].opening
        if len(case.scenes) > 1 or not play.is_enumerable(opening, plan.request.most_moves):
            return None
    return _enumerated(Same(plan))


@lru_cache(maxsize=4)
def _enumerated(plan: Same[Plan]) -> tuple[Chances, ...] | None:
    try:
        return tuple(_Enumeration(plan.value, case).chances() for case in plan.value.cases)
    except _NotExact:
        return None


@dataclass(slots=True)
class _Position:
    """A position that several ways may lead to.

    Attributes:
        state: The position.
        chance: How likely it is.
        counted: Of each figure that events add to, how likely each amount is together with the position;
            what is missing was 0.
    """

    state: Any
    chance: Fraction = Fraction(0)
    counted: dict[str, dict[int, Fraction]] = field(default_factory=dict)

    def amounts(self, name: str) -> dict[int, Fraction]:
        """Return how likely each amount of a figure is together with the position."""
        return self.counted.get(name) or {0: self.chance}

    def add(self, before: _Position, share: Fraction, added: Mapping[str, int]) -> None:
        """Take in a way from another position.

        Args:
            before: That position.
            share: How likely the way is from there.
            added: What its events add to figures.
        """
        for name in {*self.counted, *before.counted, *added}:
            mine = self.counted.setdefault(name, {0: self.chance} if self.chance else {})
            for amount, chance in before.amounts(name).items():
                to = amount + added.get(name, 0)
                mine[to] = mine.get(to, Fraction(0)) + chance * share
        self.chance += before.chance * share


class _Enumeration:
    """Every way of one case.

    Args:
        plan: The request.
        case: The case.
    """

    def __init__(self, plan: Plan, case: Case) -> None:
        self._plan = plan
        self._play: Any = plan.play
        self._case = case
        self._runner = Runner(plan, case)
        self._sides = {actor.id: actor.side for actor in self._runner.actors}
        self._found: dict[str, dict[int, Fraction]] = {name: {} for name in self._runner.names}
        self._left = MOST_RUNS // len(plan.cases)

    def chances(self) -> Chances:
        """Return how likely each value of each figure is."""
        positions = [_Position(self._case.scenes[0].opening, Fraction(1))]
        for moves in range(self._plan.request.most_moves + 1):
            following: dict[Any, _Position] = {}
            for position in positions:
                self._go_on(position, moves, following)
            positions = list(following.values())
            if not positions:
                break
        return self._found

    def _go_on(self, position: _Position, moves: int, following: dict[Any, _Position]) -> None:
        play, state = self._play, position.state
        move = None
        if moves < self._plan.request.most_moves and not play.outcome(state).ended:
            move = picked(play, state, play.card(state), self._bot_of, self._seen, _no_chance)
        if move is None:
            self._end(position, moves)
            return
        for happened, after, share in self._ways(state, move):
            to = following.setdefault(_key(play, after), _Position(after))
            to.add(position, share, self._runner.counted_in(happened, self._sides))

    def _ways(self, state: Any, move: Any) -> Iterator[tuple[Sequence[Happened], Any, Fraction]]:
        """Yield each way that a move may go: what happens, the position after it, and how likely it is."""
        waiting: list[tuple[tuple[Results, ...], Fraction]] = [((), Fraction(1))]
        while waiting:
            results, share = waiting.pop()
            self._left -= 1
            if self._left < 0:
                raise _NotExact
            run = run_through(self._play, state, move, results)
            while run.asks:
                run.go_on(tuple(self._answer(run.state, ask) for ask in run.asks))
            if not run.rolls:
                yield run.happened, run.state, share
                continue
            known = tuple(run.results)
            kinds = [self._play.kinds_of(run.state, roll) for roll in run.rolls]
            waiting.extend(((*known, faces), share * chance) for faces, chance in _fallen(run.rolls, kinds))

    def _end(self, position: _Position, moves: int) -> None:
        """Take in a position that is the last of its ways."""
        state = position.state
        outcome, card = self._play.outcome(state), self._play.card(state)
        sides = {**{actor.id: actor.side for actor in card.actors}, **self._sides}
        fixed = Counter({ROUNDS: card.round, MOVES: moves, UNFINISHED: int(not outcome.ended)})
        fixed.update(self._runner.measured_in(state, sides))
        fixed.update(dict.fromkeys(self._runner.winners(outcome, sides), 1))
        for name, values in self._found.items():
            for amount, chance in position.amounts(name).items():
                value = amount + fixed[name]
                values[value] = values.get(value, Fraction(0)) + chance

    # Who plays

    def _bot_of(self, state: Any, actor: str) -> Any:
        return self._runner.policy(state, actor, self._sides)

    def _seen(self, state: Any, actor: str) -> Any:
        return self._play.view(state, Viewer(actors=frozenset({actor})))

    def _answer(self, state: Any, ask: Ask) -> Any:
        view, bot = self._seen(state, ask.actor), self._bot_of(state, ask.actor)
        if bot is None:
            return self._play.reply(view, ask)
        return bot.reply(self._play, view, ask, _no_chance)


def _no_chance(_count: int) -> int:
    """Stands for chance, of which exact answers have none.

    Raises:
        _NotExact: A bot asks for some.
    """
    raise _NotExact


def _key(play: AnyPlay, state: Any) -> Any:
    """Return what positions that are alike have in common."""
    try:
        hash(state)
    except TypeError:
        return repr(play.state_codec.dump(state))
    return state


def _fallen(rolls: Sequence[Roll], kinds: Sequence[Kinds]) -> Iterator[tuple[Faces, Fraction]]:
    """Yield each way that rolls may fall together, up to what means the same, and how likely it is."""
    each = [list(_of_one(roll.dice.value, alike)) for roll, alike in zip(rolls, kinds, strict=True)]
    for fallen in product(*each):
        yield (
            tuple(faces for faces, _ in fallen),
            math.prod((chance for _, chance in fallen), start=Fraction(1)),
        )


def _of_one(dice: int, kinds: Kinds) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    sizes, sides = dict(kinds), sum(size for _, size in kinds)
    for faces in combinations_with_replacement(sizes, dice):
        counts = Counter(faces).values()
        orders = math.factorial(dice) // math.prod(math.factorial(count) for count in counts)
        yield faces, Fraction(orders * math.prod(sizes[face] for face in faces), sides**dice)
