"""Playthroughs with scenes: what the text may say, and that everything that comes out otherwise is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.rules.engine.playthrough import PlaythroughError, find, parse_playthrough, replay
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem

FOUND = systems(Path(__file__).resolve().parents[1] / "toys")

BUILT = """title: A duel
build
  name: "Anna"
sheet
  scars: 0
"""
SCENE = """scene
  system-setup: "yard"
  title: "The Mill"
  cast: {"anna": "Anna"}
now
  title: "The Mill"
  duellists[rival-1].nerve: 3
outcome
  ended: false
move
  kind: "Strike"
  actor: "anna"
  target: "rival-1"
asked
  rival-1: flinch
told
  lunges at Sour Tam
move
  kind: "Answer"
  actor: "rival-1"
  flinch: false
rolls
  attack: [5, 6, 1]
  guard: [2, 3, 6]
now
  duellists[Sour Tam].nerve: 2
told
  Anna hits
  Sour Tam.
outcome
  ended: false
move
  kind: "Brace"
  actor: "anna"
refused
  not_your_turn at actor
move
  kind: "Stop"
  actor: "gm"
outcome
  ended: true
  winners: []
  text: "The game master stopped the duel."
  changes: {}
move
  kind: "Stop"
  actor: "gm"
refused
  duel_over
