"""Characters as they change."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

import strawberry

from services.character.building.graphql.types import Character
from services.character.context import CharacterInfo
from services.shared.pagination import MAX_PAGE
from services.shared.updates import follow_updates


@strawberry.type(description="A character that has changed, as who follows it is told.")
class FollowedCharacter:
    """Its last change."""

    key: strawberry.ID = strawberry.field(description="The id of the character.")
    node: Character | None = strawberry.field(description="As it is now; null where it is gone for you.")
    cursor: str = strawberry.field(
        description="How far you have read with it: for `after`, or for `since` of `characterUpdates`."
    )
    anew: bool = strawberry.field(
        description="Whether the list begins anew with it: forget what you had of it before."
    )


@strawberry.type
class CharacterSubscription:
    """Following characters."""

    @strawberry.subscription(
        description="Your own characters, or with `campaignId` those at its table, then each that changes: "
        "whenever you would see another sheet, and when it is gone. With `after`, what has changed since."
    )
    async def character_changes(
        self,
        info: CharacterInfo,
        campaign_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="The campaign; your own without.")
        ] = None,
        after: Annotated[
            str | None, strawberry.argument(description="The `cursor` of the last that you have.")
        ] = None,
    ) -> AsyncIterator[FollowedCharacter]:
        """Follow characters; the viewer's rights are checked again with each change."""
        viewer, service = info.context.signed_in(), info.context.service
        fetch = partial(service.characters.updates, viewer, campaign_id, first=MAX_PAGE)
        place = campaign_id or viewer.account
        async for thing, row, since, anew in follow_updates(service.wakes, place, fetch, after):
            yield FollowedCharacter(
                key=strawberry.ID(thing),
                node=None if row is None else Character.of(row),
                cursor=since.text(),
                anew=anew,
            )
