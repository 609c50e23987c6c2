"""How a simulation begins: what the question names is gathered, found sound, and given to workers."""

from collections.abc import Awaitable, Callable
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

import orjson
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.membership.repository import Campaigns
from services.campaign.scenes.forms import Form
from services.campaign.scenes.games import Games
from services.campaign.simulations import tasks
from services.campaign.simulations.models import Simulation
from services.campaign.simulations.question import Question, Questions, faults
from services.campaign.simulations.repository import BOOK, PARTS, Simulations
from services.campaign.simulations.requests import StartSimulation
from services.campaign.simulations.tasks import Checked
from services.campaign.simulations.work import ANSWER, LANES, PLAY, end
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import new_id
from services.shared.job_parts import Part
from services.shared.jobs import Job, JobState, Line
from services.shared.policy import Right, demand
from services.shared.problems import InvalidInput
from services.shared.reckoning import Reckoner
from services.shared.wording import camel

MOST_OPEN = 20
"""Simulations of an account that have not ended."""

MOST_KEPT = 1_000
"""Simulations of an account that are kept at once."""

Send = Callable[[Job], Awaitable[None]]

log = structlog.get_logger(__name__)


class SimulationStart:
    """The use case of starting a simulation.

    Args:
        database: where simulations and jobs are kept.
        clock: the present moment.
        questions: gathers what questions name.
        reckoner: finds out in worker processes whether they are sound.
        send: sends a job's message; whatever it cannot send, the sweeper sends later.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        questions: Questions,
        reckoner: Reckoner[Games],
        send: Send,
    ) -> None:
        self._database = database
        self._clock = clock
        self._questions = questions
        self._reckoner = reckoner
        self._send = send

    async def start(self, viewer: Viewer, asked: StartSimulation, key: str | None = None) -> str:
        """Start a simulation, and return its id. What is known of the same question is not played again.

        Raises:
            InvalidInput: a bound is broken, the question cannot be played, or the account has enough.
            NotFound: no member, or no such map or scene.
            Forbidden: no GM.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the character or the map service does not answer.
            LimitReached: the account cannot pay for looking the question through.
        """
        InvalidInput.check(*faults(asked))
        async with self._database.read() as session:
            if asked.campaign_id is not None:
                demand(await Campaigns(session).role(asked.campaign_id, viewer.account), Right.RUN)
            before = await answered(session, viewer, key, asked, self._clock())
            if before is not None:
                return before
            await _demand_room(Simulations(session), viewer.account, await _open(session, viewer.account))
        question = await self._questions.gather(viewer, asked)
        async with self._database.read() as session:
            known = await Simulations(session).known(
                question.hash, question.rules, viewer.account, asked.campaign_id
            )
        checked = await self._checked(viewer, question, known)
        simulation, job = await self._write(viewer, asked, key, question, known, checked)
        if job is not None and not checked.done:
            await self._try_to_send(job)
        return simulation

    async def _checked(self, viewer: Viewer, question: Question, known: Simulation | None) -> Checked:
        """Find out whether a question is sound, and what is known of its answer.

        Raises:
            InvalidInput: it is not.
        """
        tally, blocks = (None, 0) if known is None else (known.tally, known.blocks)
        checked = await self._reckoner.apart(viewer.account, tasks.check, question.request, tally, blocks)
        await self._reckoner.charge(viewer, checked.milliseconds)
        if checked.problems:
            raise InvalidInput(Form(None, ()).issues(checked.problems))
        return checked

    async def _write(
        self,
        viewer: Viewer,
        asked: StartSimulation,
        key: str | None,
        question: Question,
        known: Simulation | None,
        checked: Checked,
    ) -> tuple[str, Job | None]:
        """Write the simulation down; its job is None where it was started under the same key before."""
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if asked.campaign_id is not None:
                demand(await Campaigns(session).held(asked.campaign_id, viewer.account), Right.RUN)
            if done.answer is not None:
                return done.answer, None
            simulations = Simulations(session)
            await _demand_room(simulations, viewer.account, await _open(session, viewer.account))
            row = _row(viewer, asked, question, known, checked, moment)
            lanes = [
                Part(new_id("job"), PLAY, {})
                for _ in range(max(1, min(LANES, checked.most_blocks - row.blocks)))
            ]
            await PARTS.add(
                session,
                row.job,
                ANSWER,
                {},
                lanes,
                owner=viewer.account,
                campaign=asked.campaign_id,
                moment=moment,
            )
            await simulations.add(row, moment)
            if checked.done:
                await end(session, row.job, JobState.SUCCEEDED, moment)
            done.answer = row.id
            return row.id, await BOOK.get(session, lanes[0].id)

    async def _try_to_send(self, job: Job) -> None:
        try:
            await self._send(job)
        except Exception as error:  # the job is safe in its table, whatever became of the message
            log.warning("message_unsent", job=job.id, reason=f"{type(error).__name__}: {error}")


async def _open(session: AsyncSession, account: str) -> int:
    return await BOOK.count_open(session, account, Line.WHOLE)


async def _demand_room(simulations: Simulations, account: str, running: int) -> None:
    """Raise where an account has as many simulations as it may have."""
    for name, found, most in (
        ("simulations that have not ended", running, MOST_OPEN),
        ("simulations that are kept", await simulations.count(account), MOST_KEPT),
    ):
        if found >= most:
            message = f"Your quota of {name} is used up: {found:,} of {most:,}."
            raise InvalidInput.single(
                "QUOTA_EXCEEDED", message, "simulations", found=str(found), allowed=str(most)
            )


def _row(
    viewer: Viewer,
    asked: StartSimulation,
    question: Question,
    known: Simulation | None,
    checked: Checked,
    moment: datetime,
) -> Simulation:
    """Return the row of a simulation that begins with what is known of its question."""
    blocks = 0 if known is None else known.blocks
    job = new_id("job")
    return Simulation(
        id=f"sim{job.removeprefix('job')}",
        job=job,
        owner=viewer.account,
        campaign=asked.campaign_id,
        network=viewer.network,
        system=asked.system,
        asked=orjson.dumps(_as_asked(asked)).decode(),
        request=orjson.dumps(question.request).decode(),
        question=question.hash,
        rules=question.rules,
        cases=checked.cases,
        most_blocks=checked.most_blocks,
        blocks=blocks,
        first_block=blocks,
        next_block=blocks,
        runs=0 if known is None else known.runs,
        tally=None if known is None else known.tally,
        report=checked.report,
        told_at=moment,
        created_at=moment,
    )


def _as_asked(value: Any) -> Any:
    """Return a question as it was asked: its members spelled as the graph does, without those left out."""
    if is_dataclass(value):
        members = ((field, getattr(value, field.name)) for field in fields(value))
        # An empty list is something else than nothing where nothing has a meaning of its own.
        return {
            camel(field.name): _as_asked(member)
            for field, member in members
            if member is not None and (member != () or field.default is None)
        }
    return [_as_asked(item) for item in value] if isinstance(value, tuple) else value
