"""Questions that wait for a while only: answered in time, too late or not at all, on both databases."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.campaign.app import create_app
from services.campaign.scenes.clock import Timekeeper
from services.campaign.scenes.models import Scene
from services.campaign.scenes.moves import Moves, Performed
from services.campaign.scenes.problem import MoveRejected
from services.campaign.scenes.reader import SceneReader
from services.rules.engine.play import GM
from services.shared.clock import SteadyClock
from services.shared.database import Database
from services.shared.loops import PAUSE_SECONDS
from services.shared.peers import PeerRefused
from services.shared.portraits import Portraits
from services.shared.problems import Unavailable, VersionConflict
from services.shared.settings import Settings
from services.shared.stream import POLL_SECONDS
from tests.campaign.scene_desk import SYSTEMS, Desk, first
from tests.character.desk import living
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("campaign")

PATIENCE = 600
STAND: dict[str, Any] = {"flinch": False}
FLINCH: dict[str, Any] = {"flinch": True}


SETUP: dict[str, Any] = {
    "title": "The Yard",
    "rivals": ["Sour Tam"],
    "hiddenRival": True,
    "patience": PATIENCE,
}


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    await made.start(setup=SETUP)
    yield made
    await database.close()


def keeper(desk: Desk) -> Timekeeper:
    return Timekeeper(desk.database, desk.clock, desk.moving, desk.systems)


async def dare(desk: Desk) -> datetime:
    """Have Anna strike at the rival, and give the moment until which it may flinch."""
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    (until,) = (await desk.look(desk.watcher)).deadlines.values()
    return until


def later(desk: Desk, seconds: float = PATIENCE + 1) -> None:
    desk.clock.ahead += timedelta(seconds=seconds)


async def kinds(desk: Desk) -> list[tuple[str, bool]]:
    return [(move.kind, move.lapsed) for move in await desk.moves(desk.gm)]


async def test_a_question_has_a_deadline_that_everybody_who_knows_of_it_sees(desk: Desk) -> None:
    for who in (desk.gm, desk.anna, desk.watcher):
        assert (await desk.look(who)).deadlines == {}
    before = desk.clock()
    until = await dare(desk)
    assert timedelta(0) <= until - before - timedelta(seconds=PATIENCE) < timedelta(seconds=60)
    for who in (desk.gm, desk.ben):
        assert (await desk.look(who)).deadlines == {"1.0.flinch": until}
    assert (await desk.row()).due_at == until
    later(desk, 10)
    # What is tried meanwhile gives nobody more time.
    early = await desk.move(desk.gm, "Listen", GM, who=desk.hero)
    assert isinstance(early, MoveRejected) and early.issues[0].code == "MOVE_WAITS"
    assert (await desk.look(desk.gm)).deadlines == {"1.0.flinch": until}
    await desk.made(desk.gm, "Answer", "rival-1", **FLINCH)
    row = await desk.row()
    assert (row.deadlines, row.due_at) == ({}, None)
    await desk.start()
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    assert (await desk.row()).due_at is None


@ON_BOTH
async def test_who_does_not_answer_in_time_is_answered_for_once(desk: Desk) -> None:
    await dare(desk)
    assert await keeper(desk).round() <= PATIENCE
    assert await kinds(desk) == [("move", False)]
    later(desk)
    desk.dice.loaded += [[6, 6, 6], [1, 1, 1]]
    # Several replicas wake at once.
    others = [Moves(desk.database, desk.clock, desk.dice, SYSTEMS, first) for _ in range(3)]
    clocks = [Timekeeper(desk.database, desk.clock, playing, SYSTEMS) for playing in others]
    await asyncio.gather(*(clock.round() for clock in clocks))
    (_, stood) = await desk.moves(desk.ben)
    assert (stood.lapsed, stood.seq, stood.actor, stood.by_gm) == (True, 2, "rival-1", True)
    assert (stood.account, stood.sentences) == (desk.gm.account, ("Anna hits Sour Tam.",))
    assert len(desk.dice.drawn) == 1
    assert (await desk.log())[-1].text == "Anna hits Sour Tam."
    row = await desk.row()
    assert (row.deadlines, row.due_at, row.pending) == ({}, None, None)
    assert await keeper(desk).round() == POLL_SECONDS
    # It is taken back with the move that it answers.
    taken = await desk.undo(desk.gm, desk.scene, 2)
    assert isinstance(taken, Performed)
    assert taken.scene.due_at is None and taken.scene.state == taken.scene.opening
    assert [move.undone for move in await desk.moves(desk.gm)] == [True, True, False]


@ON_BOTH
async def test_an_answer_that_comes_too_late_finds_that_the_clock_was_first(desk: Desk) -> None:
    await dare(desk)
    later(desk)
    desk.dice.loaded += [[1, 1, 1], [6, 6, 6]]
    late = await desk.move(desk.gm, "Answer", "rival-1", seq=1, **FLINCH)
    assert isinstance(late, VersionConflict) and late.current_version == 2
    assert await kinds(desk) == [("move", False), ("move", True)]
    assert (await desk.moves(desk.anna))[1].sentences == ("Anna misses Sour Tam.",)
    # An undo that comes too late takes back nothing that its sender has not seen.
    await desk.made(desk.ben, "Strike", desk.other, target="rival-1")
    later(desk)
    assert isinstance(await desk.undo(desk.gm, desk.scene, 3), VersionConflict)
    assert await kinds(desk) == [("move", False), ("move", True)] * 2


async def test_an_answer_in_time_stands_however_late_its_dice_are(desk: Desk) -> None:
    await dare(desk)
    desk.dice.away = True
    assert isinstance(await desk.move(desk.gm, "Answer", "rival-1", **STAND), Unavailable)
    later(desk)
    assert await keeper(desk).round() == PAUSE_SECONDS
    assert await kinds(desk) == [("move", False)]
    desk.dice.away = False
    await keeper(desk).round()
    assert await kinds(desk) == [("move", False), ("move", False)]
    assert (await desk.row()).due_at is None


async def test_dice_that_are_away_when_time_is_over_are_asked_again(desk: Desk) -> None:
    await dare(desk)
    later(desk)
    desk.dice.lost = True
    assert await keeper(desk).round() == PAUSE_SECONDS
    fell = [roll["faces"] for roll in desk.dice.drawn[f"{desk.scene}:2"][1]["rolls"]]
    # Any request that comes upon it completes it, and with the dice that fell for it.
    assert isinstance(await desk.move(desk.ben, "Brace", desk.other), Unavailable)
    desk.dice.lost = False
    desk.play(SYSTEMS)
    await keeper(desk).round()
    (_, stood) = await desk.moves(desk.gm)
    assert stood.lapsed and [list(thrown.faces) for thrown in stood.rolls] == fell
    assert len(desk.dice.drawn) == 1


@ON_BOTH
async def test_a_lapse_whose_dice_are_refused_leaves_the_table_to_people(desk: Desk) -> None:
    await dare(desk)
    later(desk)
    desk.dice.refusing = PeerRefused("dice", 422, "INVALID", "No such dice.")
    await keeper(desk).round()
    desk.dice.refusing = None
    assert await kinds(desk) == [("move", False), ("void", True)]
    assert (await desk.row()).due_at is None
    await keeper(desk).round()
    await desk.made(desk.gm, "Answer", "rival-1", **STAND)
    assert await kinds(desk) == [("move", False), ("void", True), ("move", False)]


async def test_the_loop_wakes_for_what_is_due_and_leaves_other_games_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.campaign.scenes.clock.POLL_SECONDS", 600.0)
    timekeeper = keeper(desk)
    lapsed = asyncio.Event()

    def hear(_topics: frozenset[str]) -> None:
        timekeeper.poke(_topics)
        if len(desk.dice.drawn) == 1:
            lapsed.set()

    desk.database.after_commit.append(hear)
    running = asyncio.create_task(timekeeper.run())
    try:
        await dare(desk)
        waiting = desk.scene
        later(desk)
        # Whatever is committed about a scene with a clock makes it look at the time.
        await desk.start(setup=SETUP)
        await dare(desk)
        async with asyncio.timeout(60):
            await lapsed.wait()
    finally:
        running.cancel()
    desk.scene = waiting
    assert await kinds(desk) == [("move", False), ("move", True)]


async def test_a_process_that_starts_finds_what_came_due_while_none_ran(
    settings: Settings, desk: Desk
) -> None:
    game = SYSTEMS["dwarf_dice"]
    for hero, choices in zip((desk.hero, desk.other), game.examples.values(), strict=False):
        desk.characters.sheets[hero] = game.sheet_codec.dump(game.build(choices, game.content))
    desk.clock.ahead = timedelta(hours=-1)
    await desk.start(system="dwarf_dice", setup="closed-hands")
    # Two Nulls in the first hoard are somebody else's to place, which takes no dice.
    desk.dice.loaded.append([1, 1, 2, 3, 4, 5, 5, 6, 6])
    while not (look := await desk.look(desk.gm)).deadlines:
        assert look.card is not None
        moved = await desk.bot(desk.gm, look.card.waiting_for[0], look.row.seq)
        assert isinstance(moved, Performed)
    (prompt,) = look.deadlines
    async with living(create_app(settings)), asyncio.timeout(60):
        while prompt in (await desk.row()).deadlines:
            await asyncio.sleep(0.02)
    assert (await desk.moves(desk.gm))[-1].lapsed


async def test_a_scene_that_is_over_waits_for_nobody(desk: Desk) -> None:
    await dare(desk)
    assert isinstance(await desk.undo(desk.gm, desk.scene, 1), Performed)
    assert (await desk.row()).due_at is None
    await desk.made(desk.gm, "Stop", GM)
    row = await desk.row()
    assert row.ended_at is not None and (row.deadlines, row.due_at, row.waiting) == ({}, None, None)
    later(desk)
    await keeper(desk).round()
    over = await desk.move(desk.anna, "Brace", desk.hero)
    assert isinstance(over, MoveRejected) and over.issues[0].code == "SCENE_OVER"
    assert len(await kinds(desk)) == 3


@ON_BOTH
async def test_what_can_no_longer_be_read_does_not_hold_up_other_clocks(desk: Desk) -> None:
    await dare(desk)
    broken = desk.scene
    async with desk.database.write() as session:
        row = await session.get(Scene, broken)
        assert row is not None
        row.state = {**row.state, "version": 99}
    setup = {"title": "The Mill", "rivals": ["Nell"], "patience": PATIENCE}
    await desk.start(setup=setup)
    await dare(desk)
    later(desk)
    await keeper(desk).round()
    assert await kinds(desk) == [("move", False), ("move", True)]
    desk.scene = broken
    assert (await desk.row()).due_at is None


class SetClock:
    """A system's clock that is set, beside one that goes on evenly: both as this test says."""

    def __init__(self) -> None:
        self.moment, self.seconds = datetime(2026, 5, 1, 20, 0, tzinfo=UTC), 1_000.0

    def go_on(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)
        self.seconds += seconds


