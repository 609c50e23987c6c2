"""Exact chances of pools: of attacks, and of attribute tests; and what each further energy is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from services.rules.dice.odds import PoolOdds, fixed_pool, opposed_pool
from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forge_engine.bounds import out_of_bounds
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.chances import DifficultyChance, difficulty_chances
from services.rules.systems.forge_engine.conditions import (
    CONDITIONS,
    SenseUse,
    action_energy,
    attack_successes,
    barred_problems,
    borne,
    fails_unseen,
    test_parts,
    test_successes,
)
from services.rules.systems.forge_engine.derived import attribute_test, combat_test
from services.rules.systems.forge_engine.pools.attack_check import attack_problems, listed_problems, too_many
from services.rules.systems.forge_engine.pools.attack_given import AttackGiven, DefenseGiven
from services.rules.systems.forge_engine.pools.attack_pool import (
    AttackPools,
    attack_pools,
    with_externalities,
)
from services.rules.systems.forge_engine.pools.damage import (
    ConditionChance,
    DamageChances,
    conditions_of,
    damage_of,
    lessened,
)
from services.rules.systems.forge_engine.rolls import SIDES, Difficulty
from services.rules.systems.forge_engine.world import Condition

MOST_DICE = 60
"""Dice of one side; the largest pools of the book stay far below."""

MOST_RATING, MOST_HELPERS = 30, 10
TESTS = "Attribute Tests"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessChance:
    """How likely some number of successes is.

    Attributes:
        successes: The number of successes.
        chance: Chance of exactly so many.
        at_least: Chance of so many or more.
    """

    successes: int
    chance: Fraction
    at_least: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolChances:
    """The exact chances of a pool.

    Attributes:
        success: Chance of the successes that are needed.
        mean: Successes on average.
        median: As often no more as no fewer.
        critical: Chance of a critical failure; None where the table plays without.
        successes: Every number of successes from 0.
    """

    success: Fraction
    mean: Fraction
    median: int
    critical: Fraction | None
    successes: tuple[SuccessChance, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyStep:
    """The odds of an attack with some energy added.

    Attributes:
        added: Energy added.
        energy: Energy it takes in all.
        pool: Dice.
        success: Chance of the successes that are needed.
        mean: Successes on average.
        gain: What the last energy added to the chance; 0 for the first row.
        mean_gain: What it added to the successes on average.
    """

    added: int
    energy: int
    pool: int
    success: Fraction
    mean: Fraction
    gain: Fraction
    mean_gain: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackQuestion:
    """An attack, and what it meets.

    Attributes:
        attack: The attack.
        defense: What it meets.
    """

    attack: AttackGiven
    defense: DefenseGiven


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOdds:
    """The exact chances of an attack.

    Attributes:
        pools: The dice of both sides, with how they follow.
        chances: A hit is one success.
        damage: 1 for each success, less where the spell or a condition halves it; None for what deals
            none, and for spells that count it otherwise.
        conditions: What a concussion brings in place of damage; empty for everything else.
        table: The same attack with every energy that may be added.
    """

    pools: AttackPools
    chances: PoolChances
    damage: DamageChances | None
    conditions: tuple[ConditionChance, ...]
    table: tuple[EnergyStep, ...]


class TieRule(Enum):
    """What equal highest dice mean where both sides are after the same (R-48).

    Attributes:
        TIE: Nobody wins.
        INSTIGATOR: Who began it wins.
    """

    TIE = "tie"
    INSTIGATOR = "instigator"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeTestQuestion:
    """An attribute test: against a difficulty, or against a pool.

    Attributes:
        attribute: Rating.
        skill: Rating of the skill; 0 without one.
        bonus: Dice of tools, traits and circumstances; below 0 where they are taken.
        helpers: Ratings of the relevant skill of each who helps.
        in_combat: Whether energy is added for dice.
        energy: Energy added, in combat.
        difficulty: What a die must reach; None for a test against a pool, or for all named difficulties.
        required: Successes needed.
        against: Dice of the pool it is rolled against; None for a test against a difficulty.
        same_goal: Whether the other side is after the same, so that either may win.
        ties: Who has equal highest dice then.
        conditions: Content ids of conditions that the character is under.
        sight: How much the test goes by sight.
        hearing: How much it goes by hearing, as Perception may.
        stealth: Whether it is Agility (Stealth).
        frees: Whether it is to end a condition, which may be all that is left to do.
    """

    attribute: int
    skill: int = 0
    bonus: int = 0
    helpers: tuple[int, ...] = ()
    in_combat: bool = False
    energy: int = 0
    difficulty: int | None = None
    required: int = 1
    against: int | None = None
    same_goal: bool = False
    ties: TieRule = TieRule.TIE
    conditions: tuple[str, ...] = ()
    sight: SenseUse = SenseUse.NONE
    hearing: SenseUse = SenseUse.NONE
    stealth: bool = False
    frees: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestChances:
    """Who wins where both sides are after the same.

    Attributes:
        instigator: Chance that who began it wins.
        rival: Chance that the other wins.
        tie: Chance that nobody wins.
    """

    instigator: Fraction
    rival: Fraction
    tie: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeTestOdds:
    """The exact chances of a test.

    Attributes:
        pool: Dice; none where the test fails by itself.
        chances: Against what was asked; without a difficulty and a pool, against Normal.
        difficulties: Against every named difficulty; empty against a pool.
        contest: Where both sides are after the same; None elsewhere.
        table: In combat, the same test with every energy that may be added; empty out of combat.
    """

    pool: Explained
    chances: PoolChances
    difficulties: tuple[DifficultyChance, ...]
    contest: ContestChances | None
    table: tuple[EnergyStep, ...]


def attack_odds(question: AttackQuestion, catalog: Catalog) -> AttackOdds | Problems:
    """The exact chances of an attack, or everything that is wrong with the question."""
    problems = tuple(attack_problems(question.attack, question.defense, catalog))
    if problems:
        return Problems(problems)
    attack, defense = question.attack, question.defense
    each = [
        attack_pools(replace(attack, added=added), defense, catalog) for added in range(attack.attribute + 1)
    ]
    sizes = [("attack", pools.action.value) for pools in each] + [("defense", each[0].defense.value)]
    problems = tuple(_too_large(sizes))
    if problems:
        return Problems(problems)
    pools = each[attack.added]
    conditions = borne(attack.conditions, catalog)
    rows = [
        (
            added,
            found.energy.value,
            found.action.value,
            lessened(
                opposed_pool(found.action.value, found.defense.value, SIDES),
                lambda successes: attack_successes(successes, conditions),
            ),
        )
        for added, found in enumerate(each)
    ]
    odds = rows[attack.added][3]
    return AttackOdds(
        pools=pools,
        chances=_chances(odds, 1, catalog),
        damage=damage_of(odds, attack, conditions, catalog),
        conditions=tuple(conditions_of(odds, attack, catalog)),
        table=tuple(_table(rows, 1)),
    )


def attribute_test_odds(question: AttributeTestQuestion, catalog: Catalog) -> AttributeTestOdds | Problems:
    """The exact chances of an attribute test, or everything that is wrong with the question."""
    problems = tuple(_test_problems(question, catalog))
    if problems:
        return Problems(problems)
    conditions = borne(question.conditions, catalog)
    pool = _test_pool(question, conditions)
    problems = tuple(_too_large([("bonus", pool.value)]))
    if problems:
        return Problems(problems)
    contest = None
    if question.same_goal and question.against is not None:
        contest = _contest(pool.value, question.against, question.ties)
    rows = []
    if question.in_combat:
        for energy in range(question.attribute + 1):
            dice = _test_pool(replace(question, energy=energy), conditions).value
            further = sum(part.value for part in action_energy(conditions))
            rows.append((energy, energy + further, dice, _odds(dice, question, conditions)))
    return AttributeTestOdds(
        pool=pool,
        chances=_chances(_odds(pool.value, question, conditions), question.required, catalog),
        difficulties=() if question.against is not None else difficulty_chances(pool.value),
        contest=contest,
        table=tuple(_table(rows, question.required)),
    )


def _odds(dice: int, question: AttributeTestQuestion, conditions: tuple[Condition, ...]) -> PoolOdds:
    if question.against is not None:
        strict = question.same_goal and question.ties is TieRule.TIE
        odds = opposed_pool(dice, question.against, SIDES, strict=strict)
    else:
        difficulty = Difficulty.NORMAL.target if question.difficulty is None else question.difficulty
        odds = fixed_pool(dice, difficulty, SIDES)
    return lessened(odds, lambda successes: test_successes(successes, conditions))


def _contest(mine: int, theirs: int, ties: TieRule) -> ContestChances:
    instigator = opposed_pool(mine, theirs, SIDES, strict=ties is TieRule.TIE).at_least(1)
    rival = opposed_pool(theirs, mine, SIDES, strict=True).at_least(1)
    return ContestChances(instigator=instigator, rival=rival, tie=1 - instigator - rival)


def _chances(odds: PoolOdds, required: int, catalog: Catalog) -> PoolChances:
    distribution = odds.successes
    successes = tuple(
        SuccessChance(successes=number, chance=Fraction(weight, odds.total), at_least=odds.at_least(number))
        for number, weight in enumerate(odds.weights)
    )
    return PoolChances(
        success=odds.at_least(required),
        mean=distribution.mean,
        median=int(distribution.median),
        critical=odds.critical_chance if catalog.settings.critical_failures else None,
        successes=successes,
    )


def _table(rows: list[tuple[int, int, int, PoolOdds]], required: int) -> Iterator[EnergyStep]:
    before: EnergyStep | None = None
    for added, energy, pool, odds in rows:
        success, mean = odds.at_least(required), odds.successes.mean
        before = EnergyStep(
            added=added,
            energy=energy,
            pool=pool,
            success=success,
            mean=mean,
            gain=Fraction(0) if before is None else success - before.success,
            mean_gain=Fraction(0) if before is None else mean - before.mean,
        )
        yield before


def _test_pool(question: AttributeTestQuestion, conditions: tuple[Condition, ...]) -> Explained:
    if fails_unseen(conditions, sight=question.sight, hearing=question.hearing):
        return Explained.of(Part(0, "fails by itself: the sense is gone", CONDITIONS))
    bonuses = [Part(rating, "helper", f"{TESTS} / Assisting [R-107]") for rating in question.helpers]
    if question.bonus:
        bonuses.append(Part(question.bonus, "tools and circumstances", TESTS))
    bonuses += test_parts(
        conditions, stealth=question.stealth, sight=question.sight, hearing=question.hearing
    )
    base = (
        combat_test("attribute", question.attribute, "skill", question.skill, question.energy)
        if question.in_combat
        else attribute_test("attribute", question.attribute, "skill", question.skill)
    )
    # Penalties leave a die; but a test in combat without any energy or bonus is none.
    return with_externalities(base, bonuses)


def _test_problems(question: AttributeTestQuestion, catalog: Catalog) -> Iterator[RuleProblem]:
    numbers = {
        "attribute": (question.attribute, 1, MOST_RATING),
        "skill": (question.skill, 0, MOST_RATING),
        "bonus": (question.bonus, -MOST_RATING, MOST_RATING),
        "energy": (question.energy, 0, MOST_RATING),
        "required": (question.required, 1, MOST_DICE),
        "difficulty": (SIDES if question.difficulty is None else question.difficulty, 2, SIDES),
        "against": (question.against or 0, 0, MOST_DICE),
    }
    yield from out_of_bounds(numbers, TESTS)
    yield from too_many(len(question.helpers), ("helpers",), TESTS, MOST_HELPERS)
    yield from listed_problems(question.conditions, catalog.conditions, ("conditions",))
    if not question.frees:
        yield from barred_problems(question.conditions, ("conditions",), catalog)
    for place, rating in enumerate(question.helpers[:MOST_HELPERS]):
        yield from (
            replace(problem, path=("helpers", place))
            for problem in out_of_bounds({"rating": (rating, 0, MOST_RATING)}, TESTS)
        )
    yield from _contradictions(question)


def _contradictions(question: AttributeTestQuestion) -> Iterator[RuleProblem]:
    """What a question says that does not go together."""
    if question.in_combat and question.attribute >= 1 and question.energy > question.attribute:
        yield RuleProblem(
            "added_above_attribute",
            "No more energy is added than the attribute's rating.",
            TESTS,
            ("energy",),
            question.energy,
            question.attribute,
        )
    if question.energy and not question.in_combat:
        yield RuleProblem(
            "energy_out_of_combat",
            "Out of combat a test takes no energy.",
            TESTS,
            ("energy",),
            question.energy,
            0,
        )
    if question.difficulty is not None and question.against is not None:
        yield RuleProblem(
            "difficulty_and_pool",
            "A test is rolled against a difficulty or against a pool.",
            TESTS,
            ("against",),
            question.against,
            None,
        )
    if question.same_goal and question.against is None:
        yield RuleProblem(
            "contest_without_rival",
            "Where both sides are after the same, say what the other side rolls.",
            f"{TESTS} [R-48]",
            ("against",),
            None,
            f"1 to {MOST_DICE}",
        )


def _too_large(sizes: list[tuple[str, int]]) -> Iterator[RuleProblem]:
    named = dict(sorted(sizes, key=lambda item: item[1]))
    for name, dice in named.items():
        if dice > MOST_DICE:
            yield RuleProblem(
                "pool_too_large",
                f"Chances are told for pools of up to {MOST_DICE} dice.",
                "Dice Pool Probabilities",
                (name,),
                dice,
                MOST_DICE,
            )
