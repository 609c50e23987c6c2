"""Scenes and games a second by bots, what bots are worth, the Forge, and moves through the gateway.

In this order, what is timed in turns:

- Bots play whole games of Dwarf Dice and of Forgeborn against each other; the solver of the Forge is asked. A
  strong bot plays a thousand games against a random one.
- Bots play whole scenes on the rules alone, always the same ones in each turn. What counts is this process's
  time on a processor, so that a rate is what one core does.
- Bots play a campaign of Fortunate Blades of fifty quests; its last five are compared with its first.
- ``legal``, asked for a wizard's turn, as often as fits.
- Moves go through the public door of a product of its own: made by ``playBot``, or chosen from ``legalMoves``
  and made by ``performMove`` in the JSON form. Every table has an account, a campaign, a hero and a scene of
  its own, makes one move after another, and begins another scene when one is over. The time of a move is
  that of its mutation, to the last byte of the answer; ``legalMoves`` is a case of its own. Looking and
  beginning scenes take their part of the time that ``moves_per_s`` is reckoned by.

The cost limits are at work but never refuse: the players' buckets are filled up ten times a second behind the
product's back. A value is the median of its rounds; ``p99_ms`` is the median of the rounds' percentiles;
``processor_ms`` is the processor time of all processes of the product for one move, with the look before it.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack

import uvloop

from infra.benchmarks.harness.batches import again
from infra.benchmarks.harness.bot_scenes import AT_THE_FIRE, HEROES, WIZARD, Played, bots_at, wizards_turn
from infra.benchmarks.harness.buckets import full_buckets
from infra.benchmarks.harness.cases import Case, Figures, Sample
from infra.benchmarks.harness.long_campaign import campaign_cases
from infra.benchmarks.harness.matches import (
    STRENGTH_GAMES,
    contenders,
    forge_cases,
    forge_contenders,
    game_cases,
    strength_cases,
)
from infra.benchmarks.harness.processors import shares, watched
from infra.benchmarks.harness.product import Product, own_product
from infra.benchmarks.harness.rounds import Contender, say, take_turns
from infra.benchmarks.harness.tables import Guest, door, lay, playing, sign_up
from services.rules.systems.dungeonteller import SYSTEM

SECONDS = 120.0
"""Without the games that show how strong bots are, which take what they take."""
ROUNDS = 5
ROUNDS_AT_TABLES = 3
"""Fewer and longer, because a move takes its time and a percentile wants many of them."""
STOPPING = 3.0  # seconds of the whole that the end takes
LEAST = 12.0  # seconds of measuring at tables, however long the start took
GAMES = 0.2
RULES = 0.2
"""Share of the whole that goes to the rules alone; starting a product and playing at it takes the rest."""
LEGAL = 0.5  # of a turn

LEGAL_MOVES = f"legal moves of a wizard's turn, {AT_THE_FIRE}"
BOT_1, BOT_16 = "playBot through the gateway, 1 table", "playBot through the gateway, 16 tables"
MOVE_1, MOVE_16 = "performMove through the gateway, 1 table", "performMove through the gateway, 16 tables"
LOOK_1, LOOK_16 = "legalMoves through the gateway, 1 table", "legalMoves through the gateway, 16 tables"
TABLES = 16
BESIDE = {BOT_16: BOT_1, MOVE_16: MOVE_1, LOOK_16: LOOK_1}
"""What a case at many tables is compared with."""


def run(seconds: float) -> Iterator[Case]:
    """Measure games in about ``seconds`` all told."""
    deadline = time.monotonic() + seconds - STOPPING
    yield from of_whole_games(seconds * GAMES)
    yield from on_the_rules(seconds * RULES)
    say("playing a campaign of Fortunate Blades of 50 quests")
    yield from campaign_cases()
    say("starting a product")
    with own_product() as product:
        guests = [sign_up(product.address, f"Host {number + 1}") for number in range(TABLES)]
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            figures = runner.run(_at_tables(product, guests, deadline))
    yield from table_cases(figures)


# Whole games


def of_whole_games(seconds: float, rounds: int = ROUNDS, strength: int = STRENGTH_GAMES) -> Iterator[Case]:
    """Measure games from their opening to their end, the solver of the Forge, and how strong bots are."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        measured = [*contenders(), *forge_contenders()]
        figures = runner.run(take_turns(measured, rounds=rounds, seconds=seconds))
    yield from game_cases(figures)
    yield from forge_cases(figures)
    say(f"playing {strength:,} games of strong bots against random ones, of each game")
    yield from strength_cases(strength)


