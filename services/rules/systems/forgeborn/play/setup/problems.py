"""What is wrong with a setup."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.play import CastMember
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forgeborn.build import dice_problems, text_problems
from services.rules.systems.forgeborn.catalog import SETTING_BOUNDS
from services.rules.systems.forgeborn.choices import LONGEST_NAME, LONGEST_TEXT
from services.rules.systems.forgeborn.drop import DROPPED_DICE, Sheet, check_drop
from services.rules.systems.forgeborn.mechanics import MOST_POWER
from services.rules.systems.forgeborn.play.ground import FIRST_DICE, drawn
from services.rules.systems.forgeborn.play.setup.document import FEWEST, MOST, Setup, seats
from services.rules.systems.forgeborn.play.state import Ground
from services.rules.systems.forgeborn.realm import PlaceKind, Realm
from services.rules.systems.forgeborn.sheet import SmithSheet

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


def setup_problems(setup: Setup, cast: tuple[CastMember, ...]) -> Iterator[RuleProblem]:
    """Every rule that a setup breaks."""
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
        yield from _bare(setup)
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
    bare = Ground(title="", width=setup.width, height=setup.height, rules=setup.realm, dice=setup.drop)
    yield from _places(setup, drawn(bare))


def _bare(setup: Setup) -> Iterator[RuleProblem]:
    """What is said of places although no dice lie."""
    text = "Only a realm whose dice lie has places to speak of."
    for name, given in (("spent", setup.spent), ("powers", setup.powers), ("names", setup.names)):
        if given:
            yield RuleProblem("drop_missing", text, "B1", (name,), len(given), 0)
    if setup.on_map:
        yield RuleProblem("drop_missing", "A stored map has its dice.", "B1", ("on_map",), True, False)


def _places(setup: Setup, realm: Realm) -> Iterator[RuleProblem]:
    """What is wrong with what is said of the places."""
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
