"""DungeonTeller's zones are content: a new one is an entry, and a function where data cannot say it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from services.rules.engine.grid import Square
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.effects import ZoneRule, zone_rules
from services.rules.systems.dungeonteller.play.moves import Go
from services.rules.systems.dungeonteller.play.rules.harm import SPECIAL
from services.rules.systems.dungeonteller.play.state import Area, Being, Scene
from tests.rules.dungeonteller_scenes import PLAY, hero, make, monster, rolled, scene

SLIME = ZoneRule(id="dungeonteller:zone/slime", name="the slime", rule="Our own", saved_by=Action.STUNT)
SPOT = Square(1, 0)
ENTERS = Go(actor="dwarf", to=SPOT)


@pytest.fixture
def slime(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A patch that lays down what slime does."""
    monkeypatch.setitem(zone_rules(), "slime", SLIME)  # type: ignore[misc]
    yield monkeypatch


def hall(**changes: int) -> Scene:
    patch = Area(id="slime-1", kind="slime", squares=(SPOT,))
    return scene(replace(hero("dwarf"), **changes), monster("orc", (9, 0)), areas=(patch,))


def test_an_entry_alone_takes_luck_or_a_turn_from_whoever_does_not_save_themselves(
    slime: pytest.MonkeyPatch,
) -> None:
    slime.setitem(zone_rules(), "slime", replace(SLIME, luck=2))  # type: ignore[misc]
    luck = hall().beings[0].luck or 0
    hurt, saved = (rolled(hall(), ENTERS, {"save:dwarf:slime-1": wins}) for wins in (0, 1))
    assert (hurt.being("dwarf").luck, saved.being("dwarf").luck) == (luck - 2, luck - 1)
    assert f"{hurt.being('dwarf').name} loses 2 Luck (the slime)." in hurt.told()
    slime.setitem(zone_rules(), "slime", replace(SLIME, loses_turn=True))  # type: ignore[misc]
    stuck, free = (rolled(hall(), ENTERS, {"save:dwarf:slime-1": wins}) for wins in (0, 1))
    assert stuck.scene.turn.acted and not free.scene.turn.acted
    assert any("loses a turn" in text for text in stuck.told())
    assert any("not bothered by the slime" in text for text in free.told())


def test_what_an_entry_spares_is_spared(slime: pytest.MonkeyPatch) -> None:
    slime.setitem(zone_rules(), "slime", replace(SLIME, luck=2, spares_giants=True))  # type: ignore[misc]
    giant = hall()
    giant = replace(giant, beings=(replace(giant.beings[0], size=Size.GIANT), *giant.beings[1:]))
    assert make(giant, ENTERS).dice == {}
    assert set(rolled(hall(), ENTERS, {}).dice) == {"save:dwarf:slime-1"}


def test_what_data_cannot_say_is_one_function(slime: pytest.MonkeyPatch) -> None:
    def dissolve(desk: Desk, being: Being, area: Area, saved: int) -> None:
        if not saved:
            desk.vanish(being.id)

    slime.setitem(SPECIAL, "slime", dissolve)  # type: ignore[misc]
    assert rolled(hall(), ENTERS, {}).scene.being("dwarf") is None
    assert rolled(hall(), ENTERS, {"save:dwarf:slime-1": 1}).scene.being("dwarf") is not None


def test_every_harmful_zone_of_the_book_has_what_its_harm_takes() -> None:
    for kind, rule in zone_rules().items():
        harms = (rule.luck, rule.loses_turn, rule.poisons, rule.catches, kind in SPECIAL)
        assert sum(map(bool, harms)) == rule.harmful, kind
    assert PLAY.state_codec.load(PLAY.state_codec.dump(hall())) == hall()
