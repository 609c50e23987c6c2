"""Martial skills and spells of Forge Engine at work: the table of the README, and a scenario for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from services.rules.engine.driver import Made, make
from services.rules.engine.driver import thrower as rolling
from services.rules.engine.matches import chooser, named_stream
from services.rules.engine.sampling import complete
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.play.moves import Attack, Cast
from services.rules.systems.forge_engine.play.rules.spells import working
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import FOES
from services.rules.systems.forge_engine.skills import MartialKind
from tests.conformance.forge_engine import AREAS
from tests.conformance.forge_engine.martial import SIX
from tests.conformance.forge_engine.stage import (
    CATALOG,
    FOE,
    HERO,
    fight,
    fighter,
    hero,
    profile,
    skilled,
    thrower,
)

README = Path(__file__).parents[2] / "services/rules/systems/forge_engine/README.md"

PLAYED: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    (
        "Last Resolve",
        {"rating": 3, "STA": 2, "damage": 3, "health": 5, "max_health": 9},
        {"max_expend": 2, "health": 4},
    ),
    ("Killing Blow", {"rating": 2, "STR": 4}, {"bonus": 2, "expend": 1}),
    ("Precision Attack", {"rating": 3, "spend": 2, "then": "is attacked"}, {"bonus_next_attack": 0}),
    ("Weakening Attack", {"rating": 3, "successes": 1}, {"condition": "Weakened"}),
    ("Disarming Attack", {"rating": 2, "successes": 4, "target_hands": 1}, {"thrown_ft": 10}),
    (
        "Distracting Taunt",
        {"rating": 2, "INF": 3, "add": 3, "successes": 3},
        {"against": "MD", "range_ft": 50, "condition": "Exhausted", "pool": 5},
    ),
    ("Split-Tongue Shot", {"rating": 2, "pool": 7, "added": 2, "targets": 3}, {"pools": [5, 4, 4]}),
    ("Repel", {"rating": 3, "energy_spent": 2}, {"target_must_pay": 4}),
    ("Retaliation", {"rating": 2, "damage": 3}, {"bonus_energy": 2}),
    ("Reaping Blow", {"rating": 3, "damage": 5}, {"bonus_energy": 3}),
    (
        "Unarmored Defense",
        {"rating": 2, "PD": 1, "dodge_added": 3},
        {"this_attack_pool": 4, "next_attack_bonus": 2},
    ),
    (
        "Sidestep",
        {"rating": 2, "attack": [5, 9, 9], "defense": [4, 6], "new_dice": [10, 2]},
        {"successes": 0, "energy": 3},
    ),
    (
        "Twist The Blade",
        {"rating": 2, "rolled": [5, 9, 9], "defense": [4, 6], "new_dice": [10, 2]},
        {"successes": 3, "energy": 3},
    ),
    ("Following Attack", {"rating": 2, "weapon_cost": 3}, {"allowed": False}),
    (
        "Following Attack",
        {"rating": 2, "weapon_cost": 2, "defense": [4, 6], "attack": [7, 3]},
        {"allowed": True},
    ),
    ("Strikeback Attack", {"rating": 2, "attacks_this_round": 3}, {"bonus": 2}),
    ("Weakpoint Strike", {"rating": 2, "hits": 3}, {"bonus": 2}),
    ("Shrouding Strike", {"rating": 2, "hits": 1}, {"bonus": 1}),
    ("Suck It Up", {"STA": 4, "rating": 2, "PD": 2, "energy": 4}, {"pool": 4}),
    ("Nimble Defense", {"rating": 2, "PD": 2, "dodge_added": 3}, {"pool": 7, "this_attack_pool": 7}),
    ("Iron Will", {"INT": 1, "rating": 4, "MD": 2, "energy": 3}, {"pool": 3}),
    ("Reflex Strike", {"rating": 1, "weapon_cost": 3}, {"cost": 2}),
    ("Bodyguard's Stance", {"rating": 2, "attacks_this_round": 3}, {"bonuses": [1, 1, 0]}),
    ("Bodyguard's Ward", {"rating": 2, "dodge_added": 3}, {"bonus": 2}),
    ("Phalanx", {"rating": 2, "targets": 3}, {"bonus": 2}),
    ("Disengaging Step", {"rating": 3}, {"bonus": 3}),
    ("Deft Movement", {"rating": 2, "AGI": 3, "energy": 2, "PD": 2}, {"pool": 4}),
    ("Take The Initiative", {"rating": 2, "AGI": 3, "add": 3}, {"pool": 5}),
    ("Trip", {"rating": 2, "STR": 3, "add": 3, "successes": 1}, {"bonus": 2, "condition": "Prone"}),
    ("Enraged Attacker", {"rating": 2, "added": 3}, {"bonus": 2}),
    ("Surprise Attack", {"rating": 2, "added": 3}, {"bonus": 2}),
    ("Shadow Lurker", {"rating": 2, "added": 3}, {"bonus": 2}),
    ("Last Gasp", {"rating": 2, "STA": 3}, {"bonus_energy": 2, "expend": 1}),
    ("Disarming Attack", {"rating": 2, "successes": 4, "target_hands": 2}, {"thrown_ft": 10}),
    ("Engaged Attack", {"rating": 2, "added": 3}, {"bonus": 2}),
    ("Word of Command", {"successes": 2, "command": "Kill your friend"}, {"executed": "Kill your"}),
    ("Life Bind", {"damage": 5}, {"caster_takes": 2, "creature_takes": 3}),
    ("Force", {"successes": 3}, {"pushed_ft": 15}),
    ("Move", {"mass_kg": 15, "dice": [8, 3]}, {"difficulty": 8, "moved_ft": 5}),
    ("Light", {"pool": 3}, {"minutes": 30, "radius_ft": 25}),
    ("Healing Wave", {"pool": 6, "assign": [4, 2]}, {"valid": True}),
    ("Healing Wave", {"pool": 6, "assign": [4, 3]}, {"valid": False}),
    ("Arcane Bolts", {"pool": 5, "assign": [3, 2]}, {"valid": True, "allowed": True}),
    (
        "Devouring Touch",
        {"successes": 3, "caster_health": 3, "caster_max": 9, "target_health": 5},
        {"caster_health": 6, "target_health": 2},
    ),
    ("Arcane Bolts", {"INT": 3, "rating": 2, "add": 3}, {"pool": 5, "expended": 1, "energy": 4}),
    ("Divine Armor", {"ACU": 3, "rating": 2, "add": 3}, {"pool": 5, "expended": 2}),
    ("Repulse", {"successes": 2}, {"pushed_ft": 10}),
    ("Miring Word", {"successes": 3}, {"condition": "Immobilized"}),
    ("Divine Guidance", {"dice": 2, "attacks": 3}, {"bonus_per_attack": [1, 1, 0]}),
    (
        "Flame Wave",
        {"INT": 3, "rating": 3, "add": 2},
        {"pool": 4, "expended": 1, "energy": 3, "radius_ft": 25},
    ),
    ("Armored Army", {"pool": 6, "assign": [3, 2, 1]}, {"valid": True}),
    (
        "Revitalizing Touch",
        {"INT": 3, "rating": 3, "add": 2, "target_health": 1, "target_max": 9},
        {"target_health": 5},
    ),
    ("Cleanse", {"ACU": 3, "rating": 3, "add": 2}, {"pool": 4}),
    ("Arcane Retribution", {"INT": 3, "rating": 3, "add": 2}, {"pool": 4}),
    ("Compel Undead", {"successes": 1, "command": "Go away"}, {"executed": "Go"}),
    ("Dominate Undead", {"successes": 1}, {"allowed": True}),
    ("Detect Magic", {"INF": 1, "INT": 3, "ACU": 2, "rating": 2, "add": 3}, {"pool": 5, "radius_ft": 25}),
    ("Armor Summoned Creature", {"dice": 2, "attacks_on_PD": 3}, {"bonus_per_attack": [1, 1, 0]}),
    ("Fireball", {"free_hand": True}, {"allowed": True}),
    (
        "Heal Summoned Creature",
        {"ACU": 3, "rating": 3, "add": 2, "target_health": 1, "target_max": 9},
        {"target_health": 5},
    ),
    ("Pinning Attack", {"rating": 2, "successes": 4}, {"condition": "Slowed"}),
    ("Stunning Attack", {"rating": 3, "successes": 3}, {"condition": "Stunned", "damage": 0}),
    ("Whirlwind Attack", {"rating": 2, "pool": 8, "added": 3, "targets": 3}, {"pools": [5, 5, 4]}),
    ("Defensive Stance", {"rating": 2, "attacks_this_round": 3}, {"bonuses": [1, 1, 0]}),
    ("Offensive Stance", {"rating": 2, "added": 3}, {"bonus": 2}),
    ("Aggravated Strike", {"rating": 2, "consecutive_misses": 3}, {"bonus": 2}),
    (
        "Shield Bash",
        {"rating": 3, "spend": 1, "add": 2, "successes": 2},
        {"energy": 3, "pushed_ft": 10, "condition": "Prone"},
    ),
    ("Quick Load", {"rating": 1, "reload_cost": 2}, {"cost": 1}),
    ("Coherent Mind", {"INF": 2, "rating": 4, "MD": 1, "energy": 3}, {"pool": 3}),
    ("Empty Vessel", {"ACU": 2, "rating": 4, "MD": 1, "energy": 3}, {"pool": 3}),
    ("Brace", {"STR": 4, "rating": 2, "PD": 2, "energy": 4}, {"pool": 4}),
    ("Cleaving Attack", {"rating": 3, "added_first": 2}, {"second_pool": 2, "energy": 0}),
    ("Charging Attack", {"rating": 3, "run_ft": 40}, {"bonus": 3}),
    ("Debilitating Blow", {"rating": 3, "damage": 2, "energy_spent": 6}, {"target_expends": 2}),
    ("First Strike", {"rating": 2, "damage": 3}, {"damage": 5}),
    ("Hard To Kill", {"rating": 2, "STA": 3, "health": 4, "damage": 6}, {"damage": 4}),
    ("Leader's Pledge", {"rating": 3, "INF": 2, "spend": 2}, {"ally_bonus_energy": 2}),
    ("Opportunity Attack", {"rating": 4, "weapon_cost": 3}, {"cost": 0}),
    ("Dual Wield Attack", {"rating": 4, "main_cost": 3, "off_cost": 2}, {"off_hand_cost": 1}),
    ("Parry", {"rating": 2, "weapon": {"cost": 3, "rating": 3}, "PD": 1}, {"pool": 3}),
    ("Arcane Touch", {"successes": 2}, {"damage_taken": [2]}),
    ("Arcane Spark", {"successes": 3}, {"damage_taken": [2]}),
    ("Fiery Bolt", {"successes": 3}, {"damage_taken": [2]}),
    ("Flaming Touch", {"successes": 2}, {"damage_taken": [2]}),
    ("Draining Touch", {"successes": 2}, {"damage_taken": [2]}),
    ("Crush", {"successes": 2}, {"damage_taken": [2]}),
    ("Divine Word", {"successes": 2}, {"damage_taken": [2]}),
    ("Pillar of Flame", {"successes": 2}, {"damage_taken": [2]}),
    ("Flame Spray", {"successes": 2}, {"damage_taken": [2]}),
    ("Arcane Burst", {"INT": 3, "rating": 3, "add": 2}, {"pool": 4}),
    ("Arcane Vortex", {"INT": 3, "rating": 3, "add": 2}, {"pool": 4, "expended": 2}),
    ("Strengthened Hide", {"dice": 2, "attacks_on_PD": 3}, {"bonus_per_attack": [1, 1, 0]}),
    ("Divine Protection", {"dice": 3, "attacks_on_PD": 4}, {"bonus_per_attack": [1, 1, 1, 0]}),
    ("Divine Blessing", {"dice": 2, "attacks": 2}, {"bonus_per_attack": [2, 0]}),
    (
        "Healing Touch",
        {"ACU": 3, "rating": 3, "add": 3, "target_health": 2, "target_max": 13},
        {"target_health": 8},
    ),
    ("Body Hammer", {"ACU": 3, "rating": 3, "add": 2}, {"pool": 4}),
    ("Divine Might", {"ACU": 3, "rating": 3, "add": 2}, {"pool": 4}),
    ("Dazzling Word", {"successes": 2}, {"condition": "Dazed"}),
    ("Exhausting Word", {"successes": 3}, {"condition": "Exhausted"}),
    ("Bind", {"successes": 1}, {"condition": "Slowed"}),
    ("Baneful Word", {"successes": 3, "target_attack_cost": 3}, {"attack_cost_against_caster": 6}),
    (
        "Necrotic Touch",
        {"successes": 4, "target_health": 4, "caster_health": 3, "caster_max": 9},
        {"target_health": 0, "caster_health": 7},
    ),
    ("Hasten Death", {"successes": 2, "later_hits": [1, 5]}, {"damage_taken": [2, 7]}),
    ("Enflame", {"pool": 4}, {"turn_pools": [4, 3, 2, 1]}),
    ("Summon Creature", {"ACU": 3, "rating": 3, "expend": 3}, {"pool": 6}),
    ("Finesse", {"mass_kg": 5, "dice": [9, 3, 10]}, {"difficulty": 9, "moved_ft": 10}),
    ("Fly", {"pool": 5}, {"minutes": 5}),
    ("Flame Armor", {"INT": 3, "rating": 3, "add": 2}, {"pool": 4}),
)
"""A skill or spell, what a scenario says, and what must be seen then."""


@pytest.mark.parametrize(("name", "given", "expected"), PLAYED, ids=lambda each: str(each)[:40])
def test_it_does_what_it_says(name: str, given: dict[str, Any], expected: dict[str, Any]) -> None:
    martial = any(each.name == name for each in CATALOG.martial)
    area, key = ("martial_skill", "skill") if martial else ("spell", "spell")
    found = AREAS[area]({key: name, **given})
    assert {key: found.get(key) for key in expected} == expected


def test_what_is_not_at_work_is_not_offered() -> None:
    idle = [each for each in CATALOG.spells if not working(CATALOG, each)]
    figures = profile(skills=skilled(*((each.id, 3) for each in idle)))
    state = fight(hero(figures), fighter(FOE, FOES))
    assert idle and not any(offer.move["kind"] == "Cast" for offer in PLAY.legal(state, HERO))


def test_stored_force_strikes_back_at_an_attacker_beside() -> None:
    skills = skilled(("forge_engine:spell/flame-armor", 3))
    caster = hero(profile(attributes=Attributes(intelligence=3), skills=skills))
    state = fight(caster, fighter(FOE, FOES, passed=True))
    cast = Cast(actor=HERO, spell="forge_engine:spell/flame-armor", added=3)
    made = make(PLAY, state, cast, thrower({}), lambda _state, ask: ask.silence)
    assert isinstance(made, Made)
    hit = Attack(actor=FOE, weapon="club", target=HERO)
    faces = {f"attack:{HERO}": [10] * 6, f"defense:{FOE}": [9]}
    back = make(PLAY, made.state, hit, thrower(faces), lambda _state, ask: ask.silence)
    assert isinstance(back, Made)
    assert back.state.find(FOE).health == state.find(FOE).health - 6
    assert not back.state.effects


def everything(kind: MartialKind) -> tuple[Any, ...]:
    """Every skill of a kind but the stances, which let the others rest."""
    return skilled(*((each.id, 3) for each in CATALOG.martial if each.kind is kind and not each.stance))


@pytest.mark.parametrize("seed", range(4))
def test_bots_and_chance_play_fights_of_those_who_know_everything(seed: int) -> None:
    spells = skilled(*((each.id, 3) for each in CATALOG.spells))
    skills = (*everything(MartialKind.SPECIALIZED), *spells)
    figures = profile(
        attributes=Attributes(**dict.fromkeys(SIX, 3)), energy=9, health=9, skills=skills, speed=30
    )
    state = fight(hero(figures, energy=9), fighter(FOE, FOES, figures, energy=9))
    choose = chooser(named_stream("choices", seed))
    throw = rolling(named_stream("dice", seed))
    for _ in range(40):
        first = state.priority()
        if first is None or PLAY.outcome(state).ended:
            break
        offers = PLAY.legal(state, first.id)
        move = (
            PLAY.bot(state, first.id)
            if seed % 2
            else PLAY.move_codec.read(complete(offers[choose(len(offers))], choose))
        )
        made = make(PLAY, state, move, throw, PLAY.reply)
        assert isinstance(made, Made), (move, str(made))
        state = made.state
