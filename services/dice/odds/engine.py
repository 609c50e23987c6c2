"""Answers questions: from what is kept, here where it is little work, else in the worker process."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from services.dice.odds import tasks
from services.dice.odds.cache import KEPT, Cache
from services.dice.odds.tasks import COMPARED, Comparison, Priced, Question, Reason, TooMuch
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.odds.budget import STATES
from services.rules.dice.odds.cumulative import CumulativeTable
from services.rules.dice.odds.summary import Nothing, Odds
from services.shared.auth import Viewer
from services.shared.knowing import knowing, workers_knowing
from services.shared.limits.meter import Meter, points_beyond
from services.shared.workers import OutOfMemory, OutOfTime, Workers

LIGHT = 2_000
"""States that are spent at once, without asking the worker: about two milliseconds."""

Answer = Odds | TooMuch | Nothing | CumulativeTable | Comparison
A = TypeVar("A", bound=Answer)

Mechanics = Mapping[str, Mechanic]


class Engine:
    """Answers questions about odds.

    Args:
        mechanics: finds the games' own rolls, here and in the worker; a function of a module.
        workers: the worker processes; the engine ends them.
        kept: bytes of answers that are kept.
        meter: charges for answers that are not known yet; None charges nobody.
    """

    def __init__(
        self,
        mechanics: Callable[[], Mechanics],
        workers: Workers | None = None,
        *,
        kept: int = KEPT,
        meter: Meter | None = None,
    ) -> None:
        self._mechanics = mechanics
        self._meter = meter
        self._workers = workers or workers_knowing(
            mechanics, loaded=["services.rules.engine.loaded"], name="odds"
        )
        self._cache: Cache[Answer] = Cache(tasks.weight, kept)

    async def odds(self, viewer: Viewer, key: Hashable, question: Question) -> Odds | TooMuch | Nothing:
        """Answer a question.

        Args:
            viewer: who asks, and pays for what is not known yet.
            key: names the expression: its text, and the faces of the dice that it names.
            question: what is asked.

        Raises:
            WorkerError: it was not answered: too many questions are waiting, or the worker was killed.
            LimitReached: it costs more than may be spent.
        """
        whole = ("odds", key, question.quantiles, question.samples, question.seed)
        found = await self._once(viewer, whole, [question], lambda: self._asked(viewer, tasks.odds, question))
        assert isinstance(found, Odds | TooMuch | Nothing)
        return found

    async def table(
        self, viewer: Viewer, key: Hashable, question: Question
    ) -> CumulativeTable | TooMuch | Nothing:
        """Return all totals of a question with their chances; see ``odds``."""
        found = await self._once(
            viewer, ("table", key), [question], lambda: self._asked(viewer, tasks.table, question)
        )
        assert isinstance(found, CumulativeTable | TooMuch | Nothing)
        return found

    async def compared(
        self, viewer: Viewer, keys: Hashable, questions: Sequence[Question]
    ) -> Comparison | TooMuch:
        """Answer several questions and compare them; see ``odds``."""
        first = questions[0]
        whole = ("compared", keys, first.quantiles, first.samples, first.seed)
        found = await self._once(viewer, whole, questions, lambda: self._compared(viewer, questions))
        assert isinstance(found, Comparison | TooMuch)
        return found

    async def close(self) -> None:
        """End the worker processes."""
        await self._workers.close()

    async def _once(
        self,
        viewer: Viewer,
        key: Hashable,
        questions: Sequence[Question],
        make: Callable[[], Coroutine[Any, Any, Answer]],
    ) -> Answer:
        if self._meter is not None and not self._cache.has(key):
            # Whoever begins it pays, before it is begun: a limit that they have reached is nobody else's.
            milliseconds = tasks.milliseconds(questions, self._mechanics())
            await self._meter.charge(viewer, points_beyond(milliseconds))
        try:
            return await self._cache.once(key, make)
        except OutOfTime:
            # Not kept: another time the machine may have less to do.
            return TooMuch(Reason.TIME, 0.0, STATES)

    async def _asked(
        self, viewer: Viewer, task: Callable[[Mechanics, Priced], A], question: Question
    ) -> A | TooMuch:
        priced = tasks.price(question, self._mechanics())
        if isinstance(priced, TooMuch):
            return priced
        if priced.cost <= LIGHT:
            return task(self._mechanics(), priced)
        return await self._in_worker(viewer, STATES, task, priced)

    async def _compared(self, viewer: Viewer, questions: Sequence[Question]) -> Comparison | TooMuch:
        mechanics = self._mechanics()
        priced = [tasks.price(question, mechanics) for question in questions]
        cost = sum(each.cost for each in priced if isinstance(each, Priced))
        if cost > COMPARED:
            return TooMuch(Reason.STATES, cost, COMPARED)
        if cost * len(priced) <= LIGHT:
            return tasks.comparison(mechanics, priced)
        return await self._in_worker(viewer, COMPARED, tasks.comparison, priced)

    async def _in_worker(
        self, viewer: Viewer, limit: int, task: Callable[..., A], asked: object
    ) -> A | TooMuch:
        try:
            return await self._workers.run(viewer.account, knowing, task, asked)
        except OutOfMemory:
            return TooMuch(Reason.MEMORY, 0.0, limit)
