"""One run of a simulation, opened as a scene; and simulations that are deleted."""

from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest
from sqlalchemy import text as sql

from services.campaign.membership.models import Member
from services.campaign.scenes.models import Scene
from services.campaign.simulations import tasks
from services.campaign.simulations.erasure import forget
from services.campaign.simulations.requests import (
    DeleteSimulation,
    OpenSimulationRun,
    SceneId,
    SimulatedCharacter,
    SimulatedScene,
)
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.jobs import JobState, LostLease
from services.shared.problems import IdempotencyConflict, InvalidInput, NotFound, Problem
from services.shared.settings import Settings
from tests.campaign.outcomes import outcome
from tests.campaign.scene_desk import SYSTEMS, somebody
from tests.campaign.simulation_desk import SimulationDesk


@pytest.fixture
async def desk(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulationDesk]:
    # A worker of these tests plays the toy too.
    monkeypatch.setattr("workers.simulations.games", lambda: SYSTEMS)
    database = Database(settings.database_url("campaign"))
    made = SimulationDesk(database)
    await made.open()
    yield made
    await database.close()


async def rows(desk: SimulationDesk, table: str) -> int:
    async with desk.database.read() as session:
        return int((await session.execute(sql(f"SELECT count(*) FROM {table}"))).scalar_one())


async def duel(desk: SimulationDesk, **changes: Any) -> str:
    """Ask how the hero fares in the yard, and have it answered."""
    asked: dict[str, Any] = {
        "system": "duel",
        "scenes": (SimulatedScene(setup_name="yard"),),
        "cast": (SimulatedCharacter(character_id=desk.hero),),
        "campaign_id": desk.campaign,
        "runs": 8,
    }
    simulation = await desk.ask(desk.gm, **asked | changes)
    await desk.play_all()
    return simulation


async def opened(
    desk: SimulationDesk, who: Viewer, simulation: str, key: str | None = None, **changes: Any
) -> Scene | Problem:
    asked = OpenSimulationRun(**{"id": simulation, "number": 3, **changes})
    return await outcome(desk.service.runs.open(who, asked, key))


async def stands(desk: SimulationDesk, simulation: str, number: int, moves: int) -> Any:
    """Return where a run stands, played again."""
    request = orjson.loads((await desk.seen(desk.gm, simulation)).row.request)
    return tasks.position(desk.systems, request, "", number, moves).found


# Opening a run


@pytest.mark.parametrize("moves", [0, 2])
async def test_a_run_is_opened_where_it_stands_after_so_many_moves(desk: SimulationDesk, moves: int) -> None:
    simulation = await duel(desk)
    scene = await opened(desk, desk.gm, simulation, moves=moves)
    assert isinstance(scene, Scene)
    assert (scene.campaign, scene.system, scene.cast) == (desk.campaign, "duel", [desk.hero])
    assert (scene.seq, scene.number, scene.ended_at) == (0, 0, None)
    reached = await stands(desk, simulation, 3, moves)
    assert scene.opening == scene.state == reached.state
    assert reached.moves == moves
    assert (await stands(desk, simulation, 3, 0)).state != (await stands(desk, simulation, 3, 2)).state


async def test_what_was_opened_is_played_on_by_the_table(desk: SimulationDesk) -> None:
    scene = await opened(desk, desk.gm, await duel(desk), title="What might have been")
    assert isinstance(scene, Scene)
    desk.scene = scene.id
    assert scene.title == "What might have been"
    for who in (desk.gm, desk.anna, desk.watcher):
        assert scene.id in await desk.reader.scenes(who, [scene.id])
    assert await desk.reader.scenes(somebody(), [scene.id]) == {}
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    assert (await desk.row()).seq == 1


