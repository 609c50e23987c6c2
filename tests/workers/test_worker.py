"""Real workers on a real broker: what is asked for is made once, whatever happens on the way."""

import hashlib
import os
import signal
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest

from services.shared.jobs import LEASE, Job, JobState
from tests.workers.shop import Shop, child_of, pid_of
from workers.liveness import VISIBILITY_SECONDS


def test_a_map_is_made_step_by_step_and_its_files_can_be_read(working_shop: Shop) -> None:
    shop = working_shop
    job = shop.wait_ended(shop.generate(seed="42", title="Emberlow"))
    assert job.state is JobState.SUCCEEDED and job.attempt == 1 and job.error is None
    (made,) = (one for one in shop.maps() if one.job == job.id)
    assert job.result == {"map": made.id}
    assert (made.name, made.seed, made.kind) == ("Emberlow", "42", "forgeborn_realm")
    svg, model = shop.content(made.id, "map.svg"), shop.content(made.id, "map.json")
    assert svg.content_type == "image/svg+xml" and b"<svg" in svg.content and b"Emberlow" in svg.content
    assert model.content.decode() == made.model and orjson.loads(model.content)["seed"] == "42"
    assert all(file.sha256 == hashlib.sha256(file.content).hexdigest() for file in (svg, model))
    assert all(faults == [] for _, faults in orjson.loads(made.gates))


def test_every_version_of_a_job_is_told_once_and_published(working_shop: Shop) -> None:
    shop = working_shop
    job = shop.wait_ended(shop.generate())
    changes = shop.changes(job)
    assert [change.version for change in changes] == list(range(2, job.version + 1))
    assert changes[0].state is JobState.RUNNING and changes[-1] == job
    assert all(one.progress <= other.progress for one, other in pairwise(changes))
    shop.wait_for(lambda: len(events(shop, job)) == job.version + 1, "the events")
    told = [payload for kind, payload in events(shop, job) if kind == b"job.changed"]
    assert [each["version"] for each in told] == list(range(1, job.version + 1))
    (made,) = [payload for kind, payload in events(shop, job) if kind == b"map.made"]
    assert made["id"] == (job.result or {})["map"]


def events(shop: Shop, job: Job) -> list[tuple[bytes, dict[str, Any]]]:
    """Read what was published of a job and of its map, in order."""
    own = {job.id, (job.result or {}).get("map")}
    published = [fields for _, fields in shop.broker.xrange("hf:events:map")]
    read = [(fields[b"kind"], orjson.loads(fields[b"payload"])) for fields in published]
    return [(kind, payload) for kind, payload in read if payload["id"] in own]


def test_the_same_seed_gives_the_same_bytes(working_shop: Shop) -> None:
    shop = working_shop
    jobs = [shop.generate(seed="5") for _ in range(2)]
    ids = [(shop.wait_ended(job).result or {})["map"] for job in jobs]
    assert ids[0] != ids[1]
    assert shop.content(ids[0], "map.svg").content == shop.content(ids[1], "map.svg").content


def test_a_broker_that_lost_its_memory_under_a_worker_is_used_on(working_shop: Shop) -> None:
    shop = working_shop
    shop.wait_ended(shop.generate())
    shop.broker.flushall()
    assert shop.wait_ended(shop.generate()).state is JobState.SUCCEEDED


def test_a_message_delivered_many_times_makes_one_map(shop: Shop) -> None:
    job = shop.generate()
    for _ in range(4):
        shop.send_now(job)
    assert shop.broker.llen("maps") == 5  # whatever a message names, it says that there is work
    shop.worker()
    shop.worker()
    ended = shop.wait_ended(job)
    shop.wait_idle()
    assert shop.job(job.id) == ended and ended.attempt == 1
    assert len(shop.maps()) == 1


def test_a_job_cancelled_in_the_queue_is_never_begun(working_shop: Shop) -> None:
    shop = working_shop
    shop.held()
    shop.wait_arrival()  # so the worker is at work: what is asked for now waits
    job = shop.generate()
    assert shop.cancel(job).state is JobState.CANCELLED
    later = shop.generate()
    shop.open_barrier()
    shop.wait_ended(later)
    assert shop.job(job.id).state is JobState.CANCELLED and shop.job(job.id).attempt == 0
    made = [made.job for made in shop.maps()]
    assert later.id in made and job.id not in made


