"""What is asked of the dice: to be rolled, and to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NewType

from services.dice.library.checks import MAX_LABEL
from services.dice.library.variables import MAX_VARIABLES, Variable
from services.rules.dice.notation import Dialect
from services.shared.bounds import Count, Line

BATCH = 100
"""Rolls of one request, and of one step of a subscription."""

ROLLS = Count(1, BATCH)

EpochId = NewType("EpochId", str)

MAX_AUTHOR, MAX_MESSAGE, MAX_PLATFORM = 80, 120, 40
"""Characters of what is told of a message elsewhere."""


@dataclass(frozen=True, slots=True)
class ExternalMessage:
    """The message in a chat elsewhere by which a person without an account asked a bot for a roll.

    Attributes:
        author: The person, by the name that they have there.
        message_id: The message's id there.
        platform: Which chat it is: `discord`.
    """

    author: Annotated[str, Line(MAX_AUTHOR)]
    message_id: Annotated[str, Line(MAX_MESSAGE)]
    platform: Annotated[str, Line(MAX_PLATFORM)] | None = None

    def stripped(self) -> ExternalMessage:
        """Return it as it is kept: without blanks at the ends."""
        platform = None if self.platform is None else self.platform.strip()
        return ExternalMessage(self.author.strip(), self.message_id.strip(), platform)


@dataclass(frozen=True, slots=True)
class NewRoll:
    """Dice to be rolled: an expression, or a saved roll.

    Attributes:
        expression: Dice notation: `2d6+3`, `4d6kh3`, `d20 - 1`, `@muscle d6 >=5`.
        macro_id: A saved roll instead.
        variables: Values of the notation's `@variables`; what is missing is read from the character's sheet,
            then from the macro.
        dialect: Whose notation it is written in; the table's own setting without it.
        campaign_id: At whose table, if any.
        character_id: For which character, if any; one that sits at a table rolls there.
        label: What it is for.
        secret: Seen by the GMs alone until it is revealed; for GMs.
        entropy: 16 to 64 random bytes of your own, in hexadecimal or base64url, made anew for each roll: with
            them nobody, nor the server, could have chosen the faces. Read `rollEpoch` first.
        epoch: The epoch whose commitment you have seen; without it, whichever there is.
        external: For whom a bot rolls that posts for people without an account. It keeps no roll from being
            made twice, as `idempotencyKey` does: send the message's id as that too.
    """

    expression: str | None = None
    macro_id: str | None = None
    variables: Annotated[tuple[Variable, ...], Count(0, MAX_VARIABLES)] = ()
    dialect: Dialect | None = None
    campaign_id: str | None = None
    character_id: str | None = None
    label: Annotated[str, Line(MAX_LABEL)] | None = None
    secret: bool = False
    entropy: str | None = None
    epoch: EpochId | None = None
    external: ExternalMessage | None = None


@dataclass(frozen=True, slots=True)
class NewRolls:
    """Several rolls, made in one go: all of them may be made, or none is.

    Attributes:
        rolls: In the order in which they are rolled; their own idempotency keys are not used.
    """

    rolls: Annotated[tuple[NewRoll, ...], ROLLS]


@dataclass(frozen=True, slots=True)
class RevealRoll:
    """A secret roll to be shown to the whole table.

    Attributes:
        id: Of the roll.
    """

    id: str
