"""Characters that come to a table or leave it while a game keeps a state of its campaign."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from services.campaign.membership.models import Campaign
from services.campaign.scenes.moves import Performed
from services.campaign.scenes.problem import MoveRejected
from services.rules.engine.play import GM
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.outbox import Event
from services.shared.problems import NotFound, Unavailable
from services.shared.settings import Settings
from tests.campaign.feuds import FEUD, OpenFeud, with_feud
from tests.campaign.scene_desk import Desk
from tests.databases import ON_BOTH

pytestmark = [pytest.mark.databases("campaign"), ON_BOTH]


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    """A feud of Anna and Ben, with one rival."""
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    made.play(with_feud(OpenFeud()))
    await made.open()
    await made.start(system=FEUD, setup="mill")
    yield made
    await database.close()


async def heroes(desk: Desk) -> list[str]:
    """The names of the heroes who are part of the feud."""
    return list((await desk.row()).state["data"]["heroes"].values())


async def told(desk: Desk, who: Viewer) -> list[str]:
    """What stands in the feud's log for a viewer."""
    return [text for move in await desk.moves(who) for text in move.sentences]


async def test_a_character_that_comes_takes_part_from_then_on(desk: Desk) -> None:
    nora = await desk.seat(desk.anna, "Nora")
    assert await heroes(desk) == ["Anna", "Ben", "Nora"]
    assert (await desk.row()).cast == [desk.hero, desk.other, nora]
    assert (await told(desk, desk.watcher))[-1] == "Nora takes sides."
    kinds = [(entry.kind, entry.text) for entry in (await desk.log())[-2:]]
    assert kinds == [("scene.move", "Nora takes sides."), ("character.seated", "Nora joins the party.")]
    # Her player answers for her.
    await desk.made(desk.gm, "Settle", GM)
    for who, hero in ((desk.anna, desk.hero), (desk.ben, desk.other), (desk.anna, nora)):
        await desk.made(who, "Consent", hero, agrees=True)
    assert (await desk.row()).ended_at is not None


async def test_whom_the_game_does_not_take_in_takes_no_part(desk: Desk) -> None:
    before = await desk.row()
    await desk.seat(desk.ben, "Tam")
    other = desk.characters.add(desk.ben, "Of another game")
    desk.characters.known[other]["system"] = "dwarf_dice"
    assert isinstance(await desk.table.seat(desk.ben, desk.campaign, other), Campaign)
    strange = desk.characters.add(desk.ben, "Of a newer form")
    desk.characters.sheets[strange] = {**desk.characters.sheets[strange], "version": 99}
    assert isinstance(await desk.table.seat(desk.ben, desk.campaign, strange), Campaign)
    assert await desk.row() == before


async def test_a_character_that_leaves_takes_part_no_longer_and_may_come_again(desk: Desk) -> None:
    assert isinstance(await desk.table.unseat(desk.gm, desk.campaign, desk.other), Campaign)
    assert await heroes(desk) == ["Anna"]
    assert (await desk.row()).cast == [desk.hero]
    assert (await told(desk, desk.gm))[-1] == "Ben wants no more of it."
    assert isinstance(await desk.table.unseat(desk.gm, desk.campaign, desk.other), NotFound)
    assert isinstance(await desk.table.seat(desk.ben, desk.campaign, desk.other), Campaign)
    assert await heroes(desk) == ["Anna", "Ben"]
    # Every moment of the feud can be built anew.
    look = await desk.look(desk.gm)
    for seq in range(look.row.seq + 1):
        moment = await desk.reader.at(look, seq)
        assert moment is not None and moment.faithful


async def test_a_member_who_leaves_takes_all_their_characters_along(desk: Desk) -> None:
    await desk.seat(desk.ben, "Nora")
    assert await desk.table.remove(desk.gm, desk.campaign, desk.ben.account) == desk.ben.account
    assert await heroes(desk) == ["Anna"]


async def test_a_character_that_is_deleted_has_left(desk: Desk) -> None:
    gone = {"id": desk.hero, "owner": desk.anna.account, "name": "Anna"}
    for _ in range(2):
        async with desk.database.write() as session:
            await desk.table.seats.record(session, Event("character.deleted", f"character:{desk.hero}", gone))
    assert await heroes(desk) == ["Ben"]
    assert (await told(desk, desk.gm)).count("Anna wants no more of it.") == 1


async def test_whoever_comes_or_goes_while_a_move_waits_is_heard_of_behind_it(desk: Desk) -> None:
    await desk.made(desk.gm, "Settle", GM)
    await desk.made(desk.anna, "Consent", desk.hero, agrees=False)
    await desk.seat(desk.anna, "Nora")
    await desk.table.unseat(desk.anna, desk.campaign, desk.hero)
    assert (await heroes(desk), len((await desk.row()).inbox)) == (["Anna", "Ben"], 2)
    await desk.made(desk.ben, "Consent", desk.other, agrees=True)
    assert (await heroes(desk), (await desk.row()).inbox) == (["Ben", "Nora"], [])
    assert (await told(desk, desk.gm))[-3:] == [
        "Not all would settle.",
        "Nora takes sides.",
        "Anna wants no more of it.",
    ]


async def test_that_a_character_came_is_not_undone_in_the_campaign_itself(desk: Desk) -> None:
    await desk.seat(desk.anna, "Nora")
    refused = await desk.undo(desk.gm, desk.scene, (await desk.row()).seq)
    assert isinstance(refused, MoveRejected) and refused.issues[0].code == "HEARD_FROM_TABLE"
    await desk.made(desk.gm, "Settle", GM)
    assert isinstance(await desk.undo(desk.gm, desk.scene, (await desk.row()).seq), Performed)
    assert await heroes(desk) == ["Anna", "Ben", "Nora"]


async def test_what_a_scene_takes_back_leaves_who_came_meanwhile(desk: Desk) -> None:
    feud = desk.scene
    await desk.start(setup="rival")
    begun = desk.scene
    hit = await desk.strike([6, 6, 6], [1, 1, 1])
    await desk.seat(desk.anna, "Nora")
    assert isinstance(await desk.undo(desk.gm, begun, hit.scene.seq), Performed)
    desk.scene = feud
    assert await heroes(desk) == ["Anna", "Ben", "Nora"]
    assert (await desk.row()).state["data"]["hits"] == 0


async def test_nobody_sits_down_while_their_sheet_cannot_be_read(desk: Desk) -> None:
    nora = desk.characters.add(desk.anna, "Nora")
    desk.characters.away = True
    assert isinstance(await desk.table.seat(desk.anna, desk.campaign, nora), Unavailable)
    desk.characters.away = False
    assert nora not in {seat.character for seat in await desk.campaigns.seats([desk.campaign])}


async def test_moves_and_newcomers_at_once_are_all_heard_of(desk: Desk) -> None:
    names = [f"Cousin {number}" for number in range(4)]
    seq = (await desk.row()).seq
    moved, *_ = await asyncio.gather(
        desk.perform(desk.gm, desk.wanted("Settle", GM, seq=seq)),
        *(desk.seat(desk.anna, name) for name in names),
        desk.table.change_role(desk.gm, desk.campaign, desk.watcher.account, Role.PLAYER),
    )
    row = await desk.row()
    known = [*row.state["data"]["heroes"].values(), *(each["sheet"]["data"]["name"] for each in row.inbox)]
    assert sorted(known) == ["Anna", "Ben", *names]
    # The move was let in before or behind some of them, or it came too late for all it saw.
    assert (row.waiting is not None) == isinstance(moved, Performed)
