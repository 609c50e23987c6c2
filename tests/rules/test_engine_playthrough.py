"""Playthroughs: what the text may say, and that a wrong expectation is told."""

from __future__ import annotations

import pytest

from services.rules.engine.playthrough import PlaythroughError, find, parse_playthrough, replay
from services.rules.engine.registry import systems

GOOD = """title: A warrior
build
  name: "Brawnley"
  role: "dungeonteller:role/warrior"
sheet
  armor.value: 4
"""


def test_a_playthrough_that_holds_tells_nothing() -> None:
    assert replay(systems()["dungeonteller"], parse_playthrough(GOOD)) == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("armor.value: 4", "armor.value: 5", "line 6: armor.value is 4, expected 5"),
        ("armor.value: 4", "armour.value: 4", "line 6: armour.value: nothing is called 'armour' here"),
        ("armor.value: 4", 'actions[juggle].name: "x"', "no item has the id or name 'juggle'"),
        ("role/warrior", "role/bard", "rejected for ['role_unknown at role'], expected []"),
        ("sheet\n  armor.value: 4", "rejected\n  name_missing at name", "built, expected to be rejected"),
        ("name:", "nmae:", "line 2: nmae"),
    ],
)
def test_a_wrong_expectation_is_told_with_its_line(old: str, new: str, told: str) -> None:
    failures = replay(systems()["dungeonteller"], parse_playthrough(GOOD.replace(old, new)))
    assert len(failures) == 1
    assert told in failures[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "title: nothing built\n",
        "build\n  name: 1\nsheet\n  a: 1\n",
        "title: x\nbuild\n  name: 1\n",
        "title: x\nsheet\n  a: 1\n",
        "title: x\n  a: 1\n",
        "title: x\nbuild\n  name = 1\nsheet\n  a: 1\n",
        "title: x\nbuild\n  name: one\nsheet\n  a: 1\n",
        "title: x\nbuild\n  name: 1\nsheet\n  a: 1\nrejected\n  b at c\n",
    ],
)
def test_text_out_of_shape_is_refused(text: str) -> None:
    with pytest.raises(PlaythroughError):
        parse_playthrough(text)


def test_a_path_picks_by_key_number_id_and_name() -> None:
    data = {"a": [{"id": "x", "v": 1}, {"name": "Long Sword", "v": 2}]}
    assert find(data, "a[1].v") == 2
    assert find(data, "a[x].v") == 1
    assert find(data, "a[Long Sword].v") == 2
    for nowhere in ("a[2]", "a[y]", "b", "a.v", "a[0].v[0]"):
        with pytest.raises(LookupError):
            find(data, nowhere)
