"""What work costs, how it is told through the house, and who is next where there is not room for all."""

import asyncio
import contextlib
import os
import time
import uuid
from dataclasses import replace

import pytest
from redis.asyncio import Redis
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.shared.app import Accounted, internal
from services.shared.auth import Signer, Viewer
from services.shared.garbage import Pauses
from services.shared.http_client import Answer
from services.shared.limits.bucket import Bucket
from services.shared.limits.decay import HALF_LIFE
from services.shared.limits.meter import (
    CHARGED_HEADER,
    MOST_POINTS,
    REMAINING_HEADER,
    TALLY,
    Meter,
    RateLimited,
    Tally,
    TooExpensive,
    points_for,
)
from services.shared.limits.purses import CAPACITY, NETWORK, Draw, Rate
from services.shared.limits.turns import Crowded, Turns
from services.shared.peers import Peer
from services.shared.valkey import connect
from services.shared.workers import NICENESS, Busy, OutOfTime, Workers
from tests.house import PRIVATE_KEY, PUBLIC_KEYS
from tests.within import Within

MARA = Viewer("acc_mara", frozenset({"read"}))


@pytest.fixture
async def meter(valkey_url: str) -> "Meter":
    redis: Redis = connect(valkey_url)
    await redis.delete(f"hf:bucket:{MARA.account}")
    return Meter(Bucket(redis))


def test_points_are_rounded_up() -> None:
    assert [points_for(ms) for ms in (0, 0.1, 3, 3.1, 30)] == [0, 1, 1, 2, 10]


async def test_work_is_charged_and_told(meter: Meter) -> None:
    tally = Tally()
    TALLY.set(tally)
    await meter.charge(MARA, 300)
    await meter.charge(MARA, 0)
    assert tally.charged == 300
    assert tally.remaining is not None and 1_690 <= tally.remaining <= 1_720
    assert tally.told() == {CHARGED_HEADER: "300", REMAINING_HEADER: str(tally.remaining)}


