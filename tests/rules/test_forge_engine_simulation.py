"""What a simulation of Forge Engine's fights says of each skill and spell: uses, energy, harm, conditions."""

from __future__ import annotations

from collections import Counter
from typing import Any

from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.simulation.blocks import BlockPlayer, Progress
from services.rules.engine.simulation.cases import Plan, planned
from services.rules.engine.simulation.report import CaseReport, report
from services.rules.engine.simulation.request import Member, Opening, Precision, SimulationRequest
from services.rules.systems.forge_engine.play.moves import Attack, Cast, UseSkill
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import Fight
from tests.conformance.forge_engine.stage import FOE, HERO, fight, hero
from tests.rules.forge_engine_play import played
from tests.rules.test_forge_engine_powers_at_work import learned, weapons

TRIP, STUNNING = "forge_engine:martial/trip", "forge_engine:martial/stunning-attack"
MELEE, TOUCH = "forge_engine:martial/melee-weapons", "forge_engine:spell/healing-touch"
BOLT, LIGHT = "forge_engine:spell/fiery-bolt", "forge_engine:spell/light"


def asked(figure: str = "") -> Plan | Problems:
    """A caster among raiders."""
    request = SimulationRequest(
        system="forge_engine",
        scenes=(Opening(setup_name="skirmish"),),
        cast=(Member(id="caller", example="fire-caller"),),
        precision=Precision(figure=figure, half_width=1.0) if figure else None,
    )
    return planned(request, systems()["forge_engine"])


def told() -> CaseReport:
    plan = asked()
    assert isinstance(plan, Plan)
    progress = Progress.begun(plan)
    progress.take(0, BlockPlayer(plan).play(0), plan)
    return report(plan, progress).cases[0]


def counted(state: Fight, move: Any, faces: dict[str, list[int]]) -> Counter[tuple[str, str, str]]:
    """What the facts of a move add to figures of powers, by figure, actor and power."""
    found: Counter[tuple[str, str, str]] = Counter()
    for event in played(state, move, faces).events:
        for each in PLAY.count(state, event):
            if each.power and each.value:
                found[each.figure, each.actor, each.power] += each.value
    return found


def test_a_power_is_told_of_for_each_who_has_it_and_for_their_side() -> None:
    figures = {each.name: each for each in told().figures}
    values = {name: each.estimate.value for name, each in figures.items() if "/" in name}
    assert figures[f"power_uses/{BOLT}@side:heroes"].title == "Uses, Fiery Bolt, heroes"
    assert values[f"power_uses/{BOLT}@side:heroes"] == values[f"power_uses/{BOLT}@actor:caller"] > 0
    assert values[f"power_damage/{BOLT}@actor:caller"] > 0
    # All that the caller does is one of its spells.
    harms = [name for name in values if name.startswith("power_damage/") and name.endswith("@actor:caller")]
    harm = sum(values[name] for name in harms)
    assert harm == figures["dealt@actor:caller"].estimate.value > 0
    assert values[f"power_uses/{LIGHT}@actor:caller"] == 0
    assert f"power_damage/{LIGHT}@actor:caller" not in values, "what was always 0 is told by its uses alone"


def test_an_answer_can_be_asked_for_by_the_figure_of_a_power() -> None:
    assert isinstance(asked(f"power_damage/{BOLT}@actor:caller"), Plan)
    for unknown in (
        f"power_damage/{TRIP}@actor:caller",
        "power_damage@actor:caller",
        f"dealt/{BOLT}@actor:caller",
    ):
        found = asked(unknown)
        assert isinstance(found, Problems)
        assert [each.code for each in found] == ["figure_unknown"]


def test_conditions_count_for_the_skill_that_laid_them() -> None:
    state = fight(hero(learned(STUNNING, 2)))
    move = Attack(actor=HERO, target=FOE, weapon="club", added=3, manner=STUNNING)
    found = counted(state, move, {"attack": [10] * 9, "defense": [1] * 9})
    assert found["power_uses", HERO, STUNNING] == found["power_conditions", HERO, STUNNING] == 1
    assert found["power_energy", HERO, STUNNING] > 3
    assert ("power_damage", HERO, STUNNING) not in found


def test_a_trip_counts_for_its_skill() -> None:
    state = fight(hero(learned(TRIP, 2)))
    faces = {"opposed": [10] * 9, "test": [10] * 9}
    found = counted(state, UseSkill(actor=HERO, skill=TRIP, target=FOE, added=2), faces)
    assert found["power_uses", HERO, TRIP] == found["power_conditions", HERO, TRIP] == 1


def test_healing_counts_for_the_spell_and_its_caster() -> None:
    state = fight(hero(learned(TOUCH, 2, weapons=()), health=1))
    found = counted(state, Cast(actor=HERO, spell=TOUCH, target=HERO, added=2), {})
    assert found["power_healing", HERO, TOUCH] == 4


def test_a_plain_attack_counts_for_the_skill_of_its_weapon() -> None:
    state = fight(hero(learned(MELEE, 2, weapons=weapons(MELEE))))
    move = Attack(actor=HERO, target=FOE, weapon="club", added=1)
    found = counted(state, move, {"attack": [10] * 9, "defense": [1] * 9})
    assert found["power_uses", HERO, MELEE] == 1
    assert found["power_damage", HERO, MELEE] > 1
