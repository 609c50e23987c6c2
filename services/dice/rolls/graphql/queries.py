"""What can be asked about rolls."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry import argument

from services.dice.context import CampaignId, DiceInfo
from services.dice.rolls.graphql import loaders
from services.dice.rolls.graphql.types import Roll, charge_telling, page_of_rolls, read_out
from services.dice.rolls.repository import Narrowed
from services.shared.graphql.pages import After, Connection, First
from services.shared.graphql.updates import SinceCursor, Update, Updates
from services.shared.pagination import DEFAULT_PAGE, page_size


@strawberry.type
class RollQuery:
    """Reading rolls."""

    @strawberry.field(description="A roll that you may see.")
    async def roll(
        self, info: DiceInfo, id: Annotated[strawberry.ID, argument(description="Of the roll.")]
    ) -> Roll | None:
        """Return one roll."""
        info.context.signed_in()
        found = await loaders.rolls(info).load(str(id))
        if found is None:
            return None
        await charge_telling(info, [found])
        return Roll.of(found)

    @strawberry.field(description="The rolls that you may see, newest first, narrowed by what is given.")
    async def rolls(
        self,
        info: DiceInfo,
        campaign_id: Annotated[strawberry.ID | None, argument(description="Only at this table.")] = None,
        character_id: Annotated[
            strawberry.ID | None, argument(description="Only for this character.")
        ] = None,
        account_id: Annotated[strawberry.ID | None, argument(description="Only by this player.")] = None,
        scene_id: Annotated[strawberry.ID | None, argument(description="Only in this scene.")] = None,
        external_message_id: Annotated[
            str | None,
            argument(description="Only for the message of this id elsewhere, for which a bot rolled."),
        ] = None,
        since: Annotated[datetime | None, argument(description="Rolled then or later.")] = None,
        until: Annotated[datetime | None, argument(description="Rolled before then.")] = None,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[Roll]:
        """Return a page of rolls; ``since`` is the first moment that counts, ``until`` the first that does
        not."""
        wanted = Narrowed(
            campaign=campaign_id,
            character=character_id,
            account=account_id,
            scene=scene_id,
            external_message=external_message_id,
            since=since,
            until=until,
        )
        return await page_of_rolls(info, wanted, first, after)

    @strawberry.field(
        description="What has changed among the rolls of a campaign, or among your own outside of any: rolls "
        "that were made, and secret ones that were revealed. No roll goes. Null for a campaign that you are "
        "no member of."
    )
    async def roll_updates(
        self,
        info: DiceInfo,
        campaign_id: CampaignId = None,
        first: First = DEFAULT_PAGE,
        since: SinceCursor = None,
    ) -> Updates[Roll] | None:
        """Return a page of changes."""
        viewer, updates = info.context.signed_in(), info.context.service.updates
        page = await updates.read(viewer, campaign_id, since, first=page_size(first))
        if page is None:
            return None
        await charge_telling(info, page.rolls)
        await read_out(page.rolls)
        told = [Update(key=strawberry.ID(roll.row.id), node=Roll.of(roll)) for roll in page.rolls]
        return Updates(updates=told, cursor=page.read.text(), more=page.more, anew=page.anew)
