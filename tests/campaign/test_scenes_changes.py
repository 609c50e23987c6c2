"""What a running scene changes about characters is on their sheets at once, and off them when it is taken
back; on both databases.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from services.campaign.scenes.moves import Performed
from services.character.building.builds import Build
from services.character.building.requests import UpdateCharacter
from services.rules.engine.play import GM
from services.rules.engine.play import Viewer as Eyes
from services.shared.auth import Viewer
from services.shared.settings import Settings
from tests.campaign.dying_table import games
from tests.campaign.homes import Homes
from tests.campaign.scene_desk import DUEL, somebody
from tests.databases import ON_BOTH

DuelPlay: Any = type(DUEL.play)
pytestmark = pytest.mark.databases("campaign", "character")


@pytest.fixture
async def homes(settings: Settings) -> AsyncIterator[Homes]:
    made = Homes(settings)
    await made.open()
    await made.desk.start()
    yield made
    await made.close()


async def braced(homes: Homes) -> Performed:
    """Let both heroes brace; returns the second move."""
    desk = homes.desk
    await desk.made(desk.anna, "Brace", desk.hero)
    return await desk.made(desk.ben, "Brace", desk.other)


async def struck(homes: Homes, player: Viewer, hero: str) -> Performed:
    """Let the rival hit a hero, behind the heroes' turns; returns the blow."""
    desk = homes.desk
    await braced(homes)
    await desk.made(desk.gm, "Strike", "rival-1", target=hero)
    return await desk.made(player, "Answer", hero, flinch=False)


async def test_a_sheet_follows_a_scene_move_by_move_and_what_is_taken_back(homes: Homes) -> None:
    desk = homes.desk
    before = await homes.service.sheets.document_of(desk.anna, desk.hero)
    blow = await struck(homes, desk.anna, desk.hero)
    assert [await homes.scars(who, desk.hero) for who in (desk.anna, desk.ben, desk.gm)] == [1, 1, 1]
    assert await homes.scars(desk.ben, desk.other) == 0
    now = await homes.service.sheets.document_of(desk.anna, desk.hero)
    assert before is not None and now is not None and now.etag != before.etag
    row = await homes.row(desk.hero)
    assert (row.version, row.choices["data"]["scars"]) == (1, 0)
    assert isinstance(await desk.undo(desk.gm, desk.scene, blow.scene.seq), Performed)
    assert await homes.scars(desk.anna, desk.hero) == 0
    assert await homes.service.sheets.document_of(desk.anna, desk.hero) == before


async def test_what_a_sheet_is_built_from_follows_the_scene_too(homes: Homes) -> None:
    desk = homes.desk
    await struck(homes, desk.anna, desk.hero)
    await homes.carry()
    row = await homes.row(desk.hero)
    for who in (desk.anna, desk.gm):
        found = await homes.service.sheets.build_of(who, desk.hero)
        assert found is not None
        assert (found["sheet"]["data"]["scars"], found["choices"]["data"]["scars"], found["packs"]) == (
            1,
            1,
            [],
        )
    assert row.choices["data"]["scars"] == 0
    assert await homes.service.sheets.build_of(somebody(), desk.hero) is None


@ON_BOTH
async def test_at_the_end_the_change_is_the_characters_own_once(homes: Homes) -> None:
    desk = homes.desk
    await struck(homes, desk.anna, desk.hero)
    await struck(homes, desk.ben, desk.other)
    assert [await homes.scars(desk.gm, hero) for hero in (desk.hero, desk.other)] == [1, 1]
    await desk.made(desk.gm, "Stop", GM)
    assert [await homes.scars(desk.gm, hero) for hero in (desk.hero, desk.other)] == [1, 1]
    for hero in (desk.hero, desk.other):
        row = await homes.row(hero)
        assert (row.version, row.choices["data"]["scars"]) == (2, 1)
    assert await homes.service.sheets.changes(desk.anna, {desk.hero: desk.anna.account}) == {}