async def test_a_run_of_a_running_scene_hides_from_players_what_that_scene_hides(
    desk: SimulationDesk,
) -> None:
    running = await desk.start()
    scenes = (SimulatedScene(from_scene=SceneId(running.id)),)
    scene = await opened(desk, desk.gm, await duel(desk, scenes=scenes, cast=()))
    assert isinstance(scene, Scene)
    assert scene.cast == [desk.hero, desk.other]
    for who in (desk.anna, desk.ben, desk.watcher, desk.gm):
        seen = await desk.reader.scenes(who, [running.id, scene.id])
        assert seen[scene.id].state == seen[running.id].state
        assert seen[scene.id].who.eyes == seen[running.id].who.eyes
    assert (await desk.row()).number == 0  # the running one has not gone on


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"number": 8}, "RUN_UNKNOWN", ["number"]),
        ({"number": -1}, "OUT_OF_RANGE", ["number"]),
        ({"moves": -1}, "OUT_OF_RANGE", ["moves"]),
        ({"moves": 4_000}, "RUN_OVER", ["moves"]),
        ({"case": "no such case"}, "CASE_UNKNOWN", ["case"]),
        ({"case": ""}, "CASE_UNKNOWN", ["case"]),
        ({"title": ""}, "LENGTH", ["title"]),
    ],
)
async def test_a_run_that_cannot_be_opened_is_refused_with_the_place_of_the_fault(
    desk: SimulationDesk, changes: dict[str, Any], code: str, path: list[str]
) -> None:
    refused = await opened(desk, desk.gm, await duel(desk), **changes)
    assert isinstance(refused, InvalidInput)
    assert [(issue.code, issue.path) for issue in refused.issues] == [(code, path)]
    assert await rows(desk, "scene") == 0


async def test_the_last_move_of_a_run_is_named_where_more_are_wanted(desk: SimulationDesk) -> None:
    simulation = await duel(desk)
    refused = await opened(desk, desk.gm, simulation, moves=4_000)
    assert isinstance(refused, InvalidInput)
    last = int(str(refused.issues[0].allowed).removeprefix("0.."))
    assert isinstance(await opened(desk, desk.gm, simulation, moves=last), Scene)
    again = await opened(desk, desk.gm, simulation, moves=last + 1)
    assert isinstance(again, InvalidInput)


async def test_a_later_scene_of_a_day_is_opened_where_the_run_has_begun_it(desk: SimulationDesk) -> None:
    simulation = await duel(desk, scenes=(SimulatedScene(setup_name="yard"),) * 2)
    request = orjson.loads((await desk.seen(desk.gm, simulation)).row.request)
    reached = [tasks.position(desk.systems, request, "", number, 0, 1).found for number in range(8)]
    went_on = next(number for number, each in enumerate(reached) if each.scene == 1)
    over = next(number for number, each in enumerate(reached) if each.scene == 0)
    scene = await opened(desk, desk.gm, simulation, number=went_on, scene=1)
    assert isinstance(scene, Scene)
    assert scene.opening == scene.state == reached[went_on].state
    refused = [
        await opened(desk, desk.gm, simulation, number=number, scene=wanted)
        for number, wanted in ((over, 1), (went_on, 2), (went_on, 8))
    ]
    told = [
        (issue.code, issue.path, issue.allowed)
        for each in refused
        if isinstance(each, InvalidInput)
        for issue in each.issues
    ]
    assert told == [
        ("RUN_OVER", ["scene"], "0..0"),
        ("RUN_OVER", ["scene"], "0..1"),
        ("OUT_OF_RANGE", ["scene"], "0..7"),
    ]


