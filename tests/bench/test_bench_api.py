"""The benchmark of the API: its parts that need no product."""

import pytest

from infra.benchmarks.api import whole_roll
from infra.benchmarks.harness.rounds import Contender


@pytest.mark.parametrize("contender", whole_roll(), ids=lambda contender: contender.name)
async def test_the_whole_of_a_roll_is_answered_in_process(contender: Contender) -> None:
    sample = await contender.measure(0.001)
    assert sample.latencies and not sample.failures
