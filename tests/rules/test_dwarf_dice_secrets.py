"""What nobody may know: a choice until both have chosen, and hands where a table closes them."""

from __future__ import annotations

import json

import pytest

from services.rules.engine.play import GM, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.steps import Ask
from services.rules.systems.dwarf_dice.play.facts import Challenged, Revealed
from services.rules.systems.dwarf_dice.settings import HouseRules
from tests.rules.dwarf_dice_games import ALL, CATALOG, PLAY, Game, item, items

CLOSED = HouseRules(open_hands=False)


def eyes(*actors: str) -> Viewer:
    return Viewer(actors=frozenset(actors))


def everything_said(at: Position, viewer: Viewer, actors: tuple[str, ...]) -> str:
    """All that a viewer who leads these actors can get of a game: view, card, offers, picture."""
    seen = at.view(viewer)
    offers = [repr(tuple(at.legal(actor, viewer))) for actor in actors]
    return json.dumps([PLAY.state_codec.dump(seen), repr(at.card(viewer)), offers, PLAY.picture(seen)])


def chosen(first: str, cards: str, house: HouseRules) -> tuple[Game, Taken]:
    """A challenge by Gor, in which one side has chosen; `rival-1` is the game master's."""
    game = Game("gor", "bron", players=3, house=house)
    game.armed(gor="hatchet javelin longsword", bron="helm bracers", **{"rival-1": "dagger"})
    game.move("Challenge", "gor", target="bron")
    made = game.move("ChooseCards", first, cards=items(cards))
    return game, made


@pytest.mark.parametrize("house", [HouseRules(), CLOSED])
@pytest.mark.parametrize(
    ("first", "one", "another"),
    [("gor", "hatchet", "javelin longsword"), ("bron", "helm", ""), ("bron", "helm", "bracers")],
)
def test_nothing_tells_what_was_chosen_before_both_have(
    first: str, one: str, another: str, house: HouseRules
) -> None:
    """Whatever somebody chose: all that anybody sees, is offered and is told is the same."""
    other = "bron" if first == "gor" else "gor"
    (game, made), (changed, made_otherwise) = chosen(first, one, house), chosen(first, another, house)
    assert game.at.form() != changed.at.form()
    assert game.state == changed.state
    for viewer in (eyes(other), eyes(first), eyes("rival-1"), Viewer(), ALL):
        actors = tuple(viewer.actors) or (GM, "rival-1", other)
        assert everything_said(game.at, viewer, actors) == everything_said(changed.at, viewer, actors)
    assert made.events == made_otherwise.events == ()
    assert game.asked() == changed.asked() == {other: "attack" if other == "gor" else "defence"}


@pytest.mark.parametrize("house", [HouseRules(), CLOSED])
@pytest.mark.parametrize(("one", "another"), [("hatchet", "javelin longsword"), ("longsword", "hatchet")])
def test_a_game_master_who_leads_a_rival_learns_no_choice_before_that_rival_has_chosen(
    one: str, another: str, house: HouseRules
) -> None:
    """Neither from what they see as game master nor from what the rival is offered."""
    read = []
    for cards in (one, another):
        game = Game("gor", players=2, house=house)
        game.armed(gor="hatchet javelin longsword", **{"rival-1": "helm bracers"})
        assert PLAY.led_by(game.state, "rival-1") == GM
        challenge = game.move("Challenge", "gor", target="rival-1")
        assert [type(event) for event in challenge.events] == [Challenged]
        made = game.move("ChooseCards", "gor", cards=items(cards))
        assert made.events == ()
        assert game.asked() == {"rival-1": "defence"}
        read.append(
            (everything_said(game.at, ALL, ("rival-1", GM)), [PLAY.tell(*each) for each in made.happened])
        )
        revealed = game.move("ChooseCards", "rival-1", cards=items("helm"))
        (shown,) = (event for event in revealed.events if isinstance(event, Revealed))
        assert shown.attack == CATALOG.in_order(tuple(items(cards)))
    assert read[0] == read[1]


def test_a_table_may_let_game_masters_read_choices_at_once() -> None:
    for house, opened in ((HouseRules(), False), (HouseRules(choices_open_to_gm=True), True)):
        game = Game("gor", "bron", house=house)
        game.armed(gor="hatchet javelin", bron="helm")
        game.move("Challenge", "gor", target="bron")
        assert [ask.open_to_gm for ask in game.at.asks] == [opened, opened]


def test_both_choices_are_seen_by_all_once_both_are_in() -> None:
    game, _ = chosen("gor", "hatchet", HouseRules())
    made = game.move("ChooseCards", "bron", cards=[item("helm")])
    attack, defence = (item("hatchet"),), (item("helm"),)
    assert made.events == (Revealed(attacker="gor", defender="bron", attack=attack, defence=defence),)
    for viewer in (eyes("gor"), eyes("bron"), eyes("rival-1"), Viewer(), ALL):
        combat = game.at.view(viewer).engaged()
        assert (combat.attack, combat.defence) == ((item("hatchet"),), (item("helm"),))
        assert [PLAY.sees(event, viewer) for event in made.events] == list(made.events)


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
        assert game.at.card(eyes("gor")).waiting_for == ("belinda",)


def test_being_asked_what_to_fight_with_betrays_nothing_of_a_closed_hand() -> None:
    """Whoever holds a card is asked, even where it leaves nothing to choose."""
    said = set()
    for attack, guard in (("hatchet", "dagger"), ("javelin", "helm"), ("longsword", "pauldrons")):
        game = Game("gor", "bron", house=CLOSED)
        game.armed(gor=attack, bron=guard)
        game.move("Challenge", "gor", target="bron")
        assert game.asked() == {"gor": "attack", "bron": "defence"}
        said.add(repr(game.at.card(Viewer())))
    assert len(said) == 1


def test_an_empty_hand_has_nothing_to_betray() -> None:
    game = Game("gor", "bron", house=CLOSED)
    game.armed(gor="hatchet")
    game.move("Challenge", "gor", target="bron")
    assert game.asked() == {"gor": "attack"}
    game = Game("gor", "belinda", house=CLOSED)
    game.craft("gor", "MMMMMWWWW", "greataxe")
    assert (game.asked(), game.state.turn) == ({}, "belinda")


def test_everybody_may_know_who_is_asked_and_nobody_else_what_can_be_answered() -> None:
    game = Game("gor", "bron", house=CLOSED)
    game.armed(gor="hatchet", bron="helm")
    game.move("Challenge", "gor", target="bron")
    asks: tuple[Ask, ...] = game.at.asks
    assert all(ask.audience.everyone for ask in asks)
    for ask in asks:
        assert {offer.actor for offer in ask.offers} == {ask.actor}
        assert not any("helm" in offer.id for offer in ask.offers if ask.actor == "gor")


def test_rivals_are_led_by_the_game_master() -> None:
    game = Game("gor", players=3)
    assert [PLAY.led_by(game.state, who) for who in ("gor", "rival-1", "rival-2")] == ["gor", GM, GM]
    assert [one.champion for one in game.state.fighters[1:]] == list(CATALOG.champions.ids[:2])
