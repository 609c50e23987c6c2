"""Forge Engine: adversaries, genres, hazards, travel, influence, encounters and rewards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.conformance import Verdict, run_case
from services.rules.engine.content import slug_of
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.awards import Deeds, award, bonus_earned, bonus_target
from services.rules.systems.forge_engine.bestiary import Adversary, AdversaryRole, AdversarySetting
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.encounters import Caution, Encounter, EncounterDifficulty, weigh
from services.rules.systems.forge_engine.influence import required_successes
from services.rules.systems.forge_engine.settings import HouseRules
from services.rules.systems.forge_engine.tools.campaign import run_rewards
from services.rules.systems.forge_engine.travel import (
    TERRAIN_EFFECTS,
    Going,
    Pace,
    PartyPace,
    Traveller,
    TravelMode,
    pace,
    party_pace,
)
from tests.conformance.forge_engine import AREAS

CATALOG = own_catalog()
SETTINGS = CATALOG.settings
BLOCKS = {block.name: block for block in CATALOG.adversaries}

# Energy, health, PD, MD, the six attributes, and the greatest attacks (rulings section 6).
RULED = """
F6 Grunt | 6 7 3 2 | 2 1 2 1 2 2 | 5/7 3/4
F6 Striker | 6 5 2 2 | 1 3 1 1 2 1 | 5/9
F6 Caster | 6 5 1 2 | 1 1 1 1 3 2 |
F6 Commander | 6 7 2 2 | 1 1 2 2 2 1 | 4/5
F8 Grunt | 8 9 3 2 | 3 1 3 1 2 2 | 6/9 3/4
F8 Striker | 8 7 2 2 | 1 4 2 1 2 2 | 7/10
F8 Caster | 8 5 1 2 | 1 2 1 1 4 2 |
F8 Commander | 8 7 2 2 | 2 1 2 4 2 1 | 5/7
F10 Grunt | 10 11 4 2 | 4 1 4 1 2 2 | 7/11 3/4
F10 Striker | 10 9 3 2 | 2 4 3 1 2 3 | 7/10
F10 Caster | 10 7 2 3 | 1 3 2 1 4 3 |
F10 Commander | 10 9 3 2 | 3 1 3 4 2 1 | 6/9
F12 Grunt | 12 11 4 2 | 5 1 4 1 2 3 | 8/13 3/4
F12 Striker | 12 9 3 2 | 2 5 3 1 2 4 | 8/12
F12 Caster | 12 9 2 3 | 1 4 3 1 5 3 |
F12 Commander | 12 9 3 2 | 4 1 3 5 2 1 | 7/11
F15 Grunt | 15 13 4 3 | 6 1 5 1 3 4 | 9/15 3/4
F15 Striker | 15 11 3 3 | 2 6 4 1 3 5 | 9/14
F15 Caster | 15 9 2 5 | 1 4 3 1 6 5 |
F15 Commander | 15 11 3 4 | 5 1 4 6 3 4 | 8/13
M6 Commander | 6 7 2 2 | 1 1 2 2 2 1 | 4/5 2/3
M8 Commander | 8 7 2 2 | 2 2 2 4 2 1 | 5/7 3/5
M10 Commander | 10 9 3 2 | 3 3 3 4 2 1 | 6/9 4/7
M12 Commander | 12 9 3 2 | 4 3 3 5 2 1 | 7/11 4/7
M15 Commander | 15 11 3 4 | 5 3 4 6 3 4 | 8/13 4/7
"""


def ratings(block: Adversary) -> dict[str, int]:
    return {f"{slug_of(skill.skill)} {skill.field}".strip(): skill.rating for skill in block.skills}


def transport(slug: str) -> str:
    return f"forge_engine:transport/{slug}"


def test_every_block_of_the_rulings_stands_as_ruled() -> None:
    for line in RULED.strip().splitlines():
        name, figures, attributes, attacks = (part.strip() for part in line.split("|"))
        block = BLOCKS[name]
        assert f"{block.energy} {block.health} {block.pd} {block.md}" == figures, name
        assert " ".join(str(rating) for _, rating in block.attributes.ratings()) == attributes, name
        found = " ".join(f"{attack.max_cost}/{attack.max_dice}" for attack in block.attacks)
        assert found == attacks, name


def test_there_is_a_block_for_each_setting_energy_and_role() -> None:
    kinds = {(block.setting, block.energy, block.role) for block in CATALOG.adversaries}
    assert len(CATALOG.adversaries) == len(kinds) == 40
    assert {energy for _, energy, _ in kinds} == {6, 8, 10, 12, 15}
    for block in CATALOG.adversaries:
        if block.setting is AdversarySetting.MODERN and block.role is not AdversaryRole.COMMANDER:
            twin = BLOCKS[f"F{block.name[1:]}"]
            figures = (block.attributes, block.health, block.pd, block.md, block.armor)
            assert figures == (twin.attributes, twin.health, twin.pd, twin.md, twin.armor)


def test_blocks_follow_the_rules_but_where_they_say_how_they_differ() -> None:
    for block in CATALOG.adversaries:
        told = " ".join(block.differs)
        own = block.attributes
        energy = sum(own.of(one) for one in own.highest(3))
        assert (energy == block.energy) or "Energy" in told, block.name
        assert own.of(own.middle_mental()) == block.md or "MD" in told, block.name
        assert block.pd == 1 + block.armor
        assert block.health == 3 + 2 * own.stamina
        cap = 7 - block.armor if block.armor else own.agility
        assert own.agility <= cap or "Agility" in told, block.name
        for attack in block.attacks:
            linked = CATALOG.martial[attack.skill].attribute
            assert linked is not None
            rating = ratings(block).get(slug_of(attack.skill), 0)
            added = own.of(linked)
            figures = (attack.cost + added, attack.rating + added + min(rating, added))
            assert (attack.max_cost, attack.max_dice) == figures, block.name
    differing = {block.name for block in CATALOG.adversaries if "MD" in " ".join(block.differs)}
    assert differing == {"F6 Striker", "M6 Striker"}


def test_blocks_have_the_skills_of_the_book() -> None:
    found = [
        f"{block.name} | " + ", ".join(f"{skill} {rating}" for skill, rating in ratings(block).items())
        for block in CATALOG.adversaries
    ]
    assert (
        found == Path(__file__).with_name("forge_engine_blocks.txt").read_text(encoding="utf-8").splitlines()
    )


def test_genres_change_the_rules_as_the_book_says() -> None:
    changed = {
        slug_of(genre.id): {key: value for key, value in vars_of(genre.rules).items() if value is not None}
        for genre in CATALOG.genres
        if genre.rules is not None
    }
    assert changed == {
        "high-fantasy": {"magic_trait_cp": 1, "free": ("forge_engine:trait/sturdy",)},
        "low-fantasy": {"magic_trait_cp": 5, "species": ("forge_engine:trait/human",)},
        "renaissance": {"options": ("forge_engine:martial/firearms",)},
        "urban-fantasy": {
            "options": ("forge_engine:skill/bureaucracy", "forge_engine:skill/law-enforcement")
        },
        "post-apocalypse": {"options": ("forge_engine:skill/scavenge",)},
        "zombie-apocalypse": {"options": ("forge_engine:skill/infection-resistance",)},
        "space-opera": {"options": ("forge_engine:martial/energy-weapons",)},
        "hard-sci-fi": {"options": ("forge_engine:skill/zero-g",)},
    }
    assert sum(bool(genre.themes) for genre in CATALOG.genres) == 9
    for genre in CATALOG.genres:
        # What a genre adds is switched on, and is off without it.
        assert genre.adds == ((genre.rules.options or ()) if genre.rules else ())
        for added in genre.adds:
            shelf = CATALOG.martial if "/martial/" in added.replace(":", "/") else CATALOG.skills
            assert shelf[added].optional


def vars_of(rules: HouseRules) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in HouseRules.__dataclass_fields__}


def test_attributes_have_the_uses_of_the_book() -> None:
    counted = {one: sum(use.attribute is one for use in CATALOG.uses) for one in Attribute}
    assert list(counted.values()) == [6, 8, 7, 9, 8, 8]


def test_hazards_that_wear_down_share_one_track() -> None:
    track = CATALOG.hazards["forge_engine:hazard/suffocation"].stages
    conditions = [[slug_of(one) for one in stage.conditions] for stage in track]
    assert conditions == [["enervated", "weakened"], ["exhausted", "enfeebled"], []]
    assert [stage.dying for stage in track] == [False, False, True]
    intervals = {slug_of(one.id): one.interval_seconds for one in CATALOG.hazards if one.stages == track}
    assert intervals == {"cold-and-heat": 3_600, "suffocation": 30, "thirst-and-hunger": 86_400}
    assert CATALOG.hazards["forge_engine:hazard/thirst-and-hunger"].automatic == (4, 6, 8)
    explosion = CATALOG.hazards["forge_engine:hazard/explosion"]
    assert [level.attack_dice for level in explosion.levels] == [5, 10, 15] and explosion.fringe_pd == 2
    fire = CATALOG.hazards["forge_engine:hazard/fire"]
    assert [level.damage for level in fire.levels] == [1, 2, 3] and fire.reduces == 1
    climbing = CATALOG.hazards["forge_engine:hazard/climbing"]
    assert [(level.difficulty, level.required) for level in climbing.levels] == [(9, 1), (10, 1), (10, 2)]
    assert len(CATALOG.hazards) == 9


# Travel


def on_the_way(traveller: Traveller, going: Going | None = None, settings: Any = SETTINGS) -> Pace:
    found = pace(CATALOG, settings, traveller, going)
    assert isinstance(found, Pace), found
    return found


@pytest.mark.parametrize(
    ("stamina", "walk", "run", "minutes"),
    [(1, 2, 4, 1), (2, 3, 6, 5), (3, 4, 8, 15), (4, 5, 10, 60), (5, 6, 12, 240), (9, 10, 20, 240)],
)
def test_walkers_and_runners_go_by_their_stamina(stamina: int, walk: int, run: int, minutes: int) -> None:
    walking = on_the_way(Traveller(stamina=stamina))
    assert (walking.miles_an_hour, walking.miles_a_day, walking.minutes) == (walk, 10 * walk, None)
    running = on_the_way(Traveller(stamina=stamina, gait="run"))
    assert (running.miles_an_hour, running.miles_a_day, running.minutes) == (run, None, minutes)


TRANSPORTS = """
mule 3 5 7 10 = 30
nag 4 8 12 16 = 40
warhorse 5 10 15 20 = 50
riding-horse 6 12 18 24 = 60
thoroughbred 7 14 22 28 = 70
cart 4 6 7 8 = 40
wagon 3 4 5 6 = 30
rowboat 1.5 5 = 15
sail-boat 4 8 = 40
sailing-ship 6 10 = 60
longship 7 15 = 70
motorboat 20 40 = 300
speedboat 45 90 = 600
cruise-or-cargo-ship 20 25 = 200
bicycle 10 20 = 150
road-bike 20 40 = 200
motorbike 75 150 = 1000
car 50 100 = 750
bus 35 50 = 400
train 50 100 = 750
"""


def test_mounts_craft_and_vehicles_go_as_fast_as_the_book_says() -> None:
    lines = TRANSPORTS.strip().splitlines()
    assert len(CATALOG.transports) == len(lines) == 20
    for line in lines:
        slug, *speeds = line.partition(" = ")[0].split()
        carrier = CATALOG.transports[transport(slug)]
        assert len(carrier.gaits) == len(speeds)
        found = [on_the_way(Traveller(transport=carrier.id, gait=gait)) for gait in carrier.gaits]
        assert [one.miles_an_hour for one in found] == [float(speed) for speed in speeds]
        assert [one.miles_a_day for one in found] == [
            float(line.partition(" = ")[2]),
            *[None] * (len(speeds) - 1),
        ]
    trot, canter, gallop = (
        on_the_way(Traveller(transport=transport("nag"), gait=gait)).minutes
        for gait in ("trot", "canter", "gallop")
    )
    assert (trot, canter, gallop) == (60, 30, None)


def test_maps_know_what_every_terrain_leaves_of_full_speed() -> None:
    most, half, quarter = Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)
    foot = [1, most, half, quarter, half, quarter, quarter]
    mounted = [1, most, half, None, quarter, None, None]
    vehicle = [1, most, quarter, None, None, None, None]
    assert list(TERRAIN_EFFECTS) == [
        "road or open track",
        "hilly road or track",
        "mountain path or track",
        "mountain off track",
        "jungle path",
        "jungle off path",
        "swamp",
    ]
    for mode, shares in zip(TravelMode, (foot, mounted, vehicle), strict=True):
        assert [row[mode] for row in TERRAIN_EFFECTS.values()] == shares


def test_ground_and_weather_multiply() -> None:
    def weather(slug: str) -> str:
        return f"forge_engine:weather/{slug}"

    going = Going(terrain="forge_engine:terrain/hilly-road-or-track", weather=(weather("hot"),))
    walker, rider = Traveller(stamina=3), Traveller(transport=transport("warhorse"))
    driver = Traveller(transport=transport("car"))
    assert on_the_way(walker, going).miles_an_hour == 2.25
    assert on_the_way(rider, going).miles_an_hour == 2.8125
    assert on_the_way(driver, going).miles_an_hour == 37.5
    hardy = replace(SETTINGS, walkers_as_animals=False)
    assert on_the_way(walker, going, hardy).miles_an_hour == 3
    eight = on_the_way(walker, replace(going, hours=8))
    assert (eight.miles_an_hour, eight.miles_a_day) == (2.25, 18)
    shares = [
        [
            on_the_way(one, Going(weather=(row.id,))).miles_an_hour / on_the_way(one).miles_an_hour
            for row in CATALOG.weather
        ]
        for one in (rider, driver)
    ]
    assert shares == [[0.5, 0.75, 1, 0.75, 0.5, 0.25], [1, 1, 1, 0.75, 0.5, 0.25]]


def test_water_treats_oars_sails_and_motors_each_in_its_way() -> None:
    shares = [
        [
            on_the_way(Traveller(transport=transport(craft)), Going(weather=(row.id,))).miles_an_hour / speed
            for row in CATALOG.water_weather
        ]
        for craft, speed in (("rowboat", 1.5), ("sailing-ship", 6), ("motorboat", 20))
    ]
    assert shares == [
        [1, 1, 1, 1, 0.5, 0.25, 0.5, 2],
        [0, 2, 1, 0.5, 0.75, 0.5, 0.5, 2],
        [1, 1, 1, 1, 0.75, 0.5, 0.75, 1],
    ]


travellers = st.one_of(
    st.builds(
        Traveller, stamina=st.integers(1, 9), armor=st.integers(0, 9), gait=st.sampled_from(["", "run"])
    ),
    st.builds(Traveller, transport=st.sampled_from([one.id for one in CATALOG.transports if not one.hull])),
)


@given(
    st.lists(travellers, min_size=1, max_size=5),
    st.sampled_from([None, *CATALOG.terrains.ids]),
    st.lists(st.sampled_from(CATALOG.weather.ids), max_size=2, unique=True),
)
def test_no_party_is_faster_than_its_slowest(
    party: list[Traveller], terrain: str | None, weather: list[str]
) -> None:
    going = Going(terrain=terrain, weather=tuple(weather))
    found = party_pace(CATALOG, SETTINGS, party, going)
    assert isinstance(found, PartyPace)
    alone = [on_the_way(one, going) for one in party]
    assert list(found.each) == alone
    assert found.pace.miles_an_hour == min(one.miles_an_hour for one in alone)
    assert found.pace.passable == all(one.passable for one in alone)
    for one in alone:
        product = Fraction(sum(Fraction(step.miles_an_hour) for step in one.steps))
        for step in one.steps:
            product *= Fraction(step.percent, 100)
        assert one.miles_an_hour == product


@given(st.integers(1, 12), st.integers(0, 12))
def test_armour_slows_walkers_down_to_one_mile_an_hour(stamina: int, armor: int) -> None:
    found = on_the_way(Traveller(stamina=stamina, armor=armor))
    assert found.miles_an_hour == max(1, 1 + stamina - armor)


def test_everything_wrong_with_a_journey_is_said_at_once() -> None:
    party = [
        Traveller(stamina=0, armor=-1, gait="gallop"),
        Traveller(transport="forge_engine:transport/dragon"),
        Traveller(transport=transport("rowboat")),
    ]
    going = Going(
        terrain="forge_engine:terrain/swamp",
        weather=("forge_engine:weather/hot", "forge_engine:weather/hot", "forge_engine:weather/frogs"),
        hours=25,
    )
    found = party_pace(CATALOG, SETTINGS, party, going)
    assert isinstance(found, Problems)
    assert [(problem.code, problem.path) for problem in found] == [
        ("weather_twice", ("weather", 1)),
        ("unknown_weather", ("weather", 2)),
        ("number_out_of_range", ("hours",)),
        ("number_out_of_range", ("travellers", 0, "stamina")),
        ("number_out_of_range", ("travellers", 0, "armor")),
        ("unknown_gait", ("travellers", 0, "gait")),
        ("unknown_transport", ("travellers", 1, "transport")),
        ("terrain_unfit", ("travellers", 2, "transport")),
        ("weather_unfit", ("travellers", 2, "transport")),
        ("weather_unfit", ("travellers", 2, "transport")),
    ]
    nobody = party_pace(CATALOG, SETTINGS, [], Going(terrain="forge_engine:terrain/moon"))
    assert isinstance(nobody, Problems) and nobody.codes == ("unknown_terrain", "party_size")


# Influence, encounters, rewards


def test_influence_needs_what_the_table_says() -> None:
    required = [
        required_successes(disposition, magnitude).value
        for disposition in CATALOG.dispositions
        for magnitude in CATALOG.magnitudes
    ]
    assert [required[row : row + 5] for row in range(0, 25, 5)] == [
        [0, 0, 1, 3, 5],
        [0, 1, 3, 5, 7],
        [1, 3, 5, 7, 9],
        [3, 5, 7, 9, 11],
        [5, 7, 9, 11, 13],
    ]


def fight(characters: list[int], adversaries: list[int]) -> Encounter:
    found = weigh(SETTINGS, characters, adversaries)
    assert isinstance(found, Encounter), found
    return found


@pytest.mark.parametrize(
    ("characters", "adversaries", "difficulty"),
    [
        ([10] * 4, [8] * 6, EncounterDifficulty.HARD),
        ([10] * 4, [35], EncounterDifficulty.EASY),
        ([10] * 4, [6] * 6, EncounterDifficulty.BALANCED),
        ([10] * 4, [11] * 4, EncounterDifficulty.BALANCED),
        ([10] * 4, [15, 15, 15], EncounterDifficulty.HARD),
    ],
)
def test_a_fight_is_as_hard_as_the_energy_against_the_characters(
    characters: list[int], adversaries: list[int], difficulty: EncounterDifficulty
) -> None:
    assert fight(characters, adversaries).difficulty is difficulty


@given(st.lists(st.integers(1, 30), min_size=1, max_size=6), st.integers(1, 400))
def test_the_balanced_energies_are_those_of_balanced_fights(characters: list[int], energy: int) -> None:
    found = fight(characters, [energy])
    least, most = found.balanced
    assert (least <= energy <= most) == (found.difficulty is EncounterDifficulty.BALANCED)
    assert found.ratio == Fraction(energy, sum(characters))


def test_weak_parties_and_strong_adversaries_give_reason_for_caution() -> None:
    assert fight([10, 9], [8, 8]).cautions == ()
    assert fight([9, 9], [8, 8]).cautions == (Caution.LOW_POWER,)
    assert fight([10, 10], [15]).cautions == (Caution.STRONG_ADVERSARY,)
    assert fight([6, 6], [14, 6]).cautions == (Caution.LOW_POWER, Caution.STRONG_ADVERSARY)
    wrong = weigh(SETTINGS, [], [6, 0])
    assert isinstance(wrong, Problems)
    assert [(problem.code, problem.path) for problem in wrong] == [
        ("side_size", ("characters",)),
        ("number_out_of_range", ("adversaries", 1)),
    ]


def test_deeds_earn_what_the_book_gives_for_each() -> None:
    deeds = Deeds(
        sessions=3, minor_quests=1, major_quests=1, campaigns=1, role_play=2, bonus_combats=1, other=-1
    )
    earned = award(SETTINGS, deeds)
    assert not isinstance(earned, Problems)
    assert [part.value for part in earned.parts] == [6, 2, 4, 6, 2, 1, -1] and earned.value == 20
    quick = award(replace(SETTINGS, session_cp=3), Deeds(sessions=3))
    assert not isinstance(quick, Problems) and quick.value == 9
    wrong = award(SETTINGS, Deeds(sessions=-1, role_play=1_001))
    assert isinstance(wrong, Problems)
    assert [problem.path for problem in wrong] == [("sessions",), ("role_play",)]


def test_bonus_rolls_begin_with_everybody_and_grow_harder() -> None:
    assert [bonus_target(SETTINGS, stage) for stage in range(6)] == [None, 6, 7, 8, 8, 8]
    assert bonus_earned(SETTINGS, 0, 1)
    assert [bonus_earned(SETTINGS, 2, face) for face in (6, 7)] == [False, True]


@pytest.mark.parametrize(
    ("stage", "target", "chance"),
    [(None, None, None), (0, None, Fraction(1)), (1, 6, Fraction(1, 2)), (5, 8, Fraction(3, 10))],
)
def test_rewards_tell_the_target_of_a_bonus_roll(
    stage: int | None, target: int | None, chance: Fraction | None
) -> None:
    found = run_rewards(Deeds(bonus_stage=stage), CATALOG)
    assert not isinstance(found, Problems)
    assert (found.cp.value, found.bonus_target, found.bonus_chance) == (0, target, chance)


@pytest.mark.parametrize(
    ("area", "given_", "expect"),
    [
        ("counts", {"list": "traits"}, {"count": 97}),
        ("counts", {"list": "specialized_martial_skills"}, {"count": 57}),
        ("counts", {"list": "specialized_martial_skills", "tag": "Reaction"}, {"count": 24}),
        ("counts", {"list": "Pyromancy spells"}, {"count": 8}),
        ("counts", {"list": "cantrips"}, {"count": 2}),
        ("counts", {"list": "conditions"}, {"count": 19}),
        ("counts", {"list": "modern equipment"}, {"count": 83}),
        ("counts", {"list": "general_skills", "attribute": "INT"}, {"count": 7}),
        ("counts", {"list": "water_vehicles"}, {"count": 7}),
        ("template", {"template": "F6 Striker"}, {"energy": 6, "health": 5, "PD": 2, "MD": 2}),
        (
            "template",
            {
                "template": "F10 Grunt",
                "attributes": {"STR": 5, "AGI": 1, "STA": 5, "INF": 1, "INT": 3, "ACU": 3},
            },
            {"energy": 13, "health": 13, "PD": 4, "MD": 3},
        ),
        ("probability", {"action": 2, "defense": 3, "kind": "median"}, {"median": 0, "book": 1}),
        (
            "probability",
            {"dice": 9, "difficulty": 9, "required": 2, "kind": "median"},
            {"median": 1, "book": 1},
        ),
        ("fixed_roll", {"dice": [9, 9, 1], "difficulty": "Severe"}, {"successes": 2, "pass": True}),
        ("travel", {"mount": "Riding Horse", "gait": "gallop"}, {"mph": 24}),
        ("travel", {"boat": "Sailboat", "weather": "becalmed"}, {"mph": 0, "passable": True}),
        ("travel", {"vehicle": "Car", "terrain": "jungle path"}, {"passable": False}),
        ("travel", {"party": [{"STA": 3}, {"STA": 1, "armor": 1}]}, {"mph": 1, "miles_10h": 10}),
        ("influence", {"disposition": "Friendly", "magnitude": "Easy", "successes": 0}, {"persuaded": True}),
        ("influence", {"disposition": "Rival", "magnitude": "Hard", "successes": 8}, {"persuaded": False}),
        ("encounter", {"characters": [10] * 4, "adversaries": [8] * 6}, {"ratio": 1.2, "difficulty": "hard"}),
        ("encounter", {"characters": [10, 10], "adversaries": ["F8 Grunt"]}, {"ratio": 0.4}),
        ("rewards", {"sessions": 2, "fast": True, "campaigns": 1}, {"cp": 12}),
    ],
)
def test_a_case_about_the_world_is_answered(
    area: str, given_: dict[str, Any], expect: dict[str, Any]
) -> None:
    outcome = run_case(AREAS, {"id": "one", "area": area, "given": given_, "expect": expect})
    assert outcome.verdict is Verdict.PASSED, outcome.detail


def test_a_list_that_nobody_keeps_is_said_to_be_unsupported() -> None:
    outcome = run_case(AREAS, {"id": "one", "area": "counts", "given": {"list": "ducks"}, "expect": {}})
    assert outcome.verdict is Verdict.UNSUPPORTED
