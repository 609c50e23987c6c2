"""What a game master asks: encounters, influence, travel, rewards, and the book's tables of chances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from services.rules.dice.odds import opposed_pool
from services.rules.engine.explain import Explained
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forge_engine.awards import Deeds, award, bonus_earned, bonus_target
from services.rules.systems.forge_engine.bounds import out_of_bounds
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.encounters import RULE as ENCOUNTERS
from services.rules.systems.forge_engine.encounters import Encounter, weigh
from services.rules.systems.forge_engine.influence import RULE as INFLUENCE
from services.rules.systems.forge_engine.influence import required_successes
from services.rules.systems.forge_engine.pools.attack_check import unknown
from services.rules.systems.forge_engine.pools.attack_odds import MOST_DICE
from services.rules.systems.forge_engine.printed_odds import OddsTable
from services.rules.systems.forge_engine.rolls import SIDES
from services.rules.systems.forge_engine.travel import Going, PartyPace, Traveller, party_pace

MOST_OF_A_KIND, MOST_KINDS, MOST_TRAVELLERS, MOST_WEATHERS = 100, 50, 100, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversaryCount:
    """So many adversaries of one kind.

    Attributes:
        adversary: Content id.
        count: How many.
    """

    adversary: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterQuestion:
    """Two sides of a fight.

    Attributes:
        characters: Maximum energy of each character.
        adversaries: Adversaries of the content.
        others: Maximum energy of each other adversary.
    """

    characters: tuple[int, ...]
    adversaries: tuple[AdversaryCount, ...] = ()
    others: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceQuestion:
    """A character who asks another for a favour.

    Attributes:
        disposition: Content id.
        magnitude: Content id.
        dice: Pool of who asks; None to leave chances out.
        against: Pool of who is asked.
    """

    disposition: str
    magnitude: str
    dice: int | None = None
    against: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceAnswer:
    """How many successes it takes.

    Attributes:
        required: 0 where the target agrees without a test.
        chance: Chance of as many; None where no pools were given.
    """

    required: Explained
    chance: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TravelQuestion:
    """A party on its way.

    Attributes:
        travellers: Who travels.
        going: What it travels through; None for a road in fine weather.
    """

    travellers: tuple[Traveller, ...]
    going: Going | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardsAnswer:
    """CP that are earned.

    Attributes:
        cp: CP, with how they add up.
        bonus_target: What the d10 of a bonus roll must reach; None where no roll is made or asked about.
        bonus_chance: Chance that the bonus is earned; None where no stage was given.
    """

    cp: Explained
    bonus_target: int | None
    bonus_chance: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsTableQuestion:
    """A table of chances of the book.

    Attributes:
        table: Content id.
    """

    table: str


def run_encounter(given: EncounterQuestion, catalog: Catalog) -> Encounter | Problems:
    """How hard a fight is."""
    problems = tuple(_count_problems(given, catalog))
    if problems:
        return Problems(problems)
    named = [catalog.adversaries[one.adversary].energy for one in given.adversaries for _ in range(one.count)]
    found = weigh(catalog.settings, given.characters, (*named, *given.others))
    if not isinstance(found, Problems):
        return found
    return Problems(tuple(_replaced(problem, len(named)) for problem in found))


def _replaced(problem: RuleProblem, named: int) -> RuleProblem:
    """A problem of the sides put where the question has it: those named by id come first."""
    if len(problem.path) == 2 and problem.path[0] == "adversaries":
        place = problem.path[1]
        path = ("others", place - named if isinstance(place, int) else place)
        return RuleProblem(problem.code, problem.message, problem.rule, path, problem.found, problem.allowed)
    return problem


def _count_problems(given: EncounterQuestion, catalog: Catalog) -> Iterator[RuleProblem]:
    if len(given.adversaries) > MOST_KINDS:
        yield RuleProblem(
            "too_many",
            f"There are at most {MOST_KINDS} kinds of adversaries.",
            ENCOUNTERS,
            ("adversaries",),
            len(given.adversaries),
            MOST_KINDS,
        )
        return
    for place, one in enumerate(given.adversaries):
        path = ("adversaries", place)
        if one.adversary not in catalog.adversaries:
            yield unknown(catalog.adversaries, one.adversary, (*path, "adversary"), ENCOUNTERS)
        yield from out_of_bounds({"count": (one.count, 1, MOST_OF_A_KIND)}, ENCOUNTERS, path)


def run_influence(given: InfluenceQuestion, catalog: Catalog) -> InfluenceAnswer | Problems:
    """How many successes it takes to talk a character into a favour."""
    disposition = catalog.dispositions.get(given.disposition)
    magnitude = catalog.magnitudes.get(given.magnitude)
    problems: list[RuleProblem] = []
    if disposition is None:
        problems.append(unknown(catalog.dispositions, given.disposition, ("disposition",), INFLUENCE))
    if magnitude is None:
        problems.append(unknown(catalog.magnitudes, given.magnitude, ("magnitude",), INFLUENCE))
    for field, other in (("dice", "against"), ("against", "dice")):
        if getattr(given, field) is None and getattr(given, other) is not None:
            problems.append(
                RuleProblem(
                    "one_pool_only", "A chance takes both pools.", INFLUENCE, (field,), None, "a number"
                )
            )
    numbers = {"dice": (given.dice or 0, 0, MOST_DICE), "against": (given.against or 0, 0, MOST_DICE)}
    problems += out_of_bounds(numbers, INFLUENCE)
    if problems or disposition is None or magnitude is None:
        return Problems(tuple(problems))
    required = required_successes(disposition, magnitude)
    chance = None
    if given.dice is not None and given.against is not None:
        chance = opposed_pool(given.dice, given.against, SIDES).at_least(required.value)
    return InfluenceAnswer(required=required, chance=chance)


def run_travel(given: TravelQuestion, catalog: Catalog) -> PartyPace | Problems:
    """How fast a party goes."""
    problems = [
        RuleProblem(code, message, "Travel", path, count, most)
        for code, message, path, count, most in (
            (
                "party_size",
                f"A party has at most {MOST_TRAVELLERS} travellers.",
                ("travellers",),
                len(given.travellers),
                MOST_TRAVELLERS,
            ),
            (
                "too_many",
                f"There are at most {MOST_WEATHERS} kinds of weather at once.",
                ("going", "weather"),
                0 if given.going is None else len(given.going.weather),
                MOST_WEATHERS,
            ),
        )
        if count > most
    ]
    if problems:
        return Problems(tuple(problems))
    found = party_pace(catalog, catalog.settings, given.travellers, given.going)
    if not isinstance(found, Problems):
        return found
    inner = ("terrain", "weather", "hours")
    return Problems(
        tuple(
            replace(problem, path=("going", *problem.path))
            if problem.path[:1] and problem.path[0] in inner
            else problem
            for problem in found
        )
    )


def run_rewards(given: Deeds, catalog: Catalog) -> RewardsAnswer | Problems:
    """CP that deeds earn."""
    found = award(catalog.settings, given)
    if isinstance(found, Problems):
        return found
    if given.bonus_stage is None:
        return RewardsAnswer(cp=found, bonus_target=None, bonus_chance=None)
    earned = sum(bonus_earned(catalog.settings, given.bonus_stage, face) for face in range(1, SIDES + 1))
    return RewardsAnswer(
        cp=found,
        bonus_target=bonus_target(catalog.settings, given.bonus_stage),
        bonus_chance=Fraction(earned, SIDES),
    )


def run_odds_table(given: OddsTableQuestion, catalog: Catalog) -> OddsTable | Problems:
    """A table of the book, each figure beside the exact one."""
    table = catalog.odds.get(given.table)
    if table is None:
        return Problems((unknown(catalog.odds, given.table, ("table",), "Dice Pool Probabilities"),))
    return table
