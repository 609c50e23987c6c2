"""What can be done with simulations."""

import strawberry

from services.campaign.context import CampaignUseCases
from services.campaign.scenes.graphql.types import Scene
from services.campaign.simulations.graphql.types import Simulation
from services.campaign.simulations.requests import (
    CancelSimulation,
    DeleteSimulation,
    OpenSimulationRun,
    StartSimulation,
)
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


@strawberry.type(description="The simulation is gone.")
class SimulationDeleted:
    """The answer of ``deleteSimulation``."""

    id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.type(description="The run is a scene now.")
class SimulationRunOpened:
    """The answer of ``openSimulationRun``."""

    scene: Scene = strawberry.field(description="As it begins.")


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

    @change()
    async def delete_simulation(call: Call[CampaignUseCases], asked: DeleteSimulation) -> SimulationDeleted:
        """Delete a simulation with all that was found out: your own, or as GM one of the campaign. One that
        runs is cancelled first; scenes that were opened from its runs stay.
        """
        gone = await call.service.simulations.delete(call.viewer, asked, call.key)
        return SimulationDeleted(id=strawberry.ID(gone))

    @change()
    async def open_simulation_run(
        call: Call[CampaignUseCases], asked: OpenSimulationRun
    ) -> SimulationRunOpened:
        """Play a scene of a run of a campaign's simulation on as a scene of the campaign, from its start or
        from behind its first moves (GM). Of a day it is the first one, or the one named. What happens from
        there on is the table's: the dice fall anew. The scene has its ground for itself, and leads no stored
        map.
        """
        made = await call.service.simulations.runs.open(call.viewer, asked, call.key)
        look = (await call.service.scenes.reader.scenes(call.viewer, [made.id])).get(made.id)
        if look is None:
            raise NotFound.of("scene", "idempotencyKey")
        return SimulationRunOpened(scene=Scene.of(look))


async def _shown(call: Call[CampaignUseCases], simulation: str) -> Simulation:
    found = await call.service.simulations.simulation(call.viewer, simulation)
    if found is None:
        raise NotFound.of("simulation", "idempotencyKey")
    return Simulation.of(found)
