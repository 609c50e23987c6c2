"""What a game keeps of a campaign between scenes: begun, moved, told of what happens in its scenes; on both
databases.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.campaign.scenes.models import Scene
from services.campaign.scenes.moves import Performed
from services.campaign.scenes.problem import MoveRejected
from services.rules.engine.play import GM
from services.shared.database import Database
from services.shared.problems import Forbidden, InvalidInput, Unavailable
from services.shared.settings import Settings
from tests.campaign.feuds import FEUD, RolledFeud, with_feud
from tests.campaign.scene_desk import Desk, somebody
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("campaign")


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    """A feud with a rival."""
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    await made.start(system=FEUD, setup="mill")
    yield made
    await database.close()


async def duel(desk: Desk) -> tuple[str, str]:
    """Begins the duel with the rival, which is on the desk then; returns the ids of feud and duel."""
    feud = desk.scene
    await desk.start(setup="rival")
    return feud, desk.scene


async def state(desk: Desk, scene: str) -> dict[str, Any]:
    """The data of a scene's state."""
    before, desk.scene = desk.scene, scene
    found: dict[str, Any] = (await desk.row()).state["data"]
    desk.scene = before
    return found


async def told(desk: Desk, scene: str) -> list[str]:
    """What stands in a scene's log for one who watches."""
    before, desk.scene = desk.scene, scene
    moves = await desk.moves(desk.watcher)
    desk.scene = before
    return [text for move in moves for text in move.sentences]


async def test_a_game_keeps_one_state_of_a_campaign_which_all_at_the_table_see(desk: Desk) -> None:
    again = await desk.begin(desk.gm, system=FEUD, setup="mill")
    assert isinstance(again, InvalidInput) and again.issues[0].code == "CAMPAIGN_RUNS"
    for who in (desk.gm, desk.anna, desk.watcher):
        look = await desk.reader.campaign(who, desk.campaign, "duel")
        assert look is not None and look.row.id == desk.scene
        assert look.card is not None and [actor.name for actor in look.card.actors] == [
            "Anna",
            "Ben",
            "Sour Tam",
        ]
    assert await desk.reader.campaign(somebody(), desk.campaign, "duel") is None
    assert await desk.reader.campaign(desk.gm, desk.campaign, "dwarf_dice") is None
    assert isinstance(await desk.begin(desk.anna, system=FEUD, setup="mill"), Forbidden)


async def test_scenes_are_begun_from_it_by_the_names_it_offers(desk: Desk) -> None:
    assert list((await desk.look(desk.gm)).openings) == ["rival"]
    assert (await desk.look(desk.anna)).openings == {}
    unknown = await desk.begin(desk.gm, setup="foe-1")
    assert isinstance(unknown, InvalidInput)
    assert unknown.issues[0].allowed == "yard, ambush, rival"
    feud, begun = await duel(desk)
    row = await desk.row()
    assert (row.begun_from, row.begun_as, row.title) == (feud, "rival", "The Feud at the Mill: Sour Tam")
    assert (await desk.look(desk.gm)).openings == {}
    # The rival is met: not twice at once, and what the game itself offers has no feud behind it.
    desk.scene = feud
    assert (await desk.look(desk.gm)).openings == {}
    assert (await state(desk, feud))["met"] is True
    other = await desk.start(setup="yard")
    assert other.begun_from is None
    assert await told(desk, feud) == ["Sour Tam comes to a duel."]
    assert begun != other.id


async def test_a_campaign_hears_what_happens_when_it_happens_and_takes_back_what_is_taken_back(
    desk: Desk,
) -> None:
    feud, begun = await duel(desk)
    hit = await desk.strike([6, 6, 6], [1, 1, 1])
    assert (await state(desk, feud))["hits"] == 1
    assert (await told(desk, feud))[-1] == "Sour Tam will remember that."
    desk.scene = feud
    refused = await desk.undo(desk.gm, feud, (await desk.row()).seq)
    assert isinstance(refused, MoveRejected) and refused.issues[0].code == "HEARD_FROM_SCENE"
    taken = await desk.undo(desk.gm, begun, hit.scene.seq)
    assert isinstance(taken, Performed)
    now = await state(desk, feud)
    assert (now["hits"], now["met"]) == (0, True)
    assert (await told(desk, feud))[-1] == "Taken back: Sour Tam will remember that."
    # Every moment of the campaign can still be built anew.
    look = await desk.look(desk.gm)
    for seq in range(look.row.seq + 1):
        moment = await desk.reader.at(look, seq)
        assert moment is not None and moment.faithful


