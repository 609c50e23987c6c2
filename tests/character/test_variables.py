"""The numbers of a sheet that dice notation can name, and who may ask for them."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from services.rules.dice.notation import bind, parse, render
from services.rules.dice.notation import variables as named
from services.rules.engine.explain import Explained, Part
from services.rules.engine.registry import systems
from services.rules.engine.sheet import RollableCheck, Track, variables
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.sheet import HeroSheet
from services.shared.auth import Viewer
from services.shared.ids import new_id
from tests.character.desk import Desk, Tables, somebody
from tests.character.operations import DELETE, UPDATE, created, hero

SYSTEM = systems()["dungeonteller"]


@dataclass(frozen=True, slots=True)
class Card:
    """A sheet of no game in particular."""

    system: str = "toy"
    name: str = "Bear"
    tracks: tuple[Track, ...] = ()
    checks: tuple[RollableCheck, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberedCard:
    """A sheet with numbers of its own."""

    own: Mapping[str, int]
    system: str = "toy"
    name: str = "Bear"
    tracks: tuple[Track, ...] = ()
    checks: tuple[RollableCheck, ...] = ()

    def named_numbers(self) -> Mapping[str, int]:
        return self.own


def check(name: str, dice: int) -> RollableCheck:
    return RollableCheck(name, name, f"{dice}d6", "", Explained.of(Part(dice, "all", "R-1")))


def test_any_sheet_gives_its_tracks_and_the_dice_of_its_checks() -> None:
    card = Card(tracks=(Track("health", "Health", 3, 9),), checks=(check("battle-longsword", 7),))
    assert variables(card) == {"health": 3, "health.max": 9, "battle_longsword.dice": 7}


def test_a_sheets_own_numbers_go_before_its_tracks() -> None:
    card = NumberedCard({"health": 20, "wits": -1}, tracks=(Track("health", "Health", 3, 9),))
    assert variables(card) == {"health": 20, "wits": -1, "health.max": 9}


def test_names_are_lower_case_and_what_notation_cannot_name_is_left_out() -> None:
    card = NumberedCard({"Max-Move": 5, "über": 1, "2nd": 1, "": 1, "a b": 1, "a..b": 1, ".a": 1, "a.": 1})
    assert variables(card) == {"max_move": 5}


@pytest.mark.parametrize("example", SYSTEM.examples)
def test_every_hero_has_the_ten_actions_as_on_the_card(example: str) -> None:
    sheet = SYSTEM.build(SYSTEM.examples[example], SYSTEM.content)
    assert isinstance(sheet, HeroSheet)
    found = variables(sheet)
    ratings = {line.id.value: line.rating.value for line in sheet.actions}
    assert set(ratings) == {action.value for action in Action}
    assert {name: found[name] for name in ratings} == ratings
    assert found["luck"] == found["luck.max"] == sheet.luck.value
    assert (found["armor"], found["gold"], found["move"]) == (sheet.armor.value, sheet.gold.value, 5)
    for one in sheet.checks:
        assert found[f"{one.id.replace('-', '_')}.dice"] == one.dice.value
    assert all(type(value) is int for value in found.values())


@pytest.mark.parametrize("example", SYSTEM.examples)
def test_dice_notation_can_name_every_number(example: str) -> None:
    sheet = SYSTEM.build(SYSTEM.examples[example], SYSTEM.content)
    assert isinstance(sheet, HeroSheet)
    for name, value in variables(sheet).items():
        assert named(parse(f"@{name}")) == (name,)
        assert bind(parse(f"@{name} d6"), {name: value}) == parse(f"{value}d6")


def test_a_pool_is_rolled_from_the_card() -> None:
    sheet = SYSTEM.build(SYSTEM.examples["warrior"], SYSTEM.content)
    assert isinstance(sheet, HeroSheet)
    asked = parse("@muscle d6 >=5 + (@Battle + 2)d6 + @battle_greatsword.dice d6 - @luck.max")
    assert render(bind(asked, variables(sheet))) == "5d6>=5 + (5 + 2)d6 + 10d6 - 10"


async def test_the_table_reads_a_sheets_numbers_and_nobody_else_does(desk: Desk, tables: Tables) -> None:
    owner, master, player, spectator, outsider = (somebody() for _ in range(5))
    character = (await created(desk, owner))["id"]
    tables.seat(character, "cmp_1", gm=master, player=player, spectator=spectator)
    tables.seat(new_id("chr"), "cmp_2", gm=outsider)
    path = f"characters/{character}/variables"
    for viewer in (owner, master, player, spectator):
        answer = await desk.internal(viewer, path)
        assert answer.status_code == 200
        assert (answer.json()["muscle"], answer.json()["battle_greatsword.dice"]) == (5, 10)
    for viewer in (outsider, Viewer()):
        assert (await desk.internal(viewer, path)).status_code == 404
    assert (await desk.internal(owner, path, service=False)).status_code == 401


async def test_the_numbers_follow_each_edit(desk: Desk) -> None:
    owner = somebody()
    character = (await created(desk, owner))["id"]
    sent = {"id": character, "version": 1, "build": hero(role="dungeonteller:role/wizard")}
    await desk.ask(owner, UPDATE, input=sent)
    found = (await desk.internal(owner, f"characters/{character}/variables")).json()
    assert (found["magic"], found["muscle"]) == (6, 1)


async def test_there_are_no_numbers_of_what_is_not_there(desk: Desk) -> None:
    owner = somebody()
    character = (await created(desk, owner))["id"]
    await desk.ask(owner, DELETE, id=character, version=1)
    for one in (character, new_id("chr"), new_id("cmp"), "chr_", "%00", "x" * 4000):
        assert (await desk.internal(owner, f"characters/{one}/variables")).status_code == 404
