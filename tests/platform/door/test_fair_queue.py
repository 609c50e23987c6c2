"""However much some order, a stranger's single map is made at once; what is ordered is paid for and bounded."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.product import Person, Product, until
from tests.e2e.table import ended, queue_map

ORDER = """
mutation ($input: GenerateMapsInput!) {
  generateMaps(input: $input) {
    ... on MapBatchQueued { job { id points } }
    ... on InvalidInput { issues { code path found allowed } }
  }
}
"""
CANCEL = (
    "mutation ($id: ID!) { cancelJob(input: {id: $id}) { ... on JobCancelled { job { state points } } } }"
)
BATCH = "query ($id: ID!) { mapBatch(id: $id) { done job { state progress points } } }"
PICTURED = {"map": {"dungeon": {}}, "formats": ["PNG", "SVG"]}
MAPS_IN_A_PART = 60
"""Not fewer than a part of such maps has."""


class Crowd:
    """People who order batches, and take them back in the end."""

    def __init__(self, product: Product) -> None:
        self._product = product
        self.ordered: list[tuple[Person, str]] = []

    def sign_up(self) -> Person:
        """Make somebody with full buckets."""
        return self._product.sign_up("Crowd")

    def order(self, person: Person, count: int, **more: Any) -> dict[str, Any]:
        """Order a batch of maps with pictures that must be queued, and give its job."""
        outcome = person.ask(ORDER, input={**PICTURED, "count": count, **more})["generateMaps"]
        assert "job" in outcome, outcome
        job: dict[str, Any] = outcome["job"]
        self.ordered.append((person, job["id"]))
        return job

    def go(self) -> None:
        """Cancel all that was ordered."""
        for person, batch in self.ordered:
            person.ask(CANCEL, id=batch)


@pytest.fixture
def crowd(sqlite: Product) -> Iterator[Crowd]:
    made = Crowd(sqlite)
    yield made
    made.go()


def look(person: Person, batch: str) -> dict[str, Any]:
    """Read how far a batch is."""
    found: dict[str, Any] = person.ask(BATCH, id=batch)["mapBatch"]
    return found


def test_a_strangers_map_waits_for_one_part_of_others_batches(sqlite: Product, crowd: Crowd) -> None:
    people = [crowd.sign_up() for _ in range(4)]
    batches = [(person, crowd.order(person, 2_000)["id"]) for person in people for _ in range(2)]
    until(lambda: any(look(*each)["done"] for each in batches), "the first part")
    stranger = sqlite.sign_up("Stranger")
    began = time.monotonic()
    asked = queue_map(stranger, seed=5)
    before = sum(look(*each)["done"] for each in batches)
    job = ended(stranger, asked)
    seconds = time.monotonic() - began
    standing = [look(*each) for each in batches]
    print(f"a stranger's map was ready after {seconds:.1f} s")
    assert job["state"] == "SUCCEEDED"
    assert {each["job"]["state"] for each in standing} == {"RUNNING"}
    # Of three hundred parts: the one that was at work, and what was done while we looked.
    assert sum(each["done"] for each in standing) - before <= 3 * MAPS_IN_A_PART


def test_a_cancelled_batch_makes_room_at_once_and_is_paid_back(crowd: Crowd) -> None:
    first, second = crowd.sign_up(), crowd.sign_up()
    given_up = crowd.order(first, 2_000)["id"]
    waiting = crowd.order(second, 2_000)["id"]
    until(lambda: look(first, given_up)["done"], "the first part")
    assert first.ask(CANCEL, id=given_up)["cancelJob"]["job"]["state"] == "CANCELLED"
    until(lambda: look(second, waiting)["done"], "the other batch's first part")
    done = look(second, waiting)["done"]
    left = look(first, given_up)["done"]
    until(lambda: look(second, waiting)["done"] > done, "the other batch's next part")
    assert look(first, given_up)["done"] == left < 2_000


def test_batches_are_charged_in_whole_and_refused_when_the_budget_is_used_up(crowd: Crowd) -> None:
    person = crowd.sign_up()
    first, second = crowd.order(person, 10_000), crowd.order(person, 10_000)
    assert 70_000 < first["points"] == second["points"] <= 100_000
    body = {"kind": "DUNGEON", "count": 10_000, "formats": ["PNG", "SVG"]}
    graph = person.graph(ORDER, {"input": {**PICTURED, "count": 10_000}}, patient=False).json()
    refused = graph["errors"][0]["extensions"]
    assert refused["code"] == "RATE_LIMITED" and refused["retryAfter"] > 1
    rest = person.send("POST", "/v1/batches", patient=False, json=body)
    assert rest.status_code == 429 and int(rest.headers["retry-after"]) > 1
    assert person.ask(CANCEL, id=first["id"])["cancelJob"]["job"]["state"] == "CANCELLED"
    again = crowd.order(person, 9_000)  # one that was charged nothing for what was not begun has room again
    assert again["points"] < first["points"]
    never = person.graph(
        ORDER, {"input": {"map": {"region": {"width": 1024, "height": 1024}}, "count": 10_000}}, patient=False
    ).json()
    assert never["errors"][0]["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"


def test_batches_that_have_not_ended_are_bounded(crowd: Crowd) -> None:
    person = crowd.sign_up()
    for _ in range(20):
        crowd.order(person, 400)
    outcome = person.ask(ORDER, input={**PICTURED, "count": 400})["generateMaps"]
    assert outcome["issues"] == [
        {"code": "QUOTA_EXCEEDED", "path": ["batches"], "found": "20", "allowed": "20"}
    ]


def test_a_single_map_costs_what_it_takes(sqlite: Product) -> None:
    person = sqlite.sign_up("Payer")
    document = """
mutation ($input: GenerateMapInput!) {
  generateMap(input: $input) { ... on MapJobQueued { job { id points } } ... on Problem { code } }
}
"""
    small = person.answer(document, input={"map": {"dungeon": {}}})
    large = person.answer(document, input={"map": {"region": {"width": 1024, "height": 1024}}})
    points = [each["data"]["generateMap"]["job"]["points"] for each in (small, large)]
    assert 5 < points[0] < 50 < 200 < points[1] <= 1_000
    person.ask(CANCEL, id=large["data"]["generateMap"]["job"]["id"])
