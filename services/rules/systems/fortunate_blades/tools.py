"""Questions that arithmetic answers: what a table says, how likely a roll is, whether a story can begin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.tools import AnyTool, Tool
from services.rules.systems.fortunate_blades.catalog import SLUG, Catalog
from services.rules.systems.fortunate_blades.mechanics import MECHANICS
from services.rules.systems.fortunate_blades.rolls import Result, numbers_problem
from services.rules.systems.fortunate_blades.tables import TableLine, TableName, table_lines

ROLL = next(one for one in MECHANICS if one.name == f"{SLUG}:roll")
_20 = "_natural_20"
_CLEAR_20 = f"{Result.CLEAR.value}{_20}"

FEWEST_PLAYERS, MOST_PLAYERS = 2, 6
FEWEST_FORCES = 3
MOST_PLACES = 1_000
BONUS, TARGET, FORTUNE = (-10, 40), (0, 60), (0, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableQuestion:
    """A table, and a face of its die.

    Attributes:
        table: Which table.
        roll: The face; None for all of them.
    """

    table: TableName
    roll: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAnswer:
    """What a table says.

    Attributes:
        entries: Lines of the whole table.
        lines: The lines of that face, or all of them.
    """

    entries: int
    lines: tuple[TableLine, ...]


def run_table(question: TableQuestion, catalog: Catalog) -> TableAnswer | Problems:
    """What a face of a table says."""
    lines = table_lines(question.table, catalog)
    found = tuple(line for line in lines if question.roll in (None, line.face))
    if not found:
        faces = (1, lines[-1].face)
        text = "This table has no such face."
        return Problems((RuleProblem("no_such_face", text, "Tables", ("roll",), question.roll, faces),))
    return TableAnswer(entries=len(lines), lines=found)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollQuestion:
    """A roll, and the Fortune that could be spent on it.

    Attributes:
        bonus: Attribute and talents together, -10 to 40.
        close: The least total that is Close, 0 to 60.
        clear: The least total that is Clear.
        lucky: Sources of Lucky.
        unlucky: Sources of Unlucky.
        possible: Whether success is possible at all.
        fortune: Fortune that could be spent, 0 to 30.
    """

    bonus: int
    close: int
    clear: int
    lucky: int = 0
    unlucky: int = 0
    possible: bool = True
    fortune: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendOdds:
    """How likely the results are when some Fortune is spent before the roll.

    Attributes:
        fortune: Fortune that it takes.
        lucky: Whether Lucky is bought.
        points: Points that are added.
        miss: The chance of a Miss.
        close: The chance of a Close.
        clear: The chance of a Clear.
        at_least_close: The chance of a Close or a Clear.
    """

    fortune: int
    lucky: bool
    points: int
    miss: Fraction
    close: Fraction
    clear: Fraction
    at_least_close: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOdds:
    """How likely the results of a roll are, with and without each Fortune that could be spent (E3, E5).

    Attributes:
        options: Each way to spend, the first of them nothing.
        consequence: The chance that a consequence is due when nothing is spent.
        natural_20: The chance of a natural 20.
    """

    options: tuple[SpendOdds, ...]
    consequence: Fraction
    natural_20: Fraction


def run_roll_odds(question: RollQuestion, catalog: Catalog) -> RollOdds | Problems:
    """The exact odds of a roll for each way of spending Fortune on it."""
    if problems := tuple(_roll_problems(question)):
        return Problems(problems)
    costs = catalog.rules.costs
    options = [
        _spend(question, points * costs.point, 0, points) for points in _points(question.fortune, costs.point)
    ]
    if question.fortune >= costs.lucky:
        left = question.fortune - costs.lucky
        options += [
            _spend(question, costs.lucky + points * costs.point, 1, points)
            for points in _points(left, costs.point)
        ]
    bare = _odds(question, 0, 0)
    return RollOdds(
        options=tuple(options),
        consequence=1 - bare.get(Result.CLEAR.value, Fraction(0)) - bare.get(_CLEAR_20, Fraction(0)),
        natural_20=sum((chance for word, chance in bare.items() if word.endswith(_20)), Fraction(0)),
    )


def _roll_problems(question: RollQuestion) -> Iterator[RuleProblem]:
    numbers = (
        ("bonus", question.bonus, BONUS),
        ("close", question.close, TARGET),
        ("clear", question.clear, TARGET),
        ("lucky", question.lucky, FORTUNE),
        ("unlucky", question.unlucky, FORTUNE),
        ("fortune", question.fortune, FORTUNE),
    )
    for name, found, bounds in numbers:
        if not bounds[0] <= found <= bounds[1]:
            text = f"It is from {bounds[0]} to {bounds[1]}."
            yield RuleProblem("number_out_of_range", text, "The Roll", (name,), found, bounds)
    problem = numbers_problem(question.close, question.clear)
    if problem is not None:
        yield problem


def _points(fortune: int, price: int) -> range:
    return range(fortune // price + 1)


def _odds(question: RollQuestion, bought: int, points: int) -> dict[str, Fraction]:
    """The chance of each outcome of the named roll, with Lucky bought and points added."""
    arguments = {
        "bonus": question.bonus + points,
        "close": question.close,
        "clear": question.clear,
        "mode": 0,
        "possible": int(question.possible),
        "lucky": question.lucky + bought,
        "unlucky": question.unlucky,
    }
    found: dict[str, Fraction] = {}
    for (_, word), chance in ROLL.odds(arguments).items():
        found[word] = found.get(word, Fraction(0)) + chance
    return found


def _spend(question: RollQuestion, fortune: int, bought: int, points: int) -> SpendOdds:
    """The odds with some Fortune spent; points are worth as much after the roll as before it."""
    chances = dict.fromkeys((one.value for one in Result), Fraction(0))
    for word, chance in _odds(question, bought, points).items():
        chances[word.partition("_")[0]] += chance
    close, clear = chances[Result.CLOSE.value], chances[Result.CLEAR.value]
    return SpendOdds(
        fortune=fortune,
        lucky=bool(bought),
        points=points,
        miss=chances[Result.MISS.value],
        close=close,
        clear=clear,
        at_least_close=close + clear,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StartQuestion:
    """What a group has brought together before its story begins.

    Attributes:
        players: Players beside the game master.
        places: Places on the map.
        forces: Forces that players know; None to leave them out.
    """

    players: int
    places: int
    forces: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartAnswer:
    """Whether a story can begin.

    Attributes:
        ready: Whether nothing is short.
        short: What is short: `places`, `forces`.
        places_needed: Places that such a group needs.
        forces_needed: Forces that any group needs.
    """

    ready: bool
    short: tuple[str, ...]
    places_needed: int
    forces_needed: int


def run_start(question: StartQuestion, catalog: Catalog) -> StartAnswer | Problems:
    """Whether a group has enough to begin: two places a player, three forces (K6, K7, K9)."""
    problems = []
    bounds = (FEWEST_PLAYERS, MOST_PLAYERS)
    if not bounds[0] <= question.players <= bounds[1]:
        text = f"From {bounds[0]} to {bounds[1]} players play, with one game master."
        problems.append(
            RuleProblem("players_out_of_range", text, "The Players", ("players",), question.players, bounds)
        )
    for name, found in (("places", question.places), ("forces", question.forces or 0)):
        if not 0 <= found <= MOST_PLACES:
            text, room = f"From 0 to {MOST_PLACES} can be counted.", (0, MOST_PLACES)
            problems.append(RuleProblem("number_out_of_range", text, "The Map", (name,), found, room))
    if problems:
        return Problems(tuple(problems))
    needed = question.players * catalog.rules.minimums.places_per_player
    few_forces = question.forces is not None and question.forces < FEWEST_FORCES
    short = (*(("places",) if question.places < needed else ()), *(("forces",) if few_forces else ()))
    return StartAnswer(ready=not short, short=short, places_needed=needed, forces_needed=FEWEST_FORCES)


TOOLS: tuple[AnyTool, ...] = (
    Tool(
        name="table",
        title="What a table says",
        text="What a face of one of the group's tables says, or all of them.",
        rule="Tones; The Map; The Party; Quests; Consequences",
        given=TableQuestion,
        answer=TableAnswer,
        run=run_table,
    ),
    Tool(
        name="roll_odds",
        title="Odds of a roll",
        text="How likely Miss, Close and Clear are, with and without each Fortune that could be spent.",
        rule="The Roll; Fortune",
        given=RollQuestion,
        answer=RollOdds,
        run=run_roll_odds,
    ),
    Tool(
        name="story_start",
        title="Can the story begin",
        text="Whether a group has brought enough places and forces together.",
        rule="The Map; Forces",
        given=StartQuestion,
        answer=StartAnswer,
        run=run_start,
    ),
)
