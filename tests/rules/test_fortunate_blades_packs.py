"""A table's own lists, and the questions that the game's arithmetic answers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from services.rules.engine.matches import named_stream
from services.rules.engine.packs import PackReport
from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.catalog import Armor, Background, Gear, Loot, Talent, Trade
from services.rules.systems.fortunate_blades.choices import HeroChoices
from services.rules.systems.fortunate_blades.packs import CODEC, PACKS, ContentPack, HouseRules, ListName
from services.rules.systems.fortunate_blades.random import drawn_hero
from services.rules.systems.fortunate_blades.rolls import Result, read
from services.rules.systems.fortunate_blades.tables import TableName
from services.rules.systems.fortunate_blades.terms import Group, Magnitude
from services.rules.systems.fortunate_blades.tools import (
    RollOdds,
    RollQuestion,
    StartAnswer,
    StartQuestion,
    TableAnswer,
    TableQuestion,
    run_roll_odds,
    run_start,
    run_table,
)
from services.rules.systems.fortunate_blades.world import PlaceSeed

CATALOG = SYSTEM.content
SPIN = Talent(
    id="fortunate_blades:talent/spin", name="Spin", text="Round and round.", adds={"roll": 1, "slots": -1}
)
TWIN = Background(
    id="fortunate_blades:background/twin",
    name="Twin",
    text="There are two of you.",
    complication="People mistake you for the other.",
    talents=(SPIN.id,),
)


def checked(pack: ContentPack) -> list[tuple[str, tuple[str | int, ...]]]:
    found = PACKS.check(pack, CATALOG)
    return [(one.code, one.path) for one in found] if isinstance(found, Problems) else []


def test_a_pack_adds_to_the_lists_and_survives_json() -> None:
    pack = ContentPack(talents=(SPIN,), backgrounds=(TWIN,), rules=HouseRules(slots=6))
    report = PACKS.check(pack, CATALOG)
    assert isinstance(report, PackReport)
    assert (report.adds, report.findings) == ((SPIN.id, TWIN.id), ())
    extended = PACKS.extend(CATALOG, pack)
    assert TWIN.id in extended.backgrounds
    assert len(extended.backgrounds) == len(CATALOG.backgrounds) + 1
    assert CODEC.load(CODEC.dump(pack)) == pack
    first, second = SYSTEM.examples["duellist"].backgrounds
    twin = replace(first, background=TWIN.id, talents=(SPIN.id,))
    hero = replace(SYSTEM.examples["duellist"], backgrounds=(twin, second))
    assert isinstance(SYSTEM.build(hero, CATALOG), Problems)
    built = SYSTEM.build(hero, extended)
    assert not isinstance(built, Problems)
    # A talent that is named on rolls takes no slot; it would if it always counted.
    assert built.slots.value == 6


def test_a_pack_that_takes_the_place_of_a_list_says_what_is_short() -> None:
    pack = ContentPack(talents=(SPIN,), backgrounds=(TWIN,), replaces=(ListName.BACKGROUNDS, ListName.FACTS))
    found = PACKS.check(pack, CATALOG)
    assert isinstance(found, Problems)
    assert [(one.path, one.found, one.allowed) for one in found] == [
        (("backgrounds",), 1, 12),
        (("facts",), 0, 10),
    ]
    assert set(found.codes) == {"too_few_entries"}


def test_a_hero_drawn_under_a_pack_has_no_talent_twice_or_is_not_drawn() -> None:
    twins = tuple(replace(TWIN, id=f"fortunate_blades:background/twin-{place}") for place in range(12))
    pack = ContentPack(talents=(SPIN,), backgrounds=twins, replaces=(ListName.BACKGROUNDS,))
    assert checked(pack) == []
    extended = PACKS.extend(CATALOG, pack)
    drawn = drawn_hero(named_stream("twins"), extended, None, None)
    assert isinstance(drawn, Problems)
    assert drawn.codes == ("too_few_talents",)
    more = replace(twins[0], talents=("fortunate_blades:talent/keen",))
    mixed = PACKS.extend(CATALOG, replace(pack, backgrounds=(*twins[1:], more)))
    for place in range(20):
        hero = drawn_hero(named_stream("mixed", place), mixed, None, None)
        assert isinstance(hero, HeroChoices)
        assert not isinstance(SYSTEM.build(hero, mixed), Problems)


def test_a_die_keeps_all_its_faces() -> None:
    late = tuple(one for one in CATALOG.entanglements if one.face > 2)
    found = PACKS.check(ContentPack(replaces=(ListName.ENTANGLEMENTS,), entanglements=late), CATALOG)
    assert isinstance(found, Problems)
    assert [(one.code, one.found) for one in found] == [("face_missing", (1, 2))]


def test_replacing_what_others_lean_on_is_named() -> None:
    codes = checked(ContentPack(talents=(SPIN,), replaces=(ListName.TALENTS,)))
    assert {code for code, _ in codes} == {"reference_unknown"}
    assert {path for _, path in codes} == {("replaces",)}


WRONG: list[tuple[dict[str, Any], str, tuple[str | int, ...]]] = [
    ({"talents": (replace(SPIN, id="duel:talent/spin"),)}, "id_malformed", ("talents", 0, "id")),
    ({"talents": (SPIN, SPIN)}, "id_repeated", ("talents", 1, "id")),
    ({"talents": (replace(SPIN, id="fortunate_blades:talent/keen"),)}, "id_taken", ("talents", 0, "id")),
    ({"talents": (replace(SPIN, name=" "),)}, "text_out_of_range", ("talents", 0, "name")),
    ({"talents": (replace(SPIN, adds={"luck": 1}),)}, "quantity_unknown", ("talents", 0, "adds")),
    ({"talents": (replace(SPIN, adds={"roll": 11}),)}, "figure_out_of_range", ("talents", 0, "adds", "roll")),
    ({"talents": (replace(SPIN, tags=("holy",)),)}, "tag_unknown", ("talents", 0, "tags", 0)),
    ({"talents": (replace(SPIN, adds={}),)}, "talent_does_nothing", ("talents", 0)),
    ({"talents": (replace(SPIN, cost=10),)}, "figure_out_of_range", ("talents", 0, "cost")),
    ({"backgrounds": (TWIN,)}, "reference_unknown", ("backgrounds", 0, "talents", 0)),
    ({"rules": HouseRules(resistant_levels=3)}, "figure_out_of_range", ("rules", "resistant_levels")),
    (
        {
            "loot": (
                Loot(
                    id="fortunate_blades:loot/x",
                    name="X",
                    text="X.",
                    secret="",
                    gear="fortunate_blades:gear/none",
                ),
            )
        },
        "reference_unknown",
        ("loot", 0, "gear"),
    ),
    (
        {
            "places": (
                PlaceSeed(id="fortunate_blades:place/x", name="X", sort="castle", detail="lush", text="X."),
            )
        },
        "story_word_unknown",
        ("places", 0, "sort"),
    ),
    (
        {
            "trades": (
                Trade(
                    id="fortunate_blades:trade/x",
                    name="X",
                    text="X.",
                    starting="fortunate_blades:talent/keen",
                    talents=("fortunate_blades:talent/keen",),
                ),
            )
        },
        "too_few_entries",
        ("trades", 0, "talents"),
    ),
]


@pytest.mark.parametrize(("lists", "code", "path"), WRONG, ids=[f"{row[1]}-{row[2]}" for row in WRONG])
def test_what_is_wrong_with_a_pack_is_named_where_it_is(
    lists: dict[str, Any], code: str, path: tuple[str | int, ...]
) -> None:
    assert checked(ContentPack(**lists)) == [(code, path)]


def test_special_armour_is_allowed_and_reported() -> None:
    light = Gear(
        id="fortunate_blades:gear/feather-mail",
        name="Feather Mail",
        text="Light.",
        slots=1,
        armor=Armor(magnitude=Magnitude.HEROIC, against=Group.PHYSICAL),
    )
    report = PACKS.check(ContentPack(gear=(light,)), CATALOG)
    assert isinstance(report, PackReport)
    (finding,) = report.findings
    assert (finding.code, finding.stated, finding.computed) == ("armor_slots_differ", 1, 3)


def test_all_that_comes_with_the_game_passes_as_a_pack() -> None:
    own: dict[str, Any] = {
        name.value: tuple(getattr(CATALOG, "quests" if name is ListName.PERSONAL_QUESTS else name.value))
        for name in ListName
    }
    report = PACKS.check(ContentPack(replaces=tuple(ListName), **own), CATALOG)
    assert isinstance(report, PackReport), str(report)
    assert report.findings == ()


def test_the_odds_of_a_roll_are_those_of_its_faces_for_every_way_to_spend() -> None:
    question = RollQuestion(bonus=2, close=10, clear=13, fortune=4)
    odds = run_roll_odds(question, CATALOG)
    assert isinstance(odds, RollOdds)
    assert [(one.fortune, one.lucky, one.points) for one in odds.options] == [
        *((points, False, points) for points in range(5)),
        *((2 + points, True, points) for points in range(3)),
    ]
    plain, lucky = odds.options[0], odds.options[5]
    assert (plain.miss, plain.close, plain.clear) == (Fraction(7, 20), Fraction(3, 20), Fraction(1, 2))
    counted = sum(
        read(max(one, two), 2, 10, 13).result is Result.MISS for one in range(1, 21) for two in range(1, 21)
    )
    assert lucky.miss == Fraction(counted, 400)
    assert (odds.natural_20, odds.consequence) == (Fraction(1, 20), Fraction(1, 2))
    for one in odds.options:
        assert one.miss + one.close + one.clear == 1
        assert one.at_least_close == one.close + one.clear


def test_a_natural_1_brings_a_consequence_where_all_is_clear() -> None:
    odds = run_roll_odds(RollQuestion(bonus=20, close=2, clear=8), CATALOG)
    assert isinstance(odds, RollOdds)
    assert (odds.options[0].clear, odds.consequence) == (Fraction(1), Fraction(1, 20))


def test_odd_questions_are_refused_with_the_bounds() -> None:
    refused = run_roll_odds(RollQuestion(bonus=99, close=15, clear=12), CATALOG)
    assert isinstance(refused, Problems)
    assert refused.codes == ("number_out_of_range", "close_above_clear")
    face = run_table(TableQuestion(table=TableName.TONES, roll=21), CATALOG)
    assert isinstance(face, Problems)
    assert next(iter(face)).allowed == (1, 20)
    crowd = run_start(StartQuestion(players=7, places=20), CATALOG)
    assert isinstance(crowd, Problems)
    assert crowd.codes == ("players_out_of_range",)


def test_every_table_has_a_line_for_each_face() -> None:
    for table in TableName:
        whole = run_table(TableQuestion(table=table), CATALOG)
        assert isinstance(whole, TableAnswer)
        faces = sorted({line.face for line in whole.lines})
        assert faces == list(range(1, faces[-1] + 1)), table
        assert len({line.label for line in whole.lines}) == whole.entries, table


def test_a_story_begins_with_two_places_a_player_and_three_forces() -> None:
    short = run_start(StartQuestion(players=4, places=7, forces=2), CATALOG)
    assert isinstance(short, StartAnswer)
    assert (short.ready, short.short, short.places_needed) == (False, ("places", "forces"), 8)
    ready = run_start(StartQuestion(players=4, places=8, forces=3), CATALOG)
    assert isinstance(ready, StartAnswer)
    assert (ready.ready, ready.short) == (True, ())
