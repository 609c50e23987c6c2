"""Makes realm maps: parameters to a model that has passed every gate.

    parameters -> drop (given, or drawn from the seed) -> rules -> names, compass -> gates -> RealmMap

Three streams feed a map: `drop` (one sub-seed an attempt), `names` (one a place) and, when it is drawn,
`decoration`. None disturbs another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.map.generation.gate import GateReport
from services.map.generation.stream import Stream, digest
from services.map.kinds.realm.canonical import canonical_bytes, from_canonical, to_canonical
from services.map.kinds.realm.gates import inspect, inspect_growth
from services.map.kinds.realm.model import GENERATOR_VERSION, Corner, RealmMap
from services.rules.engine.codec import Codec
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn import (
    DROPPED_DICE,
    DroppedDie,
    Landing,
    Place,
    PlaceKind,
    Point,
    Realm,
    RealmSettings,
    Sheet,
    add_ruin,
    check_drop,
    derive,
    landing,
    spend_ruin,
    units,
    with_names,
)
from services.rules.systems.forgeborn.realm_names import place_name, range_name, realm_title

MAX_SEED = 2**63 - 1
WIDTHS = (80, 200)
HEIGHTS = (60, 160)
DRAGON_MINIMUMS = (8, 24)
TOO_FAR_PERCENTS = (10, 100)
LONGEST_NAME = 32
LONGEST_TITLE = 48
MAX_ATTEMPTS = 32
_MAX_THROWS = 10_000
_VILLAGE_DIE = 4

FIRST_PLACES = (
    "citadel",
    "city",
    "village-1",
    "village-2",
    "village-3",
    "village-4",
    "lair",
    "ruin-1",
    "ruin-2",
    "forest",
)
"""Ids of the places of every new map."""


@dataclass(frozen=True, slots=True)
class RealmParameters:
    """What a realm is made from. At least one of seed and dice is needed.

    Attributes:
        seed: 0 to 2**63 - 1. With dice it still draws names and decoration; without it the dice do.
        dice: The fifteen dice of a real drop instead of a drawn one.
        width: Width of the sheet in units (a die is 4 wide), 80 to 200.
        height: Height of the sheet in units, 60 to 160.
        dragon_minimum: Least Power of the Dragon, 8 to 24; 12 or more for a longer game.
        too_far_percent: Longest unforced Trail of a Lair or Ruin, as a share of the diagonal, 10 to 100.
        title: Name of the realm instead of a made one.
        names: Pairs of place id and name, instead of made ones.
    """

    seed: int | None = None
    dice: tuple[DroppedDie, ...] | None = None
    width: int = 120
    height: int = 90
    dragon_minimum: int = 8
    too_far_percent: int = 40
    title: str | None = None
    names: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GeneratedRealm:
    """A map, the gates it passed, and how many drops that took."""

    model: RealmMap
    report: GateReport
    attempts: int


def _outside(path: str, found: int, limits: tuple[int, int]) -> list[RuleProblem]:
    low, high = limits
    if low <= found <= high:
        return []
    message = f"{path} is {low} to {high}."
    return [RuleProblem("realm_parameter_out_of_range", message, "parameters", (path,), found, limits)]


def _text_problems(path: tuple[str | int, ...], text: str, longest: int) -> list[RuleProblem]:
    problems: list[RuleProblem] = []
    if not text.strip() or len(text) > longest:
        message = f"A name has 1 to {longest} characters."
        problems.append(
            RuleProblem("realm_name_length", message, "parameters", path, len(text), (1, longest))
        )
    if not text.isprintable():
        message = "A name is one line of printable characters."
        problems.append(RuleProblem("realm_name_characters", message, "parameters", path, ascii(text)))
    return problems


def check_parameters(parameters: RealmParameters) -> tuple[RuleProblem, ...]:
    """Everything that is wrong with some parameters, with paths; nothing when they are fine."""
    problems: list[RuleProblem] = []
    if parameters.seed is None and parameters.dice is None:
        problems.append(
            RuleProblem("realm_needs_seed_or_dice", "Give a seed or dice.", "parameters", ("seed",))
        )
    if parameters.seed is not None:
        problems += _outside("seed", parameters.seed, (0, MAX_SEED))
    problems += _outside("width", parameters.width, WIDTHS)
    problems += _outside("height", parameters.height, HEIGHTS)
    problems += _outside("dragon_minimum", parameters.dragon_minimum, DRAGON_MINIMUMS)
    problems += _outside("too_far_percent", parameters.too_far_percent, TOO_FAR_PERCENTS)
    if parameters.dice is not None:
        problems += check_drop(parameters.dice, _sheet(parameters), _settings(parameters))
    if parameters.title is not None:
        problems += _text_problems(("title",), parameters.title, LONGEST_TITLE)
    for place_id, name in parameters.names:
        if place_id not in FIRST_PLACES:
            message = "There is no such place on a new map."
            path = ("names", place_id)
            problems.append(
                RuleProblem("realm_unknown_place", message, "parameters", path, place_id, FIRST_PLACES)
            )
        problems += _text_problems(("names", place_id), name, LONGEST_NAME)
    return tuple(problems)


def _sheet(parameters: RealmParameters) -> Sheet:
    return Sheet.of(parameters.width, parameters.height)


def _settings(parameters: RealmParameters) -> RealmSettings:
    return RealmSettings(dragon_minimum=parameters.dragon_minimum, too_far_percent=parameters.too_far_percent)


def _throw(
    stream: Stream, sides: int, placed: Sequence[Point], sheet: Sheet, settings: RealmSettings
) -> DroppedDie | None:
    """Drops one die until it lands well (B2); None when the sheet is too full for it."""
    face = stream.between(1, sides)
    margin = settings.margin
    for _ in range(_MAX_THROWS):
        at = Point(
            stream.between(margin, sheet.width - margin), stream.between(margin, sheet.height - margin)
        )
        if landing(sheet, settings, placed, at) is Landing.ACCEPTED:
            return DroppedDie(sides, face, at)
    return None


def draw_drop(stream: Stream, sheet: Sheet, settings: RealmSettings) -> tuple[DroppedDie, ...]:
    """Drops the fifteen dice: faces and positions uniform, positions inside the margin (rulings page).

    Raises:
        ValueError: The sheet has no room for them.
    """
    dice: list[DroppedDie] = []
    for sides, count in DROPPED_DICE.items():
        for _ in range(count):
            die = _throw(stream, sides, [other.at for other in dice], sheet, settings)
            if die is None:
                raise ValueError("the sheet has no room for fifteen dice")
            dice.append(die)
    return tuple(dice)


def seed_of(dice: Sequence[DroppedDie]) -> int:
    """The seed of given dice: what names and decoration are drawn from where no other is named."""
    return digest(";".join(f"d{die.sides} {die.face} {die.at.x} {die.at.y}" for die in dice)) >> 1


def _compass(realm: Realm) -> Corner:
    """The corner farthest from any die."""
    corners = {
        Corner.NORTH_EAST: Point(realm.sheet.width, 0),
        Corner.SOUTH_EAST: Point(realm.sheet.width, realm.sheet.height),
        Corner.SOUTH_WEST: Point(0, realm.sheet.height),
        Corner.NORTH_WEST: Point(0, 0),
    }

    def room(corner: Corner) -> int:
        at = corners[corner]
        return min((die.at.x - at.x) ** 2 + (die.at.y - at.y) ** 2 for die in realm.dice)

    return max(corners, key=room)


def _naming(seed: int, named: str) -> Stream:
    """The stream of one name, so that a Ruin found later is named without touching an older name."""
    return Stream(seed, "names", named)


def _model(realm: Realm, seed: int, attempt: int, parameters: RealmParameters) -> RealmMap:
    names: dict[str, str] = {}
    for place in realm.places:
        names[place.id] = place_name(place.kind, names.values(), _naming(seed, place.id))
    return RealmMap(
        seed=seed,
        attempt=attempt,
        given_dice=parameters.dice is not None,
        title=parameters.title or realm_title(_naming(seed, "realm")),
        range_name=range_name(len(realm.range), _naming(seed, "range")),
        compass=_compass(realm),
        realm=with_names(realm, names | dict(parameters.names)),
    )


def generate(parameters: RealmParameters) -> GeneratedRealm | Problems:
    """Makes a realm map.

    The same parameters give the same map, byte for byte in its canonical form, in every process. A drawn drop
    that fails a gate is drawn again from the next sub-seed; given dice have one attempt.

    Returns:
        The map with its gate report; or every problem of the parameters; or `realm_gates_failed` with the
        faults when no attempt passed.
    """
    problems = check_parameters(parameters)
    if problems:
        return Problems(problems)
    seed = parameters.seed if parameters.seed is not None else seed_of(parameters.dice or ())
    faults: tuple[str, ...] = ()
    for attempt in range(1 if parameters.dice is not None else MAX_ATTEMPTS):
        model = draw(parameters, seed, attempt)
        report = inspect_all(model)
        if report.passed:
            return GeneratedRealm(model, report, attempt + 1)
        faults = report.faults
    message = "No drop passed every gate."
    return Problems((RuleProblem("realm_gates_failed", message, "maps", (), faults),))


def draw(parameters: RealmParameters, seed: int, attempt: int) -> RealmMap:
    """One drop and what it makes; given dice make the same at each attempt.

    Args:
        parameters: Sound ones: `check_parameters` finds nothing wrong with them.
        seed: Of names and decoration, and of a drop that is drawn.
        attempt: Which sub-seed the drop is drawn from.

    Raises:
        ValueError: The dice make no realm, or there is no room for them.
    """
    sheet, settings = _sheet(parameters), _settings(parameters)
    drop = parameters.dice
    if drop is None:
        drop = draw_drop(Stream(seed, "drop", attempt), sheet, settings)
    realm = derive(drop, sheet, settings)
    if isinstance(realm, Problems):
        raise ValueError(str(next(iter(realm))))
    return _model(realm, seed, attempt, parameters)


def inspect_all(model: RealmMap) -> GateReport:
    """Runs every gate over a map, the growth by one Ruin included."""
    data = to_canonical(model)
    report = inspect(data)
    grown = with_new_ruin(model)
    if isinstance(grown, Problems):
        return report
    return GateReport((*report.gates, inspect_growth(data, to_canonical(grown))))


def with_new_ruin(model: RealmMap, die: DroppedDie | None = None) -> RealmMap | Problems:
    """The map with one more Ruin (C11); everything older stays as it is.

    Args:
        model: The map so far.
        die: The d8 as the table dropped it; drawn from the map's seed when absent, a stream for each Ruin.
    """
    realm = model.realm
    number = len(realm.of_kind(PlaceKind.RUIN)) + 1
    if die is None:
        placed = [other.at for other in realm.dice]
        die = _throw(Stream(model.seed, "ruin", number), 8, placed, realm.sheet, realm.settings)
    if die is None:
        size = f"{units(realm.sheet.width)} by {units(realm.sheet.height)}"
        return Problems((RuleProblem("realm_sheet_full", "No die has room on the sheet.", "B2", (), size),))
    grown = add_ruin(realm, die)
    if isinstance(grown, Problems):
        return grown
    ruin = grown.places[-1]
    name = place_name(ruin.kind, [place.name for place in realm.places], _naming(model.seed, ruin.id))
    return replace(model, realm=with_names(grown, {ruin.id: name}))


def with_spent_ruin(model: RealmMap, ruin_id: str) -> RealmMap:
    """The map after a Ruin was explored: its number is erased.

    Raises:
        KeyError: There is no such place.
        ValueError: It is no Ruin, or is spent already.
    """
    return replace(model, realm=spend_ruin(model.realm, ruin_id))


def before_play(model: RealmMap) -> RealmMap:
    """The map with the problem that each Village had at first, for the gates over maps that were played on.

    Later problems are rolled for in play with a d4: no gate can tell theirs from the dice of the map, so any
    face of the die will do.
    """
    realm = model.realm
    first = {die.at: die.face for die in realm.dice if die.sides == _VILLAGE_DIE}
    places = tuple(
        replace(place, power=first.get(place.at, place.power)) if _solvable(place) else place
        for place in realm.places
    )
    return replace(model, realm=replace(realm, places=places))


def _solvable(place: Place) -> bool:
    # The file may say anything: true is no problem's Power.
    return (
        place.kind is PlaceKind.VILLAGE
        and type(place.power) is int
        and place.power in range(1, _VILLAGE_DIE + 1)
    )


class RealmGenerator:
    """Makes realms; see `services.map.generation.kind.Generator`. Everybody at the table dropped the dice, so
    nothing on it is secret."""

    slug = "forgeborn_realm"
    generator_version = GENERATOR_VERSION
    codec: Codec[RealmParameters] = Codec(RealmParameters, "map/forgeborn-realm-parameters")
    secretive = False

    def check(self, parameters: RealmParameters) -> tuple[RuleProblem, ...]:
        """Everything that is wrong with some parameters; the seed comes beside them."""
        seeded = parameters if parameters.seed is not None else replace(parameters, seed=0)
        return check_parameters(seeded)

    def draw(self, parameters: RealmParameters, seed: int, attempt: int) -> RealmMap:
        """One drop and what it makes."""
        return draw(parameters, seed, attempt)

    def inspect(self, model: RealmMap) -> GateReport:
        """Runs every gate, the growth by one Ruin included."""
        return inspect_all(model)

    def title(self, model: RealmMap) -> str:
        """The realm's name."""
        return model.title

    def to_bytes(self, model: RealmMap) -> bytes:
        """The map file."""
        return canonical_bytes(model)

    def from_data(self, data: Mapping[str, Any]) -> RealmMap:
        """The realm whose file was read."""
        return from_canonical(data)

    def for_players(self, model: RealmMap) -> RealmMap:
        """The same realm."""
        return model


GENERATOR = RealmGenerator()
