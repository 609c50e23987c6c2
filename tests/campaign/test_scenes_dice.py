"""Moves of scenes and the dice service itself, both as they are: the faces are those of its receipts."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import text as sql

from services.campaign.scenes.moves import Moves, Performed
from services.campaign.scenes.problem import MoveRejected
from services.dice.app import create_app
from services.rules.engine.play import GM
from services.shared.auth import Signer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.peers import Peer, PeerRefused, PeerUnavailable
from services.shared.settings import Settings
from tests.campaign.scene_desk import SYSTEMS, Desk, first
from tests.character.desk import living
from tests.databases import ON_BOTH
from tests.within import Within

pytestmark = pytest.mark.databases("campaign", "dice")


@pytest.fixture
async def dice(settings: Settings) -> AsyncIterator[Peer]:
    """Run the dice service in this process, and give the campaign service's client for it."""
    app = create_app(settings)
    peer = Peer("dice", "http://dice", Signer.of("campaign", settings))
    peer._client = Within(lambda: app)
    async with living(app):
        yield peer
        await peer.close()


@pytest.fixture
async def desk(settings: Settings, dice: Peer) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    made.moving = Moves(database, system_clock, dice, SYSTEMS, first)
    made.reader._moves = made.moving
    await made.open()
    await made.start(setup="ambush")
    yield made
    await database.close()


async def rolled(settings: Settings) -> list[Any]:
    database = Database(settings.database_url("dice"))
    query = "SELECT id, faces, scene, character, account, label, seq FROM roll ORDER BY id"
    async with database.read() as session:
        rows = list((await session.execute(sql(query))).all())
    await database.close()
    return rows


async def test_the_faces_of_a_move_are_those_of_kept_rolls(settings: Settings, desk: Desk) -> None:
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    stand: dict[str, Any] = {"flinch": False, "entropy": "0f" * 32}
    await desk.made(desk.gm, "Answer", "rival-1", **stand)
    await desk.made(desk.gm, "Listen", GM, who=desk.hero)
    rows = await rolled(settings)
    kept = {row.id: json.loads(row.faces) for row in rows}
    shown = {roll.id: list(roll.faces) for move in await desk.moves(desk.gm) for roll in move.rolls}
    assert shown == kept and len(kept) == 3
    assert {(row.label, row.character, row.seq is None) for row in rows} == {
        ("Strike", desk.hero, False),
        ("Guard", None, False),
        ("Listen", None, True),
    }
    assert {(row.scene, row.account) for row in rows} == {(desk.scene, desk.gm.account)}


@ON_BOTH
async def test_a_games_own_dice_fall_and_whoever_reads_the_move_sees_their_places(
    settings: Settings, desk: Desk
) -> None:
    game = SYSTEMS["dwarf_dice"]
    for hero, choices in zip((desk.hero, desk.other), game.examples.values(), strict=False):
        sheet = game.build(choices, game.content)
        desk.characters.sheets[hero] = game.sheet_codec.dump(sheet)
    await desk.start(system="dwarf_dice", setup="feud")
    for _ in range(6):
        look = await desk.look(desk.gm)
        assert look.card is not None
        moved = await desk.bot(desk.gm, look.card.waiting_for[0], look.row.seq)
        assert isinstance(moved, Performed)
        if (await desk.moves(desk.anna))[-1].rolls:
            break
    (thrown,) = (await desk.moves(desk.anna))[-1].rolls
    assert thrown.roll.notation.endswith("dresource") and len(thrown.faces) == thrown.roll.dice.value
    (row,) = await rolled(settings)
    assert (row.id, json.loads(row.faces)) == (thrown.id, list(thrown.faces))


async def test_dice_that_there_cannot_be_make_a_move_void(settings: Settings, desk: Desk) -> None:
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    odd: dict[str, Any] = {"flinch": False, "entropy": "0" * 33}
    answer = await desk.move(desk.gm, "Answer", "rival-1", **odd)
    assert isinstance(answer, MoveRejected) and answer.issues[0].code == "MOVE_VOID"
    assert await rolled(settings) == []
    await desk.made(desk.gm, "Answer", "rival-1", **{**odd, "entropy": None})
    assert len(await rolled(settings)) == 2


async def test_a_refusal_of_another_service_is_told_from_its_silence(dice: Peer, desk: Desk) -> None:
    with pytest.raises(PeerRefused) as refused:
        await dice.post(desk.gm, "scenes", desk.scene, "draws", body={"rolls": []})
    assert (refused.value.status, refused.value.code) == (422, "INVALID")
    with pytest.raises(PeerUnavailable):
        await dice.post(desk.gm, "nowhere", body={})
