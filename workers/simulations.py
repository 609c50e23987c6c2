"""The task that plays simulations: a lane's turn, some blocks of runs.

A message says that there is work; which lane is next is the table's to say. Blocks are played in a process of
their own (``making``) and handed over one by one; this one writes each down, which ends the turn as soon as
there is enough, the account cannot pay, or the simulation was cancelled.
"""

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import orjson
import structlog
from celery import current_app, shared_task

from services.campaign.scenes.games import games
from services.campaign.simulations.tasks import plan_of
from services.campaign.simulations.work import (
    PLAY,
    TURN_MILLISECONDS,
    Played,
    SimulationWork,
    Turn,
    Unplayable,
    teller,
)
from services.rules.engine.problem import Problems
from services.rules.engine.simulation.blocks import BlockPlayer, runs_of
from services.rules.engine.simulation.bounds import BrokenRequest
from services.rules.engine.simulation.tally import Tally
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.jobs import Job, LostLease
from services.shared.limits.bucket import Bucket
from services.shared.limits.meter import Meter
from services.shared.limits.purses import background_purse
from services.shared.loops import end
from services.shared.settings import WorkerSettings
from services.shared.valkey import connect
from workers.carrying import watched
from workers.counting import count_attempt
from workers.making import Broken, Made, Maker, MakeSteps, Refused, Steps, maker
from workers.messages import Send, call_others, tell_the_rest

log = structlog.get_logger(__name__)


def turn_steps(params: Mapping[str, Any]) -> Steps:
    """Play blocks until the turn is over, and yield each of them; the last one may be half played."""
    began = time.process_time()
    plan = plan_of(games(), params["request"])
    if isinstance(plan, Problems):
        raise Refused("REQUEST_UNPLAYABLE", next(iter(plan)).message)
    player, told = BlockPlayer(plan), 0.0
    for block, begun in params["claims"]:
        runs = len(runs_of(block, len(plan.cases)))
        tally = Tally.read(orjson.loads(begun)) if begun else None
        try:
            for tally in player.steps(block, tally):  # noqa: B007, B020
                if _since(began) >= TURN_MILLISECONDS:
                    break
        except BrokenRequest as error:
            raise Refused("REQUEST_UNPLAYABLE", error.reason) from error
        assert tally is not None, "no block is empty"
        done = tally.cases[0].runs == runs
        form, used = orjson.dumps(tally.form()).decode(), _since(began)
        yield Played(block, form, done, used - told)
        told = used
        if told >= TURN_MILLISECONDS:
            return None
    return None


def _since(began: float) -> float:
    """Return the milliseconds of processor time of this process since a moment of its."""
    return 1_000 * (time.process_time() - began)


STEPS: dict[str, MakeSteps] = {PLAY: turn_steps}


def perform(settings: WorkerSettings, job_id: str | None = None, send: Send | None = None) -> Job | None:
    """Play the turn of the lane that is next.

    Args:
        settings: of the installation.
        job_id: take this lane instead, whoever's turn it is.
        send: sends a message that there is work; without it nobody is called to help.

    Returns:
        The lane as it stands then; None when there was nothing to do, or it was taken away meanwhile.
    """
    # Forked before there are threads and connections, which a child must not share.
    with maker(STEPS) as player:
        return asyncio.run(_performed(player, settings, job_id, send))


async def _performed(
    player: Maker, settings: WorkerSettings, job_id: str | None, send: Send | None
) -> Job | None:
    database = Database(settings.database_url("campaign"))  # its pool lives and ends with this event loop
    redis = connect(settings.redis_url)
    relay = teller(database, redis, system_clock)
    database.after_commit.append(relay.poke)
    telling = asyncio.create_task(relay.run())
    purse = background_purse(settings.work_capacity, settings.work_refill)
    work = SimulationWork(database, system_clock, Meter(Bucket(redis), purse), purse.most, games())
    begun = job = None
    try:
        begun = job = await work.begin(job_id)
        if job is not None and send is not None:
            await call_others(work, redis, send)
        if job is not None and not job.state.ended:
            job = await play_turn(work, player, job)
        if job is not None and send is not None:
            await call_others(work, redis, send)
    finally:
        await end([telling])
        await tell_the_rest(relay)
        await count_attempt(database, redis, begun, job)
        await redis.aclose()
        await database.close()
    if job is not None and job.state.ended:
        log.info("lane_ended", job=job.id, state=job.state, attempt=job.attempt)
    return job


async def play_turn(work: SimulationWork, player: Maker, job: Job) -> Job | None:
    """Play the turn of a lane that was begun.

    Returns:
        The lane as it stands then; None when it was taken away, or its simulation has ended.
    """
    try:
        turn = await work.open(job)
    except Exception as error:
        return await _stopped(work, player, job, error)
    try:
        if turn.claims and await _answered(work, player, turn):
            return None
        player.kill()  # what it plays beyond this is not written down
        return await work.close(turn)
    except Exception as error:
        return await _stopped(work, player, turn.job, error)


async def _stopped(work: SimulationWork, player: Maker, job: Job, error: Exception) -> Job | None:
    """Note what has stopped a lane's turn; None where the lane was taken away."""
    match error:
        case LostLease():
            player.kill()
            log.info("lane_taken_away", job=job.id, attempt=job.attempt)
            return None
        case Refused() | Unplayable():
            return await _ended(work.refuse(job, error.code, str(error)))
        case Broken():
            log.warning("turn_failed", job=job.id, attempt=job.attempt, error=str(error))
            return await _ended(work.fail(job, "ATTEMPT_FAILED", str(error)))
        case _:
            log.exception("turn_failed", job=job.id, attempt=job.attempt)
            message = f"An unexpected error stopped the work ({type(error).__name__})."
            return await _ended(work.fail(job, "ATTEMPT_FAILED", message))


async def _answered(work: SimulationWork, player: Maker, turn: Turn) -> bool:
    """Take in blocks as they are played, until the turn is over; tell whether there is enough."""
    claims = [(claim.block, claim.tally) for claim in turn.claims]
    await player.begin(PLAY, {"request": turn.request, "claims": claims})
    work.lay_out(turn)  # beside the player, which does the same
    while not turn.wait:
        outcome = await watched(work, player, turn.job)
        if isinstance(outcome, Made):
            return False
        if await work.take(turn, outcome):
            player.kill()
            return True
    return False


async def _ended(ending: Any) -> Job | None:
    """Note how an attempt ended, unless the lane was taken away meanwhile."""
    try:
        job: Job = await ending
        return job
    except LostLease:
        return None


def _send(job: Job) -> None:
    current_app.send_task(job.kind, args=[job.id], queue=job.queue)


def work_on(_job_id: str | None = None) -> None:
    """Do what a message calls for: the turn of the next lane, whichever the message named."""
    perform(WorkerSettings(), send=_send)


shared_task(name=PLAY)(work_on)
