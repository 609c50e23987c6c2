"""What a worker notes while it plays its turn of a simulation, each call one unit of work.

A turn is a lane's: it takes blocks, plays them one after another, and gives its turn back, so that accounts
take fair turns. A block is added to what is known when all before it are; ``Progress`` decides on that row of
blocks alone when there is enough, so that any number of workers comes to the same answer.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson
from redis.asyncio import Redis
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.scenes.games import Games
from services.campaign.simulations.budget import Budget, points_of
from services.campaign.simulations.repository import BOOK, PARTS, TURNS, Claim, Simulations, Standing
from services.campaign.simulations.tasks import plan_of, report_text
from services.campaign.simulations.versions import rules_hash
from services.campaign.tables import OUTBOX
from services.rules.engine.problem import Problems
from services.rules.engine.simulation.blocks import Progress
from services.rules.engine.simulation.cases import Plan
from services.rules.engine.simulation.tally import Tally
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.jobs import Job, JobState, LostLease
from services.shared.limits.meter import Meter
from services.shared.outbox import Relay

PLAY = "simulations.play"
"""The kind of a lane."""

ANSWER = "simulations.answer"
"""The kind of a whole; no task has this name."""

LANES = 8
"""Parts of a simulation: as many workers can play it at once."""

AHEAD = 256
"""Blocks that are begun in front of the first one that is not known: so many rows there are at most."""

TURN_MILLISECONDS = 1_500
"""Processor time of a turn: about so long the question of another account waits."""

FIRST_BLOCKS, MOST_BLOCKS = 8, 64
"""Blocks that a turn takes while nothing is known of their cost, and at most."""

TELL_EVERY = timedelta(milliseconds=400)
CROWDED_PAUSE = timedelta(milliseconds=500)
"""How long a lane waits when the others are too far behind it."""


def teller(database: Database, redis: Redis, clock: Clock) -> Relay:
    """Make what carries this service's events to its stream, for a worker that wants them heard at once."""
    return Relay(database, OUTBOX, redis, "campaign", clock)


