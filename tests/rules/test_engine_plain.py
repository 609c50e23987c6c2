"""What a game that overrides nothing answers: no secrets, no changes, the plainest reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from services.rules.engine.buttons import button, number_field
from services.rules.engine.codec import CodecError
from services.rules.engine.plain import Fact, Move, PlainCampaign, PlainPlay, union_codec, with_one
from services.rules.engine.play import (
    EVERYONE,
    GM,
    GM_ONLY,
    ActorCard,
    Audience,
    CastMember,
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


def test_one_of_several_beings_changes() -> None:
    beings = (Bidder(id="anna"), Bidder(id="tam", bid=1))
    assert with_one(beings, "anna", bid=4) == (Bidder(id="anna", bid=4), Bidder(id="tam", bid=1))
    assert with_one(beings, "nobody", bid=4) == beings
