"""What has changed among maps since a client was there last; a map that is hidden is gone for the players."""

from collections.abc import Iterator

import pytest

from services.shared.auth import Viewer
from services.shared.ids import new_id
from tests.character.desk import Tables, somebody
from tests.conftest import wait_for
from tests.map.service_desk import MapDesk
from tests.map.test_map_deleting import Campaigns, delete, gone

UPDATES = """
query ($campaign: ID, $since: String, $first: Int! = 2) {
  mapUpdates(campaignId: $campaign, since: $since, first: $first) {
    updates { key node { id sharing } } cursor more anew
  }
}
"""


@pytest.fixture
def campaigns(map_desk: MapDesk) -> Iterator[Campaigns]:
    told = Campaigns(map_desk)
    yield told
    told.close()


class Client:
    """One who asks again and again what has changed, and writes down what is told."""

    def __init__(self, desk: MapDesk, viewer: Viewer, campaign: str | None = None) -> None:
        self._desk, self._viewer, self._campaign = desk, viewer, campaign
        self.cursor: str | None = None

    def news(self) -> list[tuple[str, bool]]:
        """Ask until there is no more; return the id of each map and whether it is there."""
        found: list[tuple[str, bool]] = []
        more = True
        while more:
            asked = {"campaign": self._campaign, "since": self.cursor}
            page = self._desk.ask(self._viewer, UPDATES, **asked)["mapUpdates"]
            found += [(one["key"], one["node"] is not None) for one in page["updates"]]
            self.cursor, more = page["cursor"], page["more"]
        return found


def share(desk: MapDesk, viewer: Viewer, map_id: str, mode: str) -> None:
    desk.edit(viewer, map_id, setFog={"mode": mode})


def test_players_hear_of_what_is_shared_and_taken_back_and_of_nothing_hidden(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, player, owner, campaign = somebody(), somebody(), somebody(), new_id("cmp")
    tables.seat(new_id("chr"), campaign, gm=gm, player=player)
    tables.seat(new_id("chr"), campaign, player=owner)
    clients = master, other, own = [Client(map_desk, who, campaign) for who in (gm, player, owner)]
    shared = map_desk.made(owner, campaign, sharing="OPEN")
    secret = map_desk.made(gm, campaign, sharing="HIDDEN")
    assert master.news() == [(shared, True), (secret, True)]
    assert other.news() == own.news() == [(shared, True)]

    before = other.cursor
    hidden = map_desk.made(owner, campaign, sharing="HIDDEN")
    assert master.news() == own.news() == [(hidden, True)]
    assert other.news() == [] and other.cursor == before

    share(map_desk, gm, secret, "OPEN")
    assert [client.news() for client in clients] == [[(secret, True)]] * 3
    share(map_desk, gm, secret, "HIDDEN")
    assert [client.news() for client in clients] == [[(secret, True)], [(secret, False)], [(secret, False)]]
    before = other.cursor
    assert delete(map_desk, gm, secret) == gone(secret)
    assert master.news() == [(secret, False)]
    assert (other.news(), own.news(), other.cursor) == ([], [], before)
    assert delete(map_desk, owner, shared) == gone(shared)
    assert [client.news() for client in clients] == [[(shared, False)]] * 3


def test_maps_of_a_campaign_that_ends_come_to_their_owners_lists(
    map_desk: MapDesk, tables: Tables, campaigns: Campaigns
) -> None:
    gm, campaign = somebody(), new_id("cmp")
    tables.seat(new_id("chr"), campaign, gm=gm)
    alone, shared = map_desk.made(gm), map_desk.made(gm, campaign)
    client = Client(map_desk, gm)
    assert client.news() == [(alone, True)]
    campaigns.tell("campaign.deleted", campaign=campaign, members=[], scenes=[], characters=[])
    told: list[tuple[str, bool]] = []

    def has_come() -> bool:
        told.extend(client.news())
        return bool(told)

    wait_for(has_come, "the map in its owner's list")
    assert told == [(shared, True)] and client.news() == []
