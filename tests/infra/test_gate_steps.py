"""The gate ``steps``: what it reads in the logs, and which lines it holds against the product."""

import json
from pathlib import Path

from infra.gates.steps import HeldLine, Logs


def line(ms: int, processor_ms: int, **more: object) -> bytes:
    """Write the line of a step that held a loop."""
    told = {
        "event": "loop_held",
        "ms": ms,
        "processor_ms": processor_ms,
        "frames": ["a.py:1 work", "b.py:2 ask"],
    }
    return json.dumps({**told, **more}).encode() + b"\n"


def test_lines_are_read_once_and_only_whole_ones(tmp_path: Path) -> None:
    log = tmp_path / "dice.log"
    log.write_bytes(line(200, 190))
    logs = Logs(tmp_path)
    assert logs.held() == []
    half = line(400, 390)
    with log.open("ab") as file:
        file.write(
            line(300, 290) + b'{"event": "request", "ms": 900}\n' + b'not "loop_held" JSON\n' + half[:20]
        )
    assert logs.held() == [HeldLine("dice", 300, 290, ("a.py:1 work", "b.py:2 ask"))]
    with log.open("ab") as file:
        file.write(half[20:])
    assert [held.ms for held in logs.held()] == [400]
    # A log that was begun anew is read from its beginning.
    log.write_bytes(line(500, 490))
    assert [held.ms for held in logs.held()] == [500]


def test_a_step_counts_that_works_or_stops_everybody_and_not_one_that_waits_for_a_processor() -> None:
    counted = [HeldLine("map", *figures, ()).counts for figures in ((150, 140), (150, 20), (1_500, 3))]
    assert counted == [True, False, True]


def test_a_finding_names_the_request_the_process_and_where() -> None:
    told = HeldLine("map", 150, 140, ("a.py:1 work", "b.py:2 ask")).told("play: a long fight [200]")
    assert told == "play: a long fight [200]: map 150 ms (140 ms at work): a.py:1 work < b.py:2 ask"
