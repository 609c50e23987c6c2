"""A fight of Forge Engine at a table: found by its name, and played by bots, questions and all."""

from collections.abc import AsyncIterator

import pytest

from services.campaign.scenes.moves import Performed
from services.rules.engine.play import GM
from services.shared.database import Database
from services.shared.settings import Settings
from tests.campaign.scene_desk import SYSTEMS, Desk

pytestmark = pytest.mark.databases("campaign")
MOVES = 8


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    game = SYSTEMS["forge_engine"]
    for hero, name in zip((made.hero, made.other), ("gunslinger", "hospiter"), strict=True):
        made.characters.sheets[hero] = game.sheet_codec.dump(game.build(game.examples[name], game.content))
    yield made
    await database.close()


async def test_a_fight_is_begun_and_bots_play_it_move_by_move(desk: Desk) -> None:
    await desk.start(system="forge_engine", setup="skirmish")
    look = await desk.look(desk.gm)
    assert look.card is not None and {actor.name for actor in look.card.actors} >= {"Chief", "Raider 1"}
    begun = await desk.bot(desk.gm, GM, look.row.seq)
    assert isinstance(begun, Performed)
    for _ in range(MOVES):
        look = await desk.look(desk.gm)
        assert look.card is not None
        waiting = (*(prompt.actor for prompt in look.card.prompts), *look.card.waiting_for)
        moved = await desk.bot(desk.gm, waiting[0], look.row.seq)
        assert isinstance(moved, Performed)
    told = await desk.moves(desk.anna)
    assert len(told) == MOVES + 1
