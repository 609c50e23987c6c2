"""A game that is no part of the house: found in its folder, and held to what every game is held to."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from services.rules.dice.notation import measure, parse
from services.rules.engine.driver import Made, make, scripted
from services.rules.engine.play import CastMember, Viewer
from services.rules.engine.playthrough import parse_playthrough, replay
from services.rules.engine.problem import Problems
from services.rules.engine.registry import mechanics, systems

ROOT = Path(__file__).resolve().parents[2]
TOYS = ROOT / "tests" / "toys"
DUEL = systems(TOYS)["duel"]
STRIKE = mechanics(TOYS)["duel:strike"]


def test_it_is_dropped_in_and_nobody_else_sees_it() -> None:
    assert "duel" not in systems()
    assert "duel:strike" not in mechanics()
    assert set(systems()) < set(systems(TOYS))


def test_its_examples_build_and_survive_json() -> None:
    for choices in DUEL.examples.values():
        sheet = DUEL.build(choices, DUEL.content)
        assert not isinstance(sheet, Problems)
        for codec, value in ((DUEL.choices_codec, choices), (DUEL.sheet_codec, sheet)):
            assert codec.load(json.loads(json.dumps(codec.dump(value)))) == value
        for check in sheet.checks:
            assert measure(parse(check.notation).node).dice == check.dice.value


def test_its_playthroughs_hold_and_show_heroes_scenes_and_refusals() -> None:
    read = [parse_playthrough(text) for text in DUEL.playthroughs.values()]
    assert [replay(DUEL, playthrough) for playthrough in read] == [()] * len(read)
    scenes = [scene for playthrough in read for scene in playthrough.scenes]
    assert any(step.rejected for playthrough in read for step in playthrough.steps)
    assert any(scene.refused for scene in scenes)
    assert any(move.refused for scene in scenes for move in scene.moves)


@pytest.mark.parametrize(("attack", "guard"), [(2, 2), (3, 2), (2, 4)])
def test_the_odds_of_a_strike_are_those_of_all_its_faces(attack: int, guard: int) -> None:
    arguments = {"attack": attack, "guard": guard}
    falls: Counter[tuple[int, str]] = Counter()
    for faces in product(range(1, 7), repeat=attack + guard):
        reading = STRIKE.read(arguments, (faces[:attack], faces[attack:]))
        falls[reading.total, reading.outcome] += 1
    assert STRIKE.odds(arguments) == {key: Fraction(ways, falls.total()) for key, ways in falls.items()}


def test_players_know_nothing_of_the_grey_cloak_until_it_steps_out() -> None:
    """The suite for all games cannot know that somebody ought to be hidden; this one does."""
    play = DUEL.play
    assert play is not None
    cast = (CastMember(id="anna", sheet=DUEL.build(DUEL.examples["bold"], DUEL.content)),)
    state = play.begin(play.setups["ambush"], cast)
    anna = Viewer(actors=frozenset({"anna"}))
    assert [actor.name for actor in play.card(state).actors][-1] == "The Grey Cloak"
    listen = play.move_codec.read({"kind": "Listen", "actor": "gm", "who": "anna"})
    made = make(play, state, listen, scripted([(4, 4)]))
    assert isinstance(made, Made)
    (heard,) = made.events
    assert play.sees(heard, anna) is None
    assert play.evolve(state, heard).heard is True
    for seen in (play.view(state, anna), play.view(play.evolve(state, heard), anna)):
        assert "Grey" not in json.dumps(play.state_codec.dump(seen))
        assert seen.heard is False
    made = make(play, state, play.move_codec.read({"kind": "Reveal", "actor": "gm"}), scripted([]))
    assert isinstance(made, Made)
    (revealed,) = made.events
    seen = play.view(play.evolve(state, revealed), anna)
    assert [actor.name for actor in play.card(seen).actors][-1] == "The Grey Cloak"


# Case files of a dropped-in game


def conformance(folder: Path, options: list[str], *cases: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    file = folder / "cases.jsonl"
    file.write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")
    # -S and -I leave out every installed package: the executable needs the standard library only.
    command = [sys.executable, "-I", "-S", str(ROOT / "infra" / "conformance"), *options, "duel", str(file)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def case(area: str, given: dict[str, Any], **expect: Any) -> dict[str, Any]:
    return {"id": area, "area": area, "given": given, "expect": expect, "source": "Striking"}


def test_cases_of_a_game_in_another_folder_are_run(tmp_path: Path) -> None:
    right = case("dice", {"style": "careful", "braced": True}, strike=2, guard=4)
    tie = case("strike", {"attack": [6, 1], "guard": [3, 4]}, ahead=0, hit=False)
    wrong = case("strike", {"attack": [6, 2], "guard": [3, 4]}, hit=False)
    foreign = case("juggling", {})
    done = conformance(tmp_path, ["--systems", str(TOYS)], right, tie, wrong, foreign)
    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines()[0] == "FAILED strike (Striking): hit: expected false, got true"
    assert done.stdout.splitlines()[-1] == "2 passed, 1 failed, 1 unsupported"


@pytest.mark.parametrize("answers", ["conformance.py", "conformance/__init__.py"])
def test_answers_beside_a_game_in_another_folder_go_before_those_of_the_tests(
    tmp_path: Path, answers: str
) -> None:
    home = tmp_path / "games" / "duel"
    shutil.copytree(TOYS / "duel", home)
    (home / answers).parent.mkdir(exist_ok=True)
    dots = "." * (answers.count("/") + 1)
    (home / answers).write_text(
        f"from {dots}choices import DuelStyle\n"
        "AREAS = {'styles': lambda given: {'styles': len(DuelStyle) + given['more']}}\n",
        encoding="utf-8",
    )
    own, unanswered = case("styles", {"more": 2}, styles=4), case("dice", {"style": "bold"}, strike=3)
    done = conformance(tmp_path, ["--systems", "games"], own, unanswered)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed, 1 unsupported"


def test_a_game_is_not_known_without_its_folder(tmp_path: Path) -> None:
    right = case("dice", {"style": "bold"}, strike=3)
    (tmp_path / "empty").mkdir()
    for options in ([], ["--systems", "empty"], ["--systems", "nowhere"]):
        assert conformance(tmp_path, options, right).returncode == 2
    found = conformance(tmp_path, ["--systems", "empty", "--systems", str(TOYS)], right)
    assert found.stdout.splitlines()[-1] == "1 passed, 0 failed, 0 unsupported"
