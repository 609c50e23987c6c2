"""Look-ups gathered into one query per request."""

from strawberry.dataloader import DataLoader

from services.dice.context import DiceInfo
from services.dice.rolls.replay import Recorded


def rolls(info: DiceInfo) -> "DataLoader[str, Recorded | None]":
    """Load rolls by id, as far as the viewer may see them."""
    context = info.context

    async def load(ids: list[str]) -> list[Recorded | None]:
        if context.viewer.anonymous:
            return [None] * len(ids)
        found = await context.service.rolls.by_id(context.viewer, ids)
        return [found.get(roll) for roll in ids]

    return context.loader("rolls", load)
