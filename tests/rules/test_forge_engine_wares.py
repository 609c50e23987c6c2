"""Forge Engine: the equipment tables row by row, and what their things do."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.conformance import Verdict, run_case
from services.rules.engine.content import unresolved_references
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine import wares
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentKind, Era, FireMode
from services.rules.systems.forge_engine.pools.attack_given import AttackGiven, DefenseGiven
from services.rules.systems.forge_engine.pools.attack_pool import attack_pools
from tests.conformance.forge_engine import AREAS
from tests.conformance.forge_engine.wares import item_in

CATALOG = own_catalog()
SETTINGS = CATALOG.settings
ITEMS = tuple(CATALOG.equipment)
WEAPONS = tuple(
    item
    for item in ITEMS
    if CATALOG.tables[item.table].kind not in {EquipmentKind.ARMOR, EquipmentKind.SHIELD}
)
AIMED = tuple(item for item in WEAPONS if item.max_range is not None)
LOADED = tuple(item for item in WEAPONS if CATALOG.tables[item.table].reloads)


def item(slug: str) -> Equipment:
    return CATALOG.equipment[f"forge_engine:equipment/{slug}"]


def ruled_tables() -> list[tuple[str, str, list[str], list[str]]]:
    """The tables as the rulings list them: era, heading, skills, rows."""
    tables: list[tuple[str, str, list[str], list[str]]] = []
    for line in Path(__file__).with_name("forge_engine_rows.txt").read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"\[(\w+)\] (.+) \((\d+)\): (.+)", line):
            tables.append((heading[1], heading[2], heading[4].split(", "), []))
        else:
            tables[-1][3].append(line)
    return tables


def test_every_row_stands_in_its_table_with_the_figures_of_the_rulings() -> None:
    ruled = [(era, table, *row.rsplit(" = ", 1)) for era, table, _, rows in ruled_tables() for row in rows]
    shelved = []
    for row in ITEMS:
        cost = "" if row.cost is None else f"{row.cost}{'*' if row.base_only else ''}/"
        table = CATALOG.tables[row.table]
        assert table.era is row.era
        shelved.append((row.era.value, table.name, row.printed, f"{cost}{row.rating}"))
    assert shelved == ruled
    assert Counter(row.era for row in ITEMS) == {Era.HISTORICAL: 45, Era.MODERN: 83, Era.SCIFI: 45}


def test_every_table_is_helped_by_the_skills_of_the_rulings() -> None:
    ruled = [(era, table, skills) for era, table, skills, _ in ruled_tables()]
    assert ruled == [
        (
            table.era.value,
            table.name,
            [CATALOG.martial[skill].name for skill in table.skills if not CATALOG.martial[skill].optional],
        )
        for table in CATALOG.tables
    ]


def test_what_a_row_prints_is_in_its_fields() -> None:
    for row in ITEMS:
        codes = re.findall(r"\b(?:2H|SS|SA|BF|FA|BL|RV|BA|LA|PA|BR|LF|PP|IT|CC)\b", row.printed)
        found = [*(["2H"] if row.hands == 2 else []), *(mode.value for mode in row.modes)]
        found += [code.value for code in (row.loading, row.arming) if code is not None]
        assert sorted(codes) == sorted([*found, *(["CC"] if row.concussion else [])]), row.printed
        printed_range = re.search(r"\((\d+)-(\d+)'\)", row.printed)
        ranges = (row.min_range, row.max_range)
        assert ranges == (
            (None, None) if not printed_range else (int(printed_range[1]), int(printed_range[2]))
        )
        assert row.reach == (5 if "+5'" in row.printed else 0)


def test_all_references_of_the_content_resolve() -> None:
    assert unresolved_references(CATALOG.shelves()) == ()


def test_weapons_deal_damage_and_armour_caps_agility() -> None:
    assert [row.printed for row in WEAPONS if not row.damage] == [
        "Stun Grenade (0-30') PP, CC",
        "Stun Grenade (0-30') PP, CC",
    ]
    for row in ITEMS:
        kind = CATALOG.tables[row.table].kind
        assert row.agility_cap == (7 - row.rating if kind is EquipmentKind.ARMOR else None)
        assert (row.cost is None) == (kind is EquipmentKind.ARMOR)
    shields = [
        (row.cost, row.rating) for row in ITEMS if CATALOG.tables[row.table].kind is EquipmentKind.SHIELD
    ]
    assert shields == [(1, 1), (2, 3), (3, 4)] * 3


def test_a_row_is_found_however_it_is_called() -> None:
    for row in ITEMS:
        asked = {"era": row.era.value, "table": CATALOG.tables[row.table].name}
        assert item_in({**asked, "item": row.printed}) is row
        assert item_in({**asked, "item": row.name}) is row
    for name, slug in (
        ("F1 grenade", "modern-f1-pineapple-frag-grenade"),
        ("Longbow", "historical-longbow"),
        ("Styer AUG", "modern-styer-aug"),
        ("Steyr AUG", "modern-styer-aug"),
        ("AK47", "modern-ak-47"),
        ("Glock 17", "modern-glock-17-20"),
        ("bastard sword 2h", "historical-katana-bastard-sword-2h"),
        ("Greatsword", "historical-tulwar-greatsword-2h"),
        ("MP5", "modern-hk-mp5"),
        ("Type I Body Armor", "modern-type-i-body-armor"),
        ("pole/2x4/baseball bat 2H", "modern-pole-2x4-baseball-bat-2h"),
    ):
        assert item_in({"item": name}) is item(slug), name


@pytest.mark.parametrize(
    ("slug", "multiple"),
    [
        ("historical-longbow", 4),
        ("historical-short-sling", 4),
        ("historical-arbalest", 5),
        ("historical-rock", 2),
        ("modern-ak-47", 5),
        ("modern-tnt-stick", 2),
        ("modern-zip-gun", 3),
        ("modern-m2", 5),
        ("modern-remington-308", 5),
        ("modern-10-gauge", 2),
        ("modern-barrett-m82-50", 5),
        ("modern-uzi", 3),
        ("scifi-ion-blaster", 3),
        ("scifi-light-ion-rifle", 5),
        ("scifi-sonic-scattergun", 2),
        ("scifi-ion-machinegun", 5),
    ],
)
def test_weapons_reach_so_many_times_their_range(slug: str, multiple: int) -> None:
    row = item(slug)
    assert row.max_range is not None
    limit = row.max_range * multiple
    assert wares.farthest(CATALOG, row) == limit
    within, beyond = wares.shot(CATALOG, row, limit), wares.shot(CATALOG, row, limit + 1)
    assert isinstance(within, wares.Shot) and isinstance(beyond, wares.Shot)
    assert (within.in_range, within.pd_dice) == (True, 2 * (multiple - 1))
    assert not beyond.in_range
    doubled = {"modern-barrett-m82-50", "scifi-light-ion-rifle"}
    assert wares.farthest(CATALOG, row, equipped=True) == limit * (2 if slug in doubled else 1)


@given(st.sampled_from(AIMED), st.integers(0, 5_000), st.integers(0, 5_000))
def test_targets_further_off_are_never_easier_than_nearer_ones_in_good_range(
    row: Equipment, first: int, second: int
) -> None:
    near, far = sorted((first, second))
    nearer, farther = wares.shot(CATALOG, row, near), wares.shot(CATALOG, row, far)
    assert isinstance(nearer, wares.Shot) and isinstance(farther, wares.Shot)
    assert nearer.in_range or not farther.in_range
    if not nearer.inside and farther.in_range:
        assert nearer.pd_dice <= farther.pd_dice
    if row.min_range is not None and row.max_range is not None and row.min_range <= near <= row.max_range:
        assert nearer == replace(nearer, in_range=True, increments=0, inside=False, pd_dice=0)


def test_a_target_too_near_gains_dice_but_not_from_explosives_and_scatterguns() -> None:
    def dice_at(slug: str, distance: int) -> int:
        found = wares.shot(CATALOG, item(slug), distance)
        assert isinstance(found, wares.Shot)
        return found.pd_dice

    assert dice_at("historical-longbow", 9) == 2
    assert dice_at("historical-longbow", 10) == 0
    assert dice_at("historical-longbow", 301) == 2
    assert dice_at("scifi-ion-scattergun", 0) == 0
    assert dice_at("modern-m67-apple-frag-grenade", 0) == 0
    # A halberd is for those a step away, and reaches no further.
    assert [dice_at("historical-halberd-lance", feet) for feet in (5, 6, 10)] == [2, 0, 0]
    assert isinstance(wares.shot(CATALOG, item("historical-full-plate"), 5), Problems)
    assert isinstance(wares.shot(CATALOG, item("historical-longbow"), -1), Problems)


RELOADS = {
    "historical-shortbow": [2],
    "historical-long-sling": [2],
    "historical-hand-crossbow": [1],
    "historical-crossbow": [5],
    "historical-arbalest": [8],
    "modern-ak-47": [3, 3],
    "modern-zip-gun": [2],
    "modern-glock-17-20": [3, 3],
    "modern-colt-agent-38": [2],
    "modern-m60": [5, 5],
    "modern-winchester-22": [2, 3, 3],
    "modern-remington-308": [2, 3, 3],
    "modern-8-gauge": [5, 8, 2, 2, 3, 2],
    "modern-barrett-m99-50": [6],
    "modern-barrett-m82-50": [3, 3],
    "modern-denel-ntw-20": [2, 3, 3],
    "modern-uzi": [3, 3],
    "scifi-laser-blaster": [3],
    "scifi-ion-machinegun": [5],
    "scifi-plasma-scattergun": [3],
    "historical-rock": [],
}


@pytest.mark.parametrize("slug", RELOADS)
def test_every_way_to_reload_costs_what_the_book_says(slug: str) -> None:
    row = item(slug)
    costs = [wares.reload_energy(row, way) for way in wares.reload_ways(CATALOG, row)]
    assert [cost.value for cost in costs if not isinstance(cost, Problems)] == RELOADS[slug]


@given(st.sampled_from(LOADED), st.data())
def test_quick_load_saves_a_point_for_each_piece_up_to_its_rating(
    row: Equipment, data: st.DataObject
) -> None:
    way = data.draw(st.sampled_from(wares.reload_ways(CATALOG, row)))
    pieces = data.draw(st.integers(1, 8 if way.single else 1))
    rating = data.draw(st.integers(0, 5))
    plain = wares.reload_energy(row, way, pieces=pieces)
    quick = wares.reload_energy(row, way, pieces=pieces, quick_load=rating)
    assert not isinstance(plain, Problems) and not isinstance(quick, Problems)
    assert plain.value - quick.value == min(pieces, rating)
    assert quick.value >= 0


def test_one_hand_loads_slings_at_double_the_energy_and_nothing_else() -> None:
    for row in LOADED:
        for way in wares.reload_ways(CATALOG, row):
            found = wares.reload_energy(row, way, hands=1)
            if "Sling" in row.name:
                assert not isinstance(found, Problems) and found.value == 4
            else:
                assert isinstance(found, Problems) and found.codes == ("reload_needs_both_hands",)
    magazine = wares.reload_ways(CATALOG, item("modern-ak-47"))[0]
    twice = wares.reload_energy(item("modern-ak-47"), magazine, pieces=2, hands=3, quick_load=-1)
    assert isinstance(twice, Problems)
    assert [problem.path for problem in twice] == [("pieces",), ("hands",), ("quick_load",)]


def test_explosives_burst_over_five_feet_a_rating_and_are_armed_first() -> None:
    found = {
        row.name: (wares.blast_radius(CATALOG, row), wares.arming_energy(CATALOG, row))
        for row in ITEMS
        if CATALOG.tables[row.table].kind is EquipmentKind.EXPLOSIVE
    }
    assert len(found) == 15
    assert found["Molotov Cocktail"] == (10, 3)
    assert found["F1 Pineapple Frag Grenade"] == (25, 1)
    assert found["Keg of black-powder"] == (50, 3)
    assert found["Anti-Matter Grenade"] == (40, 1)
    assert (
        wares.blast_radius(CATALOG, item("modern-ak-47")),
        wares.arming_energy(CATALOG, item("modern-ak-47")),
    ) == (
        None,
        None,
    )
    stunning = next(each for each in CATALOG.equipment if each.concussion)
    effects = [wares.laid(stunning, successes) for successes in (0, 1, 2, 3)]
    assert effects == [None, *("forge_engine:condition/dazed",) * 2, "forge_engine:condition/stunned"]


@pytest.mark.parametrize(
    ("slug", "options", "plain", "last"),
    [
        ("modern-ak-47", ["Burst fire", "Full-auto"], (2, 3), (5, 7)),
        ("modern-glock-17-20", ["Burst fire"], (1, 2), (2, 5)),
        ("modern-walther-ppk", [], (1, 1), (1, 1)),
        # Base figures: there is no shot but full-auto.
        ("modern-m2", ["Full-auto"], (8, 12), (8, 12)),
        ("modern-uzi", ["Full-auto"], (4, 5), (4, 5)),
        ("modern-ump45", ["Burst fire", "Full-auto"], (2, 3), (4, 6)),
        ("modern-12-gauge-normal-shot", ["Both barrels"], (2, 4), (2, 8)),
        ("scifi-ion-scattergun", ["Blast fire"], (3, 5), (4, 5)),
        ("scifi-laser-blaster", [], (1, 1), (1, 1)),
        ("historical-longbow", [], (3, 4), (3, 4)),
    ],
)
def test_a_shot_costs_and_gives_what_weapon_and_mode_do(
    slug: str, options: list[str], plain: tuple[int, int], last: tuple[int, int]
) -> None:
    row = item(slug)
    found = wares.fire_options(CATALOG, row)
    assert [option.name for option in found] == options
    for option, figures in ((None, plain), (found[-1] if found else None, last)):
        use = wares.weapon_use(CATALOG, SETTINGS, row, option)
        assert (use.energy.value, use.dice.value) == figures


def test_scopes_help_single_shots_and_bursts_only() -> None:
    def helpers(slug: str, mode: FireMode | None = None) -> dict[str, int]:
        return {support.name: support.dice for support in wares.supports(CATALOG, item(slug), mode)}

    everything = {"Braced": 1, "Tripod": 2, "Scope": 2, "Laser sight": 2}
    assert helpers("modern-ak-47") == helpers("modern-ak-47", FireMode.BURST) == everything
    assert helpers("modern-ak-47", FireMode.FULL_AUTO) == {"Braced": 1, "Tripod": 2}
    assert helpers("modern-remington-308") == everything
    assert helpers("modern-barrett-m82-50") == {"Tripod": 2, "Scope": 2, "Laser sight": 2}
    assert helpers("modern-uzi", FireMode.FULL_AUTO) == {"Braced": 1}
    assert helpers("scifi-ion-machinegun") == {"Tripod": 2}
    assert helpers("modern-zip-gun") == {}


def test_a_sniper_rifle_fired_from_the_hand_costs_double() -> None:
    costs = {
        (row.name, wares.weapon_use(CATALOG, SETTINGS, row, steady=False).energy.value - (row.cost or 0))
        for row in WEAPONS
        if not row.base_only
        and wares.weapon_use(CATALOG, SETTINGS, row, steady=False).energy.value != row.cost
    }
    names = {"Barrett M82 .50": 3, "Barrett M99 .50": 3, "Denel NTW-20": 5, "Barrett XM109 25mm": 5}
    assert costs == set(names.items())


def test_soft_gloves_give_what_the_table_says() -> None:
    bare = replace(SETTINGS, soft_gloves_rating=0)
    changed = [row.name for row in ITEMS if wares.rating_of(bare, row) != wares.rating_of(SETTINGS, row)]
    assert changed == ["Boxing Gloves", "Sparring Gloves"]
    assert wares.weapon_use(CATALOG, bare, item("modern-boxing-gloves")).dice.value == 0


def test_prices_go_by_the_ratio_of_rating_to_cost() -> None:
    prices = [wares.price(SETTINGS, *pair) for pair in ((2, 0), (3, 3), (2, 5), (3, 2), (3, 5))]
    assert prices == [0, 1000, 2500, 667, 1667]
    assert wares.price(SETTINGS, None, 3) is None
    assert wares.price(SETTINGS, 2, 2, weighting=1) == 1500


@given(st.integers(1, 20), st.integers(0, 30), st.integers(1, 10))
def test_better_things_cost_more_and_clumsier_ones_less(cost: int, rating: int, more: int) -> None:
    price, better = wares.price(SETTINGS, cost, rating), wares.price(SETTINGS, cost, rating + more)
    clumsier = wares.price(SETTINGS, cost + more, rating)
    assert price is not None and better is not None and clumsier is not None
    assert clumsier <= price < better


@pytest.mark.parametrize(("trained", "energy"), [(True, 2), (False, 3)])
def test_a_shield_is_paid_for_once_and_wards_until_the_next_turn(trained: bool, energy: int) -> None:
    first = DefenseGiven(dice=1, shield=item("historical-kite-shield").id, shield_trained=trained)
    for target, cost in ((first, energy), (replace(first, shield_up=True), 0)):
        found = attack_pools(AttackGiven(attribute=2, rating=2), target, CATALOG)
        assert (found.defense.value, found.defense_energy.value) == (4, cost)


@pytest.mark.parametrize(
    ("area", "given_", "expect"),
    [
        ("equipment", {"era": "modern", "item": "M2"}, {"cost": 5, "rating": 8, "base_only": True}),
        (
            "equipment",
            {"era": "scifi", "table": "Armor", "item": "Type III Composite"},
            {"cost": None, "rating": 3},
        ),
        ("equipment_count", {"era": "scifi"}, {"rows": 45}),
        ("equipment_count", {"era": "modern", "table": "Handgun Weapons"}, {"rows": 11}),
        ("explosive", {"weapon": "TNT"}, {"blast_radius_ft": 30, "arming_energy": 3}),
        ("range", {"weapon": "Longbow", "distance_ft": 1201}, {"in_range": False}),
        ("range", {"weapon": "Dagger", "distance_ft": 60}, {"in_range": True, "pd_bonus": 2}),
        ("reload", {"weapon": "Heavy Crossbow"}, {"energy": 6}),
        ("reload", {"weapon": "bolt-action rifle"}, {"energy": 2}),
        ("reload", {"weapon": "single-shot sniper rifle"}, {"energy": 6}),
        ("reload", {"weapon": "single-shot rifle"}, {"energy": 5}),
        ("reload", {"weapon": "double-barrel shotgun"}, {"energy": 8}),
        ("reload", {"weapon": "machine gun", "what": "swap magazine"}, {"energy": 5}),
        ("reload", {"weapon": "revolver"}, {"energy": 2}),
        ("reload", {"weapon": "sling", "hands": 1}, {"energy": 4}),
        ("reload", {"weapon": "Longbow", "quick_load": 1}, {"energy": 1}),
        ("reload", {"weapon": "Longbow", "hands": 1}, {"energy": None}),
        ("price", {"item": "Desert Eagle"}, {"dollars": 2500}),
        ("shield", {"shield": "Tower Shield", "PD": 2, "attacks": 2}, {"pools": [6, 6], "energy": 3}),
    ],
)
def test_a_case_about_wares_is_answered(area: str, given_: dict[str, Any], expect: dict[str, Any]) -> None:
    outcome = run_case(AREAS, {"id": "one", "area": area, "given": given_, "expect": expect})
    assert outcome.verdict is Verdict.PASSED, outcome.detail


@pytest.mark.parametrize(
    ("area", "given_"),
    [
        ("equipment", {"item": "a rubber duck"}),
        ("explosive", {"weapon": "Longsword"}),
        ("reload", {"weapon": "a rubber duck"}),
    ],
)
def test_what_no_table_has_is_said_to_be_unsupported(area: str, given_: dict[str, Any]) -> None:
    outcome = run_case(AREAS, {"id": "one", "area": area, "given": given_, "expect": {}})
    assert outcome.verdict is Verdict.UNSUPPORTED
