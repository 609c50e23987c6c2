"""What the resolvers of the dice service are handed."""

from dataclasses import dataclass
from typing import Annotated

import strawberry
from strawberry.types import Info

from services.dice.chain.service import ChainService
from services.dice.library.service import Library
from services.dice.metadata.service import RollMetadata
from services.dice.odds.service import OddsService
from services.dice.rolls.service import RollService
from services.dice.rolls.updates import RollUpdates
from services.dice.statistics.service import StatisticsService
from services.shared.context import Context
from services.shared.limits.meter import Meter
from services.shared.stream import Wakes


@dataclass(frozen=True, slots=True)
class DiceUseCases:
    """All that can be done with dice.

    Attributes:
        rolls: made, revealed and read.
        updates: what has changed among rolls.
        odds: how likely rolls are.
        chain: commitments and receipts.
        library: saved rolls, a table's own dice and words.
        statistics: how the dice fell.
        metadata: what apps keep beside rolls.
        wakes: signals of new rolls.
        meter: charges for what is told.
    """

    rolls: RollService
    updates: RollUpdates
    odds: OddsService
    chain: ChainService
    library: Library
    statistics: StatisticsService
    metadata: RollMetadata
    wakes: Wakes
    meter: Meter


DiceInfo = Info[Context[DiceUseCases], None]

CampaignId = Annotated[
    strawberry.ID | None, strawberry.argument(description="Of whose table; without one, your own.")
]
"""The argument of what is asked at a table, or else of oneself."""
