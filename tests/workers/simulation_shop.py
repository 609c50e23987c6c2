"""A workshop for tests of simulations: a campaign database, a Valkey of its own, a worker and a sweeper."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from services.campaign.scenes.games import games
from services.campaign.simulations.requests import (
    CancelSimulation,
    SimulatedCharacter,
    SimulatedScene,
    StartSimulation,
)
from services.campaign.simulations.service import SimulationService, SimulationView
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.job_messages import JobMessages
from services.shared.jobs import Job
from services.shared.reckoning import Reckoner
from services.shared.stream import Wakes
from tests.e2e.product import processes
from tests.workers.shop import Shop


class NoSource:
    """A service that knows nothing: the questions of these tests name no characters and no maps."""

    async def get(self, _viewer: Viewer, *_segments: str) -> None:
        """Return nothing."""


class SimulationShop(Shop):
    """Real processes around one campaign database and one broker."""

    def player(self) -> None:
        """Start a worker with one child that plays simulations."""
        self.worker(include="workers.simulations", queues="simulations")

    def ask(self, who: Viewer, *, lost: bool = False, **changes: Any) -> str:
        """Ask how a warrior before the locked door fares; the message may be lost on the way."""
        asked: dict[str, Any] = {
            "system": "dungeonteller",
            "scenes": (SimulatedScene(setup_name="locked-door"),),
            "cast": (SimulatedCharacter(id="hero", example="warrior"),),
            "runs": 100,
        }
        question = StartSimulation(**{**asked, **changes})
        found: str = self._of_service(lambda service: service.start.start(who, question), lost=lost)
        return found

    def cancel_simulation(self, who: Viewer, simulation: str) -> None:
        """Cancel a simulation as its owner does."""
        self._of_service(lambda service: service.cancel(who, CancelSimulation(simulation)))

    def simulation(self, who: Viewer, simulation: str) -> SimulationView:
        """Read a simulation as its owner does."""
        found: SimulationView | None = self._of_service(lambda service: service.simulation(who, simulation))
        assert found is not None
        return found

    def wait_blocks(self, who: Viewer, simulation: str, more_than: int = 0) -> int:
        """Wait until more blocks are known, or it has ended; return how many are known."""
        views: list[SimulationView] = []

        def look() -> bool:
            views.append(self.simulation(who, simulation))
            return views[-1].row.blocks > more_than or views[-1].job.state.ended

        self.wait_for(look, f"more than {more_than} blocks of {simulation}", seconds=120)
        return views[-1].row.blocks

    def wait_answer(self, who: Viewer, simulation: str) -> dict[str, Any]:
        """Wait until a simulation has ended, and return its answer."""
        self.wait_for(
            lambda: self.simulation(who, simulation).job.state.ended,
            f"the end of {simulation}",
            seconds=120,
        )
        found: dict[str, Any] = orjson.loads(self.simulation(who, simulation).row.report or "null")
        return found

    # Faults; each tells whether there was what it befalls

    def kill_child(self) -> bool:
        """Kill the child of the worker."""
        return _killed(self._children())

    def kill_maker(self) -> bool:
        """Kill the process that plays."""
        children = self._children()
        return _killed([one.pid for one in processes() if one.parent in children])

    def replace_worker(self) -> bool:
        """Kill the worker with its children, and start another one."""
        self.kill_worker()
        self.player()
        return True

    def forget_all(self) -> bool:
        """Have the broker lose all that it knows."""
        return bool(self.broker.flushall())

    def _children(self) -> list[int]:
        assert self.at_work is not None, "there is no worker"
        worker = self.at_work.pid
        return [one.pid for one in processes() if one.parent == worker]

    def _of_service(self, question: Callable[[SimulationService], Any], *, lost: bool = False) -> Any:
        async def lose(_job: Job) -> None:
            """Send nothing."""

        async def ask() -> Any:
            database, messages = Database(self.settings.database_url("campaign")), JobMessages(self.settings)
            known, reckoner = games(), Reckoner(games())
            service = SimulationService(
                database,
                system_clock,
                known,
                NoSource(),
                NoSource(),
                reckoner,
                Wakes(),
                lose if lost else messages.send,
            )
            try:
                return await question(service)
            finally:
                await messages.close()
                await database.close()

        return asyncio.run(ask())


def _killed(pids: Sequence[int]) -> bool:
    """Kill the first of these processes; tell whether there was one."""
    with contextlib.suppress(ProcessLookupError, IndexError):
        os.kill(pids[0], signal.SIGKILL)
        return True
    return False


def somebody() -> Viewer:
    """Return an account that has asked nothing yet."""
    return Viewer(new_id("acc"), frozenset({"read", "write"}))
