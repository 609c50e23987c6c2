"""A real worker on a real broker plays simulations: each run counts once, whatever happens on the way."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from services.shared.jobs import JobState
from services.shared.migrate import upgrade
from services.shared.settings import SERVICES
from tests.at_length import part_or_whole
from tests.campaign.simulation_desk import bare
from tests.house import installation
from tests.workers.conftest import running_valkey
from tests.workers.simulation_shop import SimulationShop, somebody

OF_A_STRANGER = part_or_whole(120, 500)
RUNS = 600
"""Of the question that faults befall."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulationShop]:
    """Give a workshop where a worker and a sweeper are at work for the whole file."""
    folder: Path = tmp_path_factory.mktemp("players")
    with running_valkey() as valkey:
        files = {name: f"sqlite:///{folder}/{name}.db" for name in SERVICES}
        settings = installation(folder, valkey, files, {})
        asyncio.run(upgrade("campaign", settings.database_url("campaign")))
        (folder / "processes.log").touch()
        made = SimulationShop(settings, redis.Redis.from_url(valkey))
        try:
            made.player()
            made.sweeper()
            made.wait_ready()
            yield made
        finally:
            made.close()


def test_a_question_is_played_to_its_answer(shop: SimulationShop) -> None:
    asker = somebody()
    simulation = shop.ask(asker, runs=150)
    assert shop.wait_answer(asker, simulation) == bare(runs=150)
    assert shop.simulation(asker, simulation).job.state is JobState.SUCCEEDED


def test_a_question_whose_message_was_lost_is_played(shop: SimulationShop) -> None:
    asker = somebody()
    simulation = shop.ask(asker, lost=True, runs=150)
    assert shop.wait_answer(asker, simulation) == bare(runs=150)


def test_a_cancelled_question_frees_its_worker_and_keeps_what_was_found_out(shop: SimulationShop) -> None:
    asker, stranger = somebody(), somebody()
    long = shop.ask(asker, runs=10_000_000)
    shop.wait_blocks(asker, long)
    shop.cancel_simulation(asker, long)
    cancelled = shop.simulation(asker, long)
    assert cancelled.job.state is JobState.CANCELLED
    assert cancelled.row.runs > 0
    shop.wait_answer(stranger, shop.ask(stranger, runs=150))
    later = shop.simulation(asker, long).row
    assert (later.runs, later.report, later.processor_ms) == (
        cancelled.row.runs,
        cancelled.row.report,
        cancelled.row.processor_ms,
    )
    shorter = shop.ask(asker, runs=cancelled.row.runs)
    assert shop.simulation(asker, shorter).job.state is JobState.SUCCEEDED


def test_beside_a_long_question_the_runs_of_a_stranger_are_answered(shop: SimulationShop) -> None:
    asker, stranger = somebody(), somebody()
    long = shop.ask(asker, runs=10_000_000)
    shop.wait_blocks(asker, long)
    shop.wait_answer(stranger, shop.ask(stranger, runs=OF_A_STRANGER))
    assert shop.simulation(asker, long).job.state is JobState.RUNNING
    shop.cancel_simulation(asker, long)


def test_whatever_is_killed_while_it_is_played_the_answer_is_the_same(shop: SimulationShop) -> None:
    asker = somebody()
    simulation, known = shop.ask(asker, runs=RUNS), 0
    faults = [shop.kill_maker, shop.forget_all, shop.kill_child, shop.replace_worker, shop.kill_maker]
    for fault in faults:
        known = shop.wait_blocks(asker, simulation, known)
        while not fault():
            assert not shop.simulation(asker, simulation).job.state.ended, "it ended before its faults"
    assert shop.wait_answer(asker, simulation) == bare(runs=RUNS)
