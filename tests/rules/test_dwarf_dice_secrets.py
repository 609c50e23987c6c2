"""What nobody may know: a choice until both have chosen, and hands where a table closes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.rules.engine.play import GM, Viewer
from services.rules.systems.dwarf_dice.play.events import Chosen
from services.rules.systems.dwarf_dice.table_rules import HouseRules
from tests.rules.dwarf_dice_games import CATALOG, PLAY, Game, item

CLOSED = HouseRules(open_hands=False)


def eyes(*actors: str) -> Viewer:
    return Viewer(actors=frozenset(actors))


def everything_said(game: Game, viewer: Viewer, actor: str) -> str:
    """All that a viewer can get of a game: view, card, offers, picture."""
    seen = PLAY.view(game.state, viewer)
    offers = [repr(offer) for offer in PLAY.legal(seen, actor)]
    return json.dumps([PLAY.state_codec.dump(seen), repr(PLAY.card(seen)), offers, PLAY.picture(seen)])


def chosen(first: str, cards: list[str], house: HouseRules) -> tuple[Game, Any]:
    """A challenge by Gor, in which one side has chosen."""
    game = Game("gor", "bron", "grim", house=house)
    game.armed(gor="hatchet javelin longsword", bron="helm bracers", grim="dagger")
    game.move("Challenge", "gor", target="bron")
    made = game.move("ChooseCards", first, cards=[item(card) for card in cards])
    return game, made


@pytest.mark.parametrize("house", [HouseRules(), CLOSED])
@pytest.mark.parametrize(
    ("first", "one", "another"),
    [("gor", ["hatchet"], ["javelin", "longsword"]), ("bron", ["helm"], []), ("bron", ["helm"], ["bracers"])],
)
def test_nothing_tells_what_was_chosen_before_both_have(
    first: str, one: list[str], another: list[str], house: HouseRules
) -> None:
    """Whatever somebody chose: all that others see, are offered and are told is the same."""
    other = "bron" if first == "gor" else "gor"
    (game, made), (changed, made_otherwise) = chosen(first, one, house), chosen(first, another, house)
    assert game.state != changed.state
    for viewer, actor in ((eyes(other), other), (eyes("grim"), "grim"), (Viewer(), "nobody")):
        assert everything_said(game, viewer, actor) == everything_said(changed, viewer, actor)
        seen = [PLAY.sees(event, viewer) for event in made.events]
        assert seen == [PLAY.sees(event, viewer) for event in made_otherwise.events]
        told = [PLAY.tell(game.state, event) for event in seen if event is not None]
        assert told == [f"{game.state.fighter(first).name} has chosen."]
    move = PLAY.move_codec.read({"kind": "RollDice", "actor": "gor"})
    assert PLAY.check(game.state, move) == PLAY.check(changed.state, move)


def test_one_sees_ones_own_choice_and_the_game_master_sees_all() -> None:
    game, made = chosen("gor", ["hatchet"], HouseRules())
    for viewer in (eyes("gor"), Viewer(gm=True)):
        assert PLAY.view(game.state, viewer).engaged().attack == (item("hatchet"),)
        assert [PLAY.sees(event, viewer) for event in made.events] == list(made.events)
    hidden = PLAY.sees(made.events[0], eyes("bron"))
    assert hidden == Chosen(fighter="gor", cards=(), hidden=True)


def test_both_choices_are_seen_by_all_once_both_are_in() -> None:
    game, _ = chosen("gor", ["hatchet"], HouseRules())
    game.move("ChooseCards", "bron", cards=[item("helm")])
    for viewer in (eyes("gor"), eyes("bron"), eyes("grim"), Viewer()):
        combat = PLAY.view(game.state, viewer).engaged()
        assert (combat.attack, combat.defence) == ((item("hatchet"),), (item("helm"),))


def test_a_closed_hand_shows_how_many_cards_it_holds_and_no_more() -> None:
    game = Game("gor", "bron", house=CLOSED)
    game.armed(gor="hatchet javelin", bron="helm")
    seen = PLAY.view(game.state, eyes("bron"))
    assert (seen.fighter("gor").hand, seen.fighter("gor").face_down) == ((), 2)
    assert seen.fighter("bron").hand == (item("helm"),)
    assert "2 cards" in next(one for one in PLAY.card(seen).actors if one.id == "gor").conditions
    assert PLAY.picture(seen).count(">?<") == 2


def test_offers_with_closed_hands_reckon_with_what_can_be_not_with_what_is() -> None:
    bare, armoured = Game("gor", "bron", house=CLOSED), Game("gor", "bron", house=CLOSED)
    for game, guard in ((bare, "dagger"), (armoured, "pauldrons")):
        game.armed(gor="hatchet", bron=guard)
    offered = [PLAY.legal(game.state, "gor") for game in (bare, armoured)]
    challenges = [next(offer for offer in offers if offer.id == "challenge:bron") for offers in offered]
    assert challenges[0] == challenges[1]
    assert any("6 dice" in chance.label for chance in challenges[0].chances)


def test_being_asked_for_upgrade_betrays_nothing_of_a_closed_hand() -> None:
    for card in ("dagger", "kite-shield"):
        game = Game("gor", "belinda", house=CLOSED)
        game.armed(belinda=card)
        game.craft("gor", "MMMMMWWWW", "greataxe")
        assert PLAY.card(PLAY.view(game.state, eyes("gor"))).waiting_for == ("belinda",)


def test_rivals_are_led_by_the_game_master() -> None:
    game = Game("gor", players=3)
    assert [PLAY.led_by(game.state, who) for who in ("gor", "rival-1", "rival-2")] == ["gor", GM, GM]
    assert [one.champion for one in game.state.fighters[1:]] == list(CATALOG.champions.ids[:2])