class Unplayable(Exception):
    """The question can no longer be played as it was asked.

    Attributes:
        code: stable, for programs.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Played:
    """What a player has done of a block.

    Attributes:
        block: its number.
        tally: what its runs so far came to, JSON.
        done: whether all of them were played.
        milliseconds: processor time since the block before.
    """

    block: int
    tally: str
    done: bool
    milliseconds: float


@dataclass(slots=True)
class Turn:
    """A lane at its turn.

    Attributes:
        job: the lane, which this worker has.
        whole: id of the simulation's job.
        request: the question, in its stored form.
        budget: what it is paid from.
        claims: the blocks that it plays.
        crowded: whether there are none because the other lanes are too far behind.
        wait: seconds until the account can pay; 0 where it can.
        used: milliseconds of processor time that the turn has used.
        plan: the question, laid out.
        progress: the blocks that are known.
    """

    job: Job
    whole: str
    request: dict[str, object]
    budget: Budget
    claims: list[Claim]
    used: float = 0.0
    crowded: bool = False
    wait: int = 0
    plan: Plan | None = None
    progress: Progress | None = None


class SimulationWork:
    """What a worker notes of simulations.

    Every call but ``begin`` raises ``LostLease`` when the simulation was cancelled or the lane given to
    another worker, and writes nothing then.

    Args:
        database: where simulations and jobs are kept.
        clock: the present moment.
        meter: of background work.
        most: points that it takes at once.
        games: the games that can be played, by slug.
    """

    def __init__(self, database: Database, clock: Clock, meter: Meter, most: int, games: Games) -> None:
        self._database = database
        self._clock = clock
        self._meter = meter
        self._most = most
        self._games = games

    # Lanes

    async def begin(self, job_id: str | None = None) -> Job | None:
        """Take the lane whose turn it is; dead, with its simulation, when its last attempt died.

        Args:
            job_id: take this one, whoever's turn it is.
        """
        moment = self._clock()
        async with self._database.write() as session:
            chosen = await TURNS.next(session, moment) if job_id is None else job_id
            if chosen is None:
                return None
            job = await BOOK.bury(session, chosen, moment) or await BOOK.claim(session, chosen, moment)
            if job is None:
                return None
            if job.state.ended:
                await end(session, _whole(job), JobState.DEAD, moment, job.error)
            else:
                await TURNS.begun(session, job, moment)
            return job

    async def waiting(self) -> Job | None:
        """Read any lane that is due and that nobody plays."""
        async with self._database.read() as session:
            return await BOOK.waiting(session, self._clock())

    async def look(self, job: Job) -> None:
        """See whether the lane is still this worker's."""
        async with self._database.read() as session:
            await BOOK.look(session, job)

    async def hold(self, job: Job) -> None:
        """Keep the lease while a block is played."""
        async with self._database.write() as session:
            await BOOK.hold(session, job, self._clock())

    async def refuse(self, job: Job, code: str, message: str) -> Job:
        """End a simulation that can never be played."""
        moment, error = self._clock(), {"code": code, "message": message}
        async with self._database.write() as session:
            refused = await BOOK.refuse(session, job, error, moment)
            await end(session, _whole(job), JobState.FAILED, moment, error)
            return refused

    async def fail(self, job: Job, code: str, message: str) -> Job:
        """Note a failed attempt; after the last one the simulation is dead."""
        moment, error = self._clock(), {"code": code, "message": message}
        async with self._database.write() as session:
            failed = await BOOK.fail(session, job, error, moment)
            if failed.state.ended:
                await end(session, _whole(job), JobState.DEAD, moment, error)
            return failed

    # A turn

    async def open(self, job: Job) -> Turn:
        """Begin a lane's turn: pay what is owed, and take blocks.

        Raises:
            Unplayable: the rules are not those any more by which it was begun.
        """
        async with self._database.read() as session:
            row = await Simulations(session).of_job(_whole(job))
        if row is None:
            raise LostLease(job.id)
        if row.rules != rules_hash():
            raise Unplayable("RULES_CHANGED", "The rules were changed meanwhile; ask anew.")
        budget = Budget(self._meter, self._most, row.owner, row.network)
        turn = Turn(job, row.job, orjson.loads(row.request), budget, [])
        payment = await budget.pay(row.owed)
        turn.wait = payment.wait
        count = _blocks_of_a_turn(row.processor_ms, row.next_block - row.first_block)
        moment = self._clock()
        async with self._database.write() as session:
            await BOOK.hold(session, job, moment)
            simulations = Simulations(session)
            standing = await self._held(simulations, turn)
            await self._note_payment(simulations, turn, standing.owed - payment.paid, moment)
            if not turn.wait:
                await self._claim(simulations, turn, standing, count, moment)
        return turn

    def lay_out(self, turn: Turn) -> Plan:
        """Return the question of a turn laid out.

        Raises:
            Unplayable: it cannot be, by the rules as they are now.
        """
        if turn.plan is None:
            plan = plan_of(self._games, turn.request)
            if isinstance(plan, Problems):
                raise Unplayable("REQUEST_UNPLAYABLE", next(iter(plan)).message)
            turn.plan = plan
        return turn.plan

    async def take(self, turn: Turn, played: Played) -> bool:
        """Take in what was played of a block: once, with all that follows from it.

        Returns:
            Whether the simulation is answered.
        """
        plan, points = self.lay_out(turn), points_of(turn.used, played.milliseconds)
        payment = await turn.budget.pay(points)
        turn.wait = payment.wait
        moment = self._clock()
        async with self._database.write() as session:
            await BOOK.hold(session, turn.job, moment)
            await TURNS.used(session, turn.job, points, moment)
            simulations = Simulations(session)
            standing = await self._held(simulations, turn)
            await simulations.use(turn.whole, played.milliseconds)
            await self._note_payment(simulations, turn, standing.owed + points - payment.paid, moment)
            if not await simulations.keep_block(
                turn.whole, turn.job.id, played.block, played.tally, done=played.done
            ):
                raise LostLease(turn.job.id)
            await self._begin_anew(session, simulations, turn)
            answered = await self._merge(simulations, turn, plan, standing, moment)
            if answered:
                await end(session, turn.whole, JobState.SUCCEEDED, moment)
        turn.used += played.milliseconds
        return answered

    async def close(self, turn: Turn) -> Job:
        """End a lane's turn: it goes on later, or has nothing more to do."""
        moment = self._clock()
        async with self._database.write() as session:
            simulations = Simulations(session)
            await simulations.put_back(turn.whole, turn.job.id)
            if not (turn.claims or turn.wait or turn.crowded):
                return await BOOK.finish(session, turn.job, {}, moment)
            due = moment + (timedelta(seconds=turn.wait) if turn.wait else _pause(turn))
            return await BOOK.give_turn_back(session, turn.job, new_id("job"), due)

    # Steps of these

    async def _begin_anew(self, session: AsyncSession, simulations: Simulations, turn: Turn) -> None:
        """Count a lane's attempts from this one on: what got on has not died of its question."""
        if turn.job.attempt > 1:
            lane = turn.job.id
            turn.job = await BOOK.begin_anew(session, turn.job, new_id("job"))
            await simulations.hand_over(turn.whole, lane, turn.job.id)

    async def _held(self, simulations: Simulations, turn: Turn) -> Standing:
        standing = await simulations.held(turn.whole)
        if standing is None:
            raise LostLease(turn.job.id)
        return standing

    async def _claim(
        self, simulations: Simulations, turn: Turn, standing: Standing, count: int, moment: datetime
    ) -> None:
        claims = await simulations.begun_blocks(turn.whole, turn.job.id, count, moment)
        first = standing.next_block
        end = min(first + count - len(claims), standing.most_blocks, standing.blocks + AHEAD)
        if end > first:
            claims += await simulations.new_blocks(turn.whole, turn.job.id, range(first, end))
            await simulations.set(turn.whole, next_block=end)
        turn.claims = claims
        turn.crowded = not claims and first < standing.most_blocks

    async def _merge(
        self, simulations: Simulations, turn: Turn, plan: Plan, standing: Standing, moment: datetime
    ) -> bool:
        """Add the blocks that are there now without a gap; tell of it where it is time."""
        progress = turn.progress
        if progress is None or progress.blocks != standing.blocks:
            text = await simulations.tally(turn.whole)
            progress = (
                Progress.begun(plan)
                if text is None
                else Progress(Tally.read(orjson.loads(text)), standing.blocks)
            )
            turn.progress = progress
        enough = progress.enough(plan)
        while not enough:
            found = await simulations.done_block(turn.whole, progress.blocks)
            if found is None:
                break
            enough = progress.take(progress.blocks, Tally.read(orjson.loads(found)), plan)
        if progress.blocks > standing.blocks:
            tally = orjson.dumps(progress.tally.form()).decode()
            runs = progress.tally.cases[0].runs
            await simulations.set(turn.whole, blocks=progress.blocks, runs=runs, tally=tally)
        first = progress.blocks > 0 and standing.blocks == 0
        if enough or first or (progress.blocks and moment - standing.told_at >= TELL_EVERY):
            await simulations.set(turn.whole, report=report_text(plan, progress))
            if not enough:
                await simulations.tell(standing, turn.whole, moment)
        return enough

    async def _note_payment(self, simulations: Simulations, turn: Turn, owed: int, moment: datetime) -> None:
        waits = moment + timedelta(seconds=turn.wait) if turn.wait else None
        await simulations.set(turn.whole, owed=owed, waits_until=waits)


async def end(
    session: AsyncSession, whole: str, state: JobState, moment: datetime, error: object = None
) -> Job | None:
    """End a simulation with all its lanes, and publish that it has ended.

    Returns:
        Its job; None when it had ended before.
    """
    job = await PARTS.end(session, whole, state, moment, error if isinstance(error, dict) else None)
    simulations = Simulations(session)
    standing = await simulations.held(whole)
    if job is None or standing is None:
        return job
    await simulations.clear_blocks(whole)
    await simulations.set(whole, network=None, waits_until=None)
    await simulations.tell(standing, whole, moment)
    return job


def _whole(job: Job) -> str:
    assert job.whole is not None, "every job here is a lane"
    return job.whole


def _blocks_of_a_turn(used: float, blocks: int) -> int:
    """Compute how many blocks a turn takes: as many as it probably has time for."""
    if not (used and blocks):
        return FIRST_BLOCKS
    return max(1, min(MOST_BLOCKS, round(TURN_MILLISECONDS * blocks / used)))


def _pause(turn: Turn) -> timedelta:
    return CROWDED_PAUSE if turn.crowded else timedelta(0)
