"""A job's progress as it is told: the present state, every later change once and in order, then the end."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from services.shared.ids import new_id
from services.shared.pagination import cursor_of_number, encode_cursor
from tests.character.desk import Tables, somebody
from tests.conftest import wait_for
from tests.map.service_desk import CANCEL, JOB, PROGRESS, MapDesk

CAMPAIGN = new_id("cmp")


def told(
    events: Iterator[dict[str, Any]], on_first: Callable[[], Any] = lambda: None
) -> list[dict[str, Any]]:
    """Collect a subscription up to its end; do something once the first answer is there."""
    found: list[dict[str, Any]] = []
    for event in events:
        assert not event.get("errors"), event
        found.append(event["data"]["jobProgress"])
        if len(found) == 1:
            on_first()
    return found


def test_a_subscriber_hears_the_present_state_and_every_change_to_the_end(map_desk: MapDesk) -> None:
    viewer = somebody()
    job = map_desk.queued(viewer)
    worker = threading.Thread(target=map_desk.work, args=(job,))
    changes = told(map_desk.events(viewer, PROGRESS, id=job), worker.start)
    worker.join()
    assert [change["version"] for change in changes] == list(range(1, changes[-1]["version"] + 1))
    assert [change["state"] for change in changes[:2]] == ["QUEUED", "RUNNING"]
    assert changes[-1]["state"] == "SUCCEEDED" and changes[-1]["map"] is not None
    assert all(change["map"] is None for change in changes[:-1])


def test_many_subscribers_hear_the_same(map_desk: MapDesk) -> None:
    viewer = somebody()
    job = map_desk.queued(viewer)
    ready = threading.Barrier(6)
    with ThreadPoolExecutor(6) as pool:
        hearing = [pool.submit(told, map_desk.events(viewer, PROGRESS, id=job), ready.wait) for _ in range(5)]
        ready.wait(20)
        map_desk.work(job)
        first, *others = [each.result(20) for each in hearing]
    assert all(other == first for other in others)


def test_who_comes_back_gets_every_change_that_was_missed(map_desk: MapDesk) -> None:
    viewer = somebody()
    job = map_desk.queued(viewer)
    done = map_desk.work(job)
    assert done is not None
    missed = told(map_desk.events(viewer, PROGRESS, id=job, after=cursor_of_number(2)))
    assert [change["version"] for change in missed] == list(range(3, done.version + 1))
    assert missed[-1]["state"] == "SUCCEEDED"


def test_who_comes_after_the_end_gets_the_end_and_who_has_it_nothing(map_desk: MapDesk) -> None:
    viewer = somebody()
    job = map_desk.queued(viewer)
    done = map_desk.work(job)
    assert done is not None
    (end,) = told(map_desk.events(viewer, PROGRESS, id=job))
    assert end["version"] == done.version and end["state"] == "SUCCEEDED"
    assert told(map_desk.events(viewer, PROGRESS, id=job, after=end["cursor"])) == []
    assert told(map_desk.events(viewer, PROGRESS, id=job, after=cursor_of_number(2_000_000))) == []


@pytest.mark.parametrize("cursor", ["", "2", cursor_of_number(2)[:-1], encode_cursor("job_x")])
def test_a_cursor_of_something_else_is_refused(map_desk: MapDesk, cursor: str) -> None:
    viewer = somebody()
    (event,) = map_desk.events(viewer, PROGRESS, id=map_desk.queued(viewer), after=cursor)
    assert event["errors"][0]["extensions"]["code"] == "BAD_CURSOR"


def test_cancelling_ends_the_stream(map_desk: MapDesk) -> None:
    viewer = somebody()
    job = map_desk.queued(viewer)
    changes = told(map_desk.events(viewer, PROGRESS, id=job), lambda: map_desk.ask(viewer, CANCEL, id=job))
    assert [change["state"] for change in changes] == ["QUEUED", "CANCELLED"]


def test_a_job_of_somebody_else_is_not_found(map_desk: MapDesk) -> None:
    job = map_desk.queued(somebody())
    for unknown in (job, new_id("job"), "job_x"):
        (event,) = map_desk.events(somebody(), PROGRESS, id=unknown)
        assert event["errors"][0]["extensions"]["code"] == "NOT_FOUND"


def test_who_leaves_the_table_hears_no_more(map_desk: MapDesk, tables: Tables) -> None:
    gm, player = somebody(), somebody()
    tables.seat(new_id("chr"), CAMPAIGN, gm=gm, player=player)
    job = map_desk.queued(gm, CAMPAIGN)
    events = map_desk.events(player, PROGRESS, id=job)
    assert next(events)["data"]["jobProgress"]["state"] == "QUEUED"
    del tables.access[player.account]
    # What was known of the table is kept for a second.
    wait_for(lambda: map_desk.ask(player, JOB, id=job)["job"] is None, "the end of what was known")
    map_desk.work(job)
    (last,) = events
    assert not last.get("data")
    assert last["errors"][0]["extensions"]["code"] == "NOT_FOUND"
