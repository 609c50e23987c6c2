"""Characters of several games side by side, and of a game that is not installed any more."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from services.character.building.builds import Build
from services.character.building.models import CharacterRow
from services.character.building.requests import CreateCharacter, UpdateCharacter
from services.character.context import CharacterUseCases
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem
from services.shared.access import CampaignAccess
from services.shared.auth import Signer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.peers import Peer
from services.shared.problems import InvalidInput
from services.shared.settings import Settings
from tests.character.desk import broken, refusal, somebody
from tests.character.toy import SLUG, dropped_in


class Games:
    """The character service with whatever games are installed."""

    def __init__(self, database: Database, peer: Peer, installed: Mapping[str, AnySystem]) -> None:
        self._database = database
        self._peer = peer
        self.installed = installed

    def service(self, *slugs: str) -> CharacterUseCases:
        """Give the use cases as they are with these games only."""
        found = {slug: self.installed[slug] for slug in slugs}
        return CharacterUseCases.over(self._database, system_clock, CampaignAccess(self._peer), found)

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


async def made(service: CharacterUseCases, viewer: Any, build: Build) -> CharacterRow:
    return await service.characters.create(viewer, CreateCharacter(build), None)


async def test_a_character_stays_in_its_game(games: Games) -> None:
    player, service = somebody(), games.service("dungeonteller", SLUG)
    bear = await made(service, player, games.toy("Bear"))
    hero = Build("dungeonteller", games.installed["dungeonteller"].examples["elf"])
    refused = await refusal(service.characters.update(player, UpdateCharacter(bear.id, 1, hero), None))
    assert isinstance(refused, InvalidInput)
    found = refused.issues[0]
    assert (found.code, found.path) == ("SYSTEM_FIXED", ["build"])
    assert (found.found, found.allowed) == ("dungeonteller", SLUG)
    edit = UpdateCharacter(bear.id, 1, games.toy("Old Bear"))
    changed = await service.characters.update(player, edit, None)
    assert (changed.name, changed.version) == ("Old Bear", 2)


async def test_one_key_is_one_character_whatever_the_game(games: Games) -> None:
    player, service = somebody(), games.service("dungeonteller", SLUG)
    asked = CreateCharacter(games.toy("Bear"))
    first = await service.characters.create(player, asked, "evening-1")
    again = await service.characters.create(player, asked, "evening-1")
    assert first.id == again.id


async def test_without_its_game_a_character_is_listed_but_has_no_sheet(games: Games) -> None:
    player = somebody()
    bear = await made(games.service(SLUG), player, games.toy("Bear"))
    service = games.service("dungeonteller")
    found = (await service.characters.characters(player, [bear.id]))[bear.id]
    assert (found.name, found.system) == ("Bear", SLUG)
    assert await service.sheets.sheet(player, found, ()) is None
    assert service.characters.choices(found) is None
    assert await service.sheets.document_of(player, bear.id) is None
    asked = CreateCharacter(games.toy("Another"))
    refused = await refusal(service.characters.create(player, asked, None))
    assert broken(refused) == [("SYSTEM_UNKNOWN", "build")]


async def test_a_sheet_of_a_form_that_is_not_known_yet_is_none(games: Games) -> None:
    player, service = somebody(), games.service(SLUG)
    bear = await made(service, player, games.toy("Bear"))
    bear.sheet = {**bear.sheet, "version": 99}
    assert await service.sheets.sheet(player, bear, ()) is None
    assert service.characters.choices(bear) == games.installed[SLUG].choices(name="Bear")
