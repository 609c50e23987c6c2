"""Rolls as they are told."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Annotated

import strawberry
from strawberry import argument

from services.dice.context import CampaignId, DiceInfo
from services.dice.rolls.events import topic
from services.dice.rolls.graphql.types import Roll, charge_telling
from services.dice.rolls.replay import Recorded
from services.shared.graphql.pages import After
from services.shared.limits.meter import RateLimited
from services.shared.pagination import number_of_cursor
from services.shared.stream import follow


@strawberry.type
class RollSubscription:
    """Following rolls."""

    @strawberry.subscription(
        description="Rolls at a table, or else your own: all behind the roll whose `cursor` is given as "
        "`after`, then each new one. A GM follows the secret rolls, which are numbered apart, with "
        "`secret: true`."
    )
    async def roll_recorded(
        self,
        info: DiceInfo,
        campaign_id: CampaignId = None,
        after: After = None,
        secret: Annotated[bool, argument(description="The secret rolls instead of the open ones.")] = False,
    ) -> AsyncIterator[Roll]:
        """Replay, then tail the rolls of a place; rights are checked again with each roll."""
        viewer = info.context.signed_in()
        service = info.context.service

        async def fetch(last: int) -> Sequence[Recorded]:
            return await service.rolls.behind(viewer, campaign_id, last, secret=secret)

        def number(roll: Recorded) -> int:
            # A secret roll that was revealed keeps its place among the secret ones.
            return (roll.row.secret_seq or 0) if secret else roll.seq

        place = topic(campaign_id or viewer.account, secret=secret)
        begin = 0 if after is None else number_of_cursor(after)
        async for roll in follow(service.wakes, place, fetch, number, after=begin):
            await _afforded(info, roll)
            yield Roll.of(roll, number(roll))


async def _afforded(info: DiceInfo, roll: Recorded) -> None:
    """Charge who follows for what is told; where the limit is used up, the stream waits and goes on."""
    while True:
        try:
            return await charge_telling(info, [roll])
        except RateLimited as limited:
            await asyncio.sleep(limited.retry_after)
