"""The migrations lead to the tables that the code expects, on both databases."""

from services.shared.migrate import drift
from services.shared.settings import Settings


async def test_a_migrated_database_has_the_tables_of_the_code(settings: Settings) -> None:
    assert await drift("character", settings.database_url_character) == []
