"""Puts the dice service together."""

from starlette.types import ASGIApp

from services.dice.chain.ledger import Ledger
from services.dice.chain.seal import Seal
from services.dice.chain.service import ChainService
from services.dice.context import DiceUseCases
from services.dice.erasure import Erasure
from services.dice.internal import internal_routes
from services.dice.library.service import Library
from services.dice.metadata.service import RollMetadata
from services.dice.odds.service import OddsService
from services.dice.rolls.reader import Reader
from services.dice.rolls.service import RollService
from services.dice.rolls.updates import RollUpdates
from services.dice.schema import SCHEMA
from services.dice.statistics.service import StatisticsService
from services.dice.tables import BAGS, CURSORS, OUTBOX
from services.rules.engine.registry import mechanics, named_dice
from services.shared.access import CampaignAccess
from services.shared.metadata.service import MetadataService
from services.shared.parts import assemble
from services.shared.policy import Policy
from services.shared.settings import DiceSettings


def create_app(settings: DiceSettings) -> ASGIApp:
    """Build the dice service's ASGI application."""
    parts = assemble("dice", settings, OUTBOX)
    database, clock = parts.database, parts.clock
    campaigns, characters = parts.peer("campaign"), parts.peer("character")
    policy = Policy(CampaignAccess(campaigns))
    ledger = Ledger(Seal(settings.dice_secret))
    library = Library(database, clock, policy, mechanics(), named_dice())
    odds = OddsService(library, policy, meter=parts.meter)
    rolls = RollService(database, clock, policy, Reader(policy, characters, library), ledger, parts.meter)
    use_cases = DiceUseCases(
        rolls=rolls,
        updates=RollUpdates(database, policy),
        odds=odds,
        chain=ChainService(database, clock, policy, ledger, rolls.content, rolls.in_turn),
        library=library,
        statistics=StatisticsService(database, policy, library.definitions, named_dice(), odds),
        metadata=RollMetadata(MetadataService(database, clock, BAGS), rolls),
        wakes=parts.wakes,
        meter=parts.meter,
    )
    return parts.app(
        [*parts.graphql_routes(SCHEMA, use_cases), *internal_routes(rolls, parts.signer)],
        consumers=[parts.reader(CURSORS, campaigns, Erasure(ledger, clock).handlers)],
        background=[rolls.sweep],
        closing=[rolls.close, odds.close, campaigns.close, characters.close],
    )
