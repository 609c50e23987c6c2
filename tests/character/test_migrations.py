"""The migrations lead to the tables that the code expects, on both databases, and keep what is there."""

from sqlalchemy import text

from services.character.building import Build
from services.character.history import HistoryKind
from services.character.models import CharacterRow
from services.character.seats import Seats
from services.character.service import CharacterService
from services.character.undoing import Undoing
from services.rules.engine.registry import systems
from services.shared.access import CampaignAccess
from services.shared.auth import Signer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.migrate import drift, upgrade
from services.shared.peers import Peer
from services.shared.settings import Settings
from tests.character.desk import somebody

BEFORE_HISTORIES = (
    "DROP TABLE scene_change",
    "DROP TABLE pack_version",
    "DROP TABLE pack",
    "DROP TABLE pack_use",
    "DROP TABLE character_version",
    "ALTER TABLE character DROP COLUMN packs",
    "UPDATE alembic_version SET version_num = 'character_0002'",
)


async def test_a_migrated_database_has_the_tables_of_the_code(settings: Settings) -> None:
    assert await drift("character", settings.database_url_character) == []


async def test_the_history_of_who_was_there_before_begins_with_what_they_are(settings: Settings) -> None:
    database, player = Database(settings.database_url_character), somebody()
    peer = Peer("campaign", settings.campaign_url, Signer.of("character", settings))
    access = CampaignAccess(peer)
    service = CharacterService(database, system_clock, access, systems())
    undoing = Undoing(database, system_clock, Seats(access), service)
    game = systems()["dungeonteller"]
    elf, dwarf = game.examples["elf"], game.examples["dwarf"]
    first = await service.create(player, Build("dungeonteller", elf), None)
    gone = await service.create(player, Build("dungeonteller", dwarf), None)
    assert isinstance(first, CharacterRow) and isinstance(gone, CharacterRow)
    await service.update(player, first.id, 1, Build("dungeonteller", dwarf))
    await service.delete(player, gone.id, 1)
    async with database.write() as session:
        for statement in BEFORE_HISTORIES:
            await session.execute(text(statement))
    await database.close()

    await upgrade("character", settings.database_url_character)
    assert await drift("character", settings.database_url_character) == []
    async with database.read() as session:
        rows = (await session.execute(text("SELECT character, version FROM character_version"))).all()
    assert rows == [(first.id, 2)]
    row = await service.existing(first.id)
    assert row is not None and row.packs == []
    edited = await service.update(player, first.id, 2, Build("dungeonteller", elf))
    assert isinstance(edited, CharacterRow)
    back = await undoing.undo(player, first.id, 3, None)
    assert isinstance(back, CharacterRow) and service.choices(back) == dwarf
    page = await undoing.page(player, back, first=9, below=None)
    assert page is not None
    assert [(one.what, one.row.version) for one in page.items] == [
        (HistoryKind.UNDONE, 4),
        (HistoryKind.EDITED, 3),
        (HistoryKind.KEPT, 2),
    ]
    await peer.close()
    await database.close()
