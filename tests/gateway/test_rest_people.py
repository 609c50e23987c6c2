"""Accounts over REST: the name of each stands beside its id, read from the account service."""

from collections.abc import AsyncIterator
from typing import cast

import pytest

from services.character.context import CharacterUseCases
from services.character.schema import SCHEMA
from services.gateway.accounts.service import AccountService
from services.gateway.rest.own_graph import OwnGraph
from services.gateway.rest.subgraphs import Subgraphs
from services.rules.engine.registry import systems
from services.shared.access import Role
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.peers import Peer
from services.shared.settings import Settings
from tests.gateway.rest_face import Guest, fits, guests
from tests.inside import Campaigns, Graph

pytestmark = pytest.mark.databases("character", "account")

HERO = {"build": {"dungeonteller": {"name": "Asha", "role": "dungeonteller:role/warrior"}}}


class Table:
    """A GM and a player at one table."""

    def __init__(self, tables: Campaigns, people: list[Guest]) -> None:
        self.campaign, self.tables = new_id("cmp"), tables
        self.gm, self.player = people
        for guest, role in ((self.gm, Role.GM), (self.player, Role.PLAYER)):
            tables.roles[guest.id] = {self.campaign: role}

    def seat(self, character: str) -> None:
        """Bring a character to the table."""
        self.tables.seats[character] = self.campaign


@pytest.fixture
async def table(settings: Settings) -> AsyncIterator[Table]:
    kept, accounts = (Database(settings.database_url(name)) for name in ("character", "account"))
    tables = Campaigns()
    use_cases = CharacterUseCases.over(kept, system_clock, tables, systems())
    people = OwnGraph(AccountService(accounts, system_clock, "pepper"))
    graphs = Subgraphs({"character": cast(Peer, Graph(SCHEMA, use_cases))}, people)
    async with guests(settings, graphs, "Mara", "Toren") as found:
        yield Table(tables, found)
    await kept.close()
    await accounts.close()


async def test_owners_are_told_by_name_to_the_whole_table(table: Table) -> None:
    made = fits(await table.player.ask("POST", "/v1/characters", 201, json=HERO))
    owner = {"id": table.player.id, "name": "Toren"}
    assert made["owner"] == owner and made["campaign"] is None
    table.seat(made["id"])
    for guest in (table.gm, table.player):
        read = fits(await guest.ask("GET", f"/v1/characters/{made['id']}"))
        assert (read["owner"], read["campaign"]) == (owner, {"id": table.campaign})
        assert read["updatedAt"] == made["updatedAt"]


async def test_one_request_reads_the_party_with_short_sheets(table: Table) -> None:
    made = fits(await table.player.ask("POST", "/v1/characters", 201, json=HERO))
    table.seat(made["id"])
    (member,) = fits(await table.gm.ask("GET", f"/v1/campaigns/{table.campaign}/party"))["items"]
    assert (member["id"], member["owner"]["name"]) == (made["id"], "Toren")
    assert [track["id"] for track in member["sheet"]["tracks"]] == ["luck"]
