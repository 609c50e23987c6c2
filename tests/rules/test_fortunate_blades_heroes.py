"""Heroes of Fortunate Blades: what they are made of, drawn, guided, carried and printed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.engine.effects import Effect, parts, tagged
from services.rules.engine.guide import CreationStep, Offer
from services.rules.engine.matches import named_stream
from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.card import hero_card
from services.rules.systems.fortunate_blades.choices import (
    BackgroundChoice,
    BladeChoice,
    CarriedGear,
    Condition,
    Harm,
    HeroChoices,
    QuestChoice,
    Ranks,
    StoryAddition,
    TrackBoxes,
    TradeChoice,
)
from services.rules.systems.fortunate_blades.creation import asked_additions
from services.rules.systems.fortunate_blades.guide import creation_steps
from services.rules.systems.fortunate_blades.random import drawn_hero
from services.rules.systems.fortunate_blades.sheet import HeroSheet
from services.rules.systems.fortunate_blades.talents import counted, talent_parts
from services.rules.systems.fortunate_blades.terms import Attribute, Creation, Group, HarmLevel, Quantity, Tag
from tests.at_length import part_or_whole

CATALOG = SYSTEM.content
DUELLIST, WITCH = SYSTEM.examples["duellist"], SYSTEM.examples["witch"]


def thing(slug: str, within: str = "", **more: int) -> CarriedGear:
    where = f"fortunate_blades:gear/{within}" if within else ""
    return CarriedGear(gear=f"fortunate_blades:gear/{slug}", within=where, **more)


def sheet(choices: HeroChoices) -> HeroSheet:
    found = SYSTEM.build(choices, CATALOG)
    assert isinstance(found, HeroSheet), str(found)
    return found


def broken(choices: HeroChoices) -> list[tuple[str, tuple[str | int, ...]]]:
    found = SYSTEM.build(choices, CATALOG)
    return [(one.code, one.path) for one in found] if isinstance(found, Problems) else []


def test_the_pack_that_comes_with_the_game_is_larger_than_a_table_needs() -> None:
    assert len(CATALOG.backgrounds) >= 16
    assert len(CATALOG.trades) >= 12
    assert all(len(set(trade.all_talents)) == 5 for trade in CATALOG.trades)
    assert (len(CATALOG.blades) >= 24, len(CATALOG.quests) >= 24) == (True, True)
    assert (len(CATALOG.final_acts) >= 10, len(CATALOG.facts) >= 12) == (True, True)
    assert {one.face for one in CATALOG.entanglements} == set(range(1, 7))


def test_every_talent_can_be_had_and_every_quantity_and_group_is_used() -> None:
    offered = {
        *(one for background in CATALOG.backgrounds for one in background.talents),
        *(one for trade in CATALOG.trades for one in trade.all_talents),
        *(one for blade in CATALOG.blades for one in blade.talents),
    }
    assert offered == set(CATALOG.talents.ids)
    assert {quantity for talent in CATALOG.talents for quantity in talent.adds} == set(Quantity)
    assert {attribute for talent in CATALOG.talents for attribute in talent.on} == set(Attribute)


@pytest.mark.parametrize("place", range(60))
def test_whoever_is_drawn_builds_and_is_drawn_again_from_the_same_faces(place: int) -> None:
    drawn = drawn_hero(named_stream("hero", place), CATALOG, None, None)
    assert isinstance(drawn, HeroChoices)
    assert drawn == drawn_hero(named_stream("hero", place), CATALOG, None, None)
    made = sheet(drawn)
    assert len(made.talents) == 5
    assert sum(line.rank.value for line in made.attributes) == 5
    assert made.slots_used.value <= made.slots.value
    assert {one.source for one in drawn.additions} == set(asked_additions(drawn, CATALOG))


def test_a_name_and_a_trade_can_be_wished_for() -> None:
    seer = "fortunate_blades:trade/seer"
    drawn = drawn_hero(named_stream("wish"), CATALOG, "Old Hob", seer)
    assert isinstance(drawn, HeroChoices)
    assert (drawn.name, drawn.trades[0].trade) == ("Old Hob", seer)
    refused = drawn_hero(named_stream("wish"), CATALOG, None, "fortunate_blades:trade/cook")
    assert isinstance(refused, Problems)
    assert (refused.codes, next(iter(refused)).path) == (("trade_unknown",), ("concept",))


def test_a_problem_says_what_was_found_and_what_is_allowed() -> None:
    found = SYSTEM.build(replace(DUELLIST, ranks=Ranks(fight=4, sneak=1)), CATALOG)
    assert isinstance(found, Problems)
    (problem,) = found
    assert (problem.code, problem.path, problem.found, problem.allowed) == (
        "attribute_above_max",
        ("ranks", "fight"),
        4,
        3,
    )


def test_backgrounds_give_one_talent_each_even_where_five_are_had() -> None:
    first, second = DUELLIST.backgrounds
    greedy = (
        replace(first, talents=(*first.talents, "fortunate_blades:talent/keen")),
        replace(second, talents=()),
    )
    assert ("talent_shares", ("backgrounds",)) in broken(replace(DUELLIST, backgrounds=greedy))


def test_a_talent_is_not_had_twice() -> None:
    blade = BladeChoice(
        blade="fortunate_blades:blade/war-axe", talents=("fortunate_blades:talent/small-charms",)
    )
    codes = [code for code, _ in broken(replace(WITCH, blade=blade))]
    assert codes == ["talent_not_offered", "talent_repeated"]


def test_the_blades_talent_counts_while_it_is_held() -> None:
    bag = BladeChoice(
        blade="fortunate_blades:blade/pilgrims-bag", talents=("fortunate_blades:talent/bottomless",)
    )
    assert sheet(replace(WITCH, blade=bag)).slots.value == 8
    lost = sheet(replace(WITCH, blade=replace(bag, held=False)))
    assert (lost.slots.value, lost.talents[-1].active) == (5, False)


def test_a_save_counts_attributes_above_zero_the_best_armour_and_steady_talents() -> None:
    gear = (thing("leather-coat"), thing("mail-shirt"), thing("crystal-circlet"))
    made = sheet(replace(DUELLIST, gear=gear))
    saves = {line.group: line.save for line in made.groups}
    assert (
        saves[Group.PHYSICAL].text()
        == "4 = 1 (Fight at +1 or more) + 1 (Finesse at +1 or more) + 2 (Mail Shirt)"
    )
    assert saves[Group.MENTAL].value == 1 + 2
    packed = (thing("backpack"), thing("mail-shirt", within="backpack"))
    assert sheet(replace(DUELLIST, gear=packed)).groups[0].armor.value == 0


def test_a_talent_is_a_rule_of_the_engine_for_what_lasts() -> None:
    spell, other = "fortunate_blades:talent/small-charms", "fortunate_blades:talent/bottomless"
    lasting = tuple(
        Effect(id=f"e{place}", kind=kind, bearer="pim") for place, kind in enumerate((spell, other))
    )
    rules = CATALOG.talents.entries
    assert [part.value for part in parts(lasting, rules, "pim", Quantity.ROLL)] == [2]
    assert [part.source for part in parts(lasting, rules, "pim", Quantity.SLOTS)] == ["Bottomless"]
    assert tagged(lasting, rules, "pim", Tag.MAGIC)
    assert not tagged(lasting, rules, "pim", Tag.REROLL)


def test_talents_that_always_count_are_in_the_roll_and_the_others_are_named() -> None:
    made = sheet(DUELLIST)
    fight = next(line for line in made.attributes if line.attribute is Attribute.FIGHT)
    assert fight.roll.value == 3
    lesson = "fortunate_blades:talent/first-and-last-lesson"

    def added(attribute: Attribute, *chosen: str) -> int:
        talents = counted(made.talents, CATALOG.talents, attribute, chosen)
        return sum(part.value for part in talent_parts(talents, Quantity.ROLL))

    assert (added(Attribute.FIGHT), added(Attribute.FIGHT, lesson), added(Attribute.LORE, lesson)) == (
        0,
        2,
        0,
    )
    delver = TradeChoice(
        trade="fortunate_blades:trade/delver",
        talents=("fortunate_blades:talent/old-stones", "fortunate_blades:talent/haul-it-home"),
    )
    strong = sheet(replace(DUELLIST, trades=(delver,)))
    wreck = next(line for line in strong.attributes if line.attribute is Attribute.WRECK)
    assert (wreck.rank.value, wreck.roll.value) == (0, 1)


def test_what_is_packed_away_takes_room_in_its_container_and_none_on_the_hero() -> None:
    packed = (thing("backpack"), thing("rations", within="backpack"), thing("supplies", within="backpack"))
    made = sheet(replace(DUELLIST, gear=packed))
    assert (made.slots_used.value, [line.ready for line in made.gear]) == (1, [True, False, False])
    full = (*packed, thing("great-blade", within="backpack"))
    assert broken(replace(DUELLIST, gear=full)) == [("container_full", ("gear",))]
    inside = (thing("backpack"), thing("sack", within="backpack"))
    assert broken(replace(DUELLIST, gear=inside)) == [("container_nested", ("gear", 1, "within"))]
    assert broken(replace(DUELLIST, gear=(thing("rope", within="wagon"),))) == [
        ("container_missing", ("gear", 0, "within"))
    ]


def test_two_carry_what_is_too_large_for_one() -> None:
    assert broken(replace(DUELLIST, gear=(thing("bronze-gong"),))) == [("too_many_slots", ("gear",))]
    assert sheet(replace(DUELLIST, gear=(thing("bronze-gong", carriers=2),))).slots_used.value == 4


def test_uses_run_out() -> None:
    made = sheet(replace(DUELLIST, gear=(thing("lantern", used=2), thing("firepot", used=1))))
    assert [(line.uses_left, line.ready) for line in made.gear] == [(1, True), (0, False)]
    assert broken(replace(DUELLIST, gear=(thing("rope", used=1),))) == [
        ("uses_out_of_range", ("gear", 0, "used"))
    ]


def test_harm_fills_rows_and_a_talent_adds_a_slot() -> None:
    bruises = tuple(Harm(group=Group.PHYSICAL, level=HarmLevel.MINOR, words="bruise") for _ in range(3))
    hurt = Condition(fortune=0, harms=bruises)
    assert broken(replace(DUELLIST, condition=hurt)) == [("harm_row_full", ("condition", "harms"))]
    leech = TradeChoice(
        trade="fortunate_blades:trade/leech",
        talents=("fortunate_blades:talent/steady-hands", "fortunate_blades:talent/bitter-draught"),
    )
    tough = sheet(replace(DUELLIST, trades=(leech,), condition=hurt))
    tracks = {track.id: (track.current, track.maximum) for track in tough.tracks}
    assert (tracks["harm_minor"], tracks["fortune"]) == ((3, 3), (0, 9))


def test_fortune_may_rise_above_what_a_quest_begins_with() -> None:
    made = sheet(replace(DUELLIST, condition=Condition(fortune=12)))
    assert (made.fortune.value, made.tracks[0].current, made.tracks[0].maximum) == (9, 12, 12)


def test_only_what_is_asked_for_comes_into_the_story_and_once() -> None:
    asked = DUELLIST.additions[0]
    twice = replace(DUELLIST, additions=(asked, replace(asked, name=" ")))
    assert broken(twice) == [
        ("addition_repeated", ("additions", 1, "source")),
        ("addition_without_name", ("additions", 1, "name")),
    ]
    other = StoryAddition(source="fortunate_blades:trade/duellist", name="The School")
    assert broken(replace(DUELLIST, additions=(other,))) == [("addition_unasked", ("additions", 0, "source"))]
    assert sheet(DUELLIST).additions[0].kind is Creation.FORCE


def test_the_card_says_what_there_is_to_tick() -> None:
    bite = Condition(fortune=7, harms=(Harm(group=Group.PHYSICAL, level=HarmLevel.SERIOUS, words="bite"),))
    card = hero_card(sheet(replace(DUELLIST, condition=bite)), CATALOG)
    assert card.fortune == "☒☒☐☐☐☐☐☐☐"
    assert "Serious Harm ☒☐ bite (physical)" in card.harm
    assert [group.title for group in card.groups] == ["Prowess", "Insight", "Spirit"]
    assert card.groups[0].attributes == ("Fight +3", "Finesse +1", "Wreck +0", "Sneak +0")
    assert any(
        talent.title.startswith("The One Cut (Duellist), once an encounter, for 2") for talent in card.talents
    )


def take(choices: HeroChoices, offer: Offer) -> HeroChoices:
    """The choices with an offer taken, as a client would that knows the form of the choices."""
    match offer.kind:
        case "background":
            talents = CATALOG.backgrounds[offer.id].talents[:1]
            chosen = BackgroundChoice(background=offer.id, talents=talents)
            return replace(choices, backgrounds=(*choices.backgrounds, chosen))
        case "trade":
            first = TradeChoice(trade=offer.id, talents=(CATALOG.trades[offer.id].starting,))
            return replace(choices, trades=(*choices.trades, first))
        case "trade_talent":
            trades = tuple(
                replace(one, talents=(*one.talents, offer.id))
                if offer.id in CATALOG.trades[one.trade].all_talents
                else one
                for one in choices.trades
            )
            return replace(choices, trades=trades)
        case "blade":
            return replace(choices, blade=BladeChoice(blade=offer.id, talents=()))
        case "blade_talent":
            assert choices.blade is not None
            return replace(choices, blade=replace(choices.blade, talents=(offer.id,)))
        case "place" | "force":
            told = {one.source for one in choices.additions}
            source = next(
                source
                for source, kind in asked_additions(choices, CATALOG).items()
                if source not in told and kind.value == offer.kind
            )
            return replace(
                choices, additions=(*choices.additions, StoryAddition(source=source, name=offer.name))
            )
        case "attribute":
            ranks = replace(choices.ranks, **{offer.id: offer.rating or 0})
            return replace(choices, ranks=ranks)
        case "personal_quest":
            return replace(choices, quest=QuestChoice(quest=offer.id))
        case "gear":
            return replace(choices, gear=(*choices.gear, CarriedGear(gear=offer.id)))
    raise AssertionError(f"nothing is known of {offer.kind}")


def offers_of(steps: tuple[CreationStep, ...], *, without: str = "") -> list[Offer]:
    return [offer for step in steps for offer in step.offers if step.id != without]


@pytest.mark.parametrize("seed", range(12))
def test_taking_what_the_guide_offers_leads_to_a_hero_and_breaks_nothing(seed: int) -> None:
    stream = named_stream("guide", seed)
    choices = HeroChoices(name="Pim")
    for _ in range(60):
        steps = creation_steps(choices, CATALOG)
        before = {(one.code, one.path) for step in steps for one in step.problems}
        assert before == set(broken(choices))
        offers = offers_of(steps, without="gear")
        if not offers:
            break
        for offer in offers[:: max(1, len(offers) // 6)]:
            after = set(broken(take(choices, offer)))
            assert {code for code, _ in after} <= {code for code, _ in before}, offer
        forward = [offer for offer in offers if offer.cost >= 0]
        choices = take(choices, forward[stream.draw(len(forward)) - 1])
    for _ in range(4):
        gear = [offer for offer in offers_of(creation_steps(choices, CATALOG)) if offer.kind == "gear"]
        choices = take(choices, gear[stream.draw(len(gear)) - 1])
    made = sheet(choices)
    assert len(made.talents) == 5
    assert offers_of(creation_steps(choices, CATALOG), without="gear") == []


def test_the_guide_asks_for_what_the_choices_bring_into_the_story() -> None:
    story = {step.id: step for step in creation_steps(replace(WITCH, additions=()), CATALOG)}["story"]
    assert "Which marsh is it" in story.text
    assert (story.budgets[0].allowed, story.budgets[0].remaining) == (1, 1)
    assert {offer.kind for offer in story.offers} == {"place"}
    told = {step.id: step for step in creation_steps(WITCH, CATALOG)}["story"]
    assert ("Which marsh" in told.text, told.offers) == (False, ())


ANY_ID = st.sampled_from(
    [
        "",
        "fortunate_blades:gear/backpack",
        *(entry_id for shelf in CATALOG.shelves()[:4] for entry_id in shelf.ids[:4]),
    ]
)
IDS = st.lists(ANY_ID, max_size=4).map(tuple)
WORDS = st.sampled_from(["", " ", "Pim", "x" * 3000, "\x07"])
SMALL = st.integers(-5, 40)
WILD = st.builds(
    HeroChoices,
    name=WORDS,
    look=WORDS,
    backgrounds=st.lists(
        st.builds(BackgroundChoice, background=ANY_ID, talents=IDS, story=WORDS), max_size=4
    ).map(tuple),
    trades=st.lists(st.builds(TradeChoice, trade=ANY_ID, talents=IDS), max_size=4).map(tuple),
    blade=st.none() | st.builds(BladeChoice, blade=ANY_ID, talents=IDS, name=WORDS, held=st.booleans()),
    ranks=st.builds(Ranks, fight=SMALL, lore=SMALL),
    quest=st.builds(QuestChoice, quest=ANY_ID, words=WORDS),
    additions=st.lists(st.builds(StoryAddition, source=ANY_ID, name=WORDS), max_size=3).map(tuple),
    gear=st.lists(
        st.builds(
            CarriedGear,
            gear=st.sampled_from(CATALOG.gear.ids[-8:]),
            within=ANY_ID,
            used=SMALL,
            carriers=SMALL,
        ),
        max_size=5,
    ).map(tuple),
    condition=st.builds(
        Condition,
        fortune=st.none() | SMALL,
        marks=st.lists(WORDS, max_size=6).map(tuple),
        used=IDS,
        boxes=st.builds(TrackBoxes, physical=SMALL, talent=SMALL),
    ),
)


@given(WILD)
@settings(max_examples=part_or_whole(100, 300), deadline=None)
def test_no_choice_is_more_than_refused_and_the_guide_names_the_same_rules(choices: HeroChoices) -> None:
    steps = creation_steps(choices, CATALOG)
    named = [(one.code, one.path) for step in steps for one in step.problems]
    assert named == broken(choices)
    if not named:
        assert isinstance(SYSTEM.build(choices, CATALOG), HeroSheet)
