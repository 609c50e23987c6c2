"""How a realm is asked for: from a seed, or from dice that a table has dropped."""

from __future__ import annotations

from dataclasses import dataclass

from services.map.kind import WishForm
from services.map.kinds.realm.generator import FIRST_PLACES, RealmParameters, seed_of
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forgeborn import DROPPED_DICE, DroppedDie, Point


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


def check(wish: RealmWish) -> tuple[RuleProblem, ...]:
    """Every list of a wish that is too long; every die is compared with every other one later."""
    most_dice, most_names = sum(DROPPED_DICE.values()), len(FIRST_PLACES)
    return tuple(
        RuleProblem("realm_list_too_long", f"`{name}` has at most {most} entries.", "", (name,), count, most)
        for name, count, most in (
            ("dice", len(wish.dice or ()), most_dice),
            ("names", len(wish.names), most_names),
        )
        if count > most
    )


def parameters(wish: RealmWish) -> RealmParameters:
    """The parameters that a wish stands for; its seed comes beside them."""
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


def drawn_seed(parameters: RealmParameters) -> int | None:
    """The seed of dropped dice for which none is named."""
    return None if parameters.dice is None else seed_of(parameters.dice)


def path(found: KeyPath) -> KeyPath:
    """The path in a wish, where a die has its position in itself."""
    return found[:-1] if found[-1:] == ("at",) else found


WISH: WishForm[RealmWish, RealmParameters] = WishForm(
    type=RealmWish,
    seed=lambda wish: wish.seed,
    check=check,
    parameters=parameters,
    drawn_seed=drawn_seed,
    path=path,
)
