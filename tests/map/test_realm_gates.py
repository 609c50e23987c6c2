"""The gates find what is wrong with a map: each broken map fails the gate it should."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from services.map.kinds.realm.canonical import to_canonical
from services.map.kinds.realm.gates import inspect, inspect_growth
from services.map.kinds.realm.generator import GeneratedRealm, RealmParameters, generate
from services.rules.systems.forgeborn import DroppedDie, Point

Data = dict[str, Any]

DROP = (
    DroppedDie(12, 4, Point.of(110, 15)),
    DroppedDie(10, 7, Point.of(20, 45)),
    DroppedDie(8, 6, Point.of(60, 50)),
    DroppedDie(8, 6, Point.of(30, 80)),
    DroppedDie(8, 3, Point.of(100, 45)),
    DroppedDie(4, 1, Point.of(40, 50)),
    DroppedDie(4, 4, Point.of(35, 20)),
    DroppedDie(4, 2, Point.of(60, 68)),
    DroppedDie(4, 3, Point.of(95, 25)),
    DroppedDie(6, 2, Point.of(75, 5)),
    DroppedDie(6, 6, Point.of(75, 85)),
    DroppedDie(6, 1, Point.of(10, 70)),
    DroppedDie(6, 3, Point.of(18, 75)),
    DroppedDie(6, 5, Point.of(85, 60)),
    DroppedDie(6, 5, Point.of(10, 80)),
)


@pytest.fixture
def data() -> Data:
    result = generate(RealmParameters(seed=1, dice=DROP))
    assert isinstance(result, GeneratedRealm)
    return copy.deepcopy(to_canonical(result.model))


def failed(data: Data) -> set[str]:
    return {gate.name for gate in inspect(data).gates if not gate.passed}


def place(data: Data, name: str) -> Data:
    return next(entry for entry in data["places"] if entry["id"] == name)


def link(data: Data, start: str, end: str) -> Data:
    return next(entry for entry in data["links"] if (entry["from"], entry["to"]) == (start, end))


def test_a_good_map_passes(data: Data) -> None:
    report = inspect(data)
    assert report.passed
    assert report.faults == ()


def _die_too_close(data: Data) -> None:
    data["dice"][13]["at"] = [85, 24]
    data["dice"][12]["at"] = [85, 22]


def _too_few_dice(data: Data) -> None:
    data["dice"].pop(11)


def _die_off_the_sheet(data: Data) -> None:
    data["dice"][11]["at"] = [-1, 70]


def _impossible_face(data: Data) -> None:
    data["dice"][11]["face"] = 7


def _weak_dragon(data: Data) -> None:
    place(data, "lair")["power"] = 4


def _other_city(data: Data) -> None:
    city, ruin = place(data, "city"), place(data, "ruin-1")
    city["at"], ruin["at"] = ruin["at"], city["at"]


def _village_power(data: Data) -> None:
    place(data, "village-2")["power"] = 1


def _range_forgets_a_peak(data: Data) -> None:
    data["range"]["points"].pop()


def _road_over_the_range(data: Data) -> None:
    link(data, "city", "village-4")["kind"] = "road"


def _trail_where_a_road_could_be(data: Data) -> None:
    link(data, "city", "village-1")["kind"] = "trail"


def _road_to_the_lair(data: Data) -> None:
    link(data, "lair", "village-4")["kind"] = "road"


def _no_nearest(data: Data) -> None:
    data["links"].remove(link(data, "city", "village-3"))


def _needless_link(data: Data) -> None:
    line = [place(data, "citadel")["at"], place(data, "village-3")["at"]]
    data["links"].append(
        {
            "from": "citadel",
            "to": "village-3",
            "kind": "road",
            "forced": False,
            "crosses_range": False,
            "line": line,
        }
    )


def _ruin_goes_elsewhere(data: Data) -> None:
    moved = link(data, "ruin-1", "village-1")
    moved["to"], moved["line"][1] = "citadel", place(data, "citadel")["at"]


def _forced_without_need(data: Data) -> None:
    link(data, "ruin-1", "village-1")["forced"] = True


def _forest_over_the_range(data: Data) -> None:
    data["forests"][0]["lines"].append([[18, 75], [85, 60]])


def _forest_joined(data: Data) -> None:
    first, second = data["forests"]
    first["points"] += second["points"]
    data["forests"] = [first]


def _other_forest_is_largest(data: Data) -> None:
    for patch in data["forests"]:
        patch["largest"] = not patch["largest"]


def _forest_to_the_citadel(data: Data) -> None:
    moved = link(data, "forest", "ruin-1")
    moved["to"], moved["line"][1] = "citadel", place(data, "citadel")["at"]


def _link_begins_elsewhere(data: Data) -> None:
    link(data, "citadel", "village-1")["line"][0] = [1, 1]


@pytest.mark.parametrize(
    ("harm", "gate"),
    [
        (_die_too_close, "dice"),
        (_too_few_dice, "dice"),
        (_die_off_the_sheet, "dice"),
        (_impossible_face, "dice"),
        (_weak_dragon, "powers"),
        (_other_city, "powers"),
        (_village_power, "powers"),
        (_range_forgets_a_peak, "range"),
        (_road_over_the_range, "roads"),
        (_trail_where_a_road_could_be, "roads"),
        (_road_to_the_lair, "roads"),
        (_link_begins_elsewhere, "roads"),
        (_no_nearest, "nearest"),
        (_needless_link, "nearest"),
        (_ruin_goes_elsewhere, "trails"),
        (_forced_without_need, "trails"),
        (_forest_over_the_range, "forests"),
        (_forest_joined, "forests"),
        (_other_forest_is_largest, "forests"),
        (_forest_to_the_citadel, "forests"),
    ],
)
def test_a_broken_map_fails_its_gate(data: Data, harm: Callable[[Data], None], gate: str) -> None:
    harm(data)
    assert gate in failed(data)


def test_a_place_cut_off_fails_the_connected_gate(data: Data) -> None:
    data["links"].remove(link(data, "lair", "village-4"))
    assert {"trails", "connected"} <= failed(data)


def test_a_longer_range_fails(data: Data) -> None:
    for die, at in zip(data["dice"][11:15], [[75, 30], [75, 50], [75, 60], [10, 80]], strict=True):
        die["at"] = at
    for die in data["dice"][11:14]:
        die["face"] = 2
    data["range"]["points"] = [[75, 5], [75, 85], [75, 30], [75, 50], [75, 60]]
    assert "range: the range is not the shortest path" in inspect(data).faults
    data["range"]["points"] = [[75, 5], [75, 30], [75, 50], [75, 60], [75, 85]]
    assert "range" not in failed(data)


def test_growth_sees_a_moved_older_entry(data: Data) -> None:
    grown = copy.deepcopy(data)
    for key in ("dice", "places", "links"):
        grown[key].append(grown[key][-1])
    assert inspect_growth(data, grown).passed
    moved = copy.deepcopy(grown)
    moved["places"][0]["at"] = [1, 1]
    assert not inspect_growth(data, moved).passed
    renamed = copy.deepcopy(grown) | {"title": "Elsewhere"}
    assert not inspect_growth(data, renamed).passed
