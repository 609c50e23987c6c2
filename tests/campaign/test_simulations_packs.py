"""Simulations of a table's own content: its packs are part of the question and of scenes opened from it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import orjson
import pytest

from services.campaign.scenes.models import Scene
from services.campaign.scenes.requests import PackId
from services.campaign.simulations import tasks
from services.campaign.simulations.requests import (
    OpenSimulationRun,
    SceneId,
    SimulatedCharacter,
    SimulatedScene,
)
from services.rules.engine.simulation.cases import Plan
from services.rules.engine.simulation.story import position_at
from services.shared.database import Database
from services.shared.problems import InvalidInput
from services.shared.settings import Settings
from tests.campaign.scene_desk import SYSTEMS
from tests.campaign.simulation_desk import SimulationDesk
from tests.campaign.test_scenes_packs import GAME, PACK, RAY, SETUP, armed, armed_choices, kept

pytestmark = pytest.mark.databases("campaign")
STRONGER = {**PACK, "weapons": [{**PACK["weapons"][0], "rating": 6}]}


@pytest.fixture
async def desk(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulationDesk]:
    monkeypatch.setattr("workers.simulations.games", lambda: SYSTEMS)
    database = Database(settings.database_url("campaign"))
    made = SimulationDesk(database)
    await made.open()
    made.characters.sheets[made.hero] = GAME.sheet_codec.dump(armed())
    made.characters.choices[made.hero] = GAME.choices_codec.dump(armed_choices())
    made.characters.built_under[made.hero] = [kept()]
    made.characters.packs = [kept()]
    yield made
    await database.close()


def about(desk: SimulationDesk, **changes: Any) -> dict[str, Any]:
    """Return how the hero fares against the pack's adversary."""
    return {
        "system": "forge_engine",
        "campaign_id": desk.campaign,
        "scenes": (SimulatedScene(setup=SETUP),),
        "cast": (SimulatedCharacter(character_id=desk.hero),),
        "runs": 8,
        **changes,
    }


def from_here(*scenes: str) -> tuple[SimulatedScene, ...]:
    return tuple(SimulatedScene(from_scene=SceneId(each)) for each in scenes)


async def answer(desk: SimulationDesk, simulation: str) -> Any:
    """Have a simulation answered, and return the figures of its only case by name."""
    await desk.play_all()
    (case,) = (await desk.report(desk.gm, simulation))["data"]["cases"]
    return {figure["name"]: figure["estimate"]["value"] for figure in case["figures"]}


async def test_a_packs_weapon_changes_the_answer_and_the_question(desk: SimulationDesk) -> None:
    found = {}
    for pack in (PACK, STRONGER):
        desk.characters.packs = [kept(pack)]
        simulation = await desk.ask(desk.gm, **about(desk))
        figures = await answer(desk, simulation)
        found[(await desk.seen(desk.gm, simulation)).row.question] = figures["rounds"]
    assert len(found) == 2
    weak, strong = found.values()
    assert strong < weak


async def test_what_a_pack_is_called_is_not_part_of_the_question(desk: SimulationDesk) -> None:
    first = await desk.ask(desk.gm, **about(desk))
    await answer(desk, first)
    desk.characters.packs = [kept(version=4)]
    again = await desk.seen(desk.gm, await desk.ask(desk.gm, **about(desk, packs=(PackId("pck_1"),))))
    assert again.job.state.ended and again.row.runs == (await desk.seen(desk.gm, first)).row.runs


async def test_a_scene_is_played_on_with_its_packs_whatever_has_become_of_them(desk: SimulationDesk) -> None:
    scene = await desk.start(system="forge_engine", setup=SETUP, characters=(desk.hero,))
    desk.characters.packs = []
    simulation = await desk.ask(desk.gm, **about(desk, scenes=from_here(scene.id), cast=()))
    await desk.play_all()
    opened = await desk.service.runs.open(desk.gm, OpenSimulationRun(id=simulation, number=3, moves=1), None)
    assert isinstance(opened, Scene)
    assert (opened.packs, opened.pack_documents) == (scene.packs, scene.pack_documents)
    desk.scene = opened.id
    seen = await desk.look(desk.gm)
    assert seen.state is not None
    assert RAY in {weapon.item for weapon in seen.state.find(desk.hero).profile.weapons}


async def test_a_run_that_is_opened_keeps_the_packs_of_its_question(desk: SimulationDesk) -> None:
    simulation = await desk.ask(desk.gm, **about(desk))
    await desk.play_all()
    desk.characters.packs = [kept(STRONGER, version=4)]
    opened = await desk.service.runs.open(desk.gm, OpenSimulationRun(id=simulation, number=0), None)
    assert opened.packs == [{"id": "pck_1", "version": 3, "name": "The Void"}]
    assert orjson.loads(opened.pack_documents) == [kept()["document"]]


