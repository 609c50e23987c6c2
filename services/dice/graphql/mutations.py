"""What can be done through the dice service."""

from typing import Annotated

import strawberry

from services.dice.graphql.context import DiceInfo
from services.dice.graphql.types import Roll
from services.dice.service import NewRoll, Recorded
from services.shared.idempotency import checked_key
from services.shared.problems import Forbidden, IdempotencyConflict, InvalidInput, NotFound, Unavailable


@strawberry.input(description="Dice to be rolled.")
class RollInput:
    """What, where and for whom."""

    expression: str = strawberry.field(description="Dice notation: `2d6+3`, `4d6kh3`, `d20 - 1`, `d%`.")
    campaign_id: strawberry.ID | None = strawberry.field(default=None, description="At whose table, if any.")
    character_id: strawberry.ID | None = strawberry.field(
        default=None, description="For which character, if any; one that sits at a table rolls there."
    )
    label: str | None = strawberry.field(default=None, description="What it is for, up to 120 characters.")
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same roll for 24 hours."
    )


@strawberry.type(description="The dice are cast.")
class RollRecorded:
    """The answer of ``roll``."""

    roll: Roll


RollOutcome = Annotated[
    RollRecorded | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("RollOutcome"),
]


@strawberry.type
class Mutation:
    """Root of the mutations."""

    @strawberry.mutation(description="Roll dice; everyone at the table hears of it.")
    async def roll(self, info: DiceInfo, input: RollInput) -> RollOutcome:
        """Roll dice and keep the roll."""
        new = NewRoll(
            expression=input.expression,
            campaign=input.campaign_id,
            character=input.character_id,
            label=input.label,
            idempotency_key=checked_key(input.idempotency_key),
        )
        outcome = await info.context.service.dice.roll(info.context.signed_in("write"), new)
        return RollRecorded(roll=Roll.of(outcome)) if isinstance(outcome, Recorded) else outcome
