"""What characters and scenes cost is charged before it is done, and names hold nothing that cannot be seen."""

from typing import Any

import pytest
import redis

from tests.e2e.documents import MUTATIONS
from tests.e2e.product import Person, Product
from tests.e2e.table import create_hero, found_campaign, keep_pack, seat, smith, start_scene

DRAFT = """
query ($build: CharacterBuild!, $packs: [ID!]) {
  draftCharacter(build: $build, packs: $packs) {
    ... on CharacterDraft { builds steps { key } } ... on Problem { code message }
  }
}
"""
LEGAL = "query ($id: ID!) { scene(id: $id) { legalMoves { key } } }"
STATE = "query ($id: ID!) { scene(id: $id) { state { json } } }"
MONSTER = "dungeonteller:monster/goblin"


def points(product: Product, person: Person) -> float:
    """Give what the last charge left in somebody's bucket."""
    with redis.Redis.from_url(product.environment["REDIS_URL"]) as client:
        return float(client.hget(f"hf:bucket:{person.viewer.account}", "points"))


def drained(product: Product, person: Person, left: int) -> None:
    """Leave somebody so many points; the bucket's clock is ahead, so that it does not fill meanwhile."""
    with redis.Redis.from_url(product.environment["REDIS_URL"]) as client:
        later = {"points": left, "at": 2 * 10**12}
        client.hset(f"hf:bucket:{person.viewer.account}", mapping=later)
        client.persist(f"hf:bucket:{person.viewer.account}")


@pytest.fixture(scope="module")
def gm(sqlite: Product) -> Person:
    """Sign somebody up."""
    return sqlite.sign_up("Mara")


@pytest.fixture(scope="module")
def crowd(sqlite: Product, gm: Person) -> str:
    """Begin the largest scene that there may be, with one hero in it."""
    campaign, hero = found_campaign(gm), create_hero(gm)
    seat(gm, campaign, hero)
    setup = {"title": "The Hall", "creatures": [{"monster": MONSTER, "count": 40}]}
    return str(start_scene(gm, campaign, setup, hero)["id"])


def holding(number: int) -> dict[str, Any]:
    """Give a pack of 600 entries."""
    damage = [{"key": f"d{number}-{n}", "name": f"D {number} {n}", "group": "PHYSICAL"} for n in range(200)]
    return {"forgeEngine": {"damage": damage}}


def test_a_draft_is_charged_by_the_packs_that_it_is_made_under(sqlite: Product, gm: Person) -> None:
    packs = []
    for number in range(4):
        sqlite.fill_buckets()
        packs.append(str(keep_pack(gm, f"Shelf {number}", pack=holding(number))["id"]))
    left = []
    for chosen in ([], packs[:1], packs, packs):
        sqlite.fill_buckets()
        found = gm.ask(DRAFT, build=smith(), packs=chosen)["draftCharacter"]
        assert found["builds"] is True
        left.append(points(sqlite, gm))
    by_the_book, one, four, again = left
    assert by_the_book > one > four
    assert again < one, "an edition that is made already is asked for its price all the same"
    drained(sqlite, gm, 20)
    refused = gm.graph(DRAFT, {"build": smith(), "packs": packs}, patient=False).json()
    assert refused["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
    sqlite.fill_buckets()


@pytest.mark.parametrize("operation", [LEGAL, STATE])
def test_a_crowded_scene_is_looked_at_for_more_than_its_price(
    sqlite: Product, gm: Person, crowd: str, operation: str
) -> None:
    sqlite.fill_buckets()
    answer = gm.graph(operation, {"id": crowd}).json()
    # What it was charged, not what is left: the bucket fills while it is looked into.
    assert "errors" not in answer and answer["extensions"]["cost"]["requested"] >= 12
    drained(sqlite, gm, 4)
    refused = gm.graph(operation, {"id": crowd}, patient=False).json()
    assert refused["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
    sqlite.fill_buckets()


def test_names_and_titles_hold_nothing_that_cannot_be_seen(sqlite: Product, gm: Person) -> None:
    sqlite.fill_buckets()
    for name in ("The\nCrown", "\u202enworC", "Crown\u2067"):
        answer = gm.ask(MUTATIONS["createCampaign"], input={"name": name})["createCampaign"]
        assert answer["issues"][0]["code"] == "UNPRINTABLE"
        asked = {"name": name, "pack": holding(9)}
        kept = gm.ask(MUTATIONS["createContentPack"], input=asked)["createContentPack"]
        assert kept["issues"][0]["code"] in ("UNPRINTABLE", "ONE_LINE")
