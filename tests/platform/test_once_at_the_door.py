"""Fifty requests at once with one idempotency key, through the public port: one effect, fifty times the same answer.

Of every operation ``tests/matrix/test_idempotency.py`` shows it of the services in one process; here the gateway
and four services in processes of their own meet, in both faces.
"""

import pytest

from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import Person, Product
from tests.e2e.table import create_hero, found_campaign, join, seat
from tests.matrix.test_idempotency import KEY, all_at_once, conflict, the_one_answer

pytestmark = pytest.mark.backends("postgres")


@pytest.fixture
def somebody(product: Product) -> Person:
    """Somebody who has done nothing yet."""
    return product.sign_up("Impatient")


def test_one_scene_and_one_move(somebody: Person) -> None:
    campaign = found_campaign(somebody)
    player = join(somebody.product.sign_up("Just as impatient"), somebody, campaign)
    own = create_hero(player, name="Only one")
    seat(player, campaign, own)
    asked = {
        "campaignId": campaign,
        "system": "dungeonteller",
        "setupName": "orc-ambush",
        "characters": [own],
        "idempotencyKey": KEY,
    }
    scene = the_one_answer(somebody, MUTATIONS["startScene"], {"input": asked})["scene"]["id"]
    kept = somebody.ask(QUERIES["campaign"], id=campaign)["campaign"]["scenes"]["nodes"]
    assert [one["id"] for one in kept] == [scene]
    # The dice fall in another process, once, however often it is asked.
    call = {"kind": "Try", "actor": own, "action": "talk", "words": "Who goes there?"}
    wish = {"sceneId": scene, "expectedSeq": 0, "move": call, "idempotencyKey": KEY}
    made = the_one_answer(player, MUTATIONS["performMove"], {"input": wish})["move"]
    rolls = somebody.ask(QUERIES["rolls"], sceneId=scene)["rolls"]["nodes"]
    assert [one["id"] for one in rolls] == [one["roll"]["id"] for one in made["rolls"]] != []
    other = {"input": {**wish, "move": {**call, "words": "Stand!"}}}
    assert conflict(player, MUTATIONS["performMove"], other) == "IDEMPOTENCY_CONFLICT"


def test_one_roll_over_rest(somebody: Person) -> None:
    answers = all_at_once(
        lambda: somebody.send(
            "POST", "/v1/rolls", json={"expression": "10d20"}, headers={"idempotency-key": KEY}
        )
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert len(somebody.get("/v1/rolls").json()["items"]) == 1
