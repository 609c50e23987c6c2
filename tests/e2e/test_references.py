"""References to what is not there any more: null in the graph, through the real gateway, and no error."""

from typing import Any

import pytest

from tests.e2e.product import Person, Product, until
from tests.e2e.table import create_hero, found_campaign, join, roll, seat, start_scene

ROLL = """
query ($id: ID!) { roll(id: $id) {
  id
  campaign { id name members { role } rolls(first: 1) { nodes { id } } maps(first: 1) { nodes { id } } }
  character { id name version rolls(first: 1) { nodes { id } } owner { name } }
} }
"""
SCENE = "query ($id: ID!) { scene(id: $id) { title characters { id name version } } }"
# An entity of each kind that other services refer to, by an id that was never given.
ENTITIES = {
    "account": ("account", "acc"),
    "campaign": ("campaign", "cmp"),
    "character": ("character", "chr"),
    "map": ("map", "map"),
    "roll": ("dice", "rol"),
    "scene": ("campaign", "scn"),
}


def shown(person: Person, query: str, name: str, **variables: Any) -> dict[str, Any]:
    """Run a query of one field, and return what it shows; there must be no error."""
    answer = person.graph(query, variables).json()
    assert "errors" not in answer, answer
    found: dict[str, Any] = answer["data"][name]
    return found


def test_what_rolls_and_scenes_refer_to_is_null_once_it_is_deleted(product: Product) -> None:
    mara, jon = product.sign_up("Mara"), product.sign_up("Jon")
    campaign = found_campaign(mara)
    join(jon, mara, campaign)
    heroes = [create_hero(jon, name=name) for name in ("Brunna", "Odo")]
    for hero in heroes:
        seat(jon, campaign, hero)
    scene = start_scene(mara, campaign, "bonfire", *heroes)["id"]
    rolled = roll(jon, campaignId=campaign, characterId=heroes[0])["id"]
    told = shown(jon, ROLL, "roll", id=rolled)
    assert (told["campaign"]["id"], told["character"]["name"]) == (campaign, "Brunna")

    assert jon.send("DELETE", f"/v1/characters/{heroes[0]}?version=1").status_code == 200
    assert shown(jon, ROLL, "roll", id=rolled)["character"] is None
    assert [one and one["name"] for one in shown(jon, SCENE, "scene", id=scene)["characters"]] == [
        None,
        "Odo",
    ]
    assert mara.send("DELETE", f"/v1/campaigns/{campaign}?version=1").status_code == 200
    gone = {"id": rolled, "campaign": None, "character": None}
    assert until(lambda: shown(jon, ROLL, "roll", id=rolled) == gone, "the campaign to be gone")


@pytest.mark.parametrize("entity", ENTITIES)
def test_an_entity_that_is_not_there_is_null_where_it_is_looked_up(product: Product, entity: str) -> None:
    service, prefix = ENTITIES[entity]
    person = product.sign_up("Seeker")
    kind = entity.title()
    answer = product.http.post(
        f"{product.inside(service)}/graphql",
        json={
            "query": "query ($of: [_Any!]!) { _entities(representations: $of) { __typename } }",
            "variables": {"of": [{"__typename": kind, "id": f"{prefix}_00000000000000000000000000"}]},
        },
        headers=product.token(service, person.viewer),
    )
    assert answer.json()["data"] == {"_entities": [None]} and "errors" not in answer.json()
