"""What somebody wishes a map to be, checked before any work is done, in the words of the API."""

from dataclasses import dataclass

from services.map.generation.realm import FIRST_PLACES, MAX_SEED, RealmParameters, check_parameters
from services.rules.engine.problem import Finding, RuleProblem
from services.rules.systems.forgeborn import DROPPED_DICE, DroppedDie, Point
from services.shared.problems import Issue

MAX_FOUND = 200
_BASE = ("map", "forgebornRealm")
_SEED_DIGITS = len(str(MAX_SEED))


@dataclass(frozen=True, slots=True)
class Die:
    """One dropped die at rest.

    Attributes:
        sides: 4, 6, 8, 10 or 12.
        face: What it shows, from 1.
        x: Units east of the sheet's north-west corner.
        y: Units south of it.
    """

    sides: int
    face: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class PlaceName:
    """What a place is to be called.

    Attributes:
        place: Its id: `citadel`, `city`, `village-1` to `village-4`, `lair`, `ruin-1`, `ruin-2` or `forest`.
        name: 1 to 32 characters.
    """

    place: str
    name: str


@dataclass(frozen=True, slots=True)
class RealmWish:
    """A Forgeborn realm to be made: from a seed, from fifteen dropped dice, or from a seed that is drawn.

    Attributes:
        seed: A whole number from 0 to 9223372036854775807, as text. The same seed gives the same realm.
        dice: The dice of a real drop, 4d4 6d6 3d8 1d10 1d12, instead of a drawn one.
        width: Width of the sheet in units, 80 to 200; a die is 4 wide.
        height: Height of the sheet in units, 60 to 160.
        dragon_minimum: Least Power of the Dragon, 8 to 24; 12 or more makes a longer game.
        too_far_percent: Longest Trail that is not forced, as a share of the sheet's diagonal, 10 to 100.
        title: Name of the realm instead of a made one, up to 48 characters.
        names: Names of places instead of made ones.
    """

    seed: str | None = None
    dice: tuple[Die, ...] | None = None
    width: int = 120
    height: int = 90
    dragon_minimum: int = 8
    too_far_percent: int = 40
    title: str | None = None
    names: tuple[PlaceName, ...] = ()


def checked(wish: RealmWish, drawn_seed: int) -> RealmParameters | list[Issue]:
    """Turn a wish into parameters that the generator accepts, or name everything that is wrong with it.

    Args:
        wish: what is asked for.
        drawn_seed: the seed to use when the wish has neither seed nor dice.
    """
    issues = [*_seed_issues(wish.seed), *_size_issues(wish)]
    if issues:
        return issues
    seed = int(wish.seed) if wish.seed is not None else drawn_seed if wish.dice is None else None
    parameters = RealmParameters(
        seed=seed,
        dice=None
        if wish.dice is None
        else tuple(DroppedDie(die.sides, die.face, Point.of(die.x, die.y)) for die in wish.dice),
        width=wish.width,
        height=wish.height,
        dragon_minimum=wish.dragon_minimum,
        too_far_percent=wish.too_far_percent,
        title=wish.title,
        names=tuple((given.place, given.name) for given in wish.names),
    )
    problems = check_parameters(parameters)
    return [issue(problem) for problem in problems] if problems else parameters


def issue(problem: RuleProblem) -> Issue:
    """Tell a broken rule; its path is spelled as in the API, where a die has its position in itself."""
    steps = problem.path[:-1] if problem.path[-1:] == ("at",) else problem.path
    return Issue(
        code=problem.code,
        message=problem.message,
        path=[*_BASE, *(_camel(str(step)) for step in steps)],
        rule=problem.rule,
        found=_text(problem.found),
        allowed=_text(problem.allowed),
    )


def _seed_issues(seed: str | None) -> list[Issue]:
    # isdecimal alone would also take the digits of other scripts.
    if seed is None or (seed.isascii() and seed.isdecimal() and len(seed) <= _SEED_DIGITS):
        return []
    return [
        Issue(
            code="realm_seed",
            message=f"A seed is a whole number from 0 to {MAX_SEED} in decimal digits.",
            path=[*_BASE, "seed"],
            found=ascii(seed[:MAX_FOUND]),
            allowed=f"0..{MAX_SEED}",
        )
    ]


def _size_issues(wish: RealmWish) -> list[Issue]:
    # Every die is compared with every other one: a long list must not get that far.
    most_dice, most_names = sum(DROPPED_DICE.values()), len(FIRST_PLACES)
    return [
        Issue(
            code="realm_list_too_long",
            message=f"`{name}` has at most {most} entries.",
            path=[*_BASE, name],
            found=str(count),
            allowed=str(most),
        )
        for name, count, most in (
            ("dice", len(wish.dice or ()), most_dice),
            ("names", len(wish.names), most_names),
        )
        if count > most
    ]


def _camel(step: str) -> str:
    first, *others = step.split("_")
    return first + "".join(word.capitalize() for word in others)


def _text(finding: Finding) -> str | None:
    match finding:
        case None:
            return None
        case tuple():
            return ", ".join(_text(item) or "null" for item in finding)
        case _:
            return (
                ascii(finding)[:MAX_FOUND]
                if isinstance(finding, str) and not finding.isprintable()
                else str(finding)[:MAX_FOUND]
            )
