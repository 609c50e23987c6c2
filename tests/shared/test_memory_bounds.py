"""What processes remember stays within its bounds, whoever asks whatever."""

import subprocess
import sys
from typing import Any

import pytest

from services.campaign.scenes import positions
from services.campaign.scenes.positions import Remembered
from services.gateway.rest.requests import Check, referred
from services.gateway.rest.shapes import REFERENCE
from services.rules.engine.play import Viewer
from services.rules.engine.position import MOST_VIEWS, Position
from services.shared.app import METHODS, counted_as
from services.shared.heap import give_back_what_is_freed


class Play:
    """A game in which everybody sees something else."""

    def __init__(self) -> None:
        self.viewed = 0

    def view(self, state: Any, eyes: Viewer) -> Any:
        self.viewed += 1
        return {**state, "eyes": sorted(eyes.actors)}


def position_of(play: Play, number: int) -> Position:
    return Position(play, {"number": number})  # type: ignore[arg-type]


def eyes(number: int) -> Viewer:
    return Viewer(actors=frozenset({f"actor {number}"}))


def test_requests_are_counted_under_a_few_methods_whatever_clients_make_up() -> None:
    made_up = {counted_as(f"METHOD{number}") for number in range(1_000)}
    assert made_up == {"other"}
    assert {counted_as(method) for method in METHODS} == METHODS


def test_positions_are_remembered_within_a_bound_of_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "REMEMBERED", 3)
    play, known = Play(), Remembered()
    for number in range(9):
        known.keep(position_of(play, number), str(number), {"number": number})
    assert len(known) == 3
    assert [known.get(play, str(number)) is not None for number in range(9)] == [False] * 6 + [True] * 3  # type: ignore[arg-type]


def test_positions_are_remembered_within_a_bound_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "REMEMBERED_BYTES", 1_000)
    play, known = Play(), Remembered()
    for number in range(9):
        known.keep(position_of(play, number), str(number), {"text": "x" * 300})
        # The same state once more takes no further room.
        known.keep(position_of(play, number), str(number), {"text": "x" * 300})
    assert len(known) == 3
    # A state that alone is larger is remembered until the next one comes.
    known.keep(position_of(play, 10), "10", {"text": "x" * 5_000})
    assert (len(known), known.get(play, "10") is not None) == (1, True)  # type: ignore[arg-type]
    known.keep(position_of(play, 11), "11", {})
    assert (len(known), known.get(play, "11") is not None) == (1, True)  # type: ignore[arg-type]


def test_a_position_remembers_the_views_of_those_who_looked_last() -> None:
    play = Play()
    at = position_of(play, 1)
    for number in range(100):
        assert at.view(eyes(number)) == {"number": 1, "eyes": [f"actor {number}"]}
    assert len(at._views) == MOST_VIEWS
    at.view(eyes(99))
    assert play.viewed == 100
    for number in range(101, 100 + MOST_VIEWS):
        at.view(eyes(99))
        at.view(eyes(number))
    assert play.viewed == 100 + MOST_VIEWS - 1
    assert at.view(Viewer(gm=True)) is at.state


GROWN = """
import sys
from pathlib import Path
from services.shared.heap import give_back_what_is_freed

def resident():
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) // 1024

assert give_back_what_is_freed()
before, small = resident(), []
for _ in range(3):
    large = [bytes(bytearray(b"x") * (4 << 20)) for _ in range(20)]
    small += [bytes(600) for _ in range(100)]
    most = resident()
    del large
print(before, most, resident())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_what_is_freed_goes_back_to_the_system() -> None:
    assert give_back_what_is_freed()
    run = subprocess.run([sys.executable, "-c", GROWN], capture_output=True, text=True, check=True)
    before, most, after = map(int, run.stdout.split())
    assert most > before + 60
    assert after < before + 10


def test_a_check_of_requests_remembers_the_schemas_that_it_refers_to_alone() -> None:
    def ref(name: str, place: str = "") -> dict[str, Any]:
        return {"$ref": f"{REFERENCE}{name}{place}"}

    named: dict[str, Any] = {f"Other{number}": {"type": "string"} for number in range(1_000)} | {
        "Node": {"type": "object", "properties": {"next": ref("Node"), "label": ref("Text")}},
        "Text": {"type": "string", "maxLength": 3},
        "Parts": {"properties": {"one": {"anyOf": [ref("Node"), {"type": "null"}]}}},
    }
    schema = {"type": "object", "properties": {"node": ref("Parts", "/properties/one")}}
    assert set(referred(schema, named)) == {"Parts", "Node", "Text"}
    assert referred({"type": "string"}, named) == {}
    check = Check(schema, named)
    assert check.issues({"node": {"next": {"label": "abc"}}}) == []
    assert [issue["path"] for issue in check.issues({"node": {"next": {"label": "abcd"}}})] == [
        ["node", "next", "label"]
    ]