async def test_an_empty_bucket_refuses_work_and_loses_nothing(meter: Meter) -> None:
    TALLY.set(None)
    for _ in range(CAPACITY // MOST_POINTS):
        await meter.charge(MARA, MOST_POINTS)
    with pytest.raises(RateLimited) as refused:
        await meter.charge(MARA, 500)
    assert 1 <= refused.value.retry_after <= 5


async def test_many_accounts_at_one_place_share_the_budget_of_their_network(valkey_url: str) -> None:
    meter, place = Meter(Bucket(connect(valkey_url))), uuid.uuid4().hex
    paid = 0
    with pytest.raises(RateLimited):
        for number in range(2 * NETWORK.capacity // MOST_POINTS):
            await meter.charge(Viewer(f"acc_{place}_{number}", network=place), MOST_POINTS)
            paid += MOST_POINTS
    # What the network's bucket held, and at most what it gained in the seconds that this took.
    assert NETWORK.capacity <= paid < 2 * NETWORK.capacity
    await meter.charge(Viewer(f"acc_{place}", network=f"not {place}"), MOST_POINTS)


async def test_a_charge_takes_from_all_buckets_or_from_none(valkey_url: str) -> None:
    bucket, place = Bucket(connect(valkey_url)), uuid.uuid4().hex
    full, short = Draw(f"{place}:full", 600, Rate(2_000, 1)), Draw(f"{place}:short", 600, Rate(1_000, 1))
    assert (await bucket.charge(full, short)).allowed
    refused = await bucket.charge(full, short)
    assert not refused.allowed and 150 <= refused.retry_after <= 200
    # Both gain a point a second.
    assert 1_400 <= (await bucket.charge(replace(full, cost=0))).remaining < 1_450
    # The emptier of the two is told of.
    assert refused.capacity == 1_000
    assert 400 <= refused.remaining <= (await bucket.charge(replace(short, cost=0))).remaining < 450


async def test_work_is_paid_by_the_limit_of_a_key_too(meter: Meter) -> None:
    key = uuid.uuid4().hex
    bot = Viewer(f"acc_{key}", key=key, limit=(100, 1))
    await meter.charge(bot, 90)
    with pytest.raises(RateLimited) as refused:
        await meter.charge(bot, 20)
    assert refused.value.extensions is not None and refused.value.extensions["limit"] == "key"
    await meter.charge(Viewer(bot.account, key="another"), 500)


async def test_work_beyond_one_request_is_never_begun(meter: Meter) -> None:
    with pytest.raises(TooExpensive) as refused:
        await meter.charge(MARA, MOST_POINTS + 1)
    assert refused.value.extensions == {
        "code": "QUERY_TOO_EXPENSIVE",
        "requested": MOST_POINTS + 1,
        "allowed": MOST_POINTS,
    }


async def _asked_through_a_peer(meter: Meter, points: int) -> tuple[Answer, Tally]:
    """Have another service charge for work, through the client that services call each other with."""
    signer = Signer("dice", PRIVATE_KEY, PUBLIC_KEYS)

    async def work(_request: Request, viewer: Viewer) -> Response:
        await meter.charge(viewer, points)
        return JSONResponse({})

    app = Accounted(Starlette(routes=[Route("/internal/work", internal(signer, work))]), "dice", Pauses())
    peer = Peer("dice", "http://dice", Signer("campaign", PRIVATE_KEY, PUBLIC_KEYS))
    peer._client = Within(lambda: app)
    mine = Tally()
    TALLY.set(mine)
    try:
        # A task of its own, as another process would be.
        answer = await asyncio.create_task(peer.fetch(MARA, "work"))
    finally:
        await peer.close()
    return answer, mine


async def test_what_another_service_charges_is_added_up(meter: Meter) -> None:
    answer, mine = await _asked_through_a_peer(meter, 40)
    assert answer.status == 200
    assert (mine.charged, answer.headers[CHARGED_HEADER]) == (40, "40")


async def test_what_stops_another_service_is_raised_here(meter: Meter) -> None:
    with pytest.raises(TooExpensive):
        await _asked_through_a_peer(meter, MOST_POINTS + 1)
    await meter.charge(MARA, MOST_POINTS)
    with pytest.raises(RateLimited):
        await _asked_through_a_peer(meter, MOST_POINTS)
        await _asked_through_a_peer(meter, MOST_POINTS)


# Turns


async def _ask(turns: Turns, owner: str, served: list[str], go: asyncio.Event) -> None:
    async with turns.place(owner):
        served.append(owner)
        await go.wait()


async def test_accounts_take_turns() -> None:
    turns = Turns(1, waiting=10, waiting_each=5, clock=lambda: 0.0)
    served: list[str] = []
    go = asyncio.Event()
    asked = [asyncio.create_task(_ask(turns, owner, served, go)) for owner in "aaaabb"]
    while turns.waiting < 5:
        await asyncio.sleep(0)
    go.set()
    await asyncio.gather(*asked)
    assert served == list("ababaa")


async def test_who_has_used_little_goes_before_all_who_have_used_much() -> None:
    now = 0.0
    turns = Turns(1, waiting=100, waiting_each=10, clock=lambda: now)
    for owner in "abcd":
        async with turns.place(owner):
            now += 10.0
    served: list[str] = []
    go = asyncio.Event()
    asked = [asyncio.create_task(_ask(turns, owner, served, go)) for owner in "aabbccdd"]
    while turns.waiting < 7:
        await asyncio.sleep(0)
    asked.append(asyncio.create_task(_ask(turns, "stranger", served, go)))
    while turns.waiting < 8:
        await asyncio.sleep(0)
    go.set()
    await asyncio.gather(*asked)
    assert served[:2] == ["a", "stranger"]
    now += 40 * HALF_LIFE  # what was used fades: everybody is a stranger again
    async with turns.place("stranger"):
        now += 10.0
    served.clear()
    go.clear()
    async with turns.place("e"):
        asked = [asyncio.create_task(_ask(turns, owner, served, go)) for owner in ("stranger", "a")]
        while turns.waiting < 2:
            await asyncio.sleep(0)
    go.set()
    await asyncio.gather(*asked)
    assert served == ["a", "stranger"]


async def test_who_holds_a_place_waits_for_those_who_hold_none() -> None:
    now = 0.0
    turns = Turns(2, waiting=10, waiting_each=5, clock=lambda: now)
    served: list[str] = []
    go = asyncio.Event()
    async with turns.place("b"):  # "b" has used more than "a", whose work still goes on
        now += 10.0
    async with turns.place("a"):
        async with turns.place("c"):
            asked = [asyncio.create_task(_ask(turns, owner, served, go)) for owner in ("a", "b")]
            while turns.waiting < 2:
                await asyncio.sleep(0)
        while not served:
            await asyncio.sleep(0)
        assert served == ["b"]
    go.set()
    await asyncio.gather(*asked)


async def test_who_asks_for_a_little_now_and_then_waits_for_one_use_of_each_of_the_others() -> None:
    now = 0.0
    turns = Turns(1, waiting=100, waiting_each=10, clock=lambda: now)
    served: list[str] = []

    async def use(owner: str, seconds: float) -> None:
        nonlocal now
        async with turns.place(owner):
            served.append(owner)
            await asyncio.sleep(0)
            now += seconds

    for _ in range(100):
        await use("steady", 0.01)
    served.clear()
    async with turns.place("d"):
        asked = [asyncio.create_task(use(owner, 0.03)) for owner in "aaabbbccc"]
        asked.append(asyncio.create_task(use("steady", 0.01)))
        while turns.waiting < len(asked):
            await asyncio.sleep(0)
    await asyncio.gather(*asked)
    assert served == ["a", "b", "c", "steady", *"abcabc"]


async def test_who_asks_too_much_is_turned_away_and_others_are_not() -> None:
    turns = Turns(1, waiting=3, waiting_each=2)
    go = asyncio.Event()
    served: list[str] = []
    asked = [asyncio.create_task(_ask(turns, owner, served, go)) for owner in "aaa"]
    while turns.waiting < 2:
        await asyncio.sleep(0)
    with pytest.raises(Crowded):
        await _ask(turns, "a", served, go)
    asked.append(asyncio.create_task(_ask(turns, "b", served, go)))
    while turns.waiting < 3:
        await asyncio.sleep(0)
    with pytest.raises(Crowded):
        await _ask(turns, "c", served, go)
    go.set()
    await asyncio.gather(*asked)


async def test_who_gives_up_waiting_leaves_no_gap() -> None:
    turns = Turns(1, waiting=10, waiting_each=5)
    go = asyncio.Event()
    served: list[str] = []
    first, second, third = (asyncio.create_task(_ask(turns, owner, served, go)) for owner in "abc")
    while turns.waiting < 2:
        await asyncio.sleep(0)
    second.cancel()
    go.set()
    await asyncio.gather(first, third)
    assert served == ["a", "c"] and turns.waiting == 0
    async with turns.place("d"):  # the place is free again
        pass


async def test_a_place_handed_over_to_who_gives_up_is_passed_on() -> None:
    turns = Turns(1, waiting=10, waiting_each=5)
    go = asyncio.Event()
    served: list[str] = []
    async with turns.place("a"):
        second = asyncio.create_task(_ask(turns, "b", served, go))
        third = asyncio.create_task(_ask(turns, "c", served, go))
        while turns.waiting < 2:
            await asyncio.sleep(0)
    second.cancel()  # it was just handed the place, and has not run since
    go.set()
    await third
    assert served == ["c"]


# Workers


def _nothing() -> None:
    """Prepare a worker for nothing in particular."""


def _burn(seconds: float) -> float:
    """Use up processor time."""
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass
    return seconds


async def test_a_question_is_ended_by_its_processor_time_and_the_next_is_answered() -> None:
    workers = Workers(_nothing, seconds=0.5)
    try:
        with pytest.raises(OutOfTime):
            await workers.run("acc_a", _burn, 60.0)
        assert await workers.run("acc_a", _burn, 0.01) == 0.01
    finally:
        await workers.close()


async def test_a_question_is_ended_by_the_clock_before_whoever_waits_for_it_has_gone() -> None:
    workers = Workers(_nothing, patience=4.0)
    try:
        await until_warm(workers)
        with pytest.raises(OutOfTime):
            await workers.run("acc_a", time.sleep, 60.0)
        assert await workers.run("acc_a", _burn, 0.01) == 0.01
    finally:
        await workers.close()


async def test_a_question_that_only_waited_is_told_that_too_many_wait() -> None:
    workers = Workers(_nothing, patience=4.0)
    try:
        await until_warm(workers)
        ends = await asyncio.gather(
            *(workers.run("acc_a", time.sleep, 60.0) for _ in range(2)), return_exceptions=True
        )
        assert [type(end) for end in ends] == [OutOfTime, Busy]
    finally:
        await workers.close()


async def test_workers_stand_back_for_whoever_asks_them() -> None:
    workers = Workers(_nothing, patience=4.0)
    try:
        await until_warm(workers)
        assert await workers.run("acc_a", os.nice, 0) == min(19, os.nice(0) + NICENESS)
    finally:
        await workers.close()


async def until_warm(workers: Workers) -> None:
    """Ask until the processes have started and answered."""
    while not workers.warm:
        with contextlib.suppress(Busy):
            await workers.run("acc_a", _burn, 0.0)
