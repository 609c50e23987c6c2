"""Rolls a second beside d20 and rpg-dice-roller, exact odds beside icepool, and pages of a million rolls.

Each comparison is measured in one run, in turns; a value is the median of its rounds. Every roller is asked
for the whole result, and the result is read: the total, and each die's value, use and marks. That the texts
mean the same to all is checked first. Where less is better (times, sizes), a ratio is the other's value by
ours, so that greater is better everywhere.

Without Node packages the comparison with rpg-dice-roller is left out, and said to be.
"""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from importlib.metadata import version
from typing import Any, TypeVar

import uvloop

from infra.benchmarks.harness.cases import Case, Figures
from infra.benchmarks.harness.comparisons import Comparison, Other
from infra.benchmarks.harness.dice_history import History, Readers, filled
from infra.benchmarks.harness.dice_odds import odds_comparisons
from infra.benchmarks.harness.dice_rolls import (
    COUNTING,
    KNOWN,
    NEW,
    Text,
    check_agreement,
    readying_new,
    rolling,
    rolling_d20,
    rolling_new,
    rolling_new_d20,
    rolling_verified,
)
from infra.benchmarks.harness.dice_table import own_table
from infra.benchmarks.harness.peers import Peer, dice_peer, dice_peer_name
from infra.benchmarks.harness.rounds import Contender, Measure, say, take_turns
from infra.launch.failure import BootstrapFailure
from services.dice.rolls.repository import Narrowed

SECONDS = 90.0
ROUNDS = 5
ALONE = 0.3
"""How long the turn of a single text is, in turns: it says where the time goes, and has no target."""
ROLLING, KEEPING, PAGING = 0.5, 0.08, 0.12
"""Shares of the whole that go to rolls and odds, to rolls that are kept, and to reading pages; filling the
history takes the rest."""

D20, NODE = f"d20 {version('d20')}", f"{dice_peer_name()} in Node"
HELD_PAGES = 200

SINGLY, TOGETHER = "rolls kept, one a request", "rolls kept, a hundred a request"
NEWEST = "page of a table's 500,000 rolls, newest"
MIDDLE = "page of a table's 500,000 rolls, in the middle"
HERO_NEWEST = "page of a character's 100,000 rolls, newest"
HERO_MIDDLE = "page of a character's 100,000 rolls, in the middle"
SPAN_MIDDLE = "first page of a day's rolls at a table, in the middle"
EVERYTHING = "first page of all rolls that a player may see"
MEMORY = f"memory for {HELD_PAGES} pages, one at a time"

PAGES: Mapping[str, tuple[str, float] | None] = {
    NEWEST: None,
    MIDDLE: (NEWEST, 0.5),
    HERO_NEWEST: (NEWEST, 0.5),
    HERO_MIDDLE: (HERO_NEWEST, 0.5),
    SPAN_MIDDLE: (NEWEST, 0.5),
    EVERYTHING: (NEWEST, 0.5),
}
"""What reading a page is compared with, and the least ratio that is wanted: however deep, however narrowed, a
page is an index look-up and a hundred rows."""


def run(seconds: float) -> Iterator[Case]:
    """Measure dice in about ``seconds``, of which some 15 go to filling a database."""
    with ExitStack() as stack:
        peer = rival_in_node(stack)
        say("looking whether the texts mean the same to all")
        check_agreement([*KNOWN, COUNTING], peer)
        yield from measured([*roll_comparisons(peer), *odds_comparisons(ALONE)], seconds * ROLLING)
    yield from keeping(seconds * KEEPING)
    say("filling a database with a million rolls")
    with filled() as history:
        yield from paging(history, seconds * PAGING)


def measured(comparisons: Sequence[Comparison], seconds: float, rounds: int = ROUNDS) -> Iterator[Case]:
    """Measure comparisons together, and tell them."""
    contenders = [contender for comparison in comparisons for contender in comparison.contenders()]
    figures = _run(take_turns(contenders, rounds=rounds, seconds=seconds))
    for comparison in comparisons:
        yield from comparison.cases(figures)


# Rolls


