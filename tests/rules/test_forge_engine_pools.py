"""One pool everywhere: what the sheet and a stat block print is what a fight rolls."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.play.rules.attribute_test import calm_dice
from services.rules.systems.forge_engine.play.rules.spells import castable, is_attack
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import Foes, Setup
from services.rules.systems.forge_engine.play.state import Fight
from services.rules.systems.forge_engine.play.strike import Strike, action_dice, energy_of
from services.rules.systems.forge_engine.pools.attack_pool import with_externalities
from services.rules.systems.forge_engine.sheet import CharacterSheet

WHO, FOE = "chr", "foe-1"
BLOCKS = SYSTEM.content.adversaries.ids


def begun(name: str, block: str = "forge_engine:adversary/f6-grunt") -> tuple[CharacterSheet, Fight]:
    """An example in a fight, rested."""
    rested = replace(SYSTEM.examples[name], expended=0, health=None, conditions=())
    sheet = SYSTEM.build(rested, SYSTEM.content)
    assert not isinstance(sheet, Problems)
    setup = Setup(title="Pools", foes=(Foes(adversary=block),))
    state = PLAY.begin(setup, (CastMember(id=WHO, sheet=sheet),))
    assert isinstance(state, Fight)
    return sheet, state


@pytest.mark.parametrize("name", SYSTEM.examples)
def test_the_sheets_greatest_attacks_and_spells_are_the_pools_of_a_fight(name: str) -> None:
    sheet, state = begun(name)
    one, seen = state.find(WHO), 0
    for weapon, line in zip(one.profile.weapons, sheet.weapons, strict=True):
        attack = line.attacks[0]
        if attack.max_cost is None or attack.max_dice is None:
            continue
        added = attack.max_cost.value - attack.cost.value
        strike = Strike(id="s", attacker=WHO, weapon=weapon.id, targets=(FOE,), added=added)
        energy, action = energy_of(state, strike)[0], action_dice(state, strike, FOE)
        assert (energy.value, action.value) == (attack.max_cost.value, attack.max_dice.value)
        seen += 1
    known = {line.id: line for line in sheet.spells}
    for spell in filter(is_attack, castable(state, one)):
        found = known[spell.id]
        if found.max_cost is None or found.max_dice is None:
            continue
        added = found.max_cost.value - spell.expend - sheet.action_energy.value
        strike = Strike(id="s", attacker=WHO, spell=spell.id, targets=(FOE,), added=added)
        energy, action = energy_of(state, strike)[0], action_dice(state, strike, FOE)
        assert (energy.value, action.value) == (found.max_cost.value, found.max_dice.value)
        seen += 1
    assert seen


@pytest.mark.parametrize("name", SYSTEM.examples)
def test_the_sheets_tests_are_those_out_of_a_fight(name: str) -> None:
    sheet, state = begun(name)
    lines = [line for line in sheet.tests if not line.field]
    assert lines
    for line in lines:
        assert calm_dice(state, state.find(WHO), line.attribute, line.skill or "").value == line.dice.value


def test_the_attacks_that_blocks_print_are_the_pools_of_a_fight() -> None:
    for block_id in BLOCKS:
        _, state = begun("gunslinger", block_id)
        foe, block = state.find(FOE), SYSTEM.content.adversaries[block_id]
        for weapon, attack in zip(foe.profile.weapons, block.attacks, strict=False):
            added = max(0, attack.max_cost - attack.cost)
            strike = Strike(id="s", attacker=FOE, weapon=weapon.id, targets=(WHO,), added=added)
            energy, action = energy_of(state, strike)[0], action_dice(state, strike, WHO)
            found = (energy.value, action.value)
            assert found == (attack.max_cost, attack.max_dice), (block.name, attack.name)


PARTS = st.lists(st.builds(Part, st.integers(-5, 5), st.just("x"), st.just("r")), max_size=5)


@given(PARTS, PARTS)
def test_explained_numbers_add_up(one: list[Part], other: list[Part]) -> None:
    both = Explained.of(*one) + Explained.of(*other)
    assert both.value == sum(part.value for part in (*one, *other))
    assert both.parts == (*one, *other)


@given(st.integers(0, 6), PARTS, st.randoms())
def test_the_order_of_what_helps_and_hinders_changes_no_pool(
    base: int, parts: list[Part], random: Random
) -> None:
    start = Explained.of(Part(base, "weapon", "r"))
    mixed = list(parts)
    random.shuffle(mixed)
    assert with_externalities(start, parts).value == with_externalities(start, mixed).value
