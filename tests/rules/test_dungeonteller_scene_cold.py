"""DungeonTeller: scenes in cold places (Hazards / Cold and Freezing; Dwarf / Hearth Rune)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.build import Purchase
from services.rules.systems.dungeonteller.hazards import Climate
from services.rules.systems.dungeonteller.play.moves import EndTurn, Rest, UsePower
from services.rules.systems.dungeonteller.play.pools import ActionRoll, pool
from services.rules.systems.dungeonteller.play.setup import Place, Setup, begin
from services.rules.systems.dungeonteller.play.state import Scene
from tests.rules.dungeonteller_scenes import CATALOG, make, power

COLD = "dungeonteller:gear/cold-weather-gear"


def at_the_pass(climate: Climate, days: int, *, geared: bool = False) -> Scene:
    choices = SYSTEM.examples["dwarf"]
    if geared:
        choices = replace(choices, buys=(Purchase(item=COLD),))
    sheet = SYSTEM.build(choices, CATALOG)
    assert not isinstance(sheet, Problems)
    setup = Setup(title="A snowy pass", place=Place(climate=climate), cold_days=days)
    scene = begin(setup, (CastMember(id="harley", sheet=sheet),), CATALOG)
    assert not isinstance(scene, Problems)
    return scene


@pytest.mark.parametrize(
    ("climate", "days", "geared", "luck"),
    [
        (Climate.MILD, 3, False, 10),
        (Climate.COLD, 3, False, 7),
        (Climate.COLD, 3, True, 10),
        (Climate.FREEZING, 3, False, 4),
        (Climate.FREEZING, 3, True, 7),
        (Climate.FREEZING, 9, False, 0),
    ],
)
def test_days_in_the_cold_take_luck_before_the_scene(
    climate: Climate, days: int, geared: bool, luck: int
) -> None:
    being = at_the_pass(climate, days, geared=geared).being("harley")
    assert being is not None
    assert being.luck == luck
    assert being.cold == 10 - luck


def test_warm_clothes_make_clumsy_where_they_are_worn() -> None:
    for climate, dice in ((Climate.MILD, 2), (Climate.COLD, 1)):
        scene = at_the_pass(climate, 0, geared=True)
        being = scene.being("harley")
        assert being is not None
        notice = pool(scene, CATALOG, being, ActionRoll((Action.NOTICE,)))
        assert notice.value == dice  # type: ignore[union-attr]


def test_what_the_cold_took_does_not_come_back_by_rest() -> None:
    rested = make(at_the_pass(Climate.COLD, 3), Rest(actor="harley")).scene
    being = rested.being("harley")
    assert being is not None
    assert being.luck == 7


def test_a_hearth_rune_ends_the_cold_and_rest_helps_again() -> None:
    scene = at_the_pass(Climate.COLD, 3)
    harley = scene.being("harley")
    assert harley is not None
    rune = UsePower(actor="harley", power=power("hearth-rune"), squares=(harley.at,))
    drawn = make(scene, rune, power=1).scene
    warm = make(drawn, EndTurn(actor="harley")).scene
    being = warm.being("harley")
    assert being is not None
    assert being.cold == 0
    rested = make(warm, Rest(actor="harley")).scene.being("harley")
    assert rested is not None
    assert rested.luck == 8


def test_days_are_counted_within_a_year() -> None:
    sheet = SYSTEM.build(SYSTEM.examples["dwarf"], CATALOG)
    assert not isinstance(sheet, Problems)
    setup = Setup(title="Long ago", place=Place(climate=Climate.COLD), cold_days=-1)
    found = begin(setup, (CastMember(id="harley", sheet=sheet),), CATALOG)
    assert isinstance(found, Problems)
    assert found.codes == ("out_of_range",)
