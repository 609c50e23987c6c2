"""Champions, the Armory as data, and what is wrong with either."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from services.rules.dice.stream import ListStream
from services.rules.engine.content import ContentError
from services.rules.engine.matches import named_stream
from services.rules.engine.problem import Problems
from services.rules.systems.dwarf_dice import SYSTEM
from services.rules.systems.dwarf_dice.card import champion_card
from services.rules.systems.dwarf_dice.catalog import load_catalog
from services.rules.systems.dwarf_dice.choices import ChampionChoices
from services.rules.systems.dwarf_dice.items import Side, needs
from services.rules.systems.dwarf_dice.sheet import ChampionSheet
from tests.rules.dwarf_dice_games import CATALOG, champion, item

CONTENT = Path(__file__).resolve().parents[2] / "services/rules/systems/dwarf_dice/content"


def sheet(name: str) -> ChampionSheet:
    found = SYSTEM.build(SYSTEM.examples[name], CATALOG)
    assert isinstance(found, ChampionSheet)
    return found


def test_the_armory_is_the_one_that_the_rules_speak_of() -> None:
    value = {one.name: one.value for one in CATALOG.armory}
    assert (value["Longsword"], value["Hatchet"], value["Greataxe"]) == (3, 2, 5)
    assert value["Buckler"] + value["Pauldrons"] == 6
    assert {CATALOG.cheapest(side) for side in Side} == {item("dagger"), item("buckler")}
    charm = CATALOG.armory[item("lucky-charm")]
    assert charm.side is Side.DEFENCE
    assert charm.wood > 0
    for side in Side:
        values = [one.value for one in CATALOG.armory if one.side is side]
        assert len(values) >= 7
        assert {1, 2, 3, 5} <= set(values)
    for one in CATALOG.armory:
        mostly = one.metal if one.side is Side.OFFENCE else one.wood
        assert 2 * mostly >= one.value == sum(needs(one.pattern))
        assert 0 < one.odds.aimed_nulls <= one.odds.random_nulls <= one.odds.no_nulls < 1


def test_the_chart_gives_18_28_and_42_cards() -> None:
    assert [sum(CATALOG.copies(players).values()) for players in (2, 3, 4)] == [18, 28, 42]
    assert [CATALOG.extra(4, value) for value in (1, 2, 3, 5)] == [3, 2, 1, 0]


def test_each_champion_has_a_passive_and_an_active_power() -> None:
    named = {
        name: [(line.name, line.uses) for line in sheet(name).powers]
        for name in ("bron", "grim", "gor", "belinda")
    }
    assert named == {
        "bron": [("Mark of Quality", None), ("Forge's Fury", 1)],
        "grim": [("Fiery Rebuke", None), ("Dark Pact", 1)],
        "gor": [("Adaptability", None), ("Furious Assault", 1)],
        "belinda": [("Shrink Ray", None), ("Upgrade!", 1)],
    }


def test_only_grim_can_roll_a_rebuke() -> None:
    assert [name for name in SYSTEM.examples if any(it.id == "rebuke" for it in sheet(name).checks)] == [
        "grim"
    ]


def test_every_broken_choice_is_named_at_once() -> None:
    broken = ChampionChoices(name="x" * 81, champion=champion("thorin"))
    found = SYSTEM.build(broken, CATALOG)
    assert isinstance(found, Problems)
    assert {(it.code, it.path, it.allowed) for it in found} == {
        ("name_too_long", ("name",), 80),
        ("champion_unknown", ("champion",), CATALOG.champions.ids),
    }


def test_a_champion_is_drawn_by_chance_and_the_same_one_by_the_same_faces() -> None:
    assert SYSTEM.random is not None
    drawn = {SYSTEM.random(named_stream(n), CATALOG, None, None) for n in range(40)}
    assert {it.champion for it in drawn if isinstance(it, ChampionChoices)} == set(CATALOG.champions.ids)
    assert all(
        not isinstance(SYSTEM.build(it, CATALOG), Problems) for it in drawn if isinstance(it, ChampionChoices)
    )
    assert SYSTEM.random(ListStream([]), CATALOG, "Nori", champion("gor")) == ChampionChoices(
        name="Nori", champion=champion("gor")
    )
    unknown = SYSTEM.random(ListStream([]), CATALOG, "Nori", "gor")
    assert isinstance(unknown, Problems)
    assert unknown.codes == ("champion_unknown",)
    assert unknown.items[0].path == ("concept",)


def test_the_card_says_all_that_is_needed_at_a_table() -> None:
    card = champion_card(sheet("grim"), CATALOG)
    assert card.tracker == (6, 5, 4, 3, 2, 1, 0)
    assert [power.title for power in card.powers] == ["Passive: Fiery Rebuke", "Active: Dark Pact ◆"]
    assert len(card.offence) == len(card.defence) == 8
    assert ("Greataxe", 5, ("MMM", ".M.", ".W.")) in [(it.name, it.value, it.pattern) for it in card.offence]


def copied(folder: Path, file: str, change: Callable[[str], str]) -> Path:
    for one in CONTENT.glob("*.toml"):
        text = one.read_text("utf-8")
        (folder / one.name).write_text(change(text) if one.name == file else text, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("armory.toml", '"MMM", ".M.", ".W."', '"MMM", ".M."', "pattern_malformed"),
        ("armory.toml", '"MMM", ".M.", ".W."', '"WWW", ".M.", ".W."', "pattern_of_other_side"),
        ("armory.toml", '"MMM", ".M.", ".W."', '"MMM", "MMM", ".W."', "item_too_dear"),
        ("armory.toml", '"MMM", ".M.", ".W."', '"MMM", ".M.", "..."', "value_missing"),
        ("armory.toml", '[".M.", ".M.", "..."]', '["...", ".M.", "..."]', "cheapest_unclear"),
        ("armory.toml", "copies = 1", "copies = 0", "copies_missing"),
        ("box.toml", "cards = 42", "cards = 41", "cards_do_not_fit_box"),
        ("settings.toml", "endurance = 6", "endurance = 0", "from 1 to 20"),
        ("settings.toml", "metal = 2", "metal = -1", "fewer than none"),
        ("settings.toml", "shifting = true", 'shifting = "yes"', "true or false"),
    ],
)
def test_content_that_is_no_game_is_refused_by_name(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    folder = copied(tmp_path, file, lambda text: text.replace(old, new))
    with pytest.raises(ContentError, match=said):
        load_catalog(folder)


def test_too_few_items_are_refused(tmp_path: Path) -> None:
    folder = copied(
        tmp_path,
        "armory.toml",
        lambda text: text[: text.index("[kite-shield]")],
    )
    with pytest.raises(ContentError, match="items_too_few"):
        load_catalog(folder)


def test_a_table_of_its_own_rules_has_its_own_odds(tmp_path: Path) -> None:
    folder = copied(tmp_path, "settings.toml", lambda text: text.replace("null = 1", "null = 2"))
    own = load_catalog(folder)
    assert own.rules.faces == replace(CATALOG.rules.faces, null=2)
    assert own.armory[item("dagger")].odds.no_nulls < CATALOG.armory[item("dagger")].odds.no_nulls
