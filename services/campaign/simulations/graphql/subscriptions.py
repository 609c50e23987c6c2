"""What simulations tell as it happens."""

from collections.abc import AsyncIterator
from typing import Annotated

import strawberry

from services.campaign.context import CampaignInfo
from services.campaign.simulations.graphql.types import Simulation
from services.shared.pagination import number_of_cursor


@strawberry.type
class Subscription:
    """What can be followed of a simulation."""

    @strawberry.subscription(
        description="A simulation as it is now, then each time that more is known, up to its end. With "
        "`after`, the first is left out while it is as you have it."
    )
    async def simulation_progress(
        self,
        info: CampaignInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="The simulation.")],
        after: Annotated[
            str | None, strawberry.argument(description="The `cursor` of the simulation as you have it.")
        ] = None,
    ) -> AsyncIterator[Simulation]:
        """Follow a simulation; the viewer's rights are checked again with each change."""
        viewer = info.context.signed_in()
        seen = 0 if after is None else number_of_cursor(after)
        async for view in info.context.service.simulations.follow(viewer, str(id), after=seen):
            yield Simulation.of(view)
