"""What can be done through the dice service."""

from typing import Annotated

import strawberry

from services.dice.asking import NewRoll
from services.dice.graphql.chain import ChainMutation
from services.dice.graphql.context import DiceInfo
from services.dice.graphql.library import DiceDialect, LibraryMutation
from services.dice.graphql.odds import VariableInput, valued
from services.dice.graphql.types import Roll, charge_telling, dice_lists
from services.dice.replay import Recorded
from services.dice.service import Made
from services.shared.idempotency import checked_key
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    IssueType,
    NotFound,
    Unavailable,
)


@strawberry.input(description="Dice to be rolled: an expression, or a saved roll.")
class RollInput:
    """What, where and for whom."""

    expression: str | None = strawberry.field(
        default=None, description="Dice notation: `2d6+3`, `4d6kh3`, `d20 - 1`, `@muscle d6 >=5`."
    )
    macro_id: strawberry.ID | None = strawberry.field(default=None, description="A saved roll instead.")
    variables: list[VariableInput] = strawberry.field(
        default_factory=list,
        description="Values of the notation's `@variables`; what is missing is read from the character's "
        "sheet, then from the macro.",
    )
    dialect: DiceDialect | None = strawberry.field(
        default=None, description="Whose notation it is written in; the table's own setting without it."
    )
    campaign_id: strawberry.ID | None = strawberry.field(default=None, description="At whose table, if any.")
    character_id: strawberry.ID | None = strawberry.field(
        default=None, description="For which character, if any; one that sits at a table rolls there."
    )
    label: str | None = strawberry.field(default=None, description="What it is for, up to 120 characters.")
    secret: bool = strawberry.field(
        default=False, description="Seen by the GMs alone until it is revealed; for GMs."
    )
    entropy: str | None = strawberry.field(
        default=None,
        description="16 to 64 random bytes of your own, in hexadecimal or base64url, made anew for each "
        "roll: with them nobody, nor the server, could have chosen the faces. Read `rollEpoch` first.",
    )
    epoch: strawberry.ID | None = strawberry.field(
        default=None,
        description="The epoch whose commitment you have seen; without it, whichever there is.",
    )
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same roll for 24 hours."
    )

    def new(self) -> NewRoll:
        """Give what is asked for, without the key."""
        return NewRoll(
            expression=self.expression,
            macro=self.macro_id,
            variables=valued(self.variables),
            campaign=self.campaign_id,
            character=self.character_id,
            label=self.label,
            secret=self.secret,
            entropy=self.entropy,
            epoch=self.epoch,
            dialect=self.dialect,
        )


@strawberry.input(description="Several rolls, made in one go: all of them may be made, or none is.")
class RollManyInput:
    """Up to 100 rolls."""

    rolls: list[RollInput] = strawberry.field(
        description="In the order in which they are rolled; their own idempotency keys are not used."
    )
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same rolls for 24 hours."
    )


@strawberry.type(description="The dice are cast.")
class RollRecorded:
    """The answer of ``roll``."""

    roll: Roll


@strawberry.type(description="The dice are cast, all of them.")
class RollsRecorded:
    """The answer of ``rollMany``."""

    rolls: list[Roll] = strawberry.field(description="In the order asked for.")
    voids: list[Issue] = strawberry.field(
        graphql_type=list[IssueType],
        description="Rolls whose dice came to nothing as they fell, a division by zero for instance. They "
        "are not among `rolls` here, but in the table's log and its list of rolls, with the outcome `void` "
        "and their faces.",
    )


@strawberry.type(description="Everyone at the table may see it now.")
class RollRevealed:
    """The answer of ``revealRoll``."""

    roll: Roll


RollOutcome = Annotated[
    RollRecorded | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("RollOutcome"),
]
RollManyOutcome = Annotated[
    RollsRecorded | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("RollManyOutcome"),
]
RevealRollOutcome = Annotated[
    RollRevealed | NotFound | Forbidden | Unavailable, strawberry.union("RevealRollOutcome")
]


@strawberry.type
class RollMutation:
    """Making rolls."""

    @strawberry.mutation(description="Roll dice; everyone at the table hears of it, unless it is secret.")
    async def roll(self, info: DiceInfo, input: RollInput) -> RollOutcome:
        """Roll dice and keep the roll."""
        outcome = await info.context.service.dice.roll(
            info.context.signed_in("write"),
            input.new(),
            checked_key(input.idempotency_key),
            lists=dice_lists(info),
        )
        return RollRecorded(roll=Roll.of(outcome)) if isinstance(outcome, Recorded) else outcome

    @strawberry.mutation(description="Roll several times in one go.")
    async def roll_many(self, info: DiceInfo, input: RollManyInput) -> RollManyOutcome:
        """Roll dice and keep the rolls."""
        outcome = await info.context.service.dice.roll_many(
            info.context.signed_in("write"),
            [one.new() for one in input.rolls],
            checked_key(input.idempotency_key),
            lists=dice_lists(info),
        )
        if isinstance(outcome, Made):
            return RollsRecorded(rolls=[Roll.of(made) for made in outcome.rolls], voids=list(outcome.voids))
        return outcome

    @strawberry.mutation(description="Show a secret roll to the whole table.")
    async def reveal_roll(self, info: DiceInfo, id: strawberry.ID) -> RevealRollOutcome:
        """Reveal a roll; again is the same as once."""
        outcome = await info.context.service.dice.reveal(info.context.signed_in("write"), str(id))
        if not isinstance(outcome, Recorded):
            return outcome
        await charge_telling(info, [outcome])
        return RollRevealed(roll=Roll.of(outcome))


@strawberry.type
class Mutation(RollMutation, ChainMutation, LibraryMutation):
    """Root of the mutations."""
