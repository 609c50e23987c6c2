"""A table whose simulations are played in the test's own process, turn by turn."""

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson

from services.campaign.simulations.requests import (
    CancelSimulation,
    SimulatedCharacter,
    SimulatedScene,
    StartSimulation,
)
from services.campaign.simulations.service import SimulationView
from services.campaign.simulations.work import PLAY, SimulationWork
from services.rules.engine.registry import systems
from services.rules.engine.simulation.blocks import BlockPlayer, Progress
from services.rules.engine.simulation.cases import Plan, planned
from services.rules.engine.simulation.report import REPORT_CODEC, report
from services.rules.engine.simulation.request import Member, Opening, SimulationRequest
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.jobs import Job
from services.shared.limits.meter import RateLimited
from services.shared.problems import Problem
from services.shared.stream import Wakes
from tests.campaign.outcomes import outcome
from tests.campaign.scene_desk import Desk
from workers.making import Broken, Made
from workers.simulations import play_turn, turn_steps


class Purse:
    """The budgets of accounts: as full as a test says.

    Attributes:
        left: points that anybody has left.
        paid: points that each account has paid.
    """

    def __init__(self, left: int = 10**9) -> None:
        self.left = left
        self.paid: dict[str, int] = {}

    async def charge(self, viewer: Viewer, points: int) -> None:
        if points > self.left:
            raise RateLimited(3)
        self.left -= points
        self.paid[viewer.account] = self.paid.get(viewer.account, 0) + points


class PlayerHere:
    """Plays blocks in this process.

    Args:
        dies_after: blocks after which it breaks, as a process does that is killed.
        stops_after: blocks after which its worker is never heard of again.
    """

    overdue = False

    def __init__(self, *, dies_after: int | None = None, stops_after: int | None = None) -> None:
        self._left = dies_after
        self._heard = stops_after
        self._steps: Any = None

    async def begin(self, kind: str, params: Mapping[str, Any]) -> None:
        assert kind == PLAY
        self._steps = turn_steps(params)

    async def outcome(self) -> Any:
        await asyncio.sleep(0)  # others have their turn between two blocks
        if self._heard is not None:
            self._heard -= 1
            if self._heard < 0:
                raise asyncio.CancelledError
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise Broken("The process was killed.")
        try:
            return next(self._steps)
        except StopIteration as over:
            return Made(over.value)

    def kill(self) -> None:
        self._steps = iter(())


class SimulationDesk(Desk):
    """A table where simulations are asked for and played."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.clock.stop()
        self.service = self.simulations(Wakes())
        self.purse = Purse()

    @property
    def work(self) -> SimulationWork:
        return SimulationWork(self.database, self.clock, self.purse, 1_000, self.systems)  # type: ignore[arg-type]

    def question(self, **changes: Any) -> StartSimulation:
        """Return a question of one's own: a warrior before the locked door."""
        asked: dict[str, Any] = {
            "system": "dungeonteller",
            "scenes": (SimulatedScene(setup_name="locked-door"),),
            "cast": (SimulatedCharacter(id="hero", example="warrior"),),
            "runs": 100,
        }
        return StartSimulation(**asked | changes)

    async def ask(self, who: Viewer, key: str | None = None, **changes: Any) -> str:
        """Start a simulation that is sound."""
        return await self.service.start.start(who, self.question(**changes), key)

    async def asked(self, who: Viewer, **changes: Any) -> str | Problem:
        return await outcome(self.service.start.start(who, self.question(**changes), None))

    async def seen(self, who: Viewer, simulation: str) -> SimulationView:
        found = await self.service.simulation(who, simulation)
        assert found is not None
        return found

    async def cancel(self, who: Viewer, simulation: str) -> str | Problem:
        return await outcome(self.service.cancel(who, CancelSimulation(simulation)))

    async def turn(self, **player: Any) -> Job | None:
        """Play one turn; None where there is nothing to do, or the lane is gone."""
        work = self.work
        job = await work.begin()
        if job is None or job.state.ended:
            return job
        played: Any = PlayerHere(**player)
        return await play_turn(work, played, job)

    async def play_all(self, workers: int = 1) -> None:
        """Play until nothing is due, with so many workers side by side."""

        async def one() -> None:
            while await self.work.waiting() is not None:
                await self.turn()

        await asyncio.gather(*(one() for _ in range(workers)))

    async def report(self, who: Viewer, simulation: str) -> dict[str, Any]:
        found: dict[str, Any] = orjson.loads((await self.seen(who, simulation)).row.report or "null")
        return found


def bare(**changes: Any) -> dict[str, Any]:
    """Answer the desk's question block by block, without any of the machine."""
    if repr(changes) not in _answers:
        _answers[repr(changes)] = _answer(changes)
    return _answers[repr(changes)]


_answers: dict[str, dict[str, Any]] = {}


def _answer(changes: Mapping[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "system": "dungeonteller",
        "scenes": (Opening(setup_name="locked-door"),),
        "cast": (Member(id="hero", example="warrior"),),
        "runs": 100,
    }
    plan = planned(SimulationRequest(**{**asked, **changes}), systems()["dungeonteller"])
    assert isinstance(plan, Plan), plan
    progress, player = Progress.begun(plan), BlockPlayer(plan)
    while not progress.enough(plan):
        progress.take(progress.blocks, player.play(progress.blocks), plan)
    return REPORT_CODEC.dump(report(plan, progress))
