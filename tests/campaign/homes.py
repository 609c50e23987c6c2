"""A campaign service beside a character service that reads what it publishes, each with its own database."""

from typing import Any

from services.campaign.membership.models import Campaign
from services.character.building.builds import Build
from services.character.building.models import CharacterRow
from services.character.building.requests import CreateCharacter
from services.character.context import CharacterUseCases
from services.character.history.scene_events import SceneEvents
from services.character.tables import CURSORS
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.consumer import Consumer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.settings import Settings
from services.shared.valkey import connect
from tests.campaign.scene_desk import DUEL, SYSTEMS, Desk, Dice


class Blows(Dice):
    """Dice with which every attack hits: the first roll of each check shows its most, others their least."""

    def _fall(self, key: str, place: int, roll: dict[str, Any]) -> dict[str, Any]:
        count = int(roll["expression"].partition("d")[0])
        return {"id": new_id("rol"), "faces": [1 if place else 6] * count, "secret": roll["secret"]}


class Producer:
    """The campaign service, as far as the character service asks it."""

    name = "campaign"

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def of(self, viewer: Viewer, **_: Any) -> Access:
        return await self._desk.campaigns.access(viewer.account)

    async def get(self, _viewer: Viewer, *_segments: str, after: int) -> Any:
        events = enumerate(await self._desk.events(), start=1)
        return [[place, *event] for place, event in events if place > after]


class Homes:
    """A table whose players' characters are at home in a character service.

    Attributes:
        desk: the table; its heroes are duellists of the character service.
        service: the character service.
    """

    def __init__(self, settings: Settings) -> None:
        self.databases = [Database(settings.database_url(name)) for name in ("campaign", "character")]
        self.desk = Desk(self.databases[0])
        self.desk.dice = Blows()
        self.desk.play(SYSTEMS)
        self._producer = Producer(self.desk)
        self.service = CharacterUseCases.over(self.databases[1], system_clock, self._producer, {"duel": DUEL})
        self._redis = connect(settings.redis_url)

    async def open(self) -> None:
        """Found the campaign, and seat a duellist for each player."""
        desk = self.desk
        await desk.open()
        desk.hero, desk.other = await self.duellist(desk.anna, "Anna"), await self.duellist(desk.ben, "Ben")

    async def duellist(self, owner: Viewer, name: str) -> str:
        """Make a duellist who sits at the table."""
        asked = CreateCharacter(Build("duel", DUEL.choices(name=name)))
        row = await self.service.characters.create(owner, asked, None)
        known = {"id": row.id, "owner": owner.account, "name": name, "system": "duel"}
        self.desk.characters.known[row.id], self.desk.characters.sheets[row.id] = known, row.sheet
        assert isinstance(await self.desk.table.seat(owner, self.desk.campaign, row.id), Campaign)
        return row.id

    async def close(self) -> None:
        await self._redis.aclose()
        for database in self.databases:
            await database.close()

    async def carry(self) -> None:
        """Have the character service read what the campaign service has published."""
        scenes = SceneEvents(system_clock, self.service.editions)
        consumer = Consumer(
            self.databases[1],
            CURSORS,
            self._redis,
            self._producer,  # type: ignore[arg-type]
            scenes.handlers,
        )
        await consumer._fill()

    async def scars(self, who: Viewer, character: str) -> int:
        """Read the scars on a sheet, as a viewer is shown it."""
        await self.carry()
        sheet = await self.service.sheets.document_of(who, character)
        assert sheet is not None and sheet.document is not None
        found: int = sheet.document["data"]["scars"]
        return found

    async def row(self, character: str) -> CharacterRow:
        found = await self.service.characters.existing(character)
        assert found is not None
        return found
