"""``infra/simulate``: a product that is asked over its API answers with the same bytes as this machine."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from infra.simulator.command import main
from infra.simulator.output import running, write_csv, write_json, write_svg
from infra.simulator.pool import play
from infra.simulator.question import Unsound, plan_of
from infra.simulator.remote import SimulatingProduct, answer_there, body_of
from services.campaign.simulations.drawing import SimulationDrawing
from services.campaign.simulations.plots import PlotRequest, SimulationPlot
from services.campaign.simulations.requests import (
    ReplacedValue,
    SimulatedCharacter,
    SimulatedScene,
    SimulationAxis,
    SimulationPolicy,
    SimulationVariant,
    StartSimulation,
)
from services.rules.engine.forms import spelled
from services.rules.engine.registry import systems
from services.rules.engine.simulation.report import REPORT_CODEC, Report, report
from services.rules.engine.simulation.request import (
    Member,
    Opening,
    PlayedPack,
    Replacement,
    SimulationRequest,
    Variant,
)
from services.rules.engine.spelling import PUBLISHED
from services.shared.database import Database
from services.shared.problems import InvalidInput
from services.shared.reckoning import Reckoner
from services.shared.settings import Settings
from tests.campaign.scene_desk import somebody
from tests.campaign.simulation_desk import SimulationDesk
from tests.campaign.test_scenes_packs import WRAITH, armed, armed_choices
from tests.campaign.test_scenes_packs import kept as kept_pack

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = ROOT / "services/gateway/pages/guide/12-simulations.md"
QUESTION = SimulationRequest(
    system="dungeonteller",
    scenes=(Opening(setup_name="locked-door"),),
    cast=(Member(id="hero", example="warrior"),),
    policies={"*": "steady@1"},
    variants=(Variant(name="worn", changes=(Replacement(pointer="/cast/0/sheet/luck", value=3),)),),
    runs=4,
    most_moves=40,
)


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[SimulationDesk]:
    database = Database(settings.database_url("campaign"))
    made = SimulationDesk(database)
    await made.open()
    yield made
    await database.close()


def read_question(body: dict[str, Any]) -> StartSimulation:
    """Read the body of ``POST /v1/simulations``; a member that is not known here fails the test."""
    assert body.pop("precision") is None
    variants = tuple(
        SimulationVariant(
            name=each["name"], changes=tuple(ReplacedValue(**change) for change in each["changes"])
        )
        for each in body.pop("variants")
    )
    return StartSimulation(
        scenes=tuple(
            SimulatedScene(setup_name=each["setupName"], rest=each.get("rest")) for each in body.pop("scenes")
        ),
        cast=tuple(SimulatedCharacter(**each) for each in body.pop("cast")),
        policies=tuple(SimulationPolicy(**each) for each in body.pop("policies")),
        variants=variants,
        sweep=tuple(SimulationAxis(**each) for each in body.pop("sweep")),
        worth=tuple(body.pop("worth")),
        most_moves=body.pop("mostMoves"),
        **body,
    )


class PublicFace(httpx.BaseTransport):
    """The REST face of a desk, from the thread of a program that asks it.

    Args:
        desk: whose simulations are asked for.
        loop: that it lives on.

    Attributes:
        simulation: the id of the one that was started.
    """

    def __init__(self, desk: SimulationDesk, loop: asyncio.AbstractEventLoop) -> None:
        self._desk = desk
        self._loop = loop
        self.simulation = ""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        assert request.headers["authorization"] == "Bearer key"
        answered = asyncio.run_coroutine_threadsafe(self._answer(request), self._loop)
        return httpx.Response(200, content=orjson.dumps(answered.result()))

    async def _answer(self, request: httpx.Request) -> dict[str, Any]:
        desk = self._desk
        if request.method == "POST":
            asked = read_question(orjson.loads(request.read()))
            self.simulation = await desk.service.start.start(desk.gm, asked, None)
            return {"id": self.simulation}
        seen = await desk.seen(desk.gm, self.simulation)
        known = await desk.service.report(desk.gm, seen)
        form = None if known is None else spelled(Report, known, PUBLISHED, properties=False)
        await desk.turn()
        return {"state": seen.job.state.name, "report": form, "fault": None}


async def test_a_product_answers_with_the_same_bytes_as_this_machine(
    desk: SimulationDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.simulator.remote.POLL", 0.0)
    face = PublicFace(desk, asyncio.get_running_loop())
    product = SimulatingProduct("http://127.0.0.1:4000", "key", face)
    told: list[str] = []
    there = await asyncio.to_thread(
        answer_there, QUESTION, product, lambda known: told.append(running(known, "won@side:heroes"))
    )
    product.close()
    plan = plan_of(QUESTION)
    for progress in play(plan, 1):
        known = progress
    here = report(plan, known)
    asked = PlotRequest(SimulationPlot.DIFFERENCES, figure="rounds")
    for name, found in (("here", here), ("there", there)):
        write_json(found, tmp_path / f"{name}.json")
        write_csv(found, tmp_path / f"{name}.csv")
        write_svg(found, QUESTION, asked, tmp_path / f"{name}.svg")
    files = {
        kind: [(tmp_path / f"{name}.{kind}").read_bytes() for name in ("here", "there")]
        for kind in ("json", "csv", "svg")
    }
    assert all(mine == theirs for mine, theirs in files.values())
    assert REPORT_CODEC.load(orjson.loads(files["json"][0])).done
    # The product's own files are these too.
    stored = (await desk.seen(desk.gm, face.simulation)).row.report
    assert stored is not None
    table = await desk.service.csv(desk.gm, stored)
    drawing = SimulationDrawing(desk.service, Reckoner(desk.systems))
    assert table.encode() == files["csv"][0]
    drawn = await drawing.picture(desk.gm, face.simulation, asked)
    assert drawn is not None and drawn.encode() == files["svg"][0]
    assert await drawing.picture(somebody(), face.simulation, asked) is None
    with pytest.raises(InvalidInput) as refused:
        await drawing.picture(desk.gm, face.simulation, PlotRequest(SimulationPlot.WORTH))
    assert [issue.code for issue in refused.value.issues] == ["PLOT_UNKNOWN"]
    assert all(line.startswith("Won, heroes") for line in told)


def test_what_a_product_takes_by_its_id_only_is_not_sent() -> None:
    with pytest.raises(Unsound):
        body_of(SimulationRequest(system="duel", scenes=(Opening(state={}),)))
    with pytest.raises(Unsound):
        body_of(
            SimulationRequest(
                system="duel", scenes=(Opening(setup_name="x"),), cast=(Member(id="a", sheet={}),)
            )
        )


def test_a_pack_of_a_file_is_played_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, file = systems()["forge_engine"], tmp_path / "void.json"
    assert game.packs is not None
    kept = kept_pack()["document"]
    published = spelled(game.packs.codec.type, game.packs.codec.load(kept), PUBLISHED, properties=False)
    scene = {"setup": {"title": "The Crypt", "foes": [{"adversary": WRAITH, "count": 1}]}}
    cast = [{"id": "hero", "example": "gunslinger"}]
    for document in (published, kept):
        asked = {"system": "forge_engine", "scenes": [scene], "cast": cast, "packs": [{"document": document}]}
        file.write_bytes(orjson.dumps(asked))
        assert main([str(file), "--tell", "0"]) == 0
    told = capsys.readouterr().out
    half = len(told) // 2
    assert told[:half] == told[half:] and "Wraith" in told
    skirmish = ["--system", "forge_engine", "--setup", "skirmish", "--cast", "gunslinger", "--tell", "0"]
    for form, code in ((published, 0), ({"weapons": 3}, 2)):
        file.write_bytes(orjson.dumps(form))
        assert main([*skirmish, "--pack", str(file)]) == code
    assert "packs.0" in capsys.readouterr().err


def test_a_character_of_a_file_is_built_under_packs_of_its_own() -> None:
    game = systems()["forge_engine"]
    assert game.packs is not None
    kept = kept_pack()["document"]
    published = spelled(game.packs.codec.type, game.packs.codec.load(kept), PUBLISHED, properties=False)
    choices = spelled(game.choices_codec.type, armed_choices(), PUBLISHED, properties=False)
    scenes = (Opening(setup_name="skirmish"),)

    def asked(*packs: PlayedPack) -> SimulationRequest:
        member = Member(id="hero", choices=choices, packs=packs)
        return SimulationRequest(system="forge_engine", scenes=scenes, cast=(member,))

    for document in (published, kept):
        assert plan_of(asked(PlayedPack(document=document))).cases[0].cast[0].sheet == armed()
    with pytest.raises(Unsound, match=r"cast\[0\]\.choices\.equipment"):
        plan_of(asked())
    with pytest.raises(Unsound, match=r"cast\.0\.packs"):
        plan_of(asked(PlayedPack(document={"weapons": 3})))
    with pytest.raises(Unsound, match="under which packs"):
        body_of(asked())


def test_a_pack_that_no_product_and_no_game_takes_is_refused() -> None:
    with_pack = replace(QUESTION, packs=(PlayedPack(document=kept_pack()["document"]),))
    with pytest.raises(Unsound, match="by their ids only"):
        body_of(with_pack)
    with pytest.raises(Unsound, match="by its book alone"):
        plan_of(with_pack)


@pytest.mark.parametrize("command", re.findall(r"`infra/simulate (\S+/pictures/.+?)`", CHAPTER.read_text()))
def test_the_guides_pictures_are_what_their_commands_draw(command: str, tmp_path: Path) -> None:
    """With fewer runs every number is another one; what is compared, and under which names, stays."""
    asked = command.split()
    question, picture = ROOT / asked[0], tmp_path / asked[-1]
    request = {**orjson.loads(question.read_bytes()), "runs": 1, "most_moves": 5}
    few = tmp_path / "few.json"
    few.write_bytes(orjson.dumps(request))
    done = subprocess.run(
        [sys.executable, ROOT / "infra/simulate", few, *asked[1:-1], picture, "--quiet", "--jobs", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert _names(picture) == _names(question.with_suffix(".svg"))


def _names(picture: Path) -> list[str]:
    """Return the texts of a picture that are no numbers."""
    texts = re.findall(r"<text[^>]*>([^<]*)<", picture.read_text())
    return [text for text in texts if re.search("[a-z]", text) and " runs" not in text]
