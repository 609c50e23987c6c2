"""The party: the characters at a campaign's table, for those who sit there."""

from services.shared.ids import new_id
from tests.character.desk import Desk, Tables, somebody
from tests.character.operations import created, hero

PARTY = """
query ($id: ID!, $first: Int! = 20, $after: String) {
  party(campaignId: $id, first: $first, after: $after) {
    nodes { id name owner { id } campaign { id } sheet { tracks { name current } } }
    pageInfo { hasNextPage endCursor }
  }
}
"""
OWN = "query ($id: ID!) { character(id: $id) { id updatedAt campaign { id } } }"


async def test_members_read_the_whole_party_and_nobody_else_does(desk: Desk, tables: Tables) -> None:
    anna, ben, watcher, outsider = (somebody() for _ in range(4))
    campaign, other = new_id("cmp"), new_id("cmp")
    party = [(await created(desk, who, hero(name=name)))["id"] for who, name in ((anna, "Asha"), (ben, "Bo"))]
    elsewhere = (await created(desk, ben))["id"]
    for character in party:
        tables.seat(character, campaign, gm=anna, player=ben, spectator=watcher)
    tables.seat(elsewhere, other, player=ben, gm=outsider)

    for viewer in (anna, ben, watcher):
        found = (await desk.ask(viewer, PARTY, id=campaign))["party"]["nodes"]
        assert [one["id"] for one in found] == party[::-1]
        assert [one["owner"]["id"] for one in found] == [ben.account, anna.account]
        assert {one["campaign"]["id"] for one in found} == {campaign}
        assert all(one["sheet"]["tracks"] for one in found)
    for campaign_of_nobody in (campaign, "x", other[:-1]):
        assert (await desk.ask(outsider, PARTY, id=campaign_of_nobody))["party"] is None


async def test_a_party_is_read_page_by_page(desk: Desk, tables: Tables) -> None:
    anna, campaign = somebody(), new_id("cmp")
    party = [(await created(desk, anna))["id"] for _ in range(3)]
    for character in party:
        tables.seat(character, campaign, player=anna)
    found, after = [], None
    for _ in party:
        page = (await desk.ask(anna, PARTY, id=campaign, first=1, after=after))["party"]
        found += [one["id"] for one in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
    assert found == party[::-1] and not page["pageInfo"]["hasNextPage"]


async def test_a_character_names_its_table_while_that_can_be_read(desk: Desk, tables: Tables) -> None:
    anna, campaign = somebody(), new_id("cmp")
    seated, free = (await created(desk, anna))["id"], (await created(desk, anna))["id"]
    tables.seat(seated, campaign, player=anna)
    assert (await desk.ask(anna, OWN, id=seated))["character"]["campaign"] == {"id": campaign}
    assert (await desk.ask(anna, OWN, id=free))["character"]["campaign"] is None
    tables.broken = True
    assert (await desk.ask(anna, OWN, id=free))["character"]["campaign"] is None
