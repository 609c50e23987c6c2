"""What can be done with simulations: reading, following, cancelling and deleting them."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from services.campaign.membership.repository import Campaigns
from services.campaign.scenes.games import Games
from services.campaign.simulations import tasks
from services.campaign.simulations.events import simulation_topic
from services.campaign.simulations.models import Simulation
from services.campaign.simulations.question import Questions, Source
from services.campaign.simulations.repository import Simulations
from services.campaign.simulations.requests import CancelSimulation, DeleteSimulation
from services.campaign.simulations.runs import SimulationRuns
from services.campaign.simulations.start import Send, SimulationStart
from services.campaign.simulations.work import end
from services.rules.engine.simulation.report import Report
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.ids import is_id
from services.shared.jobs import Job, JobState
from services.shared.pagination import Page
from services.shared.problems import NotFound
from services.shared.reckoning import Reckoner
from services.shared.stream import Wakes, follow

T = TypeVar("T")

READING = 1e-4
"""Milliseconds a byte to read an answer."""


@dataclass(frozen=True, slots=True)
class SimulationView:
    """A simulation as it stands.

    Attributes:
        row: the simulation.
        job: what its state is told by.
    """

    row: Simulation
    job: Job

    @property
    def progress(self) -> float:
        """Return how far it is, from 0 to 1; with a precision it may end sooner than it seems."""
        if self.job.state is JobState.SUCCEEDED:
            return 1.0
        return min(1.0, self.row.blocks / max(1, self.row.most_blocks))


class SimulationService:
    """The use cases of simulations.

    Args:
        database: where they are kept.
        clock: the present moment.
        games: the games that can be played, by slug.
        characters: the character service.
        maps: the map service.
        reckoner: looks questions through and tells runs, in worker processes.
        wakes: signals of what was committed.
        send: sends a job's message; whatever it cannot send, the sweeper sends later.

    Attributes:
        start: their beginning.
        runs: their runs, one by one.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        games: Games,
        characters: Source,
        maps: Source,
        reckoner: Reckoner[Games],
        wakes: Wakes,
        send: Send,
    ) -> None:
        self._database = database
        self._clock = clock
        questions = Questions(database, characters, maps, games)
        self.start = SimulationStart(database, clock, questions, reckoner, send)
        self.runs = SimulationRuns(database, clock, games, reckoner)
        self._reckoner = reckoner
        self._wakes = wakes

    async def simulation(self, viewer: Viewer, simulation: str) -> SimulationView | None:
        """Read a simulation; None where there is none, or the viewer may not see it."""
        if viewer.anonymous or not is_id(simulation, "sim"):
            return None
        async with self._database.read() as session:
            found = await Simulations(session).seen(viewer.account, simulation)
        return None if found is None else SimulationView(*found)

    async def report(self, viewer: Viewer, view: SimulationView) -> Report | None:
        """Return the answer of a simulation that the viewer sees, as far as it is known.

        Raises:
            LimitReached: it is a long one, and the account cannot pay for reading it.
        """
        if view.row.report is None or not view.row.runs:
            return None
        return await self._read(viewer, tasks.read_report, view.row.report)

    async def csv(self, viewer: Viewer, report: str) -> str:
        """Return an answer, as it was stored, as CSV.

        Raises:
            LimitReached: see ``report``.
        """
        return await self._read(viewer, tasks.table, report)

    async def _read(self, viewer: Viewer, task: Callable[[Games, str], T], text: str) -> T:
        milliseconds = READING * len(text)
        await self._reckoner.charge(viewer, milliseconds)
        return await self._reckoner.do(viewer.account, milliseconds, task, text)

    async def page(
        self, viewer: Viewer, campaign: str | None, *, first: int, after: str | None
    ) -> Page[SimulationView] | None:
        """Read a page of the simulations of a campaign, or of one's own, newest first; None where the viewer
        does not run the campaign.
        """
        async with self._database.read() as session:
            if campaign is not None and await Campaigns(session).role(campaign, viewer.account) != Role.GM:
                return None
            simulations = Simulations(session)
            page = await simulations.page_of(viewer.account, campaign, first=first, after=after)
            jobs = await simulations.jobs([row.job for row in page.items])
        items = [SimulationView(row, jobs[row.job]) for row in page.items if row.job in jobs]
        return Page(items, page.has_next, page.has_previous)

    async def follow(
        self, viewer: Viewer, simulation: str, *, after: int = 0
    ) -> AsyncIterator[SimulationView]:
        """Yield a simulation as it is now, unless the subscriber has seen it so, then after each change, up
        to its end; rights are checked with each.

        Raises:
            NotFound: there is none, or the viewer may not see it, or no longer.
        """

        async def fetch(last: int) -> Sequence[SimulationView]:
            found = await self.simulation(viewer, simulation)
            if found is None:
                raise NotFound.of("simulation", "id")
            return [found] if found.row.version > last or found.job.state.ended else []

        last = after
        topic = simulation_topic(simulation)
        async for view in follow(self._wakes, topic, fetch, lambda found: found.row.version, after=after):
            if view.row.version > last:
                last = view.row.version
                yield view
            if view.job.state.ended:
                return

    async def cancel(self, viewer: Viewer, asked: CancelSimulation, key: str | None = None) -> str:
        """End a simulation now, and return its id; what was found out stays, and so does one that has ended.

        Raises:
            NotFound: there is none, or the viewer may not see it.
            IdempotencyConflict: the key was used for another request.
        """
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            known = is_id(asked.id, "sim")
            found = await Simulations(session).seen(viewer.account, asked.id) if known else None
            if found is None:
                raise NotFound.of("simulation", "id")
            if not done.before:
                await end(session, found[0].job, JobState.CANCELLED, moment)
                done.answer = asked.id
        return asked.id

    async def delete(self, viewer: Viewer, asked: DeleteSimulation, key: str | None = None) -> str:
        """Delete a simulation with all that was found out, and return its id; one that runs is cancelled.

        Raises:
            NotFound: there is none, or the viewer may not see it.
            IdempotencyConflict: the key was used for another request.
        """
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if done.before:
                return asked.id
            simulations = Simulations(session)
            known = is_id(asked.id, "sim")
            found = await simulations.seen(viewer.account, asked.id) if known else None
            if found is None:
                raise NotFound.of("simulation", "id")
            await end(session, found[0].job, JobState.CANCELLED, moment)
            await simulations.delete(asked.id)
            done.answer = asked.id
        return asked.id
