"""How a game begins: what the game master decides before it, and the opening position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from services.rules.engine.play import CastMember
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.forgeborn.catalog import SETTING_BOUNDS, Catalog, TableSettings
from services.rules.systems.forgeborn.drop import (
    DROPPED_DICE,
    DroppedDie,
    RealmSettings,
    Sheet,
    check_drop,
)
from services.rules.systems.forgeborn.mechanics import MOST_POWER
from services.rules.systems.forgeborn.play.ground import FIRST_DICE, drawn, settled
from services.rules.systems.forgeborn.play.state import Game, Ground, Phase, Smith, Turn
from services.rules.systems.forgeborn.pools import DiceCount
from services.rules.systems.forgeborn.realm import CITADEL_ID, PlaceKind
from services.rules.systems.forgeborn.smith import (
    LONGEST_NAME,
    LONGEST_TEXT,
    SmithSheet,
    dice_problems,
    text_problems,
)

RULINGS, REALM_RULINGS = TableSettings(), RealmSettings()

FEWEST, MOST = 2, 4
"""Players of a game (A1)."""

WIDTHS = (60_000, 300_000)
HEIGHTS = (60_000, 300_000)
"""What a sheet may measure, in thousandths of a unit: there is room for its dice, and for many Ruins."""

REALM_BOUNDS = {
    "dragon_minimum": (1, MOST_POWER),
    "too_far_percent": (1, 100),
    "die_width": (0, 8_000),
    "margin": (0, 15_000),
}
"""What each number of the realm's settings may be."""

MOST_DICE = 300
"""Dice of a stored realm: its Ruins found in play are among them."""

LONGEST_TITLE = 120
COLORS = ("#b3412b", "#2f6690", "#3f7d3a", "#7a4c93")
"""Of the players' pieces, in seat order."""

