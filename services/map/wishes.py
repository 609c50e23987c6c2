"""What somebody wishes a map to be, checked before any work is done, in the words of the API."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from services.map.exports.schemas import parameters_schema
from services.map.generation.kind import MAX_SEED
from services.map.generation.realm.generator import FIRST_PLACES, RealmParameters, seed_of
from services.map.kinds import KINDS
from services.rules.engine.problem import RuleProblem
from services.rules.systems.forgeborn import DROPPED_DICE, DroppedDie, Point
from services.shared.problems import Issue
from services.shared.wording import camel, clipped, finding

REALM = "forgeborn_realm"
MAX_ISSUES = 100
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


@dataclass(frozen=True, slots=True)
class Wish:
    """A map to be made.

    Attributes:
        kind: slug of its kind.
        parameters: the kind's own; a `RealmWish` for a realm.
        seed: in decimal digits; drawn when None.
    """

    kind: str
    parameters: Any
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """A wish found sound: what a worker is told.

    Attributes:
        kind: slug of the kind.
        parameters: the kind's own.
        seed: 0 to 2**63 - 1.
    """

    kind: str
    parameters: Any
    seed: int

    def document(self) -> dict[str, Any]:
        """Give its JSON form."""
        parameters = KINDS[self.kind].codec.dump(self.parameters)
        return {"kind": self.kind, "parameters": parameters, "seed": str(self.seed)}


def checked(wish: Wish, drawn_seed: int) -> Order | list[Issue]:
    """Turn a wish into what the generator accepts, or name everything that is wrong with it.

    Args:
        wish: what is asked for.
        drawn_seed: the seed to use when the wish names none.
    """
    base = ("map", camel(wish.kind))
    issues = seed_issues(wish.seed, ("seed",))
    parameters, seed = wish.parameters, wish.seed
    if isinstance(parameters, RealmWish):
        issues += [*seed_issues(parameters.seed, (*base, "seed")), *_size_issues(parameters, base)]
        if issues:
            return issues
        seed = parameters.seed if parameters.seed is not None else seed
        parameters = _realm_parameters(parameters)
        if seed is None and parameters.dice is not None:
            drawn_seed = seed_of(parameters.dice)
    problems = KINDS[wish.kind].check(parameters)
    issues += [issue(problem, base) for problem in problems[:MAX_ISSUES]]
    return issues or Order(wish.kind, parameters, int(seed) if seed is not None else drawn_seed)


def issue(problem: RuleProblem, base: Sequence[str]) -> Issue:
    """Tell a broken rule; its path is spelled as in the API, where a die has its position in itself."""
    of_die = base[-1:] == ("forgebornRealm",) and problem.path[-1:] == ("at",)
    steps = problem.path[:-1] if of_die else problem.path
    return Issue(
        code=problem.code,
        message=problem.message,
        path=[*base, *(camel(str(step)) for step in steps)],
        rule=problem.rule,
        found=finding(problem.found),
        allowed=finding(problem.allowed),
    )


def seed_issues(seed: str | None, path: Sequence[str]) -> list[Issue]:
    """Find out whether a text is no seed."""
    # isdecimal alone would also take the digits of other scripts.
    if seed is None or (
        seed.isascii() and seed.isdecimal() and len(seed) <= _SEED_DIGITS and int(seed) <= MAX_SEED
    ):
        return []
    return [
        Issue(
            code="map_seed",
            message=f"A seed is a whole number from 0 to {MAX_SEED} in decimal digits.",
            path=list(path),
            found=clipped(seed),
            allowed=f"0..{MAX_SEED}",
        )
    ]


def _realm_parameters(wish: RealmWish) -> RealmParameters:
    return RealmParameters(
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


def _size_issues(wish: RealmWish, base: Sequence[str]) -> list[Issue]:
    # Every die is compared with every other one: a long list must not get that far.
    most_dice, most_names = sum(DROPPED_DICE.values()), len(FIRST_PLACES)
    return [
        Issue(
            code="realm_list_too_long",
            message=f"`{name}` has at most {most} entries.",
            path=[*base, name],
            found=str(count),
            allowed=str(most),
        )
        for name, count, most in (
            ("dice", len(wish.dice or ()), most_dice),
            ("names", len(wish.names), most_names),
        )
        if count > most
    ]


def spelled_parameters(slug: str) -> dict[str, Any]:
    """Describe a kind's parameters as a JSON Schema in the API's spelling: `startDistance`, `RUIN`."""
    cls = RealmWish if slug == REALM else KINDS[slug].codec.type
    schema = parameters_schema(cls, f"map-{slug.replace('_', '-')}-parameters")
    spelled: dict[str, Any] = _spelled(schema)
    return spelled


def _spelled(schema: Any) -> Any:
    match schema:
        case dict():
            chosen = "enum" in schema
            return {
                name: _enum_name(value) if chosen and name == "default" and value else _member(name, value)
                for name, value in schema.items()
            }
        case list():
            return [_spelled(item) for item in schema]
        case _:
            return schema


def _member(name: str, value: Any) -> Any:
    match name, value:
        case "properties", dict():
            return {camel(field): _spelled(inner) for field, inner in value.items()}
        case "required", list():
            return [camel(field) for field in value]
        case "enum", list():
            return [each if each is None else _enum_name(each) for each in value]
        case _:
            return _spelled(value)


def _enum_name(value: str) -> str:
    return value.upper().replace("-", "_")


def draw_seed() -> int:
    """Draws a seed for who names none, from 0 to ``MAX_SEED``."""
    return secrets.randbelow(MAX_SEED + 1)
