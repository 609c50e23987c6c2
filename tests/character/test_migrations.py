"""The migrations lead to the tables that the code expects, on both databases, and keep what is there."""

from sqlalchemy import text

from services.character.building.builds import Build
from services.character.building.requests import CreateCharacter, DeleteCharacter, UpdateCharacter
from services.character.context import CharacterUseCases
from services.character.history.lines import HistoryKind
from services.character.history.requests import UndoCharacterEdit
from services.rules.engine.registry import systems
from services.shared.access import CampaignAccess
from services.shared.auth import Signer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.migrate import drift, upgrade
from services.shared.peers import Peer
from services.shared.settings import Settings
from tests.character.desk import somebody
from tests.databases import ON_BOTH

pytestmark = ON_BOTH


BEFORE_HISTORIES = (
    "DROP TABLE place_update",
    "DELETE FROM sequence WHERE scope LIKE 'updates:%'",
    "DROP TABLE metadata_bag",
    "DROP TABLE scene_change",
    "DROP TABLE pack_version",
    "DROP TABLE pack",
    "DROP TABLE pack_use",
    "DROP TABLE character_version",
    "ALTER TABLE character DROP COLUMN packs",
    "ALTER TABLE character DROP COLUMN portrait",
    "UPDATE alembic_version SET version_num = 'character_0002'",
)


async def test_a_migrated_database_has_the_tables_of_the_code(settings: Settings) -> None:
    assert await drift("character", settings.database_url_character) == []


async def test_the_history_of_who_was_there_before_begins_with_what_they_are(settings: Settings) -> None:
    database, player = Database(settings.database_url_character), somebody()
    peer = Peer("campaign", settings.campaign_url, Signer.of("character", settings))
    service = CharacterUseCases.over(database, system_clock, CampaignAccess(peer), systems())
    characters, game = service.characters, systems()["dungeonteller"]
    elf, dwarf = [Build("dungeonteller", game.examples[name]) for name in ("elf", "dwarf")]
    first = await characters.create(player, CreateCharacter(elf), None)
    gone = await characters.create(player, CreateCharacter(dwarf), None)
    await characters.update(player, UpdateCharacter(first.id, 1, dwarf), None)
    await characters.delete(player, DeleteCharacter(gone.id, 1), None)
    async with database.write() as session:
        for statement in BEFORE_HISTORIES:
            await session.execute(text(statement))
    await database.close()

    await upgrade("character", settings.database_url_character)
    assert await drift("character", settings.database_url_character) == []
    async with database.read() as session:
        rows = (await session.execute(text("SELECT character, version FROM character_version"))).all()
    assert rows == [(first.id, 2)]
    row = await characters.existing(first.id)
    assert row is not None and row.packs == []
    told = await characters.updates(player, None, None, first=9)
    assert told is not None and [one for one, _ in told.lines()] == [first.id]
    await characters.update(player, UpdateCharacter(first.id, 2, elf), None)
    back = await service.history.undo(player, UndoCharacterEdit(first.id, 3), None)
    assert characters.choices(back) == dwarf.choices
    page = await service.history.page(player, back, first=9, below=None)
    assert page is not None
    assert [(one.what, one.row.version) for one in page.items] == [
        (HistoryKind.UNDONE, 4),
        (HistoryKind.EDITED, 3),
        (HistoryKind.KEPT, 2),
    ]
    await peer.close()
    await database.close()
