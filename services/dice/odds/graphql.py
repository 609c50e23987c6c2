"""The odds of dice, and the games' own rolls, in the graph."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

import strawberry
from strawberry import argument

from services.dice.context import CampaignId, DiceInfo
from services.dice.library.variables import Variable
from services.dice.odds.picture import compared_chart, odds_chart
from services.dice.odds.problem import OddsTooLarge
from services.dice.odds.requests import COMPARED, GIVEN, QUANTILES, Asked
from services.dice.odds.tasks import Comparison, Reason, TooMuch
from services.rules.dice.mechanic import Argument, Mechanic, Parameter, ParameterKind
from services.rules.dice.notation import Dialect
from services.rules.dice.odds.percentile import Place
from services.rules.dice.odds.summary import (
    LISTED,
    Chance,
    Nothing,
    Odds,
    OddsKind,
    Outcome,
    Quantile,
    WordOdds,
)
from services.rules.engine.registry import mechanics
from services.shared.graphql.changes import question
from services.shared.graphql.constraint import constraint
from services.shared.graphql.enums import mirror_enum
from services.shared.graphql.features import Feature
from services.shared.graphql.problems import problem_type, shown
from services.shared.graphql.scalars import ExactFraction
from services.shared.mirror import mirror, mirror_input, to_domain
from services.shared.plots.frame import WIDTH
from services.shared.problems import InvalidInput, NotFound, PublicError, Unavailable

DiceDialect = mirror_enum(Dialect, "DiceDialect")
OddsKindType = mirror_enum(OddsKind, "OddsKind")
OddsLimit = mirror_enum(Reason, "OddsLimit")
ParameterKindType = mirror_enum(ParameterKind, "MechanicParameterKind")
VariableInput = mirror_input(Variable)
OddsTooLargeType = problem_type(OddsTooLarge)
ChanceType = mirror(Chance, name="Chance")
OutcomeOdds = mirror(Outcome, name="OutcomeOdds")
WordOddsType = mirror(WordOdds, name="WordOdds")
QuantileType = mirror(Quantile, name="Quantile")


Width = Annotated[int, argument(description="In pixels, 240 to 1600.")]
VariablesArgument = Annotated[
    list[VariableInput] | None,  # type: ignore[valid-type]
    argument(
        description="Values of the notation's `@variables`; up to 50.", directives=[constraint([GIVEN])]
    ),
]
DialectArgument = Annotated[
    DiceDialect | None,  # type: ignore[valid-type]
    argument(description="Whose notation it is written in; the place's own setting without it."),
]
SampleArgument = Annotated[
    int | None, argument(description="Rolls of an estimate, 1 to 1,000,000; exact odds without it.")
]
SeedArgument = Annotated[int, argument(description="Names the generator of an estimate.")]

SHOWN = 100
"""Outcomes that are shown unless more are asked for: what a request may cost covers a whole list of them."""


@strawberry.type(name="Odds", description="How likely the totals of an expression are.")
class OddsType:
    """Chances are those of a roll that comes to something."""

    expression: str = strawberry.field(
        description="In canonical notation, its variables replaced by their values."
    )
    kind: OddsKindType = strawberry.field(description="How the chances were found.")  # type: ignore[valid-type]
    error: float = strawberry.field(
        description="How far any chance may be off: 0 for exact ones. Sampled ones have standard errors "
        "instead."
    )
    samples: int | None = strawberry.field(description="How many rolls were sampled; null where none were.")
    failure: ChanceType = strawberry.field(  # type: ignore[valid-type]
        description="The chance that the roll is refused, as for a division by zero."
    )
    can_fail: bool = strawberry.field(
        description="Whether dice can fall so that the roll comes to nothing, a void; `failure` is the "
        "chance, of samples only as far as it was seen."
    )
    count: int = strawberry.field(description="How many values there are in all.")
    left_out: float = strawberry.field(description="The chance of all values that are not listed.")
    words: list[WordOddsType] = strawberry.field(  # type: ignore[valid-type]
        description="With a game's own roll, the chances of the words it ends in, best first."
    )
    mean: float = strawberry.field(description="What comes on average.")
    mean_exact: ExactFraction | None = strawberry.field(
        description="The mean as a fraction; null where it is not known exactly, or has more than 300 digits."
    )
    mean_error: float | None = strawberry.field(description="The standard error of the mean of samples.")
    deviation: float = strawberry.field(description="The standard deviation.")
    minimum: float = strawberry.field(description="The smallest value.")
    maximum: float = strawberry.field(
        description="The greatest value; of explosions, the greatest that was followed."
    )
    median: float = strawberry.field(description="The smallest value that is not exceeded half the time.")
    quantiles: list[QuantileType] = strawberry.field(description="At the chances asked for.")  # type: ignore[valid-type]
    found: strawberry.Private[Odds]

    @strawberry.field(
        description="The values and their chances, ascending: all of them, or the 1,000 in a row that hold "
        "most; of these, `first` ones."
    )
    async def outcomes(
        self,
        info: DiceInfo,
        first: Annotated[int, argument(description=f"How many of them, 1 to {LISTED:,}.")] = SHOWN,
    ) -> list[OutcomeOdds]:  # type: ignore[valid-type]
        """Return the outcomes."""
        if not 1 <= first <= LISTED:
            raise PublicError("BAD_PAGE_SIZE", f"`first` must be from 1 to {LISTED}, not {first}.")
        shown = self.found.outcomes[:first]
        await info.context.service.odds.pay_for_telling(info.context.signed_in(), len(shown))
        return list(shown)

    @strawberry.field(description="The odds as an SVG picture, `width` pixels wide (240 to 1600).")
    async def svg(self, info: DiceInfo, width: Width = WIDTH) -> str:
        """Draw the odds."""
        await info.context.service.odds.pay_for_drawing(info.context.signed_in(), len(self.found.outcomes))
        return odds_chart(self.found, width)

    @classmethod
    def of(cls, found: Odds) -> "OddsType":
        """Show odds."""
        return cls(
            expression=found.expression,
            kind=found.kind,
            error=found.error,
            samples=found.samples,
            failure=found.failure,
            can_fail=found.can_fail,
            count=found.count,
            left_out=found.left_out,
            words=list(found.words),
            mean=found.mean,
            mean_exact=None if found.mean_exact is None else ExactFraction(found.mean_exact),
            mean_error=found.mean_error,
            deviation=found.deviation,
            minimum=found.minimum,
            maximum=found.maximum,
            median=found.median,
            quantiles=list(found.quantiles),
            found=found,
        )


@strawberry.type(description="One of several expressions that are compared.")
class ComparedOdds:
    """Its odds, or why they are not known."""

    expression: str = strawberry.field(description="In canonical notation where its odds are known.")
    odds: OddsType | None = strawberry.field(description="Its odds; null where they are not known.")
    too_large: OddsTooLargeType | None = strawberry.field(  # type: ignore[valid-type]
        description="Set where the odds are too much work."
    )


@strawberry.type(description="Several expressions, each rolled on its own, compared.")
class OddsComparison:
    """Rows and columns are in the order asked for."""

    entries: list[ComparedOdds] = strawberry.field(description="One of each expression, in order.")
    higher: list[list[ChanceType | None]] = strawberry.field(  # type: ignore[valid-type]
        description="The chance that the expression of the row comes to more than that of the column; null "
        "where either is not known."
    )
    equal: list[list[ChanceType | None]] = strawberry.field(  # type: ignore[valid-type]
        description="The chance that both come to the same."
    )
    found: strawberry.Private[Comparison]

    @strawberry.field(
        description="The odds below one another as an SVG picture, `width` pixels wide; null where none are "
        "known."
    )
    async def svg(self, info: DiceInfo, width: Width = WIDTH) -> str | None:
        """Draw the comparison in a thread: eight large ones take more than a moment."""
        known = [each for each in self.found.odds if isinstance(each, Odds)]
        if not known:
            return None
        outcomes = sum(len(each.outcomes) for each in known)
        await info.context.service.odds.pay_for_drawing(info.context.signed_in(), outcomes)
        return await asyncio.to_thread(compared_chart, known, width)

    @classmethod
    def of(cls, found: Comparison, texts: Sequence[str]) -> "OddsComparison":
        """Show a comparison."""
        return cls(
            entries=[_entry(each, text) for each, text in zip(found.odds, texts, strict=True)],
            higher=[list(row) for row in found.higher],  # type: ignore[arg-type]
            equal=[list(row) for row in found.equal],  # type: ignore[arg-type]
            found=found,
        )


def _entry(found: Odds | TooMuch | Nothing, text: str) -> ComparedOdds:
    match found:
        case Odds():
            return ComparedOdds(expression=found.expression, odds=OddsType.of(found), too_large=None)
        case TooMuch():
            return ComparedOdds(
                expression=text, odds=None, too_large=shown(OddsTooLarge(found, "expressions"))
            )
        case Nothing():
            return ComparedOdds(expression=text, odds=None, too_large=None)


@strawberry.type(description="Where the total of a roll lies among all that could have come.")
class RollOdds:
    """Before the dice fell."""

    at_least: ChanceType = strawberry.field(description="The chance of as much or more.")  # type: ignore[valid-type]
    at_most: ChanceType = strawberry.field(description="The chance of as much or less.")  # type: ignore[valid-type]
    exactly: ChanceType = strawberry.field(description="The chance of exactly as much.")  # type: ignore[valid-type]
    percentile: float = strawberry.field(
        description="The chance of less and half the chance of as much, 0 to 1; 0.5 is as usual as can be."
    )
    mean: float = strawberry.field(description="What comes on average.")
    kind: OddsKindType = strawberry.field(description="How the chances were found.")  # type: ignore[valid-type]
    error: float = strawberry.field(description="How far any of them may be off.")

    @classmethod
    def of(cls, found: Place) -> "RollOdds":
        """Show a place."""
        return cls(
            at_least=found.at_least,
            at_most=found.at_most,
            exactly=found.exactly,
            percentile=found.percentile,
            mean=found.mean,
            kind=found.kind,
            error=found.error,
        )


@strawberry.type(description="One argument of a game's own roll.")
class MechanicParameter:
    """Arguments are given in order; those with a default may be left out at the end."""

    name: str = strawberry.field(description="What it is called.")
    meaning: str = strawberry.field(description="What it says.")
    minimum: int = strawberry.field(description="The least number, or the fewest dice.")
    maximum: int = strawberry.field(description="The greatest number, or the most dice.")
    default: str | None = strawberry.field(description="As it would be written; null where it must be given.")
    kind: ParameterKindType = strawberry.field(description="A number, or dice such as `d8 + 2d6`.")  # type: ignore[valid-type]
    sizes: list[int] = strawberry.field(description="The sides that its dice may have; empty = any.")

    @classmethod
    def of(cls, parameter: Parameter) -> "MechanicParameter":
        """Show a parameter."""
        return cls(
            name=parameter.name,
            meaning=parameter.meaning,
            minimum=parameter.minimum,
            maximum=parameter.maximum,
            default=None if parameter.default is None else _written(parameter.default),
            kind=parameter.kind,
            sizes=list(parameter.sizes),
        )


@strawberry.type(name="Mechanic", description="A game's own roll, written by name in dice notation.")
class MechanicType:
    """`forge_engine:opposed(6, 3)`."""

    name: str = strawberry.field(description="`forge_engine:opposed`.")
    system: str = strawberry.field(description="The game it belongs to.")
    title: str = strawberry.field(description="What people call it.")
    meaning: str = strawberry.field(description="What is rolled and how it is read.")
    source: str = strawberry.field(description="Book section or ruling.")
    parameters: list[MechanicParameter] = strawberry.field(description="In the order of a call.")
    outcomes: list[str] = strawberry.field(description="Every word it can end in, best first.")

    @classmethod
    def of(cls, mechanic: Mechanic) -> "MechanicType":
        """Show a roll."""
        return cls(
            name=mechanic.name,
            system=mechanic.name.partition(":")[0],
            title=mechanic.title,
            meaning=mechanic.meaning,
            source=mechanic.source,
            parameters=[MechanicParameter.of(parameter) for parameter in mechanic.parameters],
            outcomes=list(mechanic.outcomes),
        )


def _written(argument: Argument) -> str:
    return str(argument) if isinstance(argument, int) else " + ".join(f"d{sides}" for sides in argument)


@strawberry.type
class OddsQuery:
    """What can be asked about odds."""

    @question(
        InvalidInput,
        NotFound,
        Unavailable,
        OddsTooLarge,
        description="How likely the totals of an expression are: exactly, or estimated from `sample` rolls "
        "of a generator that `seed` names (100,000 are usual, 1,000,000 the most).",
    )
    async def odds(
        self,
        info: DiceInfo,
        expression: Annotated[str, argument(description="Dice notation: `4d6kh3`.")],
        variables: VariablesArgument = None,
        campaign_id: CampaignId = None,
        dialect: DialectArgument = None,
        sample: SampleArgument = None,
        seed: SeedArgument = 0,
        quantiles: Annotated[
            list[float] | None,
            argument(
                description="Chances, 0 to 1, up to 20 of them; the usual ones without it.",
                directives=[constraint([QUANTILES])],
            ),
        ] = None,
    ) -> OddsType:
        """Reckon odds."""
        viewer = info.context.signed_in()
        asked = _asked(variables, campaign_id, dialect, sample, seed, quantiles)
        return OddsType.of(await info.context.service.odds.odds(viewer, expression, asked))

    @question(
        InvalidInput,
        NotFound,
        Unavailable,
        OddsTooLarge,
        description="The odds of up to 8 expressions, and how often each comes to more than each other.",
    )
    async def compare_odds(
        self,
        info: DiceInfo,
        expressions: Annotated[
            list[str],
            argument(description="Dice notation, 1 to 8 times.", directives=[constraint([COMPARED])]),
        ],
        variables: VariablesArgument = None,
        campaign_id: CampaignId = None,
        dialect: DialectArgument = None,
        sample: SampleArgument = None,
        seed: SeedArgument = 0,
    ) -> OddsComparison:
        """Reckon and compare odds."""
        viewer = info.context.signed_in()
        asked = _asked(variables, campaign_id, dialect, sample, seed, None)
        found = await info.context.service.odds.compare(viewer, expressions, asked)
        return OddsComparison.of(found, expressions)

    @strawberry.field(
        description="The games' own rolls that dice notation knows by name; of one game, or all."
    )
    async def mechanics(
        self,
        info: DiceInfo,
        system: Annotated[str | None, argument(description="Slug of the game, `forge_engine`.")] = None,
    ) -> list[MechanicType]:
        """List the games' own rolls."""
        info.context.signed_in()
        shown = [MechanicType.of(mechanic) for mechanic in mechanics().values()]
        return [mechanic for mechanic in shown if system is None or mechanic.system == system]


def _asked(
    variables: Sequence[Any] | None,
    campaign: str | None,
    dialect: Dialect | None,
    sample: int | None,
    seed: int,
    quantiles: Sequence[float] | None,
) -> Asked:
    return Asked(
        variables=to_domain(variables or []),
        campaign=campaign,
        dialect=dialect,
        sample=sample,
        seed=seed,
        quantiles=None if quantiles is None else tuple(quantiles),
    )


FEATURE = Feature(query=OddsQuery)
