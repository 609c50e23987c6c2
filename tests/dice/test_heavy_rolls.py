"""Rolls that are much work: paid for, evaluated in a worker between two units of work, and never lost."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.dice.chain.requests import RotateRollEpoch
from services.dice.chain.service import ChainService
from services.dice.rolls import evaluation, pricing, reservations, service
from services.dice.rolls.repository import Narrowed
from services.dice.rolls.requests import NewRoll, NewRolls
from services.dice.rolls.reservations import LEASE
from services.dice.rolls.service import RollService
from services.dice.rolls.transcript import MOST_DICE, Transcript
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.limits.meter import LimitReached, Meter, RateLimited, TooExpensive, points_beyond
from services.shared.limits.purses import Charge, Draw
from services.shared.problems import InvalidInput
from services.shared.settings import Settings
from services.shared.workers import OutOfTime, Workers
from tests.databases import ON_BOTH
from tests.dice.outcomes import refused
from tests.dice.test_rolling import Tray

pytestmark = pytest.mark.databases("dice")

HEAVY = "200d1000r<991"
TABLE = new_id("cmp")


class Purse:
    """A meter that notes what is charged, and refuses what one operation may not cost."""

    def __init__(self) -> None:
        self.charged: list[int] = []

    async def charge(self, _viewer: Viewer, points: int) -> None:
        if points > 1_000:
            raise TooExpensive(points)
        self.charged.append(points)


class Bare:
    """Buckets that hold nothing."""

    async def charge(self, *_draws: Draw) -> Charge:
        return Charge(allowed=False, remaining=0, retry_after=1)


class Stuck(Workers):
    """Workers in which every question is ended, or never comes back."""

    def __init__(self, error: type[Exception] | None = None) -> None:
        super().__init__(evaluation.prepare)
        self.asked = asyncio.Event()
        self._error = error

    async def run(self, *_args: Any, **_kwargs: Any) -> Any:
        self.asked.set()
        if self._error is not None:
            raise self._error
        await asyncio.Event().wait()


def service_of(tray: Tray, workers: Workers | None = None, meter: Any = None) -> RollService:
    """Another process that serves the same tables."""
    mine = tray.service
    return RollService(tray.database, tray.clock, tray.policy, mine._reader, tray.ledger, meter, workers)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait as long as it takes to start a worker process on a machine with other things to do."""
    for module in (reservations, service):
        monkeypatch.setattr(module, "PATIENCE", 60.0)


@pytest.fixture
async def tray(settings: Settings) -> AsyncIterator[Tray]:
    database = Database(settings.database_url("dice"))
    made = Tray(database)
    yield made
    await made.service.close()
    await database.close()


async def verified(tray: Tray, viewer: Viewer, roll: str) -> list[str]:
    """Verify a roll; give the steps that do not hold."""
    chains = ChainService(tray.database, tray.clock, tray.policy, tray.ledger, tray.service.content)
    found = await chains.verify(viewer, roll)
    assert found is not None and found.receipt is not None
    return [step.detail for step in found.steps if not step.ok]


async def test_a_heavy_roll_is_the_same_as_if_it_had_been_evaluated_at_once(tray: Tray) -> None:
    ada = tray.member(TABLE)
    await tray.roll(ada, campaign_id=TABLE)
    made = await tray.roll(ada, HEAVY, campaign_id=TABLE, label="Storm", entropy="ab" * 16)
    light = await tray.roll(ada, campaign_id=TABLE)
    assert [made.row.number, light.row.number] == [2, 3]
    assert [made.row.seq, light.row.seq] == [2, 3]
    assert made.row.told is not None
    assert made.row.draws == len(made.result.faces) > 2_000
    assert Transcript.of(made.result, tree=True) == made.told
    assert await verified(tray, ada, made.row.id) == []
    assert [term.left_out for term in made.told.terms] == [made.row.draws - MOST_DICE]
    assert await tray.count("reservation") == 0
    assert [event[1]["total"] for event in await tray.events()][1] == made.row.total


async def test_whoever_is_gone_when_it_is_made_is_answered_under_the_same_key(tray: Tray) -> None:
    ada = tray.member(TABLE)
    first = asyncio.create_task(tray.service.roll(ada, NewRoll(HEAVY), "k"))
    while await tray.count("reservation") == 0:
        await asyncio.sleep(0.01)
    first.cancel()
    again = await tray.roll(ada, HEAVY, "k")
    assert await tray.count("roll") == 1
    assert again.row.number == 1


