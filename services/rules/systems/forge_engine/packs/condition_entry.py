"""A condition of a table's own, as a pack states it."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.systems.forge_engine.world import ConditionGroup, ConditionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionEntry:
    """A condition of the table's own, by the same figures as the book's.

    Attributes:
        key: Slug that its content id ends with; one of its kind in the pack.
        name: The word for people.
        group: The heading that it stands under.
        kinds: How it usually comes and goes; what is ongoing is shaken off.
        summary: What it is, in plain words.
        action_energy: Further energy for each action and reaction but Shake It Off.
        segment_energy: Further energy for each segment of movement (5 feet walked, 10 run).
        pd: Dice of PD against any attack.
        pd_melee: Further dice of PD against melee attacks.
        pd_ranged: Further dice of PD against ranged attacks from afar.
        pd_martial: Further dice of PD against martial attacks.
        defense_non_area: Dice of any defense against attacks that are no area attacks.
        defense: Dice of every defense.
        attack: Dice of attacks.
        attack_melee: Further dice of melee attacks.
        stealth: Dice of Agility (Stealth).
        sight_tests: Dice of tests and attacks that go by sight.
        hearing_tests: Dice of Perception that goes partly by hearing.
        regained: How many of the highest attributes are regained; None for three.
        bonus_energy: Whether the highest attribute comes on top as bonus energy when energy is regained.
        expend: Energy expended at the start of each turn.
        immobile: Whether one cannot move of one's own will.
        barred: Whether nothing can be done but to end it.
        no_running: Whether one cannot run.
        stand_energy: Energy to end it.
        fewer_successes: Successes lost, though one stays.
        halved: Whether damage and successes are halved, rounded up.
    """

    key: str
    name: str
    group: ConditionGroup
    kinds: tuple[ConditionKind, ...]
    summary: str
    action_energy: int = 0
    segment_energy: int = 0
    pd: int = 0
    pd_melee: int = 0
    pd_ranged: int = 0
    pd_martial: int = 0
    defense_non_area: int = 0
    defense: int = 0
    attack: int = 0
    attack_melee: int = 0
    stealth: int = 0
    sight_tests: int = 0
    hearing_tests: int = 0
    regained: int | None = None
    bonus_energy: bool = False
    expend: int = 0
    immobile: bool = False
    barred: bool = False
    no_running: bool = False
    stand_energy: int = 0
    fewer_successes: int = 0
    halved: bool = False
