"""What a fight leaves Forge Engine's characters with: health, energy, conditions, ammunition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.effects import Duration, Until
from services.rules.engine.play import GM, CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.card import character_card
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.effects import condition_id, new_effect, shakeable
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Attack,
    BeginFight,
    Impose,
    Improvise,
    Lift,
    Minor,
    MinorUse,
    Reload,
)
from services.rules.systems.forge_engine.play.rules.minor import ways_of
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import FOES, Fight, Loaded
from services.rules.systems.forge_engine.profile import Weapon
from tests.conformance.forge_engine.stage import FOE, HERO, club, fight, fighter, hero
from tests.rules.forge_engine_play import armed, played, refused, returning

REVOLVER = "forge_engine:equipment/modern-colt-agent-38"
RIFLE = "forge_engine:equipment/modern-ak-47"


def begun(setup: Any, name: str) -> Fight:
    """A scene with one of the examples."""
    sheet = SYSTEM.build(SYSTEM.examples[name], SYSTEM.content)
    state = PLAY.begin(setup, (CastMember(id=f"chr-{name}", sheet=sheet),))
    assert isinstance(state, Fight)
    return state


def test_health_and_expended_energy_travel_home() -> None:
    state = begun(PLAY.setups["alley"], "gunslinger")
    who = "chr-gunslinger"
    state = played(state, Improvise(actor=GM, who=who, text="sprints", expend=2), {}).state
    (change,) = PLAY.changes(state)
    choices = PLAY.absorb(SYSTEM.examples["gunslinger"], change.data)
    sheet = SYSTEM.build(choices, SYSTEM.content)
    assert not isinstance(sheet, Problems)
    assert (sheet.expended, sheet.health_now) == (2, 7)


def test_ongoing_conditions_travel_home_and_into_the_next_fight() -> None:
    who = "chr-gunslinger"
    state = begun(PLAY.setups["alley"], "gunslinger")
    for name, shaken_off in (("dazed", True), ("poisoned", False), ("slowed", False), ("prone", False)):
        imposed = Impose(actor=GM, who=who, what=condition_id(name), shaken_off=shaken_off)
        state = played(state, imposed, {}).state
    brief = new_effect(state, condition_id("stunned"), who, lasts=Duration(Until.TURNS, who, 2))
    state = replace(state, effects=(*state.effects, brief))
    (change,) = PLAY.changes(state)
    assert change.text.endswith("Dazed, Poisoned.")
    home = PLAY.absorb(SYSTEM.examples["gunslinger"], change.data)
    sheet = SYSTEM.build(home, SYSTEM.content)
    assert not isinstance(sheet, Problems)
    # Those of an area, of a situation and with a duration of their own end with the scene.
    assert [line.name for line in sheet.conditions] == ["Dazed", "Poisoned"]
    assert any(note.startswith("Dazed: ") for note in character_card(sheet, SYSTEM.content).notes)
    again = PLAY.begin(PLAY.setups["skirmish"], (CastMember(id=who, sheet=sheet),))
    assert isinstance(again, Fight)
    assert [one.id for one in shakeable(again, who)] == [one.id for one in again.effects if one.bearer == who]
    (dazed, _) = shakeable(again, who)
    cured = played(again, Lift(actor=GM, effect=dazed.id), {}).state
    (change,) = PLAY.changes(cured)
    assert PLAY.absorb(home, change.data).conditions == (condition_id("poisoned"),)


@pytest.mark.parametrize(
    ("conditions", "code"),
    [
        (("dazed", "dazed"), "condition_twice"),
        (("prone",), "condition_not_ongoing"),
        (("sad",), "id_unknown"),
    ],
)
def test_only_ongoing_conditions_stay_with_a_character_each_once(
    conditions: tuple[str, ...], code: str
) -> None:
    borne = tuple(map(condition_id, conditions))
    found = SYSTEM.build(replace(SYSTEM.examples["gunslinger"], conditions=borne), SYSTEM.content)
    assert isinstance(found, Problems) and found.codes == (code,)


def _with_revolver(loaded: int | None, ammunition: int | None) -> Any:
    choices = SYSTEM.examples["gunslinger"]
    pieces = (
        replace(each, loaded=loaded, ammunition=ammunition) if each.item == REVOLVER else each
        for each in choices.equipment
    )
    return replace(choices, equipment=tuple(pieces))


def test_loads_and_spare_ammunition_travel_home() -> None:
    choices, who = _with_revolver(loaded=1, ammunition=2), "chr-gunslinger"
    sheet = SYSTEM.build(choices, SYSTEM.content)
    assert not isinstance(sheet, Problems)
    opening = PLAY.begin(PLAY.setups["alley"], (CastMember(id=who, sheet=sheet),))
    assert isinstance(opening, Fight)
    state: Fight = opening
    gun = next(each for each in state.find(who).profile.weapons if each.item == REVOLVER)
    state = played(state, BeginFight(actor=GM), {f"initiative:{who}": [10] * 9}).state
    state = played(state, Minor(actor=who, use=MinorUse.DRAW, item=gun.id), {}).state

    def now() -> tuple[int | None, int | None]:
        return state.find(who).shots(gun.id), state.find(who).spare(gun.id)

    def reloads() -> list[Any]:
        offers = PLAY.legal(returning(state, who), who)
        return [
            Reload(actor=who, weapon=gun.id, way=str(one.move["way"]))
            for one in offers
            if one.id[:6] == "reload"
        ]

    assert now() == (1, 2)
    state = played(state, Attack(actor=who, weapon=gun.id, target="foe-1", added=1), {}).state
    assert now() == (0, 2)
    state = with_energy(state, who)
    for left in (1, 0):
        (again,) = reloads()
        state = with_energy(played(returning(state, who), again, {}).state, who)
        assert now() == (2 - left, left)
    assert not reloads()
    assert refused(returning(state, who), again) == ["no_ammunition"]
    (change,) = PLAY.changes(state)
    home = PLAY.absorb(choices, change.data)
    assert home == replace(_with_revolver(2, 0), health=7, expended=0)
    after = SYSTEM.build(home, SYSTEM.content)
    assert not isinstance(after, Problems)
    line = next(each for each in after.weapons if each.id == REVOLVER)
    assert (line.holds, line.loaded, line.ammunition) == (6, 2, 0)
    card = character_card(after, SYSTEM.content)
    assert any("2 of 6 loaded, 0 spare" in each.line for each in card.weapons)


def with_energy(state: Fight, who: str) -> Fight:
    """The fight where one has all its energy again."""
    full = (replace(one, energy=one.profile.energy) if one.id == who else one for one in state.combatants)
    return replace(state, combatants=tuple(full))


def test_a_magazine_takes_no_more_than_there_is_and_an_uncounted_one_is_full() -> None:
    gun = Weapon(
        id="gun",
        name="Gun",
        item=RIFLE,
        kind=EquipmentKind.FIREARM,
        attribute=Attribute.AGILITY,
        hands=2,
        holds=30,
    )
    for spare, after in ((50, (30, 23)), (10, (13, 0)), (None, (30, None))):
        held = hero(armed(weapons=(gun,)), held=("gun",), loads=(Loaded("gun", 3, spare),))
        state = fight(held, fighter(FOE, FOES, passed=True))
        made = played(
            state, Reload(actor=HERO, weapon="gun", way=ways_of(state.catalog, gun)[0]), {}
        ).state.find(HERO)
        assert (made.shots("gun"), made.spare("gun")) == after


@pytest.mark.parametrize(
    ("loaded", "ammunition", "path"),
    [(7, 0, "loaded"), (-1, 0, "loaded"), (1, -1, "ammunition")],
)
def test_no_more_shots_than_a_weapon_holds(loaded: int, ammunition: int, path: str) -> None:
    found = SYSTEM.build(_with_revolver(loaded, ammunition), SYSTEM.content)
    assert isinstance(found, Problems)
    (problem,) = found
    assert (problem.code, problem.path[-1]) == ("ammunition_out_of_range", path)


def test_conditions_of_a_pack_stay_with_a_character_through_a_fight() -> None:
    state = begun(PLAY.setups["alley"], "gunslinger")
    (change,) = PLAY.changes(state)
    cursed = replace(SYSTEM.examples["gunslinger"], conditions=(condition_id("moonstruck"),))
    assert PLAY.absorb(cursed, change.data).conditions == (condition_id("moonstruck"),)


def test_a_bot_without_ammunition_closes_in_and_strikes_otherwise() -> None:
    gun = Weapon(
        id="gun",
        name="Gun",
        item=RIFLE,
        kind=EquipmentKind.FIREARM,
        attribute=Attribute.AGILITY,
        hands=2,
        min_range=10,
        max_range=100,
        holds=30,
    )
    fist = replace(club(), id="fist", natural=True, hands=0)
    for spare, kind in ((5, Reload), (0, Approach)):
        held = hero(armed(weapons=(gun, fist)), held=("gun",), loads=(Loaded("gun", 0, spare),))
        state = fight(held, fighter(FOE, FOES, passed=True), spread=40)
        assert isinstance(PLAY.bot(state, HERO), kind)
    near = fight(held, fighter(FOE, FOES, passed=True), spread=5)
    move = PLAY.bot(near, HERO)
    assert isinstance(move, Attack) and move.weapon == "fist"
