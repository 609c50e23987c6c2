"""What spells and weapons should cost by the book's tables, and where the book itself strays from them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.conformance import Verdict, run_case
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.costing import spell_cost, weapon_cost
from services.rules.systems.forge_engine.equipment import (
    EquipmentKind,
    WeaponEdge,
    WeaponGrip,
    WeaponParts,
    WeaponWeight,
)
from services.rules.systems.forge_engine.settings import HouseRules
from services.rules.systems.forge_engine.skills import (
    SpellComponents,
    SpellDamage,
    SpellHealing,
    SpellScope,
)
from tests.conformance.forge_engine.costing import AREAS

CATALOG = own_catalog()
SETTINGS = CATALOG.settings


def test_of_all_costed_spells_only_the_two_of_the_ruling_stray() -> None:
    costed = {
        spell: spell_cost(spell.components, SETTINGS).expend
        for spell in CATALOG.spells
        if spell.components is not None
    }
    assert len(costed) == 24
    assert [(spell.id, spell.expend, cost) for spell, cost in costed.items() if spell.expend != cost] == [
        ("forge_engine:spell/arcane-bolts", 1, 2),
        ("forge_engine:spell/dazzling-word", 1, 0),
    ]


def test_every_melee_weapon_has_parts_but_the_gloves_and_only_the_modern_great_club_strays() -> None:
    hand_held = (EquipmentKind.MELEE, EquipmentKind.FINESSE, EquipmentKind.REACH, EquipmentKind.UNARMED)
    rows = [item for item in CATALOG.equipment if CATALOG.tables[item.table].kind in hand_held]
    assert {item.id for item in rows if item.parts is None} == {
        "forge_engine:equipment/modern-boxing-gloves",
        "forge_engine:equipment/scifi-sparring-gloves",
    }
    counted = {item: weapon_cost(item.parts) for item in rows if item.parts is not None}
    strays = [
        (item.id, (item.cost, item.rating), (found.cost.value, found.rating.value))
        for item, found in counted.items()
        if (item.cost, item.rating) != (found.cost.value, found.rating.value)
    ]
    assert strays == [("forge_engine:equipment/modern-nodachi-great-club-2h", (4, 7), (4, 6))]


def test_the_books_worked_example_shows_its_working() -> None:
    found = spell_cost(SpellComponents(range=5, healing=SpellHealing.SINGLE), SETTINGS)
    assert found.working == "touch 0 + healing one target 1 + every target 0 = 1, so 1"


def test_what_healing_costs_is_a_table_setting() -> None:
    cheap = SETTINGS.under(HouseRules(healing_single_halves=1))
    assert spell_cost(SpellComponents(healing=SpellHealing.SINGLE), cheap).expend == 0


@given(
    range=st.integers(0, 100),
    area=st.integers(0, 25),
    damage=st.sampled_from([None, *SpellDamage]),
    targets=st.sampled_from(list(SpellScope)),
)
def test_a_wider_or_farther_spell_never_costs_less(
    range: int, area: int, damage: SpellDamage | None, targets: SpellScope
) -> None:
    parts = SpellComponents(range=range, area=area, damage=damage, targets=targets)
    widest = SpellComponents(range=100, area=25, damage=damage, targets=targets)
    found = spell_cost(parts, SETTINGS)
    assert 0 <= found.expend <= spell_cost(widest, SETTINGS).expend
    assert found.expend == max(0, found.sum.__floor__())


@given(
    weight=st.sampled_from(list(WeaponWeight)),
    edge=st.sampled_from(list(WeaponEdge)),
    grip=st.sampled_from(list(WeaponGrip)),
    flags=st.tuples(*[st.booleans()] * 4),
)
def test_no_weapon_costs_or_gives_less_than_nothing(
    weight: WeaponWeight, edge: WeaponEdge, grip: WeaponGrip, flags: tuple[bool, bool, bool, bool]
) -> None:
    thrown, triggered, ranged, reach = flags
    found = weapon_cost(
        WeaponParts(
            weight=weight,
            edge=edge,
            grip=grip,
            thrown=thrown,
            triggered=triggered,
            ranged=ranged,
            reach=reach,
        )
    )
    assert found.cost.value >= 0
    assert found.rating.value >= 0


@pytest.mark.parametrize(
    ("area", "given", "expect"),
    [
        ("spell_cost", {"spell": "Summon Creature"}, {"expend": "variable"}),
        ("spell_cost", {"spell": "Arcane Vortex"}, {"expend": 2}),
        ("spell_costing", {"range_ft": 100, "damage": "per die", "area_ft": 25}, {"sum": 3.0, "expend": 3}),
        ("spell_costing", {"range_ft": 0, "damage": "half"}, {"sum": -0.5, "expend": 0}),
        ("spell_costing", {"range_ft": 25, "targets": "allies or enemies only"}, {"sum": 1.0, "expend": 1}),
        (
            "weapon_costing",
            {"weight": "Very Heavy", "edge": "sharp", "two_handed_only": True, "reach": True},
            {"cost": 5, "rating": 6},
        ),
        (
            "weapon_costing",
            {"weight": "Slight", "edge": "blunt", "thrown": True, "ranged": True},
            {"cost": 2, "rating": 0},
        ),
        ("sage_pool", {"weapon": {"cost": 2, "rating": 0}, "add": 0, "attribute_rating": 2}, {"pool": 0}),
        ("sage_pool", {"weapon": None, "add": 5, "attribute_rating": 3, "skills": {"x": 9}}, {"pool": 6}),
        ("defense_pool", {"PD": 2, "cover": "three-quarters", "into_melee": True}, {"pool": 6}),
        ("defense_pool", {"PD": 2, "size": "Fine", "attack": "melee"}, {"pool": 5}),
        ("defense_pool", {"PD": 2, "condition": "Prone", "attack": "ranged", "distance": 30}, {"pool": 4}),
        ("defense_pool", {"PD": 3, "parry": 2, "weapon": {"cost": 3, "rating": 3}}, {"pool": 5}),
        ("defense_pool", {"MD": 2, "visibility": "Invisible"}, {"pool": 5}),
    ],
)
def test_cases_of_costs_and_pools_are_answered_by_the_rules(
    area: str, given: dict[str, Any], expect: dict[str, Any]
) -> None:
    outcome = run_case(AREAS, {"id": "case", "area": area, "given": given, "expect": expect})
    assert outcome.verdict is Verdict.PASSED, outcome.detail