def timed(desk: Desk, clock: SetClock) -> SteadyClock:
    """Have scenes measured by a clock that begins now, as a process does that has just started."""
    steady = SteadyClock(lambda: clock.moment, lambda: clock.seconds)
    desk.clock = steady  # type: ignore[assignment]
    desk.play(SYSTEMS)
    desk.reader = SceneReader(
        desk.database, desk.moving, desk.systems, Portraits(desk.characters), steady.shown
    )
    return steady


@ON_BOTH
@pytest.mark.parametrize("jump", [1, -1], ids=["forward", "back"])
async def test_a_clock_that_is_set_while_the_table_is_silent_costs_nobody_their_answer(
    desk: Desk, jump: int
) -> None:
    clock, hour = SetClock(), timedelta(hours=1)
    timed(desk, clock)
    until = await dare(desk)
    clock.go_on(10)
    clock.moment += jump * hour
    # What people see goes by the clock as it is set now, and lapses when the table's time is over.
    assert (await desk.look(desk.gm)).deadlines == {"1.0.flinch": until + jump * hour}
    assert await keeper(desk).round() <= PATIENCE
    clock.go_on(PATIENCE - 11)
    await keeper(desk).round()
    assert await kinds(desk) == [("move", False)]
    clock.go_on(2)
    await keeper(desk).round()
    assert await kinds(desk) == [("move", False), ("move", True)]


@pytest.mark.parametrize("jump", [1, -1], ids=["forward", "back"])
async def test_an_answer_in_time_counts_whatever_the_clock_was_set_to(desk: Desk, jump: int) -> None:
    clock = SetClock()
    timed(desk, clock)
    await dare(desk)
    clock.go_on(PATIENCE - 5)
    clock.moment += jump * timedelta(hours=1)
    await desk.made(desk.gm, "Answer", "rival-1", **FLINCH)
    assert await kinds(desk) == [("move", False), ("move", False)]


async def test_across_a_restart_the_deadline_holds_that_is_kept(desk: Desk) -> None:
    clock = SetClock()
    timed(desk, clock)
    until = await dare(desk)
    clock.moment += timedelta(hours=1)
    timed(desk, clock)
    assert (await desk.look(desk.gm)).deadlines == {"1.0.flinch": until}
    await keeper(desk).round()
    assert await kinds(desk) == [("move", False), ("move", True)]
