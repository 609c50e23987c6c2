"""What an ended scene changes flows to the characters that took part, each change once, on both databases."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import text as sql

from services.character.building.builds import Build
from services.character.building.models import CharacterRow
from services.character.building.requests import CreateCharacter, DeleteCharacter, UpdateCharacter
from services.character.context import CharacterUseCases
from services.character.history.scene_events import SceneEvents
from services.character.tables import CURSORS
from services.rules.engine.registry import systems
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.consumer import Consumer
from services.shared.database import Database
from services.shared.outbox import Event
from services.shared.problems import VersionConflict
from services.shared.settings import Settings
from services.shared.valkey import connect
from tests.campaign.scene_desk import TOYS, somebody
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("character")

SYSTEMS = systems(TOYS)


class Campaigns:
    """The campaign service, as far as the character service asks it: nobody meets, and these events were."""

    name = "campaign"

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def of(self, viewer: Viewer, **_: Any) -> Access:
        return Access(viewer.account)

    async def get(self, _viewer: Viewer, *_segments: str, after: int) -> Any:
        return [
            [place, event.kind, event.topic, dict(event.payload)]
            for place, event in enumerate(self.events, start=1)
            if place > after
        ]

    def ended(self, *changes: tuple[str, dict[str, Any]], system: str = "duel") -> None:
        told = [{"character": who, "data": data, "text": ""} for who, data in changes]
        scene = f"scn_{len(self.events)}"
        ended = {"scene": scene, "campaign": "cmp_x", "system": system, "changes": told}
        self.events.append(Event("scene.ended", f"scene:{scene}", ended))


class Shelf:
    """A character service that reads what happened at the tables."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database = database
        self.campaigns = Campaigns()
        self.service = CharacterUseCases.over(database, system_clock, self.campaigns, SYSTEMS)
        self.owner = somebody()
        self.redis = connect(settings.redis_url)

    async def duellist(self, name: str = "Anna", **choices: Any) -> str:
        asked = CreateCharacter(Build("duel", SYSTEMS["duel"].choices(name=name, **choices)))
        return (await self.service.characters.create(self.owner, asked, None)).id

    async def read(self) -> None:
        """Read everything that happened as a process does that has just started."""
        scenes = SceneEvents(system_clock, self.service.editions)
        consumer = Consumer(self.database, CURSORS, self.redis, self.campaigns, scenes.handlers)  # type: ignore[arg-type]
        await consumer._fill()

    async def row(self, character: str) -> CharacterRow:
        return (await self.service.characters.characters(self.owner, [character]))[character]

    async def told(self) -> list[str]:
        async with self.database.read() as session:
            rows = (await session.execute(sql("SELECT kind FROM outbox ORDER BY id"))).all()
        return [kind for (kind,) in rows]


@pytest.fixture
async def shelf(settings: Settings) -> AsyncIterator[Shelf]:
    database = Database(settings.database_url("character"))
    made = Shelf(database, settings)
    yield made
    await made.redis.aclose()
    await database.close()


@ON_BOTH
async def test_a_change_is_taken_in_once_however_often_it_is_read(shelf: Shelf) -> None:
    anna, ben = await shelf.duellist(scars=1), await shelf.duellist("Ben")
    shelf.campaigns.ended((anna, {"scars": 2}), (ben, {"scars": 1}))
    for _ in range(3):
        await shelf.read()
    row = await shelf.row(anna)
    assert (row.choices["data"]["scars"], row.sheet["data"]["scars"], row.version) == (3, 3, 2)
    assert (await shelf.row(ben)).choices["data"]["scars"] == 1
    assert await shelf.told() == ["character.created"] * 2 + ["character.changed"] * 2
    assert row.updated_at > row.created_at
    shelf.campaigns.ended((anna, {"scars": 1}))
    await shelf.read()
    assert (await shelf.row(anna)).sheet["data"]["scars"] == 4


@ON_BOTH
async def test_what_cannot_be_taken_in_holds_up_nothing_else(shelf: Shelf) -> None:
    gone, broken, unbuildable, well = [await shelf.duellist() for _ in range(4)]
    await shelf.service.characters.delete(shelf.owner, DeleteCharacter(gone, 1), None)
    shelf.campaigns.ended((well, {"scars": 7}), system="another")
    shelf.campaigns.ended(
        (gone, {"scars": 1}), (broken, {}), (unbuildable, {"scars": -5}), ("chr_x", {}), (well, {"scars": 1})
    )
    await shelf.read()
    for character in (broken, unbuildable):
        row = await shelf.row(character)
        assert (row.version, row.choices["data"]["scars"]) == (1, 0)
    assert (await shelf.row(well)).choices["data"]["scars"] == 1
    async with shelf.database.read() as session:
        assert (await session.execute(sql("SELECT position FROM consumer_cursor"))).scalar_one() == 2


async def test_a_players_edit_from_before_the_end_keeps_what_the_end_has_brought(shelf: Shelf) -> None:
    anna = await shelf.duellist()
    shelf.campaigns.ended((anna, {"scars": 1}))
    await shelf.read()
    edit = UpdateCharacter(anna, 1, Build("duel", SYSTEMS["duel"].choices(name="Anne")))
    await shelf.service.characters.update(shelf.owner, edit, None)
    expected = SYSTEMS["duel"].choices_codec.dump(SYSTEMS["duel"].choices(name="Anne", scars=1))
    assert (await shelf.row(anna)).choices == expected


async def test_a_players_edit_from_before_the_end_of_what_the_end_has_changed_is_a_conflict(
    shelf: Shelf,
) -> None:
    anna = await shelf.duellist()
    shelf.campaigns.ended((anna, {"scars": 1}))
    await shelf.read()
    edit = UpdateCharacter(anna, 1, Build("duel", SYSTEMS["duel"].choices(name="Anne", scars=2)))
    with pytest.raises(VersionConflict):
        await shelf.service.characters.update(shelf.owner, edit, None)
    expected = SYSTEMS["duel"].choices_codec.dump(SYSTEMS["duel"].choices(name="Anna", scars=1))
    assert (await shelf.row(anna)).choices == expected
