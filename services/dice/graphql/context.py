"""What the resolvers of the dice service are handed."""

from dataclasses import dataclass

from strawberry.types import Info

from services.dice.service import DiceService
from services.shared.context import Context
from services.shared.stream import Wakes


@dataclass(frozen=True, slots=True)
class DiceUseCases:
    """All that can be done with dice.

    Attributes:
        dice: rolling and reading.
        wakes: signals of new rolls.
    """

    dice: DiceService
    wakes: Wakes


DiceInfo = Info[Context[DiceUseCases], None]
