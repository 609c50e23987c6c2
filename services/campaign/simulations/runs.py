"""One run of a simulation: told move by move, or opened as a scene of the campaign."""

import asyncio
from datetime import datetime
from typing import Any

import orjson
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.membership.repository import Campaigns
from services.campaign.scenes.forms import Form
from services.campaign.scenes.games import Games
from services.campaign.scenes.models import Scene
from services.campaign.scenes.new_scene import add_scene, announce, demand_no_state, new_scene
from services.campaign.scenes.pinned_packs import Pinned
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.start import existing_scene
from services.campaign.simulations import tasks
from services.campaign.simulations.models import Simulation
from services.campaign.simulations.packs import pinned_to_request
from services.campaign.simulations.repository import Simulations
from services.campaign.simulations.requests import OpenSimulationRun
from services.campaign.simulations.tasks import Reached, Told
from services.campaign.simulations.versions import rules_hash
from services.rules.engine.simulation.cases import BASE
from services.rules.engine.simulation.request import MOST_RUNS, REQUEST_CODEC
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import is_id
from services.shared.jobs import Job
from services.shared.policy import Right, demand
from services.shared.problems import InvalidInput, NotFound
from services.shared.reckoning import Reckoner
from services.shared.wording import clipped


class SimulationRuns:
    """The use cases of single runs; each is played again for them.

    Args:
        database: where simulations and scenes are kept.
        clock: the present moment.
        games: the games that can be played, by slug.
        reckoner: plays runs, in worker processes.
    """

    def __init__(self, database: Database, clock: Clock, games: Games, reckoner: Reckoner[Games]) -> None:
        self._database = database
        self._clock = clock
        self._games = games
        self._reckoner = reckoner

    async def tell(self, viewer: Viewer, simulation: str, case: str | None, number: int) -> list[str] | None:
        """Return a run move by move, in lines; None where the viewer may not see the simulation.

        Raises:
            InvalidInput: there is no such case, no run can have this number, or the rules have changed.
            LimitReached: the account cannot pay for it, or it takes more work than a request may ask for.
        """
        found = await self._seen(viewer, simulation)
        if found is None:
            return None
        name, row = _case(case), found[0]
        if not 0 <= number < MOST_RUNS + 1_000:
            raise InvalidInput.single(
                "OUT_OF_RANGE", "Runs are numbered from 0.", "number", found=str(number)
            )
        _demand_same_rules(row)
        told = await self._reckoner.apart(viewer.account, tasks.tell, _request(row), name, number)
        await self._reckoner.charge(viewer, told.milliseconds)
        _demand_played(told, name)
        return list(told.found)

    async def open(self, viewer: Viewer, asked: OpenSimulationRun, key: str | None = None) -> Scene:
        """Begin a scene of the campaign where a scene of a run stands after so many moves, and return it.

        Raises:
            NotFound: there is no such simulation, or the viewer may not see it.
            InvalidInput: a bound is broken, there is no such case or run, the run is over by then, the
                simulation belongs to no campaign or has not ended, or the rules have changed.
            IdempotencyConflict: the key was used for another request.
            LimitReached: see ``tell``.
        """
        check(asked)
        found = await self._seen(viewer, asked.id)
        if found is None:
            raise NotFound.of("simulation", "id")
        async with self._database.read() as session:
            known = await answered(session, viewer, key, asked, self._clock())
            if known is not None:
                return await existing_scene(session, viewer, known)
        row, name = found[0], _case(asked.case)
        campaign = _campaign_of_ended(*found)
        if asked.number >= row.runs:
            raise InvalidInput.single(
                "RUN_UNKNOWN",
                "The simulation has no run of this number.",
                "number",
                found=str(asked.number),
                allowed=f"0..{row.runs - 1}" if row.runs else "",
            )
        _demand_same_rules(row)
        reached = await self._reached(viewer, row, name, asked)
        return await self._write(viewer, asked, key, campaign, row, reached)

    async def _seen(self, viewer: Viewer, simulation: str) -> tuple[Simulation, Job] | None:
        if viewer.anonymous or not is_id(simulation, "sim"):
            return None
        async with self._database.read() as session:
            return await Simulations(session).seen(viewer.account, simulation)

    async def _reached(self, viewer: Viewer, row: Simulation, case: str, asked: OpenSimulationRun) -> Reached:
        """Play a run as far as it is asked for.

        Raises:
            InvalidInput: there is no such case, or the run or its scene is over by then.
        """
        told = await self._reckoner.apart(
            viewer.account, tasks.position, _request(row), case, asked.number, asked.moves, asked.scene
        )
        await self._reckoner.charge(viewer, told.milliseconds)
        _demand_played(told, case)
        reached: Reached = told.found
        if reached.scene < asked.scene:
            message = "The run's day is over before this scene."
            raise InvalidInput.single(
                "RUN_OVER", message, "scene", found=str(asked.scene), allowed=f"0..{reached.scene}"
            )
        if reached.ended or reached.moves < asked.moves:
            message = "The scene is over after so many moves of the run."
            most = reached.moves - 1 if reached.ended else reached.moves
            raise InvalidInput.single(
                "RUN_OVER", message, "moves", found=str(asked.moves), allowed=f"0..{most}"
            )
        return reached

    async def _write(
        self,
        viewer: Viewer,
        asked: OpenSimulationRun,
        key: str | None,
        campaign: str,
        row: Simulation,
        reached: Reached,
    ) -> Scene:
        moment = self._clock()
        table = await asyncio.to_thread(pinned_to_request, self._games, REQUEST_CODEC.load(_request(row)))
        play = table.system.play
        assert play is not None, "it was played"
        state = play.state_codec.load(reached.state)
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            demand(await Campaigns(session).held(campaign, viewer.account), Right.RUN, "id")
            if done.answer is not None:
                return await existing_scene(session, viewer, done.answer)
            scene = await self._laid_out(session, viewer, asked, campaign, table, state, moment)
            done.answer = scene.id
            return scene

    async def _laid_out(
        self,
        session: AsyncSession,
        viewer: Viewer,
        asked: OpenSimulationRun,
        campaign: str,
        table: Pinned,
        state: Any,
        moment: datetime,
    ) -> Scene:
        scenes, system, play = Scenes(session), table.system.slug, table.system.play
        assert play is not None, "it was played"
        await demand_no_state(scenes, play, campaign, system)
        actors = [actor.id for actor in play.card(state).actors if is_id(actor.id, "chr")]
        seats = await scenes.seats(campaign, actors)
        scene = new_scene(
            viewer,
            play,
            state,
            campaign=campaign,
            system=system,
            title=asked.title,
            cast=[actor for actor in actors if actor in seats],
            moment=moment,
        )
        scene.packs, scene.pack_documents = list(table.packs), table.documents
        add_scene(session, play, scene, state)
        await announce(session, play, scene, state)
        return scene


