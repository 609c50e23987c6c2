"""Puts the dice service together."""

import secrets

from starlette.types import ASGIApp

from services.dice.graphql.context import DiceUseCases
from services.dice.graphql.schema import SCHEMA
from services.dice.models import OUTBOX
from services.dice.service import DiceService
from services.rules.dice.stream import ByteStream
from services.shared.access import CampaignAccess
from services.shared.parts import assemble
from services.shared.settings import Settings


def create_app(settings: Settings) -> ASGIApp:
    """Build the dice service's ASGI application."""
    parts = assemble("dice", settings, OUTBOX)
    campaigns, characters = parts.peer("campaign"), parts.peer("character")
    service = DiceService(
        parts.database,
        parts.clock,
        lambda: ByteStream(secrets.token_bytes),
        CampaignAccess(campaigns),
        characters,
    )
    return parts.app(
        parts.graphql_routes(SCHEMA, DiceUseCases(service, parts.wakes)),
        closing=[campaigns.close, characters.close],
    )