def roll_comparisons(peer: Peer | None) -> list[Comparison]:
    """Give what is rolled, beside whom."""

    def node(texts: Sequence[str], *, fresh: bool = False) -> list[Other]:
        return [] if peer is None else [Other(NODE, peer.rolling(texts, fresh=fresh))]

    def known(name: str, texts: Sequence[Text], share: float, target: float | None = None) -> Comparison:
        ours, theirs = [text.ours for text in texts], [text.d20 for text in texts if text.d20]
        d20 = [Other(D20, rolling_d20(theirs), target)] if theirs else []
        others = [*d20, *node([text.node for text in texts])]
        return Comparison(f"known roll, {name}", "rolls/s", rolling(ours), others, share)

    verified = rolling_verified("10d10", receipts=False)
    return [
        known("six texts in turns", KNOWN, 1.0, 3.0),
        *(known(text.ours, [text], ALONE) for text in (*KNOWN, COUNTING)),
        Comparison(
            "new text, six kinds in turns",
            "rolls/s",
            rolling_new(NEW),
            [Other(D20, rolling_new_d20(NEW), 4.0), *node(NEW, fresh=True)],
        ),
        Comparison(
            "new text on the service's way",
            "rolls/s",
            readying_new(NEW),
            [Other("the same, read and rolled only", rolling_new(NEW))],
            ALONE,
        ),
        Comparison(
            "verified 10d10", "rolls/s", verified, [Other(f"{D20}, unsigned", rolling_d20(["10d10"]), 2.0)]
        ),
        Comparison(
            "verified 10d10 with signed receipt",
            "rolls/s",
            rolling_verified("10d10", receipts=True),
            [Other("the same without receipt", verified)],
            ALONE,
        ),
    ]


def rival_in_node(stack: ExitStack) -> Peer | None:
    """Start rpg-dice-roller; give None, and say so, where it cannot be had."""
    try:
        return stack.enter_context(dice_peer())
    except BootstrapFailure as failure:
        say(f"not measured beside rpg-dice-roller: {failure}")
        return None


# Rolls that are kept


def keeping(seconds: float, rounds: int = ROUNDS) -> Iterator[Case]:
    """Measure rolls through the dice service's use cases and its database."""
    return iter(_run(_keeping(seconds, rounds)))


async def _keeping(seconds: float, rounds: int) -> list[Case]:
    async with own_table() as table:
        contenders = [Contender(SINGLY, table.singly()), Contender(TOGETHER, table.together())]
        figures = await take_turns(contenders, rounds=rounds, seconds=seconds)
    return list(keeping_cases(figures))


def keeping_cases(figures: Mapping[str, Figures]) -> Iterator[Case]:
    """Tell how many rolls a second are kept."""
    for name, found in figures.items():
        other = SINGLY if name == TOGETHER else None
        yield Case(
            name,
            found.rate,
            "rolls/s",
            against=figures[other].rate if other else None,
            against_name=other,
            more={"ms_each": found.latency(50), "measured": found.done},
        )


# Pages


def paging(history: History, seconds: float, rounds: int = ROUNDS, pages: int = HELD_PAGES) -> Iterator[Case]:
    """Measure reading pages of a history, and what they take of memory."""
    return iter(_run(_paging(history, seconds, rounds, pages)))


async def _paging(history: History, seconds: float, rounds: int, pages: int) -> list[Case]:
    readers = Readers(history)
    try:
        figures = await take_turns(_readers(readers, history), rounds=rounds, seconds=seconds)
        say(f"reading {pages} pages one after another")
        alone, held = await readers.growth(pages, held=False), await readers.growth(pages, held=True)
    finally:
        await readers.close()
    return [
        *page_cases(figures),
        Case(
            MEMORY,
            alone,
            "MB",
            against=held,
            against_name="the same pages all held",
            target=pages / 10,
            less_is_better=True,
        ),
    ]


def _readers(readers: Readers, history: History) -> list[Contender]:
    table, hero = Narrowed(campaign=history.campaign), Narrowed(character=history.character)
    middle = history.id_at(0.5)
    day = replace(table, since=history.moment(0.5) - timedelta(days=1), until=history.moment(0.5))
    measures: Mapping[str, Measure] = {
        NEWEST: readers.scrolling(table),
        MIDDLE: readers.scrolling(table, middle),
        HERO_NEWEST: readers.scrolling(hero),
        HERO_MIDDLE: readers.scrolling(hero, middle),
        SPAN_MIDDLE: readers.scrolling(day, pages=1),
        EVERYTHING: readers.scrolling(Narrowed(), pages=1),
    }
    return [Contender(name, measure) for name, measure in measures.items()]


def page_cases(figures: Mapping[str, Figures]) -> Iterator[Case]:
    """Tell how long a page takes, each beside what it is compared with."""
    for name, compared in PAGES.items():
        other, target = compared or (None, None)
        found = figures[name]
        yield Case(
            name,
            found.latency(50),
            "ms",
            against=figures[other].latency(50) if other else None,
            against_name=other,
            target=target,
            more={"p99_ms": found.latency(99), "measured": found.done},
            less_is_better=True,
        )


T = TypeVar("T")


def _run(work: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)