def test_a_job_cancelled_at_work_leaves_nothing_behind_and_frees_its_worker(working_shop: Shop) -> None:
    shop = working_shop
    job = shop.held()
    arrival = shop.wait_arrival()
    later = shop.generate()
    cancelled = shop.cancel(job)
    # The barrier stays closed: only a maker that is killed makes room for the next job.
    assert shop.wait_ended(later).state is JobState.SUCCEEDED
    assert not Path(f"/proc/{pid_of(arrival)}").exists() and Path(f"/proc/{child_of(arrival)}").exists()
    assert shop.job(job.id) == cancelled and cancelled.state is JobState.CANCELLED
    assert job.id not in [made.job for made in shop.maps()]


def test_a_worker_is_seen_alive_and_keeps_its_message_while_its_child_works(working_shop: Shop) -> None:
    shop = working_shop
    job = shop.held()
    shop.wait_arrival()
    ((tag, score),) = shop.broker.zrange("unacked_index", 0, -1, withscores=True)
    shop.broker.delete("hf:alive:worker")
    shop.wait_for(lambda: bool(shop.broker.exists("hf:alive:worker")), "a heartbeat")
    shop.wait_for(lambda: (shop.broker.zscore("unacked_index", tag) or 0) > score, "the lease of the message")
    shop.open_barrier()
    assert shop.wait_ended(job).attempt == 1


def test_a_killed_workers_message_comes_back_without_a_sweeper(working_shop: Shop) -> None:
    shop = working_shop
    job = shop.held()
    shop.wait_arrival()
    shop.kill_worker()
    shop.worker()
    shop.wait_ready()  # how long a process takes to start is not what is measured
    seconds = shop.wait_for(lambda: len(shop.arrivals()) == 2, "the second attempt")
    assert seconds < VISIBILITY_SECONDS + 8
    shop.open_barrier()
    assert shop.wait_ended(job).attempt == 2
    assert [made.job for made in shop.maps()].count(job.id) == 1


# With a sweeper


def test_lost_messages_are_sent_again(working_shop: Shop, request: pytest.FixtureRequest) -> None:
    shop = working_shop
    jobs = [shop.generate(seed=str(seed), lost=True) for seed in range(3)]
    assert shop.broker.llen("maps") == 0
    assert {shop.job(job.id).state for job in jobs} == {JobState.QUEUED}
    request.getfixturevalue("sweeper")
    for job in jobs:
        assert shop.wait_ended(job).state is JobState.SUCCEEDED
    made = [made.job for made in shop.maps()]
    assert [made.count(job.id) for job in jobs] == [1] * 3


def test_a_killed_child_does_not_take_the_job_with_it(swept_shop: Shop) -> None:
    shop = swept_shop
    job = shop.held()
    arrival = shop.wait_arrival()
    os.kill(child_of(arrival), signal.SIGKILL)
    # The process that the job is made in ends with the child that has forked it.
    shop.wait_for(lambda: not Path(f"/proc/{pid_of(arrival)}").exists(), "the end of the maker")
    shop.open_barrier()
    seconds = shop.wait_for(lambda: shop.job(job.id).state.ended, "the end")
    assert shop.job(job.id).state is JobState.SUCCEEDED and shop.job(job.id).attempt == 2
    assert seconds < LEASE.total_seconds() + 10


def test_a_killed_maker_does_not_take_the_job_with_it(swept_shop: Shop) -> None:
    shop = swept_shop
    job = shop.held()
    os.kill(pid_of(shop.wait_arrival()), signal.SIGKILL)
    shop.open_barrier()
    ended = shop.wait_ended(job)
    assert ended.state is JobState.SUCCEEDED and ended.attempt == 2


def test_a_worker_killed_in_the_middle_is_followed_by_the_next(swept_shop: Shop) -> None:
    shop = swept_shop
    job = shop.held()
    shop.wait_arrival()
    shop.kill_worker()
    shop.worker()
    shop.wait_arrival(2)
    shop.open_barrier()
    ended = shop.wait_ended(job)
    assert ended.state is JobState.SUCCEEDED and ended.attempt == 2
    assert [made.job for made in shop.maps()].count(job.id) == 1
