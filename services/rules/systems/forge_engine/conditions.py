"""Conditions at work: successes and damage, tests, energy at the start of a turn, movement (Conditions).

The figures of each condition stand in `content/conditions.toml`. What conditions add to the pools of an
attack, and take from them, stands in `pools.attack_pool`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine import derived
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.world import Condition

CONDITIONS = "Conditions"
MOVE = "Movement Actions / Move"
RUN = "Movement Actions / Run [R-95]"
STAND = "Movement Actions / Move [R-18, R-94]"
WALKED, RUN_AT_ONCE, STOOD_UP, RUN_BEYOND = 5, 10, 10, 5
"""Feet that 1 energy walks and runs, that standing up takes, and that each segment run adds to the speed."""


class SenseUse(Enum):
    """How much a test goes by a sense.

    Attributes:
        NONE: Not at all.
        PARTLY: In part.
        WHOLLY: Altogether.
    """

    NONE = "none"
    PARTLY = "partly"
    WHOLLY = "wholly"


def borne(ids: Iterable[str], catalog: Catalog) -> tuple[Condition, ...]:
    """The conditions of these ids; unknown ids are left out."""
    found = (catalog.conditions.get(condition_id) for condition_id in ids)
    return tuple(condition for condition in found if condition is not None)


def barring(conditions: Iterable[Condition]) -> Condition | None:
    """The first condition under which nothing can be done but to end it."""
    return next((condition for condition in conditions if condition.barred), None)


def barred_problems(ids: Sequence[str], path: KeyPath, catalog: Catalog) -> Iterator[RuleProblem]:
    """A problem where a condition leaves nothing to do but to end it."""
    condition = barring(borne(ids, catalog))
    if condition is not None:
        yield RuleProblem(
            "condition_bars",
            f"{condition.name}: nothing can be done but to end it.",
            f"{CONDITIONS} / {condition.name}",
            (*path, ids.index(condition.id)),
            condition.id,
            None,
        )


def action_energy(conditions: Iterable[Condition]) -> tuple[Part, ...]:
    """Further energy of an action or reaction (R-121)."""
    return tuple(
        Part(condition.action_energy, condition.name, CONDITIONS)
        for condition in conditions
        if condition.action_energy
    )


# Successes, damage, tests


def attack_successes(successes: int, conditions: Iterable[Condition]) -> int:
    """Successes that an attack has left; one of any stays (R-54)."""
    fewer = sum(condition.fewer_successes for condition in conditions)
    return max(1, successes - fewer) if successes else 0


def halvings(conditions: Iterable[Condition], *, half: bool = False) -> int:
    """How often the damage of an attack is halved before the target takes it (R-54, R-55).

    Args:
        conditions: What the attacker is under.
        half: Whether the attack deals half damage.
    """
    return half + sum(condition.halved for condition in conditions)


def test_successes(successes: int, conditions: Sequence[Condition]) -> int:
    """Successes that an attribute test has left: fewer, then halved and rounded up (R-55, R-56)."""
    return halved(attack_successes(successes, conditions), conditions)


def halved(number: int, conditions: Iterable[Condition]) -> int:
    """A number halved for each condition that halves, rounded up each time (R-55)."""
    for condition in conditions:
        if condition.halved:
            number = -(-number // 2)
    return number


def test_parts(
    conditions: Iterable[Condition], *, stealth: bool, sight: SenseUse, hearing: SenseUse
) -> tuple[Part, ...]:
    """Dice that conditions add to an attribute test, or take from it."""
    parts = []
    for condition in conditions:
        dice = condition.stealth if stealth else 0
        dice += condition.sight_tests if sight is not SenseUse.NONE else 0
        dice += condition.hearing_tests if hearing is not SenseUse.NONE else 0
        if dice:
            parts.append(Part(dice, condition.name, CONDITIONS))
    return tuple(parts)


def fails_unseen(conditions: Iterable[Condition], *, sight: SenseUse, hearing: SenseUse) -> bool:
    """Whether a test fails by itself: it goes wholly by a sense that is gone."""
    return any(
        (sight is SenseUse.WHOLLY and condition.sight_tests < 0)
        or (hearing is SenseUse.WHOLLY and condition.hearing_tests < 0)
        for condition in conditions
    )


# Energy


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStart:
    """Energy at the start of a turn.

    Attributes:
        regained: Energy that comes back; what the pool cannot hold is lost.
        bonus: Bonus energy that comes with it.
        pool: Energy in the pool then, without bonus energy.
        lost: What of `regained` the pool could not hold.
        expended: Energy expended then, that of conditions among it.
        most: The most that the pool can hold then.
        unconscious: Whether all energy is expended.
    """

    regained: Explained
    bonus: Explained
    pool: int
    lost: int
    expended: int
    most: int
    unconscious: bool


def turn_start(
    attributes: Attributes, pool: int, expended: int, conditions: Sequence[Condition]
) -> TurnStart:
    """Energy at the start of a turn under conditions (R-42, R-43; what poison takes is spent energy, R-110).

    Args:
        attributes: As armour leaves them.
        pool: Energy left from the turn before.
        expended: Energy expended so far.
        conditions: What the character bears.
    """
    maximum = derived.energy(attributes).value
    expended = min(maximum, expended + sum(condition.expend for condition in conditions))
    regained, bonus = regained_energy(attributes, conditions), bonus_energy(attributes, conditions)
    most = maximum - expended
    held = min(pool + regained.value, most)
    return TurnStart(
        regained=regained,
        bonus=bonus,
        pool=held,
        lost=max(0, pool + regained.value - held),
        expended=expended,
        most=most,
        unconscious=most == 0,
    )


def regained_energy(attributes: Attributes, conditions: Iterable[Condition]) -> Explained:
    """The three highest attributes, or as many as the hardest condition leaves (R-43)."""
    limiting = [condition for condition in conditions if condition.regained is not None]
    count = min((condition.regained or 0 for condition in limiting), default=derived.REGAINED)
    named = (CONDITIONS, *(condition.name for condition in limiting))
    rule = " / ".join(named) if limiting else derived.ENERGY
    return Explained.of(*(Part(attributes.of(one), one.label, rule) for one in attributes.highest(count)))


def bonus_energy(attributes: Attributes, conditions: Iterable[Condition]) -> Explained:
    """Bonus energy that conditions bring whenever energy is regained: the highest attribute."""
    bearing = [condition for condition in conditions if condition.bonus_energy]
    if not bearing:
        return Explained(0, ())
    (best,) = attributes.highest(1)
    rating = attributes.of(best)
    return Explained.of(*(Part(rating, f"{one.name}: {best.label}", CONDITIONS) for one in bearing))


# Movement


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A move or a run, before anything hinders it.

    Attributes:
        distance: In feet.
        running: Whether it is a run.
        stand: Whether the character stands up first.
        rough: Whether there are obstacles, or the ground is rough, all along.
        rough_feet: Feet of it over rough ground, where that is part of it.
    """

    distance: int
    running: bool = False
    stand: bool = False
    rough: bool = False
    rough_feet: int = 0

    @property
    def segments(self) -> int:
        """Whole and begun segments: 5 feet walked, 10 run."""
        return -(-self.distance // (RUN_AT_ONCE if self.running else WALKED))


def walk_energy(walk: Walk, conditions: Sequence[Condition]) -> Explained:
    """What a move or run costs; to stand up costs the same under any condition (R-18, R-94, R-121)."""
    energy = Explained(0, ())
    if walk.stand:
        for condition in conditions:
            if condition.stand_energy:
                energy = energy.plus(condition.stand_energy, "to stand up", STAND)
    if walk.segments:
        gait, rule = ("running", RUN) if walk.running else ("walking", MOVE)
        energy = energy.plus(walk.segments, gait, rule)
        rough = walk.segments if walk.rough else -(-walk.rough_feet // WALKED)
        if rough:
            energy = energy.plus(rough, "rough ground", MOVE)
        for condition in hindering(walk, conditions):
            if condition.segment_energy:
                energy = energy.plus(condition.segment_energy * walk.segments, condition.name, CONDITIONS)
    for part in action_energy(conditions):
        energy = energy.plus(part.value, part.source, part.rule)
    return energy


def hindering(walk: Walk, conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """The conditions that are left once the character has stood up."""
    return tuple(condition for condition in conditions if not (walk.stand and condition.stand_energy))


def walk_limit(walk: Walk, speed: int) -> int:
    """Feet that the character can go this round: its speed, further at a run, less for standing up (R-95)."""
    return speed - (STOOD_UP if walk.stand else 0) + (RUN_BEYOND * walk.segments if walk.running else 0)


def walk_problems(walk: Walk, speed: int, ids: Sequence[str], catalog: Catalog) -> Iterator[RuleProblem]:
    """Everything that is in the way of a move or run."""
    yield from barred_problems(ids, ("conditions",), catalog)
    conditions = borne(ids, catalog)
    for condition in conditions:
        if condition.immobile:
            path: KeyPath = ("conditions", ids.index(condition.id))
            message = f"{condition.name}: one cannot move by oneself."
            yield RuleProblem("cannot_move", message, f"{CONDITIONS} / {condition.name}", path, condition.id)
    if walk.stand and not any(condition.stand_energy for condition in conditions):
        yield RuleProblem("not_lying", "Only who lies down stands up.", STAND, ("stand",), True, False)
    halting = [condition for condition in hindering(walk, conditions) if condition.no_running]
    if walk.running and (halting or walk.rough or walk.rough_feet):
        why = f"{halting[0].name}: one cannot run." if halting else "One cannot run over rough ground."
        yield RuleProblem("cannot_run", why, RUN, ("running",), True, False)
    limit = walk_limit(walk, speed)
    if walk.distance > limit:
        yield RuleProblem(
            "too_far",
            f"This round it goes no further than {max(0, limit)} feet.",
            RUN if walk.running else MOVE,
            ("distance",),
            walk.distance,
            max(0, limit),
        )
