"""What a game that overrides nothing answers: no secrets, no changes, the plainest reply."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import pytest

from services.rules.engine.buttons import button, number_field
from services.rules.engine.codec import CodecError
from services.rules.engine.plain import (
    Fact,
    Move,
    PlainCampaign,
    PlainPlay,
    assembled,
    union_codec,
    with_one,
)
from services.rules.engine.play import (
    EVERYONE,
    GM,
    GM_ONLY,
    ActorCard,
    Audience,
    CastMember,
    GamePlay,
    SceneCard,
    Viewer,
)
from services.rules.engine.steps import Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid(Move):
    """So many."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Move):
    """None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bidden(Fact):
    """A bid was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bidder:
    """A bidder."""

    id: str
    bid: int = 0


class Auction(PlainCampaign[Any, Any, Any, Any]):
    """A game of the frame's defaults."""

    move_codec = union_codec(Bid | Pass, "auction/move", version=2)

    def card(self, state: Any) -> SceneCard:
        """A hero and a rival."""
        actors = (
            ActorCard(id=who, name=who, side="", tracks=(), character=who == "anna")
            for who in ("anna", "tam")
        )
        return SceneCard(title="", round=1, turn=None, actors=tuple(actors))


AUCTION = Auction()
ANNA = Viewer(actors=frozenset({"anna"}))
BID = button(
    Bid(actor="anna", number=0), "bid", "Bid", "", "Bidding", number_field("number", "How many?", 2, 5)
)


def test_nothing_is_hidden_but_facts_outside_of_their_audience() -> None:
    assert AUCTION.view("state", ANNA) == "state"
    assert AUCTION.known_to("state", "tam") == EVERYONE
    open_, hers, secret = Bidden(), Bidden(audience=Audience(False, ("anna",))), Bidden(audience=GM_ONLY)
    assert [AUCTION.sees(fact, ANNA) for fact in (open_, hers, secret)] == [open_, hers, None]
    assert AUCTION.sees(secret, Viewer(gm=True)) == secret


def test_characters_are_led_by_their_players_and_all_others_by_the_game_master() -> None:
    assert [AUCTION.led_by("state", who) for who in ("anna", "tam", "nobody")] == ["anna", GM, GM]


def test_the_reply_is_silence_or_else_the_first_offer_at_its_least() -> None:
    ask = Ask(id="bid", actor="anna", question="", offers=(BID,))
    assert AUCTION.reply("state", ask) == Bid(actor="anna", number=2)
    silent = Ask(id="bid", actor="anna", question="", offers=(BID,), silence=Pass(actor="anna"))
    assert AUCTION.reply("state", silent) == Pass(actor="anna")


def test_no_character_changes_and_no_scene_is_begun() -> None:
    assert AUCTION.changes("state") == ()
    assert AUCTION.absorb("choices", {"gold": 1}) == "choices"
    assert AUCTION.scenes("state") == {}
    assert AUCTION.began("state", "a") == AUCTION.parted("state", "a") == ()
    assert AUCTION.hears("state", "a", Bidden()) == ()


def test_the_characters_of_a_campaign_are_those_with_whom_it_began() -> None:
    assert AUCTION.joined("state", CastMember(id="ben", sheet=None)) == AUCTION.left("state", "ben") == ()


def test_a_game_has_to_draw_its_own_card() -> None:
    with pytest.raises(NotImplementedError):
        PlainPlay[Any, Any, Any, Any]().card("state")


def test_moves_of_a_union_keep_their_kind_and_version() -> None:
    dumped = AUCTION.move_codec.dump(Bid(actor="anna", number=3))
    assert AUCTION.move_codec.load(dumped) == Bid(actor="anna", number=3)
    with pytest.raises(CodecError):
        union_codec(Bid | Pass, "auction/move", version=1).load(dumped)


def file(name: str, **functions: Any) -> ModuleType:
    """A file of a game with these functions of its own."""
    made = ModuleType(name)
    for key, value in functions.items():
        if isinstance(value, FunctionType):
            value.__module__ = name
        setattr(made, key, value)
    return made


def parts() -> dict[str, Any]:
    """What a game has to bring beside the answers of the frame."""
    names = ("begin", "legal", "rule", "evolve", "outcome", "tell", "bot")
    return {name: (lambda *_, name=name: name) for name in names}


class Tender(PlainPlay[Bidder, Bidder, Bid | Pass, Bidden]):
    """A game whose functions stand in files."""


def test_a_game_is_assembled_from_the_functions_of_its_files() -> None:
    setup = file("setup", setups={"fair": Bidder(id="anna")}, begin=parts()["begin"])
    rest = {name: part for name, part in parts().items() if name != "begin"}
    taken = file("rules", **rest, _own=1, helper=lambda: None)
    taken.begin = setup.begin  # type: ignore[attr-defined]  # imported there, and no second one
    play: Any = assembled(Tender, "tender", setup, taken)
    assert [getattr(play, name)("state", "x") for name in parts()] == list(parts())
    assert play.setups == setup.setups and not hasattr(play, "helper") and not hasattr(play, "bots")
    assert play.move_codec.load(play.move_codec.dump(Pass(actor="anna"))) == Pass(actor="anna")
    assert play.state_codec.dump(Bidder(id="anna"))["type"] == "tender/state"
    assert isinstance(play, GamePlay) and play.known_to("state", "tam") == EVERYONE


def test_a_game_that_lacks_a_function_or_has_it_twice_is_not_assembled() -> None:
    class Lacking(PlainPlay[Bidder, Bidder, Bid | Pass, Bidden]):
        """A game without rules."""

    with pytest.raises(TypeError, match="tender: begin, bot, evolve, legal, outcome, setups, tell missing"):
        assembled(Lacking, "tender", file("rules", rule=parts()["rule"]))
    with pytest.raises(TypeError, match="tender: rule in two files"):
        assembled(Lacking, "tender", file("rules", rule=parts()["rule"]), file("more", rule=parts()["rule"]))


def test_one_of_several_beings_changes() -> None:
    beings = (Bidder(id="anna"), Bidder(id="tam", bid=1))
    assert with_one(beings, "anna", bid=4) == (Bidder(id="anna", bid=4), Bidder(id="tam", bid=1))
    assert with_one(beings, "nobody", bid=4) == beings
