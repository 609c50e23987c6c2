"""``infra/gate`` finds its gates, tells what is met, and reads requests that are given as data."""

import json
import os
import subprocess
import sys
import time

import pytest

from infra.gates.costs import Row, judged
from infra.gates.frame import command
from infra.gates.frame.figures import Figure, GateFailure, Wanted
from infra.gates.frame.house import House
from infra.gates.frame.processor import Meter, processor_ms
from infra.gates.frame.requests import FOLDER, Asked
from infra.gates.frame.suite import tests as run_tests

BURN = "import time, sys\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"


@pytest.mark.parametrize(
    ("wanted", "values"),
    [
        (Wanted.EXACTLY, {2: False, 3: True, 4: False}),
        (Wanted.AT_MOST, {3: True, 4: False}),
        (Wanted.AT_LEAST, {2: False, 3: True}),
    ],
)
def test_figure_is_met_as_its_target_wants_it(wanted: Wanted, values: dict[int, bool]) -> None:
    assert {value: Figure("x", value, "things", 3, wanted).met for value in values} == values


def test_figure_with_findings_is_missed_whatever_its_value() -> None:
    assert not Figure("x", 3, "things", 3, findings=("but one was odd",)).met
    line = json.loads(Figure("x", 2.5, "things", 3, Wanted.AT_MOST, more={"why": "so"}).line())
    shown = {"gate": "x", "value": 2.5, "unit": "things", "target": "<= 3", "met": True, "why": "so"}
    assert line == shown


def test_every_gate_says_what_it_holds_and_can_be_run() -> None:
    found = command.gates()
    assert {"audits", "canary", "contract", "costs", "documents", "framing", "matrix", "soak"} <= found.keys()
    assert all(found.values())
    assert all(callable(command.load(name).run) for name in found)
    with pytest.raises(GateFailure, match="there is no gate 'trebuchet'"):
        command.load("trebuchet")


def test_missed_figure_makes_the_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    class Shut:
        def run(self, house: House, options: command.Options) -> list[Figure]:
            return [Figure("good", 0, "leaks", 0), Figure("bad", 1, "leaks", 0, findings=("a leak",))]

    assert command.hold([("shut", Shut())], House(), command.Options()) == 1
    printed = capsys.readouterr()
    assert [json.loads(line)["met"] for line in printed.out.splitlines()] == [True, False]
    assert "bad: a leak" in printed.err


def test_requests_are_filled_in_and_each_repetition_has_a_number_of_its_own() -> None:
    asked = Asked.read({"name": "x", "graphql": '{map(id: "{map}"){map}}', "variables": {"seed": "{n}"}})
    bodies = [json.loads(asked.filled({"map": "map_1"})["content"]) for _ in range(2)]
    assert {body["query"] for body in bodies} == {'{map(id: "map_1"){map}}'}
    assert len({body["variables"]["seed"] for body in bodies}) == 2
    rest = Asked.read({"name": "x", "path": "/v1/maps/{map}", "query": {"px": "40"}})
    assert rest.filled({"map": "map_1"})["url"] == "/v1/maps/map_1"


@pytest.mark.parametrize("wrong", [{"name": "x"}, {"name": "x", "path": "/", "graphql": "{a}"}])
def test_request_is_either_of_rest_or_of_the_graph(wrong: dict[str, str]) -> None:
    with pytest.raises(GateFailure, match="either path or graphql"):
        Asked.read(wrong)
    with pytest.raises(GateFailure, match="unknown members: paht"):
        Asked.read({"name": "x", "paht": "/"})


def test_every_committed_request_can_be_read() -> None:
    files = sorted(FOLDER.glob("*.json"))
    assert files
    for file in files:
        assert [Asked.read(found) for found in json.loads(file.read_text("utf-8"))]


def test_work_of_a_child_that_has_ended_is_counted() -> None:
    before = processor_ms(os.getpid())
    subprocess.run([sys.executable, "-c", BURN], check=True)
    assert processor_ms(os.getpid()) - before > 250


def test_work_of_a_process_that_runs_is_counted_and_its_end_is_waited_for() -> None:
    with subprocess.Popen([sys.executable, "-c", f"{BURN}sys.stdin.read()"], stdin=subprocess.PIPE) as child:
        meter = Meter(child.pid)
        mark = meter.mark()
        end = time.monotonic() + 30
        while meter.since(mark) < 250:
            assert time.monotonic() < end
        assert meter.settle(30)
        child.communicate()


def row(milliseconds: float, points: float, said: str = "200", refused: bool = False) -> Row:
    return Row("x", "x", said, milliseconds, points, 1, True, refused, True)


def test_rows_are_judged_by_the_median_of_those_that_cost_enough() -> None:
    rows = [row(30, 10), row(60, 20), row(90, 1), row(1, 9), row(80, 0, "400 QUERY_TOO_EXPENSIVE", True)]
    middle, small, large, refused = judged(rows)
    assert (middle, len(small), len(large), len(refused)) == (3, 1, 3, 1)
    assert [one.milliseconds for one in large if one.ratio > 3 * middle] == [90]


def test_gate_of_tests_counts_those_that_ran_and_names_those_that_failed() -> None:
    ran, failed = run_tests(
        "figures", ["tests/infra/test_gates.py::test_figure_is_met_as_its_target_wants_it"], least=3
    )
    assert (ran.value, ran.met, failed.value, failed.met) == (3, True, 0, True)
    with pytest.raises(GateFailure, match="pytest ended"):
        list(run_tests("nothing", ["tests/infra/no_such_file.py", "--no-such-option"], least=1))
