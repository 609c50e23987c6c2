"""The sampler beside exact answers, in small; and the benchmark of simulations."""

import json

from infra.benchmarks import exact, sim
from infra.benchmarks.harness.exact_setups import held, questions


def test_intervals_of_the_sampler_hold_exact_values() -> None:
    told = [answer for question in questions("in small", 4) if (answer := held(question, 40)) is not None]
    assert len(told) >= 3
    assert all(told)


def test_the_benchmark_of_exact_answers_tells_its_share() -> None:
    (case,) = exact.run(exact.SECONDS / exact.QUESTIONS)
    line = json.loads(case.line())
    assert (line["unit"], line["target"], line["questions"]) == ("share of questions", 0.98, 1)


def test_rates_and_overhead_of_simulations_can_be_measured_and_told() -> None:
    lines = [json.loads(case.line()) for case in (*sim.rates(0.0, rounds=1), *sim.overhead(0.0, rounds=1))]
    assert [line["unit"] for line in lines] == [
        *["scenes/s per core"] * 4,
        *["games/s per core"] * 2,
        *["runs/s per core"] * 2,
    ]
    assert len({line["case"] for line in lines}) == len(lines)
    assert all(line["value"] > 0 and line["measured"] >= 1 and line["target"] for line in lines)
