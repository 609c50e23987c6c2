"""What can be asked about rolls."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry import argument

from services.dice.context import DiceInfo
from services.dice.rolls.graphql import loaders
from services.dice.rolls.graphql.types import Roll, charge_telling, page_of_rolls
from services.dice.rolls.repository import Narrowed
from services.shared.pagination import DEFAULT_PAGE, After, Connection, First


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