async def test_the_end_of_a_scene_is_heard_and_the_rival_can_be_met_again(desk: Desk) -> None:
    feud, _ = await duel(desk)
    await desk.made(desk.gm, "Stop", GM)
    assert (await state(desk, feud))["met"] is False
    desk.scene = feud
    assert list((await desk.look(desk.gm)).openings) == ["rival"]
    await duel(desk)
    for turn, (who, hero) in enumerate(
        ((desk.anna, desk.hero), (desk.ben, desk.other), (desk.anna, desk.hero))
    ):
        await desk.made(who, "Strike", hero, target="rival-1")
        desk.dice.loaded += [[6] * 3, [1] * (4 if turn == 2 else 3)]
        await desk.made(desk.gm, "Answer", "rival-1", flinch=False)
        if turn == 1:
            await desk.made(desk.gm, "Brace", "rival-1")
    assert (await desk.row()).ended_at is not None
    desk.scene = feud
    over = await desk.row()
    assert over.ended_at is not None and over.state["data"]["hits"] == 3
    assert {entry.text for entry in (await desk.log())[-3:]} >= {"Sour Tam has had enough."}
    assert (await desk.look(desk.gm)).openings == {}
    assert isinstance(await desk.begin(desk.gm, setup="rival"), InvalidInput)


async def test_what_is_heard_while_a_move_waits_is_taken_in_behind_it(desk: Desk) -> None:
    feud, begun = await duel(desk)
    desk.scene = feud
    await desk.made(desk.gm, "Settle", GM)
    await desk.made(desk.anna, "Consent", desk.hero, agrees=False)
    desk.scene = begun
    await desk.strike([6, 6, 6], [1, 1, 1])
    desk.scene = feud
    row = await desk.row()
    assert len(row.inbox) == 2 and row.state["data"]["hits"] == 0
    await desk.made(desk.ben, "Consent", desk.other, agrees=True)
    row = await desk.row()
    assert (row.inbox, row.waiting) == ([], None)
    assert row.state["data"]["hits"] == 1
    assert (await told(desk, feud))[-2:] == ["Not all would settle.", "Sour Tam will remember that."]


async def test_a_move_that_waits_behind_what_is_taken_back_is_taken_back_with_it(desk: Desk) -> None:
    feud, begun = await duel(desk)
    hit = await desk.strike([6, 6, 6], [1, 1, 1])
    desk.scene = feud
    await desk.made(desk.gm, "Settle", GM)
    await desk.made(desk.anna, "Consent", desk.hero, agrees=True)
    assert isinstance(await desk.undo(desk.gm, begun, hit.scene.seq), Performed)
    row: Scene = await desk.row()
    assert (row.waiting, row.deadlines, row.state["data"]["hits"]) == (None, {}, 0)
    late = await desk.move(desk.ben, "Consent", desk.other, agrees=True)
    assert isinstance(late, MoveRejected)
    await desk.made(desk.gm, "Settle", GM)
    for who, hero in ((desk.anna, desk.hero), (desk.ben, desk.other)):
        await desk.made(who, "Consent", hero, agrees=True)
    assert (await desk.row()).ended_at is not None


@ON_BOTH
async def test_a_move_of_the_campaign_whose_dice_are_asked_for_comes_before_what_is_taken_back(
    desk: Desk,
) -> None:
    desk.play(with_feud(RolledFeud()))
    feud, begun = await duel(desk)
    hit = await desk.strike([6, 6, 6], [1, 1, 1])
    desk.scene, desk.dice.away = feud, True
    assert isinstance(await desk.move(desk.gm, "Settle", GM), Unavailable)
    assert isinstance(await desk.undo(desk.gm, begun, hit.scene.seq), Unavailable)
    row = await desk.row()
    assert row.pending is not None and row.state["data"]["hits"] == 1
    desk.dice.away = False
    assert isinstance(await desk.undo(desk.gm, begun, hit.scene.seq), Performed)
    row = await desk.row()
    assert row.pending is None and row.state["data"]["hits"] == 0
    assert (await told(desk, feud))[-2:] == [
        "Not all would settle.",
        "Taken back: Sour Tam will remember that.",
    ]


async def test_a_scene_goes_on_when_its_campaign_is_over(desk: Desk) -> None:
    feud, begun = await duel(desk)
    desk.scene = feud
    await desk.made(desk.gm, "Settle", GM)
    for who, hero in ((desk.anna, desk.hero), (desk.ben, desk.other)):
        await desk.made(who, "Consent", hero, agrees=True)
    desk.scene = begun
    await desk.strike([6, 6, 6], [1, 1, 1])
    assert (await state(desk, feud))["hits"] == 0
    # And another may begin.
    await desk.start(system=FEUD, setup={"title": "Another"})
