"""What apps keep beside characters: who writes it, and how it goes with them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.character.building.models import CharacterRow
from services.character.building.requests import DeleteCharacter
from services.character.metadata.requests import SetCharacterMetadata
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.metadata.requests import Metadata, MetadataReaders
from services.shared.problems import Forbidden, NotFound
from services.shared.settings import Settings
from tests.character.desk import refusal
from tests.character.test_erasure import Town

TRACKER = "com.example.tracker"


@pytest.fixture
async def town(settings: Settings) -> AsyncIterator[Town]:
    database = Database(settings.database_url_character)
    yield Town(database)
    await database.close()


async def keep(town: Town, who: Viewer, character: CharacterRow, data: Any, **more: Any) -> Metadata | None:
    """Write beside a character."""
    asked = SetCharacterMetadata(character.id, TRACKER, data, **more)
    return await town.use_cases.metadata.of_character(who, asked, None)


async def beside(town: Town, who: Viewer, character: CharacterRow) -> list[Any]:
    """Return what is shown beside a character."""
    thing = (character.id, "")
    return [bag.data for bag in (await town.use_cases.metadata.bags.beside(who, [thing]))[thing]]


async def test_its_player_and_who_plays_at_its_table_write_beside_a_character(town: Town) -> None:
    hero = await town.duellist(town.player)
    assert isinstance(await refusal(keep(town, town.gm, hero, {})), NotFound)
    assert await keep(town, town.player, hero, {"a": 1}) is not None
    town.campaigns.seats[hero.id] = town.table
    written = await keep(town, town.gm, hero, {"a": 2})
    assert written is not None and written.version == 2
    assert isinstance(await refusal(keep(town, town.spectator, hero, {})), Forbidden)
    assert isinstance(await refusal(keep(town, town.outsider, hero, {})), NotFound)
    assert await beside(town, town.spectator, hero) == [{"a": 2}]
    # To write beside a character is no edit of it.
    assert (await town.row(hero)).version == hero.version


async def test_metadata_go_with_their_character(town: Town) -> None:
    gone, kept = [await town.duellist(town.player) for _ in range(2)]
    for hero in (gone, kept):
        await keep(town, town.player, hero, {"a": 1})
    await town.characters.delete(town.player, DeleteCharacter(gone.id, 1), None)
    assert isinstance(await refusal(keep(town, town.player, gone, {})), NotFound)
    assert await beside(town, town.player, gone) == []
    assert await beside(town, town.player, kept) == [{"a": 1}]


async def test_metadata_go_with_the_account_whose_they_are(town: Town) -> None:
    mine, other = await town.duellist(town.player), await town.duellist(town.gm)
    town.campaigns.seats[other.id] = town.table
    app = MetadataReaders.APP
    await keep(town, town.player, mine, {"a": 1})
    for who, readers in (
        (town.player, MetadataReaders.TABLE),
        (town.player, app),
        (town.gm, app),
    ):
        await keep(town, who, other, {"b": who.account}, readers=readers)
    await town.erase(town.player.account)
    await town.erase(town.player.account)
    assert await town.count(f"metadata_bag WHERE thing = '{mine.id}'") == 0
    of_table, of_gm = {"b": town.player.account}, {"b": town.gm.account}
    assert await beside(town, town.gm, other) == [of_table, of_gm]
    assert await beside(town, town.player, other) == [of_table]
