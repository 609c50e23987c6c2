"""How hard a fight is, by the energy of both sides (Combat Encounter Design / Encounter Difficulty; R-99)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forge_engine.bounds import MOST, out_of_bounds
from services.rules.systems.forge_engine.settings import TableSettings

RULE = "Encounter Difficulty"
LARGEST_SIDE = 200


class EncounterDifficulty(Enum):
    """How hard a fight is for the characters.

    Attributes:
        EASY: The characters win without much trouble.
        BALANCED: The sides are about even.
        HARD: The characters may lose.
    """

    EASY = "easy"
    BALANCED = "balanced"
    HARD = "hard"


class Caution(Enum):
    """What the numbers alone do not say.

    Attributes:
        LOW_POWER: Little energy leaves much to the luck of single rolls: aim lower, or show that they are
            outclassed.
        STRONG_ADVERSARY: One adversary is much stronger than each character: it hits often and hard, and
            is seldom hit.
    """

    LOW_POWER = "low-power"
    STRONG_ADVERSARY = "strong-adversary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """How two sides compare.

    Attributes:
        characters: Energy of all characters.
        adversaries: Energy of all adversaries.
        ratio: Energy of the adversaries for each energy of the characters.
        difficulty: What the table calls that.
        balanced: From which to which energy of the adversaries a fight against these characters is balanced.
        cautions: What to mind besides.
    """

    characters: int
    adversaries: int
    ratio: Fraction
    difficulty: EncounterDifficulty
    balanced: tuple[int, int]
    cautions: tuple[Caution, ...]


def weigh(
    settings: TableSettings, characters: Sequence[int], adversaries: Sequence[int]
) -> Encounter | Problems:
    """Compares the maximum energy of both sides.

    Args:
        settings: Where a fight begins to be balanced and hard, and what is a reason for caution.
        characters: Maximum energy of each character.
        adversaries: Maximum energy of each adversary.

    Returns:
        Problems for a side of nobody or of too many, and for energy out of bounds.
    """
    problems = [*_side_problems("characters", characters), *_side_problems("adversaries", adversaries)]
    if problems:
        return Problems(tuple(problems))
    ours, theirs = sum(characters), sum(adversaries)
    ratio = Fraction(theirs, ours)
    if ratio * 100 < settings.encounter_easy:
        difficulty = EncounterDifficulty.EASY
    elif ratio * 100 > settings.encounter_hard:
        difficulty = EncounterDifficulty.HARD
    else:
        difficulty = EncounterDifficulty.BALANCED
    return Encounter(
        characters=ours,
        adversaries=theirs,
        ratio=ratio,
        difficulty=difficulty,
        balanced=(-(-ours * settings.encounter_easy // 100), ours * settings.encounter_hard // 100),
        cautions=tuple(_cautions(settings, max(characters), max(adversaries))),
    )


def _cautions(settings: TableSettings, strongest: int, adversary: int) -> Iterator[Caution]:
    if strongest < settings.low_energy:
        yield Caution.LOW_POWER
    if adversary * 100 >= strongest * settings.strong_adversary:
        yield Caution.STRONG_ADVERSARY


def _side_problems(side: str, energies: Sequence[int]) -> Iterator[RuleProblem]:
    if not 1 <= len(energies) <= LARGEST_SIDE:
        yield RuleProblem(
            "side_size",
            f"A side has from 1 to {LARGEST_SIDE} members.",
            RULE,
            (side,),
            len(energies),
            (1, LARGEST_SIDE),
        )
        return
    for place, energy in enumerate(energies):
        for problem in out_of_bounds({"energy": (energy, 1, MOST)}, RULE):
            yield RuleProblem(
                problem.code, problem.message, problem.rule, (side, place), problem.found, problem.allowed
            )