RIVAL_DICE = (
    DiceCount(d4=3, d12=5),
    DiceCount(d4=6, d8=3, d12=2),
    DiceCount(d8=2, d10=2, d12=3),
)
"""Dice of rivals that the game master does not spell out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A Smith that the game master leads.

    Attributes:
        dice: Hers, within the same budget as a player's.
    """

    name: str
    dice: DiceCount
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotPower:
    """A Power that is not that of the die."""

    place: str
    power: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotName:
    """What a place is called."""

    place: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the game master decides.

    Attributes:
        title: Of the game.
        players: Seats; those that no player takes are filled with rivals. More where the cast is larger.
        rivals: Smiths for those seats; rivals of the house sit where there are none.
        first: Id of the Smith who begins, `rival-1` and up for rivals; empty for the first of the cast (A3).
        realm_title: Name of the realm.
        width: Of the sheet, in thousandths of a unit.
        height: Of the sheet.
        realm: How its dice fall.
        drop: The dice as they lie, in the order of dropping, Ruins found later at the end; none to let them
            fall at the table.
        spent: Ids of Ruins that were explored already.
        powers: Powers that are not those of the dice.
        names: Names of places; the others get names of the book.
        settings: The table's settings.
        on_map: Whether the realm is a stored map that changes along with the game.
    """

    title: str
    players: int = FEWEST
    rivals: tuple[Rival, ...] = ()
    first: str = ""
    realm_title: str = "The Realm"
    width: int = Sheet().width
    height: int = Sheet().height
    realm: RealmSettings = REALM_RULINGS
    drop: tuple[DroppedDie, ...] = ()
    spent: tuple[str, ...] = ()
    powers: tuple[SpotPower, ...] = ()
    names: tuple[SpotName, ...] = ()
    settings: TableSettings = RULINGS
    on_map: bool = False


def begin(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Game | Problems:
    """The opening position, or every rule the setup breaks (A1 to A3, A7)."""
    problems = tuple(_problems(setup, cast))
    if problems:
        return Problems(problems)
    ground = Ground(
        title=setup.realm_title,
        width=setup.width,
        height=setup.height,
        rules=setup.realm,
        dice=setup.drop,
        on_map=setup.on_map,
    )
    smiths = _seated(setup, cast, catalog)
    if setup.drop:
        ground = settled(
            ground,
            catalog,
            spent=setup.spent,
            powers={one.place: one.power for one in setup.powers},
            names={one.place: one.name for one in setup.names},
        )
        smiths = tuple(replace(smith, place=CITADEL_ID) for smith in smiths)
    first = setup.first or smiths[0].id
    return Game(
        title=setup.title.strip(),
        phase=Phase.PLAY if setup.drop else Phase.MAP,
        settings=setup.settings,
        ground=ground,
        smiths=smiths,
        first=first,
        turn=Turn(number=1, round=1, smith=first),
    )


def seats(setup: Setup, cast: int) -> int:
    """How many sit at the table."""
    return min(MOST, max(setup.players, cast + len(setup.rivals), FEWEST))


def _seated(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> tuple[Smith, ...]:
    rivals = list(setup.rivals[: MOST - len(cast)])
    taken = {member.sheet.name for member in cast} | {rival.name for rival in rivals}
    free = (name for name in catalog.words.names if name not in taken)
    for place in range(seats(setup, len(cast)) - len(cast) - len(rivals)):
        dice = RIVAL_DICE[place % len(RIVAL_DICE)]
        if dice.faces() > setup.settings.budget:
            dice = DiceCount(d4=setup.settings.budget // 4)
        rivals.append(Rival(name=next(free), dice=dice, description="A rival of the house"))
    smiths = [
        Smith(
            id=member.id,
            name=member.sheet.name,
            description=member.sheet.description,
            character=True,
            color=COLORS[place],
            dice=member.sheet.dice,
        )
        for place, member in enumerate(cast)
    ]
    smiths += [
        Smith(
            id=f"rival-{number}",
            name=rival.name,
            description=rival.description,
            character=False,
            color=COLORS[len(cast) + number - 1],
            dice=rival.dice,
        )
        for number, rival in enumerate(rivals, 1)
    ]
    return tuple(smiths)


def _problems(setup: Setup, cast: tuple[CastMember, ...]) -> Iterator[RuleProblem]:
    yield from text_problems(setup.title, ("title",), longest=LONGEST_TITLE, needed=True, what="A title")
    yield from text_problems(
        setup.realm_title, ("realm_title",), longest=LONGEST_TITLE, needed=True, what="A realm's name"
    )
    yield from _people(setup, cast)
    yield from _numbers(setup)
    yield from _realm(setup)


def _people(setup: Setup, cast: tuple[CastMember, ...]) -> Iterator[RuleProblem]:
    rule = "Overview"
    if not 1 <= len(cast) <= MOST:
        text = f"From 1 to {MOST} players' Smiths take part."
        yield RuleProblem("cast_out_of_range", text, rule, ("cast",), len(cast), (1, MOST))
    if not FEWEST <= setup.players <= MOST:
        text = f"From {FEWEST} to {MOST} Smiths play."
        yield RuleProblem("players_out_of_range", text, rule, ("players",), setup.players, (FEWEST, MOST))
    most = MOST - 1
    if len(setup.rivals) > most:
        text = f"There are at most {most} rivals."
        yield RuleProblem("rivals_out_of_range", text, rule, ("rivals",), len(setup.rivals), (0, most))
    for place, rival in enumerate(setup.rivals):
        path: KeyPath = ("rivals", place)
        yield from text_problems(
            rival.name, (*path, "name"), longest=LONGEST_NAME, needed=True, what="A name"
        )
        about = (*path, "description")
        yield from text_problems(
            rival.description, about, longest=LONGEST_TEXT, needed=False, what="A description"
        )
        yield from dice_problems(rival.dice, setup.settings.budget, (*path, "dice"))
    for member in cast:
        sheet: SmithSheet = member.sheet
        yield from dice_problems(sheet.dice, setup.settings.budget, ("cast", member.id))
    there = seats(setup, len(cast)) - len(cast)
    ids = (*(member.id for member in cast), *(f"rival-{number}" for number in range(1, there + 1)))
    if setup.first and setup.first not in ids:
        text = "Whoever begins sits at the table."
        yield RuleProblem("first_unknown", text, "How to Play", ("first",), setup.first, ids)


def _numbers(setup: Setup) -> Iterator[RuleProblem]:
    tables: tuple[tuple[object, dict[str, tuple[int, int]], str], ...] = (
        (setup.settings, SETTING_BOUNDS, "settings"),
        (setup.realm, REALM_BOUNDS, "realm"),
        (setup, {"width": WIDTHS, "height": HEIGHTS}, ""),
    )
    for table, bounds, key in tables:
        for name, (least, most) in bounds.items():
            found = getattr(table, name)
            if not least <= found <= most:
                path = (key, name) if key else (name,)
                text = f"It is from {least} to {most}."
                yield RuleProblem("setting_out_of_range", text, "table", path, found, (least, most))


def _realm(setup: Setup) -> Iterator[RuleProblem]:
    if not setup.drop:
        for name, given in (("spent", setup.spent), ("powers", setup.powers), ("names", setup.names)):
            if given:
                text = "Only a realm whose dice lie has places to speak of."
                yield RuleProblem("drop_missing", text, "B1", (name,), len(given), 0)
        if setup.on_map:
            text = "A stored map has its dice."
            yield RuleProblem("drop_missing", text, "B1", ("on_map",), True, False)
        return
    if len(setup.drop) > MOST_DICE:
        text = f"A realm has at most {MOST_DICE} dice."
        yield RuleProblem("realm_dice_count", text, "table", ("drop",), len(setup.drop), MOST_DICE)
        return
    sheet = Sheet(setup.width, setup.height)
    wrong = (
        *check_drop(setup.drop[:FIRST_DICE], sheet, setup.realm),
        *_later_dice(setup, sheet),
    )
    for problem in wrong:
        yield replace(problem, path=("drop", *problem.path[1:]))
    if wrong or any(True for _ in _numbers(setup)):
        return
    realm = drawn(
        Ground(title="", width=setup.width, height=setup.height, rules=setup.realm, dice=setup.drop)
    )
    ruins = tuple(place.id for place in realm.of_kind(PlaceKind.RUIN))
    places = tuple(place.id for place in realm.places)
    for place, ruin in enumerate(setup.spent):
        if ruin not in ruins or ruin in setup.spent[:place]:
            text = "Only a Ruin can have been explored, and only once."
            yield RuleProblem("ruin_unknown", text, "Explore Ruins", ("spent", place), ruin, ruins)
    powered = tuple(place.id for place in realm.places if place.power is not None)
    for place, one in enumerate(setup.powers):
        if one.place not in powered or one.place in setup.spent:
            text = "This place has no Power."
            yield RuleProblem("place_unknown", text, "B3", ("powers", place, "place"), one.place, powered)
        if not 1 <= one.power <= MOST_POWER:
            text = f"A Power is from 1 to {MOST_POWER}."
            path = ("powers", place, "power")
            yield RuleProblem("power_out_of_range", text, "table", path, one.power, (1, MOST_POWER))
    for place, named in enumerate(setup.names):
        if named.place not in places:
            text = "There is no such place."
            yield RuleProblem("place_unknown", text, "table", ("names", place, "place"), named.place, places)
        yield from text_problems(
            named.name, ("names", place, "name"), longest=LONGEST_NAME, needed=True, what="A name"
        )


def _later_dice(setup: Setup, sheet: Sheet) -> tuple[RuleProblem, ...]:
    """What is wrong with the dice of Ruins found in play."""
    if len(setup.drop) <= FIRST_DICE:
        return ()
    counts = {**DROPPED_DICE, 8: DROPPED_DICE[8] + len(setup.drop) - FIRST_DICE}
    return tuple(
        problem
        for problem in check_drop(setup.drop, sheet, setup.realm, counts)
        if problem.path[1:2] == () or int(problem.path[1]) >= FIRST_DICE
    )
