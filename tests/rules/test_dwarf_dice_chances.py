"""The chances beside each choice are those of the dice, counted one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from services.rules.engine.play import LegalMove
from services.rules.engine.steps import refusal
from services.rules.systems.dwarf_dice.combat import best_blocks, blow, threat
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.settings import USUAL, HouseRules
from tests.rules.dwarf_dice_games import CATALOG, PLAY, Game

DIE = USUAL.order()


def offer(game: Game, actor: str, name: str) -> LegalMove:
    return next(it for it in game.offers(actor) if it.id == name)


def likely(found: LegalMove) -> dict[str, Fraction]:
    return {chance.id: chance.chance for chance in found.chances}


@pytest.mark.parametrize(("crits", "counters"), [(True, True), (False, True), (True, False)])
@pytest.mark.parametrize(("attack", "defence"), [(1, 0), (2, 2), (3, 1)])
def test_a_threat_is_that_of_all_dice_with_the_best_blocks(
    attack: int, defence: int, crits: bool, counters: bool
) -> None:
    falls = list(product(DIE, repeat=attack + defence))
    hurt = back = 0
    for fall in falls:
        dice: tuple[tuple[Resource, ...], tuple[Resource, ...]] = (fall[:attack], fall[attack:])
        blocks = best_blocks(*dice, crits=crits, counters=counters)
        struck = blow(*dice, blocks, crits=crits, counters=counters)
        hurt += struck.to_defender >= 2
        back += struck.counters >= 1
    found = threat(attack, defence, crits=crits, counters=counters)
    assert sum(found.exchanges.values()) == 1
    assert (found.hurts(2), found.counters()) == (Fraction(hurt, len(falls)), Fraction(back, len(falls)))


def test_before_a_hoarding_each_item_in_stock_has_its_chance() -> None:
    game = Game("gor", "belinda")
    game.armed(belinda="greataxe")
    found = likely(offer(game, "gor", "craft"))
    assert "forge:greataxe" not in found
    for one in CATALOG.armory:
        if one.name != "Greataxe":
            slug = one.id.rpartition("/")[2]
            assert found[f"forge:{slug}"] == one.odds.random_nulls
            assert found[f"forge-aimed:{slug}"] == one.odds.aimed_nulls


def test_bron_reckons_with_the_null_he_sets_aside() -> None:
    marked, plain = (
        likely(offer(Game(*names), names[0], "craft")) for names in (("bron", "gor"), ("gor", "bron"))
    )
    assert marked["forge-aimed:greataxe"] > plain["forge-aimed:greataxe"]
    assert marked["forge:dagger"] == plain["forge:dagger"] == Fraction(511, 512)


def test_while_nulls_wait_the_chances_are_those_of_this_hoard() -> None:
    game = Game("grim", "bron")
    game.move("Craft", "grim", dice={"hoard": "MMMWWWANN"})
    none = likely(offer(game, "grim", "decline"))
    metal = likely(offer(game, "grim", "pact:metal"))
    assert none["forge-aimed:greataxe"] == 0
    assert 0 < none["forge:greataxe"] < 1
    assert metal["forge-aimed:greataxe"] == metal["forge:greataxe"] == 1
    game.move("Decline", "grim")
    assert likely(offer(game, "bron", "nulls"))["hinder:greataxe"] == 1
    assert likely(offer(game, "bron", "nulls"))["hinder:dagger"] == 0


def test_an_attack_tells_its_chances_against_nothing_and_against_the_most() -> None:
    game = Game("gor", "bron", house=HouseRules(endurance=3))
    game.armed(gor="longsword dagger", bron="helm")
    found = likely(offer(game, "gor", "challenge:bron"))
    assert found["hurt:bare"] == 1 - Fraction(1, 2) ** 4
    assert found["fell:bare"] == threat(4, 0).hurts(3)
    assert found["fell:most"] == threat(4, 2).hurts(3)
    assert found["fall:most"] == threat(4, 2).counters(3) == 0
    game.move("Challenge", "gor", target="bron")
    chosen = likely(offer(game, "gor", "choose:dagger"))
    assert chosen["fell:bare"] == 0
    assert chosen["hurt:bare"] == Fraction(1, 2)
    defended = likely(offer(game, "bron", "choose:helm"))
    assert defended["stand"] == 1 - threat(4, 2).hurts(3)


def test_shrink_ray_counts_in_the_chances() -> None:
    game = Game("gor", "belinda")
    game.armed(gor="longsword", belinda="kite-shield")
    assert likely(offer(game, "gor", "challenge:belinda"))["hurt:most"] == threat(2, 3).hurts()


def test_powers_show_what_comes_with_them_and_without() -> None:
    game = Game("gor", "bron")
    game.armed(gor="longsword dagger", bron="helm")
    game.fight("gor", "bron", "longsword dagger", "helm")
    assert likely(offer(game, "gor", "decline"))["hurt:now"] == threat(4, 2).hurts()
    assert likely(offer(game, "gor", "assault"))["hurt:now"] == threat(4, 0).hurts()
    assert offer(game, "gor", "decline").odds == "dwarf_dice:combat(4, 2)"
    game.move("Decline", "gor", dice={"attack": "AAAN", "defence": "WN"})
    assert likely(offer(game, "bron", "fury")) == {"unhurt": 1, "stand": 1}
    assert likely(offer(game, "bron", "decline")) == {"unhurt": 0, "stand": 1}


def test_a_rebuke_is_one_die() -> None:
    game = Game("gor", "grim", house=HouseRules(endurance=1))
    game.armed(gor="dagger")
    game.fight("gor", "grim", "dagger", dice={"attack": "M"})
    assert likely(offer(game, "grim", "rebuke")) == {"hurt": Fraction(1, 2), "fell": Fraction(1, 2)}
    assert likely(offer(game, "grim", "decline")) == {"hurt": 0, "fell": 0}


def test_offers_hold_every_placement_there_is() -> None:
    game = Game("gor", "belinda")
    game.move("Craft", "gor", dice={"hoard": "MMMMMMMMN"})
    game.move("PlaceNulls", "belinda", squares=[{"x": 0, "y": 0}])
    dagger = offer(game, "gor", "lay:dagger")
    assert len(dagger.fields[0].choices) == 8
    assert len(offer(game, "gor", "lay:falchion").fields[0].choices) == 12
    for found in PLAY.legal(game.state, "gor"):
        for choice in found.fields[0].choices if found.fields else ():
            move = PLAY.move_codec.read({**found.move, "at": choice.value})
            assert refusal(PLAY, game.state, move) is None