"""


def failures(old: str = "", new: str = "", *, system: str | AnySystem = "duel") -> tuple[str, ...]:
    text = BUILT + SCENE
    assert old in text
    played = FOUND[system] if isinstance(system, str) else system
    return replay(played, parse_playthrough(text.replace(old, new, 1)))


def test_a_scene_that_holds_tells_nothing() -> None:
    assert failures() == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        # A scene, and how it begins
        ('"yard"', '"yurd"', "line 6: no setup is called 'yurd'"),
        ('"Anna"}', '"Hanna"}', "line 6: no hero above is called Hanna"),
        ('  title: "The', '  tidle: "The', "line 6: tidle: found 'tidle'"),
        (
            '"yard"\n',
            '"yard"\n  rivals: []\n',
            "line 6: rejected for ['rivals_out_of_range at rivals'], expected []",
        ),
        ("].nerve: 3", "].nerve: 4", "line 12: duellists[rival-1].nerve is 3, expected 4"),
        ("ended: false", "ended: true", "line 14: ended is False, expected True"),
        # A move, its dice, its questions and what comes of it
        ("rival-1: flinch", "rival-2: flinch", "line 15: asked ['rival-1: flinch'], expected"),
        (
            '"rival-1"\nasked',
            '"rival-9"\nasked',
            "line 15: rejected for ['unknown_target at target'], expected []",
        ),
        ('kind: "Answer"', 'kind: "Anser"', "line 23: kind: found 'Anser'"),
        ('"gm"\nout', '"gm"\nrolls\n  guard: [1]\nout', "line 42: this move does not take guard"),
        ("[5, 6, 1]", "[5, 6]", "line 23: this move takes attack 3d6"),
        ("  guard: [2, 3, 6]\n", "", "line 23: this move takes guard 3d6"),
        ("guard:", "guart:", "line 23: this move takes guard 3d6"),
        ("[2, 3, 6]", "[2, 3, 7]", "line 23: face_unknown at faces[1]: No d6 shows 7."),
        ("].nerve: 2", "].nerve: 1", "line 31: duellists[Sour Tam].nerve is 2, expected 1"),
        ("  Anna hits", "  Anna misses", "line 33: 'Anna misses' was not told, but 'Anna hits Sour Tam.'"),
        (
            "changes: {}",
            "changes.anna.scars: 1",
            "line 49: changes.anna.scars: nothing is called 'anna' here",
        ),
        # What is refused
        (
            "turn at actor",
            "turn at who",
            "rejected for ['not_your_turn at actor'], expected ['not_your_turn at who']",
        ),
        ("  duel_over", "  duel_done", "line 50: rejected for ['duel_over'], expected ['duel_done']"),
        (
            '"Brace"\n  actor: "anna"',
            '"Brace"\n  actor: "rival-1"',
            "line 37: allowed, expected to be refused for",
        ),
    ],
)
def test_what_comes_out_otherwise_is_told_with_its_line(old: str, new: str, told: str) -> None:
    found = failures(old, new)
    assert len(found) == 1
    assert told in found[0]


def test_a_setup_may_be_refused() -> None:
    text = BUILT + 'scene\n  title: "x"\n  rivals: []\n  cast: {}\nrefused\n  cast_missing\n'
    found = replay(FOUND["duel"], parse_playthrough(text))
    assert len(found) == 1
    assert found[0].startswith("line 6: rejected for ['cast_missing', 'rivals_out_of_range at rivals']")
    whole = text + "  rivals_out_of_range at rivals\n"
    assert replay(FOUND["duel"], parse_playthrough(whole)) == ()
    allowed = whole.replace("[]", '["Tam"]').replace("{}", '{"anna": "Anna"}')
    assert "allowed, expected to be refused" in replay(FOUND["duel"], parse_playthrough(allowed))[0]


def test_a_hero_is_built_above_the_scene() -> None:
    head, _, body = BUILT.partition("\n")
    below = f'{head}\nbuild\n  name: "Ben"\nsheet\n  scars: 0\n{SCENE}{body}'
    assert replay(FOUND["duel"], parse_playthrough(below)) == ("line 6: no hero above is called Anna",)


def test_a_failure_in_one_scene_leaves_the_others_to_be_played() -> None:
    both = BUILT + SCENE.replace('"yard"', '"yurd"') + SCENE.replace("].nerve: 3", "].nerve: 4")
    found = replay(FOUND["duel"], parse_playthrough(both))
    assert [failure.split(":")[0] for failure in found] == ["line 6", "line 61"]


def test_a_game_without_scenes_plays_none() -> None:
    toy = FOUND["duel"]
    assert failures(system=replace(toy, play=None)) == ("line 6: Duel has no scenes",)  # type: ignore[type-var]


def test_play_that_is_not_the_same_twice_is_told() -> None:
    """Play that counts how often it was asked is not pure."""
    toy = FOUND["duel"]
    asked: list[int] = []

    class Forgetful(type(toy.play)):  # type: ignore[misc]
        def evolve(self, state: Any, event: Any) -> Any:
            asked.append(1)
            return replace(super().evolve(state, event), round=len(asked))

    found = failures(system=replace(toy, play=Forgetful()))  # type: ignore[type-var]
    assert found == ("line 15: played twice, the move came to two states",)


@pytest.mark.parametrize(
    "tail",
    [
        "scene\n  cast: {}\n",
        "scene\n  cast: {}\nmove\n  kind: 1\n",
        "scene\n  cast: []\nnow\n  a: 1\n",
        'scene\n  cast: {"a": 1}\nnow\n  a: 1\n',
        "scene\n  system-setup: 3\nnow\n  a: 1\n",
        "scene\n  cast: {}\n  cast: {}\nnow\n  a: 1\n",
        "scene\n  cast: {}\nnow\n",
        "scene\n  cast: {}\nsheet\n  a: 1\n",
        "scene\n  cast: {}\nrolls\n  a: [1]\n",
        "scene\n  cast: {}\nnow\n  a: 1\nnow\n  a: 2\n",
        "scene\n  cast: {}\nnow\n  a: 1\nrefused\n  a\n",
        "scene\n  cast: {}\nrefused\n  a\nmove\n  kind: 1\n",
        "move\n  kind: 1\ntold\n  a\n",
        "now\n  a: 1\n",
        "scene\n  cast: {}\nmove\n  kind: 1\nnow\n  a: 1\nrolls\n  a: [1]\n",
        "scene\n  cast: {}\nmove\n  kind: 1\nrolls\n  a: [1]\nrefused\n  a\n",
        "scene\n  cast: {}\nmove\n  kind: 1\nrolls\n  a: 1\ntold\n  a\n",
        'scene\n  cast: {}\nmove\n  kind: 1\nrolls\n  a: [1, "2"]\ntold\n  a\n',
        "scene\n  cast: {}\nmove\n  kind: 1\nrolls\n  a: [true]\ntold\n  a\n",
    ],
)
def test_a_scene_out_of_shape_is_refused(tail: str) -> None:
    parse_playthrough(BUILT)
    with pytest.raises(PlaythroughError):
        parse_playthrough(BUILT + tail)


def test_a_path_picks_an_objects_value_by_its_key() -> None:
    assert find({"actors": {"orc.1": {"luck": 4}}}, "actors[orc.1].luck") == 4
    with pytest.raises(LookupError):
        find({"actors": {}}, "actors[orc-1]")
