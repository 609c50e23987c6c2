"""What the content of games is looked through by is there before anybody asks."""

import pytest

from services.character.packs import readying, tasks
from services.rules.engine import shelf_index
from services.rules.engine.library import Wanted
from services.rules.engine.registry import systems


class Unexpected(Exception):
    """Something was made that should have been there."""


def test_no_question_about_a_games_content_has_to_wait_for_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    readying.make_indexes()

    def unexpected(*_args: object) -> None:
        raise Unexpected

    monkeypatch.setattr(shelf_index, "ShelfIndex", unexpected)
    monkeypatch.setattr(shelf_index, "_kept", unexpected)
    for system in systems().values():
        listed = tasks.kinds_of(system)
        assert sum(kind.count for kind in listed) == tasks.searched(system, Wanted()).total
    shelf_index._made.cache_clear()
    with pytest.raises(Unexpected):
        tasks.kinds_of(systems()["forge_engine"])


async def test_a_service_makes_them_once_and_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(readying, "LATER", 0)
    monkeypatch.setattr(readying, "make_indexes", lambda: made.append("once"))
    running = readying.asyncio.create_task(readying.ready_library())
    while not made:
        await readying.asyncio.sleep(0)
    assert not running.done()
    running.cancel()
