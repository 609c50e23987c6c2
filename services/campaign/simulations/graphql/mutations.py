"""What can be done with simulations."""

import strawberry

from services.campaign.context import CampaignUseCases
from services.campaign.simulations.graphql.types import Simulation
from services.campaign.simulations.requests import CancelSimulation, StartSimulation
from services.shared.graphql.changes import Call, change
from services.shared.problems import NotFound


@strawberry.type(description="The simulation has begun.")
class SimulationStarted:
    """The answer of ``startSimulation``."""

    simulation: Simulation = strawberry.field(description="As it begins, or answered already.")


@strawberry.type(description="The simulation has ended.")
class SimulationCancelled:
    """The answer of ``cancelSimulation``."""

    simulation: Simulation = strawberry.field(description="As it is now.")


@strawberry.type
class Mutation:
    """What changes simulations."""

    @change()
    async def start_simulation(call: Call[CampaignUseCases], asked: StartSimulation) -> SimulationStarted:
        """Have a scene, or a day of scenes, played many times by bots: for yourself, or as GM for a campaign.
        What is known of the same question is not played again. It costs the processor time that it takes,
        from the points of background work, as it goes on; while there are none it waits.
        """
        made = await call.service.simulations.start.start(call.viewer, asked, call.key)
        return SimulationStarted(simulation=await _shown(call, made))

    @change()
    async def cancel_simulation(call: Call[CampaignUseCases], asked: CancelSimulation) -> SimulationCancelled:
        """End a simulation now; what was found out stays. One that has ended stays as it is."""
        ended = await call.service.simulations.cancel(call.viewer, asked, call.key)
        return SimulationCancelled(simulation=await _shown(call, ended))


async def _shown(call: Call[CampaignUseCases], simulation: str) -> Simulation:
    found = await call.service.simulations.simulation(call.viewer, simulation)
    if found is None:
        raise NotFound.of("simulation", "idempotencyKey")
    return Simulation.of(found)
