"""Crafting: Hoards, windows in their order, Nulls, forging, and Upgrade!."""

from __future__ import annotations

import pytest

from services.rules.engine.driver import Made, make
from services.rules.engine.play import GM, Roll
from services.rules.systems.dwarf_dice.crafting import hoarded, one_aside, pacted
from services.rules.systems.dwarf_dice.play.setup import Sheets
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.settings import HouseRules
from tests.rules.dwarf_dice_games import ALL, PLAY, Game, champion, item


def at(*places: int) -> list[dict[str, int]]:
    return [{"x": place % 3, "y": place // 3} for place in places]


def test_a_turn_is_crafting_or_combat() -> None:
    game = Game("bron", "grim")
    assert game.refused("Pass", "bron") == ("no_passing",)
    assert game.refused("Challenge", "bron", target="grim") == ("no_offence",)
    assert game.refused("Craft", "grim") == ("not_your_turn",)
    assert game.refused("Craft", "nobody") == ("unknown_actor",)
    assert game.refused("Craft", GM) == ("not_yours",)
    assert [offer.id for offer in PLAY.legal(game.state, "bron")] == ["craft"]


def test_a_table_may_allow_passing() -> None:
    game = Game("bron", "grim", house=HouseRules(may_pass=True))
    game.move("Pass", "bron")
    assert game.state.turn == "grim"


def test_the_left_neighbour_places_every_null_but_never_on_the_centre() -> None:
    game = Game("gor", "belinda", "grim")
    game.move("Craft", "gor", dice={"hoard": "MMMWWWANN"})
    assert game.at.card(ALL).waiting_for == ("belinda",)
    assert game.refused("PlaceNulls", "gor", squares=at(0, 1)) == ("move_waits",)
    assert game.refused("PlaceNulls", "grim", squares=at(0, 1)) == ("move_waits",)
    assert game.refused("PlaceNulls", "belinda", squares=at(0, 4)) == ("null_on_centre",)
    assert game.refused("PlaceNulls", "belinda", squares=at(0)) == ("nulls_left",)
    assert game.refused("PlaceNulls", "belinda", squares=at(0, 1, 2)) == ("nulls_too_many",)
    assert game.refused("PlaceNulls", "belinda", squares=at(0, 0)) == ("null_on_null",)
    assert game.refused("PlaceNulls", "belinda", squares=[{"x": 3, "y": 0}, {"x": 0, "y": 0}]) == (
        "square_off_forge",
    )
    game.move("PlaceNulls", "belinda", squares=at(0, 8))
    assert game.asked() == {}
    assert "finish" in {offer.id for offer in game.offers("gor")}
    assert game.refused("PlaceNulls", "belinda", squares=at(0, 8)) == ("nothing_asked",)
    assert game.refused("Craft", "gor") == ("not_now",)
    assert game.refused("FinishForging", "belinda") == ("not_your_turn",)


def test_the_defeated_place_no_nulls() -> None:
    game = Game("gor", "belinda", "grim", house=HouseRules(endurance=1))
    game.armed(gor="hatchet")
    game.fight("gor", "belinda", "hatchet", dice={"attack": "MM"})
    assert game.state.out() == ("belinda",)
    game.craft("grim", "MMMMWWWWW")
    game.move("Craft", "gor", dice={"hoard": "MMMMWWWWN"})
    assert game.at.card(ALL).waiting_for == ("grim",)
    assert game.refused("PlaceNulls", "belinda", squares=at(0)) == ("move_waits",)
    game.move("PlaceNulls", "grim", squares=at(0))
    assert game.refused("Craft", "belinda") == ("defeated",)
    assert game.refused("PlaceNulls", "belinda", squares=at(0)) == ("defeated",)


def test_the_ninth_null_has_no_space() -> None:
    hoard = hoarded([Resource.NULL] * 9)
    assert (hoard.nulls, hoard.aside) == (8, 1)
    assert (one_aside(hoard).nulls, one_aside(hoard).aside) == (8, 1)
    assert pacted(hoard, Resource.WOOD).resources() == (0, 9, 0)


def test_nulls_on_every_square_but_the_centre_are_placed_without_a_question() -> None:
    game = Game("gor", "belinda")
    game.move("Craft", "gor", dice={"hoard": "MNNNNNNNN"})
    assert game.asked() == {}
    assert {(square.x, square.y) for square in game.state.at_work().nulls} == {
        (x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)
    }
    game = Game("gor", "belinda")
    game.move("Craft", "gor", dice={"hoard": "MMNNNNNNN"})
    assert game.asked() == {"belinda": "nulls"}


def test_mark_of_quality_sets_one_null_aside_at_every_crafting() -> None:
    game = Game("bron", "grim")
    for _ in range(2):
        game.move("Craft", "bron", dice={"hoard": "MMMWWWANN"})
        assert game.asked() == {"bron": "mark"}
        assert game.refused("MarkOfQuality", "grim") == ("move_waits",)
        game.move("MarkOfQuality", "bron")
        assert game.state.at_work().hoard.nulls == 1
        game.move("PlaceNulls", "grim", squares=at(0))
        game.move("FinishForging", "bron")
        game.craft("grim", "MMMMWWWWW")


def test_dark_pact_is_asked_before_the_nulls_and_only_once_in_a_game() -> None:
    game = Game("grim", "gor")
    assert game.refused("DarkPact", "grim", resource="M") == ("not_own_hoarding",)
    game.move("Craft", "grim", dice={"hoard": "MMMWWWANN"})
    assert game.asked() == {"grim": "pact"}
    assert game.refused("DarkPact", "gor", resource="M") == ("move_waits",)
    assert game.refused("DarkPact", "grim", resource="A") == ("pact_resource",)
    game.move("DarkPact", "grim", resource="W")
    assert game.asked() == {}
    assert game.state.at_work().hoard.resources() == (3, 5, 1)
    assert game.refused("DarkPact", "grim", resource="W") == ("pact_too_late",)
    assert game.refused("DarkPact", "gor", resource="W") == ("power_not_theirs",)
    game.move("FinishForging", "grim")
    game.craft("gor", "MMMMWWWWW")
    game.move("Craft", "grim", dice={"hoard": "MMMWWWANN"})
    assert game.asked() == {"gor": "nulls"}
    assert game.refused("DarkPact", "grim", resource="W") == ("move_waits",)
    assert not game.state.fighter("grim").power_left


def test_no_window_opens_where_there_is_nothing_to_ask() -> None:
    game = Game("grim", "bron")
    game.craft("grim", "MMMMWWWWW")
    game.move("Craft", "bron", dice={"hoard": "MMMMWWWWA"})
    assert game.asked() == {}
    assert "finish" in {offer.id for offer in game.offers("bron")}


def forging(*names: str, nulls: tuple[int, ...] = (), hoard: str = "MMMMWWWAA") -> Game:
    """A champion before the Forge, with Nulls that Belinda has placed."""
    game = Game(*names, "belinda")
    dice = hoard[: 9 - len(nulls)] + "N" * len(nulls)
    game.move("Craft", names[0], dice={"hoard": dice})
    if nulls:
        game.move("PlaceNulls", "belinda", squares=at(*nulls))
    return game


def test_one_item_a_side_and_no_die_in_two() -> None:
    game = forging("grim")
    assert game.refused("Forge", "grim", items=[item("dagger"), item("hatchet")]) == ("two_of_offence",)
    assert game.refused("Forge", "grim", items=[item("buckler"), item("buckler")]) == ("two_of_defence",)
    game.move("Lay", "grim", item=item("longsword"), at="MMW......")
    assert game.refused("Lay", "grim", item=item("lucky-charm"), at="..W.M....") == ("square_taken",)
    assert game.refused("Lay", "grim", item=item("dagger"), at="........M") == ("two_of_offence",)
    assert game.refused("Lift", "grim", item=item("dagger")) == ("not_on_forge",)
    game.move("Lay", "grim", item=item("lucky-charm"), at="...W...M.")
    game.move("FinishForging", "grim")
    assert game.hand("grim") == ["longsword", "lucky-charm"]
    assert game.state.stock[item("longsword")] == 0


def test_an_item_lies_as_its_card_shows_beside_the_nulls() -> None:
    game = forging("gor", nulls=(0,))
    assert game.refused("Lay", "gor", item=item("longsword"), at="MMW......") == ("square_has_null",)
    assert game.refused("Lay", "gor", item=item("longsword"), at="...MWM...") == ("pattern_differs",)
    assert game.refused("Lay", "gor", item=item("longsword"), at="...MMW..") == ("forge_malformed",)
    assert game.refused("Lay", "gor", item=item("no-such"), at="...MMW...") == ("item_unknown",)
    game.move("Lay", "gor", item=item("longsword"), at="...WMM...")
    assert game.state.at_work().works[0].at == "...WMM..."


def test_dice_must_suffice_and_alchemy_stands_for_one_thing_at_a_time() -> None:
    game = forging("grim", hoard="MWWWWWWWA")
    assert game.refused("Forge", "grim", items=[item("falchion")]) == ("resources_short",)
    game.move("Lay", "grim", item=item("shortsword"), at="MM.......")
    assert game.refused("Lay", "grim", item=item("gauntlet"), at="...M..W..") == ("resources_short",)
    game.move("Lay", "grim", item=item("kite-shield"), at="...WW...W")


def test_big_items_need_room() -> None:
    game = forging("gor", nulls=(0, 8), hoard="MMMMWWWWW")
    assert game.refused("Forge", "gor", items=[item("greataxe")]) == ("no_room",)
    offered = {offer.id for offer in PLAY.legal(game.state, "gor")}
    assert "lay:greataxe" not in offered
    assert "forge:longsword+buckler+buckler" in offered


def test_what_is_out_of_stock_cannot_be_forged() -> None:
    game = Game("grim", "belinda")
    game.armed(belinda="longsword buckler")
    game.move("Craft", "grim", dice={"hoard": "MMMMWWWWW"})
    assert game.refused("Forge", "grim", items=[item("longsword")]) == ("out_of_stock",)
    assert not any("longsword" in offer.id for offer in PLAY.legal(game.state, "grim"))


def test_adaptability_adds_one_buckler_or_dagger_in_all() -> None:
    game = forging("gor")
    for items, code in (
        (["dagger", "dagger", "dagger"], "out_of_stock"),
        (["dagger", "dagger", "buckler", "buckler"], "extra_too_many"),
        (["longsword", "hatchet"], "extra_of_other_kind"),
    ):
        assert game.refused("Forge", "gor", items=[item(name) for name in items]) == (code,)
    game.move("Forge", "gor", items=[item("buckler"), item("longsword"), item("dagger")])
    assert game.hand("gor") == ["dagger", "longsword", "buckler"]


def test_a_table_may_let_adaptability_add_two() -> None:
    game = Game("gor", "belinda", house=HouseRules(adaptability_items=2))
    game.craft("gor", "MMMMMWWWW", "dagger", "dagger", "buckler", "buckler")
    assert game.hand("gor") == ["dagger", "dagger", "buckler", "buckler"]


def test_upgrade_takes_what_was_just_forged_for_a_card_two_dice_cheaper_at_most() -> None:
    game = Game("gor", "belinda")
    game.armed(belinda="dagger kite-shield", gor="falchion")
    game.craft("gor", "MMMMMWWWW", "greataxe")
    assert game.asked() == {"belinda": "upgrade"}
    assert game.refused("Upgrade", "gor", give=item("falchion"), take=item("greataxe")) == ("move_waits",)
    give, take = item("dagger"), item("greataxe")
    assert game.refused("Upgrade", "belinda", give=give, take=take) == ("card_too_cheap",)
    assert game.refused("Upgrade", "belinda", give=give, take=item("falchion")) == ("not_just_forged",)
    assert game.refused("Upgrade", "belinda", give=item("helm"), take=take) == ("card_not_in_hand",)
    before = dict(game.state.stock)
    game.move("Upgrade", "belinda", give=item("kite-shield"), take=take)
    assert game.hand("belinda") == ["dagger", "greataxe"]
    assert game.hand("gor") == ["falchion", "kite-shield"]
    assert game.state.stock == before
    assert game.state.turn == "belinda"
    assert not game.state.fighter("belinda").power_left
    assert game.refused("Upgrade", "belinda", give=give, take=take) == ("power_spent",)
    assert game.refused("Upgrade", "gor", give=give, take=take) == ("power_not_theirs",)


def test_upgrade_answers_an_opponents_forging() -> None:
    game = Game("belinda", "gor")
    game.armed(belinda="dagger")
    game.move("Craft", "belinda", dice={"hoard": "MMMMMWWWW"})
    give, take = item("dagger"), item("buckler")
    assert game.refused("Upgrade", "belinda", give=give, take=take) == ("own_forging",)
    game.move("Forge", "belinda", items=[take])
    assert (game.asked(), game.state.turn) == ({}, "gor")
    assert game.refused("Upgrade", "belinda", give=give, take=take) == ("nothing_asked",)


@pytest.mark.parametrize(
    ("house", "asked"), [(HouseRules(), True), (HouseRules(upgrade_across_sides=False), False)]
)
def test_upgrade_across_sides_is_a_setting(house: HouseRules, asked: bool) -> None:
    game = Game("gor", "belinda", house=house)
    game.armed(belinda="kite-shield")
    game.craft("gor", "MMMMMWWWW", "greataxe")
    assert (game.asked() == {"belinda": "upgrade"}) is asked
    assert (game.state.turn == "gor") is asked


def test_without_shifting_one_die_items_own_the_centre() -> None:
    game = Game("gor", "belinda", house=HouseRules(shifting=False))
    game.move("Craft", "gor", dice={"hoard": "MMMMMWWWW"})
    assert game.refused("Lay", "gor", item=item("dagger"), at="M........") == ("pattern_differs",)
    assert game.refused("Forge", "gor", items=[item("dagger"), item("buckler")]) == ("no_room",)
    game.move("Lay", "gor", item=item("dagger"), at="....M....")


def test_champions_are_dealt_so_that_each_order_is_as_likely() -> None:
    dealt = set()
    for lot in range(1, 25):
        game = Game("bron", "grim", champions=Sheets.DEALT)
        move = PLAY.move_codec.read({"kind": "Deal", "actor": "bron"})

        def throw(roll: Roll, lot: int = lot) -> tuple[int, ...]:
            assert roll.sides == 24
            return (lot,)

        made = make(PLAY, game.state, move, throw)
        assert isinstance(made, Made)
        dealt.add(tuple(one.champion for one in made.state.fighters))
        assert [offer.id for offer in PLAY.legal(made.state, "bron")] == ["craft"]
    assert len(dealt) == 12
    assert (champion("grim"), champion("bron")) in dealt