async def test_by_the_book_alone_is_told_as_it_was_asked(desk: SimulationDesk) -> None:
    scenes, cast = (
        (SimulatedScene(setup_name="skirmish"),),
        (SimulatedCharacter(id="x", example="pathfinder"),),
    )
    for packs, told in (((), []), (None, None)):
        simulation = await desk.ask(desk.gm, **about(desk, scenes=scenes, cast=cast, packs=packs))
        row = (await desk.seen(desk.gm, simulation)).row
        assert orjson.loads(row.asked).get("packs") == told
        assert bool(orjson.loads(row.request)["data"]["packs"]) == (packs is None)


async def day_of(desk: SimulationDesk) -> Plan:
    """Ask for a day of two fights, and return it laid out as its workers play it."""
    scenes = (SimulatedScene(setup_name="skirmish"), SimulatedScene(setup_name="skirmish", rest="long"))
    simulation = await desk.ask(desk.gm, **about(desk, scenes=scenes))
    plan = tasks.plan_of(desk.systems, orjson.loads((await desk.seen(desk.gm, simulation)).row.request))
    assert isinstance(plan, Plan)
    return plan


async def test_what_a_character_has_shot_is_missing_in_the_days_next_scene(desk: SimulationDesk) -> None:
    plan = await day_of(desk)
    begun = [position_at(plan, plan.cases[0], number, 0, 1) for number in range(12)]
    shots = []
    for number, stage in enumerate(begun):
        if stage.place == 1:
            before = position_at(plan, plan.cases[0], number, 5_000).scene.state.find(desk.hero)
            now = stage.scene.state.find(desk.hero)
            (ray,) = (weapon.id for weapon in now.profile.weapons if weapon.item == RAY)
            assert (now.shots(ray), now.spare(ray)) == (before.shots(ray), before.spare(ray))
            shots.append(now.shots(ray))
    assert min(shots) < 6


async def test_a_character_is_built_anew_under_its_own_packs_whatever_the_table_plays_with(
    desk: SimulationDesk,
) -> None:
    desk.characters.packs = []
    hero = (await day_of(desk)).cases[0].characters[desk.hero]
    built = hero.absorbing(hero.play, {"health": 3, "expended": 2})
    assert built is not None
    assert RAY in {each.item for each in built[0].choices.equipment}
    assert armed() != built[1] == hero.sheet_of(replace(armed_choices(), health=3, expended=2))


async def test_what_characters_bring_of_packs_has_a_bound(
    desk: SimulationDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.campaign.simulations.packs.MAX_BYTES", 100)
    assert isinstance(await desk.ask(desk.gm, **about(desk)), str)
    desk.characters.packs = []
    scenes = (SimulatedScene(setup_name="skirmish"),)
    refused = await desk.asked(desk.gm, **about(desk, scenes=scenes))
    assert isinstance(refused, InvalidInput)
    assert [(issue.code, issue.path) for issue in refused.issues] == [("TOO_LARGE", ["cast"])]


async def test_scenes_with_different_packs_are_no_day(desk: SimulationDesk) -> None:
    first = await desk.start(system="forge_engine", setup=SETUP, characters=(desk.hero,))
    desk.characters.packs = [kept(STRONGER)]
    other = await desk.start(system="forge_engine", setup=SETUP, characters=(desk.hero,))
    scenes = from_here(first.id, other.id)
    refused = await desk.asked(desk.gm, **about(desk, scenes=scenes, cast=()))
    assert isinstance(refused, InvalidInput)
    assert [(issue.code, issue.path) for issue in refused.issues] == [
        ("PACKS_UNFIT", ["scenes", "1", "fromScene"])
    ]


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"packs": (PackId("pck_other"),)}, "PACK_UNKNOWN", ["packs", "0"]),
        ({"packs": (PackId("pck_1"),) * 9}, "COUNT", ["packs"]),
        ({"packs": ()}, "ID_UNKNOWN", ["scenes", "0", "setup", "foes", "0", "adversary"]),
        ({"packs": (PackId("pck_1"),), "campaign_id": None}, "CAMPAIGN_MISSING", ["packs"]),
        ({"packs": (PackId("pck_1"),), "scenes": from_here("scn_1"), "cast": ()}, "PACKS_UNFIT", ["packs"]),
        ({"packs": (PackId("pck_1"),), "system": "duel"}, "NO_PACKS", ["packs"]),
    ],
)
async def test_packs_that_do_not_fit_are_refused_with_the_place_of_the_fault(
    desk: SimulationDesk, changes: dict[str, Any], code: str, path: list[str]
) -> None:
    refused = await desk.asked(desk.gm, **about(desk, **changes))
    assert isinstance(refused, InvalidInput)
    assert (code, path) in [(issue.code, issue.path) for issue in refused.issues]
