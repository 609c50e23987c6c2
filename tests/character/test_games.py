"""Characters of several games side by side, and of a game that is not installed any more."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from services.character.building import Build
from services.character.models import CharacterRow
from services.character.service import CharacterService
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem
from services.shared.access import CampaignAccess
from services.shared.auth import Signer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.peers import Peer
from services.shared.problems import InvalidInput
from services.shared.settings import Settings
from tests.character.desk import somebody
from tests.character.toy import SLUG, dropped_in


class Games:
    """The character service with whatever games are installed."""

    def __init__(self, database: Database, peer: Peer, installed: Mapping[str, AnySystem]) -> None:
        self._database = database
        self._peer = peer
        self.installed = installed

    def service(self, *slugs: str) -> CharacterService:
        """Give the use cases as they are with these games only."""
        found = {slug: self.installed[slug] for slug in slugs}
        return CharacterService(self._database, system_clock, CampaignAccess(self._peer), found)

    def toy(self, name: str) -> Build:
        """Give the build of a toy."""
        return Build(SLUG, self.installed[SLUG].choices(name=name))


@pytest.fixture
async def games(settings: Settings, tmp_path: Path) -> AsyncIterator[Games]:
    """Install a game of the test's own beside those of the house."""
    database = Database(settings.database_url_character)
    peer = Peer("campaign", settings.campaign_url, Signer.of("character", settings))
    yield Games(database, peer, systems(dropped_in(tmp_path)))
    await peer.close()
    await database.close()


async def made(service: CharacterService, viewer: Any, build: Build) -> CharacterRow:
    row = await service.create(viewer, build, None)
    assert isinstance(row, CharacterRow)
    return row


async def test_a_character_stays_in_its_game(games: Games) -> None:
    player, service = somebody(), games.service("dungeonteller", SLUG)
    bear = await made(service, player, games.toy("Bear"))
    hero = Build("dungeonteller", games.installed["dungeonteller"].examples["elf"])
    refused = await service.update(player, bear.id, 1, hero)
    assert isinstance(refused, InvalidInput)
    found = refused.issues[0]
    assert (found.code, found.path) == ("SYSTEM_FIXED", ["build"])
    assert (found.found, found.allowed) == ("dungeonteller", SLUG)
    changed = await service.update(player, bear.id, 1, games.toy("Old Bear"))
    assert isinstance(changed, CharacterRow)
    assert (changed.name, changed.version) == ("Old Bear", 2)


async def test_one_key_is_one_character_whatever_the_game(games: Games) -> None:
    player, service = somebody(), games.service("dungeonteller", SLUG)
    first = await service.create(player, games.toy("Bear"), "evening-1")
    again = await service.create(player, games.toy("Bear"), "evening-1")
    assert isinstance(first, CharacterRow)
    assert isinstance(again, CharacterRow)
    assert first.id == again.id


async def test_without_its_game_a_character_is_listed_but_has_no_sheet(games: Games) -> None:
    player = somebody()
    bear = await made(games.service(SLUG), player, games.toy("Bear"))
    service = games.service("dungeonteller")
    found = (await service.characters(player, [bear.id]))[bear.id]
    assert (found.name, found.system) == ("Bear", SLUG)
    assert await service.sheets.sheet(player, found, ()) is None
    assert service.choices(found) is None
    assert await service.sheet_document(player, bear.id) is None
    refused = await service.create(player, games.toy("Another"), None)
    assert isinstance(refused, InvalidInput)
    assert refused.issues[0].code == "SYSTEM_UNKNOWN"


async def test_a_sheet_of_a_form_that_is_not_known_yet_is_none(games: Games) -> None:
    player, service = somebody(), games.service(SLUG)
    bear = await made(service, player, games.toy("Bear"))
    bear.sheet = {**bear.sheet, "version": 99}
    assert await service.sheets.sheet(player, bear, ()) is None
    assert service.choices(bear) == games.installed[SLUG].choices(name="Bear")
