"""What can be done with rolls."""

import strawberry

from services.dice.context import DiceUseCases
from services.dice.rolls.graphql.types import Roll, charge_telling, dice_lists, read_out
from services.dice.rolls.requests import NewRoll, NewRolls, RevealRoll
from services.shared.graphql.changes import Call, change
from services.shared.mirror import mirror
from services.shared.problems import Issue

IssueType = mirror(Issue)


@strawberry.type(description="The dice are cast.")
class RollRecorded:
    """The answer of ``roll``."""

    roll: Roll = strawberry.field(description="The roll.")


@strawberry.type(description="The dice are cast, all of them.")
class RollsRecorded:
    """The answer of ``rollMany``."""

    rolls: list[Roll] = strawberry.field(description="In the order asked for.")
    voids: list[Issue] = strawberry.field(
        graphql_type=list[IssueType],  # type: ignore[valid-type]
        description="Rolls whose dice came to nothing as they fell, a division by zero for instance. They "
        "are not among `rolls` here, but in the table's log and its list of rolls, with the outcome `void` "
        "and their faces.",
    )


@strawberry.type(description="Everyone at the table may see it now.")
class RollRevealed:
    """The answer of ``revealRoll``."""

    roll: Roll = strawberry.field(description="The roll, now with a number among the open ones.")


@strawberry.type
class RollMutation:
    """Making rolls."""

    @change()
    async def roll(call: Call[DiceUseCases], asked: NewRoll) -> RollRecorded:
        """Roll dice; everyone at the table hears of it, unless it is secret."""
        made = await call.service.rolls.roll(call.viewer, asked, call.key, lists=dice_lists(call.info))
        return RollRecorded(roll=Roll.of(made))

    @change()
    async def roll_many(call: Call[DiceUseCases], asked: NewRolls) -> RollsRecorded:
        """Roll several times in one go."""
        made = await call.service.rolls.roll_many(call.viewer, asked, call.key, lists=dice_lists(call.info))
        await read_out(made.rolls)
        return RollsRecorded(rolls=[Roll.of(roll) for roll in made.rolls], voids=list(made.voids))

    @change()
    async def reveal_roll(call: Call[DiceUseCases], asked: RevealRoll) -> RollRevealed:
        """Show a secret roll to the whole table; again is the same as once."""
        shown = await call.service.rolls.reveal(call.viewer, asked, call.key)
        await charge_telling(call.info, [shown])
        return RollRevealed(roll=Roll.of(shown))