def _request(row: Simulation) -> dict[str, Any]:
    request: dict[str, Any] = orjson.loads(row.request)
    return request


def _case(name: str | None) -> str:
    """Return the name by which a case is known; None stands for the question itself, its own name for none.

    Raises:
        InvalidInput: ``CASE_UNKNOWN``.
    """
    if name == BASE:
        raise _unknown_case(BASE)
    return BASE if name is None else name


def _demand_played(told: Told, case: str) -> None:
    """Raise where there is no such case, or a later scene of the run's day cannot be begun.

    Raises:
        InvalidInput: ``CASE_UNKNOWN``, or what keeps the scene from being begun.
    """
    if told.problems:
        raise InvalidInput(Form(None, ()).issues(told.problems))
    if told.found is None:
        raise _unknown_case(case)


def _unknown_case(name: str) -> InvalidInput:
    message = "The simulation has no case of this name."
    return InvalidInput.single("CASE_UNKNOWN", message, "case", found=clipped(name))


def _demand_same_rules(row: Simulation) -> None:
    """Raise where a run would be played by other rules than those by which it was counted."""
    if row.rules != rules_hash():
        message = "The rules were changed since; its runs would be others. Ask anew."
        raise InvalidInput.single("RULES_CHANGED", message, "id", found=row.id)


def _campaign_of_ended(row: Simulation, job: Job) -> str:
    """Return the campaign of a simulation that has ended.

    Raises:
        InvalidInput: it belongs to none, or runs.
    """
    if row.campaign is None:
        message = "Scenes belong to campaigns, and this simulation was asked for none."
        raise InvalidInput.single("CAMPAIGN_MISSING", message, "id", found=row.id)
    if not job.state.ended:
        message = "The simulation has not ended; wait, or cancel it."
        raise InvalidInput.single("SIMULATION_RUNNING", message, "id", found=row.id)
    return row.campaign