async def test_nobody_draws_while_numbers_are_reserved_and_a_dead_process_changes_nothing(
    tray: Tray,
) -> None:
    ada = tray.member(TABLE)
    await tray.roll(ada)
    dying = service_of(tray, workers := Stuck())
    asked = asyncio.create_task(dying.roll(ada, NewRoll(HEAVY, entropy="cd" * 16), "k"))
    await workers.asked.wait()
    asked.cancel()
    await dying.close()  # as if killed: the reservation is all that is left
    waiting = asyncio.create_task(tray.service.roll(ada, NewRoll("d6")))
    others = await tray.roll(tray.member(new_id("cmp")))
    assert others.row.number == 1
    await asyncio.sleep(0)
    assert not waiting.done()
    tray.now += LEASE
    after = await waiting
    rolls = (await tray.service.page(ada, Narrowed(), first=10, after=None)).items
    assert [(roll.row.number, roll.row.expression) for roll in rolls] == [
        (3, "1d6"),
        (2, HEAVY),
        (1, "2d6"),
    ]
    assert after.row.id == rolls[0].row.id
    again = await tray.roll(ada, HEAVY, "k", entropy="cd" * 16)
    assert again.row.id == rolls[1].row.id
    assert await verified(tray, ada, again.row.id) == []


@ON_BOTH
async def test_two_processes_that_evaluate_one_reservation_keep_one_roll(
    tray: Tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = tray.member(TABLE)
    other = service_of(tray)
    try:
        first = asyncio.create_task(tray.service.roll(ada, NewRoll(HEAVY)))
        while await tray.count("reservation") == 0:
            await asyncio.sleep(0.005)
        tray.now += LEASE * 2
        monkeypatch.setattr(reservations, "SWEEP", 0.0)
        await asyncio.gather(first, other.sweep())
    finally:
        await other.close()
    assert (await tray.count("roll"), await tray.count("receipt"), await tray.count("reservation")) == (
        1,
        1,
        0,
    )


async def test_many_rolls_are_kept_a_few_at_a_time_and_others_write_between(tray: Tray) -> None:
    ada, ben = tray.member(TABLE), tray.member(new_id("cmp"))
    many = asyncio.create_task(
        tray.service.roll_many(ada, NewRolls([NewRoll("d20", campaign_id=TABLE)] * 95), "k")
    )
    while await tray.count("reservation") == 0:
        await asyncio.sleep(0)
    other = await tray.roll(ben)
    assert await tray.count("reservation") == 1
    made = await many
    assert [roll.row.number for roll in made.rolls] == list(range(1, 96))
    assert [roll.row.batch_place for roll in made.rolls] == list(range(95))
    assert other.row.created_at is not None and await tray.count("reservation") == 0
    again = await tray.service.roll_many(ada, NewRolls([NewRoll("d20", campaign_id=TABLE)] * 95), "k")
    assert [roll.row.id for roll in again.rolls] == [roll.row.id for roll in made.rolls]
    assert await verified(tray, ada, made.rolls[-1].row.id) == []


async def test_a_process_that_dies_half_way_leaves_the_rest_to_another_one(
    tray: Tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = tray.member(TABLE)
    dying = service_of(tray)
    settle, steps = dying._reservations._settle, 0

    async def half(*args: Any) -> bool:
        nonlocal steps
        steps += 1
        if steps == 4:
            await asyncio.Event().wait()
        return await settle(*args)

    monkeypatch.setattr(dying._reservations, "_settle", half)
    asked = asyncio.create_task(dying.roll_many(ada, NewRolls([NewRoll("d20", campaign_id=TABLE)] * 95), "k"))
    while steps < 4:
        await asyncio.sleep(0)
    asked.cancel()
    await dying.close()
    assert await tray.count("roll") == 3 * pricing.KEPT_AT_ONCE
    # Whoever else draws there waits for the rest, and whoever asks again is answered with all of them.
    tray.now += LEASE
    made = await tray.service.roll_many(ada, NewRolls([NewRoll("d20", campaign_id=TABLE)] * 95), "k")
    assert [roll.row.number for roll in made.rolls] == list(range(1, 96))
    assert (await tray.roll(ada, campaign_id=TABLE)).row.number == 96
    assert await tray.count("roll") == 96


async def test_a_roll_that_has_to_be_ended_is_a_void_that_names_roller_and_expression(tray: Tray) -> None:
    ada = tray.member(TABLE)
    ending = service_of(tray, Stuck(OutOfTime))
    asked = NewRoll(HEAVY, campaign_id=TABLE, label="Storm")
    outcome = await refused(ending.roll(ada, asked), InvalidInput)
    assert outcome.issues[0].code == "OUT_OF_TIME"
    (kept,) = (await tray.service.page(ada, Narrowed(campaign=TABLE), first=5, after=None)).items
    assert (kept.row.account, kept.row.expression, kept.row.void) == (ada.account, HEAVY, "OUT_OF_TIME")
    assert (kept.row.outcome, kept.row.draws) == ("void", 0)
    assert await verified(tray, ada, kept.row.id) == []
    ((_, told),) = await tray.events()
    assert told["text"] == f"Storm: {HEAVY} = void (out of time)"


async def test_an_epoch_with_too_few_numbers_left_is_closed_before_they_are_taken(tray: Tray) -> None:
    ada = tray.member(TABLE)
    tray.ledger._length = 3
    for _ in range(2):
        await tray.roll(ada)
    asked = NewRolls((NewRoll(HEAVY, entropy="ab" * 16), NewRoll("d6")))
    made = await tray.service.roll_many(ada, asked)
    assert [roll.row.number for roll in made.rolls] == [1, 2]
    assert [await verified(tray, ada, roll.row.id) for roll in made.rolls] == [[], []]


@ON_BOTH
async def test_no_epoch_is_rotated_away_under_numbers_that_are_reserved(tray: Tray) -> None:
    ada = tray.member(TABLE)
    chains = ChainService(
        tray.database, tray.clock, tray.policy, tray.ledger, tray.service.content, tray.service.in_turn
    )
    rolling = asyncio.create_task(tray.service.roll(ada, NewRoll(HEAVY)))
    while await tray.count("reservation") == 0:
        await asyncio.sleep(0.005)
    await chains.rotate(ada, RotateRollEpoch())
    made = await rolling
    assert await verified(tray, ada, made.row.id) == []


async def test_what_a_batch_would_cost_is_known_before_a_die_falls(tray: Tray) -> None:
    ada, purse = tray.member(TABLE), Purse()
    serving = service_of(tray, meter=purse)
    with pytest.raises(LimitReached):
        await serving.roll_many(ada, NewRolls((NewRoll(HEAVY),) * 100))
    assert (await tray.count("roll"), await tray.count("epoch")) == (0, 0)
    await serving.roll(ada, NewRoll("20d6"), "k", lists=1)
    await serving.roll(ada, NewRoll("1000d6"), lists=1)
    light, heavy = purse.charged
    assert light == 0
    assert heavy > 15


async def test_a_verification_is_paid_for_by_its_draws_before_it_begins(tray: Tray) -> None:
    ada, purse = tray.member(TABLE), Purse()
    light, heavy = await tray.roll(ada, "2d6"), await tray.roll(ada, "1000d6")
    serving = service_of(tray, meter=purse)
    for roll in (light, heavy):
        assert await serving.content(ada, roll.row.id) is not None
    assert purse.charged == [0, points_beyond(pricing.verification(1_000))]
    assert purse.charged[1] >= 2
    assert await serving.content(tray.member(new_id("cmp")), heavy.row.id) is None
    assert len(purse.charged) == 2  # what they may not see costs them nothing, and tells them nothing
    empty = service_of(tray, meter=Meter(Bare()))  # type: ignore[arg-type]
    chains = ChainService(tray.database, tray.clock, tray.policy, tray.ledger, empty.content)
    with pytest.raises(RateLimited):
        await chains.verify(ada, heavy.row.id)


async def test_what_is_given_again_is_not_charged_again(tray: Tray) -> None:
    ada, purse = tray.member(TABLE), Purse()
    serving = service_of(tray, meter=purse)
    for _ in range(2):
        await serving.roll(ada, NewRoll("1000d1000"), "k")
    assert purse.charged[0] > 0
    assert purse.charged[1] == 0
    await serving.close()


def test_what_is_told_is_read_as_it_was_written() -> None:
    viewer = new_id("acc")
    stream = evaluation.Stream(viewer.encode()[:32].ljust(32, b"s"), b"e" * 16, 1, b"c" * 16)
    for text in (HEAVY, "600d6!>5 / 7 + {2d6, 1d8}kh1[fire]", "20 / (600d6 >= 7)"):
        found = evaluation.evaluate(text, None, stream)
        assert found.stored is not None and Transcript.read(found.stored) == found.told
