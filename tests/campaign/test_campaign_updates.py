"""What has changed among an account's campaigns: those that it left or that were deleted are gone, once."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from services.campaign.membership.models import Campaign, Invitation
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.migrate import upgrade
from services.shared.settings import Settings
from tests.campaign.scene_desk import somebody
from tests.campaign.table import Table
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("campaign")
SEAT = """
INSERT INTO campaign (id, name, description, created_by, created_at, version)
    VALUES ('cmp_1', 'Crown', '', 'acc_1', '2026-11-01 00:00:00', 1);
INSERT INTO member (campaign, account, role, joined_at, declined)
    VALUES ('cmp_1', 'acc_1', 'gm', '2026-11-01 00:00:00', false);
INSERT INTO seat (character, campaign, account, seated_at)
    VALUES ('chr_1', 'cmp_1', 'acc_1', '2026-11-01 00:00:00')
"""


@pytest.fixture
async def table(settings: Settings) -> AsyncIterator[Table]:
    database = Database(settings.database_url("campaign"))
    yield Table(database, system_clock, None, {})
    await database.close()


class Client:
    """One who asks again and again what has changed."""

    def __init__(self, table: Table, viewer: Viewer) -> None:
        self._campaigns, self._viewer = table.campaigns, viewer
        self._cursor: str | None = None

    async def news(self) -> list[tuple[str, str | None]]:
        """Return the id of each campaign and its name; None for one that is gone."""
        found: list[tuple[str, str | None]] = []
        more = True
        while more:
            told = await self._campaigns.updates(self._viewer, self._cursor, first=1)
            found += [(one, None if row is None else row.name) for one, row in told.lines()]
            self._cursor, more = told.page.since.text(), told.page.more
        return found


@ON_BOTH
async def test_members_hear_of_edits_roles_leaving_and_the_end(table: Table) -> None:
    gm, player = somebody(), somebody()
    master, other = Client(table, gm), Client(table, player)
    made = await table.found(gm, "Crown")
    assert isinstance(made, Campaign)
    key = made.id
    assert (await master.news(), await other.news()) == ([(key, "Crown")], [])
    invitation = await table.invite(gm, key, uses=2)
    assert isinstance(invitation, Invitation)
    await table.join(player, invitation.code)
    assert await master.news() == await other.news() == [(key, "Crown")]
    await table.edit(gm, key, 1, "The Crown")
    await table.change_role(gm, key, player.account, Role.SPECTATOR)
    assert await master.news() == await other.news() == [(key, "The Crown")]
    await table.remove(player, key, player.account)
    assert (await master.news(), await other.news()) == ([(key, "The Crown")], [(key, None)])
    await table.edit(gm, key, 2, "A Crown")
    assert await other.news() == []
    await table.join(player, invitation.code)
    assert await other.news() == [(key, "A Crown")]
    await master.news()
    await table.delete(gm, key, 3)
    assert await master.news() == await other.news() == [(key, None)]
    assert await Client(table, gm).news() == []


async def test_the_seats_of_before_are_told_to_the_character_service_once(tmp_path: Path) -> None:
    file = tmp_path / "campaign.db"
    await upgrade("campaign", f"sqlite:///{file}", to="campaign_0013")
    plain = create_engine(f"sqlite:///{file}")
    with plain.begin() as connection:
        for statement in SEAT.split(";"):
            connection.execute(text(statement))
    await upgrade("campaign", f"sqlite:///{file}")
    with plain.begin() as connection:
        ((kind, topic, payload),) = connection.execute(text("SELECT kind, topic, payload FROM outbox")).all()
        listed = connection.execute(text("SELECT place, audience, thing, number FROM place_update")).all()
        counted = connection.execute(text("SELECT scope, value FROM sequence")).all()
    assert (kind, topic) == ("character.seated", "campaign:cmp_1")
    assert json.loads(payload) == {"campaign": "cmp_1", "character": "chr_1", "account": "acc_1"}
    assert [tuple(row) for row in listed] == [("acc_1", "own", "cmp_1", 1)]
    assert [tuple(row) for row in counted] == [("updates:acc_1", 1)]
