"""Session zero of Fortunate Blades: from a blank sheet to a story that can begin, and what is found in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from services.rules.dice.stream import ByteStream
from services.rules.engine.campaign import heard, joined
from services.rules.engine.play import GM, PLAYER, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import complete
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.campaign.moves import AddForce, OfferQuest, Vote
from services.rules.systems.fortunate_blades.campaign.moves.loot import (
    DivideLoot,
    FindLoot,
    FindNothing,
    IdentifyLoot,
    LoseLoot,
)
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import (
    BeginStory,
    CallChoice,
    DraftHero,
    DrawForce,
    DropDraft,
    MarkPlace,
    Matter,
    NameParty,
    NameStart,
    WishTone,
)
from services.rules.systems.fortunate_blades.campaign.rules.session_zero import DICE
from services.rules.systems.fortunate_blades.campaign.setup import begin
from services.rules.systems.fortunate_blades.campaign.state import Campaign
from services.rules.systems.fortunate_blades.choices import Ranks
from services.rules.systems.fortunate_blades.creation import chosen_talents
from services.rules.systems.fortunate_blades.play.facts import Rested
from services.rules.systems.fortunate_blades.play.state import Activity
from tests.rules.fortunate_blades_campaigns import CAMPAIGNS, Evening
from tests.rules.fortunate_blades_encounters import party, stream

ZERO = CAMPAIGNS.setups["session-zero"]
FIRST, SECOND = (each.id for each in party(2))


def empty() -> Evening:
    """A table without heroes, before anything is decided."""
    opening = begin(ZERO, (), SYSTEM.content)
    assert isinstance(opening, Campaign)
    evening = Evening.begun(1)
    evening.at = Position(CAMPAIGNS, opening)
    return evening


def seated(heroes: int = 2) -> Evening:
    """The same when heroes have come to the table."""
    evening = empty()
    for member in party(heroes):
        evening.at = Position(CAMPAIGNS, joined(CAMPAIGNS, evening.state, member).state)
    return evening


def at_random(chance: ByteStream) -> Callable[[int], int]:
    return lambda count: chance.draw(count) - 1


def codes(evening: Evening, move: Any) -> list[str]:
    found = evening.at.enter(move, 0)
    assert isinstance(found, Problems)
    return [each.code for each in found]


def test_every_open_matter_is_named_at_once_and_the_story_begins_when_none_is_left() -> None:
    evening = empty()
    assert codes(evening, BeginStory(actor=GM)) == [
        "tones_missing",
        "party_unnamed",
        "origin_open",
        "party_quest_open",
        "cast_missing",
        "start_missing",
        "forces_missing",
        "peril_missing",
    ]
    evening = seated()
    brought = [place.by for place in evening.state.places]
    assert brought == [m.id for m in party(2) for line in m.sheet.additions if line.kind.value == "place"]
    evening.make(WishTone(actor=FIRST, tone="wonder"))
    evening.make(WishTone(actor=SECOND, tone="wonder", unwanted=True))
    assert (evening.state.tones, evening.state.unwanted_tones) == ((), ("wonder",))
    assert codes(evening, WishTone(actor=GM, tone="wonder")) == ["tone_named"]
    evening.make(WishTone(actor=GM))
    assert len(evening.state.tones) == 1
    evening.make(NameParty(actor=GM, name="The Late Arrivals"))
    evening.make(NameStart(actor=GM, name="Candle Ford", detail="hub"))
    assert codes(evening, NameStart(actor=GM, name="Another")) == ["start_named"]
    for hero in (FIRST, SECOND):
        evening.make(MarkPlace(actor=hero, name=f"Home of {hero}", detail="lush"))
        evening.make(MarkPlace(actor=hero))
        assert evening.state.places_of(hero) >= 2
    while len(evening.state.known_forces()) < 3:
        evening.make(DrawForce(actor=GM))
    for matter, choice in ((Matter.ORIGIN, "same_town"), (Matter.PARTY_QUEST, DICE)):
        evening.make(CallChoice(actor=GM, matter=matter))
        while evening.at.asks:
            evening.make(Vote(actor=evening.at.asks[0].actor, choice=choice))
    assert evening.state.origin == "same_town" and evening.state.quest_of_party
    assert codes(evening, OfferQuest(actor=GM)) == ["session_zero"]
    assert codes(evening, BeginStory(actor=GM)) == ["peril_missing"]
    evening.make(AddForce(actor=GM, name="The Drowned Choir", secret=True, goal="To be heard"))
    evening.make(BeginStory(actor=GM))
    assert not evening.state.session_zero
    assert codes(evening, WishTone(actor=GM)) == ["story_begun"]
    evening.make(OfferQuest(actor=GM))


def test_a_client_that_knows_no_game_comes_from_a_blank_sheet_to_a_story() -> None:
    """It fills in what is offered, at random, and asks the card what is open."""
    for seed in range(6):
        evening, chance = seated(1 + seed % 4), stream("zero", seed)
        for _ in range(400):
            if not evening.state.session_zero:
                break
            actors = [GM, *(each.id for each in evening.state.heroes)]
            asked = [each.actor for each in evening.at.asks] or actors
            who = asked[chance.draw(len(asked)) - 1]
            offers = [
                each
                for each in evening.at.legal(who, Viewer(gm=who == GM, actors=frozenset({who})))
                if each.id not in ("end", "tell", "settle")
            ]
            ready = [each for each in offers if each.id == "begin"] or offers
            if not ready:
                continue
            offer = ready[chance.draw(len(ready)) - 1]
            evening.make(CAMPAIGNS.move_codec.read(complete(offer, at_random(chance))))
        assert not evening.state.session_zero, evening.at.card(Viewer()).actors[:3]


def test_what_is_open_stands_on_the_card_and_what_is_secret_does_not() -> None:
    evening = seated()
    party_card = next(each for each in evening.at.card(Viewer()).actors if each.id == "party")
    assert "The centre of the map is drawn." in party_card.conditions
    evening.make(DrawForce(actor=GM, secret=True, goal="hush"))
    name = next(each.name for each in evening.state.forces if each.secret)
    player = Viewer(actors=frozenset({FIRST}))
    got = repr((evening.at.view(player), evening.at.card(player), evening.at.legal(FIRST, player)))
    assert name not in got and "hush" not in got and "secret-" not in got


# Loot


def questing() -> Evening:
    return Evening.begun(3, heroes=2)


def test_a_search_at_rest_is_answered_by_the_game_master() -> None:
    evening = questing()
    search = Rested(hero=FIRST, activity=Activity.LOOT)
    evening.at = Position(CAMPAIGNS, heard(CAMPAIGNS, evening.state, "rest", [search, search]).state)
    assert evening.state.searched == (FIRST, FIRST)
    evening.make(FindLoot(actor=GM, hero=FIRST))
    evening.make(FindNothing(actor=GM, hero=FIRST))
    assert not evening.state.searched and len(evening.state.finds) == 1
    assert codes(evening, FindNothing(actor=GM, hero=FIRST)) == ["unknown_target"]


def test_what_a_find_really_is_is_secret_until_it_is_identified() -> None:
    evening = questing()
    evening.make(FindLoot(actor=GM, name="A Black Egg", secret="hush"))
    player = Viewer(actors=frozenset({FIRST}))
    (find,) = evening.state.finds
    assert find.secret == "hush"
    assert "hush" not in repr((evening.at.view(player), evening.at.card(player)))
    evening.make(IdentifyLoot(actor=GM, find=find.id))
    assert "hush" in repr(evening.at.card(player))
    assert codes(evening, IdentifyLoot(actor=GM, find=find.id)) == ["identified_already"]


def test_gear_that_is_divided_is_the_heros_until_it_is_gone() -> None:
    evening = questing()
    loot = next(each for each in SYSTEM.content.loot if each.gear)
    evening.make(FindLoot(actor=GM, loot=loot.id))
    evening.make(FindLoot(actor=GM, name="A Song"))
    evening.make(DivideLoot(actor=GM))
    while evening.at.asks:
        evening.make(Vote(actor=evening.at.asks[0].actor, choice=SECOND))
    assert [each.holder for each in evening.state.finds] == [SECOND, SECOND]
    assert codes(evening, DivideLoot(actor=GM)) == ["nothing_to_choose"]
    (change,) = CAMPAIGNS.changes(evening.state)
    assert change.character == SECOND
    before = SYSTEM.examples[SECOND.removeprefix("chr-")]
    roomy, full = replace(before, gear=()), before
    while not isinstance(SYSTEM.build(full, SYSTEM.content), Problems):
        held, full = full, CAMPAIGNS.absorb(full, json.loads(json.dumps(dict(change.data))))
        if held == full:
            break
    assert not isinstance(SYSTEM.build(full, SYSTEM.content), Problems)
    after = CAMPAIGNS.absorb(roomy, json.loads(json.dumps(dict(change.data))))
    assert [each.gear for each in after.gear] == [loot.gear]
    evening.make(LoseLoot(actor=GM, find=evening.state.finds[0].id, words="Sold"))
    assert CAMPAIGNS.changes(evening.state) == ()


def test_loot_waits_for_the_end_of_the_quest() -> None:
    evening = questing()
    evening.make(OfferQuest(actor=GM))
    evening.at = Position(CAMPAIGNS, replace(evening.state, quest=evening.state.offered[0], offered=()))
    evening.make(FindLoot(actor=GM))
    assert codes(evening, DivideLoot(actor=GM)) == ["quest_under_way"]
    assert isinstance(evening.at.take(FindLoot(actor=GM), 9, evening.faces), Taken)


# Heroes in the making

ANNA, BEN = f"{PLAYER}anna", f"{PLAYER}ben"


def sheet_of(evening: Evening, actor: str, viewer: Viewer) -> tuple[str, ...]:
    (found,) = [each for each in evening.at.card(viewer).actors if each.id == actor]
    return found.conditions


def test_all_of_the_table_see_heroes_as_they_grow_with_every_rule_that_they_break() -> None:
    evening = empty()
    evening.make(DraftHero(actor=ANNA, name="Hesper"))
    draft = evening.state.draft(ANNA)
    assert draft is not None
    for viewer in (Viewer(), Viewer(actors=frozenset({FIRST})), Viewer(gm=True)):
        assert evening.at.view(viewer).drafts == (draft,)
        broken = sheet_of(evening, ANNA, viewer)
        assert "open: All ranks together come to 5; a negative one buys one more." in broken
    example = SYSTEM.examples["duellist"]
    assert example.blade is not None
    grown = DraftHero(
        actor=ANNA,
        name=example.name,
        look=example.look,
        backgrounds=tuple(each.background for each in example.backgrounds),
        trades=tuple(each.trade for each in example.trades),
        blade=example.blade.blade,
        talents=chosen_talents(example),
        ranks=example.ranks,
        quest=example.quest,
    )
    evening.make(grown)
    evening.make(DraftHero(actor=BEN))
    shown = sheet_of(evening, ANNA, Viewer())
    trade = SYSTEM.content.trades[example.trades[0].trade].name
    assert f"trade: {trade}" in shown and not [each for each in shown if each.startswith("open:")]
    assert [each.id for each in evening.state.drafts] == [ANNA, BEN]
    assert codes(evening, replace(grown, trades=("fortunate_blades:trade/nothing",))) == ["unknown_target"]
    assert codes(evening, replace(grown, ranks=Ranks(fight=99))) == ["rank_out_of_range"]
    assert codes(evening, replace(grown, name="x" * 81)) == ["text_too_long"]
    assert codes(evening, WishTone(actor=ANNA, tone="wonder")) == ["not_yours"]
    evening.make(DropDraft(actor=BEN))
    assert codes(evening, DropDraft(actor=BEN)) == ["nothing_to_do"]
    duellist = next(each for each in party(3) if each.sheet.name == example.name)
    evening.at = Position(CAMPAIGNS, joined(CAMPAIGNS, evening.state, duellist).state)
    assert evening.state.draft(ANNA) is None


def test_a_client_that_knows_no_game_makes_a_hero_before_all_step_by_step() -> None:
    """Each step keeps what the others have brought; whatever is filled in at random is read."""
    for seed in range(4):
        evening, chance = empty(), stream("draft", seed)
        offers = evening.at.legal(ANNA, Viewer())
        for step in [each.id for each in offers] + ["draft:talents"]:
            offer = next(each for each in evening.at.legal(ANNA, Viewer()) if each.id == step)
            before = evening.state.draft(ANNA)
            evening.make(CAMPAIGNS.move_codec.read(complete(offer, at_random(chance))))
            after = evening.state.draft(ANNA)
            assert after is not None
            if before is not None and step != "draft:person":
                assert after.name == before.name
        assert CAMPAIGNS.state_codec.load(CAMPAIGNS.state_codec.dump(evening.state)) == evening.state
    story = replace(evening.state, session_zero=False)
    assert CAMPAIGNS.legal(story, ANNA) == ()
    assert CAMPAIGNS.admits_players(evening.state) and not CAMPAIGNS.admits_players(story)
