"""What can be asked of simulations."""

from typing import Annotated

import strawberry

from services.campaign.context import CampaignInfo
from services.campaign.simulations.graphql.types import Simulation
from services.campaign.simulations.plots import PlotRequest, SimulationPlot
from services.rules.engine.simulation.cases import BASE
from services.shared.graphql.changes import question
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.mirror import mirror
from services.shared.pagination import DEFAULT_PAGE, decode_cursor, page_size
from services.shared.plots.frame import WIDTH
from services.shared.problems import InvalidInput, NotFound


@strawberry.type(description="One run of a simulation, move by move.")
class SimulationStory:
    """The same each time that it is asked for."""

    lines: list[str] = strawberry.field(
        description="What happened, as a game master sees it: of each scene its title, a heading for each "
        "round, then each event, and how it ended; of a day, also the rests in between."
    )


@strawberry.type(description="The answer of a simulation as a picture.")
class SimulationPicture:
    """The same for the same answer."""

    svg: str = strawberry.field(
        description="SVG without scripts and foreign fonts, for light and dark pages; its figures are told "
        "in words too."
    )


PlotType = mirror(SimulationPlot)


@strawberry.type
class Query:
    """What can be read of simulations."""

    @strawberry.field(description="A simulation of yours, or of a campaign that you run.")
    async def simulation(
        self,
        info: CampaignInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="Of the simulation.")],
    ) -> Simulation | None:
        """Return one simulation."""
        viewer = info.context.signed_in()
        found = await info.context.service.simulations.simulation(viewer, str(id))
        return None if found is None else Simulation.of(found)

    @strawberry.field(
        description="The simulations of a campaign that you run, or your own that belong to none."
    )
    async def simulations(
        self,
        info: CampaignInfo,
        campaign_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="Of which campaign; else your own.")
        ] = None,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[Simulation] | None:
        """Return a page; none of a campaign that the viewer does not run."""
        viewer = info.context.signed_in()
        behind = None if after is None else decode_cursor(after, "sim")
        page = await info.context.service.simulations.page(
            viewer, None if campaign_id is None else str(campaign_id), first=page_size(first), after=behind
        )
        return None if page is None else connect(page, lambda view: view.row.id, Simulation.of)

    @question(InvalidInput, NotFound)
    async def simulation_plot(
        self,
        info: CampaignInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="Of the simulation.")],
        plot: Annotated[
            PlotType | None,  # type: ignore[valid-type]
            strawberry.argument(description="What it shows; what suits the question when omitted."),
        ] = None,
        figure: Annotated[
            str | None,
            strawberry.argument(
                description="Name of the figure (`won@side:heroes`), or its key (`won`) for that of every "
                "side; what suits the picture when omitted."
            ),
        ] = None,
        case: Annotated[
            str | None, strawberry.argument(description="Name of the case; the question itself when omitted.")
        ] = None,
        width: Annotated[int, strawberry.argument(description="In pixels, 240 to 1600.")] = WIDTH,
    ) -> SimulationPicture:
        """The answer of a simulation as a picture, as far as it is known: shares and means with their 95 %
        intervals, how often each value came, rounds, sweeps, what changes make of it.
        """
        viewer = info.context.signed_in()
        asked = PlotRequest(plot=plot, figure=figure, case=case or BASE, width=width)
        drawn = await info.context.service.drawing.picture(viewer, str(id), asked)
        if drawn is None:
            raise NotFound.of("simulation with an answer", "id")
        return SimulationPicture(svg=drawn)

    @question(InvalidInput, NotFound)
    async def simulation_run(
        self,
        info: CampaignInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="Of the simulation.")],
        number: Annotated[int, strawberry.argument(description="Number of the run, from 0.")],
        case: Annotated[
            str | None, strawberry.argument(description="Name of the case; the question itself when omitted.")
        ] = None,
    ) -> SimulationStory:
        """One run of a simulation, told move by move: it is played again for it."""
        viewer = info.context.signed_in()
        told = await info.context.service.simulations.runs.tell(viewer, str(id), case, number)
        if told is None:
            raise NotFound.of("simulation", "id")
        return SimulationStory(lines=told)
