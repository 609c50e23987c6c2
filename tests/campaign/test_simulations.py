"""Simulations from the question to the answer, with workers that die and accounts that cannot pay."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import text as sql
from starlette.applications import Starlette

from services.campaign.internal import internal_routes
from services.campaign.membership.requests import CreateCampaign
from services.campaign.simulations.requests import (
    ReplacedValue,
    SceneId,
    SimulatedCharacter,
    SimulatedScene,
    SimulationPolicy,
    SimulationPrecision,
    SimulationVariant,
)
from services.rules.engine.simulation.blocks import SIZES
from services.rules.engine.simulation.request import Precision, Replacement, Variant
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.database import Database
from services.shared.jobs import LEASE, MAX_ATTEMPTS, JobState, LostLease
from services.shared.problems import Forbidden, InvalidInput, NotFound
from services.shared.settings import Settings
from services.shared.stream import Wakes
from tests.at_length import part_or_whole
from tests.campaign.scene_desk import somebody
from tests.campaign.simulation_desk import PlayerHere, SimulationDesk, bare
from workers.simulations import play_turn

HALF_WIDTH = part_or_whole(0.7, 0.5)
"""Rounds: half of it takes four times the runs."""
SHORT_TURN = 60
"""Milliseconds of a turn, where it is turns that are counted."""


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[SimulationDesk]:
    database = Database(settings.database_url("campaign"))
    made = SimulationDesk(database)
    await made.open()
    yield made
    await database.close()


async def rows(desk: SimulationDesk, table: str) -> int:
    async with desk.database.read() as session:
        return int((await session.execute(sql(f"SELECT count(*) FROM {table}"))).scalar_one())


# The answer


@pytest.mark.parametrize("workers", [1, 2, 7])
async def test_any_number_of_workers_finds_what_the_bare_loop_finds(
    desk: SimulationDesk, workers: int
) -> None:
    simulation = await desk.ask(desk.gm, runs=150)
    await desk.play_all(workers)
    seen = await desk.seen(desk.gm, simulation)
    assert seen.job.state is JobState.SUCCEEDED
    assert seen.progress == 1.0
    assert await desk.report(desk.gm, simulation) == bare(runs=150)
    assert await rows(desk, "simulation_block") == 0


@pytest.mark.parametrize("workers", [1, 3])
async def test_it_stops_as_soon_as_the_blocks_from_the_first_on_are_exact_enough(
    desk: SimulationDesk, workers: int
) -> None:
    precision = SimulationPrecision(figure="rounds", half_width=HALF_WIDTH)
    simulation = await desk.ask(desk.gm, runs=2_000, precision=precision)
    await desk.play_all(workers)
    alone = bare(runs=2_000, precision=Precision(figure="rounds", half_width=HALF_WIDTH))
    assert await desk.report(desk.gm, simulation) == alone
    assert sum(SIZES) < alone["data"]["runs"] < 2_000, "it stops behind the first blocks, and before the last"


async def test_variants_are_compared_on_the_same_dice(desk: SimulationDesk) -> None:
    """Three blocks are enough for cases to be added up across turns; a random player's move takes 5 ms, so
    scenes are given up early."""
    change = {"pointer": "/policies/*", "value": "random@1"}
    simulation = await desk.ask(
        desk.gm,
        runs=16,
        most_moves=20,
        policies=(SimulationPolicy(subject="*", bot="steady@1"),),
        variants=(SimulationVariant(name="blind", changes=(ReplacedValue(**change),)),),
    )
    await desk.play_all()
    alone = bare(
        runs=16,
        most_moves=20,
        policies={"*": "steady@1"},
        variants=(Variant(name="blind", changes=(Replacement(**change),)),),
    )
    assert await desk.report(desk.gm, simulation) == alone


async def test_something_is_known_before_it_is_answered(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, runs=5_000)
    await desk.turn(dies_after=1)
    seen = await desk.seen(desk.gm, simulation)
    assert seen.job.state is JobState.RUNNING
    assert 0 < seen.progress < 1
    known = (await desk.report(desk.gm, simulation))["data"]
    assert known["runs"] > 0
    assert not known["done"]


async def test_who_has_a_table_is_told_so_without_writing_it_until_more_is_known(
    desk: SimulationDesk, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation = await desk.ask(desk.gm, runs=150)
    uses = desk.use_cases(Wakes())
    written: list[str] = []
    csv = uses.simulations.csv

    async def counted(viewer: Viewer, report: str) -> str:
        written.append(report)
        return await csv(viewer, report)

    monkeypatch.setattr(uses.simulations, "csv", counted)
    app = Starlette(routes=internal_routes(Signer.of("campaign", settings), uses))
    gateway = Signer.of("account", settings)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://campaign") as client:

        async def ask(who: Viewer, held: str, status: int, *, writes: bool) -> str:
            written.clear()
            headers = {TOKEN_HEADER: gateway.sign("campaign", who, service=True), "if-none-match": held}
            answer = await client.get(f"/internal/simulations/{simulation}/report.csv", headers=headers)
            assert (answer.status_code, bool(written)) == (status, writes)
            return str(answer.headers.get("etag", ""))

        early = await ask(desk.gm, "", 200, writes=True)
        assert await ask(desk.gm, early, 304, writes=False) == early
        assert await ask(somebody(), early, 404, writes=False) == ""
        await desk.play_all()
        whole = await ask(desk.gm, early, 200, writes=True)
        assert whole != early
        assert await ask(desk.gm, whole, 304, writes=False) == whole


async def test_a_subscriber_sees_each_change_up_to_the_end(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm)
    feed = desk.service.follow(desk.gm, simulation)
    first = await anext(feed)
    await desk.play_all()
    versions = [first.row.version, *[view.row.version async for view in feed]]
    assert versions == sorted(set(versions))
    assert (await desk.seen(desk.gm, simulation)).row.version == versions[-1]


async def test_rows_stay_few_however_many_runs_are_asked_for(
    desk: SimulationDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.simulations.TURN_MILLISECONDS", SHORT_TURN)
    await desk.ask(desk.gm, runs=10_000_000)
    for _ in range(4):
        await desk.turn()
        assert await rows(desk, "simulation_block") <= 64 * 8
        assert await rows(desk, "job") <= 9


# Whatever is killed


async def test_what_a_worker_has_begun_is_played_by_the_next_and_counted_once(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, runs=150)
    for heard in (0, 1, 3):
        with contextlib.suppress(asyncio.CancelledError):
            await desk.turn(stops_after=heard)
    desk.clock.ahead += 2 * LEASE
    await desk.play_all()
    assert await desk.report(desk.gm, simulation) == bare(runs=150)


async def test_what_a_silent_worker_has_begun_is_not_waited_for(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, runs=150)
    with contextlib.suppress(asyncio.CancelledError):
        await desk.turn(stops_after=1)
    desk.clock.ahead += LEASE - timedelta(seconds=1)
    await desk.turn()
    assert (await desk.seen(desk.gm, simulation)).row.runs == 8
    desk.clock.ahead += timedelta(seconds=2)
    await desk.turn()  # of a lane that has never begun: it goes before the silent one
    assert (await desk.seen(desk.gm, simulation)).row.runs > 8


async def test_a_worker_that_was_given_up_changes_nothing_any_more(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, runs=150)
    work = desk.work
    job = await work.begin()
    assert job is not None
    turn = await work.open(job)
    player = PlayerHere()
    await player.begin(
        job.kind, {"request": turn.request, "claims": [(c.block, c.tally) for c in turn.claims]}
    )
    late = await player.outcome()
    desk.clock.ahead += 2 * LEASE
    await desk.play_all()
    with pytest.raises(LostLease):
        await work.take(turn, late)
    assert await desk.report(desk.gm, simulation) == bare(runs=150)


async def test_a_block_that_was_handed_over_twice_counts_once(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, runs=150)
    work = desk.work
    job = await work.begin()
    assert job is not None
    turn = await work.open(job)
    player = PlayerHere()
    await player.begin(
        job.kind, {"request": turn.request, "claims": [(c.block, c.tally) for c in turn.claims]}
    )
    block = await player.outcome()
    assert not await work.take(turn, block)
    with pytest.raises(LostLease):
        await work.take(turn, block)
    assert (await desk.seen(desk.gm, simulation)).row.runs == 8


async def test_a_question_that_kills_its_worker_each_time_is_dead_with_its_reason(
    desk: SimulationDesk,
) -> None:
    simulation = await desk.ask(desk.gm, runs=8)
    for _ in range(MAX_ATTEMPTS):
        await desk.turn(dies_after=0)
        desk.clock.ahead += timedelta(minutes=1)
    dead = (await desk.seen(desk.gm, simulation)).job
    assert dead.state is JobState.DEAD
    assert dead.error == {"code": "ATTEMPT_FAILED", "message": "The process was killed."}
    assert await desk.turn() is None


async def test_a_question_that_gets_on_each_time_outlives_any_number_of_killed_workers(
    desk: SimulationDesk,
) -> None:
    simulation = await desk.ask(desk.gm, runs=100)
    with contextlib.suppress(asyncio.CancelledError):
        await desk.turn(stops_after=0)
    while (job := await desk.turn()) is not None:
        assert job.state is JobState.SUCCEEDED  # the first lane has all blocks, and the others none
    for killed in range(MAX_ATTEMPTS + 1):
        desk.clock.ahead += 2 * LEASE
        with contextlib.suppress(asyncio.CancelledError):
            await desk.turn(**({"dies_after": 1} if killed % 2 else {"stops_after": 1}))
    desk.clock.ahead += 2 * LEASE
    await desk.play_all()
    assert (await desk.seen(desk.gm, simulation)).job.state is JobState.SUCCEEDED
    assert await desk.report(desk.gm, simulation) == bare(runs=100)


async def test_a_lane_that_has_got_on_is_at_its_first_attempt_again(desk: SimulationDesk) -> None:
    await desk.ask(desk.gm, runs=8)  # one block, and so one lane
    await desk.turn(dies_after=0)
    desk.clock.ahead += timedelta(minutes=1)
    work = desk.work
    job = await work.begin()
    assert job is not None
    assert job.attempt == 2
    turn = await work.open(job)
    player = PlayerHere()
    await player.begin(job.kind, {"request": turn.request, "claims": [(0, None)]})
    played = await player.outcome()
    assert not await work.take(turn, replace(played, done=False))
    assert turn.job.attempt == 1
    with pytest.raises(LostLease):
        await work.look(job)
    await work.look(turn.job)
    assert await work.take(turn, played)


async def test_a_worker_that_is_silent_each_time_leaves_its_question_dead(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, runs=8)
    for _ in range(MAX_ATTEMPTS):
        with contextlib.suppress(asyncio.CancelledError):
            await desk.turn(stops_after=0)
        desk.clock.ahead += 2 * LEASE
    await desk.turn()
    dead = (await desk.seen(desk.gm, simulation)).job
    assert dead.state is JobState.DEAD
    assert dead.error is not None
    assert dead.error["code"] == "WORKER_LOST"


# Stopped, and asked again


async def test_what_was_found_out_stays_when_it_is_cancelled_and_is_gone_on_from(
    desk: SimulationDesk,
) -> None:
    simulation = await desk.ask(desk.gm, runs=5_000)
    await desk.turn(dies_after=3)
    assert await desk.cancel(desk.gm, simulation) == simulation
    known = await desk.seen(desk.gm, simulation)
    assert known.job.state is JobState.CANCELLED
    assert known.row.runs == 8 + 8 + 16
    desk.clock.ahead += timedelta(minutes=1)
    assert await desk.turn() is None
    again = await desk.ask(desk.gm, runs=150)
    assert (await desk.seen(desk.gm, again)).row.runs == 8 + 8 + 16
    await desk.play_all()
    assert await desk.report(desk.gm, again) == bare(runs=150)


async def test_the_same_question_is_answered_from_what_is_known(desk: SimulationDesk) -> None:
    first = await desk.ask(desk.gm, runs=150)
    await desk.play_all()
    paid = dict(desk.purse.paid)
    second = await desk.ask(desk.gm, runs=100)
    assert (await desk.seen(desk.gm, second)).job.state is JobState.SUCCEEDED
    assert await desk.report(desk.gm, second) == await desk.report(desk.gm, first)
    assert desk.purse.paid == paid
    assert await desk.turn() is None


async def test_more_precision_goes_on_from_what_is_known(desk: SimulationDesk) -> None:
    coarse, fine = (SimulationPrecision(figure="rounds", half_width=width) for width in (1.0, 0.6))
    first = await desk.ask(desk.gm, runs=2_000, precision=coarse)
    await desk.play_all()
    known = (await desk.seen(desk.gm, first)).row
    second = await desk.ask(desk.gm, runs=2_000, precision=fine)
    begun = (await desk.seen(desk.gm, second)).row
    assert (begun.first_block, begun.runs) == (known.blocks, known.runs)
    await desk.play_all()
    assert (await desk.seen(desk.gm, second)).row.runs > known.runs
    alone = bare(runs=2_000, precision=Precision(figure="rounds", half_width=0.6))
    assert await desk.report(desk.gm, second) == alone


async def test_what_is_known_of_another_account_or_by_other_rules_is_not_used(
    desk: SimulationDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.ask(desk.gm)
    await desk.play_all()
    stranger = somebody()
    theirs = await desk.ask(stranger)
    assert (await desk.seen(stranger, theirs)).row.blocks == 0
    monkeypatch.setattr("services.campaign.simulations.question.rules_hash", lambda: "other")
    mine = await desk.ask(desk.gm)
    assert (await desk.seen(desk.gm, mine)).row.blocks == 0


async def test_a_question_whose_rules_have_changed_meanwhile_ends_with_that(
    desk: SimulationDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation = await desk.ask(desk.gm)
    monkeypatch.setattr("services.campaign.simulations.work.rules_hash", lambda: "other")
    await desk.turn()
    failed = (await desk.seen(desk.gm, simulation)).job
    assert failed.state is JobState.FAILED
    assert failed.error is not None
    assert failed.error["code"] == "RULES_CHANGED"


# Who pays, and who is next


async def test_it_is_paid_for_by_the_processor_time_that_it_took(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, runs=150)
    await desk.play_all()
    row = (await desk.seen(desk.gm, simulation)).row
    turns = 9  # at most as many as there are lanes, and one more; each may lose less than a point
    assert row.owed == 0
    assert row.processor_ms / 3 - turns <= desk.purse.paid[desk.gm.account] <= row.processor_ms / 3


async def test_it_waits_while_the_account_cannot_pay_and_goes_on_when_it_can(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, runs=150)
    desk.purse.left = 0
    await desk.play_all()
    waiting = await desk.seen(desk.gm, simulation)
    assert waiting.job.state is JobState.RUNNING
    assert waiting.row.waits_until is not None
    owed = waiting.row.owed
    assert owed > 0
    desk.purse.left = 10**6
    assert await desk.turn() is None  # not due yet
    desk.clock.ahead += timedelta(seconds=5)
    await desk.play_all()
    answered = await desk.seen(desk.gm, simulation)
    assert answered.job.state is JobState.SUCCEEDED
    assert answered.row.waits_until is None
    assert desk.purse.paid[desk.gm.account] >= owed
    assert await desk.report(desk.gm, simulation) == bare(runs=150)


async def test_beside_a_long_question_a_strangers_short_one_is_next(
    desk: SimulationDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.ask(desk.gm, runs=10_000_000)
    with monkeypatch.context() as patched:
        patched.setattr("workers.simulations.TURN_MILLISECONDS", SHORT_TURN)
        await desk.turn()
    stranger = somebody()
    short = await desk.ask(stranger, runs=16)
    await desk.turn()
    assert (await desk.seen(stranger, short)).job.state is JobState.SUCCEEDED


async def test_accounts_take_turns_until_a_stranger_is_answered(
    desk: SimulationDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.simulations.TURN_MILLISECONDS", SHORT_TURN)
    await desk.ask(desk.gm, runs=10_000_000)
    await desk.turn()
    stranger, turns = somebody(), list[str]()
    short = await desk.ask(stranger, runs=120)
    while not (await desk.seen(stranger, short)).job.state.ended:
        job = await desk.work.begin()
        assert job is not None
        turns.append(job.owner)
        player: Any = PlayerHere()
        await play_turn(desk.work, player, job)
    answered = await desk.seen(stranger, short)
    assert (answered.job.state, answered.row.runs >= 120) == (JobState.SUCCEEDED, True)
    assert turns.count(desk.gm.account) <= turns.count(stranger.account) + 1


# Rights


async def test_simulations_of_a_table_are_its_game_masters_alone(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, campaign_id=desk.campaign)
    assert (await desk.seen(desk.gm, simulation)).row.campaign == desk.campaign
    for who in (desk.anna, desk.watcher, somebody()):
        assert await desk.service.simulation(who, simulation) is None
        assert isinstance(await desk.cancel(who, simulation), NotFound)
        with pytest.raises(NotFound):
            await anext(desk.service.follow(who, simulation))
    assert isinstance(await desk.asked(desk.anna, campaign_id=desk.campaign), Forbidden)
    assert isinstance(await desk.asked(somebody(), campaign_id=desk.campaign), NotFound)
    page = await desk.service.page(desk.gm, desk.campaign, first=5, after=None)
    assert page is not None
    assert [view.row.id for view in page.items] == [simulation]
    assert await desk.service.page(desk.anna, desk.campaign, first=5, after=None) is None


async def test_ones_own_simulations_are_ones_own(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.anna)
    assert await desk.service.simulation(desk.gm, simulation) is None
    page = await desk.service.page(desk.anna, None, first=5, after=None)
    assert page is not None
    assert [view.row.id for view in page.items] == [simulation]


async def test_a_scene_is_played_on_by_its_game_master(desk: SimulationDesk) -> None:
    await desk.start()
    scene = (SimulatedScene(from_scene=SceneId(desk.scene)),)
    changes: dict[str, Any] = {"system": "duel", "scenes": scene, "cast": ()}
    simulation = await desk.ask(desk.gm, campaign_id=desk.campaign, **changes)
    assert (await desk.seen(desk.gm, simulation)).row.cases == 1
    elsewhere = await desk.asked(desk.anna, campaign_id=desk.campaign, **changes)
    assert isinstance(elsewhere, Forbidden)
    other = await desk.campaigns.create(desk.gm, _another())
    found = await desk.asked(desk.gm, campaign_id=other.id, **changes)
    assert isinstance(found, NotFound)
    assert found.path == ["scenes", "0", "fromScene"]


async def test_a_character_of_the_table_takes_part_as_it_is(desk: SimulationDesk) -> None:
    named = (SimulatedCharacter(character_id=desk.hero),)
    changes: dict[str, Any] = {"system": "duel", "scenes": (SimulatedScene(setup_name="yard"),)}
    simulation = await desk.ask(desk.gm, campaign_id=desk.campaign, cast=named, **changes)
    assert desk.hero in (await desk.seen(desk.gm, simulation)).row.request
    absent = (SimulatedCharacter(character_id=desk.characters.add(desk.anna, "Absent")),)
    refused = await desk.asked(desk.gm, campaign_id=desk.campaign, cast=absent, **changes)
    assert isinstance(refused, InvalidInput)
    assert [(issue.code, issue.path) for issue in refused.issues] == [
        ("NOT_AT_THIS_TABLE", ["cast", "0", "characterId"])
    ]


# Bad questions


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"system": "chess"}, "SYSTEM_UNKNOWN", ["system"]),
        ({"scenes": (SimulatedScene(),)}, "EXACTLY_ONE", ["scenes", "0"]),
        ({"scenes": (SimulatedScene(setup_name="moon"),)}, "SETUP_UNKNOWN", ["scenes", "0", "setupName"]),
        ({"scenes": (SimulatedScene(setup={"x": 1}),)}, "VALUE_MALFORMED", ["scenes", "0", "setup", "x"]),
        ({"scenes": ()}, "COUNT", ["scenes"]),
        ({"runs": 0}, "OUT_OF_RANGE", ["runs"]),
        (
            {"cast": (SimulatedCharacter(id="x", example="nobody"),)},
            "EXAMPLE_UNKNOWN",
            ["cast", "0", "example"],
        ),
        ({"policies": (SimulationPolicy(subject="*", bot="wise@9"),)}, "POLICY_UNKNOWN", ["policies", "*"]),
        (
            {"precision": SimulationPrecision(figure="charm", half_width=0.1)},
            "FIGURE_UNKNOWN",
            ["precision", "figure"],
        ),
        ({"worth": ("/cast/9/sheet/luck",)}, "POINTER_UNKNOWN", ["worth", "0"]),
        (
            {"scenes": (SimulatedScene(from_scene=SceneId("scn_x")),)},
            "CAMPAIGN_MISSING",
            ["scenes", "0", "fromScene"],
        ),
    ],
)
async def test_a_question_that_cannot_be_played_is_refused_with_the_place_of_the_fault(
    desk: SimulationDesk, changes: dict[str, object], code: str, path: list[str]
) -> None:
    refused = await desk.asked(desk.gm, **changes)
    assert isinstance(refused, InvalidInput)
    assert (code, path) in [(issue.code, issue.path) for issue in refused.issues]
    assert await rows(desk, "job") == 0


async def test_the_same_key_starts_one_simulation(desk: SimulationDesk) -> None:
    first = await desk.ask(desk.gm, "once")
    assert await desk.ask(desk.gm, "once") == first
    assert await rows(desk, "simulation") == 1


# Runs


async def test_a_run_is_told_move_by_move(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm)
    told = await desk.service.runs.tell(desk.gm, simulation, None, 3)
    assert told is not None
    assert told[1] == "Round 1"
    assert told == await desk.service.runs.tell(desk.gm, simulation, None, 3)
    with pytest.raises(InvalidInput):
        await desk.service.runs.tell(desk.gm, simulation, "no such case", 3)
    assert await desk.service.runs.tell(somebody(), simulation, None, 3) is None


# The end of what they belong to


async def test_a_campaign_takes_its_simulations_with_it(desk: SimulationDesk) -> None:
    await desk.ask(desk.gm, campaign_id=desk.campaign)
    own = await desk.ask(desk.gm)
    await desk.table.delete(desk.gm, desk.campaign, 1)
    assert await rows(desk, "simulation") == 1
    await desk.play_all()
    assert (await desk.seen(desk.gm, own)).job.state is JobState.SUCCEEDED


def _another() -> CreateCampaign:
    return CreateCampaign("Another")
