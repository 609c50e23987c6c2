"""What can be asked for of a battle map, and what is refused."""

from __future__ import annotations

import pytest

from services.map.generation.kind import make
from services.map.kinds.battle.generator import GENERATOR
from services.map.kinds.battle.parameters import BattleParameters, Relief, Site, Water
from services.rules.engine.problem import Problems


def codes(parameters: BattleParameters) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(problem.code, problem.path) for problem in GENERATOR.check(parameters)]


def test_defaults_are_fine() -> None:
    assert GENERATOR.check(BattleParameters()) == ()


@pytest.mark.parametrize(("name", "limits"), BattleParameters.RANGES.items())
def test_each_number_out_of_range_is_told_with_its_path(name: str, limits: tuple[int, int]) -> None:
    for value in (limits[0] - 1, limits[1] + 1, -(10**9), 10**9):
        problems = GENERATOR.check(BattleParameters(**{name: value}))
        assert [(problem.path, problem.found, problem.allowed) for problem in problems] == [
            ((name,), value, limits)
        ]


def test_every_problem_is_told_at_once() -> None:
    wrong = BattleParameters(width=5, height=500, title="two\nlines")
    assert codes(wrong) == [
        ("battle_parameter_out_of_range", ("width",)),
        ("battle_parameter_out_of_range", ("height",)),
        ("battle_title_characters", ("title",)),
    ]


@pytest.mark.parametrize("title", [" ", "x" * 49])
def test_a_title_is_neither_blank_nor_too_long(title: str) -> None:
    assert codes(BattleParameters(title=title)) == [("battle_title_length", ("title",))]


def test_a_river_needs_the_open_air_and_room() -> None:
    hall = BattleParameters(site=Site.DUNGEON_ROOM, water=Water.RIVER)
    narrow = BattleParameters(site=Site.FOREST, water=Water.RIVER, height=19)
    assert codes(hall) == codes(narrow) == [("battle_water_does_not_fit", ("water",))]
    assert codes(BattleParameters(site=Site.FOREST, water=Water.RIVER, height=20)) == []


def test_starts_too_far_apart_for_the_map_are_refused_with_the_most_possible() -> None:
    problems = GENERATOR.check(BattleParameters(width=12, height=12, start_distance=70))
    assert [(problem.code, problem.allowed) for problem in problems] == [
        ("battle_starts_do_not_fit", (40, 50))
    ]
    assert codes(BattleParameters(width=12, height=12, start_distance=50)) == []


def test_bad_parameters_make_no_map() -> None:
    result = make(GENERATOR, BattleParameters(width=0), 1)
    assert isinstance(result, Problems)
    assert result.codes == ("battle_parameter_out_of_range",)


def test_parameters_survive_their_json_form() -> None:
    parameters = BattleParameters(site=Site.RUIN, relief=Relief.HILLY, water=Water.POND, title="Here")
    assert GENERATOR.codec.load(GENERATOR.codec.dump(parameters)) == parameters
    assert GENERATOR.codec.read({}) == BattleParameters()
