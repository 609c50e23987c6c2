"""Whole games that bots play against each other on the rules alone: how many a second, and who wins."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from infra.benchmarks.harness.batches import in_batches
from infra.benchmarks.harness.bot_scenes import Played
from infra.benchmarks.harness.cases import BenchFailure, Case, Figures, Sample
from infra.benchmarks.harness.rounds import Contender, Measure
from services.rules.engine.bots import RANDOM, Bot, bots_of
from services.rules.engine.matches import Match, chooser, named_stream, play_match, tournament
from services.rules.engine.play import AnyPlay, CastMember
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem
from services.rules.systems.dwarf_dice.catalog import own_catalog
from services.rules.systems.dwarf_dice.forge import OUTER, Blank, Smithy, squares
from services.rules.systems.dwarf_dice.resources import HOARD, ORDER, Resource

STRONG = "strong"
SETUPS = {
    "dwarf_dice": {STRONG: "feud", RANDOM: "feud"},
    # Random Smiths would hardly ever slay the Dragon: theirs is a game of twelve rounds, with a rival in it.
    "forgeborn": {STRONG: "realm", RANDOM: "market-day"},
}
"""The games that are played to their end, and the setup that is played of each by two such bots."""

STRENGTH_GAMES = 1_000
STRENGTH = 0.8
"""Share of so many games that the strong bot is to win of a random one."""

FORGE_SOLVE_US = 50.0
"""How long one question to the solver of the Forge may take."""
SOLVES = 500
NEW_SOLVES = 10
SOLVED = "forge: every set of items from a Hoard beside its Nulls"
SOLVED_ANEW = "forge: the first question of its kind, which is remembered then"


def contenders() -> list[Contender]:
    """Every game, played by two strong bots and by two random ones."""
    return [
        Contender(_name(slug, bot), playing(_play(slug), _opening(slug, setup), bot_called(slug, bot)))
        for slug, setups in SETUPS.items()
        for bot, setup in setups.items()
    ]


def game_cases(figures: Mapping[str, Figures]) -> Iterator[Case]:
    """Tell how many games one core plays in a second, and what they are like."""
    for slug, setups in SETUPS.items():
        for bot in setups:
            found = figures[_name(slug, bot)]
            turns = [sample for sample in found.samples if isinstance(sample, Played)]
            yield Case(
                f"games of {_name(slug, bot)}",
                found.rate,
                "games/s per core",
                more={
                    "moves_a_game": sum(turn.moves for turn in turns) / found.done,
                    "p50_ms": found.latency(50),
                    "p99_ms": found.latency(99),
                    "measured": found.done,
                },
            )


def strength_cases(games: int = STRENGTH_GAMES) -> Iterator[Case]:
    """Tell which share of the games of two the strong bot wins of a random one, seats alternating."""
    for slug, setups in SETUPS.items():
        play, opening = _play(slug), _opening(slug, setups[STRONG])
        strong, weak = bot_called(slug, STRONG), bot_called(slug, RANDOM)
        began = time.process_time()
        tally = tournament(play, [opening], _seats(play, opening), [strong, weak], games, name="bench")
        yield Case(
            f"{slug}: the strong bot against a random one",
            tally.share(0),
            "share of games won",
            against=1.0,
            against_name="all of them",
            target=STRENGTH,
            more={
                "games": tally.games,
                "given_up": tally.unfinished,
                "moves_a_game": tally.moves / tally.games,
                "seconds": time.process_time() - began,
            },
        )


def playing(play: AnyPlay, opening: Any, bot: Bot) -> Measure:
    """Measure whole games of one bot against itself: the first of a row that is the same in each turn."""
    seats = _seats(play, opening)

    async def measure(seconds: float) -> Sample:
        end = time.perf_counter() + seconds
        took: list[float] = []
        moves = 0
        while not took or time.perf_counter() < end:
            began = time.process_time()
            match = play_out(play, opening, seats, bot, len(took))
            took.append(time.process_time() - began)
            moves += match.moves
        return Played(sum(took), [spent * 1000 for spent in took], moves=moves)

    return measure


def play_out(play: AnyPlay, opening: Any, seats: Sequence[str], bot: Bot, number: int) -> Match:
    """Play one game to its end.

    Raises:
        BenchFailure: it does not come to one.
    """
    match = play_match(
        play,
        opening,
        dict.fromkeys(seats, bot),
        faces=named_stream("bench", number, "dice"),
        choose=chooser(named_stream("bench", number, "choices")),
    )
    if not match.outcome.ended:
        raise BenchFailure(f"{play.card(opening).title}: a game did not end in {match.moves} moves")
    return match


def bot_called(slug: str, name: str) -> Bot:
    """A bot of a game.

    Raises:
        BenchFailure: it has none of that name.
    """
    for bot in bots_of(_play(slug)):
        if bot.id == name:
            return bot
    raise BenchFailure(f"{slug} has no bot called {name!r}")


def _name(slug: str, bot: str) -> str:
    return f"{slug}, two {bot} bots"


def _play(slug: str) -> AnyPlay:
    play = systems()[slug].play
    if play is None:
        raise BenchFailure(f"{slug} is not played in scenes")
    return play


def _opening(slug: str, setup: str) -> Any:
    system: AnySystem = systems()[slug]
    names = list(system.examples)[:2]
    cast = tuple(
        CastMember(id=f"chr-{name}", sheet=system.build(system.examples[name], system.content))
        for name in names
    )
    play = _play(slug)
    state = play.begin(play.setups[setup], cast)
    if isinstance(state, Problems):
        raise BenchFailure(f"{setup} cannot begin: {state}")
    return state


def _seats(play: AnyPlay, opening: Any) -> list[str]:
    return [actor.id for actor in play.card(opening).actors if actor.character]


# The Forge


def forge_contenders() -> list[Contender]:
    """The solver of the Forge, as it runs at tables, and when it was never asked before."""
    return [
        Contender(SOLVED, in_batches(_remembering, SOLVES), 0.3),
        Contender(SOLVED_ANEW, in_batches(_anew, NEW_SOLVES), 0.3),
    ]


def forge_cases(figures: Mapping[str, Figures]) -> Iterator[Case]:
    """Tell how long it takes to find every set of items that can be forged."""
    for name in (SOLVED, SOLVED_ANEW):
        found = figures[name]
        yield Case(
            name,
            found.latency(50) * 1000,
            "us",
            against=FORGE_SOLVE_US,
            against_name="the limit",
            target=1.0 if name == SOLVED else None,
            more={"p99_us": found.latency(99) * 1000, "measured": found.done},
            less_is_better=True,
        )


def _smithy() -> Smithy:
    armory = own_catalog().armory
    extra = own_catalog().extra_items()
    return Smithy(tuple(Blank(item.id, item.side, item.pattern) for item in armory), extra, 1, shifting=True)


def _questions() -> list[tuple[tuple[int, int, int], int]]:
    """Hoards as they are rolled, each with its Nulls lying anywhere but in the centre."""
    stream = named_stream("bench", "forge")
    found = []
    for _ in range(SOLVES):
        faces = Counter(ORDER[face - 1] for face in stream.draw_many(len(ORDER), HOARD))
        outer = list(OUTER)
        nulls = [outer.pop(stream.draw(len(outer)) - 1) for _ in range(min(faces[Resource.NULL], len(OUTER)))]
        hoard = (faces[Resource.METAL], faces[Resource.WOOD], faces[Resource.ALCHEMY])
        found.append((hoard, squares(nulls)))
    return found


def _remembering(size: int) -> Callable[[], None]:
    smithy, questions = _smithy(), _questions()[:size]
    # A process that serves tables has been asked before.
    for hoard, blocked in questions:
        smithy.feasible(hoard, blocked)

    def solve() -> None:
        for hoard, blocked in questions:
            smithy.feasible(hoard, blocked)

    return solve


def _anew(size: int) -> Callable[[], None]:
    ready = [(_smithy(), question) for question in _questions()[:size]]

    def solve() -> None:
        for smithy, (hoard, blocked) in ready:
            smithy.feasible(hoard, blocked)

    return solve
