"""The page at ``/table``: two browsers play an evening at one table; its source knows no game."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from infra.checks.schema import FEDERATION, node_binary
from services.gateway.pages import table_page
from tests.e2e.product import Product, from_elsewhere

SCRIPT = Path(__file__).with_name("table_page.mjs")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SYSTEMS = Path(__file__).resolve().parents[2] / "services" / "rules" / "systems"
MOST_LINES = 2000
NOTES = ["Before the storm", "After the storm", "Said into the dark"]


@pytest.fixture(scope="module")
def evening(product: Product) -> dict[str, Any]:
    """Return what was seen of an evening that two browsers played."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed here")
    done = subprocess.run(
        [
            *(node_binary(), str(SCRIPT), str(FEDERATION), product.url, BROWSER),
            json.dumps([from_elsewhere(), from_elsewhere()]),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def test_an_evening_is_played(evening: dict[str, Any]) -> None:
    assert evening["errors"] == []
    assert evening["rollsOfThePlayer"] == 1, "the secret roll is the game master's alone"
    newest, first = evening["movesOfThePlayer"]
    assert first.startswith("Brunna goes") and newest != first


def test_a_map_is_zoomed_and_moved_with_the_mouse(evening: dict[str, Any]) -> None:
    whole, near, moved = (evening["map"][name] for name in ("whole", "near", "moved"))
    assert near[2] < whole[2] and near[3] < whole[3]
    assert moved[:2] != near[:2] and moved[2:] == near[2:]


def test_what_a_broken_line_missed_comes_once_when_it_holds_again(evening: dict[str, Any]) -> None:
    assert evening["line"] == ""
    for log in evening["logs"]:
        told = "\n".join(log)
        assert [told.count(note) for note in NOTES] == [1, 1, 1]
    masters, players = evening["logs"]
    assert masters == players


def test_no_view_breaks_a_rule_of_accessibility_or_is_wider_than_its_screen(evening: dict[str, Any]) -> None:
    assert len(evening["violations"]) == 17
    assert {view: found for view, found in evening["violations"].items() if found} == {}
    assert evening["wider"] == []


def test_nothing_is_loaded_from_anywhere_else(evening: dict[str, Any]) -> None:
    assert set(evening["hosts"]) - {"blob:"} == set(evening["own"])


def test_the_page_is_small_and_knows_no_game() -> None:
    source = {path.name: path.read_text("utf-8") for path in table_page.FOLDER.iterdir()}
    assert sum(len(text.splitlines()) for text in source.values()) <= MOST_LINES
    games = [path.name for path in SYSTEMS.iterdir() if (path / "README.md").is_file()]
    assert len(games) == 5
    for game in games:
        words = re.compile("[ _-]?".join(game.split("_")), re.IGNORECASE)
        assert [name for name, text in source.items() if words.search(text)] == []
