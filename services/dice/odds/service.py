"""What can be asked about the odds of dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from services.dice import pricing
from services.dice.library.checks import MAX_VALUE, MAX_VARIABLES, notation_issue
from services.dice.library.macros import plain_name
from services.dice.library.rights import seat
from services.dice.odds.engine import Engine
from services.dice.odds.tasks import Comparison, Question, TooMuch
from services.dice.replay import Desk, Ready, stored_plan
from services.dice.statistics.luck import Expectation
from services.rules.dice.fault import UnknownVariableError
from services.rules.dice.notation import Dialect, Lexicon, NotationError
from services.rules.dice.odds.cumulative import CumulativeTable
from services.rules.dice.odds.monte_carlo import MOST_SAMPLES
from services.rules.dice.odds.percentile import Place, place_in, place_of
from services.rules.dice.odds.summary import QUANTILES, Nothing, Odds
from services.rules.dice.pool import Value
from services.rules.engine.registry import mechanics
from services.shared.access import AccessSource
from services.shared.auth import Viewer
from services.shared.limits.meter import LimitReached, Meter, points_beyond
from services.shared.peers import PeerUnavailable
from services.shared.problems import InvalidInput, Issue, NotFound, Unavailable
from services.shared.workers import WorkerError

MOST_COMPARED = 8
"""Expressions of one comparison."""

OUTCOME_MILLISECONDS = 0.2
"""Processor time of telling one outcome, of the service and the gateway together."""

MOST_QUANTILES = 20
"""Quantiles of one answer."""


class Words(Protocol):
    """Knows what texts mean at a place."""

    async def lexicon(self, place: str, dialect: Dialect | None = None) -> Lexicon:
        """Give what texts mean at a place; in its own dialect, unless another is named."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What all questions have in common.

    Attributes:
        variables: values of the notation's variables.
        campaign: id of the campaign whose own dice and dialect are meant; None for the viewer's own.
        dialect: whose notation it is; None for the place's own.
        samples: how many rolls are to be sampled; None to reckon exactly.
        seed: names the generator of samples.
        quantiles: where quantiles are wanted, from 0 to 1; None for the usual ones.
    """

    variables: Mapping[str, int] = field(default_factory=dict)
    campaign: str | None = None
    dialect: Dialect | None = None
    samples: int | None = None
    seed: int = 0
    quantiles: Sequence[float] | None = None


class OddsService:
    """The use cases of odds.

    Args:
        words: knows what texts mean at a table.
        access: knows the members of campaigns.
        engine: reckons; one with a worker process of its own when omitted.
        meter: charges for what that engine reckons; None charges nobody.
    """

    def __init__(
        self,
        words: Words,
        access: AccessSource,
        engine: Engine | None = None,
        meter: Meter | None = None,
    ) -> None:
        self._words = words
        self._access = access
        self._engine = engine or Engine(mechanics, meter=meter)
        self._meter = meter
        self._desk = Desk()

    async def odds(
        self, viewer: Viewer, expression: str, asked: Asked
    ) -> Odds | TooMuch | InvalidInput | NotFound | Unavailable:
        """Reckon how likely the totals of an expression are."""
        ready = await self._read(viewer, {"expression": expression}, asked)
        if not isinstance(ready, list):
            return ready
        try:
            found = await self._engine.odds(viewer, _key(ready[0]), _question(ready[0], asked))
        except WorkerError:
            return _busy()
        return _impossible("expression") if isinstance(found, Nothing) else found

    async def compare(
        self, viewer: Viewer, expressions: Sequence[str], asked: Asked
    ) -> Comparison | TooMuch | InvalidInput | NotFound | Unavailable:
        """Reckon several expressions, and how often each comes to more than each other."""
        if not 1 <= len(expressions) <= MOST_COMPARED:
            return InvalidInput.single(
                "TOO_MANY",
                f"Compare 1 to {MOST_COMPARED} expressions.",
                "expressions",
                found=str(len(expressions)),
                allowed=f"1..{MOST_COMPARED}",
            )
        named = {f"expressions.{place}": text for place, text in enumerate(expressions)}
        ready = await self._read(viewer, named, asked)
        if not isinstance(ready, list):
            return ready
        try:
            return await self._engine.compared(
                viewer, tuple(_key(each) for each in ready), [_question(each, asked) for each in ready]
            )
        except WorkerError:
            return _busy()

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
        """Give what a stored expression, its total rounded down, is expected to come to."""
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
            milliseconds = OUTCOME_MILLISECONDS * outcomes
            await self._meter.charge(viewer, points_beyond(milliseconds))

    async def pay_for_drawing(self, viewer: Viewer, outcomes: int) -> None:
        """Charges for drawing so many outcomes into a chart.

        Raises:
            LimitReached: they cost more than may be spent.
        """
        if self._meter is not None:
            await self._meter.charge(viewer, points_beyond(pricing.chart(outcomes)))

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

    async def _read(
        self, viewer: Viewer, texts: Mapping[str, str], asked: Asked
    ) -> list[Ready] | InvalidInput | NotFound | Unavailable:
        """Read texts at the place where they are asked, their variables replaced; every broken rule named."""
        issues = list(_plain_issues(asked))
        if issues:
            return InvalidInput.of(issues)
        try:
            seated = await seat(self._access, viewer, asked.campaign)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if seated is None:
            return NotFound.of("campaign", "campaignId")
        lexicon = await self._words.lexicon(seated.place, asked.dialect)
        values: dict[str, Value] = {plain_name(name): value for name, value in asked.variables.items()}
        ready = []
        for path, text in texts.items():
            try:
                ready.append(self._desk.ready(text, lexicon, values))
            except NotationError as error:
                issues.append(notation_issue(error, *path.split(".")))
            except UnknownVariableError as error:
                issues += [_unknown(name) for name in error.names]
        return InvalidInput.of(issues) if issues else ready


def _key(ready: Ready) -> tuple[str, str | None]:
    return ready.expression, ready.definitions


def _question(ready: Ready, asked: Asked) -> Question:
    return Question(
        ready.plan.expression,
        ready.expression,
        QUANTILES if asked.quantiles is None else tuple(Fraction(str(p)) for p in asked.quantiles),
        asked.samples,
        asked.seed,
    )


def _plain_issues(asked: Asked) -> Sequence[Issue]:
    """What is wrong with a question, whatever it is about."""
    issues = []
    if asked.samples is not None and not 1 <= asked.samples <= MOST_SAMPLES:
        issues.append(_outside("sample", str(asked.samples), f"1..{MOST_SAMPLES}"))
    quantiles = asked.quantiles or ()
    if len(quantiles) > MOST_QUANTILES:
        issues.append(_outside("quantiles", f"{len(quantiles)} quantiles", f"0..{MOST_QUANTILES} quantiles"))
    issues += [_outside("quantiles", str(p), "0..1") for p in quantiles if not 0 <= p <= 1][:1]
    if len(asked.variables) > MAX_VARIABLES:
        issues.append(
            _outside("variables", f"{len(asked.variables)} variables", f"0..{MAX_VARIABLES} variables")
        )
    for name, value in asked.variables.items():
        if not -MAX_VALUE <= value <= MAX_VALUE:
            issues.append(_outside(f"variables.{name}", str(value), f"-{MAX_VALUE}..{MAX_VALUE}"))
    return issues


def _outside(path: str, found: str, allowed: str) -> Issue:
    name, _, rest = path.partition(".")
    return Issue(
        code="OUT_OF_RANGE",
        message=f"`{name}` must be within {allowed}, not {found}.",
        path=[name, rest] if rest else [name],
        found=found,
        allowed=allowed,
    )


def _unknown(name: str) -> Issue:
    return Issue(
        code="UNKNOWN_VARIABLE",
        message=f"`@{name}` has no value: give it in `variables`.",
        path=["variables", name],
        found=name,
    )


def _impossible(*path: str) -> InvalidInput:
    return InvalidInput.single(
        "NEVER_COMES_TO_ANYTHING", "However the dice fall, this roll would be refused.", *path
    )


def _busy() -> Unavailable:
    return Unavailable(
        code="UNAVAILABLE", message="Too many odds are being reckoned just now; try again.", path=[]
    )