# On the rules alone


def on_the_rules(seconds: float, rounds: int = ROUNDS) -> Iterator[Case]:
    """Measure scenes that bots play, and legal moves."""
    play = SYSTEM.play
    assert play is not None
    state = wizards_turn(play)
    contenders = [
        *(Contender(setup, bots_at(play, setup)) for setup in play.setups),
        Contender(LEGAL_MOVES, again(lambda: play.legal(state, WIZARD), 1), LEGAL),
    ]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        figures = runner.run(take_turns(contenders, rounds=rounds, seconds=seconds))
    for setup in play.setups:
        yield from bot_cases(setup, figures[setup])
    found = figures[LEGAL_MOVES]
    yield Case(
        LEGAL_MOVES,
        found.latency(50),
        "ms",
        more={
            "p99_ms": found.latency(99),
            "offers": len(play.legal(state, WIZARD)),
            "measured": found.done,
        },
        less_is_better=True,
    )


def bot_cases(setup: str, found: Figures) -> Iterator[Case]:
    """Tell how many scenes, and how many moves of them, one core plays in a second."""
    turns = _played(found)
    moves = Figures(
        [Sample(turn.seconds, [turn.seconds * 1000 / turn.moves], batch=turn.moves) for turn in turns]
    )
    each = sum(turn.moves for turn in turns) / found.done
    name = f"{setup}, bots of {len(HEROES)} heroes and their foes"
    yield Case(
        f"scenes of {name}",
        found.rate,
        "scenes/s per core",
        more={"p50_ms": found.latency(50), "p99_ms": found.latency(99), "measured": found.done},
    )
    yield Case(
        f"moves of {name}",
        moves.rate,
        "moves/s per core",
        more={"moves_a_scene": each, "with_dice": _share_with_dice(found), "measured": moves.done},
    )


# At tables


async def _at_tables(product: Product, guests: Sequence[Guest], deadline: float) -> Mapping[str, Figures]:
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(full_buckets(product, [guest.account for guest in guests]))
        tables = [
            await lay(await stack.enter_async_context(door(product.ports["public"], guest.key)), number)
            for number, guest in enumerate(guests)
        ]
        measures = {
            BOT_1: playing(tables[:1], bots=True),
            MOVE_1: playing(tables[:1], bots=False),
            MOVE_16: playing(tables, bots=False),
            BOT_16: playing(tables, bots=True),
        }
        contenders = [Contender(name, watched(product.pid, measure)) for name, measure in measures.items()]
        seconds = max(deadline - time.monotonic(), LEAST)
        return await take_turns(contenders, rounds=ROUNDS_AT_TABLES, seconds=seconds)


def table_cases(figures: Mapping[str, Figures]) -> Iterator[Case]:
    """Tell how long moves and looks take, those of many tables beside those of one."""
    looks = {
        look: Figures([Sample(turn.seconds, turn.looks) for turn in _played(figures[move])])
        for look, move in ((LOOK_1, MOVE_1), (LOOK_16, MOVE_16))
    }
    told = {**figures, **looks}
    for name, found in told.items():
        other = BESIDE.get(name)
        moved = {} if name in looks else {"moves_per_s": found.rate, "with_dice": _share_with_dice(found)}
        yield Case(
            name,
            found.latency(50),
            "ms",
            against=told[other].latency(50) if other else None,
            against_name=other,
            more={"p99_ms": found.latency(99), **moved, "measured": found.done, **shares(found)},
            failures=found.failures,
            less_is_better=True,
        )


def _played(found: Figures) -> list[Played]:
    return [sample for sample in found.samples if isinstance(sample, Played)]


def _share_with_dice(found: Figures) -> float:
    turns = _played(found)
    return sum(turn.with_dice for turn in turns) / sum(turn.moves for turn in turns)
