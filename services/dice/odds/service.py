"""What can be asked about the odds of dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from services.dice.library.checks import notation_issue
from services.dice.library.variables import path_of, values_of, variable_issues
from services.dice.odds import pricing
from services.dice.odds.engine import Engine
from services.dice.odds.problem import OddsTooLarge
from services.dice.odds.requests import COMPARED, Asked
from services.dice.odds.tasks import Comparison, Question, TooMuch
from services.dice.rolls.replay import Desk, Ready, stored_plan
from services.dice.statistics.luck import Expectation
from services.rules.dice.fault import UnknownVariableError
from services.rules.dice.notation import Dialect, Lexicon, NotationError
from services.rules.dice.odds.cumulative import CumulativeTable
from services.rules.dice.odds.percentile import Place, place_in, place_of
from services.rules.dice.odds.summary import QUANTILES, Nothing, Odds
from services.rules.dice.pool import Value
from services.rules.engine.registry import mechanics
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.limits.meter import LimitReached, Meter, points_beyond
from services.shared.policy import Policy
from services.shared.problems import InvalidInput, Issue, Unavailable
from services.shared.workers import WorkerError


class Words(Protocol):
    """Knows what texts mean at a place."""

    async def lexicon(self, place: str, dialect: Dialect | None = None) -> Lexicon:
        """Return what texts mean at a place; in its own dialect, unless another is named."""


class OddsService:
    """The use cases of odds.

    Args:
        words: knows what texts mean at a table.
        policy: who may do what.
        engine: reckons; one with a worker process of its own when omitted.
        meter: charges for what that engine reckons; None charges nobody.
    """

    def __init__(
        self,
        words: Words,
        policy: Policy,
        engine: Engine | None = None,
        meter: Meter | None = None,
    ) -> None:
        self._words = words
        self._policy = policy
        self._engine = engine or Engine(mechanics, meter=meter)
        self._meter = meter
        self._desk = Desk()

    async def odds(self, viewer: Viewer, expression: str, asked: Asked) -> Odds:
        """Reckon how likely the totals of an expression are.

        Raises:
            InvalidInput: it is no dice notation, or would be refused however the dice fall.
            NotFound: no member of the campaign.
            OddsTooLarge: it is more work than is done for one question.
            Unavailable: too many odds are being reckoned, or nobody knows who the members are.
        """
        (ready,) = await self._read(viewer, {"expression": expression}, asked)
        try:
            found = await self._engine.odds(viewer, _key(ready), _question(ready, asked))
        except WorkerError as error:
            raise _busy() from error
        match found:
            case Nothing():
                raise InvalidInput.single(
                    "NEVER_COMES_TO_ANYTHING",
                    "However the dice fall, this roll would be refused.",
                    "expression",
                )
            case TooMuch():
                raise OddsTooLarge(found, "expression")
        return found

    async def compare(self, viewer: Viewer, expressions: Sequence[str], asked: Asked) -> Comparison:
        """Reckon several expressions, and how often each comes to more than each other; see ``odds``."""
        InvalidInput.check(*COMPARED.issues(expressions, "expressions"))
        named = {f"expressions.{place}": text for place, text in enumerate(expressions)}
        ready = await self._read(viewer, named, asked)
        try:
            found = await self._engine.compared(
                viewer, tuple(_key(each) for each in ready), [_question(each, asked) for each in ready]
            )
        except WorkerError as error:
            raise _busy() from error
        if isinstance(found, TooMuch):
            raise OddsTooLarge(found, "expressions")
        return found

    async def percentile(
        self, viewer: Viewer, expression: str, definitions: str | None, total: Value
    ) -> Place | None:
        """Tell where the total of a stored roll stands among all that could have come.

        Args:
            viewer: who asks, and pays.
            expression: as it is stored with a roll.
            definitions: the named dice in it, as they are stored with a roll.
            total: what it came to.

        Returns:
            None where that is too much to reckon or to be paid for, or takes too long.
        """
        found = await self._stored(viewer, expression, definitions)
        if found is None:
            return None
        place = place_of(found, total)
        if place is not None:
            return place
        if isinstance(total, Fraction) or any("/" in outcome.text for outcome in found.outcomes):
            return None
        table = await self._table(viewer, expression, definitions)
        return None if table is None else place_in(table, found, total)

    async def expectation(
        self, viewer: Viewer, expression: str, definitions: str | None
    ) -> Expectation | None:
        """Return what a stored expression, its total rounded down, is expected to come to."""
        table = await self._table(viewer, expression, definitions)
        if table is None:
            return None
        return Expectation(
            mean=table.mean,
            variance=table.variance,
            below=lambda total: table.chance_at_most(total - 1),
            at_most=table.chance_at_most,
        )

    async def pay_for_telling(self, viewer: Viewer, outcomes: int) -> None:
        """Charge for telling so many outcomes.

        Raises:
            LimitReached: they cost more than may be spent.
        """
        if self._meter is not None:
            await self._meter.charge(viewer, points_beyond(pricing.telling(outcomes)))

    async def pay_for_drawing(self, viewer: Viewer, outcomes: int) -> None:
        """Charges for drawing so many outcomes into a chart.

        Raises:
            LimitReached: they cost more than may be spent.
        """
        if self._meter is not None:
            await self._meter.charge(viewer, points_beyond(pricing.drawing(outcomes)))

    async def close(self) -> None:
        """End the worker process."""
        await self._engine.close()

    async def _stored(self, viewer: Viewer, expression: str, definitions: str | None) -> Odds | None:
        question = Question(stored_plan(expression, definitions).expression, expression)
        try:
            found = await self._engine.odds(viewer, (expression, definitions), question)
        except (WorkerError, LimitReached):
            return None
        return found if isinstance(found, Odds) else None

    async def _table(
        self, viewer: Viewer, expression: str, definitions: str | None
    ) -> CumulativeTable | None:
        question = Question(stored_plan(expression, definitions).expression, expression)
        try:
            found = await self._engine.table(viewer, (expression, definitions), question)
        except (WorkerError, LimitReached):
            return None
        return found if isinstance(found, CumulativeTable) else None

    async def _read(self, viewer: Viewer, texts: Mapping[str, str], asked: Asked) -> list[Ready]:
        """Read texts at the place where they are asked, their variables replaced; every broken rule named."""
        outside = [p for p in asked.quantiles or () if not 0 <= p <= 1]
        check(asked, *variable_issues(asked.variables), *map(_no_chance, outside[:1]))
        seat = await self._policy.seat(viewer, asked.campaign)
        lexicon = await self._words.lexicon(seat.place, asked.dialect)
        values: dict[str, Value] = dict(values_of(asked.variables))
        issues: list[Issue] = []
        ready = []
        for path, text in texts.items():
            try:
                ready.append(self._desk.ready(text, lexicon, values))
            except NotationError as error:
                issues.append(notation_issue(error, *path.split(".")))
            except UnknownVariableError as error:
                issues += [_unknown(name) for name in error.names]
        InvalidInput.check(*issues)
        return ready


def _key(ready: Ready) -> tuple[str, str | None]:
    return ready.expression, ready.definitions


def _question(ready: Ready, asked: Asked) -> Question:
    return Question(
        ready.plan.expression,
        ready.expression,
        QUANTILES if asked.quantiles is None else tuple(Fraction(str(p)) for p in asked.quantiles),
        asked.sample,
        asked.seed,
    )


def _no_chance(found: float) -> Issue:
    message = f"`quantiles` must be within 0..1, not {found}."
    return Issue("OUT_OF_RANGE", message, ["quantiles"], found=str(found), allowed="0..1")


def _unknown(name: str) -> Issue:
    return Issue(
        code="UNKNOWN_VARIABLE",
        message=f"`@{name}` has no value: give it in `variables`.",
        path=path_of(name),
        found=name,
    )


def _busy() -> Unavailable:
    return Unavailable("UNAVAILABLE", "Too many odds are being reckoned just now; try again.")