@ON_BOTH
async def test_two_scenes_at_once_add_up_and_each_ends_by_itself(homes: Homes) -> None:
    desk = homes.desk
    first = desk.scene
    await struck(homes, desk.anna, desk.hero)
    await desk.start()
    second = desk.scene
    blow = await struck(homes, desk.anna, desk.hero)
    assert await homes.scars(desk.anna, desk.hero) == 2
    desk.scene = first
    await desk.made(desk.gm, "Stop", GM)
    assert await homes.scars(desk.anna, desk.hero) == 2
    assert (await homes.row(desk.hero)).choices["data"]["scars"] == 1
    assert isinstance(await desk.undo(desk.gm, second, blow.scene.seq), Performed)
    assert await homes.scars(desk.anna, desk.hero) == 1


async def test_a_character_can_be_edited_while_a_scene_runs(homes: Homes) -> None:
    desk = homes.desk
    await struck(homes, desk.anna, desk.hero)
    await homes.carry()
    wanted = Build("duel", DUEL.choices(name="Anne", scars=3))
    edit = UpdateCharacter(desk.hero, 1, wanted)
    await homes.service.characters.update(desk.anna, edit, None)
    assert await homes.scars(desk.anna, desk.hero) == 4
    await desk.made(desk.gm, "Stop", GM)
    assert await homes.scars(desk.anna, desk.hero) == 4
    row = await homes.row(desk.hero)
    assert (row.name, row.choices["data"]["scars"]) == ("Anne", 4)


class Proud(DuelPlay):  # type: ignore[misc]
    """Duels in which nobody but the hero's player and the game master sees what Nerve a hero has lost."""

    def view(self, state: Any, viewer: Eyes) -> Any:
        shown = super().view(state, viewer)
        proud = (
            one if viewer.gm or one.id in viewer.actors else replace(one, nerve=one.most)
            for one in shown.duellists
        )
        return replace(shown, duellists=tuple(proud))


@ON_BOTH
async def test_others_learn_of_what_they_may_not_know_when_the_scene_is_over(homes: Homes) -> None:
    desk, service = homes.desk, homes.service
    desk.play(games(Proud()))
    before = await service.sheets.document_of(desk.ben, desk.hero)
    blow = await struck(homes, desk.anna, desk.hero)
    everyone = (desk.anna, desk.gm, desk.ben, desk.watcher)
    assert [await homes.scars(who, desk.hero) for who in everyone] == [1, 1, 0, 0]
    # Nothing of the sheet betrays to them that there was something.
    assert await service.sheets.document_of(desk.ben, desk.hero) == before
    assert await service.sheets.changes(desk.ben, {desk.hero: desk.anna.account}) == {}
    assert await service.sheets.document_of(somebody(), desk.hero) is None
    assert await desk.table.remove(desk.ben, desk.campaign, desk.ben.account) == desk.ben.account
    assert await service.sheets.document_of(desk.ben, desk.hero) is None
    await desk.made(desk.gm, "Stop", GM, seq=blow.scene.seq)
    assert [await homes.scars(who, desk.hero) for who in (desk.anna, desk.gm, desk.watcher)] == [1, 1, 1]


async def test_who_left_the_table_of_a_scene_is_shown_no_more_of_it(homes: Homes) -> None:
    desk, service = homes.desk, homes.service
    await struck(homes, desk.ben, desk.other)
    await homes.carry()
    owners = {desk.other: desk.ben.account}
    assert list(await service.sheets.changes(desk.watcher, owners)) == [desk.other]
    await desk.table.remove(desk.watcher, desk.campaign, desk.watcher.account)
    await desk.table.remove(desk.ben, desk.campaign, desk.ben.account)
    assert await service.sheets.changes(desk.watcher, owners) == {}
    assert await homes.scars(desk.ben, desk.other) == 1


async def test_a_move_that_changes_no_character_is_not_told(homes: Homes) -> None:
    desk = homes.desk
    await struck(homes, desk.anna, desk.hero)
    await braced(homes)
    told = [payload for kind, _, payload in await desk.events() if kind == "scene.changed"]
    change = {"data": {"scars": 1}, "text": "New scars: 1."}
    assert [(each["number"], each["changes"]) for each in told] == [
        (4, [{"character": desk.hero, "own": change, "open": change}])
    ]
    row = await desk.row()
    assert row.changes == {desk.hero: {"own": change, "open": change}}
