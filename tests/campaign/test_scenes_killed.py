"""A process that is killed between any two steps of a move: the next one brings the same move to its end."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.shared.database import Database
from services.shared.settings import Settings
from tests.campaign.dying_table import KeptDice, Rolled, games
from tests.campaign.scene_desk import Desk

pytestmark = pytest.mark.databases("campaign")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    made.play(games(Rolled()))
    await made.start(setup="ambush")
    yield made
    await database.close()


@pytest.mark.parametrize("survives", [0, 1, 2, 3], ids=["no draw", "one draw", "both draws", "the commit"])
async def test_a_move_is_brought_to_its_end_with_the_dice_that_fell(
    desk: Desk, settings: Settings, tmp_path: Path, survives: int
) -> None:
    file = tmp_path / "dice.json"
    what = [
        settings.database_url("campaign"),
        desk.scene,
        desk.gm.account,
        desk.hero,
        str(file),
        str(survives),
    ]
    command = [sys.executable, "-m", "tests.campaign.dying_table", *what]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
    async with asyncio.timeout(120):
        assert await process.wait() == -signal.SIGKILL
    fell = json.loads(file.read_text()) if file.exists() else {}
    assert len(fell) == min(survives, 2)
    row = await desk.row()
    assert (row.pending is None) == (survives == 3) and row.number == (survives == 3)
    desk.dice = KeptDice(file)
    desk.play(games(Rolled()))
    (made,) = await desk.moves(desk.gm)
    kept = [faces for _, answer in desk.dice.drawn.values() for faces in (answer["rolls"][0]["faces"],)]
    assert [list(thrown.faces) for thrown in made.rolls] == kept and len(kept) == 2
    assert {key: desk.dice.drawn[key][1] for key in fell} == {
        key: answer for key, (_, answer) in fell.items()
    }
    assert [type(event).__name__ for event in made.events] == ["Braced", "Listened"]
    row = await desk.row()
    assert (row.pending, row.number, row.secret_seq + row.seq) == (None, 1, 1)
