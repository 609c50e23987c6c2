"""Players without a character, where a game's campaign admits them: heroes in the making in session zero."""

from collections.abc import AsyncIterator

import pytest

from services.campaign.scenes.moves import Performed
from services.rules.engine.campaign import SUFFIX
from services.rules.engine.play import GM, PLAYER
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.problems import Forbidden
from services.shared.settings import Settings
from tests.campaign.scene_desk import Desk

pytestmark = pytest.mark.databases("campaign")


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    """A table of Fortunate Blades at session zero, before it has a hero."""
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    await made.start(system=f"fortunate_blades{SUFFIX}", setup="session-zero", characters=())
    yield made
    await database.close()


async def own(desk: Desk, who: Viewer) -> str:
    """The actor as which a player without a hero acts."""
    (found,) = (await desk.look(who)).actors
    return found


async def shown(desk: Desk, who: Viewer, actor: str) -> tuple[str, tuple[str, ...]]:
    """The sheet of a hero in the making, as a viewer sees it: name and lines."""
    look = await desk.look(who)
    assert look.card is not None
    (found,) = [each for each in look.card.actors if each.id == actor]
    return found.name, found.conditions


async def test_players_without_a_hero_show_all_of_the_table_what_they_have_chosen(desk: Desk) -> None:
    anna, ben = await own(desk, desk.anna), await own(desk, desk.ben)
    assert anna.startswith(PLAYER) and desk.anna.account not in anna and anna != ben
    offers = {each.id for each in (await desk.look(desk.anna)).legal()}
    assert {"draft:person", "draft:backgrounds", "draft:ranks"} <= offers
    trade = "fortunate_blades:trade/duellist"
    await desk.made(desk.anna, "DraftHero", anna, name="Hesper", trades=[trade])
    for who in (desk.gm, desk.anna, desk.ben, desk.watcher):
        name, lines = await shown(desk, who, anna)
        assert name == "Hesper" and lines[0].startswith("trade: ")
        assert [each.actor for each in await desk.moves(who)] == [anna]
    await desk.made(desk.ben, "DraftHero", ben, look="In grey")
    assert (await shown(desk, desk.anna, ben))[1][0] == "look: In grey"
    # Everybody draws their own; the game master may clear the table.
    assert isinstance(await desk.move(desk.ben, "DropDraft", anna), Forbidden)
    assert isinstance(await desk.move(desk.watcher, "DraftHero", f"{PLAYER}x"), Forbidden)
    assert isinstance(await desk.move(desk.gm, "DropDraft", anna), Performed)


async def test_spectators_act_as_nobody_and_players_only_while_the_group_makes_its_story(desk: Desk) -> None:
    assert (await desk.look(desk.watcher)).actors == []
    anna = await own(desk, desk.anna)
    await desk.made(desk.gm, "EndCampaign", GM)
    assert (await desk.look(desk.anna)).actors == []
    assert isinstance(await desk.move(desk.anna, "DraftHero", anna), Forbidden)


async def test_where_a_game_admits_none_a_player_without_a_character_has_no_actor(desk: Desk) -> None:
    await desk.start(characters=(desk.hero,))
    assert (await desk.look(desk.ben)).actors == []
    assert (await desk.look(desk.anna)).actors == [desk.hero]