async def test_only_runs_of_a_campaigns_simulation_that_has_ended_are_opened(
    desk: SimulationDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def code(refused: Scene | Problem) -> str:
        assert isinstance(refused, InvalidInput)
        return refused.issues[0].code

    own = await desk.ask(desk.gm)
    await desk.play_all()
    assert code(await opened(desk, desk.gm, own)) == "CAMPAIGN_MISSING"
    running = await desk.ask(desk.gm, campaign_id=desk.campaign, runs=5_000)
    await desk.turn(dies_after=1)
    assert code(await opened(desk, desk.gm, running)) == "SIMULATION_RUNNING"
    await desk.cancel(desk.gm, running)
    assert isinstance(await opened(desk, desk.gm, running), Scene)
    monkeypatch.setattr("services.campaign.simulations.runs.rules_hash", lambda: "other")
    assert code(await opened(desk, desk.gm, running)) == "RULES_CHANGED"


async def test_runs_are_opened_by_the_campaigns_game_master_alone(desk: SimulationDesk) -> None:
    simulation = await duel(desk)
    for who in (desk.anna, desk.watcher, somebody()):
        assert isinstance(await opened(desk, who, simulation), NotFound)
    await demote(desk)
    assert isinstance(await opened(desk, desk.gm, simulation), NotFound)
    assert await rows(desk, "scene") == 0


async def test_the_same_key_opens_one_scene(desk: SimulationDesk) -> None:
    simulation = await duel(desk)
    first, again = [await opened(desk, desk.gm, simulation, "once") for _ in range(2)]
    assert isinstance(first, Scene)
    assert isinstance(again, Scene)
    assert first.id == again.id
    other = await opened(desk, desk.gm, simulation, "once", number=4)
    assert isinstance(other, IdempotencyConflict)
    assert await rows(desk, "scene") == 1


# Deleting


async def delete(desk: SimulationDesk, who: Viewer, simulation: str, key: str | None = None) -> str | Problem:
    return await outcome(desk.service.delete(who, DeleteSimulation(simulation), key))


async def test_a_simulation_is_deleted_with_all_that_was_found_out(desk: SimulationDesk) -> None:
    simulation = await duel(desk)
    scene = await opened(desk, desk.gm, simulation)
    kept = await desk.ask(desk.gm)
    await desk.play_all()
    assert await delete(desk, desk.gm, simulation) == simulation
    assert await desk.service.simulation(desk.gm, simulation) is None
    assert isinstance(await delete(desk, desk.gm, simulation), NotFound)
    assert (await desk.seen(desk.gm, kept)).job.state is JobState.SUCCEEDED
    assert isinstance(scene, Scene)
    assert scene.id in await desk.reader.scenes(desk.gm, [scene.id])
    again = await duel(desk)
    assert (await desk.seen(desk.gm, again)).row.first_block == 0


async def test_one_that_runs_is_cancelled_and_its_worker_writes_nothing_any_more(
    desk: SimulationDesk,
) -> None:
    simulation = await desk.ask(desk.gm, runs=5_000)
    work = desk.work
    job = await work.begin()
    assert job is not None
    turn = await work.open(job)
    assert await rows(desk, "simulation_block") > 0
    feed = desk.service.follow(desk.gm, simulation)
    await anext(feed)
    assert await delete(desk, desk.gm, simulation) == simulation
    with pytest.raises(LostLease):
        await work.close(turn)
    with pytest.raises(NotFound):
        await anext(feed)
    assert await desk.turn() is None
    assert [await rows(desk, table) for table in ("simulation", "simulation_block", "job")] == [0, 0, 0]


async def test_a_simulation_is_deleted_by_those_who_see_it_alone(desk: SimulationDesk) -> None:
    own, shared = await desk.ask(desk.anna), await desk.ask(desk.gm, campaign_id=desk.campaign)
    for who in (desk.gm, desk.ben, somebody()):
        assert isinstance(await delete(desk, who, own), NotFound)
    for who in (desk.anna, desk.watcher, somebody()):
        assert isinstance(await delete(desk, who, shared), NotFound)
    assert await delete(desk, desk.anna, own) == own
    await demote(desk)
    assert isinstance(await delete(desk, desk.gm, shared), NotFound)
    assert await rows(desk, "simulation") == 1


async def test_the_same_key_deletes_once(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm)
    assert await delete(desk, desk.gm, simulation, "once") == simulation
    assert await delete(desk, desk.gm, simulation, "once") == simulation
    assert isinstance(await delete(desk, desk.gm, "sim_none", "once"), IdempotencyConflict)


async def test_an_account_takes_its_own_simulations_with_it_and_leaves_those_of_tables(
    desk: SimulationDesk,
) -> None:
    await desk.ask(desk.gm)
    shared = await desk.ask(desk.gm, campaign_id=desk.campaign)
    async with desk.database.write() as session:
        await forget(session, desk.gm.account, desk.clock())
    assert await rows(desk, "simulation") == 1
    assert (await desk.seen(desk.gm, shared)).job.state is JobState.CANCELLED
    assert await desk.turn() is None


async def demote(desk: SimulationDesk) -> None:
    """Take the game master's role away."""
    async with desk.database.write() as session:
        member = await session.get(Member, (desk.campaign, desk.gm.account))
        assert member is not None
        member.role = Role.PLAYER
