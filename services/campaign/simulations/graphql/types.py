"""The types of simulations; the answer is reflected as the rules declare it."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import orjson
import strawberry
from strawberry.federation import type as federated_type
from strawberry.scalars import JSON

from services.campaign.context import CampaignInfo
from services.campaign.simulations.service import SimulationView
from services.rules.engine.simulation import grades, report
from services.shared.jobs import JobState
from services.shared.mirror import mirror
from services.shared.pagination import cursor_of_number

if TYPE_CHECKING:
    from services.campaign.membership.graphql.types import Campaign

mirror(JobState)
mirror(report.Interval, name="SimulationInterval")
mirror(report.RoundEstimate, name="SimulationRound")
mirror(report.Bar, name="SimulationBar")
mirror(report.FigureReport, name="SimulationFigure")
mirror(report.NotableRun, name="NotableRun")
mirror(report.CasePolicy, name="SimulationCasePolicy")
mirror(grades.DangerGrade, name="SimulationDanger")
mirror(report.CaseReport, name="SimulationCase")
SimulationReport = mirror(report.Report, name="SimulationReport")


@strawberry.type(description="Why a simulation has no answer.")
class SimulationFault:
    """What stopped it."""

    code: str = strawberry.field(description="Stable, for programs.")
    message: str = strawberry.field(description="A sentence for people.")


@federated_type(
    keys=["id"],
    description="A scene, or a day of scenes, that bots play many times, and what came out.",
)
class Simulation:
    """Seen by who asked, or by the GMs of the campaign that it was asked for."""

    id: strawberry.ID = strawberry.field(description="Of the simulation.")
    system: str = strawberry.field(description="Slug of the game system.")
    state: JobState = strawberry.field(description="Where it stands; it runs from the moment it is asked.")
    progress: float = strawberry.field(
        description="0 to 1, of the runs that answer it in any case; with a precision fewer may do."
    )
    processor_seconds: float = strawberry.field(
        description="Processor time that it has used, which is paid for from the points of background work, "
        "3 ms each."
    )
    waits_until: datetime | None = strawberry.field(
        description="When the account can pay for more; null while it can."
    )
    fault: SimulationFault | None = strawberry.field(description="Why it has no answer; null for nothing.")
    question: JSON = strawberry.field(description="What was asked, member by member.")
    cursor: str = strawberry.field(description="Names the change that was seen last: `simulationProgress`.")
    created_at: datetime = strawberry.field(description="When it was asked.")
    ended_at: datetime | None = strawberry.field(description="When it ended, in whatever way.")
    view: strawberry.Private[SimulationView]

    @strawberry.field(
        description="The answer, or what is known of it so far, each number with its 95 % interval; null "
        "before the first runs."
    )
    async def report(self, info: CampaignInfo) -> SimulationReport | None:  # type: ignore[valid-type]
        """Return the answer so far."""
        found = await info.context.service.simulations.report(info.context.viewer, self.view)
        return found

    @strawberry.field(description="At whose table; null for one that was asked for nobody else.")
    async def campaign(
        self, info: CampaignInfo
    ) -> Annotated["Campaign", strawberry.lazy("services.campaign.membership.graphql.types")] | None:
        """Return the campaign."""
        # These types come after those.
        from services.campaign.membership.graphql import loaders, types

        campaign = self.view.row.campaign
        row = None if campaign is None else await loaders.campaigns(info).load(campaign)
        return None if row is None else types.Campaign.of(row)

    @classmethod
    async def resolve_reference(cls, info: CampaignInfo, id: strawberry.ID) -> "Simulation | None":
        """Return the simulation that another subgraph names."""
        found = await info.context.service.simulations.simulation(info.context.viewer, str(id))
        return None if found is None else cls.of(found)

    @classmethod
    def of(cls, view: SimulationView) -> "Simulation":
        """Show a simulation."""
        row, job = view.row, view.job
        error = job.error
        return cls(
            id=strawberry.ID(row.id),
            system=row.system,
            state=job.state,
            progress=view.progress,
            processor_seconds=row.processor_ms / 1_000,
            waits_until=row.waits_until,
            fault=SimulationFault(code=error["code"], message=error["message"]) if error else None,
            question=JSON(orjson.loads(row.asked)),
            cursor=cursor_of_number(row.version),
            created_at=row.created_at,
            ended_at=job.ended_at,
            view=view,
        )
