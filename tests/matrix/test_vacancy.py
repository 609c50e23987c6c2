"""A table whose only GM has deleted their account: what stays closed, on which paths, until a player accepts."""

from typing import Any

import pytest

from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import Person, until
from tests.e2e.table import OFFERED, World, build_world, invite
from tests.matrix.in_process import InProcess


@pytest.fixture(scope="module")
def world(house: InProcess) -> World:
    """Set the table of which the GM goes, once for each database: what is tried changes it for good."""
    return build_world(house, lambda what: f"Secret {what} of the lone lamps")


def secrets_shown(person: Person, world: World) -> dict[str, Any]:
    """Return what a member is shown of the things that only a GM may see, by what they are."""
    return {
        "roll": person.ask(QUERIES["roll"], id=world.secret_roll)["roll"],
        "map": person.ask(QUERIES["map"], id=world.prepared)["map"],
        "thumbnail": person.get(f"/v1/maps/{world.prepared}/map.png?px=8").status_code == 200 or None,
        "invitations": person.get(f"/v1/campaigns/{world.campaign}/invitations").json()["items"] or None,
        "maps listed": world.prepared in person.get(f"/v1/maps?campaign={world.campaign}").text or None,
    }


def test_secrets_stay_closed_until_a_player_accepts(world: World) -> None:
    campaign, player, spectator = world.campaign, world.player, world.spectator
    code = invite(world.gm, campaign, "GM", 9)["code"]
    assert world.gm.send("DELETE", f"/v1/account?confirm={world.gm.id}").status_code == 200
    until(lambda: player.ask(OFFERED, id=campaign)["campaign"]["gameMasterOffer"], "the offer")

    for role, person in (("player", player), ("spectator", spectator)):
        assert {what for what, shown in secrets_shown(person, world).items() if shown} == set()
        told = person.get(f"/v1/campaigns/{campaign}")
        assert told.status_code == 200
        assert told.json()["gameMasterOffer"]["candidates"] == [{"id": player.id, "name": player.name}]
        text = "".join(person.get(f"/v1/campaigns/{campaign}/{part}").text for part in ("log", "scenes"))
        assert [word for word in world.hidden_from(role) if word in text] == []
    joined = world.outsider.ask(MUTATIONS["joinCampaign"], input={"code": code})["joinCampaign"]
    assert joined["code"] == "NOT_FOUND"
    for person, refusal in ((spectator, 403), (world.outsider, 404)):
        refused = person.send("POST", f"/v1/campaigns/{campaign}/game-master")
        assert refused.status_code == refusal, refused.text

    assert player.send("POST", f"/v1/campaigns/{campaign}/game-master").json()["myRole"] == "GM"
    until(lambda: player.ask(QUERIES["map"], id=world.prepared)["map"], "the map of the GM")
    until(lambda: player.ask(QUERIES["roll"], id=world.secret_roll)["roll"], "the secret roll of the GM")
    assert {what for what, shown in secrets_shown(spectator, world).items() if shown} == set()
    renewed = player.get(f"/v1/campaigns/{campaign}/invitations").json()["items"]
    assert renewed and all(one["revoked"] for one in renewed)
